// `unevaluatedItems` and `unevaluatedProperties`.
#include <algorithm>

#include "frontend/json_schema/derivation.h"
#include "frontend/json_schema/schema_meaning.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

void SchemaMeaning::apply_unevaluated(const Place& at, Shape& shape) {
  if (const JsonValue* items = find(at, Keyword::kUnevaluatedItems);
      items != nullptr && shape.arrays != FormulaId::kFalse) {
    std::vector<ItemEvaluator> evaluators;
    item_evaluators(at, FormulaId::kTrue, true, evaluators);
    shape.arrays = algebra_.meet(shape.arrays, unevaluated_items(evaluators, child_set(at, *items)));
  }
  if (const JsonValue* members = find(at, Keyword::kUnevaluatedProperties);
      members != nullptr && shape.objects != FormulaId::kFalse) {
    std::vector<MemberEvaluator> evaluators;
    member_evaluators(at, FormulaId::kTrue, true, evaluators);
    shape.objects = algebra_.meet(shape.objects, unevaluated_members(evaluators, child_set(at, *members)));
  }
}

// The subschemas in place whose evaluations count, each with the condition under which it holds. An `allOf` or `$ref`
// holds whenever the schema around it does.
template <typename Use>
void SchemaMeaning::for_each_in_place(const Place& at, FormulaId Shape::*part, FormulaId condition, const Use& use) {
  if (!algebra_.step()) return;
  for (const Keyword keyword : {Keyword::kRef, Keyword::kDynamicRef, Keyword::kRecursiveRef}) {
    if (const auto target = followed(at, keyword)) use(*target, condition);
  }
  if (const JsonValue* all = find(at, Keyword::kAllOf); all != nullptr) {
    for (const JsonValue& one : all->items()) use(child(at, one), condition);
  }
  const auto under = [&](const JsonValue& schema) { return algebra_.meet(condition, child_shape(at, schema).*part); };
  for (const Keyword keyword : {Keyword::kAnyOf, Keyword::kOneOf}) {
    if (const JsonValue* some = find(at, keyword); some != nullptr) {
      for (const JsonValue& one : some->items()) use(child(at, one), under(one));
    }
  }
  if (const JsonValue* test = find(at, Keyword::kIf); test != nullptr) {
    use(child(at, *test), under(*test));
    if (const JsonValue* then = find(at, Keyword::kThen)) use(child(at, *then), under(*test));
    if (const JsonValue* otherwise = find(at, Keyword::kElse)) {
      use(child(at, *otherwise), algebra_.meet(condition, algebra_.complement(child_shape(at, *test).*part)));
    }
  }
}

void SchemaMeaning::member_evaluators(const Place& at, FormulaId condition, bool is_top,
                                      std::vector<MemberEvaluator>& out) {
  if (!store_.json(at.schema).is(JsonType::kObject) || condition == FormulaId::kFalse) return;
  MemberEvaluator own{condition, {}, {}, false};
  if (const JsonValue* properties = find(at, Keyword::kProperties); properties != nullptr) {
    for (const JsonMember& member : properties->members()) own.names.push_back(algebra_.name(member.key));
  }
  if (const JsonValue* patterns = find(at, Keyword::kPatternProperties); patterns != nullptr) {
    for (const JsonMember& member : patterns->members()) own.patterns.push_back(pattern(member.key));
  }
  own.all = find(at, Keyword::kAdditionalProperties) != nullptr ||
            (!is_top && find(at, Keyword::kUnevaluatedProperties) != nullptr);
  out.push_back(std::move(own));
  for_each_in_place(at, &Shape::objects, condition,
                    [&](const Place& place, FormulaId holds) { member_evaluators(place, holds, false, out); });
  if (const JsonValue* dependent = find(at, Keyword::kDependentSchemas); dependent != nullptr) {
    for (const JsonMember& member : dependent->members()) {
      const FormulaId present = algebra_.meet(condition, algebra_.has(algebra_.name(member.key)));
      member_evaluators(child(at, member.value), present, false, out);
    }
  }
}

FormulaId SchemaMeaning::unevaluated_members(const std::vector<MemberEvaluator>& evaluators, SetId value) {
  Derivation::Names names;
  std::vector<ExprId> patterns;
  for (const MemberEvaluator& e : evaluators) {
    for (const NameId name : e.names) names.emplace(name, 0);
    patterns.insert(patterns.end(), e.patterns.begin(), e.patterns.end());
  }

  // Classes that the same conditions evaluate are asked for together.
  std::map<std::vector<FormulaId>, PropertyMap> by_conditions;
  const std::vector<KeyClass> classes = derivation_.split_keys(names, std::move(patterns), true);
  for (const KeyClass& key : classes) {
    std::vector<FormulaId> conditions;
    for (const MemberEvaluator& e : evaluators) {
      const bool evaluates =
          e.all || (key.name.has_value() && std::find(e.names.begin(), e.names.end(), *key.name) != e.names.end()) ||
          std::any_of(e.patterns.begin(), e.patterns.end(), [&](ExprId pattern) {
            return std::binary_search(key.patterns.begin(), key.patterns.end(), pattern);
          });
      if (evaluates) conditions.push_back(e.condition);
      algebra_.step();
    }
    if (std::find(conditions.begin(), conditions.end(), FormulaId::kTrue) != conditions.end()) continue;
    std::sort(conditions.begin(), conditions.end());
    conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
    PropertyMap& map = by_conditions[std::move(conditions)];
    if (key.name.has_value()) {
      map.names.push_back({*key.name, value, 0});
    } else {
      map.patterns.emplace_back(key.keys, value);
    }
  }
  std::vector<FormulaId> parts;
  for (auto& [conditions, map] : by_conditions) {
    std::vector<FormulaId> ways = conditions;
    ways.push_back(algebra_.members(std::move(map)));
    parts.push_back(algebra_.join(std::move(ways)));
  }
  return algebra_.meet(std::move(parts));
}

void SchemaMeaning::item_evaluators(const Place& at, FormulaId condition, bool is_top,
                                    std::vector<ItemEvaluator>& out) {
  if (!store_.json(at.schema).is(JsonType::kObject) || condition == FormulaId::kFalse) return;
  ItemEvaluator own{condition, 0, false, SetId::kNone};
  const JsonValue* items = find(at, Keyword::kItems);
  if (const JsonValue* prefix = find(at, Keyword::kPrefixItems)) own.prefix = prefix->items().size();
  if (items != nullptr && items->is(JsonType::kArray)) {
    own.prefix = items->items().size();
    own.all = find(at, Keyword::kAdditionalItems) != nullptr;
  } else {
    own.all = items != nullptr;
  }
  own.all = own.all || (!is_top && find(at, Keyword::kUnevaluatedItems) != nullptr);
  // `contains` evaluates the items that it finds, from 2020-12 on.
  const JsonValue* contains = find(at, Keyword::kContains);
  if (contains != nullptr && store_.dialect(at.schema) == Dialect::k2020_12) own.contained = child_set(at, *contains);
  out.push_back(own);
  for_each_in_place(at, &Shape::arrays, condition,
                    [&](const Place& place, FormulaId holds) { item_evaluators(place, holds, false, out); });
}

FormulaId SchemaMeaning::unevaluated_items(const std::vector<ItemEvaluator>& evaluators, SetId value) {
  for (const ItemEvaluator& e : evaluators) {
    if (e.condition == FormulaId::kTrue) value = algebra_.join(value, e.contained);
  }
  return unevaluated_items_of(evaluators, value, 0);
}

// `value`: what an unevaluated item must be in. Each `contains` under a condition, from `from` on, either is not relied
// on, or its condition holds and what it finds may stand, too.
FormulaId SchemaMeaning::unevaluated_items_of(const std::vector<ItemEvaluator>& evaluators, SetId value,
                                              std::size_t from) {
  if (!algebra_.step()) return FormulaId::kFalse;
  const auto finds = [](const ItemEvaluator& e) {
    return e.contained != SetId::kNone && e.condition != FormulaId::kTrue;
  };
  while (from < evaluators.size() && !finds(evaluators[from])) ++from;
  if (from < evaluators.size()) {
    const ItemEvaluator& e = evaluators[from];
    const FormulaId relied = unevaluated_items_of(evaluators, algebra_.join(value, e.contained), from + 1);
    return algebra_.join(unevaluated_items_of(evaluators, value, from + 1), algebra_.meet(e.condition, relied));
  }
  std::vector<std::uint64_t> borders{0};
  for (const ItemEvaluator& e : evaluators) borders.push_back(e.prefix);
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  std::vector<FormulaId> parts;
  for (std::size_t i = 0; i < borders.size(); ++i) {
    // Items from this border to the next.
    std::vector<FormulaId> ways;
    for (const ItemEvaluator& e : evaluators) {
      if (e.all || e.prefix > borders[i]) ways.push_back(e.condition);
    }
    ItemMap map;
    map.prefix.assign(borders[i], SetId::kAny);
    map.rest = value;
    if (i + 1 < borders.size()) {
      map.prefix.resize(borders[i + 1], value);
      map.rest = SetId::kAny;
    }
    ways.push_back(algebra_.items(std::move(map)));
    parts.push_back(algebra_.join(std::move(ways)));
  }
  return algebra_.meet(std::move(parts));
}

}  // namespace weir::frontend::json_schema
