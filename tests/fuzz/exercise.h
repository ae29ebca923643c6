// What every grammar that was read has to stand: compiling, and a walk by its masks.
#ifndef WEIR_TESTS_FUZZ_EXERCISE_H_
#define WEIR_TESTS_FUZZ_EXERCISE_H_

#include <string_view>
#include <vector>

#include "weir/weir.h"

namespace weir::fuzz {

/// Small enough that no input takes long.
Limits small_limits();

/// Throws a Violation where an error is not as documented.
void require_sane(const Error& error, std::string_view text);
/// The same of all findings.
void require_sane(const std::vector<Diagnostic>& findings, std::string_view text);

/// Compiles it for a vocabulary of all bytes and some longer tokens, and walks, choosing by `data`.
void exercise(const Grammar& grammar, std::string_view text, std::string_view data);

}  // namespace weir::fuzz

#endif  // WEIR_TESTS_FUZZ_EXERCISE_H_
