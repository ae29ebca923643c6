// TokenIndex: a regular language as an automaton over a vocabulary's tokens, for engines that walk one.
//
// WHAT   States, and for each state its *ways*: a set of tokens and the state after any of them. Equal sets are stored
//        once. Stop tokens are in no set: they may come in the states that accept.
// WHY    An engine that reads an index needs no parser. Which tokens may come is a lookup, and a set of tokens that many
//        states have (all tokens of letters, say) becomes one mask.
// HOW    The product of the language by bytes, of whether a token is the first one of the text, which may take its
//        leading space away, and of a TokenFilter, for each token that the language allows. States from which no
//        accepting state can be reached are left out. Then states with equal ways are merged, again and again.
// COST   For each state a walk over the trie of the vocabulary, and the filter's step for each token that may come.
// LIMITS Limits::token_dfa_states; Limits::token_dfa_transitions, of single tokens, as if sets were not shared.
#ifndef WEIR_SRC_CANONICAL_TOKEN_INDEX_H_
#define WEIR_SRC_CANONICAL_TOKEN_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/word_interner.h"
#include "vocab/vocabulary.h"
#include "weir/error.h"
#include "weir/limits.h"
#include "weir/token_dfa.h"

namespace weir::canonical {

/// Takes tokens out of an index: those that may not follow the ones before.
class TokenFilter {
 public:
  /// What the filter knows of the tokens so far; states with one future have one number where that is known.
  enum class State : std::uint32_t { kRefused = UINT32_MAX };

  TokenFilter() = default;
  TokenFilter(const TokenFilter&) = delete;
  TokenFilter& operator=(const TokenFilter&) = delete;
  virtual ~TokenFilter() = default;

  virtual State start() = 0;
  /// kRefused: `token` may not come.
  virtual State step(State state, std::uint32_t token) = 0;
  virtual bool may_end(State state) = 0;
};

class TokenIndex {
 public:
  struct Way {
    std::uint32_t set = 0;  ///< Its tokens.
    DfaState target = DfaState::kNone;
    friend bool operator==(const Way&, const Way&) = default;
  };

  /// `filter`: null for all token paths.
  /// Errors   kInvalidArgument: `language` is no automaton. kUnsatisfiable: no tokens spell a text of the language, or
  ///          the filter refuses all that do. kLimitExceeded.
  static Result<TokenIndex> build(const ByteDfa& language, const vocab::Vocabulary& vocabulary, TokenFilter* filter,
                                  const Limits& limits);

  /// State 0 is the start.
  [[nodiscard]] std::uint32_t state_count() const { return static_cast<std::uint32_t>(accepts_.size()); }
  [[nodiscard]] bool accepts(DfaState state) const { return accepts_[static_cast<std::size_t>(state)]; }
  /// No two have a token or a target in common.
  [[nodiscard]] std::span<const Way> ways(DfaState state) const { return ways_[static_cast<std::size_t>(state)]; }
  [[nodiscard]] std::uint32_t set_count() const { return sets_.size(); }
  /// Ascending, never empty.
  [[nodiscard]] std::span<const std::uint32_t> tokens(std::uint32_t set) const { return sets_[set]; }
  /// Of single tokens.
  [[nodiscard]] std::uint64_t transition_count() const;

 private:
  class Builder;

  std::vector<bool> accepts_;
  std::vector<std::vector<Way>> ways_;
  base::WordInterner sets_;
};

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_TOKEN_INDEX_H_
