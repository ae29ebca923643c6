// Random small grammars, for tests of the passes: every kind of node, recursion of every kind, rules that derive
// nothing.
#ifndef WEIR_TESTS_UNIT_GRAMMAR_RANDOM_GRAMMAR_H_
#define WEIR_TESTS_UNIT_GRAMMAR_RANDOM_GRAMMAR_H_

#include <cstdint>
#include <random>

#include "grammar/ir.h"

namespace weir::grammar::testing {

enum class Extras : std::uint8_t {
  kNone,            ///< Text alone.
  kTokensAndModes,  ///< Token sets, lazy and greedy terminals too (none of them nullable).
};

Grammar random_grammar(std::mt19937& random, Extras extras);

}  // namespace weir::grammar::testing

#endif  // WEIR_TESTS_UNIT_GRAMMAR_RANDOM_GRAMMAR_H_
