#include "regex/expr/expr.h"

#include <algorithm>

#include "base/hash.h"
#include "base/work.h"
#include "regex/atoms/atom.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

namespace {

constexpr std::uint32_t word(ExprId e) { return static_cast<std::uint32_t>(e); }

/// The four named expressions of ExprId, and the set of all bytes.
constexpr std::uint32_t kFixedNodes = 5;

constexpr std::uint32_t add_lengths(std::uint32_t a, std::uint32_t b) { return saturating(std::uint64_t{a} + b); }

constexpr std::uint32_t times_length(std::uint32_t times, std::uint32_t length) {
  return length == 0 ? 0 : saturating(std::uint64_t{times} * length);
}

}  // namespace

ExprSet::ExprSet(std::uint32_t node_limit) : memo_(1) {
  set_node_limit(node_limit);
  for (Kind kind : {Kind::kNothing, Kind::kEpsilon, Kind::kAllStrings, Kind::kOverflow}) {
    Node n;
    n.kind = kind;
    if (kind == Kind::kNothing) n.flags = kHasNoMember | kIsAscii;
    if (kind == Kind::kEpsilon || kind == Kind::kAllStrings) n.flags = kNullable | kHasMember | kHasText;
    if (kind == Kind::kEpsilon) n.flags |= kIsAscii;
    if (kind == Kind::kAllStrings) n.flags |= kIsCofinite;
    if (kind == Kind::kAllStrings || kind == Kind::kOverflow) n.max_length = kUnbounded;
    nodes_.push_back(n);
  }
  leaf_sets_.intern({});
  any_byte_ = byte_set(ByteSet::all());
}

void ExprSet::set_node_limit(std::uint32_t node_limit) { node_limit_ = std::max(node_limit, kFixedNodes); }

// --- The store ---

/// Returns the node with this hash for which `equal` returns true. If there is none, adds the node that `make` returns;
/// kOverflow if it would exceed a limit.
template <typename Equal, typename Make>
ExprId ExprSet::find_or_add(std::uint64_t hash64, Equal equal, Make make) {
  const auto hash = static_cast<std::uint32_t>(hash64 >> 16);
  const base::NumberSlot& slot =
      slots_.find(hash, [&](const base::NumberSlot& one) { return one.key_hash == hash && equal(nodes_[one.number]); });
  if (!slot.is_free()) return ExprId{slot.number};
  if (nodes_.size() >= node_limit_) return ExprId::kOverflow;
  Node n = make();
  if (!set_properties(n)) return ExprId::kOverflow;
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  slots_.insert({id, hash});
  nodes_.push_back(n);
  base::Work::charge(base::Work::kNode);
  return ExprId{id};
}

ExprId ExprSet::intern(Kind kind, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  if (nodes_.size() > kNodesInCache) base::Work::charge(base::Work::kNode);
  std::uint64_t hash = base::hash_mix(static_cast<std::uint64_t>(kind), a);
  hash = base::hash_mix(hash, (std::uint64_t{b} << 32) | c);
  return find_or_add(
      hash,
      [&](const Node& n) {
        // Only repeats and machines have a `c` of their own; for other kinds it is computed from `a` and `b`.
        const bool has_c = kind == Kind::kRepeat || kind == Kind::kAtom;
        return n.kind == kind && n.a == a && n.b == b && (!has_c || n.c == c);
      },
      [&] {
        Node n;
        n.kind = kind;
        n.a = a;
        n.b = b;
        n.c = c;
        return n;
      });
}

ExprId ExprSet::intern_list(Kind kind, std::span<const ExprId> list, std::uint32_t leaves) {
  if (nodes_.size() > kNodesInCache) base::Work::charge(base::Work::kNode);
  std::uint64_t hash = base::hash_mix(static_cast<std::uint64_t>(kind) + 77, list.size());
  for (ExprId e : list) hash = base::hash_mix(hash, word(e));
  return find_or_add(
      hash,
      [&](const Node& n) {
        return n.kind == kind && n.b == list.size() &&
               std::equal(list.begin(), list.end(), pool_.begin() + n.a,
                          [](ExprId e, std::uint32_t id) { return word(e) == id; });
      },
      [&] {
        Node n;
        n.kind = kind;
        n.a = static_cast<std::uint32_t>(pool_.size());
        n.b = static_cast<std::uint32_t>(list.size());
        n.c = leaves;
        for (ExprId e : list) pool_.push_back(word(e));
        return n;
      });
}

/// Returns true if a member of `first`·`after` is known that begins with a character beyond ASCII and is well-formed
/// UTF-8. Precondition for a useful answer: `first` has no ASCII character.
bool ExprSet::begins_with_character(const ByteSet& first, ExprId after) const {
  const ByteSet leads = first & ByteSet::range(0xC2, 0xF4);
  if (leads.is_empty() || first.first() < 0x80) return false;
  const std::uint8_t lead = leads.first();
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  const auto least = static_cast<std::uint8_t>(lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80);
  const auto most = static_cast<std::uint8_t>(lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF);
  return ends_character(after, ByteSet::range(least, most), more);
}

/// Returns true if `e` is known to have a member that consists of a byte of `next`, more continuation bytes, `count` in
/// all, and a text. Looks at some operands of each alternation.
bool ExprSet::ends_character(ExprId e, const ByteSet& next, int count) const {
  if (count == 0) return has_plain_text(e);
  if (kind(e) == Kind::kAlternation) {
    const std::uint32_t most = std::min(operand_count(e), kMaxTextOperands);
    for (std::uint32_t i = 0; i < most; ++i) {
      if (ends_character(operand(e, i), next, count))
        return true;  // an operand is no alternation: two calls a byte at most
    }
    return false;
  }
  if (kind(head(e)) != Kind::kByteSet || (bytes(head(e)) & next).is_empty()) return false;
  return ends_character(tail(e), ByteSet::range(0x80, 0xBF), count - 1);
}

/// Computes flags, lengths and height from the operands. Returns false if the height would exceed kMaxHeight.
bool ExprSet::set_properties(Node& n) {
  const Node& x = nodes_[n.a < nodes_.size() ? n.a : 0];  // the first operand, if `a` is an operand
  unsigned height = 0;
  switch (n.kind) {
    case Kind::kByteSet:
      n.flags = kHasMember;
      if (sets_[n.a].first() < 0x80) n.flags |= kHasText;
      if ((sets_[n.a] & ~ByteSet::range(0, 0x7F)).is_empty()) n.flags |= kIsAscii;
      n.min_length = n.max_length = 1;
      break;
    case Kind::kConcat: {
      const Node& y = nodes_[n.b];
      n.flags = (x.flags & y.flags & (kNullable | kHasMember | kHasText | kIsAscii)) |
                ((x.flags | y.flags) & (kConditional | kHasCount));
      if (x.kind == Kind::kByteSet && begins_with_character(sets_[x.a], ExprId{n.b})) n.flags |= kHasText;
      n.min_length = add_lengths(x.min_length, y.min_length);
      n.max_length = add_lengths(x.max_length, y.max_length);
      height = std::max(x.height == 0 ? 0U : x.height + 1U, unsigned{y.height});
      break;
    }
    case Kind::kRepeat:
      n.flags = x.flags & (kNullable | kHasMember | kHasText | kConditional | kHasCount | kIsAscii);
      if (n.c >= kMinCounted && n.c != kUnbounded) n.flags |= kHasCount;
      if (n.b == 0) n.flags |= kNullable | kHasMember | kHasText;
      if (ExprId{n.a} == any_byte_ && n.c == kUnbounded) n.flags |= kIsCofinite;
      n.min_length = times_length(n.b, x.min_length);
      n.max_length = times_length(n.c, x.max_length);
      height = x.height == 0 ? 0U : x.height + 1U;
      break;
    case Kind::kComplement:
      if ((x.flags & kNullable) == 0) n.flags = kNullable | kHasMember | kHasText;
      if (x.max_length != kUnbounded) n.flags |= kHasMember | kHasText | kIsCofinite;
      n.min_length = (x.flags & kNullable) != 0 ? 1 : 0;
      n.max_length = kUnbounded;
      break;
    case Kind::kLook:
      n.flags = kConditional;
      height = x.height + 1U;
      break;
    case Kind::kAtom: set_atom_properties(n); return true;
    default: set_list_properties(n); return n.height <= kMaxHeight;
  }
  if ((n.flags & kConditional) != 0) {
    n.flags &= static_cast<std::uint8_t>(~(kHasMember | kHasText));
    switch (n.kind) {
      case Kind::kConcat: n.c = leaf_set_union(leaf_set(ExprId{n.a}), leaf_set(ExprId{n.b})); break;
      case Kind::kLook: {
        const std::array<std::uint32_t, 1> alone{n.a};
        const bool after = n.b >= static_cast<std::uint32_t>(Look::kBehind);
        n.c = after ? leaf_sets_.intern(alone).first : leaf_set(ExprId{n.a});
        break;
      }
      default: break;
    }
  }
  n.height = static_cast<std::uint16_t>(std::min(height, kMaxHeight + 1U));
  return n.height <= kMaxHeight;
}

void ExprSet::set_atom_properties(Node& n) const {
  const Atom& atom = *atoms_[n.c >> kIndexShift];
  const Atom::Properties known = atom.properties(*this, state_of(n));
  if (known.is_nullable) n.flags |= kNullable;
  if (known.has_member) n.flags |= kHasMember;
  if (known.has_text) n.flags |= kHasText;
  if (known.is_ascii) n.flags |= kIsAscii;
  n.min_length = known.min_length;
  n.max_length = known.max_length;
  if (!atom.is_decoder()) return;
  const std::uint8_t operand = nodes_[n.a].flags;
  if ((operand & kHasNoMember) != 0) n.flags = kHasNoMember;
  n.flags |= operand & kHasCount;
}

void ExprSet::set_list_properties(Node& n) {
  const bool meets = n.kind == Kind::kIntersection;
  if (n.kind == Kind::kContext || n.kind == Kind::kTracker) {
    n.max_length = kUnbounded;  // not used for trackers
    if (n.kind == Kind::kContext) set_context_properties(n);
    return;
  }
  std::uint8_t any = 0;
  std::uint8_t all = 0xFF;
  unsigned height = 0;
  n.min_length = meets ? 0 : kUnbounded;
  n.max_length = meets ? kUnbounded : 0;
  for (std::uint32_t i = 0; i < n.b; ++i) {
    const Node& x = node(child(n, i));
    any |= x.flags;
    all &= x.flags;
    n.min_length = meets ? std::max(n.min_length, x.min_length) : std::min(n.min_length, x.min_length);
    n.max_length = meets ? std::min(n.max_length, x.max_length) : std::max(n.max_length, x.max_length);
    height = std::max(height, x.height == 0 ? 0U : x.height + 1U);
    if (x.height != 0) n.c = leaf_set_union(n.c, leaf_set(child(n, i)));
  }
  n.flags = meets ? (all & (kNullable | kIsCofinite))
                  : (any & (kNullable | kHasMember | kHasText | kConditional | kIsCofinite));
  n.flags |= any & kHasCount;
  n.flags |= (meets ? any : all) & kIsAscii;
  if ((n.flags & (kNullable | kIsCofinite)) != 0) n.flags |= kHasMember | kHasText;
  n.height = static_cast<std::uint16_t>(std::min(height, kMaxHeight + 1U));
}

void ExprSet::set_context_properties(Node& n) {
  if (context_nullable(n)) n.flags = kNullable | kHasMember | kHasText;
  n.min_length = kUnbounded;
  n.max_length = 0;
  const std::uint32_t pairs_end = n.b - static_cast<std::uint32_t>(leaf_sets_[n.c].size());
  for (std::uint32_t i = 0; i < pairs_end; i += 2) {
    const Node& obligation = node(child(n, i));
    const Node& e = node(child(n, i + 1));
    n.min_length = std::min(n.min_length, std::max(obligation.min_length, e.min_length));
    n.max_length = std::max(n.max_length, std::min(obligation.max_length, e.max_length));
  }
}

std::uint32_t ExprSet::register_atom(const Atom& atom) {
  const auto which = std::ranges::find(atoms_, &atom);
  const auto index = static_cast<std::uint32_t>(which - atoms_.begin());
  if (which == atoms_.end()) atoms_.push_back(&atom);
  return index << 1 | (atom.is_decoder() ? 1U : 0U);
}

std::uint32_t ExprSet::own_atom(std::shared_ptr<const Atom> atom) {
  owned_atoms_.push_back(std::move(atom));
  return register_atom(*owned_atoms_.back());
}

ExprId ExprSet::atom(const AtomState& state) {
  return intern(Kind::kAtom, state.a, state.b, state.c | state.atom << kAtomShift);
}

ExprId ExprSet::with_operand(ExprId decoder, ExprId operand) {
  return atom_of(decoder).with_operand(*this, state_of(decoder), operand);
}

std::size_t ExprSet::memory_bytes() const {
  std::size_t bytes =
      nodes_.capacity() * sizeof(Node) + pool_.capacity() * sizeof(std::uint32_t) + sets_.capacity() * sizeof(ByteSet) +
      slots_.memory_bytes() + partitions_.capacity() * sizeof(Partition) + partition_ids_.memory_bytes() +
      leaf_sets_.memory_bytes() + partition_keys_.memory_bytes() +
      (partition_of_key_.capacity() + partition_key_.capacity()) * sizeof(std::uint32_t) +
      memo_.capacity() * sizeof(std::uint32_t) + inclusions_.capacity() * sizeof(Inclusion) +
      function_memo_.farthest_ends.size() * (sizeof(*function_memo_.farthest_ends.begin()) + 2 * sizeof(void*)) +
      function_memo_.subsets.size() * (sizeof(*function_memo_.subsets.begin()) + 2 * sizeof(void*)) +
      (function_memo_.continues_any_text.size() + function_memo_.text_counts.size()) *
          (sizeof(*function_memo_.continues_any_text.begin()) + 2 * sizeof(void*));
  for (const auto& [ranges, set] : function_memo_.utf8_sets) {
    bytes += sizeof(*function_memo_.utf8_sets.begin()) + 2 * sizeof(void*) + ranges.capacity() * sizeof(char32_t);
  }
  for (const std::shared_ptr<const Atom>& atom : owned_atoms_) bytes += atom->memory_bytes();
  for (const Partition& p : partitions_) bytes += p.sets.capacity() * sizeof(ByteSet);
  return bytes;
}

// --- Byte sets, concatenation, repeats, complement ---

// The few byte sets of a grammar stay in the processor's cache, so to look one up is no work.
ExprId ExprSet::byte_set(const ByteSet& set) {
  if (set.is_empty()) return ExprId::kNothing;
  std::uint64_t hash = 1234;
  for (std::uint64_t w : set.words()) hash = base::hash_mix(hash, w);
  return find_or_add(
      hash, [&](const Node& n) { return n.kind == Kind::kByteSet && sets_[n.a] == set; },
      [&] {
        Node n;
        n.kind = Kind::kByteSet;
        n.a = static_cast<std::uint32_t>(sets_.size());
        sets_.push_back(set);
        return n;
      });
}

ExprId ExprSet::byte(std::uint8_t byte) {
  ExprId& known = single_bytes_[byte];
  if (known == ExprId::kNothing || known == ExprId::kOverflow) known = byte_set(ByteSet::of(byte));
  return known;
}

ExprId ExprSet::literal(std::string_view bytes) {
  // The nodes of a literal are distinct, and each costs a step once there are many: a text of megabytes is refused before
  // its nodes are made, which take some 50 times its memory.
  if (bytes.size() > kNodesInCache) {
    const std::uint64_t steps = (bytes.size() - kNodesInCache) * base::Work::kNode;
    if (base::Work::would_exceed(steps)) {
      base::Work::charge(steps);
      return ExprId::kOverflow;
    }
  }
  ExprId e = ExprId::kEpsilon;
  for (std::size_t i = bytes.size(); i-- > 0 && e != ExprId::kOverflow;) {
    const ExprId first = byte(static_cast<std::uint8_t>(bytes[i]));
    e = first == ExprId::kOverflow ? first : cons(first, e);
  }
  return e;
}

std::uint32_t ExprSet::operand_count(ExprId e) const {
  const Node& n = node(e);
  switch (n.kind) {
    case Kind::kConcat: return 2;
    case Kind::kRepeat:
    case Kind::kComplement:
    case Kind::kLook: return 1;
    case Kind::kAtom: return is_decoder(e) ? 1 : 0;
    default: return is_list(n.kind) ? n.b : 0;
  }
}

ExprSet::Counted ExprSet::counted(ExprId e) const {
  const Node& n = node(e);
  if (n.kind == Kind::kRepeat) return {ExprId{n.a}, n.b, n.c};
  if (n.kind == Kind::kAllStrings) return {any_byte_, 0, kUnbounded};
  return {e, 1, 1};
}

/// Returns h·t. Preconditions: h is neither a concat nor kEpsilon; neither h nor t is kNothing or kOverflow.
ExprId ExprSet::cons(ExprId h, ExprId t) {
  while (t != ExprId::kEpsilon) {
    const ExprId next = head(t);
    const Kind kind_h = kind(h);
    const Kind kind_next = kind(next);
    if (kind_h == Kind::kByteSet && kind_next == Kind::kByteSet) break;  // the most frequent case
    const Counted x = counted(h);
    const Counted y = counted(next);
    if (x.body == y.body && (x.body != h || y.body != next)) {
      const std::uint64_t min = std::uint64_t{x.min} + y.min;
      const bool unbounded = x.max == kUnbounded || y.max == kUnbounded;
      const std::uint64_t max = unbounded ? kUnbounded : std::uint64_t{x.max} + y.max;
      if (min < kUnbounded && (unbounded || max < kUnbounded)) {
        return concat(repeat(x.body, static_cast<std::uint32_t>(min), static_cast<std::uint32_t>(max)), tail(t));
      }
    }
    if (next == ExprId::kAllStrings) {
      if (nullable(h)) return t;
      if (kind_h == Kind::kRepeat && x.min != x.max) return concat(repeat(x.body, x.min, x.min), t);
    }
    if (h == ExprId::kAllStrings) {
      if (nullable(next)) {
        t = tail(t);
        continue;
      }
      if (kind_next == Kind::kRepeat && y.min != y.max) {
        t = concat(repeat(y.body, y.min, y.min), tail(t));
        if (t == ExprId::kOverflow) return t;
        continue;
      }
    }
    if (kind_h == Kind::kLook && kind_next == Kind::kLook) return cons_look(h, t);
    break;
  }
  return t == ExprId::kEpsilon ? h : intern(Kind::kConcat, word(h), word(t), 0);
}

/// Returns look·t, where t begins with assertions. The leading assertions are kept sorted and without duplicates.
ExprId ExprSet::cons_look(ExprId look, ExprId t) {
  ScratchPool<ExprId>::Lease smaller(ids_);
  for (ExprId next = head(t); kind(next) == Kind::kLook && smaller->size() < kMaxSortedLooks; next = head(t)) {
    if (next == look) {
      look = ExprId::kEpsilon;
      break;
    }
    if (node(next).a == node(look).a && (node(next).b ^ node(look).b) == 1) return ExprId::kNothing;
    if (next > look) break;
    smaller->push_back(next);
    t = tail(t);
  }
  const auto prepend = [&](ExprId x) {
    t = t == ExprId::kEpsilon ? x : intern(Kind::kConcat, word(x), word(t), 0);
    return t != ExprId::kOverflow;
  };
  if (look != ExprId::kEpsilon && !prepend(look)) return t;
  for (std::size_t i = smaller->size(); i-- > 0;) {
    if (!prepend((*smaller)[i])) return t;
  }
  return t;
}

ExprId ExprSet::concat(ExprId a, ExprId b) {
  if (a == ExprId::kOverflow || b == ExprId::kOverflow) return ExprId::kOverflow;
  if (a == ExprId::kNothing || b == ExprId::kNothing) return ExprId::kNothing;
  if (a == ExprId::kEpsilon) return b;
  if (b == ExprId::kEpsilon) return a;
  const Counted x = counted(a);
  if (x.body == b && kind(b) == Kind::kConcat && x.min < kUnbounded - 1 && x.max != kUnbounded - 1) {
    return repeat(b, x.min + 1, x.max == kUnbounded ? x.max : x.max + 1);  // r{m,n}·r
  }
  if (kind(a) != Kind::kConcat) return cons(a, b);
  const Counted y = counted(head(b));
  if (y.body == a && y.min < kUnbounded - 1 && y.max != kUnbounded - 1) {
    return concat(repeat(a, y.min + 1, y.max == kUnbounded ? y.max : y.max + 1), tail(b));  // r·r{m,n}
  }
  ScratchPool<ExprId>::Lease heads(ids_);
  for (; kind(a) == Kind::kConcat; a = tail(a)) heads->push_back(head(a));
  ExprId e = cons(a, b);
  for (std::size_t i = heads->size(); i-- > 0 && e != ExprId::kOverflow && e != ExprId::kNothing;) {
    e = cons((*heads)[i], e);
  }
  return e;
}

ExprId ExprSet::concat(std::span<const ExprId> parts) {
  ExprId e = ExprId::kEpsilon;
  for (std::size_t i = parts.size(); i-- > 0;) e = concat(parts[i], e);
  return e;
}

/// Returns an expression whose repeats {m,} equal those of `e` for every m, simpler than `e` if possible.
ExprId ExprSet::star_body(ExprId e) {
  ScratchPool<ExprId>::Lease parts(ids_);
  const auto add_elements = [&](ExprId x) {  // (a?b?)* = (a|b)*
    for (; kind(x) == Kind::kConcat; x = tail(x)) parts->push_back(head(x));
    parts->push_back(x);
  };
  bool changed = false;
  if (kind(e) == Kind::kConcat && nullable(e)) {
    add_elements(e);
    changed = true;
  } else if (kind(e) == Kind::kAlternation) {
    const Node n = node(e);
    for (std::uint32_t i = 0; i < n.b; ++i) {
      const ExprId x = child(n, i);
      const Counted c = counted(x);
      if (kind(x) == Kind::kRepeat && c.min <= 1) {  // (a+|b)* = (a|b)*
        parts->push_back(c.body);
        changed = true;
      } else if (kind(x) == Kind::kConcat && nullable(x)) {
        add_elements(x);
        changed = true;
      } else {
        parts->push_back(x);
      }
    }
  }
  return changed ? alternation(*parts) : e;
}

ExprId ExprSet::repeat(ExprId e, std::uint32_t min, std::uint32_t max) {
  if (e == ExprId::kOverflow) return e;
  if (min > max) return ExprId::kNothing;
  if (max == 0 || e == ExprId::kEpsilon) return ExprId::kEpsilon;
  if (e == ExprId::kNothing) return min == 0 ? ExprId::kEpsilon : ExprId::kNothing;
  if (min == 1 && max == 1) return e;
  if (e == ExprId::kAllStrings) return e;
  if (has_assertions(e) && max_length(e) == 0) return min == 0 ? ExprId::kEpsilon : e;  // idempotent
  if (nullable(e)) min = 0;
  if (min == 0 && max == 1) return nullable(e) ? e : alternation(e, ExprId::kEpsilon);
  if (max == kUnbounded) {
    if (e == any_byte_ && min == 0) return ExprId::kAllStrings;
    if (const ExprId body = star_body(e); body != e) return repeat(body, min, max);
  }
  const Counted inner = counted(e);
  if (inner.body != e) {
    // r{p,q}{m,n} = r{mp,nq} if the intervals [kp,kq] for m <= k <= n have no gap between them.
    const std::uint64_t p = inner.min, q = inner.max, m = min;
    const bool gapless = min == max || (m == 0 ? p <= 1 : q == kUnbounded || (m + 1) * p <= m * q + 1);
    const bool unbounded = q == kUnbounded || max == kUnbounded;
    const std::uint64_t low = m * p, high = unbounded ? kUnbounded : max * q;
    if (gapless && low < kUnbounded && (unbounded || high < kUnbounded)) {
      return repeat(inner.body, static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high));
    }
  }
  return intern(Kind::kRepeat, word(e), min, max);
}

ExprId ExprSet::complement(ExprId e) {
  switch (kind(e)) {
    case Kind::kOverflow: return e;
    case Kind::kNothing: return ExprId::kAllStrings;
    case Kind::kAllStrings: return ExprId::kNothing;
    case Kind::kEpsilon: return intern(Kind::kRepeat, word(any_byte_), 1, kUnbounded);
    case Kind::kComplement: return operand(e);
    case Kind::kRepeat:
      if (operand(e) == any_byte_ && node(e).b == 1 && node(e).c == kUnbounded) return ExprId::kEpsilon;
      break;
    default: break;
  }
  return intern(Kind::kComplement, word(e), 0, 0);
}

}  // namespace weir::regex
