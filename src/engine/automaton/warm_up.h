// Warm-up: explores the states that texts of a grammar are likely to reach, before a matcher asks for their masks.
//
// WHAT   Computes masks and transitions, the likeliest first, until a budget of work is spent.
// WHY    A model reads its prompt for tens to hundreds of milliseconds before it writes its first token. A mask of a
//        known state is a copy; that of a new state takes 10 to 100 times as long.
// HOW    Dijkstra's algorithm over *stations*. A station is a state in which a lexeme has just ended. An edge is a text
//        of a terminal that may follow (terminal_samples.h); the cheapest path to a station is its *way*. The first
//        terminal with its first text costs nearly nothing, so one whole text is walked first. Other terminals and
//        texts cost more, so texts that differ little from the first one come next. The terminals of a station are
//        tried in the order of the grammar, beginning after the one of them that the way took last: after the second
//        property of an object comes the third. A station is left once, by its cheapest way.
//        Masks are computed where tokens end. Models mostly write the tokens that their tokenizer writes, and such a
//        token may contain the end of a lexeme (`",` in JSON). So the last lexemes of the way are tokenized together
//        with the next one, and the states at the ends of these tokens get masks.
// INVARIANTS  Results do not depend on warm-up: it explores only what matchers would explore. It stops at half of
//        Limits::state_memory, regex_nodes and lexer_states. In grammars with bounds on tokens it explores nothing:
//        there a search may give up, and what it finds before that depends on what is known.
// LIMITS A mask or transition that meets a limit is left out, and so is one that needs far more than kMaxPieceWork
//        steps (in_pieces() in background_work.h).
// THREADS May run beside matchers. It works in small pieces, holds the automaton's lock for one transition, search or
//        mask of a piece, and begins the next piece when no matcher waits for the lock (base/yielding_mutex.h).
#ifndef WEIR_SRC_ENGINE_AUTOMATON_WARM_UP_H_
#define WEIR_SRC_ENGINE_AUTOMATON_WARM_UP_H_

#include "engine/automaton/compiled.h"
#include "weir/compiler.h"

namespace weir::engine {

/// See CompiledGrammar::warm_up.
WarmUpReport warm_up(const Compiled& compiled, const WarmUpOptions& options) noexcept;
/// See CompiledGrammar::stop_warm_up.
void stop_warm_up(const Compiled& compiled) noexcept;

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_AUTOMATON_WARM_UP_H_
