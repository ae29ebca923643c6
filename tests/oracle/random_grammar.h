// Small random grammars for tests, each as a text for weir and as a Cfg for the oracle. A seed always gives the same
// grammar.
#ifndef WEIR_TESTS_ORACLE_RANDOM_GRAMMAR_H_
#define WEIR_TESTS_ORACLE_RANDOM_GRAMMAR_H_

#include <random>
#include <string>

#include "oracle/cfg.h"
#include "oracle/lexemes.h"

namespace weir::oracle {

struct GrammarCase {
  std::string ebnf;
  Cfg cfg;
};

/// Returns a grammar of one to three rules with one to three alternatives of up to three symbols, each "a", "b" or a
/// rule. It may be cyclic, ambiguous or empty, and have unused or unproductive rules.
GrammarCase random_plain_grammar(std::minstd_rand& random);

/// Returns a grammar of one to three rules whose bodies are nested expressions with groups, alternatives, ? * + {m,n},
/// literals, classes and regex terminals with all operators, over {a, b}; groups are nested up to `depth`.
GrammarCase random_nested_grammar(std::minstd_rand& random, int depth);

/// Returns a grammar of lexemes with modes, without recursion, over {a, b}.
LexGrammar random_lexeme_grammar(std::minstd_rand& random);

/// Returns such a grammar with a look-ahead on one of its rules or on both.
LexGrammar random_look_ahead_grammar(std::minstd_rand& random);

}  // namespace weir::oracle

#endif  // WEIR_TESTS_ORACLE_RANDOM_GRAMMAR_H_
