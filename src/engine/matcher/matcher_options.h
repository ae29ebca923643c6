// What the options of a matcher mean for its cursor, and whether there can be a matcher with them.
//
// COST   Stop tokens need at most a pass over the grammar's rules and sets of tokens. A budget, and bounds or a context
//        in canonical mode, need a search from the start state, whose results the automaton keeps. The rest is O(1).
// THREADS Pure functions, except that a check explores on the current automaton, under its lock.
#ifndef WEIR_SRC_ENGINE_MATCHER_MATCHER_OPTIONS_H_
#define WEIR_SRC_ENGINE_MATCHER_MATCHER_OPTIONS_H_

#include "canonical/canonical_automaton.h"
#include "engine/automaton/compiled.h"
#include "engine/sets/token_view.h"
#include "vocab/vocabulary.h"
#include "weir/error.h"
#include "weir/matcher.h"

namespace weir::engine {

/// Returns success if there can be a cursor with these options. Errors: GrammarMatcher::create.
Result<void> check_matcher_options(const Compiled& compiled, const MatcherOptions& options);

/// Returns the position of the first token of an output.
TokenPosition first_position(const vocab::Vocabulary& vocabulary, const MatcherOptions& options);
/// Returns the canonical state before the output. Precondition: the context is canonical.
canonical::CanonicalId first_canonical_state(const canonical::CanonicalAutomaton& canonical,
                                             const MatcherOptions& options);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_MATCHER_OPTIONS_H_
