// Cursor: the text of the output, and the captures in it.
#include <algorithm>

#include "engine/capture_reading.h"
#include "engine/cursor.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

using base::Limit;

namespace {

// Other cursors wait for the automaton's lock this long at most, in steps of the output.
constexpr std::size_t kStepsUnderLock = 256;

}  // namespace

// What a step has added to the text.
std::string_view Cursor::text_of_step(std::size_t step) const {
  const StepRecord& record = steps_[step];
  if (record.token != kByteStep) return text_of(record.token, position_behind(step));
  const std::size_t end = step + 1 < steps_.size() ? steps_[step + 1].bytes_begin : bytes_.size();
  return std::string_view(bytes_).substr(record.bytes_begin, end - record.bytes_begin);
}

std::string Cursor::text() const {
  std::string text;
  for (std::size_t i = 0; i < steps_.size(); ++i) text += text_of_step(i);
  return text;
}

std::vector<Capture> Cursor::captures() {
  std::vector<Capture> captures;
  limit_message_.clear();
  if (compiled_->program().cfg.captures.empty()) return captures;
  settle();
  const Limit limit = explore(Question::kWalk, [&] {
    captures.clear();
    return read_captures(captures);
  });
  if (limit != Limit::kNone) {
    chart_.reset();
    captures.clear();
  }
  return captures;
}

Limit Cursor::read_captures(std::vector<Capture>& captures) {
  // A chart's numbers are those of the automaton that it was read with.
  if (!chart_.has_value() || chart_->automaton != automaton_->number()) {
    chart_.emplace(compiled_->program(), automaton_->number());
    const Limit met = automaton_->inspect([&](grammar::GrowingCfg& grammar, lexer::Lexer& lexer, const auto& /*rows*/) {
      lexer.clear_limit();
      return chart_->chart.begin({grammar, lexer});
    });
    if (met != Limit::kNone) return drop_chart(met);
  }
  while (chart_->steps < steps_.size()) {
    const std::size_t end = std::min(chart_->steps + kStepsUnderLock, steps_.size());
    const Limit met = automaton_->inspect([&](grammar::GrowingCfg& grammar, lexer::Lexer& lexer, const auto& /*rows*/) {
      lexer.clear_limit();
      Limit limit = Limit::kNone;
      for (; chart_->steps < end && limit == Limit::kNone; ++chart_->steps) {
        limit = read_step({grammar, lexer}, chart_->steps);
      }
      return limit;
    });
    if (met != Limit::kNone) return drop_chart(met);
  }
  const Program& program = compiled_->program();
  const auto& named = program.cfg.captures;
  const bool has_parts =
      std::any_of(named.begin(), named.end(), [](const grammar::CfgCapture& capture) { return capture.parts.exist(); });
  const std::string read = has_parts ? text() : std::string();
  const Limit met =
      automaton_->inspect([&](const grammar::GrowingCfg& grammar, lexer::Lexer& lexer, const auto& /*rows*/) {
        CaptureReading reading(chart_->chart, grammar.cfg(), lexer, read, program.capture_cycles,
                               program.limits.capture_items);
        return reading.read(captures);
      });
  return met == Limit::kNone ? met : drop_chart(met);
}

// A chart that has met a limit is of no more use.
Limit Cursor::drop_chart(Limit met) {
  chart_.reset();
  return met;
}

Limit Cursor::read_step(const CaptureChart::Parts& parts, std::size_t step) {
  const std::uint32_t token = steps_[step].token;
  const std::string_view text = text_of_step(step);
  if (token == kByteStep) return chart_->chart.read(parts, text);
  if (is_only_an_end(step) || adds_nothing(token, position_behind(step))) return Limit::kNone;
  return chart_->chart.read_token(parts, token, text);
}

}  // namespace weir::engine
