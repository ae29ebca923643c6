// A libFuzzer program for the target that WEIR_FUZZ_TARGET names. A Violation is not caught, so that it ends the run.
// Each input is tried on a thread with little stack, as programs may have it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "fuzz/targets.h"
#include "small_stack.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weir::fuzz::Target* const target = [] {
    for (const weir::fuzz::Target& known : weir::fuzz::targets()) {
      if (known.name == WEIR_FUZZ_TARGET) return &known;
    }
    std::abort();
  }();
  weir::on_small_stack([&] { target->run({reinterpret_cast<const char*>(data), size}); });
  return 0;
}
