// Draft: a grammar between IR and Cfg. Rules are flat lists of productions, as in a Cfg, but still easy to change.
#ifndef WEIR_SRC_GRAMMAR_DRAFT_H_
#define WEIR_SRC_GRAMMAR_DRAFT_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grammar/cfg.h"
#include "grammar/ir.h"

namespace weir::grammar {

/// Rules, terminals and token sets, without an end symbol.
using Production = std::vector<Symbol>;

struct ColumnTemplates;  // columns.h

struct DraftRule {
  std::string name;
  SourceRange where = {};
  bool generated = false;
  std::vector<Production> productions = {};
  LazyRule lazy = {};                                 ///< If set, there are no productions yet.
  std::string capture = {};                           ///< Rule::capture.
  regex::ExprId follow = regex::ExprId::kAllStrings;  ///< Rule::follow; pass "look-ahead" clears it.
  std::uint32_t max_tokens = kNoTokenLimit;           ///< Rule::max_tokens.
  float temperature = kNoTemperature;                 ///< Rule::temperature; pass "temperature" clears it.
  LexemeParts parts = {};                             ///< Rule::parts.
  bool is_frame = false;                              ///< CfgRule::is_frame.

  [[nodiscard]] bool is_captured() const { return !capture.empty() || parts.exist(); }
  [[nodiscard]] bool is_marked() const {
    return is_captured() || max_tokens != kNoTokenLimit || temperature != kNoTemperature;
  }
};

struct Draft {
  explicit Draft(regex::ExprSet set) : exprs(std::move(set)) {}

  regex::ExprSet exprs;
  std::vector<Terminal> terminals;
  std::vector<TokenSet> token_sets;
  std::vector<DraftRule> rules;
  std::vector<LazySource> sources;
  std::optional<Indentation> indentation;    ///< Grammar::indentation.
  std::shared_ptr<ColumnTemplates> columns;  ///< Made by pass "columns".
  std::vector<regex::ExprId> separable;      ///< Grammar::separable.
  RuleId start{};

  RuleId add_rule(DraftRule rule) {
    rules.push_back(std::move(rule));
    return RuleId{static_cast<std::uint32_t>(rules.size() - 1)};
  }
  TerminalId add_terminal(Terminal terminal) {
    terminals.push_back(std::move(terminal));
    return TerminalId{static_cast<std::uint32_t>(terminals.size() - 1)};
  }
  /// Returns the number of symbols as Limits::grammar_symbols counts them: those of each production, plus one for its
  /// end.
  [[nodiscard]] std::size_t symbol_count() const {
    std::size_t count = 0;
    for (const DraftRule& rule : rules) {
      for (const Production& production : rule.productions) count += production.size() + 1;
    }
    return count;
  }
  [[nodiscard]] DraftRule& rule(RuleId id) { return rules[static_cast<std::uint32_t>(id)]; }
  [[nodiscard]] const DraftRule& rule(RuleId id) const { return rules[static_cast<std::uint32_t>(id)]; }
};

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_DRAFT_H_
