// The strings in a JSON text: where they are, and what they denote (RFC 8259, section 7).
//
// WHY    Texts that are not read into a tree (an output in progress, a prefix) are scanned byte by byte. All that a
//        scan must know is which bytes are in strings; only the others are brackets, commas and colons.
#ifndef WEIR_SRC_BASE_JSON_JSON_TEXT_H_
#define WEIR_SRC_BASE_JSON_JSON_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::base {

/// The position of the next byte of a JSON text: outside strings, in a string, or after a backslash in a string.
enum class JsonPlace : std::uint8_t { kOutside, kString, kEscape };

/// Returns the place after `byte`, which stands at `place`.
constexpr JsonPlace place_after(JsonPlace place, char byte) {
  if (place == JsonPlace::kEscape) return JsonPlace::kString;
  if (byte == '"') return place == JsonPlace::kOutside ? JsonPlace::kString : JsonPlace::kOutside;
  return place == JsonPlace::kString && byte == '\\' ? JsonPlace::kEscape : place;
}

struct JsonEscape {
  std::size_t length = 0;  ///< Bytes as written: 2, 6, or 12 for a surrogate pair; 0 if there is no escape.
  char32_t code_point = 0;
};
/// Returns the escape that `text` begins with. A lone surrogate counts as a code point.
JsonEscape read_json_escape(std::string_view text);

/// Appends the text, in UTF-8, that `inside` denotes as the contents of a string; a lone surrogate becomes the three bytes
/// that UTF-8 would use for it. Stops at an escape that is invalid or incomplete. Returns true if it stopped there, or if
/// the text ends with the first half of a pair.
bool append_json_string(std::string_view inside, std::string& out);

/// Returns the text as a JSON string with its quotes, as Python's json.dumps(text, ensure_ascii=False) does, and with it
/// the templates of models. A lone surrogate is written as \uXXXX.
std::string json_string(std::string_view text);

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_JSON_JSON_TEXT_H_
