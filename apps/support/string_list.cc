#include "string_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command.h"

namespace weir::cli {

std::optional<std::vector<std::string>> strings_of(const nlohmann::json& array) {
  if (!array.is_array()) return std::nullopt;
  std::vector<std::string> strings;
  for (const nlohmann::json& value : array) {
    if (!value.is_string()) return std::nullopt;
    strings.push_back(value.get<std::string>());
  }
  return strings;
}

std::vector<std::string> read_string_list(std::string_view text, const std::string& name) {
  const nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
  if (parsed.is_array()) {
    std::optional<std::vector<std::string>> strings = strings_of(parsed);
    if (!strings) throw InputError(fmt::format("{}: the list may hold strings only", name));
    return *std::move(strings);
  }
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const bool carriage = end > 0 && text[end - 1] == '\r';
    lines.emplace_back(text.substr(0, end - (carriage ? 1 : 0)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace weir::cli
