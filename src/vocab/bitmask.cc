#include "weir/bitmask.h"

#include <bit>

namespace weir {

std::size_t bitmask_count(std::span<const std::uint32_t> bitmask) noexcept {
  std::size_t count = 0;
  for (const std::uint32_t word : bitmask) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

}  // namespace weir
