// Expressions whose derivatives are computed by a small machine: json_string.h, decimal_multiple.h,
// section_automaton.h.
//
// In a node of Kind::kMachine, `c` says which machine it is. `a` and `b` hold its state: operand and decoder state of a
// JSON string, divisor and remainder of a division, or a place in a section automaton. The rest of ExprSet treats the
// node as an atom, and calls the functions of this file for its derivatives, byte classes and lengths.
#include <algorithm>

#include "regex/atoms/decimal_multiple.h"
#include "regex/atoms/json_string.h"
#include "regex/atoms/section_automaton.h"
#include "regex/expr/expr.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

namespace {

// `c` also holds the rest of the state:
//   JSON string        kJson
//   division           kDivision; bits 0-13: decimals or, in the fraction, digits; bits 14-18: digits - decimals; bit
//                      19: in_fraction
//   section automaton  kSections; bits 0-11: octets; bits 12-29: index into automata_. `a` holds the state (bits 0-15)
//                      and the trie node (bits 16-31); `b` holds the section count (bits 0-11) and the characters (bits
//                      12-23).
constexpr std::uint32_t kJson = 0;
constexpr std::uint32_t kDivision = 1U << 31;
constexpr std::uint32_t kInFraction = 1U << 19;
constexpr std::uint32_t kSections = 1U << 30;
constexpr std::uint32_t kCount = SectionPlace::kUncounted;  // mask for the bits of a count

std::uint32_t pack(const DivisionState& state) {
  if (state.in_fraction) return kDivision | kInFraction | state.digits;
  return kDivision | ((state.digits - state.decimals) << 14) | state.decimals;
}

DivisionState unpack(std::uint32_t divisor, std::uint32_t remainder, std::uint32_t packed) {
  const std::uint32_t low = packed & kMaxDecimals;
  if ((packed & kInFraction) != 0) return {divisor, remainder, low, 0, true};
  return {divisor, remainder, low + ((packed >> 14) & 31), low, false};
}

}  // namespace

bool ExprSet::is_json(const Node& n) { return n.kind == Kind::kMachine && n.c == kJson; }
bool ExprSet::is_sections(const Node& n) {
  return n.kind == Kind::kMachine && (n.c & (kDivision | kSections)) == kSections;
}
const SectionAutomaton& ExprSet::automaton_of(const Node& n) const { return *automata_[(n.c & ~kSections) >> 12]; }

/// Precondition: `operand` has no assertions.
ExprId ExprSet::json_tail(ExprId operand, JsonState state) {
  if (operand == ExprId::kNothing || operand == ExprId::kOverflow) return operand;
  if (const std::optional<ByteSet> fed = json_fed_next(state)) {
    bool dead = true;
    for (ByteSet left = *fed; dead && !left.is_empty(); left &= ~ByteSet::of(left.first())) {
      dead = derivative(operand, left.first()) == ExprId::kNothing;
    }
    if (dead) return ExprId::kNothing;
  }
  if (const std::optional<JsonPending> block = json_pending(state)) {
    const auto follower = [&](unsigned pending, unsigned i) {
      return derivative(operand, static_cast<std::uint8_t>(block->first + pending * block->width + i));
    };
    bool dead = true;
    for (unsigned i = 0; i < block->width && dead; ++i) dead = follower(block->pending, i) == ExprId::kNothing;
    if (dead) return ExprId::kNothing;
    // Of all pending bits that the operand does not distinguish, uses the smallest.
    for (unsigned p = block->least; p < block->pending; ++p) {
      unsigned i = 0;
      while (i < block->width && follower(p, i) == follower(block->pending, i)) ++i;
      if (i < block->width) continue;
      state = json_with_pending(state, static_cast<std::uint8_t>(p));
      break;
    }
  }
  return intern(Kind::kMachine, static_cast<std::uint32_t>(operand), static_cast<std::uint32_t>(state), kJson);
}

ExprId ExprSet::division(const DivisionState& state) {
  return intern(Kind::kMachine, state.divisor, state.remainder, pack(state));
}

namespace {

SectionPlace unpack_place(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return {a & 0xFFFF, a >> 16, b & kCount, b >> 12, c & kCount};
}

}  // namespace

ExprId ExprSet::sections(const SectionAutomaton& automaton) {
  auto which = std::ranges::find(automata_, &automaton);
  const auto index = static_cast<std::uint32_t>(which - automata_.begin());
  if (which == automata_.end()) automata_.push_back(&automaton);
  return sections(index, automaton.start());
}

ExprId ExprSet::sections(std::uint32_t automaton, const SectionPlace& place) {
  return intern(Kind::kMachine, place.inside << 16 | place.state, place.characters << 12 | place.section,
                kSections | automaton << 12 | place.octets);
}

std::optional<SectionPlace> ExprSet::section_place(ExprId e) const {
  const Node& n = node(e);
  if (!is_sections(n)) return std::nullopt;
  return unpack_place(n.a, n.b, n.c);
}

void ExprSet::set_section_properties(Node& n) const {
  const SectionAutomaton& automaton = automaton_of(n);
  const SectionPlace place = unpack_place(n.a, n.b, n.c);
  if (automaton.may_end(place)) n.flags |= kNullable;
  if (automaton.has_member(place)) n.flags |= kHasMember;
  if ((n.flags & kHasMember) != 0 && place.inside == 0) n.flags |= kHasText;
  n.min_length = automaton.min_length(place);
  n.max_length = automaton.max_length(place);
}

// Identifies the automaton by its address, because its index in `c` differs between sets.
void ExprSet::read_sections(const Node& n, Structure& structure) const {
  const auto automaton = reinterpret_cast<std::uintptr_t>(&automaton_of(n));
  structure.words.insert(structure.words.end(), {n.a, n.b, n.c & kCount, automaton});
}

void ExprSet::set_machine_properties(Node& n) const {
  if (is_sections(n)) return set_section_properties(n);
  if (is_json(n)) {
    const Node& x = nodes_[n.a];
    if (json_has_plain_member(ExprId{n.a}, JsonState(n.b))) n.flags = kHasMember;
    if ((x.flags & kHasNoMember) != 0) n.flags = kHasNoMember;
    n.flags |= x.flags & kHasCount;
    // A byte of contents takes 1 to 6 bytes of text, and the part of an escape that has been read is at most one byte
    // of contents.
    n.min_length = x.min_length < kUnbounded ? x.min_length + 1 : kUnbounded;
    n.max_length = x.max_length < (kUnbounded - 12) / 6 ? x.max_length * 6 + 12 : kUnbounded;
    return;
  }
  // Every division state can be continued to a multiple.
  const DivisionState state = unpack(n.a, n.b, n.c);
  n.flags = division_is_exact(state) ? kNullable | kHasMember : kHasMember;
  n.min_length = division_distance(state);
  n.max_length = kUnbounded;
}

/// Returns true if the JSON string tail with contents `e` in `state` is known to have a member, from the structure of
/// `e` alone.
bool ExprSet::json_has_plain_member(ExprId e, JsonState state) const {
  if ((node(e).flags & kIsCofinite) != 0) return true;  // every state can be continued, by any number of characters
  // Under all options each character has a spelling, so between characters a text as contents is enough. Within an
  // escape the contents must begin with a character that the escape can become.
  if (json_is_between_characters(state)) return (node(e).flags & kHasText) != 0;
  if (json_begins_any_escape(state)) return has_long_text(e);
  if (const std::optional<AsciiRange> range = json_ascii_escapes(state)) {
    return has_text_from(e, ByteSet::range(range->first, range->last));
  }
  if (!json_is_raw(state)) return false;
  // Within a raw character, both machines accept only continuations of it, and the section automaton has a member.
  if (is_sections(node(e))) return (node(e).flags & kHasMember) != 0;
  while (!json_is_between_characters(state)) {
    if (kind(head(e)) != Kind::kByteSet) return false;
    const ByteSet next = bytes(head(e)) & json_raw_sets(state).front();
    if (next.is_empty()) return false;
    state = json_moves(state, next.first()).moves[0].next;
    e = tail(e);
  }
  return (node(e).flags & kHasText) != 0;
}

/// Returns true if `e` is known to have a non-empty member that is well-formed UTF-8.
bool ExprSet::has_long_text(ExprId e) const {
  const auto is_long = [&](ExprId x) {
    if ((node(x).flags & kHasText) == 0) return false;
    if (min_length(x) > 0) return true;
    const Node& body = node(counted(head(x)).body);
    return body.min_length > 0 && (body.flags & kHasText) != 0 && (node(tail(x)).flags & kHasText) != 0;
  };
  if (kind(e) != Kind::kAlternation) return is_long(e);
  const Node& n = node(e);
  for (std::uint32_t i = 0; i < n.b; ++i) {
    if (is_long(child(n, i))) return true;
  }
  return false;
}

/// Returns true if `e` is known to have a member that is well-formed UTF-8 and begins with one of these ASCII
/// characters.
bool ExprSet::has_text_from(ExprId e, const ByteSet& ascii) const {
  if ((node(e).flags & kHasText) == 0) return false;
  const auto begins_so = [&](ExprId x) {
    if ((node(x).flags & kHasText) == 0) return false;
    const ExprId first = counted(head(x)).body;
    return kind(first) == Kind::kByteSet && !(bytes(first) & ascii).is_empty();
  };
  if (kind(e) != Kind::kAlternation) return begins_so(e);
  const Node& n = node(e);
  for (std::uint32_t i = 0; i < n.b; ++i) {
    if (begins_so(child(n, i))) return true;
  }
  return false;
}

ExprId ExprSet::derive_machine(const Node& n, std::uint8_t byte) {
  if (is_sections(n)) {
    const std::optional<SectionPlace> next = automaton_of(n).step(unpack_place(n.a, n.b, n.c), byte);
    return next ? sections((n.c & ~kSections) >> 12, *next) : ExprId::kNothing;
  }
  if (!is_json(n)) {
    const std::optional<DivisionState> next = division_step(unpack(n.a, n.b, n.c), byte);
    return next ? division(*next) : ExprId::kNothing;
  }
  const JsonMoves moves = json_moves(JsonState(n.b), byte);
  std::array<ExprId, 2> parts{ExprId::kNothing, ExprId::kNothing};
  for (std::size_t i = 0; i < moves.count; ++i) {
    const JsonMove& move = moves.moves[i];
    const ExprId operand = move.feeds ? derivative(ExprId{n.a}, move.fed) : ExprId{n.a};
    if (move.closes) {
      parts[i] = nullable(operand) ? ExprId::kEpsilon : ExprId::kNothing;
    } else {
      parts[i] = json_tail(operand, move.next);
    }
  }
  return alternation(parts[0], parts[1]);
}

/// append_branches() for a JSON string, computed from the branches of its operand, which are few. This avoids a memo
/// row for every residual of every string. Returns false, and appends nothing, if the operand begins with a JSON string
/// or the classes of the state overlap.
bool ExprSet::append_json_branches(ExprId e, std::vector<Branch>& branches) {
  const Node n = node(e);
  const JsonState state{n.b};
  const ExprId content{n.a};
  if (is_json(node(head(content)))) return false;  // a string within a string would need recursion
  const std::size_t begin = branches.size();
  const auto append = [&](const ByteSet& bytes, ExprId to) {
    if (to != ExprId::kNothing) branches.push_back({bytes, to});
  };
  if (!json_is_raw(state)) {
    ByteSet seen;
    for (const ByteSet& set : json_classes(state)) {
      if (!(set & seen).is_empty()) {  // possible under some options
        branches.resize(begin);
        return false;
      }
      seen |= set;
      append(set, derive_machine(n, set.first()));
    }
    return true;
  }
  append_branches(content, branches);
  const std::vector<Branch> fed(branches.begin() + static_cast<std::ptrdiff_t>(begin), branches.end());
  branches.resize(begin);
  for (const Branch& branch : fed) {
    for (const ByteSet& set : json_raw_sets(state)) {
      const ByteSet bytes = branch.bytes & set;
      if (!bytes.is_empty()) append(bytes, json_tail(branch.to, json_moves(state, bytes.first()).moves[0].next));
    }
  }
  if (json_is_between_characters(state)) {
    append(ByteSet::of('\\'), derive_machine(n, '\\'));
    append(ByteSet::of('"'), derive_machine(n, '"'));
  }
  return true;
}

/// Returns sets that distinguish the bytes that a machine distinguishes. fed_operand() may distinguish more.
std::span<const ByteSet> ExprSet::machine_classes(const Node& n) const {
  static constexpr std::array<ByteSet, 11> kDigitsAndPoint = [] {
    std::array<ByteSet, 11> sets{};
    for (std::uint8_t i = 0; i < 10; ++i) sets[i] = ByteSet::of(static_cast<std::uint8_t>('0' + i));
    sets[10] = ByteSet::of('.');
    return sets;
  }();
  if (is_sections(n)) return automaton_of(n).classes(unpack_place(n.a, n.b, n.c));
  if (!is_json(n)) return kDigitsAndPoint;
  return json_classes(JsonState(n.b));
}

/// Returns the operand if the machine feeds it the bytes of the text unchanged; else kNothing.
ExprId ExprSet::fed_operand(const Node& n) {
  return is_json(n) && json_is_raw(JsonState(n.b)) ? ExprId{n.a} : ExprId::kNothing;
}

/// Joins two JSON string tails in the same decoder state: returns their intersection if `meets`, else their union. For
/// an intersection, `y` may also be the complement of a tail. Returns nullopt for other operands.
std::optional<ExprId> ExprSet::join_json(ExprId x, ExprId y, bool meets) {
  const bool excludes = meets && kind(y) == Kind::kComplement;
  const Node a = node(x);
  const Node b = node(excludes ? operand(y) : y);
  if (!is_json(a) || !is_json(b) || a.b != b.b || depth_ >= kMaxDepth) return std::nullopt;
  const ExprId left{a.a};
  const ExprId right{b.a};
  const ExprId joined = !meets     ? alternation(left, right)
                        : excludes ? difference(left, right)
                                   : intersection(left, right);
  return json_tail(joined, JsonState(a.b));
}

// Each round of a repeat takes at least one byte, so a text of at most `bytes` bytes cannot exhaust a higher count.
ExprId ExprSet::drop_distant_counts(ExprId e, std::uint32_t bytes) {
  const Node n = node(e);
  if (is_json(n)) {
    // The contents are no longer than their text, except for the characters of an escape that has begun.
    constexpr std::uint32_t kPending = 8;
    const ExprId content = drop_distant_counts(ExprId{n.a}, bytes + kPending);
    return content == ExprId{n.a} ? e : json_tail(content, JsonState(n.b));
  }
  if (const auto place = section_place(e)) {
    const SectionPlace near = automaton_of(n).drop_distant_counts(*place, bytes);
    return sections((n.c & ~kSections) >> 12, near);
  }
  if (kind(e) == Kind::kAlternation && sections_in(e) != ExprId::kNothing) {
    ScratchPool<ExprId>::Lease parts(ids_);
    for (std::uint32_t i = 0; i < n.b; ++i) {
      const ExprId part = child(n, i);
      parts->push_back(is_sections(node(part)) ? drop_distant_counts(part, bytes) : part);
    }
    return alternation(*parts);
  }
  if (n.kind == Kind::kIntersection) {  // a pattern with length limits
    const ExprId near = without_counts(e, bytes + 1);
    if (near == e || (node(near).flags & kHasCount) != 0) return e;  // counts that remain mean too many residuals
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

ExprId ExprSet::with_any_contents(ExprId character, ExprId e) {
  const Node first = node(head(e));
  if (!is_json(first) || json_has_lone_surrogates(JsonState(first.b))) return ExprId::kNothing;
  const ExprId content{first.a};
  // In a string within a string, an escaped quote may be the end of the inner one.
  if (content == ExprId::kAllStrings || is_json(node(head(content)))) return ExprId::kNothing;
  if (has_cofinite_contents(e)) return concat(json_tail(ExprId::kAllStrings, JsonState(first.b)), tail(e));
  if (!continues_any_text(character, e)) return ExprId::kNothing;
  return concat(json_tail(repeat(character, 0, kUnbounded), JsonState(first.b)), tail(e));
}

bool ExprSet::has_cofinite_contents(ExprId e) const {
  return is_json(node(head(e))) && (node(operand(head(e))).flags & kIsCofinite) != 0;
}

/// Returns true if t·m is known to be a member of `e` for every member m and every text t over `character`.
bool ExprSet::is_closed_under_prefixing(ExprId character, ExprId e, int fuel) const {
  if (fuel == 0) return false;
  const Node& n = node(head(e));
  switch (n.kind) {
    case Kind::kAllStrings: return true;
    case Kind::kRepeat: return n.a == static_cast<std::uint32_t>(character) && n.b == 0 && n.c == kUnbounded;
    case Kind::kAlternation:
    case Kind::kIntersection:
      for (std::uint32_t i = 0; i < n.b; ++i) {
        if (!is_closed_under_prefixing(character, child(n, i), fuel - 1)) return false;
      }
      return true;
    default: return false;
  }
}

/// Returns `e` if it is a section automaton, the first such alternative if `e` is an alternation, else kNothing.
ExprId ExprSet::sections_in(ExprId e) const {
  const Node& n = node(e);
  if (is_sections(n)) return e;
  if (n.kind != Kind::kAlternation) return ExprId::kNothing;
  for (std::uint32_t i = 0; i < n.b; ++i) {
    if (is_sections(node(child(n, i)))) return child(n, i);
  }
  return ExprId::kNothing;
}

ExprSet::Rounds ExprSet::first_rounds(ExprId e) const {
  while (is_json(node(head(e)))) e = operand(head(e));
  if (const ExprId part = sections_in(e); part != ExprId::kNothing) {
    return {0, automaton_of(node(part)).bytes_before_limits(*section_place(part))};
  }
  const Counted first = counted(head(e));
  const bool is_repeat = kind(head(e)) == Kind::kRepeat && !has_assertions(e) && min_length(first.body) != 0;
  return is_repeat ? Rounds{first.min, first.max} : Rounds{1, 1};
}

bool ExprSet::is_json_repeat(ExprId e) const {
  return is_json(node(head(e))) && kind(operand(head(e))) == Kind::kRepeat;
}

ExprId ExprSet::with_first_rounds(ExprId e, Rounds rounds) {
  const ExprId first = head(e);
  const ExprId after = tail(e);
  if (const ExprId part = sections_in(first); part != ExprId::kNothing) {
    constexpr std::uint32_t kMany = SectionPlace::kUncounted;
    const SectionPlace place = *section_place(part);
    const ExprId uncounted =
        sections((node(part).c & ~kSections) >> 12, {place.state, place.inside, kMany, kMany, kMany});
    ScratchPool<ExprId>::Lease parts(ids_);
    const Node n = node(first);
    for (std::uint32_t i = 0; part != first && i < n.b; ++i) {
      if (child(n, i) != part) parts->push_back(child(n, i));
    }
    parts->push_back(uncounted);
    return concat(alternation(*parts), after);
  }
  if (!is_json(node(first))) return concat(repeat(operand(first), rounds.min, rounds.max), after);
  const JsonState state{node(first).b};
  return concat(json_tail(with_first_rounds(operand(first), rounds), state), after);
}

void ExprSet::refine_by_machine(const Node& n, ByteClasses& classes) const {
  if (is_sections(n)) {
    classes = ByteClasses::single();
    return;
  }
  const std::span<const ByteSet> sets = is_json(n) ? json_all_classes() : machine_classes(n);
  for (const ByteSet& set : sets) classes.refine(set);
}

std::string ExprSet::machine_name(const Node& n) {
  if (is_sections(n)) return "sections(" + std::to_string(n.a & 0xFFFF) + ")";
  if (is_json(n)) return std::string("json") + json_state_name(JsonState(n.b));
  const DivisionState state = unpack(n.a, n.b, n.c);
  return "multiple(" + std::to_string(state.divisor) + "e-" +
         std::to_string(state.in_fraction ? state.digits : state.decimals) + ", " + std::to_string(state.remainder) +
         ")";
}

ExprId json_string_tail(ExprSet& exprs, ExprId decoded, const JsonStringOptions& options) {
  return exprs.json_tail(decoded, json_initial_state(options));
}

ExprId json_string(ExprSet& exprs, ExprId decoded, const JsonStringOptions& options) {
  return exprs.concat(exprs.literal("\""), json_string_tail(exprs, decoded, options));
}

ExprId section_texts(ExprSet& exprs, const SectionAutomaton& automaton) { return exprs.sections(automaton); }

ExprId decimal_multiple(ExprSet& exprs, std::uint32_t divisor, std::uint32_t decimals) {
  return exprs.division(division_start(divisor, decimals));
}

}  // namespace weir::regex
