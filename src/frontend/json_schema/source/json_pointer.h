// JSON pointers (RFC 6901), which name a value in a schema, in `$ref` and in messages.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_JSON_POINTER_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_JSON_POINTER_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_value.h"
#include "weir/error.h"

namespace weir::frontend::json_schema {

using base::Decimal;
using base::JsonDocument;
using base::JsonMember;
using base::JsonType;
using base::JsonValue;

/// Appends `/key`, with `~` and `/` in the key escaped (section 3).
void append_to_pointer(std::string& pointer, std::string_view key);
void append_to_pointer(std::string& pointer, std::size_t index);

/// Returns the unescaped tokens of a pointer: none for "", two for "/a/b". Errors: kSyntax, with a range of `pointer`.
Result<std::vector<std::string>> parse_pointer(std::string_view pointer);

/// Returns `text` with each %XX replaced by its byte (RFC 3986, section 2.1). A URI fragment must be decoded so before
/// it is parsed as a pointer (RFC 6901, section 6). Errors: kSyntax, with a range of `text`.
Result<std::string> percent_decode(std::string_view text);

/// Returns a JSON Pointer as the fragment of a URI: all characters but letters, digits and slashes become %XX (RFC
/// 3986, section 2.1).
std::string as_fragment(std::string_view pointer);

/// Returns the value that one token leads to from `value` (section 4); null if there is none. An index with leading
/// zeros leads nowhere.
const JsonValue* step_pointer(const JsonValue& value, std::string_view token);

/// Returns the value that `tokens` lead to from `root`; null if there is none.
const JsonValue* find_pointer(const JsonValue& root, std::span<const std::string> tokens);

/// Returns the pointer from `root` to `value`; "" if `value` is `root` or not one of its descendants (the same objects,
/// not equal ones). Cost: O(depth × log width), since children are found by their ranges in the text.
std::string pointer_to(const JsonValue& root, const JsonValue& value);

/// Returns the pointer from `root` to the innermost value whose bytes contain the range `where`; a member's key counts
/// as part of its value. Cost: linear in the widths of the values on the path.
std::string pointer_at(const JsonValue& root, SourceRange where);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_JSON_POINTER_H_
