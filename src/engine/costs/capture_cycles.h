// CaptureCycles: facts about a grammar's rules that the choice among readings needs (capture_reading.h).
#ifndef WEIR_SRC_ENGINE_COSTS_CAPTURE_CYCLES_H_
#define WEIR_SRC_ENGINE_COSTS_CAPTURE_CYCLES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grammar/cfg.h"

namespace weir::engine {

/// All vectors are by rule of the grammar before it grows. Rules with equal group numbers can be reached from each other.
/// Lazy rules are not empty; those that hold captures are taken for rules that never match a part's text again, and for
/// one group of rules that can begin with each other.
struct CaptureCycles {
  std::vector<std::uint32_t> by_text = {};   ///< Groups of rules that can match exactly each other's text.
  std::vector<bool> repeats = {};            ///< True if a part of the rule can again be the rule, over the same text.
  std::vector<std::uint32_t> by_begin = {};  ///< Groups of rules that can begin with each other at the same place.
  std::vector<bool> vanishes = {};           ///< True if the rule can match the empty text without any capture.

  // The same for all rules.
  [[nodiscard]] std::size_t text_group(std::size_t rule) const {
    return rule < by_text.size() ? by_text[rule] : by_text.size() + rule;
  }
  [[nodiscard]] std::size_t begin_group(std::size_t rule) const {
    return rule < by_begin.size() ? by_begin[rule] : by_begin.size();
  }
  [[nodiscard]] bool is_repeated(std::size_t rule) const { return rule < repeats.size() && repeats[rule]; }
  [[nodiscard]] bool may_vanish(std::size_t rule) const { return rule < vanishes.size() && vanishes[rule]; }
};

/// Computes the facts. Empty if the grammar has no captures. Cost: linear in the grammar.
CaptureCycles find_capture_cycles(const grammar::Cfg& cfg);

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_COSTS_CAPTURE_CYCLES_H_
