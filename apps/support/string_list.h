// Reads lists of strings, as JSON arrays or as lines.
#ifndef WEIR_APPS_SUPPORT_STRING_LIST_H_
#define WEIR_APPS_SUPPORT_STRING_LIST_H_

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::cli {

/// Returns the strings of a JSON array; nullopt if it is not an array of strings.
std::optional<std::vector<std::string>> strings_of(const nlohmann::json& array);

/// Returns the strings of a JSON array, or the lines of any other text, without an empty last line. A text whose first
/// character is `[` is an array, and nothing else. `name` is for messages. Throws InputError for an array that is not
/// well-formed or contains other values than strings.
std::vector<std::string> read_string_list(std::string_view text, const std::string& name);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_STRING_LIST_H_
