#include "engine/matcher/output_captures.h"

#include <algorithm>
#include <string>

#include "base/work.h"
#include "engine/captures/capture_reading.h"

namespace weir::engine {

using base::Limit;

void OutputCaptures::rollback(std::size_t steps) {
  if (steps == 0) keeps_past_ = false;
  if (chart_ != nullptr && chart_->steps > steps) chart_.reset();
}

bool OutputCaptures::join_last(std::size_t steps) {
  if (chart_ == nullptr || chart_->steps + 1 < steps) return true;
  if (chart_->steps + 1 == steps) return false;
  --chart_->steps;
  return true;
}

// Calls `use(reading)` for the output's chart. If that needs what the chart has forgotten, reads the output again, and
// nothing of it is forgotten from then on.
template <typename Use>
Limit OutputCaptures::with_reading(SharedAutomaton& automaton, const History& history, const Use& use) {
  const Program& program = automaton.program();
  Limit met = read_steps(automaton, history);
  if (met == Limit::kNone) {
    met = automaton.inspect([&](const grammar::GrowingCfg& grammar, lexer::Lexer& lexer, const auto& /*rows*/) {
      CaptureReading reading(chart_->chart, grammar.cfg(), lexer, chart_->text, program.capture_cycles,
                             program.limits.capture_items);
      return use(reading);
    });
  }
  if (met != Limit::kNone && chart_ != nullptr && chart_->chart.needs_past()) {
    keeps_past_ = true;
    chart_.reset();
    base::Work::allow_more(history.text_bytes() * kStepsForTextByte);
    return with_reading(automaton, history, use);
  }
  if (met != Limit::kNone && met != Limit::kCallWork) chart_.reset();
  return met;
}

Limit OutputCaptures::read(SharedAutomaton& automaton, const History& history, std::vector<Capture>& captures) {
  return with_reading(automaton, history, [&](CaptureReading& reading) {
    if (!chart_->chart.is_whole(ColumnId{0})) return reading.ask_for_past();
    return reading.read(captures);
  });
}

Limit OutputCaptures::read_certain(SharedAutomaton& automaton, const History& history, CertainCaptures::Output output,
                                   std::uint32_t known, std::vector<CaptureMark>& marks,
                                   CertainCaptures::Certain& certain) {
  return with_reading(automaton, history, [&](CaptureReading& reading) {
    CertainCaptures& all = chart_->certain;
    const Limit met = all.read(reading, output, certain);
    if (met != Limit::kNone) return met;
    if (known < all.forgotten()) return reading.ask_for_past();
    all.list(known, marks);
    if (output == CertainCaptures::Output::kGoesOn && !keeps_past_) all.forget(reading, chart_->chart);
    return Limit::kNone;
  });
}

Limit OutputCaptures::read_steps(SharedAutomaton& automaton, const History& history) {
  if (chart_ == nullptr || chart_->automaton != automaton.number()) {
    chart_ = std::make_unique<Chart>(automaton, items_to_forget_);
    const auto& named = automaton.program().cfg.captures;
    chart_->keeps_text = std::any_of(named.begin(), named.end(),
                                     [](const grammar::CfgCapture& capture) { return capture.parts.exist(); });
    const Limit met = automaton.inspect([&](grammar::GrowingCfg& grammar, lexer::Lexer& lexer, const auto& /*rows*/) {
      return chart_->chart.begin({grammar, lexer});
    });
    if (met != Limit::kNone) chart_.reset();
    if (met != Limit::kNone) return met;
  }
  while (chart_->steps < history.size()) {
    if (base::Work::is_met()) return Limit::kCallWork;
    const std::size_t end = std::min(chart_->steps + kOutputStepsUnderLock, history.size());
    const Limit met = automaton.inspect([&](grammar::GrowingCfg& grammar, lexer::Lexer& lexer, const auto& /*rows*/) {
      Limit limit = Limit::kNone;
      for (; chart_->steps < end && limit == Limit::kNone && !base::Work::is_met(); ++chart_->steps) {
        limit = read_step({grammar, lexer}, history, chart_->steps);
      }
      return limit;
    });
    if (met != Limit::kNone) chart_.reset();  // the last step is not whole
    if (met != Limit::kNone) return met;
  }
  return Limit::kNone;
}

Limit OutputCaptures::read_step(const CaptureChart::Parts& parts, const History& history, std::size_t step) {
  if (chart_->keeps_text) chart_->text += history.text_of(step);
  if (history.is_bytes(step)) return chart_->chart.read(parts, history.text_of(step));
  if (history.is_plain_stop_token(step) || history.adds_nothing(step)) return Limit::kNone;
  return chart_->chart.read_token(parts, history.token(step), history.role_of(step), history.text_of(step));
}

}  // namespace weir::engine
