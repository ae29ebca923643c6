// TokenTerminals: the tokens that a grammar's token terminals stand for, resolved in a vocabulary.
//
// WHAT   A set is stored as ranges of ids, which are few, where a bitmask has as many bits as there are tokens: a
//        grammar may name each of 100,000 tokens in a terminal of its own. A complement is stored as the ranges that it
//        excludes; all complements share one bitmask of the usable tokens.
// COST   8 bytes a range. contains: a binary search among the set's ranges. add_to: the words that the ranges touch;
//        for a complement, all words.
// THREADS const members may be called concurrently.
#ifndef WEIR_SRC_ENGINE_SETS_TOKEN_TERMINALS_H_
#define WEIR_SRC_ENGINE_SETS_TOKEN_TERMINALS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/sets/mask.h"
#include "engine/sets/token_view.h"
#include "grammar/cfg.h"
#include "vocab/vocabulary.h"
#include "weir/error.h"

namespace weir::engine {

class StopTokens;

/// What a token is to a matcher: what it is in the vocabulary; or, if the matcher has stop tokens of its own, the
/// reverse: no stop token although it is one of the vocabulary, or the other way around (stop_tokens.h).
enum class TokenRole : std::uint8_t { kOfVocabulary = 0, kReversed = 1 };

class TokenTerminals {
 public:
  /// Adds a set. Listed tokens are taken as listed, stop tokens included. A complement means "any other token that may
  /// occur inside an output", so it contains no stop tokens, which end an output, and no unused tokens.
  /// Errors   kInvalidArgument: a token that the vocabulary lacks; a set without tokens.
  Result<void> add(const grammar::TokenSet& set, const vocab::Vocabulary& vocabulary);

  [[nodiscard]] bool contains(std::size_t set, std::uint32_t token) const;
  /// The same for a token in a role. `vocabulary` is the one that the sets were resolved in.
  [[nodiscard]] bool contains(std::size_t set, std::uint32_t token, TokenRole role,
                              const vocab::Vocabulary& vocabulary) const;
  /// Returns a token of the set for use in a completion: the first that does not end the output and has the same text
  /// at every place, or the first if there is none such. Returns nullopt if the set is a complement that has no token
  /// for a matcher with these stop tokens.
  [[nodiscard]] std::optional<std::uint32_t> example(std::size_t set, const vocab::Vocabulary& vocabulary,
                                                     const StopTokens& stops) const;
  /// Sets the bits of the set's tokens in a bitmask of the vocabulary's size.
  void add_to(std::size_t set, std::span<std::uint32_t> bitmask) const;
  /// Returns those tokens of the set, at `position`, after which the next token is at `after`; empty if there are none.
  /// Tokens that add nothing at `position` are left out: they are not taken by the set.
  [[nodiscard]] TokenBits leading_to(TokenPosition after, std::size_t set, TokenPosition position,
                                     const vocab::Vocabulary& vocabulary) const;

  [[nodiscard]] bool is_complement(std::size_t set) const { return sets_[set].complement; }
  [[nodiscard]] std::size_t size() const { return sets_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return sets_.capacity() * sizeof(Set) + ranges_.capacity() * sizeof(Range) +
           usable_.capacity() * sizeof(std::uint32_t);
  }

 private:
  struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  struct Set {
    std::uint32_t first_range = 0;
    std::uint32_t range_count = 0;
    bool complement = false;  // the set is the usable tokens outside of the ranges
  };
  [[nodiscard]] std::span<const Range> ranges(const Set& set) const {
    return std::span(ranges_).subspan(set.first_range, set.range_count);
  }
  [[nodiscard]] bool is_empty(const Set& set) const;
  [[nodiscard]] bool lists(const Set& set, std::uint32_t token) const;

  std::vector<Set> sets_;
  std::vector<Range> ranges_;          // those of one set are ascending and neither touch nor overlap
  std::vector<std::uint32_t> usable_;  // a bitmask; empty until a complement needs it
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_SETS_TOKEN_TERMINALS_H_
