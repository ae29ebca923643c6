#include "frontend/json_schema/model/plain_schema.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/json/decimal.h"
#include "base/utf8.h"
#include "frontend/json_schema/model/search_bounds.h"
#include "frontend/json_schema/source/keywords.h"

namespace weir::frontend::json_schema {

namespace {

// Returns true for keywords that do not restrict values or that is_plain_here() handles, and for names that are not
// keywords.
bool is_known(std::string_view key) {
  const KeywordInfo* info = find_keyword(key);
  if (info == nullptr) return true;
  switch (info->keyword) {
    case Keyword::kSchema:
    case Keyword::kId:
    case Keyword::kDefs:
    case Keyword::kDefinitions:
    case Keyword::kComment:
    case Keyword::kTitle:
    case Keyword::kDescription:
    case Keyword::kDefault:
    case Keyword::kExamples:
    case Keyword::kType:
    case Keyword::kEnum:
    case Keyword::kProperties:
    case Keyword::kRequired:
    case Keyword::kAdditionalProperties:
    case Keyword::kItems:
    case Keyword::kUniqueItems:
    case Keyword::kMinimum:
    case Keyword::kMaximum:
    case Keyword::kMinLength:
    case Keyword::kMaxLength:
    case Keyword::kFormat: return true;
    default: return false;
  }
}

bool is_text(const JsonValue& value) {
  return value.is(JsonType::kString) && base::find_invalid_utf8(value.string()) == std::string_view::npos;
}

// Returns true for a value that obviously has a text, whatever the options are.
bool is_writable(const JsonValue& value, unsigned depth = 0) {
  if (value.is(JsonType::kString)) return is_text(value);
  if (value.is(JsonType::kNumber)) {
    return value.is_written_in_digits() && value.where().end - value.where().start <= kMaxPlainDigits;
  }
  if (depth == kMaxPlainDepth || value.items().size() + value.members().size() > kMaxPlainValues) return false;
  const auto is_part = [&](const JsonValue& part) { return is_writable(part, depth + 1); };
  return std::ranges::all_of(value.items(), is_part) &&
         std::ranges::all_of(value.members(), [&](const JsonMember& member) {
           return base::find_invalid_utf8(member.key) == std::string_view::npos && is_part(member.value);
         });
}

bool is_string_of(const JsonValue* value, std::initializer_list<std::string_view> texts) {
  return value != nullptr && value->is(JsonType::kString) &&
         std::find(texts.begin(), texts.end(), value->string()) != texts.end();
}

// Returns true for keywords under which null is valid, whatever their value: annotations, and those that restrict
// numbers, strings, arrays or objects alone. `type` is for the caller to examine.
bool allows_null(std::string_view key) {
  const KeywordInfo* info = find_keyword(key);
  if (info == nullptr) return true;
  switch (info->keyword) {
    case Keyword::kDependentSchemas:
    case Keyword::kDependencies:
    case Keyword::kPrefixItems:
    case Keyword::kAdditionalItems:
    case Keyword::kContains:
    case Keyword::kPatternProperties:
    case Keyword::kPropertyNames:
    case Keyword::kUnevaluatedItems:
    case Keyword::kUnevaluatedProperties: return true;
    case Keyword::kEnum: return false;
    default: return is_known(key) || (info->keyword >= Keyword::kMultipleOf && info->keyword <= Keyword::kFormat);
  }
}

// Tests one schema without its subschemas. The caller examines the subschemas of the members that `required` lists.
bool is_plain_here(const JsonValue& schema) {
  const JsonValue* type = schema.find("type");
  const auto is_null = [](const JsonValue& one) { return is_string_of(&one, {"null"}); };
  const bool has_null = type == nullptr || is_null(*type) || std::ranges::any_of(type->items(), is_null);
  const auto member_allows_null = [](const JsonMember& member) { return allows_null(member.key); };
  if (has_null && std::ranges::all_of(schema.members(), member_allows_null)) return true;
  const auto is_known_member = [](const JsonMember& member) { return is_known(member.key); };
  if (!std::ranges::all_of(schema.members(), is_known_member)) return false;
  const JsonValue* values = schema.find("enum");
  // One of these keywords alone never excludes all numbers, integers or strings: a single bound leaves infinitely many
  // values, and there are strings of each length and of each format. Two may contradict each other.
  const std::array<std::string_view, 5> kBounds{"minimum", "maximum", "minLength", "maxLength", "format"};
  const auto has = [&](std::string_view key) { return schema.find(key) != nullptr; };
  if (const auto bounds = std::ranges::count_if(kBounds, has); bounds != 0) {
    const bool is_number = has("minimum") || has("maximum");
    const bool has_type = is_number ? is_string_of(type, {"number", "integer"}) : is_string_of(type, {"string"});
    if (bounds > 1 || !has_type || values != nullptr) return false;
    const JsonValue* least = schema.find("minLength");
    if (least != nullptr && !(least->is(JsonType::kNumber) && least->number() <= Decimal(kMaxPlainLength)))
      return false;
  }
  if (values != nullptr) {
    const bool is_string = is_string_of(type, {"string"});
    const bool has_parts = has("properties") || has("required") || has("additionalProperties") || has("items");
    const auto is_allowed = [&](const JsonValue& one) {
      const bool is_container = one.is(JsonType::kArray) || one.is(JsonType::kObject);
      if (is_string || (is_container && (has_parts || has("uniqueItems")))) return is_text(one);
      return is_writable(one);
    };
    return (type == nullptr || is_string) && std::ranges::any_of(values->items(), is_allowed);
  }
  if (type == nullptr || type->is(JsonType::kString)) return true;
  // One of several types must be other than "object", so that `required` does not apply to it.
  const auto is_no_object = [](const JsonValue& one) { return one.is(JsonType::kString) && one.string() != "object"; };
  return type->is(JsonType::kArray) && std::ranges::any_of(type->items(), is_no_object);
}

}  // namespace

bool is_obviously_satisfiable(const JsonValue& root, std::size_t most) {
  std::vector<const JsonValue*> open{&root};
  std::unordered_set<const JsonValue*> seen;  // several names may have the same schema: `additionalProperties`
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
    // An array may be empty, and of an object's members only the required ones must have a value.
    if (required == nullptr || !is_string_of(type, {"object"})) continue;
    if (!required->is(JsonType::kArray)) return false;
    const JsonValue* properties = schema.find("properties");
    const JsonValue* more = schema.find("additionalProperties");
    for (const JsonValue& key : required->items()) {
      if (!is_text(key)) return false;
      const JsonValue* property = properties != nullptr ? properties->find(key.string()) : nullptr;
      if (property == nullptr) property = more;
      if (property == nullptr || !seen.insert(property).second) continue;
      if (seen.size() >= most) return false;
      open.push_back(property);
    }
  }
  return true;
}

}  // namespace weir::frontend::json_schema
