// Beginnings of an expression's members, read off its structure: of a concatenation those of its head, and its head
// with those of its tail; of a repeat some rounds and a beginning of one more. Every part has a member, so each of
// these goes on to one of the whole.
#include <unordered_map>
#include <vector>

#include "regex/expr.h"

namespace weir::regex {

ExprSet::Shape ExprSet::shape(ExprId e) const {
  const Node& n = node(e);
  switch (n.kind) {
    case Kind::kNothing: return {.kind = Shape::Kind::kNothing};
    case Kind::kEpsilon: return {.kind = Shape::Kind::kEpsilon};
    case Kind::kByteSet: return {.kind = Shape::Kind::kBytes, .bytes = bytes(e)};
    case Kind::kConcat: return {.kind = Shape::Kind::kConcat, .parts = {ExprId{n.a}, ExprId{n.b}}};
    case Kind::kRepeat: return {.kind = Shape::Kind::kRepeat, .parts = {ExprId{n.a}}, .min = n.b, .max = n.c};
    case Kind::kAlternation: {
      Shape shape{.kind = Shape::Kind::kAlternation};
      for (std::uint32_t i = 0; i < n.b; ++i) shape.parts.push_back(child(n, i));
      return shape;
    }
    default: return {};
  }
}

std::optional<ExprId> ExprSet::beginnings(ExprId e) {
  std::unordered_map<ExprId, ExprId> known;
  std::vector<ExprId> open{e};
  std::vector<ExprId> parts;
  while (!open.empty()) {
    const ExprId at = open.back();
    if (known.contains(at)) {
      open.pop_back();
      continue;
    }
    const Node n = node(at);
    parts.clear();
    switch (n.kind) {
      case Kind::kNothing:
      case Kind::kEpsilon:
      case Kind::kAllStrings:
      case Kind::kOverflow:
      case Kind::kByteSet: break;
      case Kind::kConcat: parts.assign({ExprId{n.a}, ExprId{n.b}}); break;
      case Kind::kRepeat: parts.push_back(ExprId{n.a}); break;
      case Kind::kAlternation:
        for (std::uint32_t i = 0; i < n.b; ++i) parts.push_back(child(n, i));
        break;
      default: return std::nullopt;
    }
    const std::size_t before = open.size();
    for (const ExprId part : parts) {
      if (!known.contains(part)) open.push_back(part);
    }
    if (open.size() != before) continue;
    open.pop_back();
    switch (n.kind) {
      case Kind::kByteSet: known[at] = alternation(ExprId::kEpsilon, at); break;
      case Kind::kConcat: known[at] = alternation(known[parts[0]], concat(parts[0], known[parts[1]])); break;
      case Kind::kRepeat: {
        const std::uint32_t rounds = n.c == kUnbounded ? kUnbounded : n.c - 1;
        known[at] = concat(repeat(parts[0], 0, rounds), known[parts[0]]);
        break;
      }
      case Kind::kAlternation:
        for (ExprId& part : parts) part = known[part];
        known[at] = alternation(parts);
        break;
      default: known[at] = at; break;
    }
  }
  return known[e];
}

}  // namespace weir::regex
