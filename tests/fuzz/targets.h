// What is fuzzed: one function for each reader of text or of files that strangers may have written.
//
// WHAT   A target takes any bytes and throws a Violation where weir does not keep its word (SECURITY.md): an error
//        points outside the text, a token of a mask is refused, a mask is empty though the output may not end, a text
//        that was said to complete the output does not. Crashes and overruns are for the sanitizers to see.
// HOW    Built with libFuzzer (CMake option WEIR_FUZZ) there is a program for each target; in every build the test
//        fuzz_replay runs all of them over tests/fuzz/corpus and mutations of it.
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
  std::string_view name;    ///< Of the program, fuzz_NAME.
  std::string_view corpus;  ///< Its directory in tests/fuzz/corpus.
  void (*run)(std::string_view data);
};

std::span<const Target> targets();

}  // namespace weir::fuzz

#endif  // WEIR_TESTS_FUZZ_TARGETS_H_
