#include "explain_tag.h"

#include <algorithm>
#include <array>
#include <utility>

#include "frontend/json_schema/source/json_pointer.h"
#include "text.h"

namespace weir::cli {

namespace {

using base::JsonType;
using base::JsonValue;

// Formats that say only how others are put together.
constexpr std::array<std::string_view, 8> kFrames{"sequence", "or",     "star",           "plus",
                                                  "optional", "repeat", "structural_tag", "triggered_tags"};

const JsonValue* find_string(const JsonValue& object, std::string_view key) {
  const JsonValue* value = object.find(key);
  return value != nullptr && value->is(JsonType::kString) ? value : nullptr;
}

}  // namespace

TagParts::TagParts(std::string_view text, const Limits& limits) {
  Result<base::JsonDocument> document = base::JsonDocument::parse(text, limits);
  if (document) document_ = std::move(*document);
}

std::vector<TagParts::Part> TagParts::at(SourceRange where) const {
  std::vector<Part> parts;
  if (!document_) return parts;
  const auto path = frontend::json_schema::parse_pointer(frontend::json_schema::pointer_at(document_->root(), where));
  std::string pointer;
  const JsonValue* value = &document_->root();
  for (const std::string& step : path.value_or(std::vector<std::string>())) {
    value = value->is(JsonType::kArray) ? &value->items()[std::stoul(step)] : value->find(step);
    if (value == nullptr) break;  // a key that is there twice
    frontend::json_schema::append_to_pointer(pointer, step);
    const JsonValue* tool = value->find("tool");
    const JsonValue* name = tool != nullptr ? find_string(*tool, "name") : nullptr;
    const JsonValue* there = tool != nullptr ? find_string(*tool, "pointer") : nullptr;
    const JsonValue* type = find_string(*value, "type");
    if (name != nullptr && there != nullptr) {
      parts.push_back({"tool `" + escape(name->string()) + "`", std::string(there->string()), value->where()});
      break;
    }
    if (type == nullptr || std::ranges::count(kFrames, type->string()) > 0) continue;
    const JsonValue* begin = find_string(*value, "begin");
    parts.push_back({begin != nullptr ? "tag `" + escape(begin->string()) + "`" : "`" + escape(type->string()) + "`",
                     pointer, value->where()});
    if (begin == nullptr) break;  // below are no formats, but a schema, say
  }
  std::ranges::reverse(parts);
  return parts;
}

}  // namespace weir::cli
