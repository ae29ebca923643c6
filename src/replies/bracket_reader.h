// BracketReader: turns arguments in brackets, as Gemma 4 writes them, into JSON while they are written.
#ifndef WEIR_SRC_REPLIES_BRACKET_READER_H_
#define WEIR_SRC_REPLIES_BRACKET_READER_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::replies {

/// Appends the byte as it stands in a JSON string. A byte of a character that is not ASCII is itself.
void append_escaped(std::string& out, char c);

class BracketReader {
 public:
  enum class Step : std::uint8_t { kMore, kDone, kBad };
  /// `quote`, which stands around strings, must outlive the reader.
  explicit BracketReader(std::string_view quote) : quote_(quote) {}
  void reset();
  /// Reads a byte and appends the JSON text that has become certain.
  Step feed(char c, std::string& out);
  [[nodiscard]] bool has_begun() const { return !open_.empty(); }

 private:
  enum class Place : std::uint8_t {
    kStart,
    kFirst,
    kNext,
    kKey,
    kValue,
    kWord,
    kMark,
    kString,
    kQuoted,
    kEscape,
    kAfter
  };
  Step value(char c, std::string& out);
  Step close(char c, std::string& out);
  Step after(char c, std::string& out);

  std::string_view quote_;
  Place place_ = Place::kStart;
  std::string open_;  // brackets
  std::string word_;  // a key, a bare value, or what may be the mark around strings
};

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_BRACKET_READER_H_
