// A list of strings, as JSON or a line each.
#ifndef WEIR_APPS_SUPPORT_STRING_LIST_H_
#define WEIR_APPS_SUPPORT_STRING_LIST_H_

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir::cli {

/// The strings of a JSON array; nullopt if it is none, or holds something else.
std::optional<std::vector<std::string>> strings_of(const nlohmann::json& array);

/// The strings of a JSON array, or the lines of any other text; an empty last line is none. `name` is for messages.
/// Throws InputError: an array that holds something else than strings.
std::vector<std::string> read_string_list(std::string_view text, const std::string& name);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_STRING_LIST_H_
