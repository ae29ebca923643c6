#include "canonical/canonical_filter.h"

#include "canonical/merge_forest.h"

namespace weir::canonical {

CanonicalFilter::CanonicalFilter(const CanonicalAutomaton& automaton, const vocab::Vocabulary& vocabulary)
    : automaton_(automaton),
      vocab_size_(vocabulary.size()),
      is_irregular_(vocabulary.size(), true),
      marks_(vocabulary.size()) {
  const MergeForest* forest = automaton.forest();
  if (forest == nullptr) return;
  for (const std::uint32_t symbol : forest->order()) {
    if (symbol < vocab_size_) is_irregular_[symbol] = false;
  }
}

void CanonicalFilter::select(State state) {
  selected_ = state;
  ++mark_;
  const std::uint32_t list = states_[index(state)].list;
  if (list == kNoList) return;
  const auto order = automaton_.forest()->order();
  const auto stretches = lists_[list];
  for (std::size_t i = 0; i < stretches.size(); i += 2) {
    for (std::uint32_t at = stretches[i]; at < stretches[i + 1]; ++at) {
      if (order[at] < vocab_size_) marks_[order[at]] = mark_;
    }
  }
}

CanonicalFilter::State CanonicalFilter::step(std::uint32_t token) {
  const Known from = states_[index(selected_)];
  const auto ask = [&] {
    const CanonicalId to = automaton_.step(from.id, token);
    return to == CanonicalId::kRefused ? State::kRefused : number(to);
  };
  if (from.list == kNoList || is_irregular_[token]) return ask();
  std::vector<State>& after = contexts_[from.context].after[is_compatible(token) ? 1 : 0];
  if (after.empty()) after.assign(vocab_size_, kUnknown);
  if (after[token] == kUnknown) after[token] = ask();
  return after[token];
}

CanonicalFilter::State CanonicalFilter::number(CanonicalId id) {
  const auto known = numbers_.find(id);
  if (known != numbers_.end()) return known->second;
  const std::uint32_t symbol = automaton_.last_symbol(id);
  const std::uint32_t list = list_of(symbol);
  words_.assign({list == kNoList ? 1U : 0U, list == kNoList ? symbol : 0U});
  for (const PlaceId place : automaton_.places(id)) words_.push_back(static_cast<std::uint32_t>(place));
  const std::uint32_t context = context_keys_.intern(words_).first;
  const std::uint32_t key[] = {context, list};
  const auto [number, is_new] = keys_.intern(key);
  if (is_new) states_.push_back({id, context, list});
  numbers_.emplace(id, State{number});
  return State{number};
}

std::uint32_t CanonicalFilter::list_of(std::uint32_t symbol) {
  const auto known = list_numbers_.find(symbol);
  if (known != list_numbers_.end()) return known->second;
  const MergeForest* forest = automaton_.forest();
  std::uint32_t list = kNoList;
  if (forest != nullptr && symbol < forest->symbol_count() && forest->is_made(SymbolId{symbol})) {
    forest->list_forbidden(SymbolId{symbol}, words_);
    list = lists_.intern(words_).first;
  }
  list_numbers_.emplace(symbol, list);
  return list;
}

}  // namespace weir::canonical
