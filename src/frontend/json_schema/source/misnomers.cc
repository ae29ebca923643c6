#include "frontend/json_schema/source/misnomers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "frontend/json_schema/source/keywords.h"
#include "frontend/search_bounds.h"
#include "grammar/suggest.h"

namespace weir::frontend::json_schema {

namespace {

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Returns true if a keyword of the object restricts values, `type` aside.
bool has_restriction(const base::JsonValue& object) {
  return std::ranges::any_of(object.members(), [](const base::JsonMember& member) {
    const KeywordInfo* known = find_keyword(member.key);
    return known != nullptr && asserts(known->keyword) && known->keyword != Keyword::kType;
  });
}

bool is_name_of_type(const base::JsonValue& type) {
  constexpr auto kTypes =
      std::to_array<std::string_view>({"array", "boolean", "integer", "null", "number", "object", "string"});
  return type.is(base::JsonType::kString) && std::ranges::find(kTypes, type.string()) != kTypes.end();
}

// Returns true if the object is a schema that restricts values, or one is at so many members' end.
bool holds_schema(const base::JsonValue& value, int depth = kMaxWrappers) {
  if (!value.is(base::JsonType::kObject)) return false;
  if (looks_like_schema(value)) return true;
  return depth > 0 && std::ranges::any_of(value.members(), [&](const base::JsonMember& member) {
           return holds_schema(member.value, depth - 1);
         });
}

constexpr auto kTypeNames = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"array", "array"},   {"bool", "boolean"},  {"boolean", "boolean"}, {"decimal", "number"},  {"dict", "object"},
    {"double", "number"}, {"float", "number"},  {"int", "integer"},     {"integer", "integer"}, {"list", "array"},
    {"long", "integer"},  {"map", "object"},    {"nil", "null"},        {"none", "null"},       {"null", "null"},
    {"number", "number"}, {"object", "object"}, {"str", "string"},      {"string", "string"},   {"text", "string"},
    {"tuple", "array"},
});

// Returns the type that the name, of this or another language, means; empty if there is none.
std::string_view type_named(std::string_view name) {
  for (const auto& [other, type] : kTypeNames) {
    if (have_same_letters(name, other)) return type;
  }
  return {};
}

// Returns the first member with a name of its own that holds a schema or only the name of a type, if all such members
// that are objects hold schemas.
const base::JsonMember* first_of_map(const base::JsonValue& schema) {
  const base::JsonMember* first = nullptr;
  for (const base::JsonMember& member : schema.members()) {
    if (find_keyword(member.key) != nullptr || member.key.starts_with("x-")) continue;
    const bool is_type = member.value.is(base::JsonType::kString) && !type_named(member.value.string()).empty();
    if (!member.value.is(base::JsonType::kObject) && !is_type) continue;
    if (!is_type && !holds_schema(member.value)) return nullptr;
    if (first == nullptr) first = &member;
  }
  return first;
}

}  // namespace

bool looks_like_schema(const base::JsonValue& value) {
  const base::JsonValue* type = value.find("type");
  if (type == nullptr) return has_restriction(value);
  const auto names = type->items();
  return is_name_of_type(*type) || std::ranges::any_of(names, is_name_of_type) || has_restriction(value);
}

bool have_same_letters(std::string_view a, std::string_view b) {
  const auto is_mark = [](char c) { return c == '_' || c == '-'; };
  std::size_t i = 0;
  std::size_t j = 0;
  for (;;) {
    while (i < a.size() && is_mark(a[i])) ++i;
    while (j < b.size() && is_mark(b[j])) ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (small(a[i++]) != small(b[j++])) return false;
  }
}

Wrapper wrapper_with(std::string_view member) {
  constexpr Wrapper kTool{"a tool"};
  constexpr Wrapper kFormat{"a response format"};
  constexpr Wrapper kCall{"a tool call"};
  constexpr Wrapper kRequest{"a request", true};
  constexpr std::array kWrappers = std::to_array<std::pair<std::string_view, Wrapper>>({
      {"args", kCall},
      {"arguments", kCall},
      {"components", {"an OpenAPI document"}},
      {"function", kTool},
      {"functions", kRequest},
      {"guided_json", kRequest},
      {"input_schema", kTool},
      {"json_schema", kFormat},
      {"output_schema", kTool},
      {"parameters", kTool},
      {"response_format", kRequest},
      {"response_schema", kRequest},
      {"schema", kFormat},
      {"structured_outputs", kRequest},
      {"tools", kRequest},
  });
  for (const auto& [name, of] : kWrappers) {
    if (have_same_letters(name, member)) return of;
  }
  return {};
}

Wrapped wrapped_schema(const base::JsonValue& schema) {
  if (has_restriction(schema)) return {};
  for (const base::JsonMember& member : schema.members()) {
    const Wrapper wrapper = wrapper_with(member.key);
    const bool is_list = member.value.is(base::JsonType::kArray) && wrapper.holds_lists;
    if (wrapper.name.empty() || !(member.value.is(base::JsonType::kObject) || is_list)) continue;
    return {&member, "this looks like " + std::string(wrapper.name) + ", not a schema: give the schema inside it",
            true};
  }
  const base::JsonValue* type = schema.find("type");
  const bool is_object = type == nullptr || !type->is(base::JsonType::kString) || type->string() == "object";
  const base::JsonMember* first = is_object ? first_of_map(schema) : nullptr;
  if (first == nullptr) return {};
  if (first->value.is(base::JsonType::kString)) {
    return {first, "the members of an object stand in `properties`, each with a schema: {\"type\": \"" +
                       std::string(type_named(first->value.string())) + "\"}"};
  }
  return {first, "give the schema inside it; the members of an object stand in `properties`"};
}

std::string hint_for_type(std::string_view name) {
  const auto is_name = [&](const auto& known) { return known.first == name && known.second == name; };
  if (std::ranges::any_of(kTypeNames, is_name)) return {};
  if (name == "function") return "this looks like a tool, not a schema: give its `parameters`";
  if (name == "json_schema" || name == "json_object") {
    return "this looks like a response format, not a schema: give the schema inside it";
  }
  if (name.find('|') != std::string_view::npos) return R"(several types are a list, such as ["string", "null"])";
  if (have_same_letters(name, "any")) return "without `type` a value may be of any";
  if (const std::string_view type = type_named(name); !type.empty()) return "`" + std::string(type) + "` is a type";
  for (const std::string_view format : {"date", "datetime", "email", "time", "uri", "url", "uuid"}) {
    if (have_same_letters(name, format)) return "use the type `string` with a `format`";
  }
  for (const auto& [type, same] : kTypeNames) {
    if (type == same && grammar::edit_distance(type, name, 1) <= 1) return "did you mean `" + std::string(type) + "`?";
  }
  return {};
}

}  // namespace weir::frontend::json_schema
