// Warm-up: explores the states that texts of a grammar are likely to meet, before a matcher asks for their masks.
//
// WHAT   Computes masks and transitions in the order of their likelihood until a budget of work is spent.
// WHY    A model reads its prompt for tens to hundreds of milliseconds before it writes its first token. A mask of a
//        known state is a copy; that of a new state takes 10 to 100 times as long.
// HOW    Dijkstra's algorithm over *stations*: states in which a lexeme has just ended, reached by a text. From a station
//        each terminal that may follow leads on by some texts of its own (terminal_samples.h). The first terminal and
//        its first text cost nearly nothing, so one whole text comes first; other terminals and texts cost more, and so
//        the ways that differ little from it come next. Terminals are tried in the order of the grammar, beginning after
//        the one that was last taken from among them: after the second property of an object comes the third.
//        A station is left once, whatever texts lead to it.
//        Models write the tokens that their tokenizer would, and such tokens do not end where lexemes end (`",` in
//        JSON). So the last lexemes are tokenized together with the next one, and the states at the ends of these
//        tokens are those whose masks are computed.
// INVARIANTS  Results do not depend on warm-up: what it explores is what matchers would explore. It stops at half of
//        Limits::state_memory, regex_nodes and lexer_states, and explores nothing in grammars with bounds on tokens,
//        where searches that give up find less or more with what is known.
// LIMITS A mask or transition that meets a limit is left out, and so is one that needs far more than kPieceWork steps.
// THREADS May run beside matchers. It works in small pieces, holds the automaton's lock for one transition, search or mask
//        of a piece, and goes on when no matcher waits for the lock (base/yielding_mutex.h).
#ifndef WEIR_SRC_ENGINE_EXPLORE_WARM_UP_H_
#define WEIR_SRC_ENGINE_EXPLORE_WARM_UP_H_

#include "engine/explore/compiled.h"
#include "weir/compiler.h"

namespace weir::engine {

/// See CompiledGrammar::warm_up.
WarmUpReport warm_up(const Compiled& compiled, const WarmUpOptions& options);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_EXPLORE_WARM_UP_H_
