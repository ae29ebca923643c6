#include "frontend/lark/lark.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/replaceable.h"
#include "base/utf8.h"
#include "frontend/lark/check_names.h"
#include "frontend/lark/drop_competition.h"
#include "frontend/lark/named_grammars.h"
#include "frontend/lark/rule_builder.h"
#include "frontend/lark/syntax_tree.h"
#include "grammar/suggest.h"
#include "weir/diagnostic.h"

namespace weir::frontend {

namespace {

using lark::Definition;
using lark::Module;

// Returns "the rules are `a`, `b`" of the rules that may be a start; "" if there is none.
std::string rules_of(const Module& module) {
  constexpr std::size_t kNamed = 6;
  std::size_t count = 0;
  std::string names;
  for (const Definition& rule : module.definitions) {
    if (rule.is_terminal || rule.is_parametric || !rule.template_names.empty() || ++count > kNamed) continue;
    names += (count > 1 ? ", `" : "`") + base::escape_for_display(rule.name) + "`";
  }
  if (count == 0) return {};
  if (count > kNamed) names += " and " + std::to_string(count - kNamed) + " more";
  return (count == 1 ? "its only rule is " : "its rules are ") + names;
}

// Returns the start definition of a module, or reports why there is none.
std::optional<std::uint32_t> find_start(const Module& module, std::string_view start, std::vector<Error>& errors) {
  const auto found = module.names.find(start);
  const bool is_whole_text = module.where == SourceRange{};
  const SourceRange where = module.grammar_name.empty() ? module.where : SourceRange{};
  const auto fail = [&](std::string message, SourceRange at, std::string hint) -> std::optional<std::uint32_t> {
    errors.push_back(placed(module, {ErrorCode::kInvalidArgument, std::move(message), at, std::move(hint), {}}));
    return std::nullopt;
  };
  const std::string shown = "`" + base::escape_for_display(start) + "`";
  if (found == module.names.end()) {
    std::vector<std::string_view> names;
    for (const Definition& definition : module.definitions) names.emplace_back(definition.name);
    std::string hint = grammar::did_you_mean(names, start);
    if (hint.empty()) hint = rules_of(module);
    if (is_whole_text && !hint.ends_with('?')) {
      hint +=
          (hint.empty() ? "" : "; ") + std::string("another rule to start with can be given beside the text (`start`)");
    }
    return fail("there is no rule " + shown + " to start with", where, std::move(hint));
  }
  const Definition& definition = module.definitions[found->second];
  if (definition.is_parametric)
    return fail("the rule " + shown + " to start with has a parameter", definition.where, {});
  if (!definition.template_names.empty()) {
    return fail("the rule " + shown + " to start with is a template", definition.where, {});
  }
  if (definition.is_terminal && (!definition.common_name.empty() || definition.is_declared)) {
    return fail(
        "the grammar cannot start with the " + std::string(definition.is_declared ? "declared " : "imported ") + shown,
        definition.where, "make a rule of it");
  }
  return found->second;
}

void sort_errors(std::vector<Error>& errors, std::size_t first) {
  const auto begin = errors.begin() + static_cast<std::ptrdiff_t>(first);
  std::stable_sort(begin, errors.end(), [](const Error& a, const Error& b) { return a.where.start < b.where.start; });
  if (errors.size() > first + kMaxErrors) errors.resize(first + kMaxErrors);
}

}  // namespace

WEIR_REPLACEABLE std::optional<grammar::RuleId> read_lark(std::string_view text, const GrammarTextOptions& options,
                                                          Reading& reading) {
  const std::size_t first_error = reading.errors.size();
  lark::SyntaxTree tree;
  const std::vector<lark::NamedTarget> named = parse_with_named(text, options, tree, reading);
  const bool is_whole = reading.errors.size() == first_error;
  std::optional<std::uint32_t> start;
  for (std::size_t i = 0; i < tree.modules.size(); ++i) {
    const Module& module = tree.modules[i];
    std::vector<Error> errors;
    lark::check_names(tree, module, errors);
    for (Error& error : errors) reading.errors.push_back(placed(module, std::move(error)));
    // If there were syntax errors, the missing definition may be in text that was not understood.
    if (!is_whole) continue;
    const auto found = find_start(module, i > 0 || options.start.empty() ? "start" : options.start, reading.errors);
    if (i == 0) start = found;
  }
  if (reading.errors.size() > first_error) {
    sort_errors(reading.errors, first_error);
    return std::nullopt;
  }
  lark::RuleBuilder builder(tree, named, options, reading);
  const std::size_t first_terminal = reading.grammar.terminals.size();
  const auto rule = builder.build(*start);
  if (rule && !options.exact_splits) lark::drop_competition(reading.grammar, *rule, first_terminal, reading.limits);
  // If the user chose another start rule, unused rules are intended.
  if (rule && (options.start.empty() || options.start == "start")) builder.warn_unused();
  return rule;
}

}  // namespace weir::frontend
