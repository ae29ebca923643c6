// The language of a small grammar up to a length, by iterating "every string that the rules derive from what is known
// already" to the fixed point: from the IR and from a Cfg. Shares no code with the passes.
//
// Characters of the world are 'a', 'b' and 'c'. A token set is one character of its own, and so is a lazy or a greedy
// terminal, whose matches depend on what follows: passes must leave both alone.
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

/// Of every rule of the Cfg, in their order.
std::vector<Language> rule_languages(const Cfg& cfg, std::size_t max_length);

/// Whether each rule derives any string at all, however long.
std::vector<bool> productive_rules(const Grammar& grammar);

}  // namespace weir::grammar::testing

#endif  // WEIR_TESTS_UNIT_GRAMMAR_LANGUAGE_H_
