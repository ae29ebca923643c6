// YamlReader: what a YAML text that a schema's rules allow has written so far, where a rule follows the text.
//
// WHY    A text of YAML cannot be scanned backwards (look_back.h): a quote in a plain text is a letter, and a line within a
//        string may look like a member. So it is read from its beginning.
// WHAT   Reads the texts that rules for YAML make (yaml_rules.cc), no others. deciding_text() has, for each block that the
//        end of the text is in and for the innermost brackets, the keys so far, or the last item as JSON.
// COST   Linear in the text after a place near the end of an earlier one, and in the result. The states at some such
//        places are kept, because many texts are read that differ at their ends.
// THREADS One thread.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_YAML_READER_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_YAML_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"

namespace weir::frontend::json_schema {

class YamlReader {
 public:
  /// From now on, items are read, not only keys.
  void read_items();
  /// Returns what rules after the text depend on. Valid until the next call. Precondition: the text ends with a value, or,
  /// within brackets, with a comma and the blanks after it.
  std::string_view deciding_text(std::string_view text);
  /// Returns the part of a deciding text that is about the rule at `depth` (YamlPlace): the keys, sorted, each followed by
  /// KeyReader::kKeyEnd, or the last item.
  static std::string_view part_at(std::string_view deciding_text, std::uint32_t depth);

  /// Returns the JSON text of the value that a whole document is. Precondition, also of the following: the rules for any
  /// value allow the document, or its beginning.
  static std::string json_of(std::string_view document);
  /// Returns the JSON text that the beginning of a document has, without the brackets that close what is open. A scalar or
  /// key in which it ends counts as one that ends there.
  static std::string open_json_of(std::string_view beginning);
  /// Returns the key that a scalar in quotes denotes. `written`: without the quote that ends it.
  static std::string decoded_key(std::string_view written);
  /// If a beginning ends within a key that its object has already, returns where that is.
  static std::optional<SourceRange> earlier_key(std::string_view beginning);

 private:
  struct Container {
    bool is_object = false;
    bool is_flow = false;
    bool is_in_array = false;  // or the document is read as JSON: `json` is kept, because it may be a part of an item
    bool is_pair = false;      // an object of one member in an array in brackets, without braces
    std::uint32_t column = 0;  // of a block
    std::string keys = {};     // as in a deciding text
    std::string json = {};     // without the closing bracket
    std::string last = {};     // item
    std::vector<SourceRange> places = {};          // of the keys, if the document is read as JSON,
    std::vector<std::string> keys_at_places = {};  // and what they are
  };
  // A scalar that has begun.
  struct Scalar {
    char quote = '\0';  // or it is plain; '|' or '>' before lines of its own
    bool is_key = false;
    bool may_be_key = false;
    bool is_after_blank = false;  // within quotes: a raw blank comes before the position
    std::size_t column = 0;       // of its first character, if it may be a key; of lines of its own, or 0 if not known
    char chomping = '\0';         // of these: '-', '+' or none
    bool has_lines = false;       // of these, one has begun
    bool is_in_line = false;      // and the position is within one
    std::string text = {};        // so far, decoded
    std::size_t begin = 0;        // of a key: its first byte
  };
  enum class Expects : std::uint8_t {
    kValue,
    kKey,
    kScalar,
    kColon,  // after a key; the text ends
    kEnd,
  };
  struct State {
    std::size_t position = 0;
    Expects expects = Expects::kValue;
    Scalar scalar = {};
    std::vector<Container> open = {};
  };
  struct Known {
    std::string text;  // all that the state depends on: up to its position, and some bytes more
    State state;
  };
  class Reading;

  bool reads_items_ = false;
  bool reads_document_ = false;  // as JSON
  bool ends_in_line_ = false;    // the document has no line end at its end
  std::array<Known, 4> known_;
  std::size_t next_known_ = 0;  // where the next state is kept, of a text that begins like none of those that are known
  std::string found_;
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_YAML_READER_H_
