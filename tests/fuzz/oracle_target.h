// The fuzz target that compares masks with the Earley oracle.
#ifndef WEIR_TESTS_FUZZ_ORACLE_TARGET_H_
#define WEIR_TESTS_FUZZ_ORACLE_TARGET_H_

#include <string_view>

namespace weir::fuzz {

/// Makes a context-free grammar over a few bytes from `data`, walks along its masks, and throws a Violation if a mask, the
/// end or the forced bytes are not those of the oracle.
void compare_with_oracle(std::string_view data);

}  // namespace weir::fuzz

#endif  // WEIR_TESTS_FUZZ_ORACLE_TARGET_H_
