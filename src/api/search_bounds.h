// Bounds and rates of what programs call that no option sets: which keyword of a schema refuses a text, batches, and
// the cache of compiled grammars.
#ifndef WEIR_SRC_API_SEARCH_BOUNDS_H_
#define WEIR_SRC_API_SEARCH_BOUNDS_H_

#include <cstddef>
#include <cstdint>

namespace weir {

/// Keywords that are left out of a schema, one by one, to find the one that refuses a text, and bytes of all schemas
/// that are compiled for that. Beyond either the answer names fewer keywords.
inline constexpr std::size_t kMaxRefusalTrials = 200;
inline constexpr std::size_t kMaxRefusalBytes = 4 << 20;

/// Threads of a batch, however many processors there are.
inline constexpr unsigned kMaxThreads = 256;
/// Known rows for which one more thread is woken; for a mask that is to be made, one is. Waking a thread takes 15 µs or
/// more, writing a known mask or accepting a known token about 1 µs, making a mask 10 to 100. Other numbers were not
/// tried (docs/decisions/threads.md).
inline constexpr std::size_t kKnownRowsOfThread = 16;

/// Entries of the cache whose sizes are brought up to date in one call: they grow while they are used.
inline constexpr std::size_t kCountedEntries = 8;

}  // namespace weir

#endif  // WEIR_SRC_API_SEARCH_BOUNDS_H_
