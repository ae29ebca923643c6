// Hash functions for small keys: one multiply-and-fold step a word.
//
// LIMITS Not keyed, so an attacker can produce collisions. They cost time, within the budget of Limits, but never
//        correctness: the users of a hash compare keys in full.
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

/// Returns a hash of a long sequence, such as a mask of 6,000 words. Four independent chains hide the latency of the
/// multiplication, which in hash_words() depends on the previous one.
constexpr std::uint64_t hash_long(std::span<const std::uint32_t> words) noexcept {
  std::uint64_t lanes[4] = {1, 2, 3, 4};
  std::size_t i = 0;
  for (; i + 8 <= words.size(); i += 8) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      const std::uint64_t pair = words[i + 2 * lane] | (static_cast<std::uint64_t>(words[i + 2 * lane + 1]) << 32);
      lanes[lane] = hash_mix(lanes[lane], pair);
    }
  }
  std::uint64_t h = hash_words(words.subspan(i), words.size());
  for (const std::uint64_t lane : lanes) h = hash_mix(h, lane);
  return h;
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_HASH_H_
