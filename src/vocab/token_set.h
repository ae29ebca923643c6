// TokenSet: some of a vocabulary's tokens, as a list or as a bitmask, whichever is smaller.
//
// WHY    Many tokens behave alike: they lead to the same place, leave the same residual, or lead to the same state. How
//        many do varies from one to nearly all. A list of 190,000 tokens is 30 times as large as a bitmask, and a bitmask of
//        one token 6,000 times as large as a list.
// EXAMPLE  A vocabulary of 96 tokens, so that a bitmask has 3 words:
//          TokenSet({70, 2}, 3)         a list: 2, 70
//          TokenSet({70, 2, 5}, 3)      a list: 2, 5, 70; 3 tokens are no larger than 3 words
//          TokenSet({9, 70, 2, 5}, 3)   a bitmask: 0x224, 0, 0x40
//        The first and the third have in common what the smaller one lists: 2, 70.
// COST   contains: a bit, or a binary search. for_each: its tokens, and the words of a bitmask. for_each_common: the
//        list, if one of the two is a list; otherwise the words.
// THREADS const members may be called concurrently.
#ifndef WEIR_SRC_VOCAB_TOKEN_SET_H_
#define WEIR_SRC_VOCAB_TOKEN_SET_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "weir/bitmask.h"

namespace weir::vocab {

/// A set of tokens as a bitmask of bitmask_words(vocab_size) words.
using TokenBits = std::vector<std::uint32_t>;

/// Calls use(token). Returns its result; true if `use` returns nothing. False ends the loop.
template <typename Use>
bool goes_on(Use& use, std::uint32_t token) {
  if constexpr (std::is_void_v<decltype(use(token))>) {
    use(token);
    return true;
  } else {
    return use(token);
  }
}

/// Calls `use` with the bitmask's number of each bit set in `bits`, word `word` of the bitmask, until `use` returns
/// false. Returns false in that case.
template <typename Word, typename Use>
bool for_each_bit(std::size_t word, Word bits, Use&& use) {
  for (; bits != 0; bits &= bits - 1) {
    const std::size_t number = word * sizeof(Word) * 8 + static_cast<std::size_t>(std::countr_zero(bits));
    if (!goes_on(use, static_cast<std::uint32_t>(number))) return false;
  }
  return true;
}

/// Does the same with each token of a bitmask.
template <typename Use>
bool for_each_token(std::span<const std::uint32_t> bitmask, Use&& use) {
  for (std::size_t i = 0; i < bitmask.size(); ++i) {
    if (!for_each_bit(i, bitmask[i], use)) return false;
  }
  return true;
}

/// Adds the tokens of a bitmask to another one.
void add_bits(std::span<const std::uint32_t> from, std::span<std::uint32_t> to);

class TokenSet {
 public:
  TokenSet() = default;
  /// A set of these tokens, in any order, each once. A bitmask of the vocabulary has `words` words.
  TokenSet(std::vector<std::uint32_t> tokens, std::size_t words);

  [[nodiscard]] bool is_empty() const { return list_.empty() && bits_.empty(); }
  [[nodiscard]] bool is_list() const { return bits_.empty(); }
  /// Returns the tokens, ascending; none if the set is a bitmask.
  [[nodiscard]] const std::vector<std::uint32_t>& list() const { return list_; }
  [[nodiscard]] bool contains(std::uint32_t token) const {
    return is_list() ? std::binary_search(list_.begin(), list_.end(), token) : bitmask_get(bits_, token);
  }
  /// Returns a token's index in a table parallel to the set: the token itself for a bitmask, its position for a list.
  /// list().size() if a list lacks it.
  [[nodiscard]] std::size_t index_of(std::uint32_t token) const {
    if (!is_list()) return token;
    const auto found = std::lower_bound(list_.begin(), list_.end(), token);
    return found != list_.end() && *found == token ? static_cast<std::size_t>(found - list_.begin()) : list_.size();
  }
  /// Calls `use` with each token, ascending, until `use` returns false. Returns false in that case.
  template <typename Use>
  bool for_each(Use use) const {
    for (const std::uint32_t token : list_) {
      if (!goes_on(use, token)) return false;
    }
    return for_each_token(bits_, use);
  }
  /// Calls `use(token)` with each token that is in both sets, ascending.
  template <typename Use>
  void for_each_common(const TokenSet& other, Use use) const;
  /// Adds the tokens to a bitmask.
  void add_to(std::span<std::uint32_t> bitmask) const;
  /// Removes the tokens from a bitmask.
  void remove_from(std::span<std::uint32_t> bitmask) const;
  /// Returns the tokens that are also in a bitmask, in the same form.
  [[nodiscard]] TokenSet within(std::span<const std::uint32_t> bitmask) const;
  /// Returns the least token. Precondition: there is one.
  [[nodiscard]] std::uint32_t first() const;
  /// Returns the words in which the tokens are stored: the list, or the bitmask.
  [[nodiscard]] std::span<const std::uint32_t> stored() const { return is_list() ? list_ : bits_; }
  [[nodiscard]] std::size_t memory_bytes() const { return stored().size_bytes(); }

  bool operator==(const TokenSet&) const = default;

 private:
  std::vector<std::uint32_t> list_;  // ascending; empty if `bits_` is set
  TokenBits bits_;
};

template <typename Use>
void TokenSet::for_each_common(const TokenSet& other, Use use) const {
  if (!is_list() && !other.is_list()) {
    for (std::size_t i = 0; i < bits_.size(); ++i) for_each_bit(i, bits_[i] & other.bits_[i], use);
    return;
  }
  const bool other_is_shorter = !is_list() || (other.is_list() && other.list_.size() < list_.size());
  const TokenSet& in = other_is_shorter ? *this : other;
  for (const std::uint32_t token : (other_is_shorter ? other : *this).list_) {
    if (in.contains(token)) use(token);
  }
}

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_TOKEN_SET_H_
