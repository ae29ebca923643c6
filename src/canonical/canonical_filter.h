// CanonicalFilter: leaves in a TokenIndex the token sequences that the tokenizer itself writes.
//
// HOW    CanonicalAutomaton says which token may come; its states are many, one for each last token. Two of them have one
//        future where their places are the same and their last tokens forbid the same successors, which MergeForest
//        tells by intervals. Such states are one here, so that the index is a product with these and not with tokens.
// COST   Beside the automaton's steps, the intervals of each token that comes last, once.
#ifndef WEIR_SRC_CANONICAL_CANONICAL_FILTER_H_
#define WEIR_SRC_CANONICAL_CANONICAL_FILTER_H_

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/word_interner.h"
#include "canonical/canonical_automaton.h"
#include "canonical/token_index.h"

namespace weir::canonical {

class CanonicalFilter final : public TokenFilter {
 public:
  /// `automaton` must outlive the filter.
  explicit CanonicalFilter(const CanonicalAutomaton& automaton) : automaton_(automaton) {}

  State start() override { return number(automaton_.start()); }
  State step(State state, std::uint32_t token) override;
  bool may_end(State state) override { return automaton_.may_end(states_[static_cast<std::size_t>(state)]); }

 private:
  State number(CanonicalId id);
  // Equal for last tokens that forbid the same successors.
  std::uint32_t successors_of(std::uint32_t symbol);

  const CanonicalAutomaton& automaton_;
  std::vector<CanonicalId> states_;                              // by State: one of those that are alike
  std::unordered_map<CanonicalId, State> numbers_;               //
  base::WordInterner keys_;                                      // of states: the last token's successors, the places
  std::unordered_map<std::uint32_t, std::uint32_t> successors_;  // by symbol
  base::WordInterner lists_;                                     // of forbidden successors
  std::vector<std::uint32_t> words_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stretches_;
};

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_CANONICAL_FILTER_H_
