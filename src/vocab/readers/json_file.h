// JSON for the readers: nlohmann/json with a limit of depth and with error offsets, for files from untrusted sources.
//
// WHY    Deeply nested values would overflow the stack when they are searched or destroyed, and a syntax error is
//        useful only with its offset. Only the .cc files of readers include this header, because the library compiles
//        slowly.
#ifndef WEIR_SRC_VOCAB_READERS_JSON_FILE_H_
#define WEIR_SRC_VOCAB_READERS_JSON_FILE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "weir/error.h"

namespace weir::vocab {

using Json = nlohmann::json;

/// The greatest depth of arrays and objects; tokenizer files have about six levels.
inline constexpr std::size_t kMaxJsonDepth = 100;

/// Parses a file. Errors: kInvalidArgument with the byte offset if it is not JSON or nested deeper than kMaxJsonDepth.
Result<Json> parse_json_file(std::string_view data, std::string_view name);

/// The two errors of parse_json_file, for readers that build other values than Json: of a file that is nested too
/// deep, and of one that the parser has refused.
Result<void> check_json_depth(std::string_view data, std::string_view name);
Error json_error(std::string_view data, std::string_view name);

/// Returns the value of a member, or a null value if `object` is not an object or has no such member. The result is
/// valid as long as `object`.
const Json& json_member(const Json& object, std::string_view key);

/// Return the value of a member if it has the requested type; null or nullopt otherwise.
[[nodiscard]] const std::string* json_string(const Json& object, std::string_view key);
[[nodiscard]] std::optional<bool> json_bool(const Json& object, std::string_view key);
/// Return the value (of a member) if it is an integer from 0 to 2^32 - 1.
[[nodiscard]] std::optional<std::uint32_t> json_u32(const Json& value);
[[nodiscard]] std::optional<std::uint32_t> json_u32(const Json& object, std::string_view key);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_JSON_FILE_H_
