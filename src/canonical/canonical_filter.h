// CanonicalFilter: leaves in a TokenIndex the token sequences that the tokenizer itself writes.
//
// WHAT   A state says what is known of the tokens so far. One state of the filter may be selected; then it says which
//        tokens are compatible with the last one, and to which state each token leads.
// HOW    CanonicalAutomaton has a state for each last token and set of places. Two of them have one future where their
//        places are the same and their last tokens forbid the same successors, which MergeForest gives as intervals:
//        such states are one here. And where a made token leads depends on the *context*, which is the places alone, and
//        on whether it is compatible with the last token. So that is asked of the automaton once for each context, token
//        and answer. Tokens that merges do not make, bytes of a character among them, are *irregular*: where they lead
//        may depend on the last token itself. So may all that follows a last token that merges do not make, and the
//        beginning of a text: their states have a context of their own.
// COST   To select a state: the tokens that its last token forbids, some thousand. A step that is known: two reads.
//        Memory: 8 bytes a token of the vocabulary for each shared context; there are a few dozen.
#ifndef WEIR_SRC_CANONICAL_CANONICAL_FILTER_H_
#define WEIR_SRC_CANONICAL_CANONICAL_FILTER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/word_interner.h"
#include "canonical/canonical_automaton.h"
#include "vocab/vocabulary.h"

namespace weir::canonical {

class CanonicalFilter {
 public:
  enum class State : std::uint32_t { kRefused = UINT32_MAX };

  /// `automaton` must be that of `vocabulary` and outlive the filter.
  CanonicalFilter(const CanonicalAutomaton& automaton, const vocab::Vocabulary& vocabulary);

  State start() { return number(automaton_.start()); }
  [[nodiscard]] bool may_end(State state) const { return automaton_.may_end(states_[index(state)].id); }
  /// States of equal contexts differ in which regular tokens are compatible. A token that is, or is not, compatible with
  /// the last token leads to the same state from all of them. nullopt: a context of its own.
  [[nodiscard]] std::optional<std::uint32_t> context(State state) const {
    const Known& known = states_[index(state)];
    return known.list == kNoList ? std::nullopt : std::optional(known.context);
  }
  [[nodiscard]] bool is_irregular(std::uint32_t token) const { return is_irregular_[token]; }

  void select(State state);
  // Of the selected state:
  [[nodiscard]] bool is_compatible(std::uint32_t token) const { return marks_[token] != mark_; }
  /// kRefused: `token` may not come.
  State step(std::uint32_t token);

 private:
  static constexpr State kUnknown{UINT32_MAX - 1};
  static constexpr std::uint32_t kNoList = UINT32_MAX;
  struct Known {
    CanonicalId id;  // one of those that are alike
    std::uint32_t context;
    std::uint32_t list;
  };
  struct Context {
    std::array<std::vector<State>, 2> after;  // by whether they are compatible, and by token
  };

  static std::size_t index(State state) { return static_cast<std::size_t>(state); }
  State number(CanonicalId id);
  // Number of the list of forbidden successors, as stretches of the forest's order; kNoList: the symbol has none.
  std::uint32_t list_of(std::uint32_t symbol);

  const CanonicalAutomaton& automaton_;
  std::uint32_t vocab_size_;
  std::vector<bool> is_irregular_;  // by token
  std::vector<Known> states_;
  std::unordered_map<CanonicalId, State> numbers_;
  base::WordInterner keys_;                              // of states
  base::WordInterner context_keys_;                      // the places, and of a symbol without a list the symbol
  std::unordered_map<std::uint32_t, Context> contexts_;  // shared ones
  std::unordered_map<std::uint32_t, std::uint32_t> list_numbers_;  // by symbol
  base::WordInterner lists_;
  State selected_ = State::kRefused;
  std::vector<std::uint32_t> marks_;  // by token; equal to mark_: forbidden after the last token
  std::uint32_t mark_ = 0;
  std::vector<std::uint32_t> words_;
};

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_CANONICAL_FILTER_H_
