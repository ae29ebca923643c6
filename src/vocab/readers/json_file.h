// JSON for the readers: nlohmann/json, with what a file from anywhere needs.
//
// WHY    Objects are destroyed and searched without recursion only as long as they are shallow, and a parser's
//        complaint is of use only with its offset. Included by reader .cc files only: the library is slow to compile.
#ifndef WEIR_SRC_VOCAB_READERS_JSON_FILE_H_
#define WEIR_SRC_VOCAB_READERS_JSON_FILE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "weir/error.h"

namespace weir::vocab {

using Json = nlohmann::json;

/// Levels of arrays and objects; tokenizer files need about six.
inline constexpr std::size_t kMaxJsonDepth = 100;

/// Parses a file. Errors: kInvalidArgument with the byte offset: not JSON, or nested deeper than kMaxJsonDepth.
Result<Json> parse_json_file(std::string_view data, std::string_view name);

/// The member, or a null value if there is none or `object` is no object. The result lives as long as `object`.
const Json& json_member(const Json& object, std::string_view key);

/// The member's value if it is of the type asked for.
[[nodiscard]] const std::string* json_string(const Json& object, std::string_view key);
[[nodiscard]] std::optional<bool> json_bool(const Json& object, std::string_view key);
/// A whole number from 0 to 2^32 - 1.
[[nodiscard]] std::optional<std::uint32_t> json_u32(const Json& value);
[[nodiscard]] std::optional<std::uint32_t> json_u32(const Json& object, std::string_view key);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_JSON_FILE_H_
