// Searches for bytes of some kinds, eight bytes at a time.
//
// WHY    Most bytes of a text are none of those that a reader looks for. Testing eight of them in one word takes about as
//        long as testing one.
#ifndef WEIR_SRC_BASE_BYTE_BLOCKS_H_
#define WEIR_SRC_BASE_BYTE_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace weir::base {

/// Returns the offset of the first byte at or after `pos` for which `is_wanted` is true; text.size() if there is none.
/// `may_want(word)` must be true if any of the eight bytes in `word` is wanted; their order there depends on the machine. It
/// should be false otherwise: after the first true, the search goes on byte by byte.
/// Precondition: pos <= text.size().
template <typename MayWant, typename IsWanted>
std::size_t find_byte(std::string_view text, std::size_t pos, MayWant may_want, IsWanted is_wanted) noexcept {
  for (std::uint64_t word = 0; pos + 8 <= text.size(); pos += 8) {
    std::memcpy(&word, text.data() + pos, 8);
    if (may_want(word)) break;
  }
  while (pos < text.size() && !is_wanted(static_cast<unsigned char>(text[pos]))) ++pos;
  return pos;
}

inline constexpr std::uint64_t kEachByte = 0x0101010101010101ULL;
inline constexpr std::uint64_t kTopBits = 0x80 * kEachByte;

/// Returns true if some byte of `word` is below `limit`. Precondition: limit <= 128.
constexpr bool has_byte_below(std::uint64_t word, std::uint64_t limit) noexcept {
  return ((word - limit * kEachByte) & ~word & kTopBits) != 0;
}

/// Returns true if some byte of `word` is `byte`.
constexpr bool has_byte(std::uint64_t word, std::uint64_t byte) noexcept {
  return has_byte_below(word ^ (byte * kEachByte), 1);
}

/// Returns the offset of the first byte at or after `pos` that is not ASCII; text.size() if there is none.
inline std::size_t skip_ascii(std::string_view text, std::size_t pos) noexcept {
  return find_byte(
      text, pos, [](std::uint64_t word) { return (word & kTopBits) != 0; }, [](unsigned char c) { return c >= 0x80; });
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_BYTE_BLOCKS_H_
