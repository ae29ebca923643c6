#include "canonical/canonical_filter.h"

#include <algorithm>

#include "canonical/merge_forest.h"

namespace weir::canonical {

TokenFilter::State CanonicalFilter::step(State state, std::uint32_t token) {
  const CanonicalId to = automaton_.step(states_[static_cast<std::size_t>(state)], token);
  return to == CanonicalId::kRefused ? State::kRefused : number(to);
}

TokenFilter::State CanonicalFilter::number(CanonicalId id) {
  const auto known = numbers_.find(id);
  if (known != numbers_.end()) return known->second;
  const std::uint32_t successors = successors_of(automaton_.last_symbol(id));
  words_.assign(1, successors);
  for (const PlaceId place : automaton_.places(id)) words_.push_back(static_cast<std::uint32_t>(place));
  const auto [number, is_new] = keys_.intern(words_);
  if (is_new) states_.push_back(id);
  numbers_.emplace(id, State{number});
  return State{number};
}

std::uint32_t CanonicalFilter::successors_of(std::uint32_t symbol) {
  const auto known = successors_.find(symbol);
  if (known != successors_.end()) return known->second;
  const MergeForest* forest = automaton_.forest();
  const bool has_list = forest != nullptr && symbol < forest->symbol_count() && forest->is_made(SymbolId{symbol});
  words_.clear();
  if (has_list) {
    stretches_.clear();
    forest->for_each_forbidden(SymbolId{symbol},
                               [this](std::uint32_t begin, std::uint32_t end) { stretches_.emplace_back(begin, end); });
    std::sort(stretches_.begin(), stretches_.end());
    for (const auto& [begin, end] : stretches_) {
      if (!words_.empty() && begin <= words_.back()) {
        words_.back() = std::max(words_.back(), end);
      } else {
        words_.push_back(begin);
        words_.push_back(end);
      }
    }
  } else {
    words_.assign(1, symbol);  // stretches have two words each
  }
  const std::uint32_t list = lists_.intern(words_).first;
  successors_.emplace(symbol, list);
  return list;
}

}  // namespace weir::canonical
