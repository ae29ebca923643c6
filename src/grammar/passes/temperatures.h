// Pass "temperature": terminals get the temperature of the rules around them.
//
// WHY    What whoever samples is told at a place is the highest temperature of the terminals that the next byte may be
//        in, each with that of the innermost rule around it that has one. The parser forgets rules that end where the
//        one around them does (earley/row_table.h); terminals in progress it always knows.
// HOW    A rule becomes one for each temperature that it is used under, its own or that around it, and so do
//        terminals, token sets and sources of lazy rules. Late, so that the other passes see one of each.
// COST   None for a grammar without temperatures, and at most a copy of it for each.
// LIMITS Limits::grammar_symbols.
#ifndef WEIR_SRC_GRAMMAR_PASSES_TEMPERATURES_H_
#define WEIR_SRC_GRAMMAR_PASSES_TEMPERATURES_H_

#include "grammar/draft.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

Result<void> lay_temperatures(Draft& draft, const Limits& limits);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_TEMPERATURES_H_
