#include "lint/schema_lint.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/replaceable.h"
#include "frontend/json_schema/formats/formats.h"
#include "frontend/json_schema/model/schema_meaning.h"
#include "frontend/json_schema/model/witness.h"
#include "frontend/json_schema/rules/schema_check.h"
#include "frontend/json_schema/rules/schema_rules.h"
#include "lint/contradiction.h"
#include "lint/schema_style_lint.h"
#include "lint/search_bounds.h"

namespace weir::frontend::json_schema {

namespace {

class DeadSchemas {
 public:
  DeadSchemas(SchemaStore& store, const JsonSchemaOptions& options, const Limits& limits,
              std::vector<Warning>& warnings)
      : store_(store),
        options_(options),
        limits_(limits),
        exprs_(limits.regex_nodes),
        algebra_(exprs_, number_spelling(options), string_spelling(options), limits_of_search(limits),
                 {[this](SchemaId schema, ScopeId scope) { return meaning_.shape(schema, scope); },
                  [this](SchemaId schema) { return meaning_.is_plain(schema); }}),
        witness_(algebra_),
        meaning_(store, algebra_, witness_.derivation(), options),
        warnings_(warnings) {
    offer_strings(algebra_, store, options);
  }

  void run(std::vector<SchemaPlace> places) {
    // Smaller schemas first, so that a schema is reported before those around it that allow no value because of it.
    // Schemas with a `$ref` come last.
    const auto order = [&](const SchemaPlace& at) {
      const SourceRange where = store_.json(at.schema).where();
      return std::tuple(store_.find(at.schema, Keyword::kRef) != nullptr, where.end - where.start, at);
    };
    std::sort(places.begin(), places.end(),
              [&](const SchemaPlace& a, const SchemaPlace& b) { return order(a) < order(b); });
    std::set<SchemaId> alive;  // schemas that have a member in some scope
    for (const SchemaPlace& at : places) {
      if (has_member(meaning_.set(at.schema, at.scope)) == false) {
        dead_.insert(at.schema);
      } else {
        alive.insert(at.schema);
      }
    }
    for (const SchemaId schema : alive) dead_.erase(schema);
    for (const SchemaPlace& at : places) {
      if (dead_.contains(at.schema)) warn_of(at);
    }
    for (const SchemaPlace& at : places) {
      if (!dead_.contains(at.schema)) check_branches(at);
    }
  }

 private:
  static Limits limits_of_search(Limits limits) {
    limits.schema_steps = std::min(limits.schema_steps, lint::kSearchSteps);
    return limits;
  }

  /// Returns nullopt if the search takes too long.
  std::optional<bool> has_member(SetId set) {
    if (algebra_.total_steps() > limits_.schema_steps || exprs_.node_count() > lint::kMaxExpressions)
      return std::nullopt;
    algebra_.reset_steps();
    const bool found = witness_.has_member(set);
    if (algebra_.limit_hit() != base::Limit::kNone) return std::nullopt;
    return found;
  }

  bool may_report_more() { return asked_++ < 2 * lint::kMaxFindings && found_ < lint::kMaxFindings; }

  void warn_of(const SchemaPlace& at) {
    if (store_.json(at.schema).is(JsonType::kBoolean) || told_.contains(at.schema) || !may_report_more()) return;
    report(at, "no value is valid under `" + store_.location(at.schema) + "`",
           find_contradiction(store_, {at}, exprs_, options_, limits_));
  }

  void report(const SchemaPlace& at, std::string message, Contradiction why) {
    const bool is_told = std::any_of(why.schemas.begin(), why.schemas.end(),
                                     [&](SchemaId s) { return s != at.schema && told_.contains(s); });
    told_.insert(at.schema);
    // The report covers the schemas whose constraints it names, so they are not reported again.
    for (const SchemaId schema : why.schemas) {
      if (dead_.contains(schema)) told_.insert(schema);
    }
    if (why.is_plain_false || is_told) return;
    ++found_;
    const ErrorNote* first = why.first_in_text();
    const SourceRange where = first != nullptr ? first->where : store_.where(at.schema);
    warnings_.push_back(
        {std::move(message) + why.reason, where, std::move(why.hint), "dead-schema", std::move(why.notes)});
  }

  void check_branches(const SchemaPlace& at) {
    for (const Keyword keyword : {Keyword::kAnyOf, Keyword::kOneOf}) {
      const JsonValue* branches = store_.find(at.schema, keyword);
      if (branches == nullptr) continue;
      const std::vector<SchemaPlace> places = branches_of(at, *branches);
      for (const SchemaPlace& branch : places) {
        if (dead_.contains(branch.schema)) continue;
        const SetId both = algebra_.meet(meaning_.set(at.schema, at.scope), meaning_.set(branch.schema, branch.scope));
        if (has_member(both) != false || !may_report_more()) continue;
        if (keyword == Keyword::kOneOf && is_in_another(branch, places)) continue;
        report(branch, "no value is valid under `" + store_.location(branch.schema) + "` where it stands",
               find_contradiction(store_, {at, branch}, exprs_, options_, limits_));
      }
    }
  }

  std::vector<SchemaPlace> branches_of(const SchemaPlace& at, const JsonValue& branches) {
    std::vector<SchemaPlace> places;
    for (const JsonValue& one : branches.items()) {
      const Result<SchemaId> schema = store_.subschema(at.schema, one);
      if (schema) places.push_back({*schema, store_.enter(at.scope, *schema)});
    }
    return places;
  }

  /// If all values of a branch of `oneOf` are valid under another branch, adds a warning and returns true.
  bool is_in_another(const SchemaPlace& branch, const std::vector<SchemaPlace>& branches) {
    const SetId set = meaning_.set(branch.schema, branch.scope);
    for (const SchemaPlace& other : branches) {
      if (other.schema == branch.schema) continue;
      const SetId rest = algebra_.complement(meaning_.set(other.schema, other.scope));
      if (has_member(algebra_.meet(set, rest)) != false) continue;
      ++found_;
      ErrorNote note = store_.note(other.schema, std::nullopt);
      const std::string there = note.location;
      note.message = "`" + there + "` has all of them";
      warnings_.push_back({"no value is valid under `" + store_.location(branch.schema) +
                               "` where it stands: all its values are also valid under `" + there +
                               "`, and `oneOf` allows exactly one match",
                           store_.where(branch.schema),
                           "`anyOf` allows several matches",
                           "dead-schema",
                           {std::move(note)}});
      return true;
    }
    return false;
  }

  SchemaStore& store_;
  const JsonSchemaOptions& options_;
  const Limits& limits_;
  regex::ExprSet exprs_;
  Algebra algebra_;
  Witness witness_;
  SchemaMeaning meaning_;
  std::vector<Warning>& warnings_;
  std::set<SchemaId> dead_;
  std::set<SchemaId> told_;  // schemas that need no further report
  std::size_t asked_ = 0;
  std::size_t found_ = 0;
};

}  // namespace

WEIR_REPLACEABLE void warn_of_unsatisfiable_schemas(SchemaStore& store, const std::vector<SchemaPlace>& places,
                                                    const JsonSchemaOptions& options, const Limits& limits,
                                                    std::vector<Warning>& warnings) {
  DeadSchemas(store, options, limits, warnings).run(places);
}

// Warnings of keywords that have no effect, because of other keywords of the schema or because one is missing.

namespace {

// Types as bits.
constexpr std::uint8_t kNulls = 1, kBooleans = 2, kNumbers = 4, kStrings = 8, kArrays = 16, kObjects = 32;
constexpr std::uint8_t kAllTypes = 63;

std::uint8_t type_named(std::string_view name) {
  if (name == "null") return kNulls;
  if (name == "boolean") return kBooleans;
  if (name == "string") return kStrings;
  if (name == "array") return kArrays;
  return name == "object" ? kObjects : kNumbers;
}

std::string_view in_words(std::uint8_t type) {
  switch (type) {
    case kNumbers: return "number";
    case kStrings: return "string";
    case kArrays: return "array";
    default: return "object";
  }
}

// Returns the type that a keyword applies to; 0 if it applies to all or none.
std::uint8_t type_of(Keyword keyword) {
  switch (keyword) {
    case Keyword::kMultipleOf:
    case Keyword::kMaximum:
    case Keyword::kExclusiveMaximum:
    case Keyword::kMinimum:
    case Keyword::kExclusiveMinimum: return kNumbers;
    case Keyword::kMaxLength:
    case Keyword::kMinLength:
    case Keyword::kPattern: return kStrings;
    case Keyword::kPrefixItems:
    case Keyword::kItems:
    case Keyword::kAdditionalItems:
    case Keyword::kContains:
    case Keyword::kUnevaluatedItems:
    case Keyword::kMaxItems:
    case Keyword::kMinItems:
    case Keyword::kUniqueItems:
    case Keyword::kMaxContains:
    case Keyword::kMinContains: return kArrays;
    case Keyword::kProperties:
    case Keyword::kPatternProperties:
    case Keyword::kAdditionalProperties:
    case Keyword::kPropertyNames:
    case Keyword::kUnevaluatedProperties:
    case Keyword::kDependentSchemas:
    case Keyword::kDependencies:
    case Keyword::kMaxProperties:
    case Keyword::kMinProperties:
    case Keyword::kRequired:
    case Keyword::kDependentRequired: return kObjects;
    default: return 0;
  }
}

// Returns the keyword that bounds values of `type` as `keyword` bounds those of its own type, such as `maxItems` for
// `maxLength`; empty if there is none.
std::string counterpart(Keyword keyword, std::uint8_t type) {
  constexpr std::array kMinimumKeywords{Keyword::kMinimum, Keyword::kMinLength, Keyword::kMinItems,
                                        Keyword::kMinProperties};
  constexpr std::array kMaximumKeywords{Keyword::kMaximum, Keyword::kMaxLength, Keyword::kMaxItems,
                                        Keyword::kMaxProperties};
  constexpr std::array kTypes{kNumbers, kStrings, kArrays, kObjects};
  const auto at = std::ranges::find(kTypes, type) - kTypes.begin();
  for (const auto& row : {kMinimumKeywords, kMaximumKeywords}) {
    const bool has_it = std::ranges::find(row, keyword) != row.end() && at < std::ssize(kTypes);
    if (has_it) return std::string(keyword_info(row[static_cast<std::size_t>(at)], Dialect::k2020_12).name);
  }
  return {};
}

// Returns true if a keyword with this value needs no warning. It restricts nothing, or is often written out of habit:
// `uniqueItems: false`, `required: []`, `additionalProperties: {}`.
bool needs_no_warning(const JsonValue& value) {
  switch (value.type()) {
    case JsonType::kBoolean: return true;  // `additionalProperties: false` is written out of habit
    case JsonType::kNumber: return value.number().sign() == 0;
    case JsonType::kArray: return value.items().empty();
    case JsonType::kObject: return value.members().empty();
    default: return false;
  }
}

struct Pair {
  Keyword least;
  Keyword most;
  std::uint8_t type;
};
constexpr std::array kPairs = std::to_array<Pair>({
    {Keyword::kMinimum, Keyword::kMaximum, kNumbers},
    {Keyword::kExclusiveMinimum, Keyword::kMaximum, kNumbers},
    {Keyword::kMinimum, Keyword::kExclusiveMaximum, kNumbers},
    {Keyword::kExclusiveMinimum, Keyword::kExclusiveMaximum, kNumbers},
    {Keyword::kMinLength, Keyword::kMaxLength, kStrings},
    {Keyword::kMinItems, Keyword::kMaxItems, kArrays},
    {Keyword::kMinProperties, Keyword::kMaxProperties, kObjects},
});

class IneffectiveKeywords {
 public:
  IneffectiveKeywords(const SchemaStore& store, std::vector<Warning>& warnings) : store_(store), warnings_(warnings) {}

  void check(SchemaId schema, bool evaluates) {
    schema_ = schema;
    types_ = types();
    for (const auto& [keyword, needed] : {std::pair{Keyword::kThen, Keyword::kIf},
                                          {Keyword::kElse, Keyword::kIf},
                                          {Keyword::kMinContains, Keyword::kContains},
                                          {Keyword::kMaxContains, Keyword::kContains}}) {
      if (find(needed) == nullptr) warn(keyword, "there is no `" + name(needed) + "` beside it");
    }
    // If the schema has `unevaluated...`, a lone `if` has an effect: it evaluates items and members.
    if (!evaluates && find(Keyword::kThen) == nullptr && find(Keyword::kElse) == nullptr) {
      warn(Keyword::kIf, "there is neither a `then` nor an `else` beside it");
    }
    check_lists();
    check_types();
    check_bounds();
    check_values();
    check_annotations();
  }

 private:
  // Warns of annotations whose value has another type than the standard says.
  void check_annotations() {
    constexpr std::pair<Keyword, JsonType> kTypes[] = {
        {Keyword::kComment, JsonType::kString},          {Keyword::kTitle, JsonType::kString},
        {Keyword::kDescription, JsonType::kString},      {Keyword::kExamples, JsonType::kArray},
        {Keyword::kDeprecated, JsonType::kBoolean},      {Keyword::kReadOnly, JsonType::kBoolean},
        {Keyword::kWriteOnly, JsonType::kBoolean},       {Keyword::kContentEncoding, JsonType::kString},
        {Keyword::kContentMediaType, JsonType::kString}, {Keyword::kVocabulary, JsonType::kObject}};
    for (const auto& [keyword, type] : kTypes) {
      const JsonValue* value = find(keyword);
      if (value == nullptr || value->is(type)) continue;
      warn(keyword, type == JsonType::kString    ? "its value is no string"
                    : type == JsonType::kBoolean ? "its value is neither true nor false"
                    : type == JsonType::kObject  ? "its value is no object"
                                                 : "its value is no array");
    }
  }

  [[nodiscard]] const JsonValue* find(Keyword keyword) const { return store_.find(schema_, keyword); }
  [[nodiscard]] std::string name(Keyword keyword) const {
    return std::string(keyword_info(keyword, store_.dialect(schema_)).name);
  }

  // Returns the types that `type` allows; all without a `type`.
  [[nodiscard]] std::uint8_t types() const {
    const JsonValue* type = find(Keyword::kType);
    if (type == nullptr) return kAllTypes;
    if (type->is(JsonType::kString)) return type_named(type->string());
    std::uint8_t all = 0;
    for (const JsonValue& one : type->items()) all |= type_named(one.string());
    return all;
  }

  void warn(Keyword keyword, const std::string& why, std::optional<Keyword> cause = {}, std::string hint = {}) {
    if (find(keyword) == nullptr) return;
    const std::string key = name(keyword);
    const std::span<const JsonMember> members = store_.json(schema_).members();
    const auto member = std::ranges::find(members, key, &JsonMember::key);
    Warning warning = store_.warning(schema_, *member, "has no effect: " + why);
    warning.code = "idle-keyword";
    warning.hint = std::move(hint);
    if (cause) {
      ErrorNote note = store_.note(schema_, *cause);
      note.message = "because of `" + note.location + "`";
      warning.notes.push_back(std::move(note));
    }
    warnings_.push_back(std::move(warning));
  }

  // Warns of keywords for the remaining items or members if another keyword leaves none, and of `additionalItems`
  // without `items`.
  void check_lists() {
    const JsonValue* items = find(Keyword::kItems);
    if (const JsonValue* more = find(Keyword::kAdditionalItems); more != nullptr && !needs_no_warning(*more)) {
      if (items == nullptr) warn(Keyword::kAdditionalItems, "there is no `items` beside it");
      if (items != nullptr && !items->is(JsonType::kArray)) {
        warn(Keyword::kAdditionalItems, "`items` applies to all items", Keyword::kItems);
      }
    }
    if (items != nullptr && !items->is(JsonType::kArray)) {
      warn(Keyword::kUnevaluatedItems, "`items` applies to all remaining items", Keyword::kItems);
    }
    if (find(Keyword::kAdditionalProperties) != nullptr) {
      warn(Keyword::kUnevaluatedProperties, "`additionalProperties` applies to all remaining members",
           Keyword::kAdditionalProperties);
    }
  }

  void check_types() {
    if (types_ == kAllTypes) return;
    for (const JsonMember& member : store_.json(schema_).members()) {
      const KeywordInfo* known = find_keyword(member.key);
      if (known == nullptr || find(known->keyword) == nullptr) continue;
      std::uint8_t type = type_of(known->keyword);
      if (known->keyword == Keyword::kFormat && member.value.is(JsonType::kString)) {
        type = type_of_format(member.value.string());
      }
      const std::string other = counterpart(known->keyword, types_);
      if (type == 0 || (types_ & type) != 0 || needs_no_warning(member.value)) continue;
      warn(known->keyword, "it applies to " + std::string(in_words(type)) + "s, which `type` excludes", Keyword::kType,
           other.empty() ? "" : "`" + other + "` applies to " + std::string(in_words(types_)) + "s");
    }
  }

  // Returns kStrings for a format of strings. A format of numbers counts for no type: beside `"type": "string"`, as in
  // Google's APIs, it says how to read the string.
  static std::uint8_t type_of_format(std::string_view format) {
    const auto known = known_formats();
    if (!std::binary_search(known.begin(), known.end(), format)) return 0;
    return numeric_format(format).has_value() ? 0 : kStrings;
  }

  // Warns of bounds that contradict each other. If the schema allows only the type of the bounds, it allows no value,
  // and DeadSchemas reports it instead.
  void check_bounds() {
    for (const Pair& pair : kPairs) {
      if ((types_ & pair.type) == 0 || types_ == pair.type) continue;
      const JsonValue* least = find(pair.least);
      const JsonValue* most = find(pair.most);
      if (least == nullptr || most == nullptr || !least->is(JsonType::kNumber) || !most->is(JsonType::kNumber)) {
        continue;
      }
      const bool is_strict = pair.least == Keyword::kExclusiveMinimum || pair.most == Keyword::kExclusiveMaximum;
      if (is_strict ? least->number() < most->number() : least->number() <= most->number()) continue;
      Warning warning;
      warning.notes = {store_.note(schema_, pair.least), store_.note(schema_, pair.most)};
      warning.message = "no " + std::string(in_words(pair.type)) + " is valid under `" + store_.location(schema_) +
                        "`: `" + warning.notes[0].location + "` and `" + warning.notes[1].location +
                        "` contradict each other";
      for (ErrorNote& note : warning.notes) note.message = "`" + note.location + "` is one of them";
      warning.where = warning.notes[0].where;
      if (warning.where == SourceRange{}) warning.where = store_.where(schema_);
      warning.code = "dead-schema";
      warnings_.push_back(std::move(warning));
      return;
    }
  }

  // Warns of values of `enum` that `type` excludes. If it excludes all of them, DeadSchemas reports the schema instead.
  void check_values() {
    const JsonValue* values = find(Keyword::kEnum);
    if (values == nullptr || find(Keyword::kType) == nullptr) return;
    const auto is_left_out = [&](const JsonValue& value) { return !is_of_types(value); };
    if (std::ranges::all_of(values->items(), is_left_out)) return;
    for (const JsonValue& value : values->items()) {
      if (!is_left_out(value)) continue;
      Warning warning = warning_of_value(value);
      warnings_.push_back(std::move(warning));
    }
  }

  [[nodiscard]] bool is_of_types(const JsonValue& value) const {
    switch (value.type()) {
      case JsonType::kNull: return (types_ & kNulls) != 0;
      case JsonType::kBoolean: return (types_ & kBooleans) != 0;
      case JsonType::kString: return (types_ & kStrings) != 0;
      case JsonType::kArray: return (types_ & kArrays) != 0;
      case JsonType::kObject: return (types_ & kObjects) != 0;
      case JsonType::kNumber: return (types_ & kNumbers) != 0 && (has_fractions() || value.number().is_integer());
    }
    return true;
  }
  [[nodiscard]] bool has_fractions() const {
    const JsonValue& type = *find(Keyword::kType);
    if (type.is(JsonType::kString)) return type.string() == "number";
    return std::ranges::any_of(type.items(), [](const JsonValue& one) { return one.string() == "number"; });
  }

  [[nodiscard]] Warning warning_of_value(const JsonValue& value) const {
    const std::size_t index = static_cast<std::size_t>(&value - find(Keyword::kEnum)->items().data());
    ErrorNote type = store_.note(schema_, Keyword::kType);
    type.message = "because of `" + type.location + "`";
    Warning warning;
    warning.message = "`" + store_.location(schema_) + "/enum/" + std::to_string(index) +
                      "` is never valid: `type` excludes its type";
    const bool is_loaded = store_.note(schema_, Keyword::kEnum).where != SourceRange{};
    warning.where = is_loaded ? value.where() : store_.where(schema_);
    warning.code = "idle-keyword";
    if (value.is(JsonType::kNull)) warning.hint = "`type` may be a list, with \"null\" in it";
    warning.notes = {std::move(type)};
    return warning;
  }

  const SchemaStore& store_;
  std::vector<Warning>& warnings_;
  SchemaId schema_{};
  std::uint8_t types_ = kAllTypes;
};

}  // namespace

WEIR_REPLACEABLE void warn_of_ineffective_keywords(const SchemaStore& store, const std::vector<SchemaPlace>& places,
                                                   std::vector<Warning>& warnings) {
  const bool evaluates = std::any_of(places.begin(), places.end(), [&](const SchemaPlace& at) {
    return store.find(at.schema, Keyword::kUnevaluatedItems) != nullptr ||
           store.find(at.schema, Keyword::kUnevaluatedProperties) != nullptr;
  });
  IneffectiveKeywords idle(store, warnings);
  std::optional<SchemaId> last;
  for (const SchemaPlace& at : places) {  // sorted by schema; each may come in several scopes
    if (store.json(at.schema).is(JsonType::kObject) && last != at.schema) idle.check(at.schema, evaluates);
    last = at.schema;
  }
}

namespace {

class Review final : public SchemaReview {
  void warn_of_style(const SchemaStore& store, const std::vector<SchemaPlace>& places,
                     std::vector<Warning>& warnings) const override {
    const std::size_t before = warnings.size();
    std::optional<SchemaId> last;  // places are sorted by schema
    for (const SchemaPlace& place : places) {
      if (last == place.schema) continue;
      last = place.schema;
      json_schema::warn_of_style(store, place.schema, warnings);
    }
    // A misspelled keyword at the root that holds schemas was taken for a member that holds the schema.
    const auto found = warnings.begin() + static_cast<std::ptrdiff_t>(before);
    const auto is_ignored = [](const Warning& one) { return one.code == "ignored-keyword"; };
    const auto taken = std::find_if(warnings.begin(), found, is_ignored);
    const auto is_same = [&](const Warning& one) { return is_ignored(one) && one.where == taken->where; };
    if (taken != found && std::any_of(found, warnings.end(), is_same)) warnings.erase(taken);
  }
  void warn_of_content(SchemaStore& store, const std::vector<SchemaPlace>& places, const JsonSchemaOptions& options,
                       const Limits& limits, std::vector<Warning>& warnings) const override {
    warn_of_ineffective_keywords(store, places, warnings);
    regex::ExprSet exprs(limits.regex_nodes);
    check_unused_schemas(store, places, exprs, options, limits, warnings);
    warn_of_unsatisfiable_schemas(store, places, options, limits, warnings);
  }
  [[nodiscard]] Error unsatisfiable(SchemaStore& store, SchemaId root, regex::ExprSet& exprs,
                                    const JsonSchemaOptions& options, const Limits& limits) const override {
    return contradiction(store, root, exprs, options, limits);
  }
};

}  // namespace

const SchemaReview& schema_review() {
  static const Review review;
  return review;
}

}  // namespace weir::frontend::json_schema
