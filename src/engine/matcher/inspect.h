// Descriptions of the engine's data as text, for `weir inspect` and for debugging. Speed does not matter here.
#ifndef WEIR_SRC_ENGINE_MATCHER_INSPECT_H_
#define WEIR_SRC_ENGINE_MATCHER_INSPECT_H_

#include <string>

#include "engine/automaton/compiled.h"

namespace weir::engine {

/// Describes the terminals of a compiled grammar with their modes and expressions, one per line.
std::string describe_terminals(const Program& program);

/// Describes the state after `text`: its threads with their rows (items, continuations to `depth` levels), the
/// terminals in progress with their residuals, conditions, acceptance.
std::string describe_state(Compiled& compiled, std::string_view text, unsigned depth = 1);

/// Describes every row explored so far: its kernel and the terminals that it expects.
std::string describe_rows(Compiled& compiled);

/// Describes every lexer state explored so far.
std::string describe_lexer_states(Compiled& compiled);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_INSPECT_H_
