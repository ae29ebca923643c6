#include "growth/counted_memory.h"

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace weir::growth {

namespace {

std::atomic<std::size_t> allocated{0};
std::atomic<std::size_t> asked{0};
std::atomic<std::size_t> peak{0};
std::atomic<std::size_t> most{SIZE_MAX};

// Two threads that reach a peak at once may lose one of the two; the suite's calls have one thread.
void* counted(void* memory) {
  const std::size_t now = allocated.fetch_add(malloc_usable_size(memory)) + malloc_usable_size(memory);
  if (now > peak) peak = now;
  return memory;
}

void* allocate(std::size_t size, std::size_t alignment) {
  asked += size;
  if (size > most || allocated > most - size) throw std::bad_alloc();
  void* memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(size == 0 ? 1 : size)
                     : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return counted(memory);
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  allocated -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

std::size_t allocated_bytes() { return allocated; }
std::size_t asked_bytes() { return asked; }
std::size_t peak_bytes() { return peak; }
void reset_peak() { peak = allocated.load(); }
void refuse_beyond(std::size_t bytes) { most = bytes; }

}  // namespace weir::growth

// The other forms of new and delete call these.
void* operator new(std::size_t size) { return weir::growth::allocate(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return weir::growth::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { weir::growth::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { weir::growth::release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { weir::growth::release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { weir::growth::release(memory); }
