// Formats bytes, errors and expectations for people and for JSON.
#ifndef WEIR_APPS_SUPPORT_TEXT_H_
#define WEIR_APPS_SUPPORT_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "weir/error.h"
#include "weir/matcher.h"

namespace weir::cli {

using Json = nlohmann::ordered_json;

/// Returns printable text unchanged and other bytes as \n, \t, \xHH; at most `max_bytes` of the input, then "…".
std::string escape(std::string_view bytes, std::size_t max_bytes = 60);

/// Returns the offset of the first byte that is not UTF-8; npos if there is none.
std::size_t find_invalid_utf8(std::string_view bytes);
bool is_valid_utf8(std::string_view bytes);

/// Returns the bytes in hexadecimal, for example "e4bda0".
std::string hex(std::string_view bytes);

/// Returns the bytes as a JSON string if they are valid UTF-8, otherwise null; callers add hex(bytes) as another
/// member.
Json text_or_null(std::string_view bytes);

/// Returns `value` as JSON, on one line unless `indent` is 0 or more. Bytes that are not UTF-8 become U+FFFD.
std::string json_text(const Json& value, int indent = -1);

/// Returns an error in the form of all --json output: {"code", "message", "start", "end"} and, unless empty, "hint",
/// "notes" and "limit".
Json error_json(const Error& error);

/// Returns a list of bytes for people: "`a`–`z`, `_`, 0x80–0xBF", or "any byte but `"`" if that is shorter.
std::string describe_bytes(std::span<const std::uint8_t> bytes);

/// Returns {"terminals": […], "bytes": […], "end": bool}.
Json expectation_json(const Expectation& expectation);

/// Returns "string, number; next `"`, `0`–`9`; or the end", with the names of the terminals. If there
/// are more than `max_terminals`, the others are only counted.
std::string describe_expectation(const Expectation& expectation, std::size_t max_terminals = 8);

/// Returns the range of the character that contains byte `offset` of `text`; one byte if the text is not valid UTF-8
/// there; an empty range at the end of the text.
SourceRange character_at(std::string_view text, std::size_t offset);

/// Removes the byte order mark that some editors write at the beginning of a file.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_TEXT_H_
