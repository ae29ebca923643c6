// Cheap structural tests on expressions. A positive result is exact; a negative one may mean unknown. Each test takes a
// few steps, because constructors call them for the normal form. To decide an inclusion exactly, use emptiness() of a
// difference.
#include <algorithm>

#include "base/work.h"
#include "regex/expr/expr.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

/// Returns true if every member of `small` is known to be a member of `big`.
bool ExprSet::includes(ExprId big, ExprId small) const {
  int fuel = kInclusionFuel;
  const bool is_included = includes(big, small, fuel);
  const auto taken = static_cast<std::uint64_t>(kInclusionFuel - std::max(fuel, 0));
  base::Work::charge(nodes_.size() > kNodesInCache ? taken : taken / 4);
  return is_included;
}

bool ExprSet::includes(ExprId big, ExprId small, int& fuel) const {
  if (big == small || big == ExprId::kAllStrings || small == ExprId::kNothing) return true;
  if (small == ExprId::kEpsilon) return nullable(big);
  const Node& x = node(big);
  const Node& y = node(small);
  if (--fuel < 0 || x.max_length < y.max_length || x.min_length > y.min_length) return false;
  if (x.kind == Kind::kRepeat) {
    if (ExprId{x.a} == any_byte_) return true;  // `big` holds all strings of these lengths
    const bool fits = x.b <= y.min_length && y.max_length <= x.c;
    if (fits && (y.flags & kIsAscii) != 0 && holds_all_of_ascii(ExprId{x.a})) return true;
  }
  if (same_decoder(big, small)) return includes(ExprId{x.a}, ExprId{y.a}, fuel);
  const auto every = [&](const Node& list, auto&& test) {
    for (std::uint32_t i = 0; i < list.b; ++i) {
      if (!test(child(list, i))) return false;
    }
    return true;
  };
  const auto some = [&](const Node& list, auto&& test) {
    for (std::uint32_t i = 0; i < std::min(list.b, kMaxInclusionChildren); ++i) {
      if (test(child(list, i))) return true;
    }
    return false;
  };
  if (y.kind == Kind::kAlternation && y.b <= kMaxInclusionChildren) {
    return every(y, [&](ExprId e) { return includes(big, e, fuel); });
  }
  if (x.kind == Kind::kIntersection && x.b <= kMaxInclusionChildren) {
    return every(x, [&](ExprId e) { return includes(e, small, fuel); });
  }
  if (y.kind == Kind::kIntersection && some(y, [&](ExprId e) { return includes(big, e, fuel); })) return true;
  if (x.kind == Kind::kAlternation && some(x, [&](ExprId e) { return includes(e, small, fuel); })) return true;
  if (x.kind == Kind::kComplement && y.kind == Kind::kComplement) return includes(ExprId{y.a}, ExprId{x.a}, fuel);
  return includes_by_heads(big, small, fuel);
}

/// Returns true if the members of `e` are known to include each ASCII character. False if they are in a long list.
bool ExprSet::holds_all_of_ascii(ExprId e) const {
  static constexpr ByteSet kAscii = ByteSet::range(0, 0x7F);
  const auto holds = [&](ExprId x) { return kind(x) == Kind::kByteSet && (kAscii & ~bytes(x)).is_empty(); };
  const Node& n = node(e);
  if (n.kind != Kind::kAlternation) return holds(e);
  for (std::uint32_t i = 0; i < std::min(n.b, kMaxInclusionChildren); ++i) {
    if (holds(child(n, i))) return true;
  }
  return false;
}

bool ExprSet::includes_by_heads(ExprId big, ExprId small, int& fuel) const {
  const ExprId head_x = head(big), tail_x = tail(big);
  const ExprId head_y = head(small), tail_y = tail(small);
  const Counted x = counted(head_x);
  const Counted y = counted(head_y);
  const bool sets = kind(x.body) == Kind::kByteSet && kind(y.body) == Kind::kByteSet;
  const bool body = x.body == y.body || (sets && (bytes(y.body) & ~bytes(x.body)).is_empty());
  if (body && x.min <= y.min && y.max <= x.max && includes(tail_x, tail_y, fuel)) return true;
  if (nullable(head_x) && tail_x != ExprId::kEpsilon && includes(tail_x, small, fuel)) return true;
  if (head_x == ExprId::kAllStrings) return tail_y != ExprId::kEpsilon && includes(big, tail_y, fuel);
  if (tail_x != ExprId::kEpsilon || x.max != kUnbounded || x.min > y.min) return false;
  // Now `big` is s{m,}. It includes r{p,q}·t if m <= p and either r ⊆ s, or m = 0 and r ⊆ s*; and t ⊆ s*, for m = 0.
  if (tail_y != ExprId::kEpsilon && (x.min != 0 || !includes(big, tail_y, fuel))) return false;
  if (body || includes(x.body, y.body, fuel)) return true;
  return x.min == 0 && y.body != small && includes(big, y.body, fuel);
}

/// Returns x | y if it is known to be a single term.
std::optional<ExprId> ExprSet::union_of_two(ExprId x, ExprId y, int depth) {
  const bool x_has_y = includes(x, y);
  const bool y_has_x = includes(y, x);
  if (x_has_y || y_has_x) return x_has_y && y_has_x ? std::min(x, y) : x_has_y ? x : y;
  if (const std::optional<ExprId> both = join_decoders(x, y, false)) return both;
  if (depth == kMaxCommonHeads || kind(x) != Kind::kConcat || kind(y) != Kind::kConcat) return std::nullopt;
  if (head(x) == head(y)) {
    const std::optional<ExprId> t = union_of_two(tail(x), tail(y), depth + 1);
    if (!t) return std::nullopt;
    return concat(head(x), *t);
  }
  const Counted a = counted(head(x));
  const Counted b = counted(head(y));
  if (tail(x) != tail(y) || a.body != b.body) return std::nullopt;
  const Counted& low = a.min <= b.min ? a : b;
  const Counted& high = a.min <= b.min ? b : a;
  if (low.max != kUnbounded && high.min > low.max + 1) return std::nullopt;
  return concat(repeat(a.body, low.min, std::max(a.max, b.max)), tail(x));
}

/// Returns the members of `e` that are one byte long; nullopt if its structure does not determine them.
std::optional<ByteSet> ExprSet::one_byte_members(ExprId e, int& fuel) const {
  ByteSet set;
  for (; kind(e) == Kind::kConcat; e = tail(e)) {  // one-byte members of h if t is nullable, and of t if h is
    if (nullable(tail(e))) {
      const std::optional<ByteSet> members = one_byte_members(head(e), fuel);
      if (!members) return std::nullopt;
      set |= *members;
    }
    if (!nullable(head(e))) return set;
  }
  const Node& n = node(e);
  if (n.min_length > 1 || n.max_length < 1) return set;
  if (--fuel < 0) return std::nullopt;
  switch (n.kind) {
    case Kind::kAllStrings: return ByteSet::all();
    case Kind::kByteSet: return set | bytes(e);
    case Kind::kRepeat:
      if (n.b > 1) return set;
      [[fallthrough]];
    case Kind::kComplement: {
      const std::optional<ByteSet> members = one_byte_members(ExprId{n.a}, fuel);
      if (!members) return std::nullopt;
      return set | (n.kind == Kind::kRepeat ? *members : ~*members);
    }
    case Kind::kAlternation:
    case Kind::kIntersection: {
      const bool meets = n.kind == Kind::kIntersection;
      ByteSet joined = meets ? ByteSet::all() : ByteSet();
      for (std::uint32_t i = 0; i < n.b; ++i) {
        const std::optional<ByteSet> members = one_byte_members(child(n, i), fuel);
        if (!members) return std::nullopt;
        joined = meets ? joined & *members : joined | *members;
      }
      return set | joined;
    }
    default: return std::nullopt;
  }
}

/// Returns true if `e` is a literal of two to `longest` bytes, and appends it to `text`.
bool ExprSet::is_literal(ExprId e, std::size_t longest, std::string& text) const {
  if (kind(e) != Kind::kConcat || min_length(e) != max_length(e) || max_length(e) > longest) return false;
  for (; e != ExprId::kEpsilon; e = tail(e)) {
    if (kind(head(e)) != Kind::kByteSet || bytes(head(e)).size() != 1) return false;
    text.push_back(static_cast<char>(bytes(head(e)).first()));
  }
  return true;
}

/// Returns e & ~ε if it can be written without `&`, else nullopt.
std::optional<ExprId> ExprSet::without_epsilon(ExprId e) {
  if (!nullable(e)) return e;
  const Node n = node(e);
  if (n.kind == Kind::kEpsilon) return ExprId::kNothing;
  if (n.kind == Kind::kAllStrings) return repeat(any_byte_, 1, kUnbounded);
  if (n.kind == Kind::kRepeat && !nullable(ExprId{n.a})) return repeat(ExprId{n.a}, 1, n.c);
  if (n.kind != Kind::kAlternation || depth_ >= kMaxDepth) return std::nullopt;
  ScratchPool<ExprId>::Lease parts(ids_);
  for (std::uint32_t i = 0; i < n.b; ++i) {
    const std::optional<ExprId> part = without_epsilon(child(n, i));
    if (!part) return std::nullopt;
    parts->push_back(*part);
  }
  return alternation(*parts);
}

}  // namespace weir::regex
