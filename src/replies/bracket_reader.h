// BracketReader: turns arguments in brackets, as Gemma 4 writes them, into JSON while they are written.
#ifndef WEIR_SRC_REPLIES_BRACKET_READER_H_
#define WEIR_SRC_REPLIES_BRACKET_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::replies {

/// Appends the byte as it is written in a JSON string. A byte above 0x7F, part of a longer character, stays as it is.
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
  /// Returns true within a string, where brackets are text.
  [[nodiscard]] bool is_in_string() const { return place_ == Place::kString; }
  /// Appends what is certain of a string if the byte comes next, without reading it.
  void expect(char next, std::string& out);
  /// Ends the arguments if only a closing quote and brackets are missing. Returns kBad if a value is missing.
  Step end(std::string& out);

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
  void escape(char c, std::string& out);
  void end_word(std::string_view word, std::string& out);
  [[nodiscard]] std::size_t last_comma() const;

  std::string_view quote_;
  Place place_ = Place::kStart;
  std::string open_;  // brackets
  // A key, a bare value with the lines before it, an escape, or what may be the mark around strings.
  std::string word_;
  bool is_text_ = false;  // the bare value is no literal
  // Where the comma is in a bare value with one comma, if the tag allows what precedes it. Otherwise 0.
  std::size_t word_end_ = 0;
};

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_BRACKET_READER_H_
