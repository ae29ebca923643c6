#include "string_list.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/blanks.h"
#include "base/json/json_value.h"
#include "inputs.h"
#include "text.h"

namespace weir::cli {

namespace {

std::vector<std::string> read_json_array(std::string_view text, const std::string& name) {
  Result<base::JsonDocument> document = base::JsonDocument::parse(text, {});
  if (!document) {
    Error error = std::move(document.error());
    error.hint = "a list that begins with `[` is a JSON array; lines that begin so must be written as one, too";
    throw text_error(error, std::string(text), name);
  }
  std::vector<std::string> strings;
  for (const base::JsonValue& value : document->root().items()) {
    if (!value.is(base::JsonType::kString)) {
      Error error;
      error.code = ErrorCode::kInvalidArgument;
      error.message = "the list may hold strings only";
      error.where = value.where();
      throw text_error(error, std::string(text), name);
    }
    strings.emplace_back(value.string());
  }
  return strings;
}

}  // namespace

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
  text = without_byte_order_mark(text);
  const std::size_t first = std::min(text.find_first_not_of(base::kBlanks), text.size());
  if (text.substr(first).starts_with('[')) return read_json_array(text, name);
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
