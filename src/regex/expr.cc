#include "regex/expr.h"

#include <algorithm>

#include "base/hash.h"

namespace weir::regex {

namespace {
constexpr std::uint32_t word(ExprId e) { return static_cast<std::uint32_t>(e); }
}  // namespace

ExprSet::ExprSet(std::uint32_t node_limit) : node_limit_(std::max(node_limit, 8U)), slots_(64), memo_(1) {
  for (Kind kind : {Kind::kNothing, Kind::kEpsilon, Kind::kAllStrings, Kind::kOverflow}) {
    Node n;
    n.kind = kind;
    if (kind == Kind::kEpsilon || kind == Kind::kAllStrings) n.flags = kNullableFlag | kPositiveFlag;
    nodes_.push_back(n);
  }
  any_byte_ = byte_set(ByteSet::all());
}

void ExprSet::grow_slots() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == UINT32_MAX) continue;
    std::size_t i = slot.hash & mask;
    while (slots_[i].id != UINT32_MAX) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

template <typename Equal, typename Make>
ExprId ExprSet::find_or_add(std::uint64_t hash64, Equal equal, Make make) {
  const auto hash = static_cast<std::uint32_t>(hash64 >> 16);
  std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  for (; slots_[i].id != UINT32_MAX; i = (i + 1) & mask) {
    if (slots_[i].hash == hash && equal(nodes_[slots_[i].id])) return ExprId{slots_[i].id};
  }
  if (nodes_.size() >= node_limit_) return ExprId::kOverflow;
  const auto id = static_cast<std::uint32_t>(nodes_.size());
  if ((nodes_.size() + 1) * 4 > slots_.size() * 3) {
    grow_slots();
    mask = slots_.size() - 1;
    i = hash & mask;
    while (slots_[i].id != UINT32_MAX) i = (i + 1) & mask;
  }
  slots_[i] = {id, hash};
  Node n = make();
  set_flags(n);
  nodes_.push_back(n);
  return ExprId{id};
}

void ExprSet::set_flags(Node& n) const {
  bool null = false;
  bool positive = false;
  const auto has = [&](std::uint32_t id, std::uint8_t flag) { return (nodes_[id].flags & flag) != 0; };
  switch (n.kind) {
    case Kind::kByteSet: positive = true; break;
    case Kind::kConcat:
      null = has(n.a, kNullableFlag) && has(n.b, kNullableFlag);
      positive = has(n.a, kPositiveFlag) && has(n.b, kPositiveFlag);
      break;
    case Kind::kRepeat:
      null = n.b == 0 || has(n.a, kNullableFlag);
      positive = has(n.a, kPositiveFlag);
      break;
    case Kind::kAlternation:
      for (std::uint32_t i = 0; i < n.b; ++i) {
        null |= has(pool_[n.a + i], kNullableFlag);
        positive |= has(pool_[n.a + i], kPositiveFlag);
      }
      break;
    case Kind::kIntersection:
      null = true;
      for (std::uint32_t i = 0; i < n.b; ++i) null &= has(pool_[n.a + i], kNullableFlag);
      break;
    case Kind::kComplement: null = !has(n.a, kNullableFlag); break;
    default: break;
  }
  if (null) positive = true;
  n.flags = static_cast<std::uint8_t>((null ? kNullableFlag : 0) | (positive ? kPositiveFlag : 0));
}

ExprId ExprSet::intern(Kind kind, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::array<std::uint32_t, 4> key{static_cast<std::uint32_t>(kind), a, b, c};
  return find_or_add(
      base::hash_words(key), [&](const Node& n) { return n.kind == kind && n.a == a && n.b == b && n.c == c; },
      [&] {
        Node n;
        n.kind = kind;
        n.a = a;
        n.b = b;
        n.c = c;
        return n;
      });
}

ExprId ExprSet::intern_list(Kind kind, std::span<const ExprId> list) {
  std::uint64_t hash = base::hash_mix(static_cast<std::uint64_t>(kind) + 77, list.size());
  for (ExprId e : list) hash = base::hash_mix(hash, word(e));
  return find_or_add(
      hash,
      [&](const Node& n) {
        if (n.kind != kind || n.b != list.size()) return false;
        for (std::uint32_t i = 0; i < n.b; ++i) {
          if (pool_[n.a + i] != word(list[i])) return false;
        }
        return true;
      },
      [&] {
        Node n;
        n.kind = kind;
        n.a = static_cast<std::uint32_t>(pool_.size());
        n.b = static_cast<std::uint32_t>(list.size());
        for (ExprId e : list) pool_.push_back(word(e));
        return n;
      });
}

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

ExprId ExprSet::literal(std::string_view bytes) {
  ExprId e = ExprId::kEpsilon;
  for (std::size_t i = bytes.size(); i-- > 0;)
    e = concat(byte_set(ByteSet::of(static_cast<std::uint8_t>(bytes[i]))), e);
  return e;
}

ExprSet::Counted ExprSet::counted(ExprId e) const {
  const Node& n = node(e);
  if (n.kind == Kind::kRepeat) return {ExprId{n.a}, n.b, n.c};
  if (n.kind == Kind::kAllStrings) return {any_byte_, 0, kUnbounded};
  return {e, 1, 1};
}

ExprId ExprSet::cons(ExprId h, ExprId t) {
  if (t == ExprId::kEpsilon) return h;
  const ExprId next = head(t);
  if (next == ExprId::kAllStrings && nullable(h)) return t;
  const Counted x = counted(h);
  const Counted y = counted(next);
  if (x.body == y.body && (x.body != h || y.body != next)) {
    const std::uint64_t max = x.max == kUnbounded || y.max == kUnbounded ? kUnbounded : std::uint64_t{x.max} + y.max;
    const std::uint64_t min = std::uint64_t{x.min} + y.min;
    if (min < kUnbounded && (max < kUnbounded || x.max == kUnbounded || y.max == kUnbounded)) {
      const ExprId merged = repeat(x.body, static_cast<std::uint32_t>(min), static_cast<std::uint32_t>(max));
      return concat(merged, tail(t));
    }
  }
  return intern(Kind::kConcat, word(h), word(t), 0);
}

ExprId ExprSet::concat(ExprId a, ExprId b) {
  if (a == ExprId::kOverflow || b == ExprId::kOverflow) return ExprId::kOverflow;
  if (a == ExprId::kNothing || b == ExprId::kNothing) return ExprId::kNothing;
  if (a == ExprId::kEpsilon) return b;
  if (b == ExprId::kEpsilon) return a;
  if (kind(a) != Kind::kConcat) return cons(a, b);
  std::vector<ExprId> heads;
  for (; kind(a) == Kind::kConcat; a = tail(a)) heads.push_back(head(a));
  ExprId e = concat(a, b);
  for (std::size_t i = heads.size(); i-- > 0 && e != ExprId::kOverflow;) e = cons(heads[i], e);
  return e;
}

ExprId ExprSet::concat(std::span<const ExprId> parts) {
  ExprId e = ExprId::kEpsilon;
  for (std::size_t i = parts.size(); i-- > 0;) e = concat(parts[i], e);
  return e;
}

ExprId ExprSet::repeat(ExprId e, std::uint32_t min, std::uint32_t max) {
  if (e == ExprId::kOverflow) return e;
  if (min > max) return ExprId::kNothing;
  if (max == 0) return ExprId::kEpsilon;
  if (min == 1 && max == 1) return e;
  if (e == ExprId::kNothing) return min == 0 ? ExprId::kEpsilon : ExprId::kNothing;
  if (e == ExprId::kEpsilon || e == ExprId::kAllStrings) return e;
  if (nullable(e)) min = 0;
  if (e == any_byte_ && min == 0 && max == kUnbounded) return ExprId::kAllStrings;
  if (min == 0 && max == 1 && nullable(e)) return e;
  return intern(Kind::kRepeat, word(e), min, max);
}

ExprId ExprSet::complement(ExprId e) {
  switch (kind(e)) {
    case Kind::kOverflow: return e;
    case Kind::kNothing: return ExprId::kAllStrings;
    case Kind::kAllStrings: return ExprId::kNothing;
    case Kind::kComplement: return ExprId{node(e).a};
    default: return intern(Kind::kComplement, word(e), 0, 0);
  }
}

std::size_t ExprSet::memory_bytes() const {
  return nodes_.capacity() * sizeof(Node) + pool_.capacity() * sizeof(std::uint32_t) +
         sets_.capacity() * sizeof(ByteSet) + slots_.capacity() * sizeof(Slot) +
         partitions_.capacity() * sizeof(Partition) + partition_ids_.memory_bytes() +
         memo_.capacity() * sizeof(std::uint32_t);
}

ExprId ExprSet::alternation(ExprId a, ExprId b) {
  const std::array<ExprId, 2> parts{a, b};
  return alternation(parts);
}

ExprId ExprSet::intersection(ExprId a, ExprId b) {
  const std::array<ExprId, 2> parts{a, b};
  return intersection(parts);
}

ExprId ExprSet::alternation(std::span<const ExprId> parts) {
  std::vector<ExprId> work(parts.rbegin(), parts.rend());
  std::vector<ExprId> terms;
  ByteSet bytes;
  bool all = false;
  bool epsilon = false;
  while (!work.empty()) {
    const ExprId e = work.back();
    work.pop_back();
    const Node n = node(e);
    switch (n.kind) {
      case Kind::kOverflow: return e;
      case Kind::kNothing: break;
      case Kind::kEpsilon: epsilon = true; break;
      case Kind::kAllStrings: all = true; break;
      case Kind::kByteSet: bytes |= sets_[n.a]; break;
      case Kind::kAlternation:
        for (std::uint32_t i = 0; i < n.b; ++i) work.push_back(child(e, i));
        break;
      case Kind::kRepeat:
        if (n.b == 0 && n.c == 1) {
          epsilon = true;
          work.push_back(ExprId{n.a});
          break;
        }
        [[fallthrough]];
      default: terms.push_back(e);
    }
  }
  if (all) return ExprId::kAllStrings;
  if (!bytes.is_empty()) {
    const ExprId set = byte_set(bytes);
    if (set == ExprId::kOverflow) return set;
    terms.push_back(set);
  }
  std::ranges::sort(terms);
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  if (terms.empty()) return epsilon ? ExprId::kEpsilon : ExprId::kNothing;
  const ExprId e = terms.size() == 1 ? terms[0] : intern_list(Kind::kAlternation, terms);
  return epsilon ? repeat(e, 0, 1) : e;
}

ExprId ExprSet::intersection(std::span<const ExprId> parts) {
  std::vector<ExprId> work(parts.rbegin(), parts.rend());
  std::vector<ExprId> terms;
  ByteSet bytes = ByteSet::all();
  bool nothing = false;
  bool has_bytes = false;
  while (!work.empty()) {
    const ExprId e = work.back();
    work.pop_back();
    const Node n = node(e);
    switch (n.kind) {
      case Kind::kOverflow: return e;
      case Kind::kNothing: nothing = true; break;
      case Kind::kAllStrings: break;
      case Kind::kByteSet:
        bytes &= sets_[n.a];
        has_bytes = true;
        break;
      case Kind::kIntersection:
        for (std::uint32_t i = 0; i < n.b; ++i) work.push_back(child(e, i));
        break;
      default: terms.push_back(e);
    }
  }
  if (nothing || (has_bytes && bytes.is_empty())) return ExprId::kNothing;
  if (has_bytes) {
    const ExprId set = byte_set(bytes);
    if (set == ExprId::kOverflow) return set;
    terms.push_back(set);
  }
  std::ranges::sort(terms);
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  if (terms.empty()) return ExprId::kAllStrings;
  if (terms[0] == ExprId::kEpsilon) {
    return std::ranges::all_of(terms, [&](ExprId e) { return nullable(e); }) ? ExprId::kEpsilon : ExprId::kNothing;
  }
  return terms.size() == 1 ? terms[0] : intern_list(Kind::kIntersection, terms);
}

}  // namespace weir::regex
