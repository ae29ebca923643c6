// Counts the bytes that this program holds. counted_memory.cc replaces the global operators new and delete.
#ifndef WEIR_TESTS_GROWTH_COUNTED_MEMORY_H_
#define WEIR_TESTS_GROWTH_COUNTED_MEMORY_H_

#include <cstddef>

namespace weir::growth {

/// Returns the bytes that are allocated now.
std::size_t allocated_bytes();
/// Returns the bytes that were ever asked for.
std::size_t asked_bytes();
/// Returns the most bytes that were allocated at once since the last call of reset_peak.
std::size_t peak_bytes();
void reset_peak();
/// From now on, std::bad_alloc is thrown if more bytes are asked for than this.
void refuse_beyond(std::size_t bytes);

}  // namespace weir::growth

#endif  // WEIR_TESTS_GROWTH_COUNTED_MEMORY_H_
