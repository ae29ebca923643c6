// The token bitmask: one bit per token in 32-bit words, the layout that inference engines and their GPU kernels share.
//
// WHAT   Token t is bit t % 32 of word t / 32. 1 means that the token may come next. Bits from the vocabulary's size on
//        are 0.
// THREADS Each function reads and writes nothing but its arguments.
//
//     std::vector<std::uint32_t> bitmask(weir::bitmask_words(vocab_size));
//     if (matcher.fill_next_token_bitmask(bitmask) != weir::Step::kOk) return;
//     if (weir::bitmask_get(bitmask, 42)) { ... }  // token 42 may come next
#ifndef WEIR_BITMASK_H_
#define WEIR_BITMASK_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "weir/export.h"

namespace weir {

/// Returns the number of words of a bitmask for `vocab_size` tokens: ceil(vocab_size / 32). bitmask_words(100) is 4.
constexpr std::size_t bitmask_words(std::size_t vocab_size) noexcept { return (vocab_size + 31) / 32; }

/// Returns true if the bit of `token` is set. Precondition: token < 32 * bitmask.size().
constexpr bool bitmask_get(std::span<const std::uint32_t> bitmask, std::uint32_t token) noexcept {
  return ((bitmask[token / 32] >> (token % 32)) & 1U) != 0;
}

/// Sets the bit of `token`. Precondition: token < 32 * bitmask.size().
constexpr void bitmask_set(std::span<std::uint32_t> bitmask, std::uint32_t token) noexcept {
  bitmask[token / 32] |= std::uint32_t{1} << (token % 32);
}

/// Clears the bit of `token`. Precondition: token < 32 * bitmask.size().
constexpr void bitmask_clear(std::span<std::uint32_t> bitmask, std::uint32_t token) noexcept {
  bitmask[token / 32] &= ~(std::uint32_t{1} << (token % 32));
}

/// Returns the number of tokens in the mask. Cost: O(bitmask.size()).
WEIR_API std::size_t bitmask_count(std::span<const std::uint32_t> bitmask) noexcept;

}  // namespace weir

#endif  // WEIR_BITMASK_H_
