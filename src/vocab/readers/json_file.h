// JSON for the readers: typed members, and syntax errors with their offsets.
#ifndef WEIR_SRC_VOCAB_READERS_JSON_FILE_H_
#define WEIR_SRC_VOCAB_READERS_JSON_FILE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/json/json_value.h"
#include "weir/error.h"

namespace weir::vocab {

using Json = base::JsonValue;
using base::JsonType;

/// The greatest depth of arrays and objects; tokenizer files have about six levels.
inline constexpr std::uint32_t kMaxJsonDepth = 100;

/// Parses a file. Errors: kInvalidArgument with the byte offset if it is not JSON, contains an unpaired surrogate, or
/// is nested deeper than kMaxJsonDepth.
Result<base::JsonDocument> parse_json_file(std::string_view data, std::string_view name);

/// Returns the value of a member, or a null value if `object` is not an object or has no such member. The result is
/// valid as long as `object`.
const Json& json_member(const Json& object, std::string_view key);

/// Returns the items of an array, none for null, and any other value as the only item, which the caller then refuses.
[[nodiscard]] std::span<const Json> json_items(const Json& value);

/// Return the value (of a member) if it has the requested type; nullopt otherwise.
[[nodiscard]] std::optional<std::string_view> json_string(const Json& value);
[[nodiscard]] std::optional<std::string_view> json_string(const Json& object, std::string_view key);
[[nodiscard]] std::optional<bool> json_bool(const Json& object, std::string_view key);
/// Return the value (of a member) if it is an integer from 0 to 2^32 - 1, written without fraction and exponent.
[[nodiscard]] std::optional<std::uint32_t> json_u32(const Json& value);
[[nodiscard]] std::optional<std::uint32_t> json_u32(const Json& object, std::string_view key);
/// Returns the double nearest to a number; nullopt if it is too large for a double.
[[nodiscard]] std::optional<double> json_double(const Json& value);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_JSON_FILE_H_
