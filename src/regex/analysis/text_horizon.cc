// Comparison of expressions that differ in counts: how long must a text be to distinguish them?
//
// A short text cannot exhaust a high count. So most tokens do not distinguish (\S+\s+){0,49}\S+ from (\S+\s+)*\S+, also
// after any number of words, and also if both are intersected with a length limit such as .{0,500}.
//
// For concatenations, alternations and repeats, a length that does not distinguish any of the parts does not
// distinguish the whole. Intersections need more, because their operands may have prefixes in common but no member. Let
// one intersection include the other. If every viable prefix of the wider one can be extended to a member by at most n
// bytes, and texts of b + n bytes do not distinguish the operands, then texts of b bytes do not distinguish the two.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "base/work.h"
#include "regex/analysis/residuals.h"
#include "regex/atoms/json_decoder.h"
#include "regex/atoms/section_automaton.h"
#include "regex/expr/expr.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

ExprId ExprSet::without_counts(ExprId e, std::uint32_t most) {
  int fuel = kMaxParts;
  return without_counts(e, most, fuel);
}

ExprId ExprSet::without_counts(ExprId e, std::uint32_t most, int& fuel) {
  const Node n = node(e);
  if ((n.flags & kHasCount) == 0 || has_assertions(e) || --fuel < 0) return e;
  switch (n.kind) {
    case Kind::kConcat: {
      const ExprId first = without_counts(ExprId{n.a}, most, fuel);
      const ExprId after = is_json(node(ExprId{n.a})) ? ExprId{n.b} : without_counts(ExprId{n.b}, most, fuel);
      return first == ExprId{n.a} && after == ExprId{n.b} ? e : concat(first, after);
    }
    case Kind::kRepeat: {
      const ExprId body = without_counts(ExprId{n.a}, most, fuel);
      const std::uint32_t max = n.c >= most && min_length(body) != 0 ? kUnbounded : n.c;
      return body == ExprId{n.a} && max == n.c ? e : repeat(body, n.b, max);
    }
    case Kind::kAlternation:
    case Kind::kIntersection: {
      if (n.b > kMaxParts) return e;
      ScratchPool<ExprId>::Lease parts(ids_);
      bool is_same = true;
      for (std::uint32_t i = 0; i < n.b; ++i) {
        parts->push_back(without_counts(child(n, i), most, fuel));
        is_same = is_same && parts->back() == child(n, i);
      }
      if (is_same) return e;
      return n.kind == Kind::kAlternation ? alternation(*parts) : without_lengths(intersection(*parts));
    }
    case Kind::kMachine: {
      if (!is_json(n)) return e;
      const ExprId content = without_counts(ExprId{n.a}, most, fuel);
      return content == ExprId{n.a} ? e : json_tail(content, JsonState(n.b));
    }
    default: return e;
  }
}

/// If `e` is the intersection of a pattern with a repeat without maximum that includes it, returns the pattern.
/// Otherwise returns `e`.
ExprId ExprSet::without_lengths(ExprId e) {
  if (kind(e) != Kind::kIntersection || node(e).b != 2) return e;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const ExprId length = child(node(e), i);
    const ExprId pattern = child(node(e), 1 - i);
    const Node& n = node(length);
    if (n.kind == Kind::kRepeat && n.c == kUnbounded && is_subset(pattern, length)) return pattern;
  }
  return e;
}

/// Returns a superset of `e` with few residuals: every repeat except {0,1} loses its maximum. Returns kOverflow if `e`
/// contains operators other than concatenation, alternation and repeat; not all of them are monotone.
ExprId ExprSet::with_loops(ExprId e, int& fuel) {
  const ExprId whole = e;
  const Node n = node(e);
  if (--fuel < 0) return ExprId::kOverflow;
  switch (n.kind) {
    case Kind::kByteSet:
    case Kind::kEpsilon: return e;
    case Kind::kConcat: {
      ScratchPool<ExprId>::Lease parts(ids_);
      bool is_same = true;
      for (; e != ExprId::kEpsilon; e = tail(e)) {
        const ExprId part = head(e);
        parts->push_back(with_loops(part, fuel));
        if (parts->back() == ExprId::kOverflow) return ExprId::kOverflow;
        is_same = is_same && parts->back() == part;
      }
      return is_same ? whole : concat(*parts);
    }
    case Kind::kRepeat: {
      const ExprId body = with_loops(ExprId{n.a}, fuel);
      return body == ExprId::kOverflow ? body : repeat(body, n.b, n.c == 1 ? 1 : kUnbounded);
    }
    case Kind::kAlternation: {
      ScratchPool<ExprId>::Lease parts(ids_);
      bool is_same = true;
      for (std::uint32_t i = 0; i < n.b; ++i) {
        parts->push_back(with_loops(child(n, i), fuel));
        if (parts->back() == ExprId::kOverflow) return ExprId::kOverflow;
        is_same = is_same && parts->back() == child(n, i);
      }
      return is_same ? e : alternation(*parts);
    }
    default: return ExprId::kOverflow;
  }
}

/// Returns true if every member of `small` is known to be a member of `big`. Tests the superset with_loops(small), if
/// there is one, because it has fewer residuals. Returns false if there are too many residuals to decide.
bool ExprSet::is_subset(ExprId small, ExprId big) {
  const std::uint64_t key = (std::uint64_t{static_cast<std::uint32_t>(small)} << 32) | static_cast<std::uint32_t>(big);
  const auto [known, is_new] = subset_memo_.try_emplace(key);
  if (!is_new) return known->second;
  int fuel = kMaxPlainParts;
  const ExprId more = with_loops(small, fuel);
  const ExprId all = more == ExprId::kOverflow ? small : more;
  const bool is_subset = max_distance_to_end(all) != kUnbounded &&
                         emptiness(difference(all, big), 2 * kMaxDistanceResiduals) == Emptiness::kEmpty;
  if (base::Work::is_met()) {  // the answer may be known in another call
    subset_memo_.erase(key);
    return false;
  }
  return subset_memo_[key] = is_subset;
}

/// Returns an upper bound on max_distance_to_end(e) that is computed from the parts of `e`: the bytes from a position within a
/// part to the end of that part, and then the least length of the parts that must follow. kUnbounded for operators
/// whose parts do not determine it.
std::uint32_t ExprSet::farthest_in_parts(ExprId e, int& fuel) const {
  const Node& n = node(e);
  if (--fuel < 0) return kUnbounded;
  const auto more = [](std::uint32_t x, std::uint64_t y) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(x + y, kUnbounded));
  };
  switch (n.kind) {
    case Kind::kByteSet:
    case Kind::kEpsilon: return 0;
    case Kind::kConcat: {
      std::uint32_t farthest = 0;
      for (; e != ExprId::kEpsilon; e = tail(e)) {
        farthest = std::max(farthest, more(farthest_in_parts(head(e), fuel), min_length(tail(e))));
      }
      return farthest;
    }
    case Kind::kRepeat: {
      const std::uint64_t rounds = n.b > 1 ? n.b - 1 : 0;
      return more(farthest_in_parts(ExprId{n.a}, fuel), rounds * min_length(ExprId{n.a}));
    }
    case Kind::kAlternation: {
      std::uint32_t farthest = 0;
      for (std::uint32_t i = 0; i < n.b; ++i) farthest = std::max(farthest, farthest_in_parts(child(n, i), fuel));
      return farthest;
    }
    default: return kUnbounded;
  }
}

/// Returns an upper bound on the length of the shortest member of any residual of `e` that has a member, including `e`.
/// kUnbounded if there are too many residuals to explore.
std::uint32_t ExprSet::max_distance_to_end(ExprId e) {
  if (const auto known = farthest_ends_.find(static_cast<std::uint32_t>(e)); known != farthest_ends_.end()) {
    return known->second;
  }
  int fuel = kMaxPlainParts;
  if (const std::uint32_t by_parts = farthest_in_parts(e, fuel); by_parts != kUnbounded) {
    return farthest_ends_[static_cast<std::uint32_t>(e)] = std::max(by_parts, min_length(e));
  }
  const Residuals residuals = list_residuals(*this, e, kMaxDistanceResiduals);
  // The bound holds for all residuals found. If there are too many, kUnbounded is stored, so they are not explored
  // again.
  for (const ExprId residual : residuals.all) {
    farthest_ends_.emplace(static_cast<std::uint32_t>(residual), residuals.farthest);
  }
  return residuals.farthest;
}

/// Returns true if it is known that no member begins with a UTF-8 continuation byte.
bool ExprSet::begins_with_characters(ExprId e) const {
  const Node& n = node(head(e));
  switch (n.kind) {
    case Kind::kByteSet: return (sets_[n.a] & ByteSet::range(0x80, 0xBF)).is_empty();
    case Kind::kRepeat: return n.b > 0 && begins_with_characters(ExprId{n.a});
    case Kind::kAlternation:
      for (std::uint32_t i = 0; i < n.b; ++i) {
        if (!begins_with_characters(child(n, i))) return false;
      }
      return true;
    default: return false;
  }
}

class ExprSet::Comparison {
 public:
  explicit Comparison(ExprSet& set) : s_(set) {}

  EqualPrefix run(ExprId x, ExprId y);

 private:
  static constexpr EqualPrefix kAlways{kUnbounded, kUnbounded};
  static EqualPrefix both(EqualPrefix x, EqualPrefix y) {
    return {std::min(x.bytes, y.bytes), std::min(x.characters, y.characters)};
  }
  EqualPrefix repeats(ExprId x, ExprId y);
  EqualPrefix lists(ExprId x, ExprId y);
  EqualPrefix lengths(ExprId x, ExprId y);
  EqualPrefix lengths_before(ExprId x, ExprId after, ExprId y);
  struct Within {
    ExprId pattern = ExprId::kNothing;
    std::array<Counted, 2> lengths = {};
    std::size_t count = 0;  // number of entries of `lengths`
  };
  [[nodiscard]] std::optional<Within> within_length(ExprId x) const;
  EqualPrefix within(EqualPrefix operands, ExprId wider);
  [[nodiscard]] EqualPrefix rounds(std::uint32_t p, std::uint32_t q, ExprId body, std::uint32_t least_bytes) const;

  ExprSet& s_;
  int fuel_ = kMaxParts;
  // Whether, for all parts that differed so far, the part of x is included in that of y, and the reverse.
  bool x_is_in_y_ = true;
  bool y_is_in_x_ = true;
};

ExprSet::EqualPrefix ExprSet::Comparison::run(ExprId x, ExprId y) {
  while (x != y && s_.kind(x) == Kind::kConcat && s_.kind(y) == Kind::kConcat && s_.head(x) == s_.head(y)) {
    x = s_.tail(x);
    y = s_.tail(y);
  }
  if (x == y) return kAlways;
  if (--fuel_ < 0 || s_.has_assertions(x) || s_.has_assertions(y)) return {};
  const Node a = s_.node(x);
  const Node b = s_.node(y);
  if (a.kind == Kind::kIntersection && b.kind != Kind::kIntersection) return lengths(x, y);
  if (a.kind == Kind::kConcat && b.kind == Kind::kConcat && s_.kind(ExprId{a.a}) == Kind::kIntersection &&
      s_.kind(ExprId{b.a}) != Kind::kIntersection) {
    return lengths_before(ExprId{a.a}, ExprId{a.b}, y);
  }
  if (a.kind == Kind::kConcat || b.kind == Kind::kConcat) {
    const EqualPrefix first = run(s_.head(x), s_.head(y));
    return first.bytes == 0 ? first : both(first, run(s_.tail(x), s_.tail(y)));
  }
  if (is_json(a) && is_json(b)) {
    // The contents are no longer than their text, except for the characters of an escape that has begun.
    const JsonState state{a.b};
    if (b.b != a.b || !(json_is_between_characters(state) || json_is_raw(state))) return {};
    EqualPrefix alike = run(ExprId{a.a}, ExprId{b.a});
    // The string also requires the rest of an incomplete character, and rounds may begin within a character.
    constexpr std::uint32_t kRestOfCharacter = 3;
    if (alike.characters == 0) alike.bytes -= std::min(alike.bytes, kRestOfCharacter);
    return alike;
  }
  if (is_sections(a) && is_sections(b)) {
    x_is_in_y_ = y_is_in_x_ = false;
    const auto p = s_.section_place(x);
    const auto q = s_.section_place(y);
    const SectionAutomaton& automaton = s_.automaton_of(a);
    const bool is_alike = p->state == q->state && p->inside == q->inside && &automaton == &s_.automaton_of(b);
    return is_alike ? EqualPrefix{std::min(automaton.bytes_before_limits(*p), automaton.bytes_before_limits(*q))}
                    : EqualPrefix();
  }
  if (a.kind == b.kind && (a.kind == Kind::kAlternation || a.kind == Kind::kIntersection)) return lists(x, y);
  return repeats(x, y);
}

// Compares p rounds of a body with q rounds. A text that is too short for the smaller number does not distinguish them.
ExprSet::EqualPrefix ExprSet::Comparison::rounds(std::uint32_t p, std::uint32_t q, ExprId body,
                                                 std::uint32_t least_bytes) const {
  const std::uint32_t least = std::min(p, q);
  if (p == q) return kAlways;
  if (least == 0) return {};
  const std::uint64_t bytes = std::min<std::uint64_t>(std::uint64_t{least} * least_bytes, kUnbounded);
  // If no round begins within a character, each round takes at least one character.
  return {static_cast<std::uint32_t>(bytes) - 1, s_.begins_with_characters(body) ? least - 1 : 0};
}

ExprSet::EqualPrefix ExprSet::Comparison::repeats(ExprId x, ExprId y) {
  if (s_.kind(x) != Kind::kRepeat && s_.kind(y) != Kind::kRepeat) return {};
  const Counted p = s_.counted(x);
  const Counted q = s_.counted(y);
  const std::uint32_t least_bytes = std::min(s_.min_length(p.body), s_.min_length(q.body));
  if (least_bytes == 0) return {};
  const EqualPrefix bodies = run(p.body, q.body);
  if (bodies.bytes == 0) return {};
  x_is_in_y_ = x_is_in_y_ && p.min >= q.min && p.max <= q.max;
  y_is_in_x_ = y_is_in_x_ && q.min >= p.min && q.max <= p.max;
  return both(bodies, both(rounds(p.min, q.min, p.body, least_bytes), rounds(p.max, q.max, p.body, least_bytes)));
}

// Compares alternations, or intersections. Common children are ignored; each other child of x is paired with a child of
// y.
ExprSet::EqualPrefix ExprSet::Comparison::lists(ExprId x, ExprId y) {
  const auto children = [&](ExprId e) {
    const Node& n = s_.node(e);
    return std::span(s_.pool_).subspan(n.a, n.b);
  };
  std::vector<std::uint32_t> of_x, of_y;
  std::ranges::set_difference(children(x), children(y), std::back_inserter(of_x));
  std::ranges::set_difference(children(y), children(x), std::back_inserter(of_y));
  if (of_x.size() != of_y.size() || of_x.size() > kMaxComparedChildren) return {};
  EqualPrefix all = kAlways;
  for (const std::uint32_t part : of_x) {
    EqualPrefix best;
    for (std::size_t i = 0; i < of_y.size() && best.bytes == 0; ++i) {
      const bool before[] = {x_is_in_y_, y_is_in_x_};
      best = run(ExprId{part}, ExprId{of_y[i]});
      if (best.bytes != 0) {
        of_y.erase(of_y.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        x_is_in_y_ = before[0];
        y_is_in_x_ = before[1];
      }
    }
    if (best.bytes == 0) return {};
    all = both(all, best);
  }
  if (s_.kind(x) == Kind::kAlternation) return all;
  if (!x_is_in_y_ && !y_is_in_x_) return {};
  return within(all, x_is_in_y_ ? y : x);
}

/// Splits an intersection into a pattern and one or two length limits of the form .{m,n}, in bytes and in characters.
/// If all operands have this form, the last one is the pattern. Returns nullopt for other intersections.
std::optional<ExprSet::Comparison::Within> ExprSet::Comparison::within_length(ExprId x) const {
  const Node& n = s_.node(x);
  Within within;
  if (n.b > within.lengths.size() + 1) return std::nullopt;
  for (std::uint32_t i = 0; i < n.b; ++i) {
    const ExprId operand = s_.child(n, i);
    const Counted length = s_.counted(operand);
    const bool is_length =
        s_.kind(operand) == Kind::kRepeat && s_.min_length(length.body) != 0 && length.max != kUnbounded;
    if (is_length && within.count + 1 < n.b) {
      within.lengths[within.count++] = length;
    } else {
      within.pattern = operand;
    }
  }
  if (within.count + 1 != n.b) return std::nullopt;
  return within;
}

// Compares a pattern with length limits, x, with a pattern alone, y. Requires that the members of y satisfy the limits
// without their maxima.
ExprSet::EqualPrefix ExprSet::Comparison::lengths(ExprId x, ExprId y) {
  const std::optional<Within> within_x = within_length(x);
  if (!within_x) return {};
  const std::span lengths = std::span(within_x->lengths).first(within_x->count);
  EqualPrefix all = kAlways;
  for (const Counted& length : lengths) {
    const bool is_any = length.body == s_.any_byte_ && length.min == 0;
    if (!is_any && !s_.is_subset(y, s_.repeat(length.body, length.min, kUnbounded))) return {};
    all = both(all, rounds(length.max, kUnbounded, length.body, s_.min_length(length.body)));
  }
  all = both(all, run(within_x->pattern, y));
  y_is_in_x_ = false;
  if (!x_is_in_y_) return {};
  return within(all, y);
}

// Compares x·after with `y`, where x is a pattern with length limits. The first parts of `y`, as many as the pattern
// has, are compared with x, the others with `after`.
ExprSet::EqualPrefix ExprSet::Comparison::lengths_before(ExprId x, ExprId after, ExprId y) {
  const std::optional<Within> within_x = within_length(x);
  if (!within_x) return {};
  ScratchPool<ExprId>::Lease parts(s_.ids_);
  for (ExprId p = within_x->pattern; p != ExprId::kEpsilon && y != ExprId::kEpsilon; p = s_.tail(p)) {
    parts->push_back(s_.head(y));
    y = s_.tail(y);
  }
  const EqualPrefix first = lengths(x, s_.concat(*parts));
  return first.bytes == 0 ? first : both(first, run(after, y));
}

// Returns the result for intersections, given that for their operands. `wider` is the intersection that includes the
// other one.
ExprSet::EqualPrefix ExprSet::Comparison::within(EqualPrefix operands, ExprId wider) {
  if (operands.bytes == 0) return {};
  const std::uint32_t farthest = s_.max_distance_to_end(wider);
  const auto less = [&](std::uint32_t n) { return n > farthest ? n - farthest : 0; };
  return {less(operands.bytes), less(operands.characters)};
}

ExprSet::EqualPrefix ExprSet::equal_prefix_length(ExprId x, ExprId y) { return Comparison(*this).run(x, y); }

}  // namespace weir::regex
