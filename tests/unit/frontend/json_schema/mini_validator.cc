#include "unit/frontend/json_schema/mini_validator.h"

#include <algorithm>
#include <span>

#include "regex/syntax/syntax.h"

namespace weir::frontend::json_schema {

namespace {

bool contains_match(std::string_view text, std::string_view pattern) {
  const Limits limits;
  regex::ExprSet exprs(limits.regex_nodes);
  regex::SyntaxOptions options;
  options.search = true;
  const Result<regex::ExprId> language = regex::parse_regex(exprs, pattern, options, limits);
  return language && exprs.matches(*language, text);
}

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

bool all_different(std::span<const JsonValue> items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (items[i] == items[j]) return false;
    }
  }
  return true;
}

bool type_holds(const JsonValue& type, const JsonValue& instance) {
  if (type.string() != "integer") return type.string() == to_string(instance.type());
  return instance.is(JsonType::kNumber) && instance.number().is_integer();
}

}  // namespace

void MiniValidator::Outcome::merge(const Outcome& other) {
  valid &= other.valid;
  if (!other.valid) return;
  members.insert(other.members.begin(), other.members.end());
  elements.insert(other.elements.begin(), other.elements.end());
}

bool MiniValidator::is_valid(SchemaId root, const JsonValue& instance) {
  return check(root, store_.enter(ScopeId::kEmpty, root), instance).valid;
}

MiniValidator::Outcome MiniValidator::check(SchemaId schema, ScopeId scope, const JsonValue& instance) {
  Outcome out;
  const JsonValue& json = store_.json(schema);
  if (json.is(JsonType::kBoolean)) {
    out.valid = json.boolean();
    return out;
  }
  if (++depth_ > 200) {
    error_ = "no end";
    --depth_;
    return out;
  }
  out.valid = assertions_hold(schema, instance);
  check_references(schema, scope, instance, out);
  check_combinations(schema, scope, instance, out);
  if (instance.is(JsonType::kObject)) check_object(schema, scope, instance, out);
  if (instance.is(JsonType::kArray)) check_array(schema, scope, instance, out);
  check_unevaluated(schema, scope, instance, out);
  --depth_;
  return out;
}

MiniValidator::Outcome MiniValidator::check_child(SchemaId parent, ScopeId scope, const JsonValue& child,
                                                  const JsonValue& instance) {
  const Result<SchemaId> schema = store_.subschema(parent, child);
  if (!schema) {
    error_ = schema.error().message;
    return {};
  }
  return check(*schema, store_.enter(scope, *schema), instance);
}

void MiniValidator::check_references(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out) {
  for (const Keyword keyword : {Keyword::kRef, Keyword::kDynamicRef, Keyword::kRecursiveRef}) {
    if (store_.find(schema, keyword) == nullptr) continue;
    const Result<SchemaStore::Target> target = store_.follow(schema, keyword, scope);
    if (!target) {
      error_ = target.error().message;
    } else {
      out.merge(check(target->schema, target->scope, instance));
    }
  }
}

void MiniValidator::check_combinations(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out) {
  const auto passing = [&](const JsonValue& schemas) {
    std::vector<Outcome> outcomes;
    for (const JsonValue& child : schemas.items()) {
      Outcome outcome = check_child(schema, scope, child, instance);
      if (outcome.valid) outcomes.push_back(std::move(outcome));
    }
    return outcomes;
  };
  if (const JsonValue* all = store_.find(schema, Keyword::kAllOf)) {
    const auto outcomes = passing(*all);
    out.valid &= outcomes.size() == all->items().size();
    for (const Outcome& outcome : outcomes) out.merge(outcome);
  }
  if (const JsonValue* any = store_.find(schema, Keyword::kAnyOf)) {
    const auto outcomes = passing(*any);
    out.valid &= !outcomes.empty();
    for (const Outcome& outcome : outcomes) out.merge(outcome);
  }
  if (const JsonValue* one = store_.find(schema, Keyword::kOneOf)) {
    const auto outcomes = passing(*one);
    out.valid &= outcomes.size() == 1;
    for (const Outcome& outcome : outcomes) out.merge(outcome);
  }
  if (const JsonValue* negated = store_.find(schema, Keyword::kNot)) {
    out.valid &= !check_child(schema, scope, *negated, instance).valid;
  }
  if (const JsonValue* condition = store_.find(schema, Keyword::kIf)) {
    const Outcome outcome = check_child(schema, scope, *condition, instance);
    if (outcome.valid) out.merge(outcome);
    const JsonValue* branch = store_.find(schema, outcome.valid ? Keyword::kThen : Keyword::kElse);
    if (branch != nullptr) out.merge(check_child(schema, scope, *branch, instance));
  }
}

void MiniValidator::check_object(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out) {
  const JsonValue* properties = store_.find(schema, Keyword::kProperties);
  const JsonValue* patterns = store_.find(schema, Keyword::kPatternProperties);
  const JsonValue* additional = store_.find(schema, Keyword::kAdditionalProperties);
  const JsonValue* names = store_.find(schema, Keyword::kPropertyNames);
  for (const JsonMember& member : instance.members()) {
    bool matched = false;
    const auto check_member = [&](const JsonValue& child) {
      matched = true;
      out.valid &= check_child(schema, scope, child, member.value).valid;
      out.members.insert(member.key);
    };
    if (properties != nullptr && properties->find(member.key) != nullptr) check_member(*properties->find(member.key));
    if (patterns != nullptr) {
      for (const JsonMember& pattern : patterns->members()) {
        if (contains_match(member.key, pattern.key)) check_member(pattern.value);
      }
    }
    if (!matched && additional != nullptr) check_member(*additional);
    if (names != nullptr) {
      std::string quoted = "\"";
      for (const char c : member.key) quoted += c == '"' || c == '\\' ? std::string{'\\', c} : std::string{c};
      const Result<JsonDocument> name = JsonDocument::parse(quoted + "\"", Limits{});
      if (name) out.valid &= check_child(schema, scope, *names, name->root()).valid;
    }
  }
  check_dependencies(schema, scope, instance, out);
}

void MiniValidator::check_dependencies(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out) {
  for (const Keyword keyword : {Keyword::kDependencies, Keyword::kDependentSchemas, Keyword::kDependentRequired}) {
    const JsonValue* dependencies = store_.find(schema, keyword);
    if (dependencies == nullptr) continue;
    for (const JsonMember& dependency : dependencies->members()) {
      if (instance.find(dependency.key) == nullptr) continue;
      if (dependency.value.is(JsonType::kArray)) {
        for (const JsonValue& key : dependency.value.items()) out.valid &= instance.find(key.string()) != nullptr;
      } else {
        out.merge(check_child(schema, scope, dependency.value, instance));
      }
    }
  }
}

void MiniValidator::check_array(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out) {
  const JsonValue* prefix = store_.find(schema, Keyword::kPrefixItems);
  const JsonValue* rest = store_.find(schema, Keyword::kItems);
  if (rest != nullptr && rest->is(JsonType::kArray)) {
    prefix = rest;
    rest = store_.find(schema, Keyword::kAdditionalItems);
  }
  const auto items = instance.items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool in_prefix = prefix != nullptr && i < prefix->items().size();
    const JsonValue* child = in_prefix ? &prefix->items()[i] : rest;
    if (child == nullptr) continue;
    out.valid &= check_child(schema, scope, *child, items[i]).valid;
    out.elements.insert(i);
  }
  check_contains(schema, scope, instance, out);
}

void MiniValidator::check_contains(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out) {
  const JsonValue* contains = store_.find(schema, Keyword::kContains);
  if (contains == nullptr) return;
  const JsonValue* min = store_.find(schema, Keyword::kMinContains);
  const JsonValue* max = store_.find(schema, Keyword::kMaxContains);
  std::size_t count = 0;
  for (std::size_t i = 0; i < instance.items().size(); ++i) {
    if (!check_child(schema, scope, *contains, instance.items()[i]).valid) continue;
    ++count;
    if (store_.dialect(schema) == Dialect::k2020_12) out.elements.insert(i);
  }
  const auto found = Decimal(static_cast<std::int64_t>(count));
  out.valid &= min == nullptr ? count > 0 : found >= min->number();
  out.valid &= max == nullptr || found <= max->number();
}

void MiniValidator::check_unevaluated(SchemaId schema, ScopeId scope, const JsonValue& instance, Outcome& out) {
  if (const JsonValue* child = store_.find(schema, Keyword::kUnevaluatedProperties)) {
    for (const JsonMember& member : instance.members()) {
      if (!out.members.insert(member.key).second) continue;
      out.valid &= check_child(schema, scope, *child, member.value).valid;
    }
  }
  if (const JsonValue* child = store_.find(schema, Keyword::kUnevaluatedItems)) {
    for (std::size_t i = 0; i < instance.items().size(); ++i) {
      if (!out.elements.insert(i).second) continue;
      out.valid &= check_child(schema, scope, *child, instance.items()[i]).valid;
    }
  }
}

bool MiniValidator::assertions_hold(SchemaId schema, const JsonValue& instance) const {
  if (const JsonValue* type = store_.find(schema, Keyword::kType)) {
    const auto types = type->is(JsonType::kArray) ? type->items() : std::span(type, 1);
    if (std::ranges::none_of(types, [&](const JsonValue& t) { return type_holds(t, instance); })) return false;
  }
  if (const JsonValue* values = store_.find(schema, Keyword::kEnum)) {
    if (std::ranges::find(values->items(), instance) == values->items().end()) return false;
  }
  if (const JsonValue* value = store_.find(schema, Keyword::kConst)) {
    if (!(*value == instance)) return false;
  }
  switch (instance.type()) {
    case JsonType::kNumber: return number_holds(schema, instance.number());
    case JsonType::kString: {
      const JsonValue* pattern = store_.find(schema, Keyword::kPattern);
      if (pattern != nullptr && !contains_match(instance.string(), pattern->string())) return false;
      return count_holds(schema, Keyword::kMinLength, Keyword::kMaxLength, count_code_points(instance.string()));
    }
    case JsonType::kArray: {
      const JsonValue* unique = store_.find(schema, Keyword::kUniqueItems);
      if (unique != nullptr && unique->boolean() && !all_different(instance.items())) return false;
      return count_holds(schema, Keyword::kMinItems, Keyword::kMaxItems, instance.items().size());
    }
    case JsonType::kObject:
      if (const JsonValue* required = store_.find(schema, Keyword::kRequired)) {
        for (const JsonValue& key : required->items()) {
          if (instance.find(key.string()) == nullptr) return false;
        }
      }
      return count_holds(schema, Keyword::kMinProperties, Keyword::kMaxProperties, instance.members().size());
    default: return true;
  }
}

bool MiniValidator::number_holds(SchemaId schema, const Decimal& number) const {
  const auto bound = [&](Keyword keyword) -> const JsonValue* {
    const JsonValue* value = store_.find(schema, keyword);
    return value != nullptr && value->is(JsonType::kNumber) ? value : nullptr;
  };
  const auto is_true = [&](Keyword keyword) {
    const JsonValue* value = store_.find(schema, keyword);
    return value != nullptr && value->is(JsonType::kBoolean) && value->boolean();
  };
  if (const JsonValue* min = bound(Keyword::kMinimum)) {
    if (number < min->number() || (is_true(Keyword::kExclusiveMinimum) && number == min->number())) return false;
  }
  if (const JsonValue* max = bound(Keyword::kMaximum)) {
    if (number > max->number() || (is_true(Keyword::kExclusiveMaximum) && number == max->number())) return false;
  }
  if (const JsonValue* min = bound(Keyword::kExclusiveMinimum); min != nullptr && number <= min->number()) return false;
  if (const JsonValue* max = bound(Keyword::kExclusiveMaximum); max != nullptr && number >= max->number()) return false;
  const JsonValue* divisor = bound(Keyword::kMultipleOf);
  return divisor == nullptr || number.is_multiple_of(divisor->number());
}

bool MiniValidator::count_holds(SchemaId schema, Keyword min, Keyword max, std::size_t count) const {
  const auto number = Decimal(static_cast<std::int64_t>(count));
  const JsonValue* least = store_.find(schema, min);
  const JsonValue* most = store_.find(schema, max);
  return (least == nullptr || number >= least->number()) && (most == nullptr || number <= most->number());
}

}  // namespace weir::frontend::json_schema
