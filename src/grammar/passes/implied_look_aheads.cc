#include "grammar/passes/implied_look_aheads.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/flat_table.h"
#include "base/hash.h"

namespace weir::grammar {

namespace {

using regex::ExprId;

class Follower {
 public:
  Follower(Draft& draft, std::uint32_t fuel)
      : draft_(draft), fuel_(fuel), productions_(draft.rules.size()), uses_(draft.rules.size()) {
    for (std::uint32_t r = 0; r < draft.rules.size(); ++r) {
      for (const Production& production : draft.rules[r].productions) {
        productions_[r].push_back(static_cast<std::uint32_t>(symbols_.size()));
        for (const Symbol symbol : production) {
          symbols_.push_back(symbol);
          if (symbol.kind() == Symbol::Kind::kRule) {
            uses_[symbol.index()].push_back(static_cast<std::uint32_t>(symbols_.size()));
          }
        }
        symbols_.push_back(Symbol::end(RuleId{r}));
      }
    }
  }

  /// Returns true if every text after `rule`, up to the end of the output, is in `follow`.
  bool holds_after(std::uint32_t rule, ExprId follow) {
    ++call_;
    current_ = kNone;
    bool holds = add(end_of(rule), follow);
    while (holds && !pending_.empty()) {
      current_ = pending_.back();
      pending_.pop_back();
      holds = read(readings_[current_].place, readings_[current_].rest);
    }
    pending_.clear();
    if (holds) {
      for (const std::uint32_t met : met_) readings_[met].verdict = Verdict::kHolds;
    } else {
      for (std::uint32_t at = current_; at != kNone; at = readings_[at].from) readings_[at].verdict = Verdict::kFails;
    }
    met_.clear();
    return holds;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  enum class Verdict : std::uint8_t { kUnknown, kHolds, kFails };

  // The condition `rest` applies to all text from `place` on.
  struct Reading {
    std::uint32_t place;
    ExprId rest;
    std::uint32_t from;  // the reading that led to this one in its last call
    std::uint32_t call;
    Verdict verdict = Verdict::kUnknown;
  };

  // Places are numbered: before a symbol; then the begins and the ends of rules.
  [[nodiscard]] std::uint32_t begin_of(std::uint32_t rule) const {
    return static_cast<std::uint32_t>(symbols_.size()) + rule;
  }
  [[nodiscard]] std::uint32_t end_of(std::uint32_t rule) const {
    return begin_of(static_cast<std::uint32_t>(draft_.rules.size()) + rule);
  }

  // Returns false if an earlier call found that the condition does not hold from `place` on.
  bool add(std::uint32_t place, ExprId rest) {
    if (rest == ExprId::kAllStrings) return true;
    const std::uint32_t key[] = {place, static_cast<std::uint32_t>(rest)};
    const auto hash = static_cast<std::uint32_t>(base::hash_words(key));
    const std::uint32_t known =
        numbers_
            .find(hash,
                  [&](const base::NumberSlot& slot) {
                    return readings_[slot.number].place == place && readings_[slot.number].rest == rest;
                  })
            .number;
    const std::uint32_t number = known == kNone ? static_cast<std::uint32_t>(readings_.size()) : known;
    if (known == kNone) {
      readings_.push_back({place, rest, current_, call_});
      numbers_.insert({number, hash});
    } else {
      Reading& reading = readings_[known];
      if (reading.verdict == Verdict::kFails) return false;
      if (reading.verdict == Verdict::kHolds || reading.call == call_) return true;
      reading.from = current_;
      reading.call = call_;
    }
    met_.push_back(number);
    pending_.push_back(number);
    return true;
  }

  bool add_all(std::span<const std::uint32_t> places, ExprId rest) {
    return std::ranges::all_of(places, [&](std::uint32_t place) { return add(place, rest); });
  }

  bool read(std::uint32_t place, ExprId rest) {
    if (place >= end_of(0)) {
      const std::uint32_t rule = place - end_of(0);
      if (rule == static_cast<std::uint32_t>(draft_.start) && !draft_.exprs.nullable(rest)) return false;
      return add_all(uses_[rule], rest);
    }
    if (place >= begin_of(0)) {
      const std::uint32_t rule = place - begin_of(0);
      if (draft_.rules[rule].lazy.source != LazyRule::kNone) return false;
      return take_fuel() && add_all(productions_[rule], rest);
    }
    const Symbol symbol = symbols_[place];
    switch (symbol.kind()) {
      case Symbol::Kind::kTerminal: return read_terminal(draft_.terminals[symbol.index()].expr, place + 1, rest);
      case Symbol::Kind::kRule: return add(begin_of(symbol.index()), rest);
      case Symbol::Kind::kEnd: return add(end_of(symbol.index()), rest);
      default: return false;  // only the vocabulary knows the text of tokens
    }
  }

  // What is left of a condition after the texts of a terminal.
  struct After {
    bool holds = true;  // each text can be continued so that the condition is satisfied
    std::vector<ExprId> rests = {};
  };

  bool read_terminal(ExprId terminal, std::uint32_t after, ExprId rest) {
    const auto [known, is_new] = after_.try_emplace({terminal, rest});
    if (is_new) known->second = compute_after(terminal, rest);
    if (!known->second.holds) return false;
    return std::ranges::all_of(known->second.rests, [&](ExprId left) { return add(after, left); });
  }

  After compute_after(ExprId terminal, ExprId rest) {
    After after;
    std::set<std::pair<ExprId, ExprId>> met{{terminal, rest}};
    std::vector<std::pair<ExprId, ExprId>> pending{{terminal, rest}};
    std::vector<regex::ExprSet::Branch> branches;
    while (!pending.empty()) {
      const auto [left, asked] = pending.back();
      pending.pop_back();
      if (!take_fuel()) return {false};
      if (draft_.exprs.nullable(left)) after.rests.push_back(asked);
      branches.clear();
      draft_.exprs.append_branches(left, branches);
      for (const auto& [bytes, to] : branches) {
        for (unsigned byte = 0; byte < 256; ++byte) {
          if (!bytes.contains(static_cast<std::uint8_t>(byte))) continue;
          const ExprId next = draft_.exprs.derivative(asked, static_cast<std::uint8_t>(byte));
          if (next == ExprId::kNothing || next == ExprId::kOverflow) return {false};
          if (next != ExprId::kAllStrings && met.emplace(to, next).second) pending.emplace_back(to, next);
        }
      }
    }
    return after;
  }

  bool take_fuel() {
    if (fuel_ == 0) return false;
    --fuel_;
    return true;
  }

  Draft& draft_;
  std::uint32_t fuel_;
  std::vector<Symbol> symbols_;                          // of all productions, each with an end
  std::vector<std::vector<std::uint32_t>> productions_;  // by rule: their begins in symbols_
  std::vector<std::vector<std::uint32_t>> uses_;         // by rule: the places after its uses
  std::vector<Reading> readings_;
  base::FlatTable<base::NumberSlot> numbers_;  // of readings
  std::map<std::pair<ExprId, ExprId>, After> after_;
  std::uint32_t call_ = 0;
  std::uint32_t current_ = kNone;
  std::vector<std::uint32_t> met_;  // readings of this call
  std::vector<std::uint32_t> pending_;
};

}  // namespace

void drop_implied_look_aheads(Draft& draft, const Limits& limits) {
  const auto has_none = [](const DraftRule& rule) { return rule.follow == ExprId::kAllStrings; };
  if (std::all_of(draft.rules.begin(), draft.rules.end(), has_none)) return;
  Follower follower(draft, limits.regex_fuel);
  for (std::uint32_t r = 0; r < draft.rules.size(); ++r) {
    ExprId& follow = draft.rules[r].follow;
    if (follow != ExprId::kAllStrings && follower.holds_after(r, follow)) follow = ExprId::kAllStrings;
  }
}

}  // namespace weir::grammar
