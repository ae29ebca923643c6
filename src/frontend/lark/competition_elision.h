// Whether competing terminals may as well be exact: they are faster, as masks are then put together from facts.
//
// WHAT   Competition decides nothing where, behind a lexeme, no terminal that may have begun with it goes on with a
//        byte that the grammar allows to follow, and where no terminal is in progress when a lazy one ends. All splits
//        of a text are then one, and its language is the same without competition.
// HOW    Bytes that may follow each terminal, as for any top-down parser: first bytes of nodes and bytes behind them,
//        to the fixpoint. Bytes by which a terminal's competitors go on where it ends, from all terminals matched
//        together, wherever in the grammar they stand: more than compete in truth, so the answer errs
//        towards competition.
// COST   Bounded: beyond some rounds and some thousand sets of residuals terminals compete.
#ifndef WEIR_SRC_FRONTEND_LARK_COMPETITION_ELISION_H_
#define WEIR_SRC_FRONTEND_LARK_COMPETITION_ELISION_H_

#include <cstddef>

#include "grammar/ir.h"
#include "weir/limits.h"

namespace weir::frontend::lark {

/// Makes the terminals from number `first` on exact and lazy, if that is seen to change no text; else nothing changes.
/// Precondition: every rule is defined; competing terminals match no empty string.
bool drop_competition(grammar::Grammar& grammar, std::size_t first, const Limits& limits);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_COMPETITION_ELISION_H_
