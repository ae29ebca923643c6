// What the engine knows, as text: for `weir inspect` and for debugging. Nothing here is on a path that matters for
// speed.
#ifndef WEIR_SRC_ENGINE_MATCHER_INSPECT_H_
#define WEIR_SRC_ENGINE_MATCHER_INSPECT_H_

#include <string>

#include "engine/explore/compiled.h"

namespace weir::engine {

/// The terminals of a compiled grammar with their modes and expressions, a line each.
std::string describe_terminals(const Program& program);

/// The state behind `text`: threads with their rows (items, continuations to `depth` levels), the terminals in progress
/// with what is left of them, conditions, acceptance.
std::string describe_state(Compiled& compiled, std::string_view text, unsigned depth = 1);

/// Every row explored so far: kernel, terminals expected.
std::string describe_rows(Compiled& compiled);

/// Every lexer state explored so far.
std::string describe_lexer_states(Compiled& compiled);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_INSPECT_H_
