// The memory of this process, as malloc and the system see it.
#ifndef WEIR_BENCH_EXPERIMENTS_PROCESS_MEMORY_H_
#define WEIR_BENCH_EXPERIMENTS_PROCESS_MEMORY_H_

#include <cstdint>
#include <string>

namespace weir::cli {

/// Returns the bytes that the program currently has from malloc.
std::uint64_t heap_bytes();
/// Returns by how many bytes heap_bytes() has grown beyond `before`; 0 if it has not grown.
std::uint64_t heap_growth_since(std::uint64_t before);
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();

/// Returns "834 B", "12.3 kB", "4.5 MB".
std::string format_bytes(double bytes);
inline std::string format_bytes(std::uint64_t bytes) { return format_bytes(static_cast<double>(bytes)); }

}  // namespace weir::cli

#endif  // WEIR_BENCH_EXPERIMENTS_PROCESS_MEMORY_H_
