#include "frontend/substring.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/flat_table.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "base/work.h"
#include "regex/syntax/syntax.h"
#include "regex/unicode/unicode.h"

namespace weir::frontend {

namespace {

using regex::CodePointSet;
using regex::ExprId;
using regex::ExprSet;

class SuffixAutomaton {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct State {
    std::uint32_t length = 0;        // of the longest sequence that leads here
    std::uint32_t link = kNone;      // the state of its longest suffix that leads elsewhere
    std::uint32_t last_arc = kNone;  // its transitions are a circular list
  };
  struct Arc {
    std::uint32_t from = 0;
    std::uint32_t unit = 0;
    std::uint32_t to = 0;
    std::uint32_t next = 0;
  };

  SuffixAutomaton() : states_(1) {}

  void extend(std::uint32_t unit) {
    const std::uint32_t last = last_;
    last_ = add_state(states_[last].length + 1);
    std::uint32_t from = last;
    std::uint32_t arc = kNone;
    for (; from != kNone; from = states_[from].link) {
      arc = find(from, unit);
      if (arc != kNone) break;
      add_arc(from, unit, last_);
    }
    if (from == kNone) {
      states_[last_].link = 0;
      return;
    }
    const std::uint32_t to = arcs_[arc].to;
    states_[last_].link = states_[from].length + 1 == states_[to].length ? to : split(from, unit, to);
  }

  [[nodiscard]] const std::vector<State>& states() const { return states_; }

  /// Calls `use` with each transition of a state, in the order in which they were added.
  template <typename Use>
  void for_each_arc(std::uint32_t state, Use use) const {
    const std::uint32_t last = states_[state].last_arc;
    if (last == kNone) return;
    std::uint32_t arc = last;
    do {
      arc = arcs_[arc].next;
      use(Arc(arcs_[arc]));
    } while (arc != last);
  }

 private:
  static std::uint32_t hash_of(std::uint32_t state, std::uint32_t unit) {
    return static_cast<std::uint32_t>(base::hash_mix(base::hash_mix(0, state), unit));
  }

  [[nodiscard]] std::uint32_t find(std::uint32_t state, std::uint32_t unit) const {
    const auto is_same = [&](const base::NumberSlot& slot) {
      return arcs_[slot.number].from == state && arcs_[slot.number].unit == unit;
    };
    return table_.find(hash_of(state, unit), is_same).number;  // kNone in a free slot
  }

  std::uint32_t add_state(std::uint32_t length) {
    base::Work::charge(1);
    states_.push_back({.length = length});
    return static_cast<std::uint32_t>(states_.size() - 1);
  }

  // Precondition: `from` has no transition with this unit.
  void add_arc(std::uint32_t from, std::uint32_t unit, std::uint32_t to) {
    base::Work::charge(1);
    const auto added = static_cast<std::uint32_t>(arcs_.size());
    std::uint32_t& last = states_[from].last_arc;
    arcs_.push_back({from, unit, to, last == kNone ? added : arcs_[last].next});
    if (last != kNone) arcs_[last].next = added;
    last = added;
    table_.insert({added, hash_of(from, unit)});
  }

  // Makes a new state for the sequences of `to` that end with the longest one of `from` followed by `unit`: they now
  // occur at more positions than the longer ones.
  std::uint32_t split(std::uint32_t from, std::uint32_t unit, std::uint32_t to) {
    const std::uint32_t shorter = add_state(states_[from].length + 1);
    states_[shorter].link = states_[to].link;
    for_each_arc(to, [&](const Arc& arc) { add_arc(shorter, arc.unit, arc.to); });
    states_[to].link = shorter;
    for (; from != kNone; from = states_[from].link) {
      const std::uint32_t arc = find(from, unit);
      if (arc == kNone || arcs_[arc].to != to) break;
      arcs_[arc].to = shorter;
    }
    return shorter;
  }

  std::vector<State> states_;
  std::vector<Arc> arcs_;
  base::FlatTable<base::NumberSlot> table_;  // arcs by state and unit
  std::uint32_t last_ = 0;
};

enum class CharacterClass : std::uint8_t { kBlank, kWord, kOther };

class Classifier {
 public:
  [[nodiscard]] CharacterClass operator()(char32_t c) const {
    if (blank_.contains(c)) return CharacterClass::kBlank;
    return word_.contains(c) ? CharacterClass::kWord : CharacterClass::kOther;
  }

 private:
  CodePointSet blank_ = regex::unicode_property("White_Space").value();
  CodePointSet word_ = regex::unicode_property("Alphabetic").value() | regex::unicode_property("N").value() |
                       CodePointSet::range('_', '_');
};

}  // namespace

std::vector<std::string_view> split_units(std::string_view text, SubstringUnit unit) {
  std::vector<std::string_view> units;
  const Classifier class_of;
  CharacterClass previous{};
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const base::Decoded c = base::decode_utf8(text, at);
    const CharacterClass now = unit == SubstringUnit::kWord ? class_of(c.code_point) : CharacterClass{};
    if (at > start && (unit == SubstringUnit::kCharacter || now != previous)) {
      units.push_back(text.substr(start, at - start));
      start = at;
    }
    previous = now;
    at += c.length;
  }
  if (start < text.size()) units.push_back(text.substr(start));
  return units;
}

ExprId substring_of(ExprSet& exprs, std::span<const std::string_view> units) {
  SuffixAutomaton automaton;
  std::unordered_map<std::string_view, std::uint32_t> ids;
  std::vector<std::string_view> spellings;
  for (const std::string_view unit : units) {
    if (unit.empty()) continue;
    const auto [id, is_new] = ids.try_emplace(unit, static_cast<std::uint32_t>(spellings.size()));
    if (is_new) spellings.push_back(unit);
    automaton.extend(id->second);
    if (base::Work::is_met()) return ExprId::kOverflow;
  }
  // Transitions lead to states with longer sequences, so those come first.
  std::vector<std::uint32_t> order(automaton.states().size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, std::greater{}, [&](std::uint32_t s) { return automaton.states()[s].length; });
  std::vector<ExprId> of_state(order.size(), ExprId::kNothing);
  std::vector<ExprId> ways;
  for (const std::uint32_t state : order) {
    ways.assign(1, ExprId::kEpsilon);
    automaton.for_each_arc(state, [&](const SuffixAutomaton::Arc& arc) {
      ways.push_back(exprs.concat(exprs.literal(spellings[arc.unit]), of_state[arc.to]));
    });
    of_state[state] = exprs.alternation(ways);
    if (base::Work::is_met()) return ExprId::kOverflow;
  }
  return of_state[0];
}

namespace {

std::optional<grammar::RuleId> add_rule(std::span<const std::string_view> units, SourceRange where, Reading& reading) {
  grammar::Grammar& grammar = reading.grammar;
  const ExprId expr = substring_of(grammar.exprs, units);
  if (expr == ExprId::kOverflow) return reading.fail(regex::overflow_error(grammar.exprs, where));
  const grammar::NodeId body = grammar.add_terminal({expr, base::LexemeMode::kExact, "quotation", where});
  return grammar.add_rule({.name = "root", .body = body, .where = where, .defined = true});
}

}  // namespace

std::optional<grammar::RuleId> read_substring(std::string_view text, SubstringUnit unit, Reading& reading) {
  if (auto done = check_text(text, reading.limits); !done) return reading.fail(std::move(done.error()));
  return add_rule(split_units(text, unit), {0, text.size()}, reading);
}

std::optional<grammar::RuleId> read_substring_chunks(std::span<const std::string> chunks, Reading& reading) {
  std::string text;
  for (const std::string& chunk : chunks) text += chunk;
  if (auto done = check_text(text, reading.limits); !done) {
    Error error = std::move(done.error());
    error.where = {};
    return reading.fail(std::move(error));
  }
  return add_rule(std::vector<std::string_view>(chunks.begin(), chunks.end()), {}, reading);
}

}  // namespace weir::frontend
