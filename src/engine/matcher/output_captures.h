// OutputCaptures: the captures in a cursor's output.
//
// WHAT   Reads the output into a chart (captures/capture_chart.h) and the captures from the chart. The chart is kept,
//        so the next call reads only the steps since. If only what is certain is asked for, it forgets what no later
//        such call needs; once something else is needed, the output is read again and kept.
// INVARIANTS  The chart has read the first steps of the output, with the automaton whose number it has. It refers to
//        ids of that automaton, so another automaton gets a new chart. A chart whose last step has met a limit is dropped;
//        if a call has met Limits::call_work between two steps, the next one goes on. A copy has no chart.
// THREADS One thread at a time.
#ifndef WEIR_SRC_ENGINE_MATCHER_OUTPUT_CAPTURES_H_
#define WEIR_SRC_ENGINE_MATCHER_OUTPUT_CAPTURES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/limit.h"
#include "engine/automaton/shared_automaton.h"
#include "engine/captures/capture_chart.h"
#include "engine/captures/certain_captures.h"
#include "engine/matcher/history.h"
#include "engine/search_bounds.h"
#include "weir/matcher.h"

namespace weir::engine {

class OutputCaptures {
 public:
  OutputCaptures() = default;
  OutputCaptures(const OutputCaptures& other) : items_to_forget_(other.items_to_forget_) {}
  OutputCaptures(OutputCaptures&&) = default;
  OutputCaptures& operator=(const OutputCaptures&) = delete;
  OutputCaptures& operator=(OutputCaptures&&) = delete;
  ~OutputCaptures() = default;

  /// Appends the captures of the output to `captures`. Returns the limit that was met, or kNone. The
  /// history's states belong to `automaton`.
  base::Limit read(SharedAutomaton& automaton, const History& history, std::vector<Capture>& captures);
  /// Says what is certain of the captures, and appends the marks after the first `known`. Returns as read().
  /// Precondition: with Output::kEnds, the output may end here.
  base::Limit read_certain(SharedAutomaton& automaton, const History& history, CertainCaptures::Output output,
                           std::uint32_t known, std::vector<CaptureMark>& marks, CertainCaptures::Certain& certain);
  /// Returns how many steps the chart has read, 0 if it was read with another automaton.
  [[nodiscard]] std::size_t steps_read(const SharedAutomaton& automaton) const {
    return chart_ != nullptr && chart_->automaton == automaton.number() ? chart_->steps : 0;
  }
  /// The last two of `steps` steps become one. Returns false if the chart has read the first of them alone.
  bool join_last(std::size_t steps);
  /// The output has its first `steps` steps only. Drops the chart if it has read more; read() then begins at the start.
  void rollback(std::size_t steps);
  /// From so many points and links on a chart forgets what it can, if it begins after this call; 0: after each reading.
  /// What is read is the same.
  void set_items_to_forget(std::size_t items) { items_to_forget_ = items; }

 private:
  struct Chart {
    Chart(const SharedAutomaton& of, std::size_t items_to_forget)
        : chart(of.program(), items_to_forget), automaton(of.number()) {}
    CaptureChart chart;
    CertainCaptures certain;
    std::uint32_t automaton;  // number of the automaton that it was read with
    std::size_t steps = 0;    // number of steps that the chart has read
    bool keeps_text = false;  // a capture has parts
    std::string text;         // of these steps, if so
  };
  base::Limit read_steps(SharedAutomaton& automaton, const History& history);
  template <typename Use>
  base::Limit with_reading(SharedAutomaton& automaton, const History& history, const Use& use);
  base::Limit read_step(const CaptureChart::Parts& parts, const History& history, std::size_t step);

  std::unique_ptr<Chart> chart_;
  std::size_t items_to_forget_ = kItemsToForget;
  bool keeps_past_ = false;  // something that a chart of the output had forgotten was needed
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MATCHER_OUTPUT_CAPTURES_H_
