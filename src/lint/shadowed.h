// Competing terminals (MatchMode::kLongest and kShortest) that never match: a check, which compiling does not pay for.
//
// WHAT   The warning `shadowed-terminal` for a terminal that others take every text of: behind each of its texts one of
//        them goes on with whatever byte may follow there, or a lazy one has ended before. Terminals of the other modes
//        end wherever they match, so nothing shadows them.
// HOW    What competes with a terminal depends on the place. Certain to be there are the terminals that the rule around
//        an occurrence begins with, those of alternatives that begin with the same symbols up to it, and, where it
//        begins its rule, those that are there wherever the rule is: of these the ones common to all occurrences count,
//        a fixpoint from above. Bytes that may follow are those of any top-down parser, which are too many. Then all
//        are matched together, set of residuals by set, as the lexer does. Each step errs towards no warning.
// LIMITS Nothing is said of grammars with bounds on tokens or conditions on what follows, of large ones, and of
//        terminals for which the search takes too long (the constants in shadowed.cc).
#ifndef WEIR_SRC_LINT_SHADOWED_H_
#define WEIR_SRC_LINT_SHADOWED_H_

#include <vector>

#include "grammar/cfg.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::grammar {

/// Appends to `warnings`. Adds expressions to `cfg.exprs`, and changes nothing else.
void warn_of_shadowed(Cfg& cfg, const Limits& limits, std::vector<Warning>& warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_LINT_SHADOWED_H_
