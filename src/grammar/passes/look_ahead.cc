#include "grammar/passes/look_ahead.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grammar/passes/lower.h"
#include "grammar/passes/nullable_rules.h"
#include "regex/syntax/syntax.h"

namespace weir::grammar {

namespace {

using regex::ExprId;

class LookAheadPass {
 public:
  LookAheadPass(Draft& draft, const Limits& limits)
      : draft_(draft), limits_(limits), nullable_(find_nullable_rules(draft)), symbols_(draft.symbol_count()) {}

  Result<void> run() {
    const auto count = static_cast<std::uint32_t>(draft_.rules.size());
    for (std::uint32_t r = 0; r < count; ++r) {
      if (draft_.rules[r].follow != ExprId::kAllStrings && nullable_[r]) return tl::unexpected(empty(draft_.rules[r]));
    }
    // Variants are made from the original productions, so these are copied before any is changed.
    for (const DraftRule& rule : draft_.rules) originals_.push_back(rule.productions);
    for (std::uint32_t r = 0; r < count; ++r) {
      std::vector<Production> productions = originals_[r];
      for (Production& production : productions) {
        for (Symbol& symbol : production) symbol = wherever_used(symbol);  // adds rules
      }
      draft_.rules[r].productions = std::move(productions);
    }
    // The start rule has no user; its own look-ahead applies at the end of the output.
    if (const ExprId follow = draft_.rule(draft_.start).follow; follow != ExprId::kAllStrings) {
      draft_.start = variant(static_cast<std::uint32_t>(draft_.start), follow);
    }
    for (std::size_t next = 0; next < made_.size() && !error_; ++next) fill(Variant(made_[next]));
    for (DraftRule& rule : draft_.rules) rule.follow = ExprId::kAllStrings;
    if (error_) return tl::unexpected(std::move(*error_));
    drop_empty_variants(count);
    return {};
  }

 private:
  struct Variant {
    RuleId rule{};
    std::uint32_t of = 0;
    ExprId follow = ExprId::kAllStrings;
  };

  static Error empty(const DraftRule& rule) {
    return {ErrorCode::kUnsupported,
            "rule `" + rule.name + "` has a look-ahead and may be empty",
            rule.where,
            "let it match some text, and make it optional where it is used",
            {}};
  }

  void fail(Error error) {
    if (!error_) error_ = std::move(error);
  }

  ExprId both(ExprId a, ExprId b, SourceRange where) {
    const ExprId result = draft_.exprs.intersection(a, b);
    if (result == ExprId::kOverflow) fail(regex::overflow_error(draft_.exprs, where));
    return result;
  }

  // Returns the replacement for a symbol on which no condition is imposed except its own look-ahead.
  Symbol wherever_used(Symbol symbol) {
    if (symbol.kind() != Symbol::Kind::kRule) return symbol;
    const ExprId follow = draft_.rules[symbol.index()].follow;
    return follow == ExprId::kAllStrings ? symbol : Symbol::rule(variant(symbol.index(), follow));
  }

  // Returns the variant of the rule that derives its non-empty texts, with the condition `follow` on the text after
  // them.
  RuleId variant(std::uint32_t of, ExprId follow) {
    const auto [found, is_new] = variants_.try_emplace({of, follow});
    if (is_new) {
      DraftRule rule;
      rule.name = draft_.rules[of].name + "=";
      rule.where = draft_.rules[of].where;
      rule.generated = true;
      rule.capture = draft_.rules[of].capture;
      rule.max_tokens = draft_.rules[of].max_tokens;
      rule.temperature = draft_.rules[of].temperature;
      rule.parts = draft_.rules[of].parts;
      found->second = draft_.add_rule(std::move(rule));
      made_.push_back({found->second, of, follow});
    }
    return found->second;
  }

  void fill(const Variant& variant) {
    const SourceRange where = draft_.rules[variant.of].where;
    if (draft_.rules[variant.of].lazy.source != LazyRule::kNone) {
      return fail({ErrorCode::kUnsupported,
                   "a rule with a look-ahead ends with a schema",
                   where,
                   "put what must follow after the rule instead",
                   {}});
    }
    for (const Production& original : originals_[variant.of]) {
      for (std::size_t end = original.size(); end > 0 && !error_; --end) {
        if (const std::optional<Symbol> last = with_condition(original[end - 1], variant.follow, where)) {
          Production production;
          for (std::size_t i = 0; i + 1 < end; ++i) production.push_back(wherever_used(original[i]));
          production.push_back(*last);
          add(variant.rule, std::move(production), where);
        }
        if (!may_be_empty(original[end - 1])) break;
      }
    }
  }

  void add(RuleId rule, Production production, SourceRange where) {
    symbols_ += production.size() + 1;
    if (symbols_ > limits_.grammar_symbols) fail(too_many_symbols(limits_, where));
    draft_.rule(rule).productions.push_back(std::move(production));
  }

  [[nodiscard]] bool may_be_empty(Symbol symbol) const {
    if (symbol.kind() == Symbol::Kind::kRule) return nullable_[symbol.index()];
    return symbol.kind() == Symbol::Kind::kTerminal && draft_.exprs.nullable(draft_.terminals[symbol.index()].expr);
  }

  // Returns a symbol for the non-empty texts of `symbol` with the condition `follow`, or nothing if there are no such
  // texts.
  std::optional<Symbol> with_condition(Symbol symbol, ExprId follow, SourceRange where) {
    switch (symbol.kind()) {
      case Symbol::Kind::kRule: {
        const ExprId own = draft_.rules[symbol.index()].follow;
        return Symbol::rule(variant(symbol.index(), both(follow, own, where)));
      }
      case Symbol::Kind::kTerminal: return terminal_with_condition(symbol.index(), follow, where);
      case Symbol::Kind::kTokens: {
        TokenSet set = draft_.token_sets[symbol.index()];
        set.follow = follow;
        draft_.token_sets.push_back(std::move(set));
        return Symbol::tokens(TokenSetId{static_cast<std::uint32_t>(draft_.token_sets.size() - 1)});
      }
      case Symbol::Kind::kEnd: break;
    }
    return std::nullopt;
  }

  std::optional<Symbol> terminal_with_condition(std::uint32_t index, ExprId follow, SourceRange where) {
    const auto [found, is_new] = terminals_.try_emplace({index, follow});
    if (!is_new) return found->second;
    Terminal terminal = draft_.terminals[index];
    terminal.follow = follow;
    // A greedy terminal that is nullable is refused later (nullable_terminals.h). A lazy one always matches the empty
    // text.
    if (draft_.exprs.nullable(terminal.expr) && terminal.mode == base::LexemeMode::kLazy) return std::nullopt;
    if (draft_.exprs.nullable(terminal.expr) && terminal.mode == base::LexemeMode::kExact) {
      terminal.expr = draft_.exprs.difference(terminal.expr, ExprId::kEpsilon);
      if (terminal.expr == ExprId::kOverflow) fail(regex::overflow_error(draft_.exprs, where));
      if (!terminal.text.empty()) terminal.text = "(" + terminal.text + " & ~\"\")";
      if (terminal.expr == ExprId::kNothing) return std::nullopt;
    }
    found->second = Symbol::terminal(draft_.add_terminal(std::move(terminal)));
    return found->second;
  }

  // Removes productions that need an empty variant: one of a rule that matches only the empty text.
  void drop_empty_variants(std::uint32_t first) {
    std::vector<bool> productive(draft_.rules.size(), false);
    std::fill(productive.begin(), productive.begin() + first, true);
    const auto lacks_one = [&](const Production& production) {
      return std::any_of(production.begin(), production.end(), [&](Symbol symbol) {
        return symbol.kind() == Symbol::Kind::kRule && !productive[symbol.index()];
      });
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t r = first; r < draft_.rules.size(); ++r) {
        const std::vector<Production>& productions = draft_.rules[r].productions;
        if (productive[r] || std::all_of(productions.begin(), productions.end(), lacks_one)) continue;
        productive[r] = changed = true;
      }
    }
    for (DraftRule& rule : draft_.rules) std::erase_if(rule.productions, lacks_one);
  }

  Draft& draft_;
  const Limits& limits_;
  std::vector<bool> nullable_;                      // by rule, for the rules that existed before the pass
  std::vector<std::vector<Production>> originals_;  // by rule
  std::map<std::pair<std::uint32_t, ExprId>, RuleId> variants_;
  std::vector<Variant> made_;
  std::map<std::pair<std::uint32_t, ExprId>, std::optional<Symbol>> terminals_;
  std::size_t symbols_;
  std::optional<Error> error_;
};

}  // namespace

Result<void> impose_look_aheads(Draft& draft, const Limits& limits) {
  const auto has_none = [](const DraftRule& rule) { return rule.follow == ExprId::kAllStrings; };
  if (std::all_of(draft.rules.begin(), draft.rules.end(), has_none)) return {};
  return LookAheadPass(draft, limits).run();
}

}  // namespace weir::grammar
