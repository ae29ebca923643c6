#include "frontend/json_schema/json_schema.h"

#include <memory>
#include <string>
#include <utility>

#include "base/limit_error.h"
#include "base/replaceable.h"
#include "base/threads.h"
#include "frontend/json_schema/model/plain_schema.h"
#include "frontend/json_schema/model/search_bounds.h"
#include "frontend/json_schema/rules/key_guard.h"
#include "frontend/json_schema/rules/schema_check.h"
#include "frontend/json_schema/rules/schema_rules.h"
#include "frontend/json_schema/rules/yaml_guard.h"
#include "frontend/json_schema/schema_review.h"
#include "frontend/json_schema/source/documents.h"
#include "frontend/json_schema/source/json_pointer.h"
#include "frontend/json_schema/source/schema_store.h"
#include "frontend/json_schema/values/layout.h"
#include "grammar/growth.h"

namespace weir::frontend::json_schema {

// Where other text surrounds YAML, it is not known where a document begins, and rules look back to that.
WEIR_REPLACEABLE std::optional<Error> refuse_yaml(Placement placement) {
  if (placement == Placement::kWholeText) return std::nullopt;
  Error error{ErrorCode::kUnsupported,
              "`notation` = yaml is for whole outputs: other text surrounds this schema's value",
              {},
              "leave `notation` out, or compile the schema by itself"};
  error.options = "notation";
  return error;
}

}  // namespace weir::frontend::json_schema

namespace weir::frontend {

namespace {

using namespace json_schema;  // NOLINT(google-build-using-namespace): this file is its facade

bool is_yaml(const JsonSchemaOptions& options) { return options.notation == JsonSchemaOptions::Notation::kYaml; }

class SchemaSource : public grammar::RuleSource {
 public:
  static Result<std::shared_ptr<SchemaSource>> make(std::string_view text, const JsonSchemaOptions& options,
                                                    Placement placement, const Argument& argument,
                                                    const Limits& limits) {
    constexpr std::uint32_t kDigitsOfDoubles = 324;  // of the smallest magnitude, written out
    if (options.numbers == JsonSchemaOptions::Numbers::kDouble && limits.repeat_count < kDigitsOfDoubles) {
      return tl::unexpected(base::limit_error(
          "the range of a double, with numbers of " + std::to_string(kDigitsOfDoubles) + " digits,", "repeat_count"));
    }
    auto source = std::make_shared<SchemaSource>(options, placement, argument, limits);
    if (auto done = add_documents(source->registry_, options, limits, text); !done) {
      return tl::unexpected(std::move(done.error()));
    }
    Result<JsonDocument> document = JsonDocument::parse(text, limits);
    if (!document) return tl::unexpected(std::move(document.error()));
    source->document_ = std::make_shared<const JsonDocument>(std::move(*document));
    return source;
  }

  SchemaSource(JsonSchemaOptions options, Placement placement, Argument argument, const Limits& limits)
      : options_(std::move(options)), placement_(placement), argument_(std::move(argument)), limits_(limits) {}

  [[nodiscard]] std::unique_ptr<grammar::RuleMaker> maker(regex::ExprSet& exprs) const override {
    Result<Loaded> loaded = take_or_load();
    Result<Layout> layout = Layout::make(exprs, options_, limits_);
    if (!loaded || !layout) return nullptr;  // cannot fail: read() has already loaded the same schema and layout
    return rules(std::move(*loaded), std::move(*layout), exprs);
  }

  [[nodiscard]] bool follows_text() const override {
    return follows_text_ || placement_ == Placement::kEmbedded || is_yaml(options_);
  }

  [[nodiscard]] std::unique_ptr<grammar::TextGuard> guard(const base::QuotingTokens& tokens) const override {
    if (placement_ == Placement::kEmbedded) return nullptr;
    return is_yaml(options_) ? make_yaml_guard(tokens) : std::make_unique<KeyGuard>(tokens);
  }

  [[nodiscard]] bool may_begin(std::uint32_t handle, std::string_view text) const override {
    if (handle != SchemaRules::kRoot || is_yaml(options_) || !argument_.end.empty() || text.empty()) return true;
    for (const std::string_view word : {"true", "false", "null"}) {
      if (text.starts_with(word) || word.starts_with(text)) return true;
    }
    return std::string_view("{[\"-0123456789").find(text.front()) != std::string_view::npos;
  }

  struct Loaded {
    std::unique_ptr<SchemaStore> store;
    SchemaId root{};
    std::unique_ptr<SchemaRules> computed = nullptr;  // rules without their store, if there were any
    std::vector<SchemaPlace> long_enums = {};
  };

  [[nodiscard]] const std::shared_ptr<const JsonDocument>& document() const { return document_; }

  /// Loads and checks the schema. Call it before any other member function. `places` as in check_schemas().
  Result<Loaded> check(regex::ExprSet& exprs, std::vector<Warning>& warnings,
                       std::vector<SchemaPlace>* places = nullptr) {
    Result<Loaded> loaded = load();
    if (!loaded) return tl::unexpected(std::move(loaded.error()));
    std::vector<SchemaPlace> all;
    if (places == nullptr) places = &all;
    const Result<CheckedSchemas> done =
        check_schemas(*loaded->store, loaded->root, exprs, options_, limits_, warnings, places);
    warnings.insert(warnings.end(), loaded->store->warnings().begin(), loaded->store->warnings().end());
    if (!done) return tl::unexpected(done.error());
    follows_text_ = done->follows_items || done->follows_keys;
    for (const SchemaPlace& place : *places) {
      const auto is_long = [&](Keyword keyword) {
        const JsonValue* const list = loaded->store->find(place.schema, keyword);
        if (list == nullptr || list->items().size() < kLongEnum) return false;
        const JsonValue& first = list->items().front();
        return keyword == Keyword::kEnum || first.find("const") != nullptr || first.find("enum") != nullptr;
      };
      if (is_long(Keyword::kEnum) || is_long(Keyword::kAnyOf) || is_long(Keyword::kOneOf)) {
        loaded->long_enums.push_back(place);
      }
    }
    return loaded;
  }

  /// Returns rules for the schema, for questions at compile time; maker() makes those of a parser.
  std::unique_ptr<SchemaRules> rules(Loaded loaded, Layout layout, regex::ExprSet& exprs) const {
    return std::make_unique<SchemaRules>(std::move(loaded.store), loaded.root, options_, std::move(layout), placement_,
                                         argument_, exprs, limits_, loaded.computed.get());
  }

  /// Stores a loaded schema for the first call of maker(), which then need not load it again, nor compute again what its
  /// sets are: a long `enum` takes most of the time of compiling. Most sources make one maker only.
  void keep(Loaded loaded) const {
    const MutexLock lock(mutex_);
    kept_ = std::move(loaded);
  }

 private:
  [[nodiscard]] Result<Loaded> take_or_load() const {
    {
      const MutexLock lock(mutex_);
      if (kept_.store != nullptr) return std::move(kept_);
    }
    return load();
  }

  [[nodiscard]] Result<Loaded> load() const {
    auto store = std::make_unique<SchemaStore>(registry_, limits_);
    const Result<SchemaId> root = store->load(document_, load_options(options_));
    if (!root) return tl::unexpected(root.error());
    return Loaded{std::move(store), *root};
  }

  std::shared_ptr<const JsonDocument> document_;  // the schema; all stores share it
  JsonSchemaOptions options_;
  Placement placement_;
  Argument argument_;
  Limits limits_;
  SchemaRegistry registry_;
  bool follows_text_ = false;
  mutable Mutex mutex_;
  mutable Loaded kept_;
};

Result<void> check_limit(SchemaRules& rules, std::string_view text) {
  const base::Limit met = rules.algebra().limit_hit();
  if (met == base::Limit::kNone) return {};
  const std::optional<SchemaId> last = rules.algebra().last_schema();
  Error error = base::limit_error("the search for a valid value", base::field_name(met),
                                  last ? rules.store().where(*last) : SourceRange{0, text.size()});
  if (last) error.message += ", at `" + rules.store().location(*last) + "`";
  return tl::unexpected(std::move(error));
}

Result<void> check_satisfiable(SchemaRules& rules, std::string_view text, const JsonSchemaOptions& options,
                               const Reading& reading) {
  const bool has_member = rules.witness().has_member(rules.root());
  if (auto done = check_limit(rules, text); !done || has_member) return done;
  if (reading.review == nullptr) {
    return tl::unexpected(Error{ErrorCode::kUnsatisfiable, "no value is valid under the schema", {0, text.size()}});
  }
  return tl::unexpected(
      reading.review->unsatisfiable(rules.store(), rules.schema(), rules.algebra().exprs(), options, reading.limits));
}

std::nullopt_t fail_in(std::string_view text, Error error, Reading& reading) {
  if (const auto document = JsonDocument::parse(text, reading.limits)) {
    error.pointer = pointer_at(document->root(), error.where);
  }
  return reading.fail(std::move(error));
}

/// Adds the warnings that only a check computes. The search uses an ExprSet of its own, so the grammar's does not grow.
void add_check_warnings(SchemaSource& source, const JsonSchemaOptions& options, Reading& reading) {
  regex::ExprSet exprs(reading.limits.regex_nodes);
  std::vector<Warning> known;
  std::vector<SchemaPlace> places;
  const Result<SchemaSource::Loaded> loaded = source.check(exprs, known, &places);
  if (!loaded) return;
  reading.review->warn_of_content(*loaded->store, places, options, reading.limits, reading.warnings);
}

/// Loads and checks the schema of `source`, and adds the warnings that compiling reports.
Result<SchemaSource::Loaded> check(SchemaSource& source, Reading& reading) {
  if (reading.review == nullptr) return source.check(reading.grammar.exprs, reading.warnings);
  std::vector<SchemaPlace> places;
  Result<SchemaSource::Loaded> loaded = source.check(reading.grammar.exprs, reading.warnings, &places);
  if (loaded) reading.review->warn_of_style(*loaded->store, places, reading.warnings);
  return loaded;
}

Result<void> check_argument(SchemaRules& rules, const Argument& argument, std::string_view text) {
  const bool has_argument = rules.has_argument();
  if (auto done = check_limit(rules, text); !done || has_argument) return done;
  return tl::unexpected(Error{ErrorCode::kUnsatisfiable, "no value can stand before `" + argument.end + "`",
                              SourceRange{0, text.size()}});
}

enum class Purpose : bool { kCheck, kRules };

std::optional<grammar::RuleId> read(std::string_view text, const JsonSchemaOptions& options, Placement placement,
                                    const Argument& argument, Reading& reading, Purpose purpose = Purpose::kRules) {
  const auto fail = [&](Error error) { return fail_in(text, std::move(error), reading); };
  if (is_yaml(options)) {
    if (std::optional<Error> refused = refuse_yaml(placement)) return reading.fail(*std::move(refused));
  }
  if (placement == Placement::kWholeText) {
    if (std::optional<Error> useless = option_without_effect(options)) return reading.fail(*std::move(useless));
  }
  Result<std::shared_ptr<SchemaSource>> source = SchemaSource::make(text, options, placement, argument, reading.limits);
  if (!source) return fail(std::move(source.error()));
  reading.schema = (*source)->document();
  grammar::Grammar& grammar = reading.grammar;
  Result<SchemaSource::Loaded> loaded = check(**source, reading);
  if (!loaded) return fail(std::move(loaded.error()));
  Result<Layout> layout = Layout::make(grammar.exprs, options, reading.limits);
  if (!layout) return fail(std::move(layout.error()));
  const bool has_doubt = !argument.end.empty() || !options.characters.empty() ||
                         !is_obviously_satisfiable(loaded->store->json(loaded->root));
  if (has_doubt || (purpose == Purpose::kRules && !loaded->long_enums.empty())) {
    const SchemaId schema = loaded->root;
    const std::vector<SchemaPlace> long_enums = std::move(loaded->long_enums);
    std::unique_ptr<SchemaRules> rules = (*source)->rules(std::move(*loaded), *layout, grammar.exprs);
    if (has_doubt) {
      if (auto done = check_satisfiable(*rules, text, options, reading); !done) return fail(std::move(done.error()));
    }
    if (!argument.end.empty()) {
      if (auto done = check_argument(*rules, argument, text); !done) return fail(std::move(done.error()));
    }
    if (purpose == Purpose::kRules) rules->read_values(long_enums);
    loaded->store = rules->take_store();
    loaded->root = schema;
    loaded->computed = std::move(rules);
  }
  (*source)->keep(std::move(*loaded));

  if (reading.is_check && reading.review != nullptr) add_check_warnings(**source, options, reading);

  const SourceRange where{0, text.size()};
  std::vector<grammar::NodeId> parts;
  const auto add_blanks = [&] {
    const regex::ExprId blanks = layout->around().texts;
    if (blanks == regex::ExprId::kEpsilon) return;
    parts.push_back(grammar.add_terminal({blanks, base::LexemeMode::kExact, "whitespace", where}));
  };
  const auto add_optional = [&](regex::ExprId expr) {
    expr = grammar.exprs.repeat(expr, 0, 1);
    parts.push_back(grammar.add_terminal({expr, base::LexemeMode::kExact, "document", where}));
  };
  if (is_yaml(options)) add_optional(grammar.exprs.literal("---\n"));
  if (options.leading_whitespace) add_blanks();
  parts.push_back(grammar.add_lazy(*source, SchemaRules::kRoot, where));
  if (is_yaml(options)) {
    const grammar::NodeId on_line[] = {
        grammar.add_terminal({grammar.exprs.literal("--- "), base::LexemeMode::kExact, "document", where}),
        grammar.add_lazy(*source, SchemaRules::kRootOnLine, where)};
    const grammar::NodeId ways[] = {grammar.add_sequence(parts, where), grammar.add_sequence(on_line, where)};
    parts = {grammar.add_choice(ways, where)};
  }
  if (options.trailing_whitespace) add_blanks();
  if (is_yaml(options)) {
    add_optional(grammar.exprs.alternation(grammar.exprs.literal("\n"), grammar.exprs.literal("\n...\n")));
  }
  grammar::Rule root;
  root.name = "root";
  root.where = where;
  root.defined = true;
  root.body = grammar.add_sequence(parts, where);
  return grammar.add_rule(std::move(root));
}

}  // namespace

std::optional<grammar::RuleId> read_json_schema(std::string_view text, const JsonSchemaOptions& options,
                                                Placement placement, Reading& reading) {
  return read(text, options, placement, {}, reading);
}

bool check_json_schema(std::string_view text, const JsonSchemaOptions& options, Placement placement, Reading& reading) {
  return read(text, options, placement, {}, reading, Purpose::kCheck).has_value();
}

std::optional<grammar::RuleId> read_argument_schema(std::string_view text, const JsonSchemaOptions& options,
                                                    const Argument& argument, Reading& reading) {
  return read(text, options, Placement::kEmbedded, argument, reading);
}

std::optional<grammar::NodeId> read_bare_strings(std::string_view text, const JsonSchemaOptions& options,
                                                 const std::string& end, bool on_lines, Reading& reading) {
  const Argument argument{end, Argument::Values::kStrings, on_lines};
  const auto fail = [&](Error error) { return fail_in(text, std::move(error), reading); };
  const Result<std::shared_ptr<SchemaSource>> source =
      SchemaSource::make(text, options, Placement::kEmbedded, argument, reading.limits);
  if (!source) return fail(source.error());
  grammar::Grammar& grammar = reading.grammar;
  Result<SchemaSource::Loaded> loaded = check(**source, reading);
  if (!loaded) return fail(std::move(loaded.error()));
  Result<Layout> layout = Layout::make(grammar.exprs, options, reading.limits);
  if (!layout) return fail(std::move(layout.error()));
  const std::unique_ptr<SchemaRules> rules = (*source)->rules(std::move(*loaded), std::move(*layout), grammar.exprs);
  if (auto done = check_satisfiable(*rules, text, options, reading); !done) {
    return fail(std::move(done.error()));
  }
  if (auto done = check_argument(*rules, argument, text); !done) return fail(std::move(done.error()));
  const SourceRange where{0, text.size()};
  return grammar.add_terminal({rules->argument_strings(), base::LexemeMode::kExact, "string", where});
}

Result<grammar::Grammar> json_schema_grammar(std::string_view text, const JsonSchemaOptions& options,
                                             const Limits& limits, std::vector<Warning>& warnings,
                                             const SchemaReview* review) {
  grammar::Grammar grammar(limits.regex_nodes);
  Reading reading{grammar, limits, review};
  const std::optional<grammar::RuleId> rule = read_json_schema(text, options, Placement::kWholeText, reading);
  warnings.insert(warnings.end(), reading.warnings.begin(), reading.warnings.end());
  if (!rule) return tl::unexpected(std::move(reading.errors.front()));
  grammar.start = *rule;
  return grammar;
}

}  // namespace weir::frontend
