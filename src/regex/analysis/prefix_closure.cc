#include "regex/analysis/prefix_closure.h"

#include <unordered_map>
#include <vector>

namespace weir::regex {

// The prefix closure of an expression, bottom-up: for a concatenation h·t, the prefixes of h, and h followed by the
// prefixes of t; for a repeat, some rounds followed by a prefix of one more. No part is empty, so each such text
// extends to a member of the whole.
std::optional<ExprId> prefix_closure(ExprSet& exprs, ExprId e) {
  std::unordered_map<ExprId, ExprId> known;
  std::vector<ExprId> open{e};
  while (!open.empty()) {
    const ExprId at = open.back();
    if (known.contains(at)) {
      open.pop_back();
      continue;
    }
    const ExprKind kind = exprs.kind(at);
    if (!is_plain_operator(kind) && kind != ExprKind::kAllStrings && kind != ExprKind::kOverflow) return std::nullopt;
    const std::size_t before = open.size();
    for (const ExprId part : exprs.operands(at)) {
      if (!known.contains(part)) open.push_back(part);
    }
    if (open.size() != before) continue;
    open.pop_back();
    switch (kind) {
      case ExprKind::kByteSet: known[at] = exprs.alternation(ExprId::kEpsilon, at); break;
      case ExprKind::kConcat: {
        const ExprId first = exprs.head(at);
        known[at] = exprs.alternation(known[first], exprs.concat(first, known[exprs.tail(at)]));
        break;
      }
      case ExprKind::kRepeat: {
        const ExprSet::Counted n = exprs.counted(at);
        const std::uint32_t rounds = n.max == kUnbounded ? kUnbounded : n.max - 1;
        known[at] = exprs.concat(exprs.repeat(n.body, 0, rounds), known[n.body]);
        break;
      }
      case ExprKind::kAlternation: {
        std::vector<ExprId> parts;
        for (const ExprId part : exprs.operands(at)) parts.push_back(known[part]);
        known[at] = exprs.alternation(parts);
        break;
      }
      default: known[at] = at; break;
    }
  }
  return known[e];
}

}  // namespace weir::regex
