// Warns of competing terminals (LexemeMode::kLongest and kShortest) that never match. Part of checks only; compiling
// does not run it.
//
// WHAT   A terminal is *shadowed* if competing terminals take each of its texts: after the text, one of them can go on
//        with every byte that may follow, or a lazy one has ended earlier. The warning is `shadowed-terminal`.
//        Terminals of other modes end wherever they match, so they cannot be shadowed.
// HOW    Which terminals compete with a terminal depends on the position in the grammar. At an occurrence, two groups
//        certainly do: the terminals with which alternatives of the same rule continue that have equal symbols before
//        this position; and, if the occurrence is at the beginning of its rule, the terminals that compete wherever the
//        rule is used (a greatest fixpoint). Only terminals that compete at all occurrences count. The bytes that may
//        follow are overestimated by the FOLLOW sets of LL parsers. Then the terminal and its competitors are matched
//        together, as the lexer does, by a search through sets of residuals. Each approximation can only lose warnings.
// LIMITS Grammars with token limits or follow conditions, large grammars, and terminals for which the search takes too
//        long (search_bounds.h) are skipped.
#ifndef WEIR_SRC_LINT_SHADOWED_H_
#define WEIR_SRC_LINT_SHADOWED_H_

#include <vector>

#include "grammar/cfg.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Appends to `warnings`. Adds expressions to `cfg.exprs`; does not change `cfg` otherwise.
void warn_of_shadowed(Cfg& cfg, const Limits& limits, std::vector<Warning>& warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_LINT_SHADOWED_H_
