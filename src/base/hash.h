// Hashing of small keys: one multiply-and-fold step a word. Not for untrusted keys across a trust boundary; interned
// sets here are bounded by Limits, so a collision attack costs time within a budget and never correctness.
#ifndef WEIR_SRC_BASE_HASH_H_
#define WEIR_SRC_BASE_HASH_H_

#include <cstdint>
#include <span>

namespace weir::base {

constexpr std::uint64_t hash_mix(std::uint64_t h, std::uint64_t value) noexcept {
  h ^= value;
  h *= 0x9E3779B97F4A7C15ULL;
  return h ^ (h >> 29);
}

constexpr std::uint64_t hash_words(std::span<const std::uint32_t> words, std::uint64_t seed = 0) noexcept {
  std::uint64_t h = hash_mix(seed ^ 0x51ED270B7F4A7C15ULL, words.size());
  for (std::uint32_t w : words) h = hash_mix(h, w);
  return h;
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_HASH_H_
