#include "frontend/json_schema/plain_schema.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/utf8.h"

namespace weir::frontend::json_schema {

namespace {

// What says nothing about values, or is looked at here.
constexpr std::array<std::string_view, 13> kKnown{"type",    "properties", "required", "additionalProperties",
                                                  "items",   "enum",       "title",    "description",
                                                  "minimum", "maximum",    "default",  "examples",
                                                  "$comment"};

bool is_text(const JsonValue& value) {
  return value.is(JsonType::kString) && base::find_invalid_utf8(value.string()) == std::string_view::npos;
}

// What must have a value for the schema to have one, other than what `required` names, is left to the caller.
bool is_plain_here(const JsonValue& schema) {
  for (const JsonMember& member : schema.members()) {
    if (std::find(kKnown.begin(), kKnown.end(), member.key) == kKnown.end()) return false;
  }
  const JsonValue* type = schema.find("type");
  const bool is_of_one_type = type != nullptr && type->is(JsonType::kString);
  const bool has_bound = schema.find("minimum") != nullptr || schema.find("maximum") != nullptr;
  if (has_bound) {
    // Beyond one bound there are always numbers, and integers.
    const bool has_both = schema.find("minimum") != nullptr && schema.find("maximum") != nullptr;
    const bool is_number = is_of_one_type && (type->string() == "number" || type->string() == "integer");
    if (has_both || !is_number || schema.find("enum") != nullptr) return false;
  }
  if (const JsonValue* values = schema.find("enum"); values != nullptr) {
    const bool is_string = is_of_one_type && type->string() == "string";
    return (type == nullptr || is_string) && std::any_of(values->items().begin(), values->items().end(), is_text);
  }
  return type == nullptr || is_of_one_type;
}

}  // namespace

bool is_plainly_satisfiable(const JsonValue& root) {
  std::vector<const JsonValue*> open{&root};
  std::unordered_set<const JsonValue*> seen;  // Many names may ask for one schema.
  while (!open.empty()) {
    const JsonValue& schema = *open.back();
    open.pop_back();
    if (schema.is(JsonType::kBoolean)) {
      if (!schema.boolean()) return false;
      continue;
    }
    if (!schema.is(JsonType::kObject) || !is_plain_here(schema)) return false;
    const JsonValue* type = schema.find("type");
    const JsonValue* required = schema.find("required");
    // An array may be empty, and of an object only what is required has to have a value.
    if (required == nullptr || type == nullptr || type->string() != "object") continue;
    if (!required->is(JsonType::kArray)) return false;
    const JsonValue* properties = schema.find("properties");
    const JsonValue* more = schema.find("additionalProperties");
    for (const JsonValue& key : required->items()) {
      if (!is_text(key)) return false;
      const JsonValue* property = properties != nullptr ? properties->find(key.string()) : nullptr;
      if (property == nullptr) property = more;
      if (property != nullptr && seen.insert(property).second) open.push_back(property);
    }
  }
  return true;
}

}  // namespace weir::frontend::json_schema
