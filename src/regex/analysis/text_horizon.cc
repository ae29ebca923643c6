#include "regex/analysis/text_horizon.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "base/stack.h"
#include "base/work.h"
#include "regex/analysis/members.h"
#include "regex/analysis/residuals.h"
#include "regex/analysis/superset.h"
#include "regex/atoms/atom.h"
#include "regex/expr/search_bounds.h"

// Comparison of expressions that differ in counts: how long must a text be to distinguish them?
//
// A short text cannot exhaust a high count. So most tokens do not distinguish (\S+\s+){0,49}\S+ from (\S+\s+)*\S+, also
// after any number of words, and also if both are intersected with a length limit such as .{0,500}.
//
// For concatenations, alternations and repeats, a length that does not distinguish any of the parts does not
// distinguish the whole. Intersections need more, because their operands may have prefixes in common but no member. Let
// one intersection include the other. If every viable prefix of the wider one can be extended to a member by at most n
// bytes, and texts of b + n bytes do not distinguish the operands, then texts of b bytes do not distinguish the
// two intersections.

namespace weir::regex {

namespace {

/// Returns an upper bound on max_distance_to_end(e) that is computed from the parts of `e`: the bytes from a position
/// within a part to the end of that part, and then the least length of the parts that must follow. kUnbounded for operators
/// whose parts do not determine it.
std::uint32_t farthest_in_parts(const ExprSet& exprs, ExprId e, int& fuel) {
  if (--fuel < 0) return kUnbounded;
  const auto farthest_in = [&](ExprId part) {
    return base::with_stack([&] { return farthest_in_parts(exprs, part, fuel); });
  };
  const auto more = [](std::uint32_t x, std::uint64_t y) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(x + y, kUnbounded));
  };
  switch (exprs.kind(e)) {
    case ExprKind::kByteSet:
    case ExprKind::kEpsilon: return 0;
    case ExprKind::kConcat: {
      std::uint32_t farthest = 0;
      for (; e != ExprId::kEpsilon; e = exprs.tail(e)) {
        farthest = std::max(farthest, more(farthest_in(exprs.head(e)), exprs.min_length(exprs.tail(e))));
      }
      return farthest;
    }
    case ExprKind::kRepeat: {
      const ExprSet::Counted n = exprs.counted(e);
      const std::uint64_t rounds = n.min > 1 ? n.min - 1 : 0;
      return more(farthest_in(n.body), rounds * exprs.min_length(n.body));
    }
    case ExprKind::kAlternation: {
      std::uint32_t farthest = 0;
      for (const ExprId part : exprs.operands(e)) farthest = std::max(farthest, farthest_in(part));
      return farthest;
    }
    default: return kUnbounded;
  }
}

/// Returns an upper bound on the length of the shortest member of any residual of `e` that has a member, including `e`.
/// kUnbounded if there are too many residuals to explore.
std::uint32_t max_distance_to_end(ExprSet& exprs, ExprId e) {
  if (const auto known = exprs.memo().farthest_ends.find(static_cast<std::uint32_t>(e));
      known != exprs.memo().farthest_ends.end()) {
    return known->second;
  }
  int fuel = kMaxPlainParts;
  if (const std::uint32_t by_parts = farthest_in_parts(exprs, e, fuel); by_parts != kUnbounded) {
    return exprs.memo().farthest_ends[static_cast<std::uint32_t>(e)] = std::max(by_parts, exprs.min_length(e));
  }
  const Residuals residuals = list_residuals(exprs, e, kMaxDistanceResiduals);
  // The bound holds for all residuals found. If there are too many, kUnbounded is stored, so they are not explored
  // again.
  for (const ExprId residual : residuals.all) {
    exprs.memo().farthest_ends.emplace(static_cast<std::uint32_t>(residual), residuals.farthest);
  }
  return residuals.farthest;
}

/// Returns true if every member of `small` is known to be a member of `big`. Tests the superset with_loops(small), if
/// there is one, because it has fewer residuals. Returns false if there are too many residuals to decide.
bool is_subset(ExprSet& exprs, ExprId small, ExprId big) {
  const std::uint64_t key = (std::uint64_t{static_cast<std::uint32_t>(small)} << 32) | static_cast<std::uint32_t>(big);
  const auto [known, is_new] = exprs.memo().subsets.try_emplace(key);
  if (!is_new) return known->second;
  const ExprId all = with_loops(exprs, small);
  const bool is_subset = max_distance_to_end(exprs, all) != kUnbounded &&
                         emptiness(exprs, exprs.difference(all, big), 2 * kMaxDistanceResiduals) == Emptiness::kEmpty;
  if (base::Work::is_met()) {  // the limit of the call ended the test; another call may decide it
    exprs.memo().subsets.erase(key);
    return false;
  }
  return exprs.memo().subsets[key] = is_subset;
}

/// If `e` is the intersection of a pattern and a repeat without maximum, and the repeat includes the pattern, returns the
/// pattern. Otherwise returns `e`.
ExprId without_lengths(ExprSet& exprs, ExprId e) {
  if (exprs.kind(e) != ExprKind::kIntersection || exprs.operand_count(e) != 2) return e;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const ExprId length = exprs.operand(e, i);
    const ExprId pattern = exprs.operand(e, 1 - i);
    const bool is_open = exprs.kind(length) == ExprKind::kRepeat && exprs.counted(length).max == kUnbounded;
    if (is_open && is_subset(exprs, pattern, length)) return pattern;
  }
  return e;
}

ExprId without_counts(ExprSet& exprs, ExprId e, std::uint32_t most, int& fuel) {
  if (!exprs.has_counts(e) || exprs.has_assertions(e) || --fuel < 0) return e;
  const auto without = [&](ExprId part) { return without_counts(exprs, part, most, fuel); };
  switch (exprs.kind(e)) {
    case ExprKind::kConcat: {
      const ExprId first = without(exprs.head(e));
      const ExprId after = exprs.is_decoder(exprs.head(e)) ? exprs.tail(e) : without(exprs.tail(e));
      return first == exprs.head(e) && after == exprs.tail(e) ? e : exprs.concat(first, after);
    }
    case ExprKind::kRepeat: {
      const ExprSet::Counted n = exprs.counted(e);
      const ExprId body = without(n.body);
      const std::uint32_t max = n.max >= most && exprs.min_length(body) != 0 ? kUnbounded : n.max;
      return body == n.body && max == n.max ? e : exprs.repeat(body, n.min, max);
    }
    case ExprKind::kAlternation:
    case ExprKind::kIntersection: {
      if (exprs.operand_count(e) > kMaxParts) return e;
      std::vector<ExprId> parts;
      bool is_same = true;
      for (const ExprId part : exprs.operands(e)) {
        parts.push_back(without(part));
        is_same = is_same && parts.back() == part;
      }
      if (is_same) return e;
      return exprs.kind(e) == ExprKind::kAlternation ? exprs.alternation(parts)
                                                     : without_lengths(exprs, exprs.intersection(parts));
    }
    case ExprKind::kAtom: {
      if (!exprs.is_decoder(e)) return e;
      const ExprId content = without(exprs.operand(e));
      return content == exprs.operand(e) ? e : exprs.with_operand(e, content);
    }
    default: return e;
  }
}

/// Returns `e` if it is a machine that counts, the first such alternative if `e` is an alternation, else kNothing.
ExprId counting_atom_in(const ExprSet& exprs, ExprId e) {
  const auto counts = [&](ExprId part) {
    return exprs.kind(part) == ExprKind::kAtom &&
           exprs.atom_of(part).bytes_before_limits(exprs.state_of(part)).has_value();
  };
  if (counts(e)) return e;
  if (exprs.kind(e) != ExprKind::kAlternation) return ExprId::kNothing;
  for (const ExprId part : exprs.operands(e)) {
    if (counts(part)) return part;
  }
  return ExprId::kNothing;
}

/// Returns true if it is known that no member begins with a UTF-8 continuation byte.
bool begins_with_characters(const ExprSet& exprs, ExprId e) {
  e = exprs.head(e);
  const auto begins_so = [&](ExprId part) { return begins_with_characters(exprs, part); };
  switch (exprs.kind(e)) {
    case ExprKind::kByteSet: return (exprs.bytes(e) & ByteSet::range(0x80, 0xBF)).is_empty();
    case ExprKind::kRepeat: return exprs.counted(e).min > 0 && begins_so(exprs.operand(e));
    case ExprKind::kAlternation: return std::ranges::all_of(exprs.operands(e), begins_so);
    default: return false;
  }
}

class Comparison {
 public:
  explicit Comparison(ExprSet& set) : s_(set) {}

  EqualPrefix run(ExprId x, ExprId y);

 private:
  static constexpr EqualPrefix kAlways{kUnbounded, kUnbounded};
  static EqualPrefix both(EqualPrefix x, EqualPrefix y) {
    return {std::min(x.bytes, y.bytes), std::min(x.characters, y.characters)};
  }
  EqualPrefix atoms(ExprId x, ExprId y);
  EqualPrefix repeats(ExprId x, ExprId y);
  EqualPrefix lists(ExprId x, ExprId y);
  EqualPrefix lengths(ExprId x, ExprId y);
  EqualPrefix lengths_before(ExprId x, ExprId after, ExprId y);
  struct Within {
    ExprId pattern = ExprId::kNothing;
    std::array<ExprSet::Counted, 2> lengths = {};
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

EqualPrefix Comparison::run(ExprId x, ExprId y) {
  while (x != y && s_.kind(x) == ExprKind::kConcat && s_.kind(y) == ExprKind::kConcat && s_.head(x) == s_.head(y)) {
    x = s_.tail(x);
    y = s_.tail(y);
  }
  if (x == y) return kAlways;
  if (--fuel_ < 0 || s_.has_assertions(x) || s_.has_assertions(y)) return {};
  const ExprKind a = s_.kind(x);
  const ExprKind b = s_.kind(y);
  if (a == ExprKind::kIntersection && b != ExprKind::kIntersection) return lengths(x, y);
  if (a == ExprKind::kConcat && b == ExprKind::kConcat && s_.kind(s_.head(x)) == ExprKind::kIntersection &&
      s_.kind(s_.head(y)) != ExprKind::kIntersection) {
    return lengths_before(s_.head(x), s_.tail(x), y);
  }
  if (a == ExprKind::kConcat || b == ExprKind::kConcat) {
    const EqualPrefix first = run(s_.head(x), s_.head(y));
    return first.bytes == 0 ? first : both(first, run(s_.tail(x), s_.tail(y)));
  }
  if (a == ExprKind::kAtom && b == ExprKind::kAtom) return atoms(x, y);
  if (a == b && (a == ExprKind::kAlternation || a == ExprKind::kIntersection)) return lists(x, y);
  return repeats(x, y);
}

EqualPrefix Comparison::atoms(ExprId x, ExprId y) {
  const Atom& atom = s_.atom_of(x);
  const AtomState state = s_.state_of(x);
  if (s_.is_decoder(x)) {
    // The contents are no longer than their text, except for the characters of an escape that has begun.
    if (!s_.same_decoder(x, y) || !atom.feeds_text(state)) return {};
    EqualPrefix alike = run(s_.operand(x), s_.operand(y));
    if (atom.looks_ahead(state)) {
      alike.bytes -= std::min(alike.bytes, 1U);
      alike.characters -= std::min(alike.characters, 1U);
    }
    // The string also requires the rest of an incomplete character, and rounds may begin within a character.
    constexpr std::uint32_t kRestOfCharacter = 3;
    if (alike.characters == 0) alike.bytes -= std::min(alike.bytes, kRestOfCharacter);
    return alike;
  }
  const AtomState other = s_.state_of(y);
  if (state.atom != other.atom || atom.without_counts(state) != atom.without_counts(other)) return {};
  x_is_in_y_ = y_is_in_x_ = false;
  return {std::min(*atom.bytes_before_limits(state), *atom.bytes_before_limits(other))};
}

// Compares p rounds of a body with q rounds. A text that is too short for the smaller number does not distinguish them.
EqualPrefix Comparison::rounds(std::uint32_t p, std::uint32_t q, ExprId body, std::uint32_t least_bytes) const {
  const std::uint32_t least = std::min(p, q);
  if (p == q) return kAlways;
  if (least == 0) return {};
  const std::uint64_t bytes = std::min<std::uint64_t>(std::uint64_t{least} * least_bytes, kUnbounded);
  // If no round begins within a character, each round takes at least one character.
  return {static_cast<std::uint32_t>(bytes) - 1, begins_with_characters(s_, body) ? least - 1 : 0};
}

EqualPrefix Comparison::repeats(ExprId x, ExprId y) {
  if (s_.kind(x) != ExprKind::kRepeat && s_.kind(y) != ExprKind::kRepeat) return {};
  const ExprSet::Counted p = s_.counted(x);
  const ExprSet::Counted q = s_.counted(y);
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
EqualPrefix Comparison::lists(ExprId x, ExprId y) {
  std::vector<ExprId> of_x, of_y;
  std::ranges::set_difference(s_.operands(x), s_.operands(y), std::back_inserter(of_x));
  std::ranges::set_difference(s_.operands(y), s_.operands(x), std::back_inserter(of_y));
  if (of_x.size() != of_y.size() || of_x.size() > kMaxComparedChildren) return {};
  EqualPrefix all = kAlways;
  for (const ExprId part : of_x) {
    EqualPrefix best;
    for (std::size_t i = 0; i < of_y.size() && best.bytes == 0; ++i) {
      const bool before[] = {x_is_in_y_, y_is_in_x_};
      best = run(part, of_y[i]);
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
  if (s_.kind(x) == ExprKind::kAlternation) return all;
  if (!x_is_in_y_ && !y_is_in_x_) return {};
  return within(all, x_is_in_y_ ? y : x);
}

/// Splits an intersection into a pattern and one or two length limits of the form .{m,n}, in bytes and in characters.
/// If all operands have this form, the last one is the pattern. Returns nullopt for other intersections.
std::optional<Comparison::Within> Comparison::within_length(ExprId x) const {
  const std::uint32_t count = s_.operand_count(x);
  Within within;
  if (count > within.lengths.size() + 1) return std::nullopt;
  for (const ExprId operand : s_.operands(x)) {
    const ExprSet::Counted length = s_.counted(operand);
    const bool is_length =
        s_.kind(operand) == ExprKind::kRepeat && s_.min_length(length.body) != 0 && length.max != kUnbounded;
    if (is_length && within.count + 1 < count) {
      within.lengths[within.count++] = length;
    } else {
      within.pattern = operand;
    }
  }
  if (within.count + 1 != count) return std::nullopt;
  return within;
}

// Compares a pattern with length limits, x, with a pattern alone, y. Requires that the members of y satisfy the limits
// without their maxima.
EqualPrefix Comparison::lengths(ExprId x, ExprId y) {
  const std::optional<Within> within_x = within_length(x);
  if (!within_x) return {};
  const std::span lengths = std::span(within_x->lengths).first(within_x->count);
  EqualPrefix all = kAlways;
  for (const ExprSet::Counted& length : lengths) {
    const bool is_any = length.body == s_.any_byte() && length.min == 0;
    if (!is_any && !is_subset(s_, y, s_.repeat(length.body, length.min, kUnbounded))) return {};
    all = both(all, rounds(length.max, kUnbounded, length.body, s_.min_length(length.body)));
  }
  all = both(all, run(within_x->pattern, y));
  y_is_in_x_ = false;
  if (!x_is_in_y_) return {};
  return within(all, y);
}

// Compares x·after with `y`, where x is a pattern with length limits. The first parts of `y`, as many as the pattern
// has, are compared with x, the others with `after`.
EqualPrefix Comparison::lengths_before(ExprId x, ExprId after, ExprId y) {
  const std::optional<Within> within_x = within_length(x);
  if (!within_x) return {};
  std::vector<ExprId> parts;
  for (ExprId p = within_x->pattern; p != ExprId::kEpsilon && y != ExprId::kEpsilon; p = s_.tail(p)) {
    parts.push_back(s_.head(y));
    y = s_.tail(y);
  }
  const EqualPrefix first = lengths(x, s_.concat(parts));
  return first.bytes == 0 ? first : both(first, run(after, y));
}

// Returns the result for intersections, given that for their operands. `wider` is the intersection that includes the
// other one.
EqualPrefix Comparison::within(EqualPrefix operands, ExprId wider) {
  if (operands.bytes == 0) return {};
  const std::uint32_t farthest = max_distance_to_end(s_, wider);
  const auto less = [&](std::uint32_t n) { return n > farthest ? n - farthest : 0; };
  return {less(operands.bytes), less(operands.characters)};
}

}  // namespace

ExprId without_counts(ExprSet& exprs, ExprId e, std::uint32_t most) {
  int fuel = kMaxParts;
  return without_counts(exprs, e, most, fuel);
}

EqualPrefix equal_prefix_length(ExprSet& exprs, ExprId x, ExprId y) { return Comparison(exprs).run(x, y); }

// Each round of a repeat takes at least one byte, so a text of at most `bytes` bytes cannot exhaust a higher count.
ExprId drop_distant_counts(ExprSet& exprs, ExprId e, std::uint32_t bytes) {
  if (exprs.is_decoder(e)) {
    const ExprId content = drop_distant_counts(exprs, exprs.operand(e), bytes + Atom::kMaxPending);
    return content == exprs.operand(e) ? e : exprs.with_operand(e, content);
  }
  if (const ExprId counting = counting_atom_in(exprs, e); counting == e) {
    return exprs.atom(exprs.atom_of(e).without_distant_counts(exprs.state_of(e), bytes));
  } else if (counting != ExprId::kNothing) {
    std::vector<ExprId> parts;
    for (const ExprId part : exprs.operands(e)) {
      parts.push_back(counting_atom_in(exprs, part) == part ? drop_distant_counts(exprs, part, bytes) : part);
    }
    return exprs.alternation(parts);
  }
  if (exprs.kind(e) == ExprKind::kIntersection) {  // a pattern with length limits
    const ExprId near = without_counts(exprs, e, bytes + 1);
    if (near == e || exprs.has_counts(near)) return e;  // counts that remain mean too many residuals
    const std::uint32_t alike = equal_prefix_length(exprs, e, near).bytes;
    return alike > 0 && alike >= bytes ? near : e;
  }
  if (exprs.has_assertions(e) || exprs.kind(exprs.head(e)) != ExprKind::kRepeat) return e;
  const ExprSet::Counted first = exprs.counted(exprs.head(e));
  if (exprs.min_length(first.body) == 0) return e;
  const std::uint32_t min = std::min(first.min, bytes + 1);
  const std::uint32_t max = first.max > bytes ? kUnbounded : first.max;
  if (min == first.min && max == first.max) return e;
  return exprs.concat(exprs.repeat(first.body, min, max), exprs.tail(e));
}

Rounds first_rounds(const ExprSet& exprs, ExprId e) {
  while (exprs.is_decoder(exprs.head(e))) e = exprs.operand(exprs.head(e));
  if (const ExprId part = counting_atom_in(exprs, e); part != ExprId::kNothing) {
    return {0, *exprs.atom_of(part).bytes_before_limits(exprs.state_of(part))};
  }
  const ExprSet::Counted first = exprs.counted(exprs.head(e));
  const bool is_repeat =
      exprs.kind(exprs.head(e)) == ExprKind::kRepeat && !exprs.has_assertions(e) && exprs.min_length(first.body) != 0;
  return is_repeat ? Rounds{first.min, first.max} : Rounds{1, 1};
}

bool is_json_repeat(const ExprSet& exprs, ExprId e) {
  const ExprId first = exprs.head(e);
  return exprs.is_decoder(first) && exprs.atom_of(first).is_json_string() &&
         exprs.kind(exprs.operand(first)) == ExprKind::kRepeat;
}

ExprId with_first_rounds(ExprSet& exprs, ExprId e, Rounds rounds) {
  const ExprId first = exprs.head(e);
  const ExprId after = exprs.tail(e);
  if (const ExprId part = counting_atom_in(exprs, first); part != ExprId::kNothing) {
    const ExprId uncounted = exprs.atom(exprs.atom_of(part).without_counts(exprs.state_of(part)));
    if (part == first) return exprs.concat(uncounted, after);
    std::vector<ExprId> parts;
    for (const ExprId other : exprs.operands(first)) parts.push_back(other == part ? uncounted : other);
    return exprs.concat(exprs.alternation(parts), after);
  }
  if (!exprs.is_decoder(first)) return exprs.concat(exprs.repeat(exprs.operand(first), rounds.min, rounds.max), after);
  const ExprId content = with_first_rounds(exprs, exprs.operand(first), rounds);
  return exprs.concat(exprs.with_operand(first, content), after);
}

}  // namespace weir::regex
