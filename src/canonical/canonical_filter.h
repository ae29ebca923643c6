// CanonicalFilter: removes from a TokenIndex the token sequences that the tokenizer itself does not write.
//
// WHAT   A state of the filter stands for the tokens so far. For the state that is selected, the filter says which
//        tokens are compatible with the last one, and to which state each token leads.
// HOW    CanonicalAutomaton has a state for each last token and set of places. Two such states have the same future if
//        their places are the same and their last tokens forbid the same successors, which MergeForest gives as
//        intervals. They are one state of the filter.
//        The state after a made token depends on two things: the *context*, which is the set of places, and whether the
//        token is compatible with the last one. So the automaton is asked once for each context, token and answer.
//        Tokens that merges do not make, such as bytes of a character, are *irregular*: the state after them may depend
//        on the last token itself. After a last token that merges do not make, and at the beginning of a text, this is
//        true of all tokens; such states have a context of their own.
// COST   To select a state: the tokens that its last token forbids, some thousand. A known step: two reads. Memory: 8
//        bytes for each token of the vocabulary and each shared context; there are a few dozen of these.
#ifndef WEIR_SRC_CANONICAL_CANONICAL_FILTER_H_
#define WEIR_SRC_CANONICAL_CANONICAL_FILTER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/interner.h"
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
  /// Returns the context of a state; nullopt if the state has one of its own. States with equal contexts differ only in
  /// the regular tokens that are compatible. A token that is compatible in two of them leads to the same state from
  /// both, and so does a token that is compatible in neither.
  [[nodiscard]] std::optional<std::uint32_t> context(State state) const {
    const Known& known = states_[index(state)];
    return known.list == kNoList ? std::nullopt : std::optional(known.context);
  }
  [[nodiscard]] bool is_irregular(std::uint32_t token) const { return is_irregular_[token]; }

  void select(State state);
  // The functions that follow are about the selected state.
  [[nodiscard]] bool is_compatible(std::uint32_t token) const { return marks_[token] != mark_; }
  /// Returns the state after `token`; kRefused if it may not come.
  State step(std::uint32_t token);

 private:
  static constexpr State kUnknown{UINT32_MAX - 1};
  static constexpr std::uint32_t kNoList = UINT32_MAX;
  struct Known {
    CanonicalId id;  // one of the automaton's states that are this state
    std::uint32_t context;
    std::uint32_t list;
  };
  struct Context {
    std::array<std::vector<State>, 2> after;  // [1 if compatible][token]
  };

  static std::size_t index(State state) { return static_cast<std::size_t>(state); }
  State number(CanonicalId id);
  // Returns the number of the list of forbidden successors, as intervals of the forest's order; kNoList if there is
  // none.
  std::uint32_t list_of(std::uint32_t symbol);

  const CanonicalAutomaton& automaton_;
  std::uint32_t vocab_size_;
  std::vector<bool> is_irregular_;  // by token
  std::vector<Known> states_;
  std::unordered_map<CanonicalId, State> numbers_;
  base::WordInterner keys_;                              // of states
  base::WordInterner context_keys_;                      // the places and, for a symbol without a list, the symbol
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
