// Operators new and delete for a library that contains its C++ library and exports the C interface alone, on macOS. Those of
// libc++ are weak and visible, so macOS would replace them with the ones of another library in the process, whose exceptions
// this library does not catch. These are compiled with hidden visibility. A linker for other systems is told what to export.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

// Returns what `attempt` returns as soon as that is not null. Before each further attempt it calls the program's
// handler, which may free memory.
template <typename Attempt>
void* allocate(Attempt attempt) {
  for (;;) {
    if (void* memory = attempt()) return memory;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

void* operator new(std::size_t size) {
  return allocate([size] { return std::malloc(size == 0 ? 1 : size); });
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate([size, alignment] {
    void* memory = nullptr;  // stays null if there is none
    const int failed = posix_memalign(&memory, std::max(static_cast<std::size_t>(alignment), sizeof(void*)), size);
    return failed == 0 ? memory : nullptr;
  });
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return operator new(size);
  } catch (...) {
    return nullptr;
  }
}

void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept { return operator new(size, tag); }

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t& /*tag*/) noexcept { std::free(memory); }
