#include "grammar/passes/implied_look_aheads.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace weir::grammar {

namespace {

using regex::ExprId;

class Follower {
 public:
  Follower(Draft& draft, std::uint32_t fuel) : draft_(draft), fuel_(fuel), uses_(draft.rules.size()) {
    for (std::uint32_t r = 0; r < draft.rules.size(); ++r) {
      const std::vector<Production>& productions = draft.rules[r].productions;
      for (std::uint32_t p = 0; p < productions.size(); ++p) {
        for (std::uint32_t i = 0; i < productions[p].size(); ++i) {
          const Symbol symbol = productions[p][i];
          if (symbol.kind() == Symbol::Kind::kRule) uses_[symbol.index()].push_back({r, p, i + 1});
        }
      }
    }
  }

  /// Returns true if every text after `rule`, up to the end of the output, is in `follow`.
  bool holds_after(std::uint32_t rule, ExprId follow) {
    seen_.clear();
    begun_.clear();
    ended_.clear();
    pending_.clear();
    if (!end(rule, follow)) return false;
    while (!pending_.empty()) {
      const Reading reading = pending_.back();
      pending_.pop_back();
      if (!read(reading)) return false;
    }
    return true;
  }

 private:
  // A position before the symbol with index `next` of a production, or at the end of the production.
  struct Place {
    std::uint32_t rule, production, next;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  // The condition `rest` applies to all text from `place` on.
  struct Reading {
    Place place;
    ExprId rest;
    friend auto operator<=>(const Reading&, const Reading&) = default;
  };

  void add(const Place& place, ExprId rest) {
    if (rest != ExprId::kAllStrings && seen_.insert({place, rest}).second) pending_.push_back({place, rest});
  }

  bool end(std::uint32_t rule, ExprId rest) {
    if (!ended_.emplace(rule, rest).second) return true;
    if (rule == static_cast<std::uint32_t>(draft_.start) && !draft_.exprs.nullable(rest)) return false;
    for (const Place& place : uses_[rule]) add(place, rest);
    return true;
  }

  bool read(const Reading& reading) {
    const auto& [place, rest] = reading;
    const Production& production = draft_.rules[place.rule].productions[place.production];
    if (place.next == production.size()) return end(place.rule, rest);
    const Symbol symbol = production[place.next];
    const Place after{place.rule, place.production, place.next + 1};
    switch (symbol.kind()) {
      case Symbol::Kind::kTerminal: return read_terminal(draft_.terminals[symbol.index()].expr, after, rest);
      case Symbol::Kind::kRule: break;
      default: return false;  // only the vocabulary knows the text of tokens
    }
    const DraftRule& rule = draft_.rules[symbol.index()];
    if (rule.lazy.source != LazyRule::kNone) return false;
    if (begun_.emplace(symbol.index(), rest).second) {
      for (std::uint32_t p = 0; p < rule.productions.size(); ++p) add({symbol.index(), p, 0}, rest);
    }
    return take_fuel();
  }

  bool read_terminal(ExprId terminal, const Place& after, ExprId rest) {
    std::set<std::pair<ExprId, ExprId>> met{{terminal, rest}};
    std::vector<std::pair<ExprId, ExprId>> pending{{terminal, rest}};
    std::vector<regex::ExprSet::Branch> branches;
    while (!pending.empty()) {
      const auto [left, asked] = pending.back();
      pending.pop_back();
      if (!take_fuel()) return false;
      if (draft_.exprs.nullable(left)) add(after, asked);
      branches.clear();
      draft_.exprs.append_branches(left, branches);
      for (const auto& [bytes, to] : branches) {
        for (unsigned byte = 0; byte < 256; ++byte) {
          if (!bytes.contains(static_cast<std::uint8_t>(byte))) continue;
          const ExprId next = draft_.exprs.derivative(asked, static_cast<std::uint8_t>(byte));
          if (next == ExprId::kNothing || next == ExprId::kOverflow) return false;
          if (next != ExprId::kAllStrings && met.emplace(to, next).second) pending.emplace_back(to, next);
        }
      }
    }
    return true;
  }

  bool take_fuel() {
    if (fuel_ == 0) return false;
    --fuel_;
    return true;
  }

  Draft& draft_;
  std::uint32_t fuel_;
  std::vector<std::vector<Place>> uses_;  // by rule: the positions after its uses
  std::set<Reading> seen_;
  std::set<std::pair<std::uint32_t, ExprId>> begun_;  // rules whose productions are read under the condition
  std::set<std::pair<std::uint32_t, ExprId>> ended_;
  std::vector<Reading> pending_;
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
