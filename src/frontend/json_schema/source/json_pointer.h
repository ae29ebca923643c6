// JSON pointers (RFC 6901): how a place in a schema is named, in `$ref` and in messages.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_JSON_POINTER_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_JSON_POINTER_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/json_schema/source/json_value.h"
#include "weir/error.h"

namespace weir::frontend::json_schema {

/// Appends `/key`, with `~` and `/` of the key escaped (section 3).
void append_to_pointer(std::string& pointer, std::string_view key);
void append_to_pointer(std::string& pointer, std::size_t index);

/// The unescaped tokens of a pointer: none for "", two for "/a/b". Errors: kSyntax, with a range of `pointer`.
Result<std::vector<std::string>> parse_pointer(std::string_view pointer);

/// `text` with its %XX replaced by the bytes that they stand for (RFC 3986, section 2.1), as a fragment must be before
/// it is a pointer (RFC 6901, section 6). Errors: kSyntax, with a range of `text`.
Result<std::string> percent_decode(std::string_view text);

/// The value that one token leads to from `value` (section 4); null when there is none. An index has no leading zeros.
const JsonValue* step_pointer(const JsonValue& value, std::string_view token);

/// The value that `tokens` lead to from `root`, or null.
const JsonValue* find_pointer(const JsonValue& root, std::span<const std::string> tokens);

/// The pointer from `root` to `value`, one of its descendants by identity or `root` itself; "" when it is none.
/// Cost: O(depth × log width), by the values' places in the text.
std::string pointer_to(const JsonValue& root, const JsonValue& value);

/// The pointer from `root` to the innermost value whose bytes hold the range `where`; a member's key counts as part of
/// its value. Cost: O(width) of each value on the way.
std::string pointer_at(const JsonValue& root, SourceRange where);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_SOURCE_JSON_POINTER_H_
