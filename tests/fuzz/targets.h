// The fuzz targets: one function for each reader of untrusted texts or files.
//
// WHAT   A target takes any bytes and throws a Violation if weir violates a guarantee (SECURITY.md): an error points
//        outside the text, a token of a mask is refused, a mask is empty although the output may not end, or a
//        completion does not complete the output. Sanitizers detect crashes and overruns.
// HOW    With libFuzzer (CMake option WEIR_FUZZ) there is a program for each target. In every build the test
//        fuzz_replay runs all targets on tests/fuzz/corpus and mutations of it.
// COST   Limits are small and walks are short, so that a run takes milliseconds.
#ifndef WEIR_TESTS_FUZZ_TARGETS_H_
#define WEIR_TESTS_FUZZ_TARGETS_H_

#include <span>
#include <stdexcept>
#include <string_view>

namespace weir::fuzz {

struct Violation : std::logic_error {
  using std::logic_error::logic_error;
};

struct Target {
  std::string_view name;    ///< NAME of the program fuzz_NAME.
  std::string_view corpus;  ///< Its directory in tests/fuzz/corpus.
  void (*run)(std::string_view data);
};

std::span<const Target> targets();

}  // namespace weir::fuzz

#endif  // WEIR_TESTS_FUZZ_TARGETS_H_
