#include "frontend/json_schema/model/schema_meaning.h"

#include <algorithm>
#include <array>

#include "base/stack.h"
#include "frontend/json_schema/formats/formats.h"
#include "frontend/json_schema/model/declared_order.h"
#include "frontend/json_schema/model/derivation.h"
#include "frontend/json_schema/model/plain_schema.h"
#include "frontend/json_schema/model/search_bounds.h"
#include "regex/analysis/members.h"
#include "regex/atoms/word_table.h"
#include "regex/expr/trie.h"
#include "regex/syntax/syntax.h"

namespace weir::frontend::json_schema {

using regex::ExprId;

namespace {

std::uint64_t count_of(const JsonValue& value) {
  return value.number().to_uint64().value_or(UINT64_MAX);  // check_schemas() has checked that it is a count
}

// Returns true if no keyword of the schema but `keyword` restricts values.
bool asserts_only(const JsonValue& schema, std::optional<Keyword> keyword) {
  const std::span<const JsonMember> members = schema.members();
  return std::all_of(members.begin(), members.end(), [&](const JsonMember& member) {
    const KeywordInfo* known = find_keyword(member.key);
    return known == nullptr || known->keyword == keyword || known->keyword == Keyword::kComment ||
           known->keyword >= Keyword::kContentEncoding;
  });
}

}  // namespace

Result<ExprId> pattern_language(regex::ExprSet& exprs, std::string_view pattern, const Limits& limits) {
  regex::SyntaxOptions syntax;
  syntax.dialect = regex::Dialect::kEcma262;
  syntax.search = true;
  return regex::parse_regex(exprs, pattern, syntax, limits);
}

SetId SchemaMeaning::set(SchemaId schema, ScopeId scope) {
  const Place at = without_references({schema, scope});
  if (is_left_out(at.schema, Keyword::kSchema)) return SetId::kAny;
  const JsonValue& json = store_.json(at.schema);
  if (json.is(JsonType::kBoolean)) return json.boolean() ? SetId::kAny : SetId::kNone;
  if (asserts_only(json, std::nullopt)) return SetId::kAny;
  if (keeps_schemas_ || !asserts_only(json, Keyword::kType)) return algebra_.schema(at.schema, at.scope);
  Shape shape = algebra_.any_shape();
  apply_type(at, shape);
  return algebra_.set(shape);
}

bool SchemaMeaning::is_plain(SchemaId schema) const {
  return is_obviously_satisfiable(store_.json(schema), kMaxPlainParts);
}

// While the schema consists of a `$ref` only, replaces it by the target of the reference.
SchemaMeaning::Place SchemaMeaning::without_references(Place at) {
  for (int i = 0; i < kMaxReferences; ++i) {
    if (is_left_out(at.schema, Keyword::kSchema)) break;
    if (!store_.hides_siblings(at.schema) && !asserts_only(store_.json(at.schema), Keyword::kRef)) break;
    const std::optional<Place> target = followed(at, Keyword::kRef);
    if (!target.has_value()) break;
    at = *target;
  }
  return at;
}

SchemaMeaning::Place SchemaMeaning::child(const Place& at, const JsonValue& value) {
  const Result<SchemaId> schema = store_.subschema(at.schema, value);
  if (!schema) {
    algebra_.report_limit(base::Limit::kSchemaSteps);  // cannot happen: check_schemas() has visited it
    return at;
  }
  return {*schema, store_.enter(at.scope, *schema)};
}

SetId SchemaMeaning::child_set(const Place& at, const JsonValue& value) {
  const Place place = child(at, value);
  return set(place.schema, place.scope);
}

// Returns child_set(), or with keep_schemas() a set of its own for a schema that allows everything.
SetId SchemaMeaning::written_set(const Place& at, const JsonValue& value) {
  const SetId set = child_set(at, value);
  if (!keeps_schemas_ || set != SetId::kAny) return set;
  const Place place = child(at, value);
  return algebra_.schema(place.schema, place.scope);
}

Shape SchemaMeaning::child_shape(const Place& at, const JsonValue& value) {
  return placed(shape_of(child(at, value)), value);
}

Shape SchemaMeaning::placed(Shape shape, const JsonValue& value) {
  const bool is_elsewhere = std::ranges::find(out_of_place_, &value) != out_of_place_.end();
  if (is_elsewhere) shape.objects = placed_at(algebra_, shape.objects, value.where().start);
  return shape;
}

Shape SchemaMeaning::shape_of(const Place& at) {
  if (!of_strings_) return algebra_.shape(set(at.schema, at.scope));
  Shape shape;
  shape.strings = strings_of(at);
  return shape;
}

ExprId SchemaMeaning::strings_of(const Place& at) {
  if (const auto known = strings_.find(at); known != strings_.end()) return known->second;
  const bool outer = std::exchange(of_strings_, true);
  const ExprId strings = shape(at.schema, at.scope).strings;
  of_strings_ = outer;
  if (algebra_.limit_hit() == base::Limit::kNone) strings_.emplace(at, strings);
  return strings;
}

std::optional<SchemaMeaning::Place> SchemaMeaning::followed(const Place& at, Keyword keyword) {
  if (find(at, keyword) == nullptr) return std::nullopt;
  const Result<SchemaStore::Target> target = store_.follow(at.schema, keyword, at.scope);
  if (!target) return std::nullopt;  // check_schemas() has reported it
  return Place{target->schema, target->scope};
}

ExprId SchemaMeaning::pattern(std::string_view text) {
  if (const auto it = patterns_.find(text); it != patterns_.end()) return it->second;
  const Result<ExprId> language = pattern_language(algebra_.exprs(), text, algebra_.limits());
  if (!language) algebra_.report_limit(base::Limit::kRegexNodes);
  return patterns_.emplace(text, language.value_or(ExprId::kNothing)).first->second;
}

Shape SchemaMeaning::shape(SchemaId schema, ScopeId scope) {
  if (is_left_out(schema, Keyword::kSchema)) return algebra_.any_shape();
  const JsonValue& json = store_.json(schema);
  if (json.is(JsonType::kBoolean)) return json.boolean() ? algebra_.any_shape() : Shape{};
  const Place at{schema, scope};
  // Cannot happen: check_schemas() refuses a schema that leads back to itself without an item, a member or a name in
  // between.
  std::set<Place>& open = of_strings_ ? strings_open_ : open_;
  if (!open.insert(at).second) return {};
  const Shape shape = base::with_stack([&] { return keywords(at); });
  open.erase(at);
  return shape;
}

Shape SchemaMeaning::keywords(const Place& at) {
  Shape shape = algebra_.any_shape();
  if (of_strings_) shape = Shape{0, ExprId::kNothing, shape.strings, FormulaId::kFalse, FormulaId::kFalse};
  algebra_.step(store_.json(at.schema).members().size());
  apply_type(at, shape);
  apply_enum(at, shape);
  if (shape.numbers != ExprId::kNothing) apply_numbers(at, shape);
  if (shape.strings != ExprId::kNothing) apply_strings(at, shape);
  apply_format(at, shape);
  std::vector<const JsonValue*> outer = std::exchange(out_of_place_, find_out_of_place(at));
  if (shape.arrays != FormulaId::kFalse) apply_arrays(at, shape);
  if (shape.objects != FormulaId::kFalse) apply_objects(at, shape);
  apply_combinators(at, shape);
  apply_unevaluated(at, shape);
  out_of_place_ = std::move(outer);
  return shape;
}

// The parts of a schema about its objects are `properties` and what other keywords hold or lead to. Alternatives are one
// part: alone, each has the order of its own text.
std::vector<const JsonValue*> SchemaMeaning::find_out_of_place(const Place& at) {
  if (of_strings_ || options_.order != JsonSchemaOptions::Order::kDeclared) return {};
  std::size_t parts = 0;
  std::vector<const JsonValue*> values;
  PropertyMap own;
  const JsonValue* properties = find(at, Keyword::kProperties);
  if (properties != nullptr && !properties->members().empty()) {
    ++parts;
    for (const JsonMember& member : properties->members()) {
      own.names.push_back({algebra_.name(member.key), SetId::kAny, position_order(member.key_where.start)});
    }
  }
  for (const Keyword keyword : {Keyword::kRef, Keyword::kDynamicRef, Keyword::kRecursiveRef, Keyword::kNot,
                                Keyword::kIf, Keyword::kThen, Keyword::kElse}) {
    if (const JsonValue* value = find(at, keyword); value != nullptr) values.push_back(value);
  }
  parts += values.size();
  for (const Keyword keyword : {Keyword::kAllOf, Keyword::kAnyOf, Keyword::kOneOf}) {
    const JsonValue* list = find(at, keyword);
    if (list == nullptr) continue;
    parts += keyword == Keyword::kAllOf ? list->items().size() : 1;
    for (const JsonValue& one : list->items()) values.push_back(&one);
  }
  if (parts < 2 || values.empty()) return {};
  std::vector<PlacedFormula> formulas;
  for (const JsonValue* value : values) {
    const bool is_reference = value->is(JsonType::kString);
    std::optional<Place> place;
    for (const Keyword keyword : {Keyword::kRef, Keyword::kDynamicRef, Keyword::kRecursiveRef}) {
      if (is_reference && value == find(at, keyword)) place = followed(at, keyword);
    }
    if (!is_reference) place = child(at, *value);
    formulas.push_back({place ? shape_of(*place).objects : FormulaId::kTrue, value->where()});
  }
  if (!own.names.empty()) formulas.push_back({algebra_.members(std::move(own)), properties->where()});
  const std::vector<bool> is_outside = out_of_place(algebra_, formulas);
  std::vector<const JsonValue*> found;
  for (std::size_t i = 0; i < values.size() && !is_outside.empty(); ++i) {
    if (is_outside[i]) found.push_back(values[i]);
  }
  return found;
}

ExprId SchemaMeaning::integers(const Place& at) {
  // In draft 4 a number is an integer if it is written without fraction and exponent.
  if (store_.dialect(at.schema) == Dialect::kDraft4) return algebra_.numbers().integer_literals();
  const Result<ExprId> all = algebra_.numbers().multiples_of(Decimal(1));
  if (!all) algebra_.report_limit(base::Limit::kRegexNodes);
  return all.value_or(ExprId::kNothing);
}

void SchemaMeaning::apply_type(const Place& at, Shape& shape) {
  const JsonValue* type = find(at, Keyword::kType);
  if (type == nullptr) return;
  const std::span<const JsonValue> types = type->is(JsonType::kString) ? std::span(type, 1) : type->items();
  Shape of_types;
  for (const JsonValue& one : types) {
    const std::string_view name = one.string();
    if (name == "null") of_types.literals |= Shape::kNull;
    if (name == "boolean") of_types.literals |= Shape::kTrue | Shape::kFalse;
    if (name == "number") of_types.numbers = shape.numbers;
    if (name == "integer" && of_types.numbers != shape.numbers) of_types.numbers = integers(at);
    if (name == "string") of_types.strings = shape.strings;
    if (name == "array") of_types.arrays = shape.arrays;
    if (name == "object") of_types.objects = shape.objects;
  }
  shape = of_types;
}

void SchemaMeaning::apply_enum(const Place& at, Shape& shape) {
  if (const JsonValue* value = find(at, Keyword::kConst); value != nullptr) {
    shape = algebra_.meet(shape, algebra_.shape(algebra_.constant(*value)));
  }
  const JsonValue* list = find(at, Keyword::kEnum);
  if (list == nullptr) return;
  std::vector<const JsonValue*> values;
  for (const JsonValue& value : list->items()) values.push_back(&value);
  shape = algebra_.meet(shape, shape_of_values(values));
}

Shape SchemaMeaning::shape_of_values(std::span<const JsonValue* const> values) {
  Shape all;
  std::vector<base::Decimal> numbers;
  std::vector<regex::Word> words;
  std::vector<FormulaId> arrays;
  std::vector<FormulaId> objects;
  for (const JsonValue* value : values) {
    if (algebra_.out_of_steps()) break;  // the set is not remembered
    if (value->is(JsonType::kString)) {
      words.push_back({value->string()});
    } else if (value->is(JsonType::kNumber)) {
      numbers.push_back(value->number());
    } else {
      const Shape& one = algebra_.shape(algebra_.constant(*value));
      all.literals |= one.literals;
      if (one.arrays != FormulaId::kFalse) arrays.push_back(one.arrays);
      if (one.objects != FormulaId::kFalse) objects.push_back(one.objects);
    }
  }
  algebra_.step(numbers.size());
  const Result<ExprId> texts = algebra_.numbers().values(numbers);
  if (!texts) algebra_.report_limit(algebra_.exprs().is_full() ? base::Limit::kRegexNodes : base::Limit::kRepeatCount);
  all.numbers = texts.value_or(ExprId::kNothing);
  algebra_.step(words.size());
  if (const auto table = regex::long_word_table(algebra_.exprs(), words)) {
    all.strings = *table;
  } else {
    std::vector<regex::TextBefore> texts;
    for (const regex::Word& word : words) texts.push_back({word.text});
    all.strings = regex::trie(algebra_.exprs(), std::move(texts));
  }
  all.arrays = algebra_.join(std::move(arrays));
  all.objects = algebra_.join(std::move(objects));
  return all;
}

// Returns the values of a schema that says nothing but which values there are, and perhaps the type that they all have.
std::span<const JsonValue> SchemaMeaning::listed_values(const Place& at) {
  const JsonValue& json = store_.json(at.schema);
  if (left_out_ != nullptr || !json.is(JsonType::kObject)) return {};
  const JsonValue* const list = find(at, Keyword::kEnum);
  const JsonValue* const value = find(at, Keyword::kConst);
  if ((list == nullptr) == (value == nullptr)) return {};
  const std::span<const JsonValue> values = list == nullptr ? std::span(value, 1) : list->items();
  const JsonValue* const type = find(at, Keyword::kType);
  // In draft 4 the type decides how an integer is written.
  const auto is_integer = [&](const base::Decimal& number) {
    return number.is_integer() && store_.dialect(at.schema) != Dialect::kDraft4;
  };
  const auto has_type = [&](const JsonValue& one) {
    if (!type->is(JsonType::kString)) return false;
    const std::string_view name = type->string();
    switch (one.type()) {
      case JsonType::kString: return name == "string";
      case JsonType::kNumber: return name == "number" || (name == "integer" && is_integer(one.number()));
      case JsonType::kArray: return name == "array";
      case JsonType::kObject: return name == "object";
      default: return false;
    }
  };
  if (type != nullptr && !std::ranges::all_of(values, has_type)) return {};
  const auto says_nothing_else = [&](const JsonMember& member) {
    const KeywordInfo* known = find_keyword(member.key);
    return known == nullptr || &member.value == list || &member.value == value || &member.value == type ||
           known->keyword == Keyword::kComment || known->keyword >= Keyword::kContentEncoding;
  };
  return std::ranges::all_of(json.members(), says_nothing_else) ? values : std::span<const JsonValue>();
}

// Returns the sets of alternatives; those that only list values are one set if `differ` is false, or if the values differ.
std::vector<Shape> SchemaMeaning::alternatives(const Place& at, const JsonValue& list, bool differ) {
  std::vector<const JsonValue*> values;
  std::vector<Shape> shapes;
  std::vector<const JsonValue*> listing;
  for (const JsonValue& one : list.items()) {
    const std::span<const JsonValue> listed = listed_values(child(at, one));
    for (const JsonValue& value : listed) values.push_back(&value);
    if (listed.empty()) {
      shapes.push_back(child_shape(at, one));
    } else {
      listing.push_back(&one);
    }
  }
  std::vector<std::uint64_t> hashes;
  for (const JsonValue* value : values) hashes.push_back(differ ? value->hash() : hashes.size());
  std::ranges::sort(hashes);
  if (listing.size() > 1 && std::ranges::adjacent_find(hashes) == hashes.end()) {
    shapes.push_back(shape_of_values(values));
    return shapes;
  }
  for (const JsonValue* one : listing) shapes.push_back(child_shape(at, *one));
  return shapes;
}

void SchemaMeaning::apply_numbers(const Place& at, Shape& shape) {
  std::optional<NumberBound> minimum;
  std::optional<NumberBound> maximum;
  const auto bound = [&](Keyword inclusive, Keyword exclusive, std::optional<NumberBound>& out, bool is_least) {
    const JsonValue* value = find(at, inclusive);
    const JsonValue* strict = find(at, exclusive);
    if (value != nullptr) out = NumberBound{value->number(), false};
    if (strict == nullptr) return;
    if (strict->is(JsonType::kBoolean)) {  // draft 4
      if (out.has_value()) out->exclusive = strict->boolean();
      return;
    }
    const bool is_tighter =
        !out.has_value() || (is_least ? strict->number() >= out->value : strict->number() <= out->value);
    if (is_tighter) out = NumberBound{strict->number(), true};
  };
  bound(Keyword::kMinimum, Keyword::kExclusiveMinimum, minimum, true);
  bound(Keyword::kMaximum, Keyword::kExclusiveMaximum, maximum, false);
  if (minimum.has_value() || maximum.has_value()) {
    const ExprId interval = algebra_.numbers_or_limit(algebra_.numbers().interval(minimum, maximum));
    shape.numbers = algebra_.numbers().meet(shape.numbers, interval);
  }
  if (const JsonValue* divisor = find(at, Keyword::kMultipleOf); divisor != nullptr) {
    const ExprId multiples = algebra_.numbers_or_limit(algebra_.numbers().multiples_of(divisor->number()));
    shape.numbers = algebra_.numbers().meet(shape.numbers, multiples);
  }
}

void SchemaMeaning::apply_strings(const Place& at, Shape& shape) {
  regex::ExprSet& exprs = algebra_.exprs();
  if (const JsonValue* text = find(at, Keyword::kPattern); text != nullptr) {
    shape.strings = exprs.intersection(shape.strings, pattern(text->string()));
  }
  const JsonValue* least = find(at, Keyword::kMinLength);
  const JsonValue* most = find(at, Keyword::kMaxLength);
  const std::uint64_t min = least == nullptr ? 0 : count_of(*least);
  const std::uint64_t max = most == nullptr ? UINT64_MAX : count_of(*most);
  // An intersection with all strings, or all but the empty one, would change nothing and make masks expensive.
  const bool all_are_long_enough = min == 0 || (min == 1 && exprs.min_length(shape.strings) > 0);
  if (all_are_long_enough && max >= regex::kUnbounded) return;
  if (min >= regex::kUnbounded || min > max) {
    shape.strings = ExprId::kNothing;
    return;
  }
  const auto up_to = static_cast<std::uint32_t>(std::min<std::uint64_t>(max, regex::kUnbounded));
  const ExprId lengths = algebra_.lengths(static_cast<std::uint32_t>(min), up_to);
  shape.strings = algebra_.meet_strings(std::array{shape.strings, lengths});
}

void SchemaMeaning::apply_format(const Place& at, Shape& shape) {
  const JsonValue* format = find(at, Keyword::kFormat);
  if (format == nullptr || !format->is(JsonType::kString)) return;
  if (options_.formats == JsonSchemaOptions::Formats::kAnnotate) return;
  regex::ExprSet& exprs = algebra_.exprs();
  const Dialect dialect = store_.dialect(at.schema);
  const auto [it, is_new] = formats_.try_emplace({std::string(format->string()), dialect});
  if (is_new) {
    Result<std::optional<ExprId>> strings = string_format(exprs, format->string(), dialect);
    if (!strings) algebra_.report_limit(base::Limit::kRegexNodes);
    if (strings) it->second = *strings;
  }
  if (it->second.has_value()) shape.strings = exprs.intersection(shape.strings, *it->second);
  if (const std::optional<NumericFormat> numbers = numeric_format(format->string()); numbers.has_value()) {
    const ExprId interval = algebra_.numbers_or_limit(algebra_.numbers().interval(numbers->minimum, numbers->maximum));
    shape.numbers = algebra_.numbers().meet(shape.numbers, interval);
    if (numbers->is_integer) shape.numbers = algebra_.numbers().meet(shape.numbers, integers(at));
  }
}

// `prefixItems` and `items`, or `items` and `additionalItems` before 2020-12.
ItemMap SchemaMeaning::item_map(const Place& at) {
  ItemMap map;
  const JsonValue* prefix = find(at, Keyword::kPrefixItems);
  const JsonValue* items = find(at, Keyword::kItems);
  if (items != nullptr && items->is(JsonType::kArray)) {
    prefix = items;
    items = find(at, Keyword::kAdditionalItems);
  }
  if (prefix != nullptr) {
    for (const JsonValue& item : prefix->items()) map.prefix.push_back(child_set(at, item));
  }
  if (items != nullptr) map.rest = child_set(at, *items);
  return map;
}

void SchemaMeaning::apply_arrays(const Place& at, Shape& shape) {
  std::vector<FormulaId> parts{shape.arrays, algebra_.items(item_map(at))};
  if (const JsonValue* count = find(at, Keyword::kMinItems)) parts.push_back(algebra_.min_items(count_of(*count)));
  if (const JsonValue* count = find(at, Keyword::kMaxItems)) parts.push_back(algebra_.max_items(count_of(*count)));
  if (const JsonValue* unique = find(at, Keyword::kUniqueItems); unique != nullptr && unique->boolean()) {
    parts.push_back(algebra_.unique(SetId::kAny));
  }
  if (const JsonValue* contains = find(at, Keyword::kContains); contains != nullptr) {
    const SetId set = child_set(at, *contains);
    const JsonValue* least = find(at, Keyword::kMinContains);
    const JsonValue* most = find(at, Keyword::kMaxContains);
    parts.push_back(algebra_.min_contains(set, least == nullptr ? 1 : count_of(*least)));
    if (most != nullptr) parts.push_back(algebra_.max_contains(set, count_of(*most)));
  }
  shape.arrays = algebra_.meet(std::move(parts));
}

void SchemaMeaning::apply_objects(const Place& at, Shape& shape) {
  std::vector<FormulaId> parts{shape.objects};
  PropertyMap map;
  const bool is_ordered = options_.order == JsonSchemaOptions::Order::kDeclared;
  if (const JsonValue* properties = find(at, Keyword::kProperties); properties != nullptr) {
    for (const JsonMember& member : properties->members()) {
      const std::uint64_t order = is_ordered ? position_order(member.key_where.start) : 0;
      map.names.push_back({algebra_.name(member.key), child_set(at, member.value), order});
    }
  }
  if (const JsonValue* patterns = find(at, Keyword::kPatternProperties); patterns != nullptr) {
    std::map<ExprId, SetId> by_language;
    for (const JsonMember& member : patterns->members()) {
      SetId& set = by_language.try_emplace(pattern(member.key), SetId::kAny).first->second;
      set = algebra_.meet(set, written_set(at, member.value));
    }
    map.patterns.assign(by_language.begin(), by_language.end());
  }
  if (const JsonValue* others = find(at, Keyword::kAdditionalProperties)) {
    map.other = written_set(at, *others);
  }
  parts.push_back(algebra_.members(std::move(map)));
  if (const JsonValue* names = find(at, Keyword::kPropertyNames); names != nullptr) {
    const ExprId allowed = strings_of(child(at, *names));
    parts.push_back(algebra_.members({{}, {{algebra_.exprs().complement(allowed), SetId::kNone}}, SetId::kAny}));
  }
  if (const JsonValue* names = find(at, Keyword::kRequired); names != nullptr) {
    for (const JsonValue& name : names->items()) parts.push_back(algebra_.has(algebra_.name(name.string())));
  }
  if (const JsonValue* count = find(at, Keyword::kMinProperties)) {
    parts.push_back(algebra_.min_members(count_of(*count)));
  }
  if (const JsonValue* count = find(at, Keyword::kMaxProperties)) {
    parts.push_back(algebra_.max_members(count_of(*count)));
  }
  apply_dependencies(at, Keyword::kDependentRequired, parts);
  apply_dependencies(at, Keyword::kDependentSchemas, parts);
  apply_dependencies(at, Keyword::kDependencies, parts);
  shape.objects = algebra_.meet(std::move(parts));
}

// For each dependency, either there is no member of that name, or the listed names are required or the schema holds.
void SchemaMeaning::apply_dependencies(const Place& at, Keyword keyword, std::vector<FormulaId>& parts) {
  const JsonValue* dependencies = find(at, keyword);
  if (dependencies == nullptr) return;
  for (const JsonMember& member : dependencies->members()) {
    const NameId name = algebra_.name(member.key);
    FormulaId then = FormulaId::kTrue;
    if (member.value.is(JsonType::kArray)) {
      std::vector<FormulaId> required;
      for (const JsonValue& other : member.value.items()) {
        required.push_back(algebra_.has(algebra_.name(other.string())));
      }
      then = algebra_.meet(std::move(required));
    } else if (member.value.is(JsonType::kString)) {
      then = algebra_.has(algebra_.name(member.value.string()));
    } else {
      then = child_shape(at, member.value).objects;
    }
    if (then != FormulaId::kTrue) parts.push_back(algebra_.join(algebra_.lacks(name), then));
  }
}

void SchemaMeaning::apply_combinators(const Place& at, Shape& shape) {
  for (const Keyword keyword : {Keyword::kRef, Keyword::kDynamicRef, Keyword::kRecursiveRef}) {
    if (const auto target = followed(at, keyword)) {
      shape = algebra_.meet(shape, placed(shape_of(*target), *find(at, keyword)));
    }
  }
  if (const JsonValue* all = find(at, Keyword::kAllOf); all != nullptr) {
    std::vector<Shape> shapes{shape};
    for (const JsonValue& one : all->items()) shapes.push_back(child_shape(at, one));
    shape = algebra_.meet(shapes);
  }
  if (const JsonValue* any = find(at, Keyword::kAnyOf); any != nullptr) {
    shape = algebra_.meet(shape, algebra_.join(alternatives(at, *any, false)));
  }
  if (const JsonValue* one = find(at, Keyword::kOneOf); one != nullptr) {
    shape = algebra_.meet(shape, one_of(alternatives(at, *one, true)));
  }
  if (const JsonValue* negated = find(at, Keyword::kNot); negated != nullptr) {
    shape = algebra_.meet(shape, algebra_.complement(child_shape(at, *negated)));
  }
  const JsonValue* condition = find(at, Keyword::kIf);
  const JsonValue* then = find(at, Keyword::kThen);
  const JsonValue* otherwise = find(at, Keyword::kElse);
  if (condition != nullptr && (then != nullptr || otherwise != nullptr)) {
    const Shape holds = child_shape(at, *condition);
    const Shape with = then == nullptr ? algebra_.any_shape() : child_shape(at, *then);
    const Shape without = otherwise == nullptr ? algebra_.any_shape() : child_shape(at, *otherwise);
    shape = algebra_.meet(
        shape, algebra_.join(algebra_.meet(holds, with), algebra_.meet(algebra_.complement(holds), without)));
  }
}

// Returns what is in exactly one of the sets. `sets` has the operations, which may know more of them than expressions do.
template <typename Sets>
ExprId SchemaMeaning::exactly_one(const std::vector<ExprId>& all, Sets&& sets) {
  ExprId once = ExprId::kNothing;
  ExprId any = ExprId::kNothing;
  for (const ExprId set : all) {
    if (set == ExprId::kNothing) continue;
    const ExprId both = sets.witnesses(sets.meet(set, any));
    if (regex::emptiness(algebra_.exprs(), both, algebra_.limits().regex_fuel) == regex::Emptiness::kEmpty) {
      once = sets.join(once, set);
    } else {
      once = sets.join(sets.difference(once, set), sets.difference(set, any));
    }
    any = sets.join(any, set);
  }
  return once;
}

Shape SchemaMeaning::one_of(const std::vector<Shape>& shapes) {
  Shape result;
  for (const std::uint8_t literal : {Shape::kNull, Shape::kTrue, Shape::kFalse}) {
    const auto holding =
        std::count_if(shapes.begin(), shapes.end(), [&](const Shape& s) { return (s.literals & literal) != 0; });
    if (holding == 1) result.literals |= literal;
  }
  std::vector<ExprId> numbers;
  std::vector<ExprId> strings;
  std::vector<FormulaId> arrays;
  std::vector<FormulaId> objects;
  for (const Shape& shape : shapes) {
    numbers.push_back(shape.numbers);
    strings.push_back(shape.strings);
    arrays.push_back(shape.arrays);
    objects.push_back(shape.objects);
  }
  struct Strings {
    regex::ExprSet& exprs;
    ExprId meet(ExprId a, ExprId b) { return exprs.intersection(a, b); }
    ExprId join(ExprId a, ExprId b) { return exprs.alternation(a, b); }
    ExprId difference(ExprId a, ExprId b) { return exprs.difference(a, b); }
    static ExprId witnesses(ExprId a) { return a; }
  };
  result.numbers = exactly_one(numbers, algebra_.numbers());
  result.strings = exactly_one(strings, Strings{algebra_.exprs()});
  result.arrays = algebra_.one_of(arrays);
  result.objects = algebra_.one_of(objects);
  return result;
}

// `unevaluatedItems` and `unevaluatedProperties`.

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
    const SetId value = child_set(at, *members);
    if (const auto closed = close_alternatives(shape.objects, evaluators, value)) {
      shape.objects = *closed;
    } else {
      shape.objects = algebra_.meet(shape.objects, unevaluated_members(evaluators, value));
    }
  }
}

// Calls `use` for each subschema in place that may evaluate items or members, with the condition under which it holds.
// `allOf` and `$ref` hold whenever the schema around them does.
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
  for_each_in_place(at, &Shape::objects, condition, [&](const Place& place, FormulaId holds) {
    base::with_stack([&] { member_evaluators(place, holds, false, out); });
  });
  if (const JsonValue* dependent = find(at, Keyword::kDependentSchemas); dependent != nullptr) {
    for (const JsonMember& member : dependent->members()) {
      const FormulaId present = algebra_.meet(condition, algebra_.has(algebra_.name(member.key)));
      base::with_stack([&] { member_evaluators(child(at, member.value), present, false, out); });
    }
  }
}

FormulaId SchemaMeaning::unevaluated_members(const std::vector<MemberEvaluator>& evaluators, SetId value) {
  std::vector<NameId> names;
  std::vector<ExprId> patterns;
  for (const MemberEvaluator& e : evaluators) {
    for (const NameId name : e.names) names.push_back(name);
    patterns.insert(patterns.end(), e.patterns.begin(), e.patterns.end());
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  std::ranges::sort(patterns);
  patterns.erase(std::ranges::unique(patterns).begin(), patterns.end());

  // Classes that are evaluated under the same conditions share one map.
  std::map<std::vector<FormulaId>, PropertyMap> by_conditions;
  const std::vector<KeyClass> classes = derivation_.split_keys(names, patterns, true);
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
  // What is evaluated under no condition closes the object: names that are listed, and no other ones.
  if (const auto closed = by_conditions.find({}); closed != by_conditions.end() && patterns.empty()) {
    PropertyMap map{{}, {}, value};
    for (const NameId name : names) {
      if (!std::ranges::binary_search(closed->second.names, name, {}, &PropertyMap::Named::name)) {
        map.names.push_back({name, SetId::kAny, 0});
      }
    }
    closed->second = std::move(map);
  }
  std::vector<FormulaId> parts;
  for (auto& [conditions, map] : by_conditions) {
    std::vector<FormulaId> ways = conditions;
    ways.push_back(algebra_.members(std::move(map)));
    parts.push_back(algebra_.join(std::move(ways)));
  }
  return algebra_.meet(std::move(parts));
}

// Where the conditions are those of a `oneOf` whose alternatives have no object in common, one alternative holds and says
// which names are evaluated: closes each of them by itself. Generated schemas have hundreds of names in dozens of
// alternatives, and a condition on each name would leave all alternatives open.
std::optional<FormulaId> SchemaMeaning::close_alternatives(FormulaId objects,
                                                           const std::vector<MemberEvaluator>& evaluators,
                                                           SetId value) {
  const Formula whole = algebra_.formula(objects);
  std::vector<FormulaId> parts;
  for (const std::uint32_t operand : whole.operands) {
    if (whole.kind == FormulaKind::kAnd) parts.push_back(FormulaId{operand});
  }
  if (whole.kind != FormulaKind::kAnd) parts.push_back(objects);
  for (FormulaId& part : parts) {
    const Formula one_of = algebra_.formula(part);
    if (one_of.kind != FormulaKind::kOneOf) continue;
    std::vector<FormulaId> alternatives;
    for (const std::uint32_t operand : one_of.operands) alternatives.push_back(FormulaId{operand});
    const auto evaluators_of = by_alternative(evaluators, alternatives);
    if (evaluators_of.empty() || derivation_.resolved(part) != algebra_.join(alternatives)) continue;
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
      alternatives[i] = algebra_.meet(alternatives[i], unevaluated_members(evaluators_of[i], value));
    }
    part = algebra_.join(std::move(alternatives));
    return algebra_.meet(std::move(parts));
  }
  return std::nullopt;
}

// Returns the evaluators that hold under each alternative, with the conditions that they have there; empty if a condition
// belongs to no alternative.
std::vector<std::vector<SchemaMeaning::MemberEvaluator>> SchemaMeaning::by_alternative(
    const std::vector<MemberEvaluator>& evaluators, const std::vector<FormulaId>& alternatives) {
  std::vector<std::vector<MemberEvaluator>> found(alternatives.size());
  auto last = alternatives.begin();
  for (const MemberEvaluator& e : evaluators) {
    if (e.condition == FormulaId::kTrue) {
      for (auto& one : found) one.push_back(e);
      continue;
    }
    const auto implies = [&](FormulaId f) { return algebra_.meet(e.condition, f) == e.condition; };
    auto its = std::ranges::find(alternatives, e.condition);
    const bool is_nested = its == alternatives.end();
    // The evaluators within an alternative come after that of the alternative. A meeting of conditions is expensive.
    if (is_nested) its = implies(*last) ? last : std::ranges::find_if(alternatives, implies);
    if (its == alternatives.end() || !algebra_.step(alternatives.size())) return {};
    last = its;
    std::vector<MemberEvaluator>& one = found[static_cast<std::size_t>(its - alternatives.begin())];
    one.push_back(e);
    if (!is_nested) one.back().condition = FormulaId::kTrue;
  }
  return found;
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
  // From 2020-12 on, `contains` evaluates the items that it matches.
  const JsonValue* contains = find(at, Keyword::kContains);
  if (contains != nullptr && store_.dialect(at.schema) == Dialect::k2020_12) own.contained = child_set(at, *contains);
  out.push_back(own);
  for_each_in_place(at, &Shape::arrays, condition, [&](const Place& place, FormulaId holds) {
    base::with_stack([&] { item_evaluators(place, holds, false, out); });
  });
}

FormulaId SchemaMeaning::unevaluated_items(const std::vector<ItemEvaluator>& evaluators, SetId value) {
  for (const ItemEvaluator& e : evaluators) {
    if (e.condition == FormulaId::kTrue) value = algebra_.join(value, e.contained);
  }
  return unevaluated_items_of(evaluators, value, 0);
}

// `value` is the set that unevaluated items must be in. Each conditional `contains` from index `from` on adds an
// alternative: its condition holds, and the items that it matches are allowed as well.
FormulaId SchemaMeaning::unevaluated_items_of(const std::vector<ItemEvaluator>& evaluators, SetId value,
                                              std::size_t from) {
  if (!algebra_.step()) return FormulaId::kFalse;
  const auto finds = [](const ItemEvaluator& e) {
    return e.contained != SetId::kNone && e.condition != FormulaId::kTrue;
  };
  while (from < evaluators.size() && !finds(evaluators[from])) ++from;
  if (from < evaluators.size()) {
    return base::with_stack([&] {
      const ItemEvaluator& e = evaluators[from];
      const FormulaId relied = unevaluated_items_of(evaluators, algebra_.join(value, e.contained), from + 1);
      return algebra_.join(unevaluated_items_of(evaluators, value, from + 1), algebra_.meet(e.condition, relied));
    });
  }
  std::vector<std::uint64_t> borders{0};
  for (const ItemEvaluator& e : evaluators) borders.push_back(e.prefix);
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  std::vector<FormulaId> parts;
  for (std::size_t i = 0; i < borders.size(); ++i) {
    // Items with indices from this border up to the next one.
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
