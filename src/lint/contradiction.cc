#include "lint/contradiction.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/json_schema/model/schema_meaning.h"
#include "frontend/json_schema/model/witness.h"
#include "frontend/json_schema/rules/schema_rules.h"
#include "lint/search_bounds.h"

namespace weir::frontend::json_schema {

namespace {

constexpr std::size_t kNamedInMessage = 4;
constexpr std::size_t kLongestValue = 32;

/// A keyword of a schema; kSchema stands for the whole schema.
struct Constraint {
  SchemaId schema;
  ScopeId scope;
  Keyword keyword;
  [[nodiscard]] bool is_whole() const { return keyword == Keyword::kSchema; }
  [[nodiscard]] std::pair<SchemaId, Keyword> key() const { return {schema, keyword}; }
};

class ContradictionFinder {
 public:
  ContradictionFinder(SchemaStore& store, std::vector<SchemaPlace> roots, regex::ExprSet& exprs,
                      const JsonSchemaOptions& options, const Limits& limits)
      : store_(store), roots_(std::move(roots)), exprs_(exprs), options_(options), limits_(limits) {
    limits_.schema_steps = std::min(limits_.schema_steps, lint::kSearchSteps);
  }

  /// Returns true if some value is valid without the option `characters`: then that is a part of the contradiction.
  [[nodiscard]] bool is_due_to_characters() {
    if (options_.characters.empty()) return false;
    offers_all_ = true;
    trials_ = 0;
    return !is_empty_without({}, 0);
  }

  std::vector<Constraint> run() {
    if (!is_empty_without({}, 0)) return {};  // one trial has not enough steps
    for (const SchemaPlace& root : roots_) add(root.schema, root.scope);
    reduce();
    // Replace whole schemas by their keywords where that names the contradiction more precisely.
    for (std::size_t i = 0; i < constraints_.size() && trials_ < lint::kMaxTrials;) {
      const Constraint at = constraints_[i];
      if (!opened_.insert(at.key()).second || !open(at)) {
        ++i;
        continue;
      }
      reduce();
      i = 0;
    }
    return constraints_;
  }

 private:
  /// Runs a trial: returns true if no value is valid even without the `count` constraints from `first` on.
  bool is_empty_without(const std::vector<Constraint>& constraints, std::size_t first, std::size_t count = 0) {
    if (++trials_ > lint::kMaxTrials) return false;
    SchemaMeaning::LeftOut left_out = left_out_;
    for (std::size_t i = first; i < first + count; ++i) left_out.insert(constraints[i].key());
    SchemaMeaning* meaning = nullptr;
    Algebra algebra(exprs_, number_spelling(options_), string_spelling(options_), limits_,
                    {[&](SchemaId schema, ScopeId scope) { return meaning->shape(schema, scope); },
                     [&](SchemaId schema) { return meaning->is_plain(schema); }});
    Witness witness(algebra);
    if (!offers_all_) offer_strings(algebra, store_, options_);
    SchemaMeaning without(store_, algebra, witness.derivation(), options_, &left_out);
    meaning = &without;
    std::vector<SetId> sets;
    for (const SchemaPlace& root : roots_) sets.push_back(without.set(root.schema, root.scope));
    const bool has_member = witness.has_member(algebra.meet(std::move(sets)));
    return !has_member && algebra.limit_hit() == base::Limit::kNone;
  }

  /// Removes the constraints without which there is still no valid value.
  void reduce() {
    for (std::size_t size = std::max<std::size_t>(constraints_.size() / 2, 1); size > 0; size /= 2) {
      for (std::size_t i = 0; i < constraints_.size();) {
        const std::size_t count = std::min(size, constraints_.size() - i);
        if (!is_empty_without(constraints_, i, count)) {
          i += count;
          continue;
        }
        const auto begin = constraints_.begin() + static_cast<std::ptrdiff_t>(i);
        const auto end = begin + static_cast<std::ptrdiff_t>(count);
        for (auto one = begin; one != end; ++one) left_out_.insert(one->key());
        constraints_.erase(begin, end);
      }
    }
  }

  /// Replaces a constraint by its parts. Returns false, and changes nothing, if it has none or they do not explain the
  /// contradiction.
  bool open(const Constraint& at) {
    const std::vector<Constraint> before = constraints_;
    std::erase_if(constraints_, [&](const Constraint& c) { return c.key() == at.key(); });
    const std::size_t kept = constraints_.size();
    if (at.is_whole()) {
      added_.erase(at.key());
      add(at.schema, at.scope);
    } else if (at.keyword == Keyword::kContains) {
      add_inside(at, *store_.find(at.schema, at.keyword));
    } else if (at.keyword == Keyword::kAnyOf) {
      const JsonValue& branches = *store_.find(at.schema, at.keyword);
      if (branches.items().size() <= lint::kMaxNamedAlternatives) {
        for (const JsonValue& branch : branches.items()) add_inside(at, branch);
      }
    }
    // Parts that are not listed stay in force. Leaving out all listed parts must make some value valid.
    const bool says_more =
        constraints_.size() > kept && !is_empty_without(constraints_, kept, constraints_.size() - kept);
    if (!says_more) constraints_ = before;
    return says_more;
  }

  void add(const Constraint& one) {
    if (added_.insert(one.key()).second) constraints_.push_back(one);
  }
  void add_inside(const Constraint& parent, const JsonValue& value) {
    const Result<SchemaId> schema = store_.subschema(parent.schema, value);
    if (schema) add(*schema, store_.enter(parent.scope, *schema));
  }
  void add_whole(SchemaId parent, ScopeId scope, const JsonValue& value) {
    const Result<SchemaId> schema = store_.subschema(parent, value);
    if (schema) add({*schema, store_.enter(scope, *schema), Keyword::kSchema});
  }

  /// Adds as constraints the keywords of a schema, those of schemas that it includes by `allOf` or a reference, and the
  /// schemas of its members and items as a whole.
  void add(SchemaId root, ScopeId root_scope) {
    std::vector<std::pair<SchemaId, ScopeId>> open{{root, root_scope}};
    while (!open.empty()) {
      const auto [schema, scope] = open.back();
      open.pop_back();
      if (!visited_.insert({schema, scope}).second) continue;
      const JsonValue& json = store_.json(schema);
      if (json.is(JsonType::kBoolean)) {
        if (!json.boolean()) add({schema, scope, Keyword::kSchema});
        continue;
      }
      for (unsigned i = 0; i <= static_cast<unsigned>(Keyword::kExamples); ++i) {
        const auto keyword = Keyword(i);
        if (const JsonValue* value = store_.find(schema, keyword)) add_keyword({schema, scope, keyword}, *value, open);
      }
    }
  }

  void add_keyword(const Constraint& at, const JsonValue& value, std::vector<std::pair<SchemaId, ScopeId>>& open) {
    switch (at.keyword) {
      case Keyword::kRef:
      case Keyword::kDynamicRef:
      case Keyword::kRecursiveRef:
        if (const auto target = store_.follow(at.schema, at.keyword, at.scope)) {
          open.emplace_back(target->schema, target->scope);
        }
        break;
      case Keyword::kAllOf:
        for (const JsonValue& one : value.items()) {
          const Result<SchemaId> schema = store_.subschema(at.schema, one);
          if (schema) open.emplace_back(*schema, store_.enter(at.scope, *schema));
        }
        break;
      case Keyword::kProperties:
      case Keyword::kPatternProperties:
        for (const JsonMember& member : value.members()) add_whole(at.schema, at.scope, member.value);
        break;
      case Keyword::kPrefixItems:
      case Keyword::kItems:
        if (value.is(JsonType::kArray)) {
          for (const JsonValue& one : value.items()) add_whole(at.schema, at.scope, one);
          break;
        }
        [[fallthrough]];
      case Keyword::kAdditionalItems:
      case Keyword::kAdditionalProperties:
      case Keyword::kUnevaluatedItems:
      case Keyword::kUnevaluatedProperties:
      case Keyword::kPropertyNames: add_whole(at.schema, at.scope, value); break;
      case Keyword::kSchema:
      case Keyword::kVocabulary:
      case Keyword::kId:
      case Keyword::kAnchor:
      case Keyword::kDynamicAnchor:
      case Keyword::kRecursiveAnchor:
      case Keyword::kDefs:
      case Keyword::kDefinitions:
      case Keyword::kComment: break;
      default:
        if (at.keyword < Keyword::kContentEncoding) add(at);  // later keywords are annotations
        break;
    }
  }

  SchemaStore& store_;
  std::vector<SchemaPlace> roots_;
  regex::ExprSet& exprs_;
  const JsonSchemaOptions& options_;
  Limits limits_;
  std::vector<Constraint> constraints_;  // those that may be part of the contradiction
  SchemaMeaning::LeftOut left_out_;
  std::set<std::pair<SchemaId, Keyword>> added_;
  std::set<std::pair<SchemaId, Keyword>> opened_;
  std::set<std::pair<SchemaId, ScopeId>> visited_;
  unsigned trials_ = 0;
  bool offers_all_ = false;  // trials ignore the option `characters`
};

/// Returns the location of a note with its value if that is short: "`#/minLength` (5)".
std::string in_words(const ErrorNote& note, std::string_view text) {
  const std::string_view value = text.substr(note.where.start, note.where.end - note.where.start);
  const bool is_short = !value.empty() && value.size() <= kLongestValue && value.find('\n') == std::string_view::npos;
  return "`" + note.location + "`" + (is_short ? " (" + std::string(value) + ")" : "");
}

/// Returns a hint if the constraint is a schema that refers to a schema around it; else "".
std::string hint_about_recursion(SchemaStore& store, const Constraint& one) {
  if (!one.is_whole()) return {};
  for (const Keyword keyword : {Keyword::kRef, Keyword::kDynamicRef, Keyword::kRecursiveRef}) {
    if (store.find(one.schema, keyword) == nullptr) continue;
    const auto target = store.follow(one.schema, keyword, one.scope);
    if (!target) continue;
    const std::string from = store.location(one.schema);
    const std::string to = store.location(target->schema);
    if (!from.starts_with(to + "/")) continue;
    return "`" + from + "` refers to `" + to +
           "`, in which it stands: where such a value is required, another one is required in it, without end";
  }
  return {};
}

// Returns a hint if the constraint asks for more than any text has; otherwise an empty text.
std::string hint_about_count(SchemaStore& store, const Constraint& one) {
  if (one.is_whole()) return {};
  for (const Keyword keyword :
       {Keyword::kMinItems, Keyword::kMinLength, Keyword::kMinProperties, Keyword::kMinContains}) {
    if (one.keyword != keyword) continue;
    const JsonValue* count = store.find(one.schema, keyword);
    if (count == nullptr || !count->is(JsonType::kNumber)) continue;
    if (count->number().to_uint64().value_or(UINT64_MAX) < regex::kUnbounded) continue;
    return "no text has so many: counts are below " + std::to_string(regex::kUnbounded);
  }
  return {};
}

}  // namespace

const ErrorNote* Contradiction::first_in_text() const {
  // Notes without a range, those of other documents, are sorted first.
  const auto first =
      std::find_if(notes.begin(), notes.end(), [](const ErrorNote& note) { return note.where.end > note.where.start; });
  return first == notes.end() ? nullptr : &*first;
}

Contradiction find_contradiction(SchemaStore& store, std::vector<SchemaPlace> schemas, regex::ExprSet& exprs,
                                 const JsonSchemaOptions& options, const Limits& limits) {
  Contradiction found;
  ContradictionFinder finder(store, std::move(schemas), exprs, options, limits);
  const std::vector<Constraint> constraints = finder.run();
  for (const Constraint& one : constraints) {
    found.schemas.push_back(one.schema);
    found.notes.push_back(store.note(one.schema, one.is_whole() ? std::nullopt : std::optional(one.keyword)));
    if (found.hint.empty()) found.hint = hint_about_recursion(store, one);
    if (found.hint.empty()) found.hint = hint_about_count(store, one);
  }
  if (constraints.empty()) return found;
  const Constraint& only = constraints.front();
  found.is_plain_false =
      constraints.size() == 1 &&
      (only.keyword == Keyword::kNot || (only.is_whole() && store.json(only.schema).is(JsonType::kBoolean)));
  std::vector<ErrorNote>& notes = found.notes;
  std::stable_sort(notes.begin(), notes.end(),
                   [](const ErrorNote& a, const ErrorNote& b) { return a.where.start < b.where.start; });
  const std::string_view text = store.text();
  const std::size_t count = notes.size();
  const std::size_t named = count <= kNamedInMessage + 1 ? count : kNamedInMessage;
  found.is_due_to_characters = finder.is_due_to_characters();
  found.reason = ": ";
  if (found.is_due_to_characters) {
    found.reason += "the option `characters` (" + options.characters + ")" + (count > 1 ? ", " : " and ");
  }
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) found.reason += i + 1 == count ? " and " : ", ";
    found.reason += in_words(notes[i], text);
  }
  if (named < count) found.reason += " and " + std::to_string(count - named) + " others";
  found.reason += count == 1 && !found.is_due_to_characters ? " allows none" : " contradict each other";
  for (ErrorNote& note : notes) note.message = in_words(note, text) + " is one of them";
  return found;
}

Error contradiction(SchemaStore& store, SchemaId root, regex::ExprSet& exprs, const JsonSchemaOptions& options,
                    const Limits& limits) {
  Contradiction found = find_contradiction(store, {{root, store.enter(ScopeId::kEmpty, root)}}, exprs, options, limits);
  Error error{ErrorCode::kUnsatisfiable, "no value is valid under the schema" + found.reason, store.json(root).where()};
  if (const ErrorNote* first = found.first_in_text()) error.where = first->where;
  if (found.is_due_to_characters) error.options = "characters";
  error.hint = std::move(found.hint);
  error.notes = std::move(found.notes);
  return error;
}

}  // namespace weir::frontend::json_schema
