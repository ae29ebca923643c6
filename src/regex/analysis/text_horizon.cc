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
#include "regex/atoms/atom.h"
#include "regex/expr/expr.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

ExprId ExprSet::without_counts(ExprId e, std::uint32_t most) {
  int fuel = kMaxParts;
  return without_counts(e, most, fuel);
}

ExprId ExprSet::without_counts(ExprId e, std::uint32_t most, int& fuel) {
  if (!has_counts(e) || has_assertions(e) || --fuel < 0) return e;
  const auto without = [&](ExprId part) { return without_counts(part, most, fuel); };
  switch (kind(e)) {
    case Kind::kConcat: {
      const ExprId first = without(head(e));
      const ExprId after = is_decoder(head(e)) ? tail(e) : without(tail(e));
      return first == head(e) && after == tail(e) ? e : concat(first, after);
    }
    case Kind::kRepeat: {
      const Counted n = counted(e);
      const ExprId body = without(n.body);
      const std::uint32_t max = n.max >= most && min_length(body) != 0 ? kUnbounded : n.max;
      return body == n.body && max == n.max ? e : repeat(body, n.min, max);
    }
    case Kind::kAlternation:
    case Kind::kIntersection: {
      if (operand_count(e) > kMaxParts) return e;
      std::vector<ExprId> parts;
      bool is_same = true;
      for (const ExprId part : operands(e)) {
        parts.push_back(without(part));
        is_same = is_same && parts.back() == part;
      }
      if (is_same) return e;
      return kind(e) == Kind::kAlternation ? alternation(parts) : without_lengths(intersection(parts));
    }
    case Kind::kAtom: {
      if (!is_decoder(e)) return e;
      const ExprId content = without(operand(e));
      return content == operand(e) ? e : atom_of(e).with_operand(*this, state_of(e), content);
    }
    default: return e;
  }
}

/// If `e` is the intersection of a pattern with a repeat without maximum that includes it, returns the pattern.
/// Otherwise returns `e`.
ExprId ExprSet::without_lengths(ExprId e) {
  if (kind(e) != Kind::kIntersection || operand_count(e) != 2) return e;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const ExprId length = operand(e, i);
    const ExprId pattern = operand(e, 1 - i);
    const bool is_open = kind(length) == Kind::kRepeat && counted(length).max == kUnbounded;
    if (is_open && is_subset(pattern, length)) return pattern;
  }
  return e;
}

/// Returns a superset of `e` with few residuals: every repeat except {0,1} loses its maximum. Returns kOverflow if `e`
/// contains operators other than concatenation, alternation and repeat; not all of them are monotone.
ExprId ExprSet::with_loops(ExprId e, int& fuel) {
  if (--fuel < 0) return ExprId::kOverflow;
  std::vector<ExprId> parts;
  bool is_same = true;
  const auto add = [&](ExprId part) {
    parts.push_back(with_loops(part, fuel));
    is_same = is_same && parts.back() == part;
    return parts.back() != ExprId::kOverflow;
  };
  switch (kind(e)) {
    case Kind::kByteSet:
    case Kind::kEpsilon: return e;
    case Kind::kConcat:
      for (ExprId rest = e; rest != ExprId::kEpsilon; rest = tail(rest)) {
        if (!add(head(rest))) return ExprId::kOverflow;
      }
      return is_same ? e : concat(parts);
    case Kind::kRepeat: {
      const Counted n = counted(e);
      const ExprId body = with_loops(n.body, fuel);
      return body == ExprId::kOverflow ? body : repeat(body, n.min, n.max == 1 ? 1 : kUnbounded);
    }
    case Kind::kAlternation:
      if (!std::ranges::all_of(operands(e), add)) return ExprId::kOverflow;
      return is_same ? e : alternation(parts);
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
  if (--fuel < 0) return kUnbounded;
  const auto more = [](std::uint32_t x, std::uint64_t y) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(x + y, kUnbounded));
  };
  switch (kind(e)) {
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
      const Counted n = counted(e);
      const std::uint64_t rounds = n.min > 1 ? n.min - 1 : 0;
      return more(farthest_in_parts(n.body, fuel), rounds * min_length(n.body));
    }
    case Kind::kAlternation: {
      std::uint32_t farthest = 0;
      for (const ExprId part : operands(e)) farthest = std::max(farthest, farthest_in_parts(part, fuel));
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
  e = head(e);
  const auto begins_so = [&](ExprId part) { return begins_with_characters(part); };
  switch (kind(e)) {
    case Kind::kByteSet: return (bytes(e) & ByteSet::range(0x80, 0xBF)).is_empty();
    case Kind::kRepeat: return counted(e).min > 0 && begins_so(operand(e));
    case Kind::kAlternation: return std::ranges::all_of(operands(e), begins_so);
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
  EqualPrefix atoms(ExprId x, ExprId y);
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
  const Kind a = s_.kind(x);
  const Kind b = s_.kind(y);
  if (a == Kind::kIntersection && b != Kind::kIntersection) return lengths(x, y);
  if (a == Kind::kConcat && b == Kind::kConcat && s_.kind(s_.head(x)) == Kind::kIntersection &&
      s_.kind(s_.head(y)) != Kind::kIntersection) {
    return lengths_before(s_.head(x), s_.tail(x), y);
  }
  if (a == Kind::kConcat || b == Kind::kConcat) {
    const EqualPrefix first = run(s_.head(x), s_.head(y));
    return first.bytes == 0 ? first : both(first, run(s_.tail(x), s_.tail(y)));
  }
  if (a == Kind::kAtom && b == Kind::kAtom) return atoms(x, y);
  if (a == b && (a == Kind::kAlternation || a == Kind::kIntersection)) return lists(x, y);
  return repeats(x, y);
}

ExprSet::EqualPrefix ExprSet::Comparison::atoms(ExprId x, ExprId y) {
  const Atom& atom = s_.atom_of(x);
  const AtomState state = s_.state_of(x);
  if (s_.is_decoder(x)) {
    // The contents are no longer than their text, except for the characters of an escape that has begun.
    if (!s_.same_decoder(x, y) || !atom.feeds_text(state)) return {};
    EqualPrefix alike = run(s_.operand(x), s_.operand(y));
    // The string also requires the rest of an incomplete character, and rounds may begin within a character.
    constexpr std::uint32_t kRestOfCharacter = 3;
    if (alike.characters == 0) alike.bytes -= std::min(alike.bytes, kRestOfCharacter);
    return alike;
  }
  const AtomState other = s_.state_of(y);
  if (state.atom != other.atom || !atom.differ_in_counts(state, other)) return {};
  x_is_in_y_ = y_is_in_x_ = false;
  return {std::min(*atom.bytes_before_limits(state), *atom.bytes_before_limits(other))};
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
  if (s_.kind(x) == Kind::kAlternation) return all;
  if (!x_is_in_y_ && !y_is_in_x_) return {};
  return within(all, x_is_in_y_ ? y : x);
}

/// Splits an intersection into a pattern and one or two length limits of the form .{m,n}, in bytes and in characters.
/// If all operands have this form, the last one is the pattern. Returns nullopt for other intersections.
std::optional<ExprSet::Comparison::Within> ExprSet::Comparison::within_length(ExprId x) const {
  const std::uint32_t count = s_.operand_count(x);
  Within within;
  if (count > within.lengths.size() + 1) return std::nullopt;
  for (const ExprId operand : s_.operands(x)) {
    const Counted length = s_.counted(operand);
    const bool is_length =
        s_.kind(operand) == Kind::kRepeat && s_.min_length(length.body) != 0 && length.max != kUnbounded;
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
ExprSet::EqualPrefix ExprSet::Comparison::lengths(ExprId x, ExprId y) {
  const std::optional<Within> within_x = within_length(x);
  if (!within_x) return {};
  const std::span lengths = std::span(within_x->lengths).first(within_x->count);
  EqualPrefix all = kAlways;
  for (const Counted& length : lengths) {
    const bool is_any = length.body == s_.any_byte() && length.min == 0;
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
ExprSet::EqualPrefix ExprSet::Comparison::within(EqualPrefix operands, ExprId wider) {
  if (operands.bytes == 0) return {};
  const std::uint32_t farthest = s_.max_distance_to_end(wider);
  const auto less = [&](std::uint32_t n) { return n > farthest ? n - farthest : 0; };
  return {less(operands.bytes), less(operands.characters)};
}

ExprSet::EqualPrefix ExprSet::equal_prefix_length(ExprId x, ExprId y) { return Comparison(*this).run(x, y); }

// Each round of a repeat takes at least one byte, so a text of at most `bytes` bytes cannot exhaust a higher count.
ExprId ExprSet::drop_distant_counts(ExprId e, std::uint32_t bytes) {
  if (is_decoder(e)) {
    const ExprId content = drop_distant_counts(operand(e), bytes + Atom::kMaxPending);
    return content == operand(e) ? e : atom_of(e).with_operand(*this, state_of(e), content);
  }
  if (const ExprId counting = counting_atom_in(e); counting == e) {
    return atom(atom_of(e).without_distant_counts(state_of(e), bytes));
  } else if (counting != ExprId::kNothing) {
    std::vector<ExprId> parts;
    for (const ExprId part : operands(e)) {
      parts.push_back(counting_atom_in(part) == part ? drop_distant_counts(part, bytes) : part);
    }
    return alternation(parts);
  }
  if (kind(e) == Kind::kIntersection) {  // a pattern with length limits
    const ExprId near = without_counts(e, bytes + 1);
    if (near == e || has_counts(near)) return e;  // counts that remain mean too many residuals
    const std::uint32_t alike = equal_prefix_length(e, near).bytes;
    return alike > 0 && alike >= bytes ? near : e;
  }
  if (has_assertions(e) || kind(head(e)) != Kind::kRepeat) return e;
  const Counted first = counted(head(e));
  if (min_length(first.body) == 0) return e;
  const std::uint32_t min = std::min(first.min, bytes + 1);
  const std::uint32_t max = first.max > bytes ? kUnbounded : first.max;
  if (min == first.min && max == first.max) return e;
  return concat(repeat(first.body, min, max), tail(e));
}

/// Returns `e` if it is a machine that counts, the first such alternative if `e` is an alternation, else kNothing.
ExprId ExprSet::counting_atom_in(ExprId e) const {
  const auto counts = [&](ExprId part) {
    return kind(part) == Kind::kAtom && atom_of(part).bytes_before_limits(state_of(part)).has_value();
  };
  if (counts(e)) return e;
  if (kind(e) != Kind::kAlternation) return ExprId::kNothing;
  for (const ExprId part : operands(e)) {
    if (counts(part)) return part;
  }
  return ExprId::kNothing;
}

ExprSet::Rounds ExprSet::first_rounds(ExprId e) const {
  while (is_decoder(head(e))) e = operand(head(e));
  if (const ExprId part = counting_atom_in(e); part != ExprId::kNothing) {
    return {0, *atom_of(part).bytes_before_limits(state_of(part))};
  }
  const Counted first = counted(head(e));
  const bool is_repeat = kind(head(e)) == Kind::kRepeat && !has_assertions(e) && min_length(first.body) != 0;
  return is_repeat ? Rounds{first.min, first.max} : Rounds{1, 1};
}

bool ExprSet::is_json_repeat(ExprId e) const { return is_decoder(head(e)) && kind(operand(head(e))) == Kind::kRepeat; }

ExprId ExprSet::with_first_rounds(ExprId e, Rounds rounds) {
  const ExprId first = head(e);
  const ExprId after = tail(e);
  if (const ExprId part = counting_atom_in(first); part != ExprId::kNothing) {
    const ExprId uncounted = atom(atom_of(part).without_counts(state_of(part)));
    if (part == first) return concat(uncounted, after);
    std::vector<ExprId> parts;
    for (const ExprId other : operands(first)) parts.push_back(other == part ? uncounted : other);
    return concat(alternation(parts), after);
  }
  if (!is_decoder(first)) return concat(repeat(operand(first), rounds.min, rounds.max), after);
  const ExprId content = with_first_rounds(operand(first), rounds);
  return concat(atom_of(first).with_operand(*this, state_of(first), content), after);
}

}  // namespace weir::regex
