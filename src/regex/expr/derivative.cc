// Derivatives, their memo tables, and byte classes.
//
// An expression that has been derived has a row in memo_: the number of its partition of the bytes, then a derivative
// for each class, kUnknown if not computed yet. The derivative of an expression is a function of the derivatives of
// some of its parts, and the partition distinguishes the bytes that these parts distinguish. So it is as coarse as the
// first bytes of the expression allow. Equal partitions are stored once.
//
// Byte sets and concatenations that begin with one need no row. Some machines need none either (Atom::transient), such as
// JSON strings: for most of their residuals only one byte is ever queried.
//
// Derivatives of parts are computed first, with an explicit stack, so nested expressions cannot overflow the call
// stack.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/work.h"
#include "regex/atoms/atom.h"
#include "regex/expr/expr.h"
#include "regex/expr/id_set.h"
#include "regex/expr/search_bounds.h"

namespace weir::regex {

namespace {

// Returns true for some tails, one in kTailsForOnePart, that are parts of the concatenations that end in them. The derivatives
// of n heads that may be empty are then found once for all their tails, in n steps, and not in n² steps.
bool is_part(ExprId tail) {
  constexpr std::uint32_t kMixer = 0x9E3779B1;
  return static_cast<std::uint32_t>(tail) * kMixer < UINT32_MAX / kTailsForOnePart;
}

}  // namespace

ExprId ExprSet::known_derivative(ExprId e, std::uint8_t byte) const {
  const Node& n = node(e);
  if (n.row != 0) return ExprId{memo_[n.row + 1 + partitions_[memo_[n.row]].class_of[byte]]};
  switch (n.kind) {
    case Kind::kNothing:
    case Kind::kEpsilon: return ExprId::kNothing;
    case Kind::kAllStrings:
    case Kind::kOverflow: return e;
    case Kind::kByteSet: return sets_[n.a].contains(byte) ? ExprId::kEpsilon : ExprId::kNothing;
    case Kind::kConcat: {
      const Node& h = nodes_[n.a];
      if (h.kind == Kind::kByteSet) return sets_[h.a].contains(byte) ? ExprId{n.b} : ExprId::kNothing;
      return kUnknown;
    }
    default: return kUnknown;
  }
}

ExprId ExprSet::derivative(ExprId e, std::uint8_t byte) {
  const ExprId d = known_derivative(e, byte);
  if (d != kUnknown) return d;
  const ExprId first = head(e);
  if (kind(first) != Kind::kAtom) return derive(e, byte);
  const Atom::Transient transient = atom_of(first).transient(*this, state_of(first));
  const bool is_transient =
      transient == Atom::Transient::kAlone ? first == e : transient == Atom::Transient::kAlsoAsHead && node(e).row == 0;
  if (!is_transient) return derive(e, byte);
  const ExprId after = tail(e);
  return concat(atom_of(first).derivative(*this, state_of(first), byte), after);
}

ExprId ExprSet::derive(ExprId e, std::uint8_t byte) {
  ScratchPool<ExprId>::Lease stack(ids_);
  ScratchPool<ExprId>::Lease parts(ids_);
  ScratchPool<ExprId>::Lease derivatives(ids_);  // of the parts
  stack->push_back(e);
  while (!stack->empty()) {
    const ExprId x = stack->back();
    if (known_derivative(x, byte) != kUnknown) {
      stack->pop_back();
      continue;
    }
    if (fill_row_of_branches(x, *parts)) continue;
    parts->clear();
    ExprId d = kUnknown;
    if (kind(x) == Kind::kContext || kind(x) == Kind::kTracker) {
      d = derive_context(x, byte, *parts);
    } else {
      list_parts(x, *parts);
      derivatives->clear();
      const std::size_t before = stack->size();
      for (const ExprId part : *parts) {
        derivatives->push_back(known_derivative(part, byte));
        if (derivatives->back() == kUnknown) stack->push_back(part);
      }
      if (stack->size() != before) continue;
      d = derive_once(x, byte, *derivatives);
    }
    base::Work::charge(base::Work::kDerivative + parts->size());
    if (node(x).row == 0) make_row(x, *parts);
    const std::uint32_t row = node(x).row;
    memo_[row + 1 + partitions_[memo_[row]].class_of[byte]] = static_cast<std::uint32_t>(d);
    stack->pop_back();
  }
  return known_derivative(e, byte);
}

/// Appends the parts of `e` whose derivatives determine the derivative of `e`.
void ExprSet::list_parts(ExprId e, std::vector<ExprId>& parts) const {
  const Node& n = node(e);
  switch (n.kind) {
    case Kind::kConcat:
      do {
        parts.push_back(head(e));
        if (!nullable(head(e))) return;
        e = tail(e);
      } while (kind(e) == Kind::kConcat && !is_part(e));
      parts.push_back(e);
      return;
    case Kind::kRepeat:
    case Kind::kComplement: parts.push_back(ExprId{n.a}); return;
    case Kind::kAtom:
      if (is_decoder(e) && atom_of(e).feeds_text(state_of(n))) parts.push_back(ExprId{n.a});
      return;
    case Kind::kAlternation:
    case Kind::kIntersection:
      for (std::uint32_t i = 0; i < n.b; ++i) parts.push_back(child(n, i));
      return;
    default: return;
  }
}

/// Returns the derivative of `e`. `of_parts` are the derivatives of list_parts(e), in that order; they are overwritten.
ExprId ExprSet::derive_once(ExprId e, std::uint8_t byte, std::vector<ExprId>& of_parts) {
  const Node n = node(e);
  switch (n.kind) {
    case Kind::kRepeat: {
      // Correct also for a nullable body: min is then 0, so rounds that match the empty string can be skipped.
      const ExprId d = of_parts[0];
      if (d == ExprId::kNothing) return d;
      return concat(d, repeat(ExprId{n.a}, n.b == 0 ? 0 : n.b - 1, n.c == kUnbounded ? n.c : n.c - 1));
    }
    case Kind::kComplement: return complement(of_parts[0]);
    case Kind::kAtom: return atom_of(e).derivative(*this, state_of(n), byte);
    case Kind::kIntersection:
      return std::ranges::find(of_parts, ExprId::kNothing) != of_parts.end() ? ExprId::kNothing
                                                                             : intersection(of_parts);
    case Kind::kConcat:
      for (std::size_t i = 0; i < of_parts.size(); ++i) {
        if (i != 0 && (kind(e) != Kind::kConcat || is_part(e))) break;  // the last part is all that is left
        e = tail(e);
        of_parts[i] = concat(of_parts[i], e);
      }
      [[fallthrough]];
    default:
      std::erase(of_parts, ExprId::kNothing);  // a single derivative is then returned as it is
      return alternation(of_parts);
  }
}

/// Returns the number of the partition that distinguishes the bytes that `parts` and `sets` distinguish. Precondition:
/// `sets` outlives this ExprSet, which remembers it by its address. Memoised by the partitions and first byte sets of the
/// parts, if these are at most kMaxPartitionKey: they combine in few ways.
std::uint32_t ExprSet::partition_of(std::span<const ExprId> parts, std::span<const ByteSet> sets) {
  if (parts.size() == 1 && sets.empty() && node(parts[0]).row != 0) return memo_[node(parts[0]).row];
  std::vector<std::uint32_t>& key = partition_key_;
  key.clear();
  for (const ExprId part : parts) {
    if (const std::uint32_t row = node(part).row; row != 0) {
      key.push_back(memo_[row] << 1U);
    } else if (kind(head(part)) == Kind::kByteSet) {
      key.push_back((node(head(part)).a << 1U) | 1U);
    }
  }
  std::ranges::sort(key);
  key.erase(std::unique(key.begin(), key.end()), key.end());
  if (key.size() > kMaxPartitionKey) return make_partition(key, sets);
  std::uint32_t of_machine = 0;
  if (!sets.empty()) {
    const auto same = [&](const std::span<const ByteSet>& s) {
      return s.data() == sets.data() && s.size() == sets.size();
    };
    const auto which = std::ranges::find_if(partition_sets_, same);
    of_machine = static_cast<std::uint32_t>(which - partition_sets_.begin()) + 1;
    if (which == partition_sets_.end()) partition_sets_.push_back(sets);
  }
  key.push_back(of_machine);
  const auto [id, is_new] = partition_keys_.intern(key);
  if (is_new) partition_of_key_.push_back(make_partition(std::span(key).first(key.size() - 1), sets));
  return partition_of_key_[id];
}

/// Makes the partition for partition_of(). Each word of `key` is 2p for the partition p, or 2s + 1 for the byte set
/// sets_[s].
std::uint32_t ExprSet::make_partition(std::span<const std::uint32_t> key, std::span<const ByteSet> sets) {
  std::vector<ByteSet> classes{ByteSet::all()};
  ByteSet singles;
  const auto split = [&](const ByteSet& set) {
    for (std::size_t i = 0, count = classes.size(); i < count; ++i) {
      const ByteSet in = classes[i] & set;
      if (in.is_empty() || in == classes[i]) continue;
      classes[i] &= ~set;
      classes.push_back(in);
    }
  };
  for (const ByteSet& set : sets) split(set);
  for (const std::uint32_t word : key) {
    if ((word & 1U) == 0) {
      for (const ByteSet& set : partitions_[word >> 1U].sets) split(set);
    } else if (const ByteSet& set = sets_[word >> 1U]; set.size() == 1) {
      singles |= set;  // a node of a trie has many of these; they are split off together below
    } else {
      split(set);
    }
  }
  for (ByteSet& set : classes) set &= ~singles;
  std::erase_if(classes, [](const ByteSet& set) { return set.is_empty(); });
  singles.for_each([&](std::uint8_t byte) { classes.push_back(ByteSet::of(byte)); });
  std::ranges::sort(classes, {}, [](const ByteSet& set) { return set.first(); });
  Partition p;
  for (std::size_t i = 1; i < classes.size(); ++i) {
    classes[i].for_each([&](std::uint8_t byte) { p.class_of[byte] = static_cast<std::uint8_t>(i); });
  }
  std::array<std::uint32_t, 64> words{};
  std::memcpy(words.data(), p.class_of.data(), sizeof words);
  const auto [id, is_new] = partition_ids_.intern(words);
  if (is_new) {
    p.sets = std::move(classes);
    partitions_.push_back(std::move(p));
  }
  return id;
}

/// Creates the row of `e`. Preconditions: the derivative of `e` is a function of those of `parts`; these are known for
/// some byte.
void ExprSet::make_row(ExprId e, std::span<const ExprId> parts) {
  const bool is_atom = kind(e) == Kind::kAtom;
  const std::uint32_t partition =
      partition_of(parts, is_atom ? atom_of(e).classes(state_of(e)) : std::span<const ByteSet>());
  node(e).row = static_cast<std::uint32_t>(memo_.size());
  memo_.push_back(partition);
  memo_.resize(memo_.size() + partitions_[partition].sets.size(), static_cast<std::uint32_t>(kUnknown));
}

// Fills the row of an alternation whose parts begin with byte sets, in one pass: a node of a trie with k branches has k
// bytes, and to visit all parts for each byte would take k² steps. Bytes with which several parts begin stay unknown.
// Returns false if the row exists or `e` is of another form.
bool ExprSet::fill_row_of_branches(ExprId e, std::vector<ExprId>& parts) {
  if (kind(e) != Kind::kAlternation || node(e).row != 0) return false;
  parts.clear();
  list_parts(e, parts);
  std::array<ExprId, 256> to{};  // kNothing
  std::size_t bytes_of_parts = 0;
  for (const ExprId part : parts) {
    if (part == ExprId::kEpsilon) continue;
    if (kind(head(part)) != Kind::kByteSet) return false;
    const ByteSet& first = bytes(head(part));
    bytes_of_parts += static_cast<std::size_t>(first.size());
    if (bytes_of_parts > to.size()) return false;  // many parts share bytes
    first.for_each([&](std::uint8_t byte) { to[byte] = to[byte] == ExprId::kNothing ? tail(part) : kUnknown; });
  }
  base::Work::charge(base::Work::kDerivative + parts.size());
  make_row(e, parts);
  const std::uint32_t row = node(e).row;
  const std::vector<ByteSet>& classes = partitions_[memo_[row]].sets;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    memo_[row + 1 + i] = static_cast<std::uint32_t>(to[classes[i].first()]);
  }
  return true;
}

std::span<const ByteSet> ExprSet::first_classes(ExprId e) {
  if (node(e).row == 0) derive(e, 0);
  const std::uint32_t row = node(e).row;
  return partitions_[row != 0 ? memo_[row] : partition_of({&e, 1})].sets;  // some kinds need no row
}

void ExprSet::append_branches(ExprId e, std::vector<Branch>& branches) {
  if (kind(head(e)) == Kind::kByteSet) {
    branches.push_back({bytes(head(e)), tail(e)});
    return;
  }
  if (kind(e) == Kind::kAtom && atom_of(e).append_branches(*this, state_of(e), branches)) return;
  if (kind(e) == Kind::kConcat && !nullable(head(e))) {  // few bytes of the head lead anywhere
    const ExprId after = tail(e);
    const std::size_t first = branches.size();
    append_branches(head(e), branches);
    for (std::size_t i = first; i < branches.size(); ++i) branches[i].to = concat(branches[i].to, after);
    return;
  }
  for (const ByteSet& bytes : first_classes(e)) {
    const ExprId to = derivative(e, bytes.first());
    if (to != ExprId::kNothing) branches.push_back({bytes, to});
  }
}

ByteSet ExprSet::first_bytes(ExprId e) {
  std::vector<Branch> branches;
  append_branches(e, branches);
  ByteSet bytes;
  for (const Branch& branch : branches) bytes |= branch.bytes;
  return bytes;
}

bool ExprSet::matches(ExprId e, std::string_view text) {
  if (text.size() < min_length(e) || text.size() > max_length(e)) return false;
  for (char c : text) {
    if (e == ExprId::kNothing) return false;
    e = derivative(e, static_cast<std::uint8_t>(c));
  }
  return nullable(e);
}

void ExprSet::refine_classes(std::span<const ExprId> exprs, ByteClasses& classes) const {
  IdSet seen;
  std::vector<ExprId> stack(exprs.rbegin(), exprs.rend());
  while (!stack.empty()) {
    const ExprId x = stack.back();
    stack.pop_back();
    if (!seen.insert(static_cast<std::uint32_t>(x))) continue;
    if (kind(x) == Kind::kByteSet) classes.refine(bytes(x));
    if (kind(x) == Kind::kAtom) atom_of(x).refine_classes(classes);
    if (kind(x) == Kind::kConcat) {  // the head first
      stack.insert(stack.end(), {tail(x), head(x)});
    } else {
      for (const ExprId part : operands(x)) stack.push_back(part);
    }
  }
}

}  // namespace weir::regex
