#include "regex/expr/structure.h"

#include <algorithm>
#include <ranges>

#include "base/stack.h"
#include "base/work.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

namespace {

/// Returns true if the members of `e` are known to include each ASCII character. False if they are in a long list.
bool holds_all_of_ascii(const ExprSet& exprs, ExprId e) {
  static constexpr ByteSet kAscii = ByteSet::range(0, 0x7F);
  const auto holds = [&](ExprId x) {
    return exprs.kind(x) == ExprKind::kByteSet && (kAscii & ~exprs.bytes(x)).is_empty();
  };
  if (exprs.kind(e) != ExprKind::kAlternation) return holds(e);
  return std::ranges::any_of(exprs.operands(e) | std::views::take(kMaxInclusionChildren), holds);
}

bool includes_by_heads(const ExprSet& exprs, ExprId big, ExprId small, int& fuel);

/// Returns true if `small` is what follows heads of `big` that may be empty: `x?y?z` includes `z`.
bool has_tail(const ExprSet& exprs, ExprId big, ExprId small) {
  for (int i = 0; i < kMaxSkippedHeads && small < big; ++i) {  // children have smaller ids
    if (exprs.kind(big) != ExprKind::kConcat || !exprs.nullable(exprs.head(big))) return false;
    big = exprs.tail(big);
    if (big == small) return true;
  }
  return false;
}

bool includes(const ExprSet& exprs, ExprId big, ExprId small, int& fuel) {
  if (big == small || big == ExprId::kAllStrings || small == ExprId::kNothing) return true;
  if (small == ExprId::kEpsilon) return exprs.nullable(big);
  if (--fuel < 0 || exprs.max_length(big) < exprs.max_length(small) ||
      exprs.min_length(big) > exprs.min_length(small)) {
    return false;
  }
  const ExprKind x = exprs.kind(big);
  const ExprKind y = exprs.kind(small);
  if (x == ExprKind::kRepeat) {
    const ExprSet::Counted n = exprs.counted(big);
    if (n.body == exprs.any_byte()) return true;  // `big` holds all strings of these lengths
    const bool fits = n.min <= exprs.min_length(small) && exprs.max_length(small) <= n.max;
    if (fits && exprs.is_ascii(small) && holds_all_of_ascii(exprs, n.body)) return true;
  }
  if (exprs.same_decoder(big, small)) return includes(exprs, exprs.operand(big), exprs.operand(small), fuel);
  const auto every = [&](ExprId list, auto&& test) { return std::ranges::all_of(exprs.operands(list), test); };
  const auto some = [&](ExprId list, auto&& test) {
    return std::ranges::any_of(exprs.operands(list) | std::views::take(kMaxInclusionChildren), test);
  };
  const auto has = [&](ExprId e) { return includes(exprs, big, e, fuel); };
  const auto is_in = [&](ExprId e) { return includes(exprs, e, small, fuel); };
  if (y == ExprKind::kAlternation && exprs.operand_count(small) <= kMaxInclusionChildren) return every(small, has);
  if (x == ExprKind::kIntersection && exprs.operand_count(big) <= kMaxInclusionChildren) return every(big, is_in);
  if (y == ExprKind::kIntersection && some(small, has)) return true;
  if (x == ExprKind::kAlternation && some(big, is_in)) return true;
  if (x == ExprKind::kComplement && y == ExprKind::kComplement) {
    return includes(exprs, exprs.operand(small), exprs.operand(big), fuel);
  }
  return includes_by_heads(exprs, big, small, fuel);
}

bool includes_by_heads(const ExprSet& exprs, ExprId big, ExprId small, int& fuel) {
  const ExprId head_x = exprs.head(big), tail_x = exprs.tail(big);
  const ExprId head_y = exprs.head(small), tail_y = exprs.tail(small);
  const ExprSet::Counted x = exprs.counted(head_x);
  const ExprSet::Counted y = exprs.counted(head_y);
  const bool sets = exprs.kind(x.body) == ExprKind::kByteSet && exprs.kind(y.body) == ExprKind::kByteSet;
  const bool body = x.body == y.body || (sets && (exprs.bytes(y.body) & ~exprs.bytes(x.body)).is_empty());
  if (body && x.min <= y.min && y.max <= x.max && includes(exprs, tail_x, tail_y, fuel)) return true;
  if (exprs.nullable(head_x) && tail_x != ExprId::kEpsilon && includes(exprs, tail_x, small, fuel)) return true;
  if (head_x == ExprId::kAllStrings) return tail_y != ExprId::kEpsilon && includes(exprs, big, tail_y, fuel);
  if (tail_x != ExprId::kEpsilon || x.max != kUnbounded || x.min > y.min) return false;
  // Now `big` is s{m,}. It includes r{p,q}·t if m <= p and either r ⊆ s, or m = 0 and r ⊆ s*; and t ⊆ s*, for m = 0.
  if (tail_y != ExprId::kEpsilon && (x.min != 0 || !includes(exprs, big, tail_y, fuel))) return false;
  if (body || includes(exprs, x.body, y.body, fuel)) return true;
  return x.min == 0 && y.body != small && includes(exprs, big, y.body, fuel);
}

}  // namespace

bool includes(const ExprSet& exprs, ExprId big, ExprId small) {
  int fuel = kInclusionFuel;
  const bool is_included = has_tail(exprs, big, small) || includes(exprs, big, small, fuel);
  const auto taken = static_cast<std::uint64_t>(kInclusionFuel - std::max(fuel, 0));
  base::Work::charge(exprs.node_count() > kNodesInCache ? taken : taken / 4);
  return is_included;
}

std::optional<ByteSet> one_byte_members(const ExprSet& exprs, ExprId e, int& fuel) {
  const auto members_of = [&](ExprId part) {
    return base::with_stack([&] { return one_byte_members(exprs, part, fuel); });
  };
  ByteSet set;
  for (; exprs.kind(e) == ExprKind::kConcat;
       e = exprs.tail(e)) {  // one-byte members of h if t is nullable, and of t if h is
    if (exprs.nullable(exprs.tail(e))) {
      const std::optional<ByteSet> members = one_byte_members(exprs, exprs.head(e), fuel);
      if (!members) return std::nullopt;
      set |= *members;
    }
    if (!exprs.nullable(exprs.head(e))) return set;
  }
  if (exprs.min_length(e) > 1 || exprs.max_length(e) < 1) return set;
  if (--fuel < 0) return std::nullopt;
  switch (exprs.kind(e)) {
    case ExprKind::kAllStrings: return ByteSet::all();
    case ExprKind::kByteSet: return set | exprs.bytes(e);
    case ExprKind::kRepeat:
      if (exprs.counted(e).min > 1) return set;
      [[fallthrough]];
    case ExprKind::kComplement: {
      const std::optional<ByteSet> members = members_of(exprs.operand(e));
      if (!members) return std::nullopt;
      return set | (exprs.kind(e) == ExprKind::kRepeat ? *members : ~*members);
    }
    case ExprKind::kAlternation:
    case ExprKind::kIntersection: {
      const bool meets = exprs.kind(e) == ExprKind::kIntersection;
      ByteSet joined = meets ? ByteSet::all() : ByteSet();
      for (const ExprId part : exprs.operands(e)) {
        const std::optional<ByteSet> members = members_of(part);
        if (!members) return std::nullopt;
        joined = meets ? joined & *members : joined | *members;
      }
      return set | joined;
    }
    default: return std::nullopt;
  }
}

bool is_literal(const ExprSet& exprs, ExprId e, std::size_t longest, std::string& text) {
  if (exprs.kind(e) != ExprKind::kConcat || exprs.min_length(e) != exprs.max_length(e) || exprs.max_length(e) > longest)
    return false;
  for (; e != ExprId::kEpsilon; e = exprs.tail(e)) {
    if (exprs.kind(exprs.head(e)) != ExprKind::kByteSet || exprs.bytes(exprs.head(e)).size() != 1) return false;
    text.push_back(static_cast<char>(exprs.bytes(exprs.head(e)).first()));
  }
  return true;
}

}  // namespace weir::regex
