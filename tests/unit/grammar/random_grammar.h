// Random small grammars for tests of the passes, with all kinds of nodes and of recursion, and with unproductive rules.
#ifndef WEIR_TESTS_UNIT_GRAMMAR_RANDOM_GRAMMAR_H_
#define WEIR_TESTS_UNIT_GRAMMAR_RANDOM_GRAMMAR_H_

#include <cstdint>
#include <random>

#include "grammar/ir.h"

namespace weir::grammar::testing {

enum class Extras : std::uint8_t {
  kNone,            ///< Text only.
  kTokensAndModes,  ///< Also token sets, and lazy and greedy terminals (none nullable).
};

Grammar random_grammar(std::mt19937& random, Extras extras);

}  // namespace weir::grammar::testing

#endif  // WEIR_TESTS_UNIT_GRAMMAR_RANDOM_GRAMMAR_H_
