#include "engine/matcher/history.h"

#include <algorithm>
#include <atomic>

namespace weir::engine {

TokenPosition History::find_position_after(std::size_t steps) const {
  for (std::size_t i = 0; i < steps; ++i) {
    const bool is_inside = is_bytes(i)
                               ? !bytes_of(i).empty()
                               : stops_.position_after(token(i), TokenPosition::kFirst) == TokenPosition::kInside;
    if (is_inside) return TokenPosition::kInside;
  }
  return TokenPosition::kFirst;
}

std::string_view History::bytes_of(std::size_t step) const {
  const std::size_t begin = steps_[step].bytes_begin;
  const std::size_t end = step + 1 < steps_.size() ? steps_[step + 1].bytes_begin : bytes_.size();
  return std::string_view(bytes_).substr(begin, end - begin);
}

std::string_view History::text_of(std::size_t step) const {
  return is_bytes(step) ? bytes_of(step) : stops_.text_of(token(step), position_after(step));
}

std::size_t History::text_bytes(std::size_t step) const {
  std::size_t bytes = 0;
  for (; step < steps_.size(); ++step) bytes += text_of(step).size();
  return bytes;
}

std::string History::text_from(std::size_t step) const {
  std::string text;
  for (; step < steps_.size(); ++step) text += text_of(step);
  return text;
}

void History::add(std::uint32_t token, const Point& after, std::size_t text_before) {
  number_ = 0;
  steps_.push_back({.token = token, .point_after = after, .bytes_begin = bytes_.size()});
  if (stores_marks_) marks_.push_back(text_before);
}

void History::add_token(std::uint32_t token, Output output, Point after, std::size_t text_before) {
  after.tokens = (here().tokens + 1) & INT32_MAX;
  add(token, after, text_before);
  is_terminated_ = output == Output::kEnds;
}

void History::add_bytes(std::string_view bytes, Point after, std::size_t text_before) {
  after.tokens = here().tokens;
  add(kByteStep, after, text_before);
  bytes_ += bytes;
}

void History::add_plain_stop_token(std::uint32_t token, std::size_t text_before) {
  add(token, Point(here()), text_before);
  is_terminated_ = true;
}

std::uint64_t History::number() {
  static std::atomic<std::uint64_t> last{0};
  if (number_ == 0) number_ = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return number_;
}

void History::rollback(std::size_t steps, TextState& text) {
  if (steps == 0) return;
  number_ = 0;
  const std::size_t kept = steps_.size() - steps;
  while (!left_.empty() && left_.back().second >= kept) left_.pop_back();
  left_.emplace_back(++rollbacks_, kept);
  bytes_.resize(steps_[kept].bytes_begin);
  steps_.resize(kept);
  is_terminated_ = false;
  if (!stores_marks_) return;
  text.rewind(marks_[kept]);
  marks_.resize(kept);
}

void History::join_last() {
  number_ = 0;
  steps_[steps_.size() - 2].point_after = steps_.back().point_after;
  steps_.pop_back();
  if (stores_marks_) marks_.pop_back();
}

std::size_t History::least_since(std::uint64_t since) const {
  const auto first =
      std::upper_bound(left_.begin(), left_.end(), since,
                       [](std::uint64_t number, const auto& rollback) { return number < rollback.first; });
  return first == left_.end() ? size() : first->second;
}

void History::move_to(const Point& start, std::span<const StateId> states) {
  start_ = start;
  for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i].point_after.state = states[i];
}

}  // namespace weir::engine
