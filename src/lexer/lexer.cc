#include "lexer/lexer.h"

#include <algorithm>

#include "base/work.h"

namespace weir::lexer {

using base::Limit;
using regex::ExprId;

namespace {

constexpr std::uint32_t raw(ExprId e) { return static_cast<std::uint32_t>(e); }
constexpr std::uint32_t raw(LexerStateId s) { return static_cast<std::uint32_t>(s); }

// Sorts the pairs of a flat list and removes duplicates.
void sort_pairs(std::vector<std::uint32_t>& words) {
  const auto pair = [&](std::size_t i) { return std::pair(words[i], words[i + 1]); };
  std::size_t sorted = 2;
  while (sorted < words.size() && pair(sorted - 2) < pair(sorted)) sorted += 2;
  if (sorted >= words.size()) return;  // usual: one pair, or in order
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  pairs.reserve(words.size() / 2);
  for (std::size_t i = 0; i < words.size(); i += 2) pairs.emplace_back(words[i], words[i + 1]);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  words.clear();
  for (const auto& [terminal, expr] : pairs) {
    words.push_back(terminal);
    words.push_back(expr);
  }
}

}  // namespace

Lexer::Lexer(regex::ExprSet exprs, std::span<const TerminalSpec> terminals, const Limits& limits, Terminals growth,
             std::span<const ExprId> conditions)
    : exprs_(std::move(exprs)), terminals_(terminals.begin(), terminals.end()), limits_(limits) {
  if (growth == Terminals::kGrowing) {
    classes_ = regex::ByteClasses::single();
  } else {
    for (const TerminalSpec& terminal : terminals_) {
      exprs_.refine_classes(terminal.expr, classes_);
      exprs_.refine_classes(terminal.follow, classes_);
    }
    for (const ExprId condition : conditions) exprs_.refine_classes(condition, classes_);
  }
  std::vector<std::uint32_t> nothing;
  states_.intern(nothing);  // kDead
  ending_sets_.intern(nothing);
  ending_ranges_.emplace_back(0, 0);
  tables_.emplace_back();
}

LexerStateId Lexer::intern(std::vector<std::uint32_t>& words) {
  if (limit_hit_ != Limit::kNone) return LexerStateId::kLimit;
  if (const auto known = states_.find(words)) return LexerStateId{*known};
  if (states_.size() >= limits_.lexer_states) {
    limit_hit_ = Limit::kLexerStates;
    return LexerStateId::kLimit;
  }
  tables_.emplace_back();
  return LexerStateId{states_.intern(words).first};
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
  const auto listed = items(state);
  for (std::size_t i = 0; i < listed.size(); i += 2) {
    live |= live_of(ExprId{listed[i + 1]});
    if (limit_hit_ == Limit::kNone) continue;
    live_of_.erase(ExprId{listed[i + 1]});
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
  std::vector<std::uint32_t> words;
  words.reserve(terminals.size() * 2);
  for (std::uint32_t t : terminals) {
    words.push_back(t);
    words.push_back(raw(terminals_[t].expr));
  }
  sort_pairs(words);
  return intern(words);
}

LexerStateId Lexer::state_of(std::vector<std::uint32_t> items) {
  sort_pairs(items);
  return intern(items);
}

LexerStateId Lexer::merge(LexerStateId a, LexerStateId b) {
  if (a == LexerStateId::kLimit || b == LexerStateId::kLimit) return LexerStateId::kLimit;
  if (a == b || b == LexerStateId::kDead) return a;
  if (a == LexerStateId::kDead) return b;
  const auto first = items(a);
  const auto second = items(b);
  std::vector<std::uint32_t> words(first.begin(), first.end());
  words.insert(words.end(), second.begin(), second.end());
  sort_pairs(words);
  return intern(words);
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
  const auto [begin, end] = ending_ranges_[edge.endings];
  return {LexerStateId{edge.next}, std::span(endings_).subspan(begin, end - begin)};
}

// Lists in derived_ the items of `state` after `byte`, without empty residuals and without the competitors that a shortest
// terminal ends.
void Lexer::derive(LexerStateId state, std::uint8_t byte) {
  const auto words = items(state);
  derived_.clear();
  bool is_cut = false;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    base::Work::set_terminal(words[i]);
    const ExprId residual = exprs_.derivative(ExprId{words[i + 1]}, byte);
    if (is_nothing(residual)) continue;
    const Item item{words[i], residual, terminals_[words[i]].mode, exprs_.nullable(residual)};
    derived_.push_back(item);
    is_cut = is_cut || (item.may_end && item.mode == Mode::kShortest);
  }
  if (is_cut) {
    std::erase_if(derived_, [](const Item& item) {
      return competes(item.mode) && !(item.may_end && item.mode == Mode::kShortest);
    });
  }
}

Lexer::Edge Lexer::compute(LexerStateId state, std::uint8_t byte_class) {
  derive(state, classes_.representative(byte_class));
  next_.clear();
  ended_.clear();
  for (const Item& item : derived_) {
    if (item.may_end) {
      const ExprId rest = rest_after(item, derived_);
      if (!is_nothing(rest)) {
        ended_.push_back(item.terminal);
        ended_.push_back(raw(rest));
      }
    }
    const bool stops = item.may_end && (item.mode == Mode::kLazy || item.mode == Mode::kShortest);
    if (item.residual != ExprId::kEpsilon && !stops) {
      next_.push_back(item.terminal);
      next_.push_back(raw(item.residual));
    }
  }
  sort_pairs(next_);
  sort_pairs(ended_);
  const LexerStateId next_id = intern(next_);
  if (limit_hit_ != Limit::kNone) return {raw(LexerStateId::kLimit), 0};
  const auto [set, is_new] = ending_sets_.intern(ended_);
  if (is_new) {
    const auto begin = static_cast<std::uint32_t>(endings_.size());
    for (std::size_t i = 0; i < ended_.size(); i += 2) endings_.push_back({ended_[i], ExprId{ended_[i + 1]}});
    ending_ranges_.emplace_back(begin, static_cast<std::uint32_t>(endings_.size()));
  }
  return {raw(next_id), set};
}

ExprId Lexer::rest_after(const Item& item, std::span<const Item> items) {
  const ExprId follow = terminals_[item.terminal].follow;
  if (item.mode == Mode::kLongest) return exprs_.intersection(unless_continued(items), follow);
  if (item.mode != Mode::kGreedy || item.residual == ExprId::kEpsilon) return follow;
  const ExprId longer = exprs_.difference(item.residual, ExprId::kEpsilon);
  return exprs_.intersection(exprs_.complement(exprs_.concat(longer, ExprId::kAllStrings)), follow);
}

// Returns the texts that no competitor among `items` can continue with: their first byte is not live in any of them.
ExprId Lexer::unless_continued(std::span<const Item> items) {
  regex::ByteSet continued;
  for (const Item& item : items) {
    if (!competes(item.mode)) continue;
    const regex::ByteSet& live = live_of(item.residual);
    for (unsigned byte = 0; byte < 256; ++byte) {
      const auto b = static_cast<std::uint8_t>(byte);
      if (live.contains(classes_.class_of(b))) continued.add(b);
    }
    if (limit_hit_ == Limit::kNone) continue;
    live_of_.erase(item.residual);
    return ExprId::kAllStrings;
  }
  return exprs_.complement(exprs_.concat(exprs_.byte_set(continued), ExprId::kAllStrings));
}

bool Lexer::is_nothing(ExprId e) {
  switch (exprs_.emptiness(e, limits_.regex_fuel)) {
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
         live_of_.size() * (sizeof(*live_of_.begin()) + 2 * sizeof(void*)) + endings_.capacity() * sizeof(Ending) +
         ending_ranges_.capacity() * sizeof(ending_ranges_[0]);
}

}  // namespace weir::lexer
