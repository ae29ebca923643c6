// A libFuzzer program for the target that WEIR_FUZZ_TARGET names. A Violation is not caught, so that it ends the run.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const weir::fuzz::Target* const target = [] {
    for (const weir::fuzz::Target& known : weir::fuzz::targets()) {
      if (known.name == WEIR_FUZZ_TARGET) return &known;
    }
    std::abort();
  }();
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
