// The normal forms of alternations and, in the second part, of intersections.
//
// A term is split into head·tail. The steps below are exact; a step that applies to no term is skipped.
//   flatten      Merges nested alternations and removes duplicates; joins byte sets; removes ε, which at the end makes
//                the result {0,1}; joins complements: ~x | ~y = ~(x & y).
//   join_counts  r{1,3}t | r{3,9}t = r{1,9}t;  r{1,9}t | t = r{0,9}t
//   factor       h·x | h·y = h·(x | y), unless h is a bounded repeat, which join_counts needs as a head. h{2,3}·x is
//                treated as h·h{1,2}·x if another term begins with h.
//   dispatch     For terms that begin with a byte set: makes the sets disjoint where a single byte overlaps a set, then
//                joins terms with equal tails. Literals become a trie, and a derivative visits one branch.
//   absorb       If there are few terms, joins two whose union is known to be one term: one includes the other, they are
//                decoders in the same state, or they differ in one count after common heads.
// For literals with common prefixes, factor() calls alternation() recursively, once for each branching node on a path
// of their trie; a common prefix of several bytes is one step.
#include <algorithm>

#include "base/hash.h"
#include "base/stack.h"
#include "base/work.h"
#include "regex/atoms/atom.h"
#include "regex/expr/expr.h"
#include "regex/expr/search_bounds.h"
#include "regex/expr/structure.h"

namespace weir::regex {

class ExprSet::AlternationBuilder {
 public:
  explicit AlternationBuilder(ExprSet& set) : s_(set), terms_(set.terms_), ids_(set.ids_) { ++s_.depth_; }
  ~AlternationBuilder() { --s_.depth_; }
  AlternationBuilder(const AlternationBuilder&) = delete;
  AlternationBuilder& operator=(const AlternationBuilder&) = delete;

  void add(ExprId e);
  ExprId finish();

 private:
  void add_term(ExprId e) { terms_->push_back({s_.head(e), s_.tail(e), e}); }
  void replace(Term& term, ExprId e) {
    term = {s_.head(e), s_.tail(e), e};
    changed_ = true;
    overflow_ |= e == ExprId::kOverflow;
    all_ |= e == ExprId::kAllStrings;
  }
  [[nodiscard]] bool done() { return overflow_ || all_ || terms_->size() < 2; }
  void join_complements();
  void simplify();
  void sort_unique();
  void drop_marked() {
    std::erase_if(*terms_, [](const Term& t) { return t.id == ExprId::kNothing; });
  }
  void join_counts();
  void join_intervals(std::span<Term> group);
  bool lower_to_zero(std::span<Term> group, ExprId tail, bool alone);
  void factor();
  [[nodiscard]] bool may_factor(ExprId head) const;
  [[nodiscard]] ExprId factor_of(ExprId head) const;
  ExprId less_one_head(const Term& term);
  void factor_group(std::span<Term> group, ExprId factor);
  void dispatch();
  void split_single_bytes(std::span<Term> group);
  void join_equal_tails(std::span<Term> group);
  void absorb();
  std::optional<ExprId> union_of_two(ExprId x, ExprId y, int depth);
  ExprId assemble();

  ExprSet& s_;
  ScratchPool<Term>::Lease terms_;
  ScratchPool<ExprId>::Lease ids_;  // first the operands of complements, later scratch space of the steps
  ByteSet bytes_;
  bool epsilon_ = false;
  bool all_ = false;
  bool overflow_ = false;
  bool changed_ = false;
};

void ExprSet::AlternationBuilder::add(ExprId e) {
  const Node n = s_.node(e);
  switch (n.kind) {
    case Kind::kNothing: return;
    case Kind::kEpsilon: epsilon_ = true; return;
    case Kind::kAllStrings: all_ = true; return;
    case Kind::kOverflow: overflow_ = true; return;
    case Kind::kByteSet: bytes_ |= s_.sets_[n.a]; return;
    case Kind::kComplement: ids_->push_back(ExprId{n.a}); return;
    case Kind::kAlternation:
      for (std::uint32_t i = 0; i < n.b; ++i) add(s_.child(n, i));  // recursion depth 1: no child is an alternation
      return;
    case Kind::kRepeat:
      if (n.b == 0 && n.c == 1) {
        epsilon_ = true;
        return add(ExprId{n.a});  // which is not a repeat {0,1}
      }
      break;
    default: break;
  }
  add_term(e);
}

ExprId ExprSet::AlternationBuilder::finish() {
  join_complements();
  if (!bytes_.is_empty() && !overflow_ && !all_) {
    const ExprId set = s_.byte_set(bytes_);
    overflow_ |= set == ExprId::kOverflow;
    add_term(set);
  }
  simplify();
  if (overflow_) return ExprId::kOverflow;
  return all_ ? ExprId::kAllStrings : assemble();
}

/// ~x | ~y = ~(x & y)
void ExprSet::AlternationBuilder::join_complements() {
  if (ids_->empty() || overflow_) return;
  if (s_.depth_ >= kMaxConstructorDepth) {
    for (ExprId e : *ids_) add_term(s_.complement(e));
    return ids_->clear();
  }
  const ExprId e = s_.complement(ids_->size() == 1 ? (*ids_)[0] : s_.intersection(*ids_));
  ids_->clear();
  if (s_.kind(e) != Kind::kComplement) return add(e);  // the intersection was simplified
  const ExprId operand = s_.operand(e);
  if (s_.kind(operand) == Kind::kByteSet) all_ |= (s_.bytes(operand) & ~bytes_).is_empty();
  for (const Term& t : *terms_) all_ |= t.id == operand;  // x | ~x
  add_term(e);
}

void ExprSet::AlternationBuilder::simplify() {
  for (int round = 0; round < kMaxLawRounds && !done(); ++round) {
    if (terms_->size() >= kManyTerms) base::Work::charge(terms_->size() / kTermsForOneStep);
    sort_unique();
    changed_ = false;
    if (std::ranges::any_of(*terms_, [&](const Term& t) { return s_.counted(t.head).body != t.head; })) join_counts();
    if (!done()) factor();
    if (!done()) dispatch();
    if (!done() && terms_->size() <= kMaxAbsorbTerms) absorb();
    if (!changed_) return;
  }
}

void ExprSet::AlternationBuilder::sort_unique() {
  std::ranges::sort(*terms_, {}, &Term::id);
  const auto same = [](const Term& x, const Term& y) { return x.id == y.id; };
  terms_->erase(std::unique(terms_->begin(), terms_->end(), same), terms_->end());
}

// --- Terms with equal tails and counted repeats as heads ---

void ExprSet::AlternationBuilder::join_counts() {
  bool nullable = epsilon_;
  ids_->clear();
  for (const Term& t : *terms_) {  // ascending
    ids_->push_back(t.id);
    nullable |= s_.nullable(t.id);
  }
  std::ranges::sort(*terms_, [&](const Term& x, const Term& y) {
    if (x.tail != y.tail) return x.tail < y.tail;
    const Counted a = s_.counted(x.head);
    const Counted b = s_.counted(y.head);
    if (a.body != b.body) return a.body < b.body;
    return a.min != b.min ? a.min < b.min : a.max < b.max;
  });
  ScratchPool<ExprId>::Lease needless(s_.ids_);
  for (std::size_t first = 0, last = 0; first < terms_->size(); first = last) {
    const ExprId tail = (*terms_)[first].tail;
    while (last < terms_->size() && (*terms_)[last].tail == tail) ++last;
    const std::span<Term> group = std::span(*terms_).subspan(first, last - first);
    join_intervals(group);
    const bool alone = tail == ExprId::kEpsilon ? nullable : std::ranges::binary_search(*ids_, tail);
    if (!lower_to_zero(group, tail, alone)) continue;
    if (tail == ExprId::kEpsilon) {
      epsilon_ = false;
    } else if (alone) {
      needless->push_back(tail);
    }
  }
  ids_->clear();
  std::ranges::sort(*needless);
  std::erase_if(*terms_,
                [&](const Term& t) { return t.id == ExprId::kNothing || std::ranges::binary_search(*needless, t.id); });
}

/// r{1,3}t | r{3,9}t = r{1,9}t. Precondition: the terms have the same tail and are sorted by body and counts.
void ExprSet::AlternationBuilder::join_intervals(std::span<Term> group) {
  for (std::size_t i = 0, j = 0; i < group.size(); i = j) {
    const Counted first = s_.counted(group[i].head);
    std::uint32_t max = first.max;
    for (j = i + 1; j < group.size(); ++j) {
      const Counted next = s_.counted(group[j].head);
      if (next.body != first.body || (max != kUnbounded && next.min > max + 1)) break;
      max = std::max(max, next.max);
      group[j].id = ExprId::kNothing;
    }
    if (max != first.max) replace(group[i], s_.concat(s_.repeat(first.body, first.min, max), group[i].tail));
  }
}

/// t | r{1,9}t = r{0,9}t, if t is a term (`alone`) or is included in a term r{0,n}t. Returns true if there is a term
/// r{0,n}t afterwards.
bool ExprSet::AlternationBuilder::lower_to_zero(std::span<Term> group, ExprId tail, bool alone) {
  bool zero = false;
  const auto is_live_repeat = [&](const Term& t) {
    return t.id != ExprId::kNothing && t.tail == tail && s_.counted(t.head).body != t.head;
  };
  for (const Term& t : group) zero |= is_live_repeat(t) && s_.counted(t.head).min == 0;
  if (!zero && !alone) return false;
  for (Term& t : group) {
    if (!is_live_repeat(t) || s_.counted(t.head).min != 1) continue;
    const Counted c = s_.counted(t.head);
    replace(t, s_.concat(s_.repeat(c.body, 0, c.max), t.tail));
    zero = true;
  }
  return zero;
}

// --- Common heads ---

void ExprSet::AlternationBuilder::factor() {
  if (s_.depth_ >= kMaxConstructorDepth) return;
  const auto by_factor = [&](const Term& t) { return factor_of(t.head); };
  std::ranges::sort(*terms_, {}, by_factor);
  for (std::size_t first = 0, last = 0; first < terms_->size() && !overflow_; first = last) {
    const ExprId factor = by_factor((*terms_)[first]);
    while (last < terms_->size() && by_factor((*terms_)[last]) == factor) ++last;
    const std::span<Term> group = std::span(*terms_).subspan(first, last - first);
    const auto is_plain = [&](const Term& t) { return t.head == factor; };
    if (group.size() > 1 && may_factor(factor) && std::ranges::any_of(group, is_plain)) factor_group(group, factor);
  }
  drop_marked();
}

/// Returns false for bounded repeats, which must stay heads for join_counts().
bool ExprSet::AlternationBuilder::may_factor(ExprId head) const {
  const Node& n = s_.node(head);
  return n.kind != Kind::kRepeat || (n.b == 0 && n.c == kUnbounded);
}

/// Returns the factor that may be split off: r for a head r{2,3}, since r{2,3}x | r·y = r·(r{1,2}x | y); for other
/// heads the head itself.
ExprId ExprSet::AlternationBuilder::factor_of(ExprId head) const {
  const Node& n = s_.node(head);
  return n.kind == Kind::kRepeat && n.b > 0 ? ExprId{n.a} : head;
}

/// Returns r{1,2}x for the term r{2,3}x.
ExprId ExprSet::AlternationBuilder::less_one_head(const Term& term) {
  const Counted c = s_.counted(term.head);
  return s_.concat(s_.repeat(c.body, c.min - 1, c.max == kUnbounded ? c.max : c.max - 1), term.tail);
}

/// h·x | h·y = h·(x | y)
void ExprSet::AlternationBuilder::factor_group(std::span<Term> group, ExprId factor) {
  ScratchPool<ExprId>::Lease prefix(s_.ids_);
  ScratchPool<ExprId>::Lease tails(s_.ids_);
  prefix->push_back(factor);
  for (Term& t : group) {
    tails->push_back(t.head == factor ? t.tail : less_one_head(t));
    t.id = ExprId::kNothing;
  }
  for (;;) {
    const ExprId next = s_.head((*tails)[0]);
    const bool common = next != ExprId::kEpsilon && may_factor(next) &&
                        std::ranges::all_of(*tails, [&](ExprId t) { return s_.head(t) == next; });
    if (!common) break;
    prefix->push_back(next);
    for (ExprId& t : *tails) t = s_.tail(t);
  }
  ExprId e = s_.alternation(*tails);
  for (std::size_t i = prefix->size(); i-- > 0 && e != ExprId::kOverflow;) e = s_.cons((*prefix)[i], e);
  replace(group[0], e);
}

// --- Terms that begin with a byte set ---

void ExprSet::AlternationBuilder::dispatch() {
  const auto begins_with_set = [&](const Term& t) { return s_.kind(t.head) == Kind::kByteSet; };
  const std::span<Term> group(terms_->begin(), std::partition(terms_->begin(), terms_->end(), begins_with_set));
  if (group.size() < 2) return;
  ByteSet seen;
  bool disjoint = true;
  for (const Term& t : group) {
    disjoint &= (seen & s_.bytes(t.head)).is_empty();
    seen |= s_.bytes(t.head);
  }
  // Until the loop below, a changed term has its new head and tail, and the id kUnknown.
  if (!disjoint && s_.depth_ < kMaxConstructorDepth) split_single_bytes(group);
  join_equal_tails(group);
  for (Term& t : group) {
    if (t.head == ExprId::kOverflow || t.tail == ExprId::kOverflow) {
      overflow_ = true;
    } else if (t.id == kUnknown) {
      replace(t, s_.cons(t.head, t.tail));
    }
  }
  drop_marked();
}

/// [ab]x | a·y = b·x | a·(x | y). Only single bytes split sets: the result is then no larger than the trie that
/// derivatives would create. Splitting sets by sets can create an expression for every subset of the terms.
void ExprSet::AlternationBuilder::split_single_bytes(std::span<Term> group) {
  std::array<std::uint16_t, 256> place{};  // by byte: index in `group` of the term whose head is this byte
  ByteSet singles;
  for (std::size_t i = 0; i < std::min<std::size_t>(group.size(), UINT16_MAX); ++i) {
    const ByteSet& set = s_.bytes(group[i].head);
    if (set.size() != 1 || singles.contains(set.first())) continue;
    place[set.first()] = static_cast<std::uint16_t>(i);
    singles.add(set.first());
  }
  for (Term& t : group) {
    const ByteSet set = s_.bytes(t.head);
    const ByteSet common = set & singles;
    if (set.size() == 1 || common.is_empty()) continue;
    for (ByteSet left = common; !left.is_empty(); left &= ~ByteSet::of(left.first())) {
      Term& byte = group[place[left.first()]];
      byte.tail = s_.alternation(byte.tail, t.tail);
      byte.id = kUnknown;
    }
    t.head = s_.byte_set(set & ~common);
    t.id = t.head == ExprId::kNothing ? ExprId::kNothing : kUnknown;
  }
}

/// a·x | b·x = [ab]x
void ExprSet::AlternationBuilder::join_equal_tails(std::span<Term> group) {
  std::ranges::sort(group, {}, &Term::tail);
  for (std::size_t i = 0, j = 0; i < group.size(); i = j) {
    Term& first = group[i];
    ByteSet joined;
    std::size_t live = 0;
    for (; j < group.size() && group[j].tail == first.tail; ++j) {
      if (group[j].id == ExprId::kNothing || group[j].head == ExprId::kOverflow) continue;
      joined |= s_.bytes(group[j].head);
      ++live;
    }
    if (live < 2) continue;
    for (Term& t : group.subspan(i, j - i)) t.id = ExprId::kNothing;
    first.head = s_.byte_set(joined);
    first.id = kUnknown;
  }
}

// --- Absorption, and assembly of the result ---

void ExprSet::AlternationBuilder::absorb() {
  // After the limit terms may stay that others absorb: the language is the same, and the call ends without it.
  for (std::size_t i = 0; i + 1 < terms_->size() && !base::Work::is_met(); ++i) {
    for (std::size_t j = i + 1; j < terms_->size();) {
      Term& x = (*terms_)[i];
      const Term& y = (*terms_)[j];
      const bool sets = s_.kind(x.head) == Kind::kByteSet && s_.kind(y.head) == Kind::kByteSet;
      const std::optional<ExprId> both = sets ? std::nullopt : union_of_two(x.id, y.id, 0);
      if (!both) {
        ++j;
        continue;
      }
      if (*both != x.id) replace(x, *both);
      terms_->erase(terms_->begin() + static_cast<std::ptrdiff_t>(j));
      j = i + 1;
    }
  }
}

/// Returns x | y if it is known to be a single term.
std::optional<ExprId> ExprSet::AlternationBuilder::union_of_two(ExprId x, ExprId y, int depth) {
  const bool x_has_y = s_.includes_memoised(x, y);
  const bool y_has_x = s_.includes_memoised(y, x);
  if (x_has_y || y_has_x) return x_has_y && y_has_x ? std::min(x, y) : x_has_y ? x : y;
  if (const std::optional<ExprId> both = s_.join_decoders(x, y, false)) return both;
  if (depth == kMaxCommonHeads || s_.kind(x) != Kind::kConcat || s_.kind(y) != Kind::kConcat) return std::nullopt;
  if (s_.head(x) == s_.head(y)) {
    const std::optional<ExprId> t = union_of_two(s_.tail(x), s_.tail(y), depth + 1);
    if (!t) return std::nullopt;
    return s_.concat(s_.head(x), *t);
  }
  const Counted a = s_.counted(s_.head(x));
  const Counted b = s_.counted(s_.head(y));
  if (s_.tail(x) != s_.tail(y) || a.body != b.body) return std::nullopt;
  const Counted& low = a.min <= b.min ? a : b;
  const Counted& high = a.min <= b.min ? b : a;
  if (low.max != kUnbounded && high.min > low.max + 1) return std::nullopt;
  return s_.concat(s_.repeat(a.body, low.min, std::max(a.max, b.max)), s_.tail(x));
}

ExprId ExprSet::AlternationBuilder::assemble() {
  const bool null = epsilon_ || std::ranges::any_of(*terms_, [&](const Term& t) { return s_.nullable(t.id); });
  ids_->clear();
  for (const Term& t : *terms_) {
    const bool only_test = s_.has_assertions(t.id) && s_.max_length(t.id) == 0;
    if (!null || !only_test) ids_->push_back(t.id);  // ε | (ε if an assertion holds) = ε
  }
  std::ranges::sort(*ids_);
  ids_->erase(std::unique(ids_->begin(), ids_->end()), ids_->end());
  if (ids_->empty()) return null ? ExprId::kEpsilon : ExprId::kNothing;
  const ExprId e = ids_->size() == 1 ? (*ids_)[0] : s_.intern_list(Kind::kAlternation, *ids_, 0);
  if (!epsilon_ || e == ExprId::kOverflow || s_.nullable(e)) return e;
  const Counted c = s_.counted(e);
  if (c.body != e && c.min == 1) return s_.repeat(c.body, 0, c.max);
  return s_.intern(Kind::kRepeat, static_cast<std::uint32_t>(e), 0, 1);
}

// Builders work by calls of one another, up to kMaxConstructorDepth.
template <typename Builder>
ExprId ExprSet::finish(Builder& form) {
  return depth_ % kLevelsForOneStackTest == 0 ? base::with_stack([&] { return form.finish(); }) : form.finish();
}

ExprId ExprSet::alternation(std::span<const ExprId> parts) {
  if (parts.size() == 1) return parts[0];
  if (parts.size() == 2) return alternation(parts[0], parts[1]);
  AlternationBuilder form(*this);
  for (ExprId e : parts) form.add(e);
  return finish(form);
}

ExprId ExprSet::alternation(ExprId a, ExprId b) {
  if (a == b || b == ExprId::kNothing || a == ExprId::kOverflow) return a;
  if (a == ExprId::kNothing || b == ExprId::kOverflow) return b;
  AlternationBuilder form(*this);
  form.add(a);
  form.add(b);
  return finish(form);
}

// The normal form of intersections.
//
//   flatten      Merges nested intersections and removes duplicates; intersects byte sets; drops all strings; joins
//                complements: ~x & ~y = ~(x | y).
//   lengths      If no length is possible for all operands, the result is the empty set. If no length above one is, as
//                for a byte set S and any r, the result is the set of common members of length 0 and 1.
//   decoders     Intersects two decoders in the same state, such as JSON strings, by intersecting their operands.
//   absorb       If there are few operands, removes those that include another. If the operand of a complement includes
//                another operand, the result is the empty set.
//   without ε    r{0,n} & ~ε = r{1,n}, also within an alternation.
//   literal      A literal of bounded length and any other operands give the literal or the empty set.
//   heads        S·x & T·y = (S & T)·(x & y)

class ExprSet::IntersectionBuilder {
 public:
  explicit IntersectionBuilder(ExprSet& set) : s_(set), terms_(set.ids_), complements_(set.ids_), prefix_(set.ids_) {
    ++s_.depth_;
  }
  ~IntersectionBuilder() { --s_.depth_; }
  IntersectionBuilder(const IntersectionBuilder&) = delete;
  IntersectionBuilder& operator=(const IntersectionBuilder&) = delete;

  void add(ExprId e);
  ExprId finish();

 private:
  ExprId meet();
  void join_complements();
  void add_bytes();
  std::optional<ExprId> meet_by_length();
  bool join_decoders();
  void absorb();
  bool take_epsilon_out();
  std::optional<ExprId> without_epsilon(ExprId e);
  std::optional<ExprId> meet_with_literal();
  std::optional<ExprId> meet_with_list();
  bool pop_head();

  ExprSet& s_;
  ScratchPool<ExprId>::Lease terms_;
  ScratchPool<ExprId>::Lease complements_;  // their operands
  ScratchPool<ExprId>::Lease prefix_;       // intersections of heads that were removed
  ByteSet bytes_ = ByteSet::all();
  bool has_bytes_ = false;
  bool epsilon_ = false;
  bool nothing_ = false;
  bool overflow_ = false;
};

void ExprSet::IntersectionBuilder::add(ExprId e) {
  const Node n = s_.node(e);
  switch (n.kind) {
    case Kind::kNothing: nothing_ = true; return;
    case Kind::kEpsilon: epsilon_ = true; return;
    case Kind::kAllStrings: return;
    case Kind::kOverflow: overflow_ = true; return;
    case Kind::kByteSet:
      bytes_ &= s_.sets_[n.a];
      has_bytes_ = true;
      return;
    case Kind::kComplement: complements_->push_back(ExprId{n.a}); return;
    case Kind::kIntersection:
      for (std::uint32_t i = 0; i < n.b; ++i) add(s_.child(n, i));  // recursion depth 1: no child is one
      return;
    default: terms_->push_back(e);
  }
}

ExprId ExprSet::IntersectionBuilder::finish() {
  ExprId e = meet();
  for (std::size_t i = prefix_->size(); i-- > 0 && e != ExprId::kOverflow && e != ExprId::kNothing;) {
    e = s_.cons((*prefix_)[i], e);
  }
  return e;
}

ExprId ExprSet::IntersectionBuilder::meet() {
  for (;;) {
    join_complements();
    if (overflow_) return ExprId::kOverflow;
    if (nothing_) return ExprId::kNothing;
    if (epsilon_) {
      const bool all = !has_bytes_ && std::ranges::all_of(*terms_, [&](ExprId e) { return s_.nullable(e); });
      return all ? ExprId::kEpsilon : ExprId::kNothing;
    }
    if (has_bytes_) add_bytes();
    std::ranges::sort(*terms_);
    terms_->erase(std::unique(terms_->begin(), terms_->end()), terms_->end());
    if (const std::optional<ExprId> e = meet_by_length()) return *e;
    while (join_decoders()) continue;
    if (const std::optional<ExprId> e = meet_with_list()) return *e;
    if (terms_->size() > 1 && terms_->size() <= kMaxAbsorbTerms) absorb();
    if (overflow_) return ExprId::kOverflow;
    if (nothing_) return ExprId::kNothing;
    if (terms_->empty()) return ExprId::kAllStrings;
    if (terms_->size() == 1) return (*terms_)[0];
    if (take_epsilon_out()) continue;
    if (const std::optional<ExprId> e = meet_with_literal()) return *e;
    if (!pop_head()) return s_.intern_list(Kind::kIntersection, *terms_, 0);
  }
}

/// ~x & ~y = ~(x | y)
void ExprSet::IntersectionBuilder::join_complements() {
  if (s_.depth_ >= kMaxConstructorDepth) {
    for (ExprId e : *complements_) terms_->push_back(s_.complement(e));
    complements_->clear();
  }
  while (!complements_->empty() && !overflow_) {
    const ExprId e = s_.complement(complements_->size() == 1 ? (*complements_)[0] : s_.alternation(*complements_));
    complements_->clear();
    if (s_.kind(e) != Kind::kComplement) {
      add(e);  // the alternation was simplified; the result may contain complements again
    } else {
      terms_->push_back(e);
      for (ExprId t : *terms_) nothing_ |= t == s_.operand(e);  // x & ~x
      return;
    }
  }
}

void ExprSet::IntersectionBuilder::add_bytes() {
  const ExprId set = s_.byte_set(bytes_);
  nothing_ |= set == ExprId::kNothing;
  overflow_ |= set == ExprId::kOverflow;
  terms_->push_back(set);
  bytes_ = ByteSet::all();
  has_bytes_ = false;
}

/// Returns the empty set if no length is possible for all operands; the set of common members if none above 1 is, and
/// they are known; else nullopt.
std::optional<ExprId> ExprSet::IntersectionBuilder::meet_by_length() {
  if (terms_->size() < 2 || overflow_) return std::nullopt;
  std::uint32_t min = 0;
  std::uint32_t max = kUnbounded;
  for (ExprId e : *terms_) {
    min = std::max(min, s_.min_length(e));
    max = std::min(max, s_.max_length(e));
  }
  if (min > max) return ExprId::kNothing;
  if (max > 1) return std::nullopt;
  int fuel = kOneByteFuel;
  ByteSet set = ByteSet::all();
  for (ExprId e : *terms_) {
    const std::optional<ByteSet> members = one_byte_members(s_, e, fuel);
    if (!members) return std::nullopt;
    set &= *members;
  }
  const bool nullable = std::ranges::all_of(*terms_, [&](ExprId e) { return s_.nullable(e); });
  return s_.alternation(s_.byte_set(set), nullable ? ExprId::kEpsilon : ExprId::kNothing);
}

/// Intersects two decoders in the same state, or such a decoder and the complement of one, by intersecting their
/// operands. Returns true if two terms were joined.
bool ExprSet::IntersectionBuilder::join_decoders() {
  if (nothing_ || overflow_) return false;
  for (std::size_t i = 0; i < terms_->size(); ++i) {
    for (std::size_t j = 0; j < terms_->size() && s_.is_decoder((*terms_)[i]); ++j) {
      if (i == j) continue;
      const std::optional<ExprId> both = s_.join_decoders((*terms_)[i], (*terms_)[j], true);
      if (!both) continue;
      (*terms_)[i] = *both;
      terms_->erase(terms_->begin() + static_cast<std::ptrdiff_t>(j));
      nothing_ |= *both == ExprId::kNothing;
      overflow_ |= *both == ExprId::kOverflow;
      return true;
    }
  }
  return false;
}

void ExprSet::IntersectionBuilder::absorb() {
  // Most inclusion tests end at once and charge no steps; the pairs are charged here.
  base::Work::charge(terms_->size() * terms_->size() / kPairsForOneStep);
  // As in AlternationBuilder::absorb, terms may stay after the limit.
  for (std::size_t i = 0; i < terms_->size() && !nothing_ && !base::Work::is_met(); ++i) {
    const ExprId x = (*terms_)[i];
    for (std::size_t j = 0; j < terms_->size(); ++j) {
      const ExprId y = (*terms_)[j];
      if (i == j) continue;
      nothing_ |= s_.kind(x) == Kind::kComplement && s_.includes_memoised(s_.operand(x), y);
      if (s_.includes_memoised(x, y) && (i > j || !s_.includes_memoised(y, x))) {
        terms_->erase(terms_->begin() + static_cast<std::ptrdiff_t>(i--));
        break;
      }
    }
  }
}

/// r{0,n} & ~ε = r{1,n}. Returns true if a term changed.
bool ExprSet::IntersectionBuilder::take_epsilon_out() {
  const ExprId some = s_.complement(ExprId::kEpsilon);
  const auto it = std::ranges::find(*terms_, some);
  if (it == terms_->end() || some == ExprId::kOverflow) return false;
  for (ExprId& e : *terms_) {
    const std::optional<ExprId> rest = e == some ? std::nullopt : without_epsilon(e);
    if (!rest) continue;
    e = terms_->back();
    terms_->pop_back();
    std::erase(*terms_, some);
    add(*rest);
    return true;
  }
  return false;
}

/// Returns e & ~ε if it can be written without `&`, else nullopt.
std::optional<ExprId> ExprSet::IntersectionBuilder::without_epsilon(ExprId e) {
  if (!s_.nullable(e)) return e;
  const Node n = s_.node(e);
  if (n.kind == Kind::kEpsilon) return ExprId::kNothing;
  if (n.kind == Kind::kAllStrings) return s_.repeat(s_.any_byte_, 1, kUnbounded);
  if (n.kind == Kind::kRepeat && !s_.nullable(ExprId{n.a})) return s_.repeat(ExprId{n.a}, 1, n.c);
  if (n.kind != Kind::kAlternation || s_.depth_ >= kMaxConstructorDepth) return std::nullopt;
  ScratchPool<ExprId>::Lease parts(s_.ids_);
  for (std::uint32_t i = 0; i < n.b; ++i) {
    const std::optional<ExprId> part = without_epsilon(s_.child(n, i));
    if (!part) return std::nullopt;
    parts->push_back(*part);
  }
  return s_.alternation(*parts);
}

/// If some operand is a literal, returns it if all others match it, else the empty set. Otherwise returns nullopt.
std::optional<ExprId> ExprSet::IntersectionBuilder::meet_with_literal() {
  if (s_.depth_ >= kMaxConstructorDepth) return std::nullopt;
  for (ExprId literal : *terms_) {
    std::string text;
    if (!is_literal(s_, literal, kMaxLiteralBytes, text)) continue;
    for (ExprId e : *terms_) {
      if (e == literal) continue;
      for (char c : text) e = s_.derivative(e, static_cast<std::uint8_t>(c));
      if (e == ExprId::kOverflow) return e;
      if (!s_.nullable(e)) return ExprId::kNothing;
    }
    return literal;
  }
  return std::nullopt;
}

/// Leaves those words of a list that all other operands have.
std::optional<ExprId> ExprSet::IntersectionBuilder::meet_with_list() {
  if (terms_->size() < 2 || s_.owned_atoms_.empty() || s_.depth_ >= kMaxConstructorDepth) return std::nullopt;
  const auto list = std::ranges::find_if(
      *terms_, [&](ExprId e) { return s_.kind(e) == Kind::kAtom && !s_.atom_of(e).is_constant(); });
  if (list == terms_->end()) return std::nullopt;
  std::vector<ExprId> others(terms_->begin(), list);
  others.insert(others.end(), list + 1, terms_->end());
  return s_.atom_of(*list).listed_in(s_, s_.state_of(*list), others);
}

/// If all operands begin with a byte set, moves the intersection of these sets to prefix_ and replaces the operands by
/// their tails. Returns false otherwise.
bool ExprSet::IntersectionBuilder::pop_head() {
  ByteSet common = ByteSet::all();
  for (ExprId e : *terms_) {
    if (s_.kind(s_.head(e)) != Kind::kByteSet) return false;
    common &= s_.bytes(s_.head(e));
  }
  const ExprId set = s_.byte_set(common);
  nothing_ |= set == ExprId::kNothing;
  overflow_ |= set == ExprId::kOverflow;
  prefix_->push_back(set);
  ScratchPool<ExprId>::Lease old(s_.ids_);
  std::swap(*old, *terms_);
  for (ExprId e : *old) add(s_.tail(e));
  return true;
}

ExprId ExprSet::intersection(std::span<const ExprId> parts) {
  IntersectionBuilder form(*this);
  for (ExprId e : parts) form.add(e);
  return finish(form);
}

ExprId ExprSet::intersection(ExprId a, ExprId b) {
  if (a == b || b == ExprId::kAllStrings || a == ExprId::kOverflow) return a;
  if (a == ExprId::kAllStrings || b == ExprId::kOverflow) return b;
  IntersectionBuilder form(*this);
  form.add(a);
  form.add(b);
  return finish(form);
}

/// Returns includes(*this, big, small). Memoised: terms of derivatives recur, and so do pairs of them.
bool ExprSet::includes_memoised(ExprId big, ExprId small) {
  if (big == small || big == ExprId::kAllStrings || small == ExprId::kNothing) return true;
  if (max_length(big) < max_length(small) || min_length(big) > min_length(small)) return false;
  if (inclusions_.empty()) inclusions_.resize(kInclusionSlots);
  const std::uint64_t pair = (static_cast<std::uint64_t>(big) << 32U) | static_cast<std::uint32_t>(small);
  Inclusion& slot = inclusions_[base::hash_mix(0, pair) >> 32U & (kInclusionSlots - 1)];
  if (slot.big != big || slot.small != small) slot = {big, small, includes(*this, big, small)};
  return slot.is_included;
}

/// Joins two decoders in the same state: returns their intersection if `meets`, else their union. For an intersection,
/// `y` may also be the complement of one. Returns nullopt for other operands.
std::optional<ExprId> ExprSet::join_decoders(ExprId x, ExprId y, bool meets) {
  const bool excludes = meets && kind(y) == Kind::kComplement;
  if (excludes) y = operand(y);
  if (!same_decoder(x, y) || depth_ >= kMaxConstructorDepth) return std::nullopt;
  const ExprId joined = !meets     ? alternation(operand(x), operand(y))
                        : excludes ? difference(operand(x), operand(y))
                                   : intersection(operand(x), operand(y));
  return with_operand(x, joined);
}

}  // namespace weir::regex
