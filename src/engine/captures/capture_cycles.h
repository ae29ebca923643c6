// CaptureCycles: what is known of a grammar's rules before any text, for choosing among readings (capture_reading.h).
#ifndef WEIR_SRC_ENGINE_CAPTURES_CAPTURE_CYCLES_H_
#define WEIR_SRC_ENGINE_CAPTURES_CAPTURE_CYCLES_H_

#include <cstdint>
#include <vector>

#include "grammar/cfg.h"

namespace weir::engine {

/// By rule; those of one group can be reached from each other. Lazy rules hold no captures, so the rules that a
/// grammar has before it grows are all.
struct CaptureCycles {
  std::vector<std::uint32_t> by_text = {};   ///< Groups whose rules can match the very text of each other.
  std::vector<bool> repeats = {};            ///< Whether the rule can match its own text again, alone or by its group.
  std::vector<std::uint32_t> by_begin = {};  ///< Groups whose rules can begin with each other, at the same place.
  std::vector<bool> vanishes = {};           ///< Whether the rule can match the empty text without any capture.
};

/// Cost: linear. Empty where the grammar has no captures.
CaptureCycles find_capture_cycles(const grammar::Cfg& cfg);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_CAPTURES_CAPTURE_CYCLES_H_
