#include "frontend/ebnf/ebnf.h"

#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "frontend/ebnf/words.h"
#include "grammar/passes/check.h"
#include "grammar/regular.h"
#include "grammar/suggest.h"

namespace weir::frontend {

namespace {

// Lists the rules that no other rule refers to, as suggestions for the start rule.
std::string start_candidates(const grammar::Grammar& grammar, std::size_t first_rule) {
  std::vector<bool> used(grammar.rules.size(), false);
  for (const grammar::Node& node : grammar.nodes) {
    if (node.kind == grammar::NodeKind::kRule) used[node.payload] = true;
  }
  constexpr std::size_t kShown = 5;
  std::string list;
  std::size_t count = 0;
  for (std::size_t i = first_rule; i < grammar.rules.size(); ++i) {
    if (used[i]) continue;
    if (++count <= kShown) list += (list.empty() ? "`" : ", `") + grammar.rules[i].name + "`";
  }
  if (count == 0) return "every rule is used by another one: choose the rule to start with";
  if (count > kShown) list += ", ...";
  return "choose the rule to start with; those that no rule refers to: " + list;
}

Result<grammar::RuleId> find_start(const grammar::Grammar& grammar, std::size_t first_rule, std::string_view start) {
  for (std::size_t i = first_rule; i < grammar.rules.size(); ++i) {
    if (grammar.rules[i].name == start && grammar.rules[i].defined) {
      return grammar::RuleId{static_cast<std::uint32_t>(i)};
    }
  }
  std::string hint = grammar::did_you_mean(grammar, start);
  if (hint.empty()) hint = start_candidates(grammar, first_rule);
  return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                              "there is no rule `" + base::escape_for_display(start) + "` to start with",
                              {},
                              std::move(hint),
                              {}});
}

}  // namespace

std::optional<grammar::RuleId> read_dialect(std::string_view text, std::string_view start, ebnf::Dialect dialect,
                                            ebnf::Extension* extension, Reading& reading) {
  if (auto done = check_text(text, reading.limits); !done) return reading.fail(std::move(done.error()));
  grammar::Grammar& grammar = reading.grammar;
  const std::size_t first_rule = grammar.rules.size();
  const std::vector<ebnf::Word> words = ebnf::split_words(text, dialect, reading.limits, reading.errors);
  const std::size_t bad_words = reading.errors.size();
  const ebnf::Operations operations = ebnf::parse(text, words, dialect, extension, reading);
  // If a limit has ended the parser, the rules that it has not read are no errors.
  const bool has_stopped =
      reading.errors.size() > bad_words && reading.errors.back().code == ErrorCode::kLimitExceeded;
  if (!has_stopped) {
    for (Error& error : grammar::undefined_rules(grammar, first_rule)) reading.errors.push_back(std::move(error));
  }
  if (!reading.errors.empty()) return std::nullopt;
  if (auto done = grammar::resolve(grammar, operations, reading.warnings); !done)
    return reading.fail(std::move(done.error()));
  Result<grammar::RuleId> rule = find_start(grammar, first_rule, start);
  if (!rule) return reading.fail(std::move(rule.error()));
  return *rule;
}

std::optional<grammar::RuleId> read_ebnf(std::string_view text, std::string_view start, Reading& reading) {
  return read_dialect(text, start, ebnf::Dialect::kWeir, nullptr, reading);
}

std::optional<grammar::RuleId> read_gbnf(std::string_view text, std::string_view start, Reading& reading) {
  return read_dialect(text, start, ebnf::Dialect::kGbnf, nullptr, reading);
}

Result<grammar::Grammar> parse_ebnf(std::string_view text, std::string_view start, const Limits& limits) {
  grammar::Grammar grammar(limits.regex_nodes);
  Reading reading{grammar, limits};
  const std::optional<grammar::RuleId> rule = read_ebnf(text, start, reading);
  if (!rule) return tl::unexpected(std::move(reading.errors.front()));
  grammar.start = *rule;
  return grammar;
}

}  // namespace weir::frontend
