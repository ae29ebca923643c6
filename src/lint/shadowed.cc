#include "lint/shadowed.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "grammar/joint_lexemes.h"
#include "lint/search_bounds.h"
#include "regex/expr/byte_set.h"

namespace weir::grammar {

namespace {

using regex::ByteSet;
using regex::ExprId;

using TerminalSet = std::vector<bool>;  // by terminal

bool add_all(TerminalSet& to, const TerminalSet& from) {
  bool changed = false;
  for (std::size_t t = 0; t < from.size(); ++t) {
    if (!from[t] || to[t]) continue;
    to[t] = true;
    changed = true;
  }
  return changed;
}

// What may come next at a position: bytes, or (`may_end`) the end of the text or a token symbol
// (Symbol::Kind::kTokens).
struct NextBytes {
  ByteSet bytes;
  bool may_end = false;
  friend bool operator==(const NextBytes&, const NextBytes&) = default;
};

// Computes for each terminal which terminals certainly compete with it, and what may follow it.
class Places {
 public:
  explicit Places(Cfg& cfg)
      : cfg_(cfg),
        begins_(cfg.rules.size(), TerminalSet(cfg.terminals.size())),
        first_(cfg.rules.size()),
        after_(cfg.rules.size()),
        rivals_(cfg.rules.size(), TerminalSet(cfg.terminals.size(), true)) {
    for (const Terminal& terminal : cfg.terminals) first_bytes_.push_back(cfg_.exprs.first_bytes(terminal.expr));
    group_items();
  }

  // Computes all fixpoints. Returns false if one takes too many rounds.
  bool find() {
    rivals_[index(cfg_.start)] = TerminalSet(cfg_.terminals.size());
    after_[index(cfg_.start)].may_end = true;
    if (!to_fixpoint([this] { return add_beginnings(); }) || !to_fixpoint([this] { return add_after(); })) {
      return false;
    }
    find_group_beginnings();
    return to_fixpoint([this] { return drop_rivals(); });
  }

  // Returns the terminals that compete with `terminal` at each of its occurrences, including itself.
  [[nodiscard]] TerminalSet rivals(std::size_t terminal) const {
    TerminalSet all(cfg_.terminals.size(), true);
    for (std::size_t i = 0; i < cfg_.symbols.size(); ++i) {
      if (cfg_.symbols[i] == Symbol::terminal(TerminalId{static_cast<std::uint32_t>(terminal)})) meet(all, i);
    }
    return all;
  }

  [[nodiscard]] NextBytes after(std::size_t terminal) const {
    NextBytes all;
    for (std::size_t i = 0; i < cfg_.symbols.size(); ++i) {
      if (cfg_.symbols[i] != Symbol::terminal(TerminalId{static_cast<std::uint32_t>(terminal)})) continue;
      add(all, from(i + 1));
    }
    return all;
  }

 private:
  static std::size_t index(RuleId id) { return static_cast<std::size_t>(id); }

  // Assigns the same group to items of a rule that have equal symbols before the dot: they are always in a row
  // together.
  void group_items() {
    std::map<std::pair<std::uint32_t, Symbol>, std::uint32_t> groups;
    const auto rules = static_cast<std::uint32_t>(cfg_.rules.size());
    group_of_.resize(cfg_.symbols.size());
    for (std::uint32_t r = 0; r < rules; ++r) {
      for (const ItemId first : cfg_.rules[r].productions) {
        std::uint32_t group = r;
        for (auto i = static_cast<std::size_t>(first);; ++i) {
          group_of_[i] = group;
          if (cfg_.symbols[i].kind() == Symbol::Kind::kEnd) break;
          const auto next = static_cast<std::uint32_t>(rules + groups.size());
          group = groups.try_emplace({group, cfg_.symbols[i]}, next).first->second;
        }
      }
    }
    group_begins_.resize(rules + groups.size());
  }

  template <typename Visit>
  static bool to_fixpoint(Visit visit) {
    for (int round = 0; round < lint::kMaxRounds; ++round) {
      if (!visit()) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_nullable(Symbol symbol) const {
    return symbol.kind() == Symbol::Kind::kRule && cfg_.rules[symbol.index()].nullable;
  }

  // Adds the terminals with which the symbols from item `i` on may begin.
  bool add_begins(TerminalSet& to, std::size_t i) const {
    bool changed = false;
    for (;; ++i) {
      const Symbol symbol = cfg_.symbols[i];
      if (symbol.kind() == Symbol::Kind::kTerminal && !to[symbol.index()]) to[symbol.index()] = changed = true;
      if (symbol.kind() == Symbol::Kind::kRule) changed = add_all(to, begins_[symbol.index()]) || changed;
      if (!is_nullable(symbol)) return changed;
    }
  }

  static void add(NextBytes& to, const NextBytes& more) {
    to.bytes |= more.bytes;
    to.may_end = to.may_end || more.may_end;
  }

  // Returns what may follow at item `i`. If all symbols from there on are nullable, includes what may follow the rule.
  [[nodiscard]] NextBytes from(std::size_t i) const {
    NextBytes all;
    for (;; ++i) {
      const Symbol symbol = cfg_.symbols[i];
      switch (symbol.kind()) {
        case Symbol::Kind::kTerminal: all.bytes |= first_bytes_[symbol.index()]; return all;
        case Symbol::Kind::kTokens: all.may_end = true; return all;
        case Symbol::Kind::kEnd: add(all, after_[symbol.index()]); return all;
        case Symbol::Kind::kRule: add(all, first_[symbol.index()]); break;
      }
      if (!is_nullable(symbol)) return all;
    }
  }

  bool add_beginnings() {
    bool changed = false;
    for (std::size_t r = 0; r < cfg_.rules.size(); ++r) {
      const NextBytes before = first_[r];
      if (cfg_.rules[r].lazy.source != LazyRule::kNone) first_[r] = {ByteSet::all(), true};
      for (const ItemId item : cfg_.rules[r].productions) {
        changed = add_begins(begins_[r], static_cast<std::size_t>(item)) || changed;
        add(first_[r], from(static_cast<std::size_t>(item)));  // after_ is still empty
      }
      changed = changed || !(first_[r] == before);
    }
    return changed;
  }

  bool add_after() {
    bool changed = false;
    for (std::size_t i = 0; i < cfg_.symbols.size(); ++i) {
      if (cfg_.symbols[i].kind() != Symbol::Kind::kRule) continue;
      NextBytes& after = after_[cfg_.symbols[i].index()];
      const NextBytes before = after;
      add(after, from(i + 1));
      changed = changed || !(after == before);
    }
    return changed;
  }

  void find_group_beginnings() {
    for (std::size_t i = 0; i < cfg_.symbols.size(); ++i) {
      TerminalSet& begins = group_begins_[group_of_[i]];
      begins.resize(cfg_.terminals.size());
      add_begins(begins, i);
    }
  }

  // Removes from `all` the terminals that do not certainly compete at item `i`. Returns true if it removed any.
  bool meet(TerminalSet& all, std::size_t i) const {
    const std::uint32_t group = group_of_[i];
    bool changed = false;
    for (std::size_t t = 0; t < all.size(); ++t) {
      if (!all[t] || group_begins_[group][t] || (group < rivals_.size() && rivals_[group][t])) continue;
      all[t] = false;
      changed = true;
    }
    return changed;
  }

  bool drop_rivals() {
    bool changed = false;
    for (std::size_t i = 0; i < cfg_.symbols.size(); ++i) {
      if (cfg_.symbols[i].kind() != Symbol::Kind::kRule) continue;
      changed = meet(rivals_[cfg_.symbols[i].index()], i) || changed;
    }
    return changed;
  }

  Cfg& cfg_;
  std::vector<ByteSet> first_bytes_;       // by terminal
  std::vector<TerminalSet> begins_;        // by rule, as the next three
  std::vector<NextBytes> first_;           // what the rule may begin with
  std::vector<NextBytes> after_;           // what may follow the rule
  std::vector<TerminalSet> rivals_;        // terminals that compete wherever the rule is used
  std::vector<std::uint32_t> group_of_;    // by item; numbers below that of rules: the rule's items with dot 0
  std::vector<TerminalSet> group_begins_;  // by group: terminals with which its items may continue
};

// Matches a terminal and its competitors together.
class Competition {
 public:
  /// `fuel`: the derivatives that may still be taken; counted down.
  Competition(Cfg& cfg, const Limits& limits, std::uint32_t terminal, const NextBytes& after, std::size_t& fuel)
      : cfg_(cfg),
        terminal_(terminal),
        after_(after),
        lexemes_(cfg.exprs, cfg.terminals, std::min(limits.regex_fuel, lint::kMemberFuel), fuel) {}

  // Returns true if `rivals`, which include the terminal, take all its texts. False if they do not or the search runs
  // out of fuel.
  bool is_lost(const std::vector<std::uint32_t>& rivals) {
    return lexemes_.explore(
        rivals, [this](const State&, const ByteSet&, State& next) { return !may_match(next); },
        [](const State&) { return true; });
  }

 private:
  using State = JointLexemes::State;

  // Returns true if the terminal may be matched where `next` is reached, or that is not known. Removes all of `next` if the
  // terminal cannot be matched after it.
  bool may_match(State& next) {
    const auto own = std::ranges::find(next, terminal_, &State::value_type::first);
    if (own == next.end()) {
      next.clear();
      return false;
    }
    const bool may_end = cfg_.exprs.nullable(own->second);
    if (std::ranges::any_of(next, [this](const auto& one) { return lexemes_.ends_lazily(one.first, one.second); })) {
      next.clear();
      return may_end && cfg_.terminals[terminal_].mode == base::LexemeMode::kShortest;
    }
    return may_end && (after_.may_end || !continues_all(next));
  }

  // Returns true if for each byte that may follow the terminal some residual of `state` can go on with it.
  bool continues_all(const State& state) {
    ByteSet left = after_.bytes;
    std::vector<regex::ExprSet::Branch> branches;
    for (const auto& [t, residual] : state) {
      branches.clear();
      cfg_.exprs.append_branches(residual, branches);
      for (const regex::ExprSet::Branch& branch : branches) {
        if ((left & branch.bytes).is_empty()) continue;
        const std::optional<ExprId> to = lexemes_.derive(residual, branch.bytes.first());
        if (!to) return false;
        if (*to != ExprId::kNothing) left &= ~branch.bytes;
      }
    }
    return left.is_empty();
  }

  Cfg& cfg_;
  std::uint32_t terminal_;
  NextBytes after_;
  JointLexemes lexemes_;
};

bool may_be_judged(const Cfg& cfg) {
  const auto is_bounded = [](const CfgRule& rule) { return rule.max_tokens != kNoTokenLimit; };
  const auto has_condition = [](const auto& symbol) { return symbol.follow != ExprId::kAllStrings; };
  return cfg.symbols.size() <= lint::kMaxSymbols && cfg.terminals.size() <= lint::kMaxCompared &&
         competition_is_by_bytes(cfg.exprs, cfg.terminals) &&
         std::none_of(cfg.rules.begin(), cfg.rules.end(), is_bounded) &&
         std::none_of(cfg.terminals.begin(), cfg.terminals.end(), has_condition) &&
         std::none_of(cfg.token_sets.begin(), cfg.token_sets.end(), has_condition);
}

// Returns the warning that `terminal` is shadowed. `by`: a terminal that shadows it alone, perhaps the terminal itself;
// nullopt if only several terminals together do.
Warning warning_of(const Cfg& cfg, std::uint32_t terminal, std::optional<std::uint32_t> by) {
  const auto shown = [&](std::uint32_t t) { return "`" + cfg.terminals[t].name + "`"; };
  Warning warning{"", cfg.terminals[terminal].where, "", "shadowed-terminal", {}};
  const auto suggest_exact_splits = [&](std::string_view why) {
    warning.hint = "with the option `exact_splits` " + std::string(why);
    warning.options = "exact_splits";
  };
  if (by == terminal) {
    warning.message = "terminal " + shown(terminal) + " never ends: it can continue with everything that may follow it";
    suggest_exact_splits("it ends wherever it matches");
    return warning;
  }
  warning.message = "terminal " + shown(terminal) + " is never matched: ";
  if (!by) {
    warning.message += "others take every text of it";
    suggest_exact_splits("all splits of a text are followed");
  } else if (cfg.terminals[*by].mode == base::LexemeMode::kShortest) {
    warning.message += shown(*by) + ", which is lazy, ends before it can";
    warning.hint = "leave it out, or keep the texts that it begins with out of " + shown(*by);
  } else {
    warning.message += "wherever it could end, " + shown(*by) + " continues";
    suggest_exact_splits("all splits of a text are followed");
  }
  if (by) warning.notes.push_back({"this one takes every text of it", cfg.terminals[*by].where});
  return warning;
}

}  // namespace

void warn_of_shadowed(Cfg& cfg, const Limits& limits, std::vector<Warning>& warnings) {
  const auto is_competing = [](const Terminal& terminal) { return competes(terminal.mode); };
  if (std::none_of(cfg.terminals.begin(), cfg.terminals.end(), is_competing) || !may_be_judged(cfg)) return;
  Places places(cfg);
  if (!places.find()) return;
  std::size_t fuel = lint::kMaxAllDerivatives;
  for (std::uint32_t t = 0; t < cfg.terminals.size(); ++t) {
    if (!is_competing(cfg.terminals[t])) continue;
    std::vector<std::uint32_t> rivals;
    const TerminalSet all = places.rivals(t);
    for (std::uint32_t r = 0; r < all.size(); ++r) {
      if (all[r] && is_competing(cfg.terminals[r])) rivals.push_back(r);
    }
    const NextBytes after = places.after(t);
    const auto is_lost_to = [&](const std::vector<std::uint32_t>& some) {
      const std::size_t most = std::min(fuel, lint::kMaxDerivatives);
      std::size_t left = most;
      const bool is_lost = Competition(cfg, limits, t, after, left).is_lost(some);
      fuel -= most - left;
      return is_lost;
    };
    if (!is_lost_to(rivals)) continue;
    std::optional<std::uint32_t> by;
    if (is_lost_to({t})) by = t;
    for (std::size_t i = 0; !by && i < rivals.size(); ++i) {
      if (rivals[i] != t && is_lost_to({std::min(t, rivals[i]), std::max(t, rivals[i])})) by = rivals[i];
    }
    warnings.push_back(warning_of(cfg, t, by));
  }
}

}  // namespace weir::grammar
