// Hints for what is given as a response format in the words of other interfaces.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/json/json_value.h"
#include "base/replaceable.h"
#include "base/utf8.h"
#include "frontend/json_schema/source/misnomers.h"
#include "frontend/structural_tag/input.h"
#include "frontend/structural_tag/response_format.h"

namespace weir::frontend {

namespace {

using base::JsonMember;
using base::JsonType;
using base::JsonValue;
using structural_tag::find_given;

constexpr std::string_view kSchemaHint = R"(a schema is given as {"type": "json_schema", "schema": ...})";
constexpr std::string_view kObjectHint = R"(any JSON object is {"type": "json_object"})";

std::string_view type_of(const JsonValue& value) {
  const JsonValue* type = value.is(JsonType::kObject) ? find_given(value, "type") : nullptr;
  return type != nullptr && type->is(JsonType::kString) ? type->string() : std::string_view();
}

bool is_format(const JsonValue& value) {
  static constexpr std::array<std::string_view, 7> kTypes{"text",    "json_object", "json_schema", "structural_tag",
                                                          "grammar", "regex",       "choice"};
  return std::ranges::find(kTypes, type_of(value)) != kTypes.end();
}

// Returns what to give in place of an object that has the response format, a schema or another text in it.
std::string hint_about_members(const JsonValue& format) {
  for (const JsonMember& member : format.members()) {
    std::string inside = "give what is in `" + base::escape_for_display(member.key);
    if (is_format(member.value)) return inside + "`";
    for (const JsonMember& inner : member.value.members()) {
      if (is_format(inner.value)) return inside + "." + base::escape_for_display(inner.key) + "`";
    }
  }
  const bool has_object =
      std::ranges::any_of(format.members(), [](const JsonMember& one) { return one.value.is(JsonType::kObject); });
  return has_object ? std::string(kSchemaHint) : std::string();
}

}  // namespace

WEIR_REPLACEABLE std::string hint_for_response_format(const JsonValue& format) {
  if (format.is(JsonType::kString) && format.string() == "text") return R"(text is {"type": "text"})";
  if (!format.is(JsonType::kObject)) return std::string(kObjectHint);
  if (is_format(format)) return {};
  // In a request the member `format` is the response format: {"format": "json"}. In a schema it is a keyword.
  const JsonValue* inner = find_given(format, "type") == nullptr ? find_given(format, "format") : nullptr;
  if (inner != nullptr && !is_format(*inner)) {
    return inner->is(JsonType::kObject) ? std::string(kSchemaHint) : hint_for_response_format(*inner);
  }
  if (inner == nullptr && json_schema::looks_like_schema(format)) return std::string(kSchemaHint);
  std::string hint = hint_about_members(format);
  const bool may_be_object = type_of(format).empty() || type_of(format) == "json";
  return hint.empty() && may_be_object ? std::string(kObjectHint) : hint;
}

}  // namespace weir::frontend
