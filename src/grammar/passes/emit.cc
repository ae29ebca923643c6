#include "grammar/passes/emit.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grammar/columns.h"
#include "grammar/passes/nullable_rules.h"
#include "grammar/passes/rule_users.h"

namespace weir::grammar {

namespace {

// Assigns new numbers in the order of the first lookups.
class Renumbering {
 public:
  explicit Renumbering(std::size_t count) : new_of_(count, kNone) {}
  std::uint32_t operator()(std::uint32_t old) {
    if (new_of_[old] == kNone) {
      new_of_[old] = static_cast<std::uint32_t>(old_of_.size());
      old_of_.push_back(old);
    }
    return new_of_[old];
  }
  [[nodiscard]] const std::vector<std::uint32_t>& order() const { return old_of_; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> new_of_;
  std::vector<std::uint32_t> old_of_;
};

// Gives equal captures equal numbers.
class Captures {
 public:
  explicit Captures(std::vector<CfgCapture>& captures) : captures_(captures) {}
  std::uint32_t operator()(CfgCapture capture) {
    std::vector<std::uint32_t>& same_name = by_name_[capture.name];
    for (const std::uint32_t number : same_name) {
      if (captures_[number] == capture) return number;
    }
    same_name.push_back(static_cast<std::uint32_t>(captures_.size()));
    captures_.push_back(std::move(capture));
    return same_name.back();
  }

 private:
  std::vector<CfgCapture>& captures_;
  std::unordered_map<std::string, std::vector<std::uint32_t>> by_name_;
};

// Numbers the symbols of the templates anew.
template <typename Symbols>
void renumber(ColumnTemplates& columns, const Symbols& number) {
  for (ColumnTemplates::Rule& rule : columns.rules) rule.rule = number(rule.rule);
  for (ColumnTemplates::Suffix& suffix : columns.suffixes) {
    const bool is_plain = suffix.first.part == ColumnTemplates::Part::kPlain;
    if (is_plain && &suffix != columns.suffixes.data()) suffix.first.symbol = number(suffix.first.symbol);
  }
  for (Symbol& symbol : columns.lead) symbol = number(symbol);
  for (ColumnTemplates::Text& text : columns.texts) text.symbol = number(text.symbol);
  std::sort(columns.texts.begin(), columns.texts.end(),
            [](const auto& a, const auto& b) { return a.symbol < b.symbol; });
}

}  // namespace

Cfg emit(Draft draft) {
  const std::vector<bool> nullable = find_nullable_rules(draft);
  const std::vector<bool> capturing = find_capturing_rules(draft);
  Renumbering rules(draft.rules.size());
  Renumbering terminals(draft.terminals.size());
  Renumbering token_sets(draft.token_sets.size());
  Cfg cfg(std::move(draft.exprs));
  Captures captures(cfg.captures);
  cfg.start = RuleId{rules(static_cast<std::uint32_t>(draft.start))};
  const auto number = [&](Symbol symbol) {
    switch (symbol.kind()) {
      case Symbol::Kind::kRule: return Symbol::rule(RuleId{rules(symbol.index())});
      case Symbol::Kind::kTerminal: return Symbol::terminal(TerminalId{terminals(symbol.index())});
      case Symbol::Kind::kTokens: return Symbol::tokens(TokenSetId{token_sets(symbol.index())});
      case Symbol::Kind::kEnd: break;
    }
    return symbol;
  };
  if (draft.columns != nullptr) renumber(*draft.columns, number);
  for (std::uint32_t r = 0; r < rules.order().size(); ++r) {  // the list grows as rules are reached
    const std::uint32_t old = rules.order()[r];
    DraftRule& from = draft.rules[old];
    CfgRule to;
    to.name = std::move(from.name);
    to.where = from.where;
    to.nullable = nullable[old];
    to.lazy = from.lazy;
    const bool is_way_in = old == static_cast<std::uint32_t>(draft.start) || to.lazy.source + 1 == draft.sources.size();
    to.holds_capture = capturing[old] || (draft.columns != nullptr && draft.columns->holds_captures && is_way_in);
    to.max_tokens = from.max_tokens;
    to.is_frame = from.is_frame;
    if (from.is_captured()) {
      to.capture = captures({std::move(from.capture), std::move(from.parts)});
    }
    for (const Production& production : from.productions) {
      to.productions.push_back(ItemId{static_cast<std::uint32_t>(cfg.symbols.size())});
      for (const Symbol symbol : production) cfg.symbols.push_back(number(symbol));
      cfg.symbols.push_back(Symbol::end(RuleId{r}));
    }
    cfg.rules.push_back(std::move(to));
  }
  for (const std::uint32_t old : terminals.order()) cfg.terminals.push_back(std::move(draft.terminals[old]));
  for (const std::uint32_t old : token_sets.order()) cfg.token_sets.push_back(std::move(draft.token_sets[old]));
  cfg.sources = std::move(draft.sources);
  cfg.separable = std::move(draft.separable);
  return cfg;
}

}  // namespace weir::grammar
