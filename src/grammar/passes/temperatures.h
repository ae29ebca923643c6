// Pass "temperature": gives terminals the temperature of the rules around them.
//
// WHY    The temperature that a sampler is told is the maximum over the terminals that may contain the next byte, where
//        each has the temperature of its innermost enclosing rule with one. The parser discards rules that end where an
//        enclosing rule ends (earley/row_table.h), but it always knows the terminals in progress.
// HOW    A rule is copied for each temperature under which it is used (its own, or that of the enclosing rule), and so
//        are terminals, token sets and sources of lazy rules. The pass runs late, so that earlier passes see one copy
//        of each.
// COST   Nothing for a grammar without temperatures, otherwise at most one copy of the grammar for each temperature.
// LIMITS Limits::grammar_symbols.
#ifndef WEIR_SRC_GRAMMAR_PASSES_TEMPERATURES_H_
#define WEIR_SRC_GRAMMAR_PASSES_TEMPERATURES_H_

#include "grammar/draft.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

[[gnu::noinline]] Result<void> apply_temperatures(Draft& draft, const Limits& limits);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_TEMPERATURES_H_
