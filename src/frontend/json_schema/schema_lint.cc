#include "frontend/json_schema/schema_lint.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "frontend/json_schema/contradiction.h"
#include "frontend/json_schema/schema_meaning.h"
#include "frontend/json_schema/schema_rules.h"
#include "frontend/json_schema/witness.h"

namespace weir::frontend::json_schema {

namespace {

constexpr std::size_t kMostFindings = 20;
constexpr std::uint64_t kStepsOfAQuestion = 20'000;
constexpr std::size_t kMostMade = 200'000;  // expressions, in all

class DeadSchemas {
 public:
  DeadSchemas(SchemaStore& store, const JsonSchemaOptions& options, const Limits& limits,
              std::vector<Warning>& warnings)
      : store_(store),
        options_(options),
        limits_(limits),
        exprs_(limits.regex_nodes),
        algebra_(exprs_, number_spelling(options), string_spelling(options), limits_of_a_question(limits),
                 {[this](SchemaId schema, ScopeId scope) { return meaning_.shape(schema, scope); },
                  [this](SchemaId schema) { return meaning_.is_plain(schema); }}),
        witness_(algebra_),
        meaning_(store, algebra_, witness_.derivation(), options),
        warnings_(warnings) {}

  void run(std::vector<SchemaPlace> places) {
    // The innermost first, for what it leaves of those around it needs no word; what only refers to another one last.
    const auto order = [&](const SchemaPlace& at) {
      const SourceRange where = store_.json(at.schema).where();
      return std::tuple(store_.find(at.schema, Keyword::kRef) != nullptr, where.end - where.start, at);
    };
    std::sort(places.begin(), places.end(),
              [&](const SchemaPlace& a, const SchemaPlace& b) { return order(a) < order(b); });
    std::set<SchemaId> alive;  // in some scope
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
      if (!dead_.contains(at.schema)) look_at_branches(at);
    }
  }

 private:
  static Limits limits_of_a_question(Limits limits) {
    limits.schema_steps = std::min(limits.schema_steps, kStepsOfAQuestion);
    return limits;
  }

  /// Nullopt where it takes too long to tell.
  std::optional<bool> has_member(SetId set) {
    if (algebra_.total_steps() > limits_.schema_steps || exprs_.node_count() > kMostMade) return std::nullopt;
    algebra_.reset_steps();
    const bool found = witness_.has_member(set);
    if (algebra_.limit_hit() != base::Limit::kNone) return std::nullopt;
    return found;
  }

  bool has_room() { return asked_++ < 2 * kMostFindings && found_ < kMostFindings; }

  void warn_of(const SchemaPlace& at) {
    if (store_.json(at.schema).is(JsonType::kBoolean) || told_.contains(at.schema) || !has_room()) return;
    report(at, "no value is valid under `" + store_.location(at.schema) + "`",
           find_contradiction(store_, {at}, exprs_, options_, limits_));
  }

  void report(const SchemaPlace& at, std::string message, Contradiction why) {
    const bool is_told = std::any_of(why.schemas.begin(), why.schemas.end(),
                                     [&](SchemaId s) { return s != at.schema && told_.contains(s); });
    told_.insert(at.schema);
    // With it, all is said of those that are to blame for it.
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

  void look_at_branches(const SchemaPlace& at) {
    for (const Keyword keyword : {Keyword::kAnyOf, Keyword::kOneOf}) {
      const JsonValue* branches = store_.find(at.schema, keyword);
      if (branches == nullptr) continue;
      const std::vector<SchemaPlace> places = branches_of(at, *branches);
      for (const SchemaPlace& branch : places) {
        if (dead_.contains(branch.schema)) continue;
        const SetId both = algebra_.meet(meaning_.set(at.schema, at.scope), meaning_.set(branch.schema, branch.scope));
        if (has_member(both) != false || !has_room()) continue;
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

  /// Warns of a branch of `oneOf` all of whose values another one has, too.
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
                               "` where it stands: all that are valid under it are under `" + there +
                               "`, too, and `oneOf` asks for exactly one",
                           store_.where(branch.schema),
                           "`anyOf` asks for one or more",
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
  std::set<SchemaId> told_;  // of which all is said
  std::size_t asked_ = 0;
  std::size_t found_ = 0;
};

}  // namespace

void warn_of_dead_schemas(SchemaStore& store, const std::vector<SchemaPlace>& places, const JsonSchemaOptions& options,
                          const Limits& limits, std::vector<Warning>& warnings) {
  DeadSchemas(store, options, limits, warnings).run(places);
}

}  // namespace weir::frontend::json_schema
