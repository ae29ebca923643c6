#include "regex/expr/trie.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/work.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

namespace {

std::size_t common_prefix(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// Returns bytes·e.
ExprId prefixed(ExprSet& exprs, std::string_view bytes, ExprId e) {
  for (std::size_t i = bytes.size(); i-- > 0;) e = exprs.concat(exprs.byte(static_cast<std::uint8_t>(bytes[i])), e);
  return e;
}

/// A place within texts where they fork or end, and what may follow there.
struct Fork {
  std::size_t depth;
  std::vector<ExprId> ways;
};

}  // namespace

ExprId trie(ExprSet& exprs, std::vector<TextBefore> texts) {
  if (texts.empty()) return ExprId::kNothing;
  std::ranges::sort(texts, {}, &TextBefore::text);
  std::size_t nodes = texts.front().text.size();
  for (std::size_t i = 1; i < texts.size(); ++i) {
    nodes += texts[i].text.size() - common_prefix(texts[i - 1].text, texts[i].text);
  }
  // As in ExprSet::literal(): too much work is refused before it is done.
  if (const std::uint64_t steps = nodes * base::Work::kNode; nodes > kNodesInCache && base::Work::would_exceed(steps)) {
    base::Work::charge(steps);
    return ExprId::kOverflow;
  }
  std::vector<Fork> open{{0, {}}};  // on the way of the current text, by depth
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string_view text = texts[i].text;
    const std::size_t shared = i + 1 < texts.size() ? common_prefix(text, texts[i + 1].text) : 0;
    ExprId e = texts[i].after;  // what follows the first `read` bytes of the text
    std::size_t read = text.size();
    for (; open.back().depth > shared; open.pop_back()) {
      Fork& last = open.back();
      last.ways.push_back(prefixed(exprs, text.substr(last.depth, read - last.depth), e));
      e = exprs.alternation(last.ways);
      read = last.depth;
    }
    if (open.back().depth < shared) open.push_back({shared, {}});
    open.back().ways.push_back(prefixed(exprs, text.substr(shared, read - shared), e));
  }
  return exprs.alternation(open.front().ways);
}

}  // namespace weir::regex
