// Exercises a grammar that was read: compiles it and walks along its masks.
#ifndef WEIR_TESTS_FUZZ_EXERCISE_H_
#define WEIR_TESTS_FUZZ_EXERCISE_H_

#include <string_view>
#include <vector>

#include "weir/weir.h"

namespace weir::fuzz {

/// Returns limits so small that no input takes long.
Limits small_limits();

/// Throws a Violation if an error is not as documented.
void require_sane(const Error& error, std::string_view text);
/// Checks all findings in the same way.
void require_sane(const std::vector<Diagnostic>& findings, std::string_view text);

/// Compiles a grammar for a vocabulary of all bytes and some longer tokens, and walks along masks: any tokens, and then,
/// in two cases of three, within a budget of tokens or by canonical tokens. `data` determines the choices.
void exercise(const Grammar& grammar, std::string_view text, std::string_view data);

}  // namespace weir::fuzz

#endif  // WEIR_TESTS_FUZZ_EXERCISE_H_
