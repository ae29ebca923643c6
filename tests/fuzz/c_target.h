// The fuzz target that calls the C interface.
#ifndef WEIR_TESTS_FUZZ_C_TARGET_H_
#define WEIR_TESTS_FUZZ_C_TARGET_H_

#include <string_view>

namespace weir::fuzz {

/// Calls functions of the C interface on a few handles in the order that `data` says, with valid handles and NULL, ids and
/// sizes in and out of range. Throws a Violation if a status or a result is not as weir_c.h says.
void call_c_functions(std::string_view data);

}  // namespace weir::fuzz

#endif  // WEIR_TESTS_FUZZ_C_TARGET_H_
