#include "frontend/substring.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/utf8.h"
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
    std::uint32_t length = 0;               // of the longest sequence that leads here
    std::uint32_t link = kNone;             // the state of its longest suffix that leads elsewhere
    std::vector<std::uint32_t> units = {};  // units with a transition
  };

  SuffixAutomaton() : states_(1) {}

  void extend(std::uint32_t unit) {
    const std::uint32_t last = last_;
    last_ = add_state(states_[last].length + 1);
    std::uint32_t from = last;
    while (from != kNone && next(from, unit) == kNone) {
      connect(from, unit, last_);
      from = states_[from].link;
    }
    if (from == kNone) {
      states_[last_].link = 0;
      return;
    }
    const std::uint32_t to = next(from, unit);
    states_[last_].link = states_[from].length + 1 == states_[to].length ? to : split(from, unit, to);
  }

  [[nodiscard]] const std::vector<State>& states() const { return states_; }
  [[nodiscard]] std::uint32_t next(std::uint32_t state, std::uint32_t unit) const {
    const auto found = next_.find(key(state, unit));
    return found == next_.end() ? kNone : found->second;
  }

 private:
  static std::uint64_t key(std::uint32_t state, std::uint32_t unit) { return (std::uint64_t{state} << 32) | unit; }

  std::uint32_t add_state(std::uint32_t length) {
    states_.push_back({.length = length});
    return static_cast<std::uint32_t>(states_.size() - 1);
  }

  void connect(std::uint32_t from, std::uint32_t unit, std::uint32_t to) {
    const auto [place, is_new] = next_.insert_or_assign(key(from, unit), to);
    if (is_new) states_[from].units.push_back(unit);
  }

  // Makes a new state for the sequences of `to` that end with the longest one of `from` followed by `unit`: they now
  // occur at more positions than the longer ones.
  std::uint32_t split(std::uint32_t from, std::uint32_t unit, std::uint32_t to) {
    const std::uint32_t shorter = add_state(states_[from].length + 1);
    states_[shorter].link = states_[to].link;
    const std::vector<std::uint32_t> units = states_[to].units;
    for (const std::uint32_t u : units) connect(shorter, u, next(to, u));
    states_[to].link = shorter;
    for (; from != kNone && next(from, unit) == to; from = states_[from].link) connect(from, unit, shorter);
    return shorter;
  }

  std::vector<State> states_;
  std::unordered_map<std::uint64_t, std::uint32_t> next_;
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
  }
  // Transitions lead to states with longer sequences, so those come first.
  std::vector<std::uint32_t> order(automaton.states().size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, std::greater{}, [&](std::uint32_t s) { return automaton.states()[s].length; });
  std::vector<ExprId> of_state(order.size(), ExprId::kNothing);
  std::vector<ExprId> ways;
  for (const std::uint32_t state : order) {
    ways.assign(1, ExprId::kEpsilon);
    for (const std::uint32_t unit : automaton.states()[state].units) {
      ways.push_back(exprs.concat(exprs.literal(spellings[unit]), of_state[automaton.next(state, unit)]));
    }
    of_state[state] = exprs.alternation(ways);
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
