// ValueReader: says what JSON text consists of, while it is being written.
//
// WHAT   {"a": [1, "x"]} is an object that begins, an array under `a`, a number under 0, a string under 1, ends. Strings
//        come decoded, as far as they are written; numbers when they can no longer grow.
// WHY    A program that shows a growing object would otherwise read its text from the start after each piece.
// COST   Linear in the text: an event has the key of its value and the depth, not the whole path, and a string that
//        continues has no long key (kMaxName).
#ifndef WEIR_SRC_REPLIES_VALUE_READER_H_
#define WEIR_SRC_REPLIES_VALUE_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replies/json_scanner.h"
#include "weir/reply_parser.h"

namespace weir::replies {

class ValueReader {
 public:
  /// Reads a piece of text that ends with a whole character. `pattern` says what the events have in common.
  void feed(std::string_view text, const ReplyEvent& pattern, std::vector<ReplyEvent>& out);
  /// Appends the event, and reads its text. `event` ends with a whole character.
  void feed_event(ReplyEvent event, std::vector<ReplyEvent>& out);
  /// Says that the text has ended, so that a number at its end cannot grow. A value that is cut off has no further event.
  void finish(const ReplyEvent& pattern, std::vector<ReplyEvent>& out);

 private:
  struct Open {
    bool is_object;
    std::string key;        // of the container itself
    std::size_t index = 0;  // of the next item
  };
  enum class State : std::uint8_t { kBetween, kWord, kString, kEscape, kHex, kDead };

  void read(char c, const ReplyEvent& pattern, std::vector<ReplyEvent>& out);
  void begin_or_end(char c, const ReplyEvent& pattern, std::vector<ReplyEvent>& out);
  void end_string(const ReplyEvent& pattern, std::vector<ReplyEvent>& out);
  void end_word(const ReplyEvent& pattern, std::vector<ReplyEvent>& out);
  void escape(char c);
  void hex_digit(char c);
  void end_half();
  [[nodiscard]] std::string key_here() const;
  void continue_string(const ReplyEvent& pattern, std::vector<ReplyEvent>& out);

  JsonScanner scanner_;  // knows whether the text is JSON
  State state_ = State::kBetween;
  std::vector<Open> open_;
  bool is_key_ = false;       // the string is a name of a member
  bool expects_key_ = false;  // the next string is one
  std::string key_;           // of the next value, if it is in an object
  std::string text_;          // what is decoded of the string, or read of the number or word, and not yet given
  std::uint8_t hex_left_ = 0;
  char32_t hex_ = 0;
  char32_t half_ = 0;  // the first half of a surrogate pair that an escape has written; 0: none
};

/// Returns what is written of a string that is a member of an object, from the beginning of the object's text or all of it;
/// nullopt if it has not begun.
std::optional<std::string> string_member(std::string_view object, std::string_view key);
/// Returns true if the object names a member twice.
bool has_twice(std::string_view object, std::string_view key);

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_VALUE_READER_H_
