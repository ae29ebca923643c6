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

using base::Answer;
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
  if (const auto known = states_.find(items)) return LexerStateId{*known};
  if (states_.size() >= limits_.lexer_states) return base::limit_id<LexerStateId>(Limit::kLexerStates);
  tables_.emplace_back();
  return LexerStateId{states_.intern(items).first};
}

// Adds the byte classes by which the residual has a non-empty derivative.
Limit Lexer::add_live_of(ExprId residual, regex::ByteSet& live) {
  auto known = live_of_.find(residual);
  if (known == live_of_.end()) {
    regex::ByteSet bytes;
    if (const Limit met = add_first_bytes(residual, bytes); met != Limit::kNone) return met;
    known = live_of_.emplace(residual, classes_.classes_of(bytes)).first;
  }
  live |= known->second;
  return Limit::kNone;
}

// Adds the bytes with which members of `e` begin.
Limit Lexer::add_first_bytes(ExprId e, regex::ByteSet& bytes) {
  branches_.clear();
  exprs_.append_branches(e, branches_);
  for (const regex::ExprSet::Branch& branch : branches_) {
    const Answer nothing = is_nothing(branch.to);
    if (!nothing.is_known()) return nothing.limit();
    if (nothing.is_no()) bytes |= branch.bytes;
  }
  return Limit::kNone;
}

// Creates a state's row of edges.
Limit Lexer::open(LexerStateId state) {
  regex::ByteSet live;
  for (const Item& item : items(state)) {
    if (const Limit met = add_live_of(item.residual, live); met != Limit::kNone) return met;
  }
  State& table = tables_[raw(state)];
  table.live = live;
  table.ranks = regex::RankedByteSet(live);
  table.first_edge = static_cast<std::uint32_t>(edges_.size());
  edges_.resize(edges_.size() + table.ranks.size());
  return Limit::kNone;
}

Limit Lexer::add_live(LexerStateId state, regex::ByteSet& live) {
  if (tables_[raw(state)].first_edge == kNotOpen) {
    if (const Limit met = open(state); met != Limit::kNone) return met;
  }
  live |= tables_[raw(state)].live;
  return Limit::kNone;
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
  if (a == b || b == LexerStateId::kDead || base::is_limit_id(a)) return a;
  if (a == LexerStateId::kDead || base::is_limit_id(b)) return b;
  const auto first = items(a);
  const auto second = items(b);
  std::vector<Item> both(first.begin(), first.end());
  both.insert(both.end(), second.begin(), second.end());
  return state_of(std::move(both));
}

Lexer::StepResult Lexer::step(LexerStateId state, std::uint8_t byte_class) {
  if (tables_[raw(state)].first_edge == kNotOpen) {
    const State& closed = tables_[raw(state)];
    const bool is_first = closed.lone_edge.next == Edge::kUnknown;
    if (is_first) {
      const Edge edge = compute(state, byte_class);  // moves tables_
      if (base::is_limit_id(edge.next)) return result_of(edge);
      tables_[raw(state)].lone_class = byte_class;
      tables_[raw(state)].lone_edge = edge;
      return result_of(edge);
    }
    if (closed.lone_class == byte_class) return result_of(closed.lone_edge);
    if (const Limit met = open(state); met != Limit::kNone) return result_of(edge_of(met));
  }
  const State& table = tables_[raw(state)];
  if (!table.ranks.contains(byte_class)) return {};
  const std::size_t at = table.first_edge + table.ranks.rank(byte_class);
  Edge edge = edges_[at];
  if (edge.next == Edge::kUnknown) {
    edge = compute(state, byte_class);
    if (!base::is_limit_id(edge.next)) edges_[at] = edge;
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
Limit Lexer::derive(LexerStateId state, std::uint8_t byte) {
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
    const Answer nothing = is_nothing(residual);
    if (!nothing.is_known()) return nothing.limit();
    if (nothing.is_yes()) continue;
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
  return Limit::kNone;
}

Lexer::Edge Lexer::compute(LexerStateId state, std::uint8_t byte_class) {
  if (const Limit met = derive(state, classes_.representative(byte_class)); met != Limit::kNone) return edge_of(met);
  next_.clear();
  ended_.clear();
  for (const Derived& item : derived_) {
    if (item.may_end) {
      ExprId rest{};
      if (const Limit met = rest_after(item, rest); met != Limit::kNone) return edge_of(met);
      const Answer nothing = is_nothing(rest);
      if (!nothing.is_known()) return edge_of(nothing.limit());
      if (nothing.is_no()) ended_.push_back({item.terminal, rest});
    }
    const bool stops = item.may_end && ends_at_first_match(item.mode);
    if (item.residual != ExprId::kEpsilon && !stops) next_.push_back(item);
  }
  sort_and_remove_duplicates(next_);
  sort_and_remove_duplicates(ended_);
  const LexerStateId next_id = intern(next_);
  return {raw(next_id), ending_sets_.intern(ended_).first};
}

// Sets `rest` to what may follow a lexeme of `item`, one of derived_, that ends here.
Limit Lexer::rest_after(const Derived& item, ExprId& rest) {
  rest = ExprId::kAllStrings;
  if (item.mode == LexemeMode::kLongest) {
    if (const Limit met = unless_continued(item, rest); met != Limit::kNone) return met;
  } else if (item.mode == LexemeMode::kGreedy && item.residual != ExprId::kEpsilon) {
    const ExprId longer = exprs_.difference(item.residual, ExprId::kEpsilon);
    rest = exprs_.complement(exprs_.concat(longer, ExprId::kAllStrings));
  }
  rest = exprs_.intersection(rest, terminals_[item.terminal].follow);
  return Limit::kNone;
}

// Returns true if two terminals in progress are both written within a JSON string in the same way, or both are not.
bool Lexer::are_spelled_alike(const Item& a, const Item& b) const {
  return regex::is_json_content(exprs_, a.residual) ? regex::have_one_spelling(exprs_, a.residual, b.residual)
                                                    : !regex::is_json_content(exprs_, b.residual);
}

// Sets `rest` to the texts that no competitor of `ended` in derived_ can continue with: their first byte is not live in any of
// them. Within a JSON string, it is the first byte of the contents that counts, up to the closing quote.
Limit Lexer::unless_continued(const Derived& ended, ExprId& rest) {
  const bool is_within = regex::is_json_content(exprs_, ended.residual);
  regex::ByteSet continued;
  for (const Derived& item : derived_) {
    if (!competes(item.mode) || !are_spelled_alike(ended, item)) continue;
    if (is_within) {
      const Limit met = add_first_bytes(regex::json_contents_of(exprs_, item.residual), continued);
      if (met != Limit::kNone) return met;
      continue;
    }
    regex::ByteSet live;
    if (const Limit met = add_live_of(item.residual, live); met != Limit::kNone) return met;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto b = static_cast<std::uint8_t>(byte);
      if (live.contains(classes_.class_of(b))) continued.add(b);
    }
  }
  rest = exprs_.complement(exprs_.concat(exprs_.byte_set(continued), ExprId::kAllStrings));
  if (!is_within) return Limit::kNone;
  const ExprId contents = exprs_.intersection(rest, regex::json_up_to_quote(exprs_));
  rest = regex::json_string_then(exprs_, contents, ended.residual);
  return Limit::kNone;
}

Answer Lexer::is_nothing(ExprId e) {
  switch (regex::emptiness(exprs_, e, limits_.regex_fuel)) {
    case regex::Emptiness::kEmpty: return true;
    case regex::Emptiness::kNonEmpty: return false;
    case regex::Emptiness::kUnknown: break;
  }
  return e == ExprId::kOverflow ? Limit::kRegexNodes : base::Work::met_or(Limit::kRegexFuel);
}

std::size_t Lexer::memory_bytes() const {
  return exprs_.memory_bytes() + states_.memory_bytes() + ending_sets_.memory_bytes() +
         tables_.capacity() * sizeof(State) + edges_.capacity() * sizeof(Edge) +
         derivatives_.capacity() * sizeof(Derivative) +
         live_of_.size() * (sizeof(*live_of_.begin()) + 2 * sizeof(void*));
}

}  // namespace weir::lexer
