// Bytes for people and for JSON.
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

/// Printable text as it is, everything else as \n, \t, \xHH; at most `max_bytes` of the input, then "…".
std::string escape(std::string_view bytes, std::size_t max_bytes = 60);

bool is_valid_utf8(std::string_view bytes);

/// "e4bda0"
std::string hex(std::string_view bytes);

/// The bytes as a JSON string where they are valid UTF-8, otherwise null; put `hex` beside it.
Json text_or_null(std::string_view bytes);

/// An error as every --json output shows it: {"code", "message", "start", "end"} and, where there is one, "hint" and
/// "limit".
Json error_json(const Error& error);

/// Bytes as a person would list them: "`a`–`z`, `_`, 0x80–0xBF"; "any byte but `"`" where that is shorter.
std::string describe_bytes(std::span<const std::uint8_t> bytes);

/// {"terminals": […], "bytes": […], "end": bool}
Json expectation_json(const Expectation& expectation);

/// "`string`, `number`; next byte `"`, `0`–`9`; or the end". Terminals beyond `max_terminals` are counted.
std::string describe_expectation(const Expectation& expectation, std::size_t max_terminals = 8);

/// The range of the character that byte `offset` of `text` belongs to; of one byte where the text is not valid UTF-8
/// there, and empty at the end of the text.
SourceRange character_at(std::string_view text, std::size_t offset);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_TEXT_H_
