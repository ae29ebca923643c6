// Computes the strings up to a length of a small grammar, from the IR and from a Cfg, by iterating "all strings that
// the rules derive from the known strings" to the fixed point. It shares no code with the passes.
//
// The alphabet is 'a', 'b' and 'c'. A token set is represented by a character of its own. Lazy and greedy terminals are
// represented in the same way, because their matches depend on the text after them; passes must not change them.
#ifndef WEIR_TESTS_UNIT_GRAMMAR_LANGUAGE_H_
#define WEIR_TESTS_UNIT_GRAMMAR_LANGUAGE_H_

#include <cstddef>
#include <set>
#include <string>

#include "grammar/cfg.h"
#include "grammar/ir.h"

namespace weir::grammar::testing {

using Language = std::set<std::string>;

Language language(const Grammar& grammar, std::size_t max_length);
Language language(const Cfg& cfg, std::size_t max_length);

/// Returns the strings of every rule of the Cfg, by rule.
std::vector<Language> rule_languages(const Cfg& cfg, std::size_t max_length);

/// Returns for each rule whether it derives some string of any length.
std::vector<bool> productive_rules(const Grammar& grammar);

}  // namespace weir::grammar::testing

#endif  // WEIR_TESTS_UNIT_GRAMMAR_LANGUAGE_H_
