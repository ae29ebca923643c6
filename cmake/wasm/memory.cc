// Allocation in a WebAssembly module: when memory is exhausted, the module calls the host, which throws. A build
// without exceptions cannot unwind, so the host must not use this instance again; js/src/runtime.ts makes another one.
#include <__verbose_abort>
#include <cstddef>
#include <cstdlib>
#include <new>

extern "C" [[noreturn]] void weir_host_out_of_memory(std::size_t bytes)
    __attribute__((import_module("weir"), import_name("out_of_memory")));

// libc++ calls this if one of its assertions fails. The definition in libc++ prints a message, for which the linker
// would add printf to a module that cannot print.
[[noreturn]] void std::__libcpp_verbose_abort(const char* /*format*/, ...) noexcept { std::abort(); }
// The same of libc++abi, for calls of pure virtual functions and the like.
extern "C" [[noreturn]] void __abort_message(const char* /*format*/, ...) { std::abort(); }

void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) weir_host_out_of_memory(bytes);
  return memory;
}
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto align = static_cast<std::size_t>(alignment);
  const std::size_t whole = bytes == 0 ? align : (bytes + align - 1) / align * align;
  void* const memory = whole < bytes ? nullptr : std::aligned_alloc(align, whole);
  if (memory == nullptr) weir_host_out_of_memory(bytes);
  return memory;
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) { return operator new(bytes, alignment); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
