#include "grammar/passes/dedupe.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>

#include "base/interner.h"

namespace weir::grammar {

namespace {

std::vector<Symbol> terminal_representatives(const Draft& draft) {
  std::map<std::tuple<regex::ExprId, base::LexemeMode, regex::ExprId, float>, Symbol> first;
  std::vector<Symbol> representatives;
  for (std::uint32_t i = 0; i < draft.terminals.size(); ++i) {
    const Terminal& terminal = draft.terminals[i];
    const std::tuple key{terminal.expr, terminal.mode, terminal.follow, terminal.temperature};
    representatives.push_back(first.try_emplace(key, Symbol::terminal(TerminalId{i})).first->second);
  }
  return representatives;
}

std::vector<Symbol> token_set_representatives(const Draft& draft) {
  using Key = std::tuple<bool, std::vector<std::pair<std::uint32_t, std::uint32_t>>, std::vector<std::string>,
                         regex::ExprId, float>;
  std::map<Key, Symbol> first;
  std::vector<Symbol> representatives;
  for (std::uint32_t i = 0; i < draft.token_sets.size(); ++i) {
    const TokenSet& set = draft.token_sets[i];
    Key key{set.complement, set.ranges, set.names, set.follow, set.temperature};
    representatives.push_back(first.try_emplace(std::move(key), Symbol::tokens(TokenSetId{i})).first->second);
  }
  return representatives;
}

class RuleJoiner {
 public:
  explicit RuleJoiner(Draft& draft)
      : draft_(draft), users_(draft.rules.size()), queued_(draft.rules.size(), true), joined_to_(draft.rules.size()) {
    for (std::uint32_t r = 0; r < draft.rules.size(); ++r) {
      joined_to_[r] = r;
      queue_.push_back(r);
      if (draft.rules[r].is_captured()) capture_of_.try_emplace(capture_of(draft.rules[r]), capture_of_.size());
      for (const Production& production : draft.rules[r].productions) {
        for (const Symbol symbol : production) {
          if (symbol.kind() == Symbol::Kind::kRule) users_[symbol.index()].push_back(r);
        }
      }
    }
  }

  void run() {
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const std::uint32_t rule = queue_[next];
      queued_[rule] = false;
      if (joined_to_[rule] != rule) continue;
      const auto [id, is_new] = signatures_.intern(signature(rule));
      if (is_new) {
        owner_.push_back(rule);
      } else if (const std::uint32_t other = representative(owner_[id]); other != rule) {
        // The rule with fewer users is merged into the other, so each user moves between lists O(log n) times.
        const bool stays = users_[rule].size() > users_[other].size();
        owner_[id] = stays ? rule : other;
        join(stays ? other : rule, owner_[id]);
      }
    }
    rewrite();
  }

 private:
  // A production is its symbols, then kProductionEnd. Symbols have 30 bits of index, so no symbol equals one of these
  // marks.
  static constexpr std::uint32_t kProductionEnd = UINT32_MAX;
  static constexpr std::uint32_t kSelf = UINT32_MAX - 1;
  static constexpr std::uint32_t kLazy = UINT32_MAX - 2;
  static constexpr std::uint32_t kCapture = UINT32_MAX - 3;
  static constexpr std::uint32_t kTokenLimit = UINT32_MAX - 4;
  static constexpr std::uint32_t kTemperature = UINT32_MAX - 5;

  using Captures = std::pair<std::string, LexemeParts>;
  static Captures capture_of(const DraftRule& rule) { return {rule.capture, rule.parts}; }

  [[nodiscard]] std::uint32_t representative(std::uint32_t rule) {
    while (joined_to_[rule] != rule) {
      joined_to_[rule] = joined_to_[joined_to_[rule]];
      rule = joined_to_[rule];
    }
    return rule;
  }

  [[nodiscard]] Symbol current(Symbol symbol) {
    return symbol.kind() == Symbol::Kind::kRule ? Symbol::rule(RuleId{representative(symbol.index())}) : symbol;
  }

  [[nodiscard]] std::vector<std::uint32_t> signature(std::uint32_t rule) {
    if (const LazyRule& lazy = draft_.rules[rule].lazy; lazy.source != LazyRule::kNone) {
      return {kLazy, lazy.source, lazy.handle};
    }
    std::vector<std::uint32_t> words;  // of all productions
    std::vector<std::span<const std::uint32_t>> productions;
    std::size_t count = 0;
    for (const Production& production : draft_.rules[rule].productions) count += production.size() + 1;
    words.reserve(count);
    for (const Production& production : draft_.rules[rule].productions) {
      const std::size_t begin = words.size();
      for (const Symbol symbol : production) {
        const Symbol now = current(symbol);
        const bool is_self = now.kind() == Symbol::Kind::kRule && now.index() == rule;
        words.push_back(is_self ? kSelf : (static_cast<std::uint32_t>(now.kind()) << 30) | now.index());
      }
      words.push_back(kProductionEnd);
      productions.push_back(std::span(words).subspan(begin));
    }
    if (capture_of_.empty()) std::ranges::sort(productions, std::ranges::lexicographical_compare);
    const auto repeated = std::ranges::unique(productions, std::ranges::equal);
    productions.erase(repeated.begin(), repeated.end());
    std::vector<std::uint32_t> flat;
    if (draft_.rules[rule].is_captured()) {
      flat = {kCapture, static_cast<std::uint32_t>(capture_of_.find(capture_of(draft_.rules[rule]))->second)};
    }
    if (draft_.rules[rule].max_tokens != kNoTokenLimit) {
      flat.insert(flat.end(), {kTokenLimit, draft_.rules[rule].max_tokens});
    }
    if (draft_.rules[rule].temperature != kNoTemperature) {
      flat.insert(flat.end(), {kTemperature, std::bit_cast<std::uint32_t>(draft_.rules[rule].temperature)});
    }
    for (const std::span<const std::uint32_t> production : productions) {
      const bool is_itself = production.size() == 2 && production[0] == kSelf;
      if (!is_itself) flat.insert(flat.end(), production.begin(), production.end());
    }
    return flat;
  }

  // Merges `rule` into `other`. A name that the user gave is kept.
  void join(std::uint32_t rule, std::uint32_t other) {
    joined_to_[rule] = other;
    DraftRule& from = draft_.rules[rule];
    DraftRule& to = draft_.rules[other];
    if (to.generated && !from.generated) {
      std::swap(to.name, from.name);
      std::swap(to.where, from.where);
      std::swap(to.generated, from.generated);
    }
    for (const std::uint32_t user : users_[rule]) {
      if (!queued_[user]) queue_.push_back(user);
      queued_[user] = true;
    }
    users_[other].insert(users_[other].end(), users_[rule].begin(), users_[rule].end());
    users_[rule].clear();
  }

  void rewrite() {
    for (std::uint32_t r = 0; r < draft_.rules.size(); ++r) {
      DraftRule& rule = draft_.rules[r];
      if (joined_to_[r] != r) {
        rule.productions.clear();
        continue;
      }
      for (Production& production : rule.productions) {
        for (Symbol& symbol : production) symbol = current(symbol);
      }
      drop_repeated(rule, Production{Symbol::rule(RuleId{r})});
    }
    draft_.start = RuleId{representative(static_cast<std::uint32_t>(draft_.start))};
  }

  // Keeps the first occurrence of each production, in order, and drops `itself`.
  static void drop_repeated(DraftRule& rule, const Production& itself) {
    std::vector<const Production*> sorted;
    for (const Production& production : rule.productions) sorted.push_back(&production);
    // Equal productions are sorted by position, so that the first one is kept.
    std::sort(sorted.begin(), sorted.end(),
              [](const Production* a, const Production* b) { return *a != *b ? *a < *b : a < b; });
    std::vector<bool> dropped(rule.productions.size(), false);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const auto place = static_cast<std::size_t>(sorted[i] - rule.productions.data());
      dropped[place] = *sorted[i] == itself || (i > 0 && *sorted[i] == *sorted[i - 1]);
    }
    std::vector<Production> kept;
    for (std::size_t i = 0; i < rule.productions.size(); ++i) {
      if (!dropped[i]) kept.push_back(std::move(rule.productions[i]));
    }
    rule.productions = std::move(kept);
  }

  Draft& draft_;
  std::vector<std::vector<std::uint32_t>> users_;
  std::vector<bool> queued_;
  std::vector<std::uint32_t> joined_to_;
  std::vector<std::uint32_t> queue_;
  base::WordInterner signatures_;
  std::vector<std::uint32_t> owner_;            // by signature
  std::map<Captures, std::size_t> capture_of_;  // numbers of the captures
};

}  // namespace

void dedupe(Draft& draft) {
  const std::vector<Symbol> terminals = terminal_representatives(draft);
  const std::vector<Symbol> token_sets = token_set_representatives(draft);
  for (DraftRule& rule : draft.rules) {
    for (Production& production : rule.productions) {
      for (Symbol& symbol : production) {
        if (symbol.kind() == Symbol::Kind::kTerminal) symbol = terminals[symbol.index()];
        if (symbol.kind() == Symbol::Kind::kTokens) symbol = token_sets[symbol.index()];
      }
    }
  }
  RuleJoiner(draft).run();
}

}  // namespace weir::grammar
