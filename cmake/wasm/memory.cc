// Allocation in a WebAssembly module.
//
// WHY    When memory is exhausted, the module calls the host, which throws. A build without exceptions cannot unwind, so
//        the host must not use this instance again; js/src/runtime.ts makes another one.
//        Objects of up to 128 bytes do not come from malloc, which took a twelfth of the time of cold masks: it is a large
//        function, and it writes before each object.
// HOW    A page of 64 KB holds objects of one size, a multiple of 16. Freed objects of a size are in a list. The page of an
//        address says its size.
#include <__verbose_abort>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

extern "C" [[noreturn]] void weir_host_out_of_memory(std::size_t bytes)
    __attribute__((import_module("weir"), import_name("out_of_memory")));

// libc++ calls this if one of its assertions fails. The definition in libc++ prints a message, for which the linker
// would add printf to a module that cannot print.
[[noreturn]] void std::__libcpp_verbose_abort(const char* /*format*/, ...) noexcept { std::abort(); }
// The same of libc++abi, for calls of pure virtual functions and the like.
extern "C" [[noreturn]] void __abort_message(const char* /*format*/, ...) { std::abort(); }

namespace {

constexpr std::size_t kUnit = 16;  // also what operator new aligns to
constexpr std::size_t kSizes = 8;
constexpr std::size_t kPageBits = 16;
constexpr std::size_t kPage = std::size_t{1} << kPageBits;

struct Free {
  Free* next;
};

/// The objects of one size.
struct Objects {
  Free* freed = nullptr;
  std::uintptr_t unused = 0;  // the rest of the latest page, from here to `end`
  std::uintptr_t end = 0;
};

std::array<Objects, kSizes + 1> objects_of;  // by size in units
// The size in units of the objects in each page of the address space; 0: the page is malloc's.
std::array<std::uint8_t, std::size_t{1} << (32 - kPageBits)> size_of_page;

[[gnu::noinline]] void* allocate_unused(std::size_t units) {
  Objects& objects = objects_of[units];
  if (objects.end - objects.unused < units * kUnit) {
    objects.unused = reinterpret_cast<std::uintptr_t>(std::aligned_alloc(kPage, kPage));
    objects.end = objects.unused;
    if (objects.unused == 0) weir_host_out_of_memory(kPage);
    objects.end += kPage;
    size_of_page[objects.unused >> kPageBits] = static_cast<std::uint8_t>(units);
  }
  void* const memory = reinterpret_cast<void*>(objects.unused);
  objects.unused += units * kUnit;
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  const std::size_t units = bytes == 0 ? 1 : (bytes - 1) / kUnit + 1;
  if (units <= kSizes) {
    Free* const freed = objects_of[units].freed;
    if (freed == nullptr) return allocate_unused(units);
    objects_of[units].freed = freed->next;
    return freed;
  }
  void* const memory = std::malloc(bytes);
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
void operator delete(void* memory) noexcept {
  const std::size_t units = size_of_page[reinterpret_cast<std::uintptr_t>(memory) >> kPageBits];
  if (units == 0) return std::free(memory);
  objects_of[units].freed = new (memory) Free{objects_of[units].freed};
}
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept { operator delete(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
