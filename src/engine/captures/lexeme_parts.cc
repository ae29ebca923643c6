#include "engine/captures/lexeme_parts.h"

#include <algorithm>
#include <vector>

namespace weir::engine {

using base::Limit;
using regex::ExprId;

namespace {

struct Second {
  ExprId left = ExprId::kNothing;  // residual of the second part
  std::size_t begin = 0;
};

}  // namespace

Limit find_second_part(regex::ExprSet& exprs, const grammar::LexemeParts& parts, std::string_view lexeme,
                       std::uint32_t limit, std::uint32_t& visited, std::size_t& place) {
  ExprId first = parts.first;
  std::vector<Second> seconds;  // those that began later come first
  std::vector<Second> next;
  const auto add = [](std::vector<Second>& to, Second second) {
    const auto is_same = [&](const Second& other) { return other.left == second.left; };
    if (std::none_of(to.begin(), to.end(), is_same)) to.push_back(second);
  };
  for (std::size_t i = 0;; ++i) {
    next.clear();
    if (exprs.nullable(first)) add(next, {parts.second, i});
    for (const Second& second : seconds) add(next, second);
    std::swap(seconds, next);
    if (i == lexeme.size()) break;
    visited += static_cast<std::uint32_t>(seconds.size()) + 1;
    if (visited > limit) return Limit::kCaptureItems;
    const auto byte = static_cast<std::uint8_t>(lexeme[i]);
    first = exprs.derivative(first, byte);
    for (Second& second : seconds) second.left = exprs.derivative(second.left, byte);
    if (exprs.is_full()) return Limit::kRegexNodes;
    std::erase_if(seconds, [](const Second& second) { return second.left == ExprId::kNothing; });
  }
  const auto found =
      std::find_if(seconds.begin(), seconds.end(), [&](const Second& second) { return exprs.nullable(second.left); });
  place = found == seconds.end() ? lexeme.size() : found->begin;
  return Limit::kNone;
}

}  // namespace weir::engine
