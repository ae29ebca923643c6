// CaptureCycles: facts about a grammar's rules that the choice among readings needs (capture_reading.h).
#ifndef WEIR_SRC_ENGINE_COSTS_CAPTURE_CYCLES_H_
#define WEIR_SRC_ENGINE_COSTS_CAPTURE_CYCLES_H_

#include <cstdint>
#include <vector>

#include "grammar/cfg.h"

namespace weir::engine {

/// All vectors are by rule. Rules with equal group numbers can be reached from each other. Lazy rules hold no captures,
/// so the rules of the grammar before it grows suffice.
struct CaptureCycles {
  std::vector<std::uint32_t> by_text = {};   ///< Groups of rules that can match exactly each other's text.
  std::vector<bool> repeats = {};            ///< True if a part of the rule can again be the rule, over the same text.
  std::vector<std::uint32_t> by_begin = {};  ///< Groups of rules that can begin with each other at the same place.
  std::vector<bool> vanishes = {};           ///< True if the rule can match the empty text without any capture.
};

/// Computes the facts. Empty if the grammar has no captures. Cost: linear in the grammar.
CaptureCycles find_capture_cycles(const grammar::Cfg& cfg);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_COSTS_CAPTURE_CYCLES_H_
