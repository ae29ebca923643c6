#include "frontend/json_schema/rules/schema_check.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/flat_table.h"
#include "base/hash.h"
#include "base/replaceable.h"
#include "base/stack.h"
#include "frontend/json_schema/formats/formats.h"
#include "frontend/json_schema/model/schema_meaning.h"
#include "frontend/json_schema/rules/schema_rules.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/json_schema/source/misnomers.h"
#include "frontend/json_schema/values/characters.h"
#include "frontend/search_bounds.h"
#include "grammar/suggest.h"

namespace weir::frontend::json_schema {

namespace {

constexpr std::string_view kTypes[] = {"array", "boolean", "integer", "null", "number", "object", "string"};

// What references lead to, and its type.
struct Target {
  Keyword keyword;
  JsonType type;
};
constexpr std::array kTargets{
    Target{Keyword::kId, JsonType::kString},
    Target{Keyword::kAnchor, JsonType::kString},
    Target{Keyword::kDynamicAnchor, JsonType::kString},
    Target{Keyword::kRecursiveAnchor, JsonType::kBoolean},
    Target{Keyword::kDefs, JsonType::kObject},
    Target{Keyword::kDefinitions, JsonType::kObject},
};
constexpr KeywordSet keywords_of(std::span<const Target> targets) {
  KeywordSet found;
  for (const Target& target : targets) found.add(target.keyword);
  return found;
}

class Checker {
 public:
  Checker(SchemaStore& store, regex::ExprSet& exprs, const JsonSchemaOptions& options, const Limits& limits,
          std::vector<Warning>& warnings)
      : store_(store),
        exprs_(exprs),
        options_(options),
        limits_(limits),
        warnings_(warnings),
        numbers_of_places_(store.schema_count()) {
    visited_.reserve(store.schema_count());
  }

  Result<CheckedSchemas> run(SchemaId root) {
    if (auto done = check_is_no_wrapper(root); !done) return tl::unexpected(std::move(done.error()));
    visit({root, store_.enter(ScopeId::kEmpty, root)});
    while (!pending_.empty()) {
      current_ = pending_.back();
      pending_.pop_back();
      const Place at = visited_[current_];  // a copy, since visited_ grows
      if (auto done = check(at); !done) return tl::unexpected(std::move(done.error()));
    }
    if (auto done = check_cycles(); !done) return tl::unexpected(std::move(done.error()));
    return found_;
  }

  // Checks the schemas that are not among `reachable` but defined there, and those of the contents of strings.
  void run_unused(const std::vector<SchemaPlace>& reachable) {
    for (const Place& at : reachable) visit(at);
    pending_.clear();
    for (std::uint32_t next = 0; next < visited_.size(); ++next) {
      const Place at = visited_[next];  // a copy, since visited_ grows
      if (next >= reachable.size()) {
        current_ = next;
        if (const auto done = check(at); !done) warn_of_unused(done.error());
      }
      if (!store_.json(at.schema).is(JsonType::kObject)) continue;
      for (const Keyword keyword : {Keyword::kDefs, Keyword::kDefinitions}) {
        const JsonValue* defined = store_.find(at.schema, keyword);
        if (defined == nullptr) continue;
        for (const JsonMember& member : defined->members()) visit_unused(at, keyword, member.value);
      }
      const JsonValue* content = store_.find(at.schema, Keyword::kContentSchema);
      if (content != nullptr) visit_unused(at, Keyword::kContentSchema, *content);
    }
  }

  // Returns all places in order. Nearly every schema has one scope, so they are counted by schema, not compared.
  [[nodiscard]] std::vector<SchemaPlace> places() const {
    std::vector<std::uint32_t> next(store_.schema_count() + 1, 0);  // by schema: where its next place comes
    for (const Place& at : visited_) ++next[static_cast<std::size_t>(at.schema) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<SchemaPlace> all(visited_.size());
    for (const Place& at : visited_) all[next[static_cast<std::size_t>(at.schema)]++] = at;
    for (auto first = all.begin(), last = first; first != all.end(); first = last) {
      last = std::find_if(first, all.end(), [&](const Place& at) { return at.schema != first->schema; });
      std::sort(first, last);
    }
    return all;
  }

 private:
  using Place = SchemaPlace;
  enum class Where : std::uint8_t { kInPlace, kBelow };
  using Edge = std::pair<std::uint32_t, std::uint32_t>;  // the first place leads to the second

  static std::uint64_t key_of(const Place& at) {
    return (std::uint64_t{static_cast<std::uint32_t>(at.schema)} << 32) | static_cast<std::uint32_t>(at.scope);
  }

  // Returns the number of `at` in visited_. A new place is added there and checked later.
  std::uint32_t visit(const Place& at) {
    const auto hash = static_cast<std::uint32_t>(base::hash_mix(0, key_of(at)));
    const base::NumberSlot& known =
        numbers_of_places_.find(hash, [&](const base::NumberSlot& slot) { return visited_[slot.number] == at; });
    if (!known.is_free()) return known.number;
    const auto number = static_cast<std::uint32_t>(visited_.size());
    numbers_of_places_.insert({number, hash});
    pending_.push_back(number);
    visited_.push_back(at);
    return number;
  }

  [[nodiscard]] Error error(ErrorCode code, const Place& at, Keyword keyword, std::string_view message) const {
    return store_.error(code, at.schema, keyword, message);
  }
  [[nodiscard]] auto fail(ErrorCode code, const Place& at, Keyword keyword, std::string_view message,
                          std::string_view hint = {}, std::string_view options = {}) const {
    Error wrong = error(code, at, keyword, message);
    wrong.hint = hint;
    wrong.options = options;
    return tl::unexpected(std::move(wrong));
  }
  // Returns an error about `keyword` that reports `inner`, an error in its value or in a part of it at `value`.
  [[nodiscard]] auto fail_inside(Error inner, const Place& at, Keyword keyword, SourceRange value) const {
    Error outer = error(inner.code, at, keyword, "is refused: " + inner.message);
    if (outer.where.end > outer.where.start) outer.where = value;
    outer.hint = std::move(inner.hint);
    outer.limit = std::move(inner.limit);
    outer.options = std::move(inner.options);
    return tl::unexpected(std::move(outer));
  }

  // Returns the error about a part of a keyword's value that is to be a schema.
  [[nodiscard]] Error no_schema(const Place& from, Keyword keyword, const JsonValue& value) const {
    const JsonValue* all = store_.find(from.schema, keyword);
    std::string message = "must hold schemas: objects or booleans";
    if (all != nullptr && all != &value) {
      const std::string_view name = keyword_info(keyword, store_.dialect(from.schema)).name;
      message += "; `" + store_.location(from.schema) + "/" + std::string(name) + pointer_to(*all, value) + "` is none";
    }
    Error wrong = error(ErrorCode::kInvalidArgument, from, keyword, message);
    if (wrong.where != SourceRange{}) wrong.where = value.where();
    if (value.is(JsonType::kString)) wrong.hint = R"(a type is given as {"type": "string"})";
    return wrong;
  }

  Result<void> enter(const Place& from, Keyword keyword, const JsonValue& value, Where where) {
    const Result<SchemaId> schema = store_.subschema(from.schema, value);
    if (!schema) return tl::unexpected(no_schema(from, keyword, value));
    const Place to{*schema, store_.enter(from.scope, *schema)};
    const std::uint32_t number = visit(to);
    if (where == Where::kInPlace) in_place_.push_back({current_, number});
    return {};
  }

  void visit_unused(const Place& from, Keyword keyword, const JsonValue& value) {
    const auto done = enter(from, keyword, value, Where::kBelow);
    if (done) return;
    warn_of_unused(done.error());
  }

  // What weir does not support or has a limit for may be right.
  void warn_of_unused(const Error& error) {
    if (error.code != ErrorCode::kInvalidArgument && error.code != ErrorCode::kSyntax) return;
    warnings_.push_back(
        {error.message, error.where,
         (error.hint.empty() ? "" : error.hint + "; ") + "the schema has no effect: nothing refers to it",
         "unused-schema", error.notes, error.options});
  }

  // Refuses the root of a document that restricts nothing by itself and has a member that holds the schema where a
  // request to a model wraps one: {"name": ..., "schema": {...}}. Any value would be valid. Beside a `type` it is a schema
  // that means something, and a member of another name may be an extension, so there is a warning.
  Result<void> check_is_no_wrapper(SchemaId root) {
    if (store_.location(root) != "#") return {};
    Wrapped wrapped = wrapped_schema(store_.json(root));
    if (wrapped.member == nullptr) return {};
    const bool has_type = store_.json(root).find("type") != nullptr;
    Warning found = store_.warning(
        root, *wrapped.member,
        has_type ? "is not a keyword and has no effect" : "is not a keyword: any value is valid under this schema");
    found.hint = std::move(wrapped.hint);
    if (!has_type && wrapped.is_known) {
      return tl::unexpected(
          Error{ErrorCode::kInvalidArgument, std::move(found.message), found.where, std::move(found.hint)});
    }
    found.code = "ignored-keyword";
    warnings_.push_back(std::move(found));
    return {};
  }

  Result<void> check(const Place& at) {
    if (!store_.json(at.schema).is(JsonType::kObject)) return {};
    struct Step {
      KeywordSet keywords;  // without these it has nothing to do
      Result<void> (Checker::*check)(const Place&);
    };
    static constexpr Step kSteps[] = {
        {keywords_of(kTargets), &Checker::check_targets},
        {KeywordSet(kReferences) | KeywordSet{Keyword::kSchema}, &Checker::check_references},
        {{Keyword::kType, Keyword::kEnum, Keyword::kUniqueItems, Keyword::kContains}, &Checker::check_types},
        {KeywordSet(kNumbers), &Checker::check_numbers},
        {KeywordSet(kCounts), &Checker::check_counts},
        {{Keyword::kPattern, Keyword::kFormat}, &Checker::check_strings},
        {KeywordSet(kListsInPlace) | KeywordSet(kSchemasInPlace) | KeywordSet(kSchemasBelow) |
             KeywordSet(kSchemasOfItems),
         &Checker::check_applicators},
        {KeywordSet(kConditionsOfNames) | KeywordSet(kMaps) | KeywordSet{Keyword::kRequired}, &Checker::check_names},
    };
    if (auto done = check_keywords(at); !done) return done;
    const KeywordSet keywords = store_.keywords(at.schema);
    for (const Step& step : kSteps) {
      if (!keywords.intersects(step.keywords)) continue;
      if (auto done = (this->*step.check)(at); !done) return done;
    }
    return {};
  }

  Result<void> check_keywords(const Place& at) {
    if (options_.unknown_keywords == JsonSchemaOptions::UnknownKeywords::kIgnore) return {};
    for (const base::JsonMember& member : store_.json(at.schema).members()) {
      if (find_keyword(member.key) != nullptr || member.key.starts_with("x-")) continue;
      Warning found = store_.warning(at.schema, member, "is no keyword");
      Error error{ErrorCode::kUnsupported, std::move(found.message), found.where,
                  "the option `unknown_keywords` refuses it; annotations of your own begin with `x-`"};
      error.options = "unknown_keywords";
      return tl::unexpected(std::move(error));
    }
    return {};
  }

  static constexpr std::array kReferences{Keyword::kRef, Keyword::kDynamicRef, Keyword::kRecursiveRef};

  Result<void> check_references(const Place& at) {
    if (const JsonValue* dialect = store_.find(at.schema, Keyword::kSchema);
        dialect != nullptr && !dialect->is(JsonType::kString)) {
      return fail(ErrorCode::kInvalidArgument, at, Keyword::kSchema, "must be a string, the URI of a dialect");
    }
    for (const Keyword keyword : kReferences) {
      if (store_.find(at.schema, keyword) == nullptr) continue;
      const Result<SchemaStore::Target> target = store_.follow(at.schema, keyword, at.scope);
      if (!target) return tl::unexpected(target.error());
      in_place_.push_back({current_, visit({target->schema, target->scope})});
    }
    return {};
  }

  // Checks what references lead to: a value of another type would be ignored. Annotations of another type have no effect
  // either way; src/lint/schema_lint.cc warns of them.
  Result<void> check_targets(const Place& at) {
    for (const auto& [keyword, type] : kTargets) {
      const JsonValue* value = store_.find(at.schema, keyword);
      if (value == nullptr || value->is(type)) continue;
      return fail(ErrorCode::kInvalidArgument, at, keyword,
                  type == JsonType::kString    ? "must be a string"
                  : type == JsonType::kBoolean ? "must be true or false"
                                               : "must be an object of schemas");
    }
    return {};
  }

  Result<void> check_types(const Place& at) {
    if (const JsonValue* type = store_.find(at.schema, Keyword::kType); type != nullptr) {
      const bool is_list = type->is(JsonType::kArray);
      for (const JsonValue& one : is_list ? type->items() : std::span(type, 1)) {
        if (!one.is(JsonType::kString) || !std::binary_search(std::begin(kTypes), std::end(kTypes), one.string())) {
          Error wrong = error(ErrorCode::kInvalidArgument, at, Keyword::kType,
                              "must name types: null, boolean, integer, number, string, array or object");
          if (one.is(JsonType::kString)) wrong.hint = hint_for_type(one.string());
          if (one.is(JsonType::kNull)) wrong.hint = R"(the type of null is "null")";
          return tl::unexpected(std::move(wrong));
        }
      }
    }
    if (const JsonValue* values = store_.find(at.schema, Keyword::kEnum)) {
      if (!values->is(JsonType::kArray))
        return fail(ErrorCode::kInvalidArgument, at, Keyword::kEnum, "must be an array");
    }
    if (const JsonValue* unique = store_.find(at.schema, Keyword::kUniqueItems)) {
      if (!unique->is(JsonType::kBoolean)) {
        return fail(ErrorCode::kInvalidArgument, at, Keyword::kUniqueItems, "must be true or false");
      }
      found_.follows_items = true;
    }
    if (store_.find(at.schema, Keyword::kContains) != nullptr) found_.follows_items = true;
    return {};
  }

  static constexpr std::array kNumbers{Keyword::kMinimum, Keyword::kMaximum, Keyword::kExclusiveMinimum,
                                       Keyword::kExclusiveMaximum, Keyword::kMultipleOf};

  Result<void> check_numbers(const Place& at) {
    for (const Keyword keyword : kNumbers) {
      const JsonValue* value = store_.find(at.schema, keyword);
      if (value == nullptr) continue;
      const bool is_exclusive = keyword == Keyword::kExclusiveMinimum || keyword == Keyword::kExclusiveMaximum;
      if (is_exclusive && store_.dialect(at.schema) == Dialect::kDraft4) {
        if (value->is(JsonType::kBoolean)) continue;
        return fail(ErrorCode::kInvalidArgument, at, keyword, "must be true or false in draft 4", kDraftHint,
                    kDraftOption);
      }
      if (!value->is(JsonType::kNumber)) {
        const bool is_of_draft4 = is_exclusive && value->is(JsonType::kBoolean);
        if (is_of_draft4 && !store_.names_draft(at.schema)) {
          warn_of_old(at, keyword, "is true or false, as in draft 4, and is read so", "give the bound itself");
          continue;
        }
        if (!is_of_draft4) return fail(ErrorCode::kInvalidArgument, at, keyword, "must be a number");
        return fail(ErrorCode::kInvalidArgument, at, keyword, "must be a number",
                    "true and false are allowed in draft 4 only; " + std::string(kDraftHint), kDraftOption);
      }
      // Schemas repeat the same few numbers, so each is tested once.
      if (!numbers_tested_.insert({value->number(), keyword}).second) continue;
      if (keyword == Keyword::kMultipleOf && value->number().sign() <= 0) {
        return fail(ErrorCode::kInvalidArgument, at, keyword, "must be larger than 0");
      }
      if (Result<void> possible = check_number(keyword, value->number()); !possible) {
        return fail_inside(std::move(possible.error()), at, keyword, value->where());
      }
    }
    return {};
  }

  // Makes the expressions of a number only if all of them may be too many.
  Result<void> check_number(Keyword keyword, const base::Decimal& number) {
    const bool is_divisor = keyword == Keyword::kMultipleOf;
    Result<void> possible =
        is_divisor ? NumberLanguage::check_divisor(number, limits_) : NumberLanguage::check_bound(number, limits_);
    unmade_ += NumberLanguage::most_expressions(number, number_spelling(options_));
    if (!possible || unmade_ <= limits_.regex_nodes / kShareOfNumbers) return possible;
    const Result<regex::ExprId> made =
        is_divisor ? numbers().multiples_of(number) : numbers().interval(NumberBound{number, false}, std::nullopt);
    if (!made) return tl::unexpected(made.error());
    return {};
  }

  // A construct that only older drafts have, in a schema that names no draft.
  void warn_of_old(const Place& at, Keyword keyword, std::string_view message, std::string_view hint) {
    if (!old_.insert({at.schema, keyword}).second) return;
    const Error found = error(ErrorCode::kUnsupported, at, keyword, message);
    Warning warning{found.message, found.where, std::string(hint) + ", or " + std::string(kDraftHint), "older-draft"};
    warning.options = kDraftOption;
    warnings_.push_back(std::move(warning));
  }

  static constexpr std::array kCounts{Keyword::kMinLength,     Keyword::kMaxLength,    Keyword::kMinItems,
                                      Keyword::kMaxItems,      Keyword::kMinContains,  Keyword::kMaxContains,
                                      Keyword::kMinProperties, Keyword::kMaxProperties};

  Result<void> check_counts(const Place& at) {
    for (const Keyword keyword : kCounts) {
      const JsonValue* value = store_.find(at.schema, keyword);
      if (value == nullptr) continue;
      if (!value->is(JsonType::kNumber) || !value->number().is_integer() || value->number().sign() < 0) {
        return fail(ErrorCode::kInvalidArgument, at, keyword, "must be an integer, 0 or larger");
      }
    }
    return {};
  }

  Result<void> check_strings(const Place& at) {
    if (const JsonValue* pattern = store_.find(at.schema, Keyword::kPattern); pattern != nullptr) {
      if (!pattern->is(JsonType::kString)) {
        return fail(ErrorCode::kInvalidArgument, at, Keyword::kPattern, "must be a string");
      }
      if (auto done = check_pattern(at, Keyword::kPattern, pattern->string(), pattern->where()); !done) return done;
    }
    const JsonValue* format = store_.find(at.schema, Keyword::kFormat);
    if (format == nullptr || options_.formats == JsonSchemaOptions::Formats::kAnnotate) return {};
    if (!format->is(JsonType::kString)) {
      return fail(ErrorCode::kInvalidArgument, at, Keyword::kFormat, "must be a string");
    }
    const auto known = known_formats();
    if (std::binary_search(known.begin(), known.end(), format->string())) return {};
    const std::string message = "names an unknown format, \"" + std::string(format->string()) + "\"";
    const std::string near = grammar::did_you_mean(known, format->string());
    if (options_.unknown_formats == JsonSchemaOptions::UnknownFormats::kRefuse) {
      return fail(ErrorCode::kUnsupported, at, Keyword::kFormat, message, near);
    }
    const Error warning = error(ErrorCode::kUnsupported, at, Keyword::kFormat, message);
    warnings_.push_back({warning.message, warning.where,
                         "it is taken as an annotation" + (near.empty() ? "" : "; " + near), "unknown-format"});
    return {};
  }

  Result<void> check_pattern(const Place& at, Keyword keyword, std::string_view pattern, SourceRange where) {
    if (!patterns_.insert(std::string(pattern)).second) return {};
    Result<regex::ExprId> language = pattern_language(exprs_, pattern, limits_);
    if (language) return {};
    return fail_inside(std::move(language.error()), at, keyword, where);
  }

  static constexpr std::array kListsInPlace{Keyword::kAllOf, Keyword::kAnyOf, Keyword::kOneOf};
  static constexpr std::array kSchemasInPlace{Keyword::kNot, Keyword::kIf, Keyword::kThen, Keyword::kElse};
  // `propertyNames` is among them, since it applies to strings, which have no names: a cycle through it ends.
  static constexpr std::array kSchemasBelow{Keyword::kAdditionalItems,      Keyword::kContains,
                                            Keyword::kAdditionalProperties, Keyword::kPropertyNames,
                                            Keyword::kUnevaluatedItems,     Keyword::kUnevaluatedProperties};
  static constexpr std::array kSchemasOfItems{Keyword::kPrefixItems, Keyword::kItems};

  Result<void> check_applicators(const Place& at) {
    for (const Keyword keyword : kListsInPlace) {
      const JsonValue* list = store_.find(at.schema, keyword);
      if (list == nullptr) continue;
      if (!list->is(JsonType::kArray) || list->items().empty()) {
        return fail(ErrorCode::kInvalidArgument, at, keyword, "must be an array of schemas, and not empty");
      }
      for (const JsonValue& one : list->items()) {
        if (auto done = enter(at, keyword, one, Where::kInPlace); !done) return done;
      }
    }
    for (const Keyword keyword : kSchemasInPlace) {
      const JsonValue* value = store_.find(at.schema, keyword);
      if (value == nullptr) continue;
      if (auto done = enter(at, keyword, *value, Where::kInPlace); !done) return done;
    }
    for (const Keyword keyword : kSchemasBelow) {
      const JsonValue* value = store_.find(at.schema, keyword);
      if (value == nullptr) continue;
      if (auto done = enter(at, keyword, *value, Where::kBelow); !done) return done;
    }
    for (const Keyword keyword : kSchemasOfItems) {
      const JsonValue* value = store_.find(at.schema, keyword);
      if (value == nullptr) continue;
      const bool may_be_list = keyword == Keyword::kPrefixItems || store_.dialect(at.schema) != Dialect::k2020_12 ||
                               store_.has_old_items(at.schema);
      if (keyword == Keyword::kItems && store_.has_old_items(at.schema)) {
        warn_of_old(at, keyword, "is a list, as up to draft 2019-09, and is read so",
                    "write `prefixItems`, and `items` for `additionalItems`");
      }
      if (value->is(JsonType::kArray) && !may_be_list) {
        return fail(ErrorCode::kInvalidArgument, at, keyword, "must be a schema; a list of them is `prefixItems`",
                    "up to draft 2019-09 it may be a list; " + std::string(kDraftHint), kDraftOption);
      }
      if (!value->is(JsonType::kArray) && keyword == Keyword::kPrefixItems) {
        return fail(ErrorCode::kInvalidArgument, at, keyword, "must be an array of schemas");
      }
      for (const JsonValue& one : value->is(JsonType::kArray) ? value->items() : std::span(value, 1)) {
        if (auto done = enter(at, keyword, one, Where::kBelow); !done) return done;
      }
    }
    return {};
  }

  static constexpr std::array kConditionsOfNames{Keyword::kPatternProperties, Keyword::kPropertyNames};
  static constexpr std::array kMaps{Keyword::kProperties, Keyword::kPatternProperties, Keyword::kDependentSchemas,
                                    Keyword::kDependencies, Keyword::kDependentRequired};

  Result<void> check_names(const Place& at) {
    for (const Keyword keyword : kConditionsOfNames) {
      if (store_.find(at.schema, keyword) != nullptr) found_.follows_keys = true;
    }
    if (const JsonValue* names = store_.find(at.schema, Keyword::kRequired); names != nullptr) {
      if (!is_list_of_strings(*names)) {
        Error wrong = error(ErrorCode::kInvalidArgument, at, Keyword::kRequired, "must be an array of strings");
        if (names->is(JsonType::kBoolean)) wrong.hint = "put it into the object around it, as a list of names";
        return tl::unexpected(std::move(wrong));
      }
    }
    for (const Keyword keyword : kMaps) {
      const JsonValue* map = store_.find(at.schema, keyword);
      if (map == nullptr) continue;
      if (!map->is(JsonType::kObject)) return fail(ErrorCode::kInvalidArgument, at, keyword, "must be an object");
      const bool is_below = keyword == Keyword::kProperties || keyword == Keyword::kPatternProperties;
      const bool may_list = keyword == Keyword::kDependencies || keyword == Keyword::kDependentRequired;
      for (const JsonMember& member : map->members()) {
        if (keyword == Keyword::kPatternProperties) {
          if (auto done = check_pattern(at, keyword, member.key, member.key_where); !done) return done;
        }
        const bool is_name = keyword == Keyword::kDependencies && member.value.is(JsonType::kString);
        if (may_list && (is_name || is_list_of_strings(member.value))) continue;
        if (keyword == Keyword::kDependentRequired) {
          return fail(ErrorCode::kInvalidArgument, at, keyword, "must hold arrays of strings");
        }
        if (auto done = enter(at, keyword, member.value, is_below ? Where::kBelow : Where::kInPlace); !done)
          return done;
      }
    }
    return {};
  }

  static bool is_list_of_strings(const JsonValue& value) {
    return value.is(JsonType::kArray) && std::all_of(value.items().begin(), value.items().end(),
                                                     [](const JsonValue& v) { return v.is(JsonType::kString); });
  }

  // Refuses a schema that leads back to itself in place, because whether a value is valid under it is undefined, and
  // one that leads through more schemas in place than Limits::nesting: chains of references have no brackets that nest.
  Result<void> check_cycles() {
    std::sort(in_place_.begin(), in_place_.end());
    struct Open {
      std::uint32_t place;
      std::vector<Edge>::const_iterator next;  // the first edge that has not been followed
    };
    enum class State : std::uint8_t { kNew, kOpen, kDone };
    std::vector<State> states(visited_.size(), State::kNew);
    std::vector<std::uint32_t> levels(visited_.size(), 0);  // of the schemas in place within one
    std::vector<Open> path;
    const auto open = [&](std::uint32_t place) {
      states[place] = State::kOpen;
      path.push_back({place, std::ranges::lower_bound(std::as_const(in_place_), place, {}, &Edge::first)});
    };
    for (const Edge& start : in_place_) {
      if (states[start.first] == State::kNew) open(start.first);
      while (!path.empty()) {
        const std::uint32_t at = path.back().place;
        if (path.back().next == in_place_.cend() || path.back().next->first != at) {
          states[at] = State::kDone;
          path.pop_back();
          continue;
        }
        const std::uint32_t to = path.back().next->second;
        if (states[to] == State::kNew) {
          open(to);
          continue;
        }
        if (states[to] == State::kOpen) return tl::unexpected(leads_back(visited_[to].schema));
        ++path.back().next;
        levels[at] = std::max(levels[at], levels[to] + 1);
        if (levels[at] > base::most_levels(limits_.nesting)) return tl::unexpected(leads_too_far(visited_[at].schema));
      }
    }
    return {};
  }

  [[nodiscard]] Error leads_back(SchemaId schema) const {
    return {
        ErrorCode::kUnsupported,
        "the schema at `" + store_.location(schema) + "` leads back to itself with no item, member or name in between",
        store_.where(schema), "whether a value satisfies it cannot be told"};
  }

  [[nodiscard]] Error leads_too_far(SchemaId schema) const {
    return {ErrorCode::kLimitExceeded,
            "the schema at `" + store_.location(schema) + "` leads from schema to schema more than " +
                std::to_string(base::most_levels(limits_.nesting)) + " times with no item, member or name in between",
            store_.where(schema),
            {},
            "nesting"};
  }

  NumberLanguage& numbers() {
    if (!numbers_) numbers_.emplace(exprs_, number_spelling(options_), limits_);
    return *numbers_;
  }

  SchemaStore& store_;
  regex::ExprSet& exprs_;
  const JsonSchemaOptions& options_;
  const Limits& limits_;
  std::vector<Warning>& warnings_;
  std::optional<NumberLanguage> numbers_;
  std::uint64_t unmade_ = 0;    // no fewer than the expressions that the numbers so far would take
  std::vector<Place> visited_;  // all places, by their numbers
  base::FlatTable<base::NumberSlot> numbers_of_places_;
  std::vector<std::uint32_t> pending_;  // numbers of visited places that are still to be checked
  std::uint32_t current_ = 0;           // the number of the place that check() was called with
  std::vector<Edge> in_place_;          // which place leads to which in place; sorted by check_cycles()
  std::set<std::string> patterns_;      // that have been checked
  std::set<std::pair<base::Decimal, Keyword>> numbers_tested_;
  std::set<std::pair<SchemaId, Keyword>> old_;  // of which warn_of_old() has warned
  CheckedSchemas found_;
};

}  // namespace

Result<CheckedSchemas> check_schemas(SchemaStore& store, SchemaId root, regex::ExprSet& exprs,
                                     const JsonSchemaOptions& options, const Limits& limits,
                                     std::vector<Warning>& warnings, std::vector<SchemaPlace>* places) {
  if (auto strings = offered_strings(exprs, options, {}, limits); !strings) {
    return tl::unexpected(std::move(strings.error()));
  }
  Checker checker(store, exprs, options, limits, warnings);
  Result<CheckedSchemas> found = checker.run(root);
  if (found && places != nullptr) *places = checker.places();
  return found;
}

WEIR_REPLACEABLE void check_unused_schemas(SchemaStore& store, const std::vector<SchemaPlace>& reachable,
                                           regex::ExprSet& exprs, const JsonSchemaOptions& options,
                                           const Limits& limits, std::vector<Warning>& warnings) {
  Checker(store, exprs, options, limits, warnings).run_unused(reachable);
}

}  // namespace weir::frontend::json_schema
