// TokenIndex: a regular language as an automaton over a vocabulary's tokens, for engines that follow such an automaton.
//
// WHAT   States, and for each state its *ways*: a set of tokens and the state after any of them. Equal sets are stored
//        once. Stop tokens are in no set: they may come in the states that accept.
// WHY    An engine that reads an index needs no parser. Its mask is a lookup, and a set of tokens that many states
//        have, such as all tokens of letters, becomes one mask.
// HOW    A product of three automata: the language by bytes; whether a token is the first one of the text, which may
//        lose its leading space; for canonical sequences, a CanonicalFilter. The tokens that the language allows are
//        grouped by the state of the product that they lead to (section 5.4 of the paper in weir/token_dfa.h). This is
//        done once for each state of the language and context of the filter. A state of the product takes from each
//        group the tokens that its last token does not forbid. States from which no accepting state is reachable are
//        left out. Then states with equal ways are merged until none are left.
// COST   For each state of the language a walk over the trie of the vocabulary; for each state of the product a look at
//        each token that the language allows: some 5 ns.
// LIMITS Limits::token_dfa_states; Limits::token_dfa_transitions, of single tokens, as if sets were not shared;
//        Limits::call_work, of which building may take kIndexFactor times as many (search_bounds.h).
#ifndef WEIR_SRC_TOKEN_LANGUAGES_TOKEN_INDEX_H_
#define WEIR_SRC_TOKEN_LANGUAGES_TOKEN_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/interner.h"
#include "vocab/vocabulary.h"
#include "weir/error.h"
#include "weir/limits.h"
#include "weir/token_dfa.h"

namespace weir::canonical {
class CanonicalFilter;
}

namespace weir::token_languages {

using canonical::CanonicalFilter;

class TokenIndex {
 public:
  struct Way {
    std::uint32_t set = 0;  ///< Its tokens.
    DfaState target = DfaState::kNone;
    friend bool operator==(const Way&, const Way&) = default;
  };

  /// `filter` is one of this vocabulary, or null for all token sequences.
  /// Errors   kInvalidArgument: `language` is no automaton. kUnsatisfiable: no tokens spell a text of the language, or
  ///          the filter refuses all that do. kLimitExceeded.
  static Result<TokenIndex> build(const ByteDfa& language, const vocab::Vocabulary& vocabulary, CanonicalFilter* filter,
                                  const Limits& limits);

  /// State 0 is the start.
  [[nodiscard]] std::uint32_t state_count() const { return static_cast<std::uint32_t>(accepts_.size()); }
  [[nodiscard]] bool accepts(DfaState state) const { return accepts_[static_cast<std::size_t>(state)]; }
  /// Returns the ways of a state. No two of them have a token or a target in common.
  [[nodiscard]] std::span<const Way> ways(DfaState state) const { return ways_[static_cast<std::size_t>(state)]; }
  [[nodiscard]] std::uint32_t set_count() const { return sets_.size(); }
  /// Returns the tokens of a set, ascending; never empty.
  [[nodiscard]] std::span<const std::uint32_t> tokens(std::uint32_t set) const { return sets_[set]; }
  /// Returns the number of transitions by single tokens.
  [[nodiscard]] std::uint64_t transition_count() const;

 private:
  class Builder;

  std::vector<bool> accepts_;
  std::vector<std::vector<Way>> ways_;
  base::WordInterner sets_;
};

}  // namespace weir::token_languages

#endif  // WEIR_SRC_TOKEN_LANGUAGES_TOKEN_INDEX_H_
