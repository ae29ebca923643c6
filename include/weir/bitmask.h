// The token bitmask: one bit a token, in 32-bit words, the layout that inference engines and their GPU kernels share.
// Token t is bit t % 32 of word t / 32; 1 means "may come next". Bits from the vocabulary's size on are 0.
// THREADS Functions of their arguments alone.
#ifndef WEIR_BITMASK_H_
#define WEIR_BITMASK_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "weir/export.h"

namespace weir {

/// Words of a bitmask for `vocab_size` tokens: ceil(vocab_size / 32).
constexpr std::size_t bitmask_words(std::size_t vocab_size) noexcept { return (vocab_size + 31) / 32; }

/// Whether the token's bit is set. Precondition: token < 32 * bitmask.size().
constexpr bool bitmask_get(std::span<const std::uint32_t> bitmask, std::uint32_t token) noexcept {
  return ((bitmask[token / 32] >> (token % 32)) & 1U) != 0;
}

/// Sets the token's bit. Precondition: token < 32 * bitmask.size().
constexpr void bitmask_set(std::span<std::uint32_t> bitmask, std::uint32_t token) noexcept {
  bitmask[token / 32] |= std::uint32_t{1} << (token % 32);
}

/// Takes `token` out of `bitmask`. Precondition: token / 32 < bitmask.size().
constexpr void bitmask_clear(std::span<std::uint32_t> bitmask, std::uint32_t token) noexcept {
  bitmask[token / 32] &= ~(std::uint32_t{1} << (token % 32));
}

/// How many tokens are in the mask. Cost: O(bitmask.size()).
WEIR_API std::size_t bitmask_count(std::span<const std::uint32_t> bitmask) noexcept;

}  // namespace weir

#endif  // WEIR_BITMASK_H_
