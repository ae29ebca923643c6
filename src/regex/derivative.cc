#include <algorithm>
#include <cstring>

#include "regex/expr.h"

namespace weir::regex {

ExprId ExprSet::known_derivative(ExprId e, std::uint8_t byte) const {
  const Node& n = node(e);
  switch (n.kind) {
    case Kind::kNothing:
    case Kind::kEpsilon: return ExprId::kNothing;
    case Kind::kAllStrings:
    case Kind::kOverflow: return e;
    case Kind::kByteSet: return sets_[n.a].contains(byte) ? ExprId::kEpsilon : ExprId::kNothing;
    case Kind::kConcat: {
      const Node& h = nodes_[n.a];
      if (h.kind == Kind::kByteSet) return sets_[h.a].contains(byte) ? ExprId{n.b} : ExprId::kNothing;
      break;
    }
    default: break;
  }
  if (n.row == kNoRow) return kUnknownId;
  return ExprId{memo_[n.row + 1 + partitions_[memo_[n.row]].class_of[byte]]};
}

ExprId ExprSet::derivative(ExprId e, std::uint8_t byte) {
  const ExprId d = known_derivative(e, byte);
  return d != kUnknownId ? d : derive(e, byte);
}

void ExprSet::push_missing(ExprId e, std::uint8_t byte, std::vector<ExprId>& stack) const {
  const auto need = [&](ExprId x) {
    if (known_derivative(x, byte) == kUnknownId) stack.push_back(x);
  };
  const Node& n = node(e);
  switch (n.kind) {
    case Kind::kConcat:
      for (; kind(e) == Kind::kConcat; e = tail(e)) {
        need(head(e));
        if (!nullable(head(e))) return;
      }
      need(e);
      break;
    case Kind::kRepeat:
    case Kind::kComplement: need(ExprId{n.a}); break;
    case Kind::kAlternation:
    case Kind::kIntersection:
      for (std::uint32_t i = 0; i < n.b; ++i) need(child(e, i));
      break;
    default: break;
  }
}

ExprId ExprSet::derive(ExprId e, std::uint8_t byte) {
  std::vector<ExprId> stack{e};
  while (!stack.empty()) {
    const ExprId x = stack.back();
    if (known_derivative(x, byte) != kUnknownId) {
      stack.pop_back();
      continue;
    }
    const std::size_t before = stack.size();
    push_missing(x, byte, stack);
    if (stack.size() != before) continue;
    const ExprId d = compute_derivative(x, byte);
    if (node(x).row == kNoRow) make_row(x);
    const std::uint32_t row = node(x).row;
    memo_[row + 1 + partitions_[memo_[row]].class_of[byte]] = static_cast<std::uint32_t>(d);
    stack.pop_back();
  }
  return known_derivative(e, byte);
}

ExprId ExprSet::compute_derivative(ExprId e, std::uint8_t byte) {
  const Node n = node(e);
  std::vector<ExprId> parts;
  switch (n.kind) {
    case Kind::kConcat:
      for (; kind(e) == Kind::kConcat; e = tail(e)) {
        parts.push_back(concat(known_derivative(head(e), byte), tail(e)));
        if (!nullable(head(e))) return alternation(parts);
      }
      parts.push_back(known_derivative(e, byte));
      return alternation(parts);
    case Kind::kRepeat: {
      const std::uint32_t min = n.b == 0 ? 0 : n.b - 1;
      const std::uint32_t max = n.c == kUnbounded ? kUnbounded : n.c - 1;
      const ExprId d = known_derivative(ExprId{n.a}, byte);
      return d == ExprId::kNothing ? d : concat(d, repeat(ExprId{n.a}, min, max));
    }
    case Kind::kComplement: return complement(known_derivative(ExprId{n.a}, byte));
    case Kind::kAlternation:
    case Kind::kIntersection:
      for (std::uint32_t i = 0; i < n.b; ++i) parts.push_back(known_derivative(child(e, i), byte));
      return n.kind == Kind::kAlternation ? alternation(parts) : intersection(parts);
    default: return known_derivative(e, byte);
  }
}

std::uint32_t ExprSet::partition_of(ExprId e) {
  std::vector<ByteSet> classes{ByteSet::all()};
  const auto split = [&](const ByteSet& set) {
    const std::size_t count = classes.size();
    for (std::size_t i = 0; i < count; ++i) {
      const ByteSet in = ByteSet(classes[i]) & set;
      if (in.is_empty() || in == classes[i]) continue;
      classes[i] &= ~ByteSet(set);
      classes.push_back(in);
    }
  };
  const auto add = [&](ExprId x) {
    const Node& h = node(head(x));
    if (h.kind == Kind::kByteSet) split(sets_[h.a]);
    if (node(x).row != kNoRow) {
      for (const ByteSet& set : partitions_[memo_[node(x).row]].sets) split(set);
    }
  };
  const Node& n = node(e);
  switch (n.kind) {
    case Kind::kConcat: {
      ExprId x = e;
      bool stopped = false;
      for (; kind(x) == Kind::kConcat && !stopped; x = tail(x)) {
        add(head(x));
        stopped = !nullable(head(x));
      }
      if (!stopped) add(x);
      break;
    }
    case Kind::kRepeat:
    case Kind::kComplement: add(ExprId{n.a}); break;
    default:
      for (std::uint32_t i = 0; i < n.b; ++i) add(child(e, i));
      break;
  }
  std::ranges::sort(classes, {}, [](const ByteSet& s) { return s.first(); });
  Partition p;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    for (unsigned b = 0; b < 256; ++b) {
      if (classes[i].contains(static_cast<std::uint8_t>(b))) p.class_of[b] = static_cast<std::uint8_t>(i);
    }
  }
  std::array<std::uint32_t, 64> key{};
  std::memcpy(key.data(), p.class_of.data(), 256);
  const auto [id, is_new] = partition_ids_.intern(key);
  if (is_new) {
    p.sets = classes;
    partitions_.push_back(std::move(p));
  }
  return id;
}

void ExprSet::make_row(ExprId e) {
  const std::uint32_t partition = partition_of(e);
  node(e).row = static_cast<std::uint32_t>(memo_.size());
  memo_.push_back(partition);
  memo_.resize(memo_.size() + partitions_[partition].sets.size(), UINT32_MAX);
}

void ExprSet::refine_classes(ExprId e, ByteClasses& classes) const {
  std::vector<bool> seen(nodes_.size());
  std::vector<ExprId> stack{e};
  while (!stack.empty()) {
    const ExprId x = stack.back();
    stack.pop_back();
    if (seen[static_cast<std::uint32_t>(x)]) continue;
    seen[static_cast<std::uint32_t>(x)] = true;
    const Node& n = node(x);
    switch (n.kind) {
      case Kind::kByteSet: classes.refine(sets_[n.a]); break;
      case Kind::kConcat: stack.push_back(ExprId{n.b}); [[fallthrough]];
      case Kind::kRepeat:
      case Kind::kComplement: stack.push_back(ExprId{n.a}); break;
      case Kind::kAlternation:
      case Kind::kIntersection:
        for (std::uint32_t i = 0; i < n.b; ++i) stack.push_back(child(x, i));
        break;
      default: break;
    }
  }
}

}  // namespace weir::regex
