// Decides whether competing terminals may be exact instead. Exact terminals are faster, because masks are then composed
// from cached facts.
//
// WHAT   Competition has no effect if (1) after the end of a lexeme, no terminal that may have begun with it continues
//        with a byte that the grammar allows to follow, and (2) no other terminal is in progress when a lazy one ends.
//        Every text then has one split, and the language is the same without competition.
// HOW    For (1), the bytes that may follow each terminal (first and follow sets of nodes, as for top-down parsers,
//        computed as a fixpoint) are compared with the bytes by which its competitors continue where it ends. The
//        latter, and (2), come from matching competing terminals together: first all of the grammar, which shows most
//        grammars in one pass. If that does not, those that may begin at one place: after a lexeme, the terminals that
//        may follow any terminal that matches it. That needs a grammar in which each lexeme competes, so that a text
//        has one place at a time. The answer can err only towards keeping competition.
// EXAMPLE  In `start: ("+" TEXT LF | "@@" LF | "@@ " TEXT LF)+` with TEXT: /.+/, TEXT could continue `+` and `@@`, but
//        cannot begin where they do. `@@ ` does begin where `@@` does, and continues it by a blank, which is no LF.
// COST   Bounded: after kMaxCompetitionRounds rounds or kMaxCompetitionDerivatives derivatives, or if a table of nodes and
//        terminals had more than kMaxCompetitionBits, terminals keep competing.
#ifndef WEIR_SRC_FRONTEND_LARK_DROP_COMPETITION_H_
#define WEIR_SRC_FRONTEND_LARK_DROP_COMPETITION_H_

#include <cstddef>

#include "grammar/ir.h"
#include "weir/limits.h"

namespace weir::frontend::lark {

/// Makes the competing terminals with numbers from `first` on exact (kLongest) or lazy (kShortest), and returns true,
/// if it can be shown that the language of the rule `start` stays the same. Otherwise changes nothing and returns false.
/// Precondition: every rule is defined; competing terminals do not match the empty string.
bool drop_competition(grammar::Grammar& grammar, grammar::RuleId start, std::size_t first, const Limits& limits);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_DROP_COMPETITION_H_
