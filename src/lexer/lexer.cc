#include "lexer/lexer.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <utility>

#include "base/work.h"
#include "lexer/search_bounds.h"
#include "regex/analysis/members.h"
#include "regex/atoms/json_string.h"

namespace weir::lexer {

using base::LexemeMode;
using base::Limit;
using regex::ExprId;

namespace {

constexpr std::uint32_t raw(LexerStateId s) { return static_cast<std::uint32_t>(s); }

template <typename Element>
void sort_and_remove_duplicates(std::vector<Element>& list) {
  if (std::ranges::adjacent_find(list, std::ranges::greater_equal()) == list.end()) return;  // usual: one, or in order
  std::ranges::sort(list);
  const auto duplicates = std::ranges::unique(list);
  list.erase(duplicates.begin(), duplicates.end());
}

}  // namespace

Lexer::Lexer(regex::ExprSet exprs, std::span<const TerminalSpec> terminals, const Limits& limits, Terminals growth,
             std::span<const ExprId> conditions)
    : exprs_(std::move(exprs)), terminals_(terminals.begin(), terminals.end()), limits_(limits) {
  if (growth == Terminals::kGrowing) {
    classes_ = regex::ByteClasses::single();
  } else {
    std::vector<ExprId> all;
    for (const TerminalSpec& terminal : terminals_) all.insert(all.end(), {terminal.expr, terminal.follow});
    all.insert(all.end(), conditions.begin(), conditions.end());
    exprs_.refine_classes(all, classes_);
  }
  states_.intern({});  // kDead
  ending_sets_.intern({});
  tables_.emplace_back();
}

LexerStateId Lexer::intern(std::span<const Item> items) {
  if (limit_hit_ != Limit::kNone) return LexerStateId::kLimit;
  if (const auto known = states_.find(items)) return LexerStateId{*known};
  if (states_.size() >= limits_.lexer_states) {
    limit_hit_ = Limit::kLexerStates;
    return LexerStateId::kLimit;
  }
  tables_.emplace_back();
  return LexerStateId{states_.intern(items).first};
}

// Returns the byte classes by which the residual has a non-empty derivative.
const regex::ByteSet& Lexer::live_of(ExprId residual) {
  const auto [it, is_new] = live_of_.try_emplace(residual);
  if (!is_new) return it->second;
  regex::ByteSet bytes;
  branches_.clear();
  exprs_.append_branches(residual, branches_);
  for (const regex::ExprSet::Branch& branch : branches_) {
    if (!is_nothing(branch.to)) bytes |= branch.bytes;
  }
  return it->second = classes_.classes_of(bytes);
}

// Creates a state's row of edges. Returns false if a limit was exceeded; results that are uncertain are then discarded.
bool Lexer::open(LexerStateId state) {
  regex::ByteSet live;
  for (const Item& item : items(state)) {
    live |= live_of(item.residual);
    if (limit_hit_ == Limit::kNone) continue;
    live_of_.erase(item.residual);
    return false;
  }
  State& table = tables_[raw(state)];
  table.live = live;
  table.ranks = regex::RankedByteSet(live);
  table.first_edge = static_cast<std::uint32_t>(edges_.size());
  edges_.resize(edges_.size() + table.ranks.size());
  return true;
}

const regex::ByteSet& Lexer::live(LexerStateId state) {
  static constexpr regex::ByteSet kNone;
  if (state == LexerStateId::kLimit) return kNone;
  if (tables_[raw(state)].first_edge == kNotOpen && !open(state)) return kNone;
  return tables_[raw(state)].live;
}

LexerStateId Lexer::start(std::span<const std::uint32_t> terminals) {
  std::vector<Item> items;
  items.reserve(terminals.size());
  for (const std::uint32_t t : terminals) items.push_back({t, terminals_[t].expr});
  return state_of(std::move(items));
}

LexerStateId Lexer::state_of(std::vector<Item> items) {
  sort_and_remove_duplicates(items);
  return intern(items);
}

LexerStateId Lexer::merge(LexerStateId a, LexerStateId b) {
  if (a == LexerStateId::kLimit || b == LexerStateId::kLimit) return LexerStateId::kLimit;
  if (a == b || b == LexerStateId::kDead) return a;
  if (a == LexerStateId::kDead) return b;
  const auto first = items(a);
  const auto second = items(b);
  std::vector<Item> both(first.begin(), first.end());
  both.insert(both.end(), second.begin(), second.end());
  return state_of(std::move(both));
}

Lexer::StepResult Lexer::step(LexerStateId state, std::uint8_t byte_class) {
  if (state == LexerStateId::kLimit) return {LexerStateId::kLimit, {}};
  if (tables_[raw(state)].first_edge == kNotOpen) {
    const State& closed = tables_[raw(state)];
    const bool is_first = closed.lone_edge.next == Edge::kUnknown;
    if (is_first) {
      const Edge edge = compute(state, byte_class);  // moves tables_
      if (edge.next == raw(LexerStateId::kLimit)) return {LexerStateId::kLimit, {}};
      tables_[raw(state)].lone_class = byte_class;
      tables_[raw(state)].lone_edge = edge;
      return result_of(edge);
    }
    if (closed.lone_class == byte_class) return result_of(closed.lone_edge);
    if (!open(state)) return {LexerStateId::kLimit, {}};
  }
  const State& table = tables_[raw(state)];
  if (!table.ranks.contains(byte_class)) return {};
  const std::size_t at = table.first_edge + table.ranks.rank(byte_class);
  Edge edge = edges_[at];
  if (edge.next == Edge::kUnknown) {
    edge = compute(state, byte_class);
    if (edge.next == raw(LexerStateId::kLimit)) return {LexerStateId::kLimit, {}};
    edges_[at] = edge;
  }
  return result_of(edge);
}

Lexer::StepResult Lexer::result_of(const Edge& edge) const {
  return {LexerStateId{edge.next}, ending_sets_[edge.endings]};
}

// Returns a derivative that may be asked for again in other states.
ExprId Lexer::derivative_of_many(ExprId residual, std::uint8_t byte) {
  const std::uint64_t hash = (std::uint64_t{static_cast<std::uint32_t>(residual)} << 8U | byte) * 0x9E3779B97F4A7C15U;
  Derivative& known = derivatives_[(hash >> 32U) & (derivatives_.size() - 1)];
  if (known.of == residual && known.byte == byte) return known.to;
  // The derivatives of a string's atom are not counted where they are made: one is made for each byte of a text.
  if (exprs_.kind(exprs_.head(residual)) == regex::ExprKind::kAtom) base::Work::charge(base::Work::kDerivative);
  const ExprId to = exprs_.derivative(residual, byte);
  if (to != ExprId::kOverflow) known = {residual, byte, to};
  return to;
}

// Lists in derived_ the items of `state` after `byte`, without empty residuals and without the competitors that a shortest
// terminal ends.
void Lexer::derive(LexerStateId state, std::uint8_t byte) {
  derived_.clear();
  bool is_cut = false;
  const std::span<const Item> from = items(state);
  const bool are_many = from.size() >= kManyItems;
  if (are_many) {
    base::Work::charge(from.size() / kKnownItemsForOneStep);
    const std::size_t wanted = std::min(kMostDerivatives, std::bit_ceil(kPlacesForItem * from.size()));
    if (derivatives_.size() < wanted) derivatives_.assign(wanted, {});
  }
  for (const Item& item : from) {
    base::Work::set_terminal(item.terminal);
    const ExprId residual = are_many ? derivative_of_many(item.residual, byte) : exprs_.derivative(item.residual, byte);
    if (is_nothing(residual)) continue;
    const Derived after{{item.terminal, residual}, terminals_[item.terminal].mode, exprs_.nullable(residual)};
    derived_.push_back(after);
    is_cut = is_cut || (after.may_end && after.mode == LexemeMode::kShortest);
  }
  if (is_cut) {
    const auto ends = [](const Derived& item) { return item.may_end && item.mode == LexemeMode::kShortest; };
    const bool cuts_texts = std::ranges::any_of(
        derived_, [&](const Derived& item) { return ends(item) && !regex::is_json_content(exprs_, item.residual); });
    const bool cuts_contents = std::ranges::any_of(
        derived_, [&](const Derived& item) { return ends(item) && regex::is_json_content(exprs_, item.residual); });
    std::erase_if(derived_, [&](const Derived& item) {
      const bool is_cut_here = regex::is_json_content(exprs_, item.residual) ? cuts_contents : cuts_texts;
      return is_cut_here && competes(item.mode) && !ends(item);
    });
  }
}

Lexer::Edge Lexer::compute(LexerStateId state, std::uint8_t byte_class) {
  derive(state, classes_.representative(byte_class));
  next_.clear();
  ended_.clear();
  for (const Derived& item : derived_) {
    if (item.may_end) {
      const ExprId rest = rest_after(item);
      if (!is_nothing(rest)) ended_.push_back({item.terminal, rest});
    }
    const bool stops = item.may_end && ends_at_first_match(item.mode);
    if (item.residual != ExprId::kEpsilon && !stops) next_.push_back(item);
  }
  sort_and_remove_duplicates(next_);
  sort_and_remove_duplicates(ended_);
  const LexerStateId next_id = intern(next_);
  if (limit_hit_ != Limit::kNone) return {raw(LexerStateId::kLimit), 0};
  return {raw(next_id), ending_sets_.intern(ended_).first};
}

// Returns what may follow a lexeme of `item`, one of derived_, that ends here.
ExprId Lexer::rest_after(const Derived& item) {
  const ExprId follow = terminals_[item.terminal].follow;
  if (item.mode == LexemeMode::kLongest) return exprs_.intersection(unless_continued(item), follow);
  if (item.mode != LexemeMode::kGreedy || item.residual == ExprId::kEpsilon) return follow;
  const ExprId longer = exprs_.difference(item.residual, ExprId::kEpsilon);
  return exprs_.intersection(exprs_.complement(exprs_.concat(longer, ExprId::kAllStrings)), follow);
}

// Returns the bytes with which members of `e` begin.
regex::ByteSet Lexer::first_bytes_of(ExprId e) {
  regex::ByteSet bytes;
  std::vector<regex::ExprSet::Branch> branches;
  exprs_.append_branches(e, branches);
  for (const regex::ExprSet::Branch& branch : branches) {
    if (!is_nothing(branch.to)) bytes |= branch.bytes;
  }
  return bytes;
}

// Returns true if two terminals in progress are both written within a JSON string in the same way, or both are not.
bool Lexer::are_spelled_alike(const Item& a, const Item& b) const {
  return regex::is_json_content(exprs_, a.residual) ? regex::have_one_spelling(exprs_, a.residual, b.residual)
                                                    : !regex::is_json_content(exprs_, b.residual);
}

// Returns the texts that no competitor of `ended` in derived_ can continue with: their first byte is not live in any of
// them. Within a JSON string, it is the first byte of the contents that counts, up to the closing quote.
ExprId Lexer::unless_continued(const Derived& ended) {
  const bool is_within = regex::is_json_content(exprs_, ended.residual);
  regex::ByteSet continued;
  for (const Derived& item : derived_) {
    if (!competes(item.mode) || !are_spelled_alike(ended, item)) continue;
    if (is_within) {
      continued |= first_bytes_of(regex::json_contents_of(exprs_, item.residual));
      if (limit_hit_ != Limit::kNone) return ExprId::kAllStrings;
      continue;
    }
    const regex::ByteSet& live = live_of(item.residual);
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto b = static_cast<std::uint8_t>(byte);
      if (live.contains(classes_.class_of(b))) continued.add(b);
    }
    if (limit_hit_ == Limit::kNone) continue;
    live_of_.erase(item.residual);
    return ExprId::kAllStrings;
  }
  const ExprId rest = exprs_.complement(exprs_.concat(exprs_.byte_set(continued), ExprId::kAllStrings));
  if (!is_within) return rest;
  const ExprId contents = exprs_.intersection(rest, regex::json_up_to_quote(exprs_));
  return regex::json_string_then(exprs_, contents, ended.residual);
}

bool Lexer::is_nothing(ExprId e) {
  switch (regex::emptiness(exprs_, e, limits_.regex_fuel)) {
    case regex::Emptiness::kEmpty: return true;
    case regex::Emptiness::kNonEmpty: return false;
    case regex::Emptiness::kUnknown: break;
  }
  limit_hit_ = e == ExprId::kOverflow ? Limit::kRegexNodes : base::Work::met_or(Limit::kRegexFuel);
  return false;
}

std::size_t Lexer::memory_bytes() const {
  return exprs_.memory_bytes() + states_.memory_bytes() + ending_sets_.memory_bytes() +
         tables_.capacity() * sizeof(State) + edges_.capacity() * sizeof(Edge) +
         derivatives_.capacity() * sizeof(Derivative) +
         live_of_.size() * (sizeof(*live_of_.begin()) + 2 * sizeof(void*));
}

}  // namespace weir::lexer
