// Writes competition between terminals as a grammar without it, so that Lark grammars can be converted.
//
// WHAT   A lexeme of a competing terminal ends where the next byte continues none of the terminals that the grammar
//        allows at the lexeme's beginning. Where that depends only on the terminal and on the next byte, each terminal
//        has a set of bytes that must not follow it, and a grammar can say so: each rule is written once for each set
//        that holds before it and each that holds after it, and a terminal that begins with a byte of the set before it
//        is written without the texts that begin so. `%ignore` needs nothing else: ignored text is a rule already.
// HOW    Places are sets of occurrences of terminals that may be allowed together: too many rather than too few. They
//        are found as the states of an LR(0) automaton are, but without a stack and with ignored text left out. In each
//        place the terminals are matched together. The bytes by which all of them continue and those by which the
//        terminals continue that are certainly allowed there must agree, as far as they may follow; otherwise the
//        competition is not resolved.
//        Blanks that are ignored any number of times need no sets: a terminal that contains the concatenations of its
//        texts, such as /[ \t]+/, never follows itself, for its lexeme would have continued.
// COST   Bounded by kMaxPlaces, kMaxDerivatives and kMaxVariants (search_bounds.h).
#ifndef WEIR_SRC_CONVERT_RESOLVE_COMPETITION_H_
#define WEIR_SRC_CONVERT_RESOLVE_COMPETITION_H_

#include "grammar/ir.h"
#include "weir/limits.h"

namespace weir::frontend::convert {

/// Makes all terminals exact or lazy, and returns true, if a grammar of the same texts was found. Otherwise changes
/// nothing and returns false.
/// Preconditions: every rule is defined; there are no lazy rules.
bool resolve_competition(grammar::Grammar& grammar, const Limits& limits);

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_RESOLVE_COMPETITION_H_
