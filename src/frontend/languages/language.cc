#include "frontend/languages/language.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/replaceable.h"
#include "base/utf8.h"
#include "frontend/languages/sql_names.h"
#include "frontend/languages/tables.h"
#include "frontend/text.h"
#include "grammar/suggest.h"

namespace weir::frontend {

namespace {

// The first line of data/languages/sql/names.ebnf: before it, a dialect of SQL has the rules that do not depend on which
// names there are.
constexpr std::string_view kNamesBegin = "# --- Names of tables and columns, whatever there are ---\n";

const Language* language_named(std::string_view name) {
  for (const Language& language : languages()) {
    if (language.name == name) return &language;
  }
  return nullptr;
}

std::nullopt_t refuse(Reading& reading, std::string option, std::string message, std::string hint = {}) {
  Error error{ErrorCode::kInvalidArgument, std::move(message), {}, std::move(hint)};
  error.options = std::move(option);
  return reading.fail(std::move(error));
}

// An option that says how a grammar's text is read, while a language has its own.
const char* option_without_effect_on(const GrammarTextOptions& options) {
  return options.syntax != GrammarSyntax::kEbnf       ? "syntax"
         : options.exact_splits                       ? "exact_splits"
         : options.keep_endless                       ? "keep_endless"
         : !options.grammars.empty()                  ? "grammars"
         : options.json_schema != JsonSchemaOptions() ? "json_schema"
         : !options.indenter.empty()                  ? "indenter"
                                                      : nullptr;
}

// Says which start rules docs/languages.md names.
std::string start_rules(const Language& language) {
  if (language.name == "python") return "a module is the whole of it";
  return std::string("choose `statement`, `query`, `insert`, `update`, `delete`") +
         (language.name == "postgresql" ? ", `merge`" : "") + " or `expr`; without a start rule, a script is read";
}

// How much a grammar has of each kind.
struct Sizes {
  explicit Sizes(const grammar::Grammar& of)
      : nodes(of.nodes.size()), rules(of.rules.size()), terminals(of.terminals.size()), sets(of.token_sets.size()) {}
  std::size_t nodes;
  std::size_t rules;
  std::size_t terminals;
  std::size_t sets;
};

// Makes what was added since `before` a part that nobody sees: clears positions, which refer to the text of the
// language, and keeps unused rules from being reported.
void hide(grammar::Grammar& ir, const Sizes& before) {
  for (std::size_t i = before.nodes; i < ir.nodes.size(); ++i) ir.nodes[i].where = {};
  for (std::size_t i = before.rules; i < ir.rules.size(); ++i) {
    ir.rules[i].where = {};
    ir.rules[i].absorbed = true;  // a language has rules that serve other start rules
  }
  for (std::size_t i = before.terminals; i < ir.terminals.size(); ++i) ir.terminals[i].where = {};
  for (std::size_t i = before.sets; i < ir.token_sets.size(); ++i) ir.token_sets[i].where = {};
}

}  // namespace

WEIR_REPLACEABLE std::optional<grammar::RuleId> read_language(std::string_view tables,
                                                              const GrammarTextOptions& options, Reading& reading) {
  const Language* language = language_named(options.language);
  if (language == nullptr) {
    std::vector<std::string_view> names;
    for (const Language& known : languages()) names.push_back(known.name);
    return refuse(reading, "language", "there is no language `" + base::escape_for_display(options.language) + "`",
                  grammar::did_you_mean(names, options.language, "the languages are"));
  }
  if (const char* option = option_without_effect_on(options)) {
    return refuse(reading, option, "the option `" + std::string(option) + "` has no effect on a grammar by name");
  }
  std::string text(language->text);
  if (!tables.empty()) {
    const std::size_t names = text.find(kNamesBegin);
    if (names == std::string::npos) {
      return refuse(reading, "language", "the language `" + std::string(language->name) + "` has no tables");
    }
    const bool any_case = language->name == "sqlite";
    const std::optional<std::vector<sql::Table>> listed = sql::read_tables(tables, any_case, reading);
    if (!listed) return std::nullopt;
    text.erase(names);
    text += sql::rules_of_names(*listed, text, any_case);
  }
  const Sizes before(reading.grammar);
  Limits limits = reading.limits;  // text_bytes is about what the caller gives, not about weir's own text
  limits.text_bytes = std::max(limits.text_bytes, text.size());
  Reading inner{reading.grammar, limits, reading.review};
  const GrammarTextOptions how{
      .syntax = language->syntax, .start = options.start, .exact_splits = language->syntax == GrammarSyntax::kLark};
  const std::optional<grammar::RuleId> start = read_text(text, how, inner);
  for (Error& error : inner.errors) {
    if (!options.start.empty() && error.code == ErrorCode::kInvalidArgument) error.hint = start_rules(*language);
    error.where = {};
    error.notes.clear();
    reading.errors.push_back(std::move(error));
  }
  hide(reading.grammar, before);
  return start;
}

}  // namespace weir::frontend
