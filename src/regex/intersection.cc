// The normal form of intersections.
//
//   flatten      one level of operands, each once; byte sets and all strings met;
//                complements joined: ~x & ~y = ~(x | y)
//   lengths      nothing, where no length suits all operands; the common bytes, where only that of one byte does, as in
//                S & r, a byte set and anything
//   absorb       of few operands, those that include another; nothing, where one includes the complement of another
//   without ε    r{0,n} & ~ε = r{1,n}, also within an alternation
//   literal      a literal, not too long, and anything: the literal, or nothing
//   heads        S·x & T·y = (S & T)·(x & y)
#include <algorithm>

#include "regex/expr.h"

namespace weir::regex {

class ExprSet::Meet {
 public:
  explicit Meet(ExprSet& set) : s_(set), terms_(set.ids_), complements_(set.ids_), prefix_(set.ids_) { ++s_.depth_; }
  ~Meet() { --s_.depth_; }
  Meet(const Meet&) = delete;
  Meet& operator=(const Meet&) = delete;

  void add(ExprId e);
  ExprId finish();

 private:
  static constexpr std::size_t kFewTerms = 12;
  static constexpr int kMembersFuel = 200;
  static constexpr std::size_t kLongLiteral = 256;

  ExprId meet();
  void join_complements();
  void add_bytes();
  std::optional<ExprId> meet_by_length();
  bool join_json_strings();
  void absorb();
  bool take_epsilon_out();
  std::optional<ExprId> meet_with_literal();
  bool pop_head();

  ExprSet& s_;
  ScratchPool<ExprId>::Lease terms_;
  ScratchPool<ExprId>::Lease complements_;  // their operands
  ScratchPool<ExprId>::Lease prefix_;       // heads already met
  ByteSet bytes_ = ByteSet::all();
  bool has_bytes_ = false;
  bool epsilon_ = false;
  bool nothing_ = false;
  bool overflow_ = false;
};

void ExprSet::Meet::add(ExprId e) {
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
      for (std::uint32_t i = 0; i < n.b; ++i) add(s_.child(n, i));  // one level: a child is no intersection
      return;
    default: terms_->push_back(e);
  }
}

ExprId ExprSet::Meet::finish() {
  ExprId e = meet();
  for (std::size_t i = prefix_->size(); i-- > 0 && e != ExprId::kOverflow && e != ExprId::kNothing;) {
    e = s_.cons((*prefix_)[i], e);
  }
  return e;
}

ExprId ExprSet::Meet::meet() {
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
    while (join_json_strings()) continue;
    if (terms_->size() > 1 && terms_->size() <= kFewTerms) absorb();
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
void ExprSet::Meet::join_complements() {
  if (s_.depth_ >= kMaxDepth) {
    for (ExprId e : *complements_) terms_->push_back(s_.complement(e));
    complements_->clear();
  }
  while (!complements_->empty() && !overflow_) {
    const ExprId e = s_.complement(complements_->size() == 1 ? (*complements_)[0] : s_.alternation(*complements_));
    complements_->clear();
    if (s_.kind(e) != Kind::kComplement) {
      add(e);  // the operands met in something simpler, perhaps with complements in it again
    } else {
      terms_->push_back(e);
      for (ExprId t : *terms_) nothing_ |= t == s_.operand(e);  // x & ~x
      return;
    }
  }
}

void ExprSet::Meet::add_bytes() {
  const ExprId set = s_.byte_set(bytes_);
  nothing_ |= set == ExprId::kNothing;
  overflow_ |= set == ExprId::kOverflow;
  terms_->push_back(set);
  bytes_ = ByteSet::all();
  has_bytes_ = false;
}

/// Where no length suits all operands, nothing; where none above one does, the members of that length are counted out.
std::optional<ExprId> ExprSet::Meet::meet_by_length() {
  if (terms_->size() < 2 || overflow_) return std::nullopt;
  std::uint32_t min = 0;
  std::uint32_t max = kUnbounded;
  for (ExprId e : *terms_) {
    min = std::max(min, s_.min_length(e));
    max = std::min(max, s_.max_length(e));
  }
  if (min > max) return ExprId::kNothing;
  if (max > 1) return std::nullopt;
  int fuel = kMembersFuel;
  ByteSet set = ByteSet::all();
  for (ExprId e : *terms_) {
    const std::optional<ByteSet> members = s_.one_byte_members(e, fuel);
    if (!members) return std::nullopt;
    set &= *members;
  }
  const bool nullable = std::ranges::all_of(*terms_, [&](ExprId e) { return s_.nullable(e); });
  return s_.alternation(s_.byte_set(set), nullable ? ExprId::kEpsilon : ExprId::kNothing);
}

/// Tails of JSON strings at one place, and the complement of one, meet in a tail of what their contents meet in.
/// Whether two did.
bool ExprSet::Meet::join_json_strings() {
  if (nothing_ || overflow_) return false;
  for (std::size_t i = 0; i < terms_->size(); ++i) {
    for (std::size_t j = 0; j < terms_->size() && s_.is_json(s_.node((*terms_)[i])); ++j) {
      if (i == j) continue;
      const std::optional<ExprId> both = s_.join_json((*terms_)[i], (*terms_)[j], true);
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

void ExprSet::Meet::absorb() {
  for (std::size_t i = 0; i < terms_->size() && !nothing_; ++i) {
    const ExprId x = (*terms_)[i];
    for (std::size_t j = 0; j < terms_->size(); ++j) {
      const ExprId y = (*terms_)[j];
      if (i == j) continue;
      nothing_ |= s_.kind(x) == Kind::kComplement && s_.includes(s_.operand(x), y);
      if (s_.includes(x, y) && (i > j || !s_.includes(y, x))) {
        terms_->erase(terms_->begin() + static_cast<std::ptrdiff_t>(i--));
        break;
      }
    }
  }
}

/// r{0,n} & ~ε = r{1,n}. Whether something changed.
bool ExprSet::Meet::take_epsilon_out() {
  const ExprId some = s_.complement(ExprId::kEpsilon);
  const auto it = std::ranges::find(*terms_, some);
  if (it == terms_->end() || some == ExprId::kOverflow) return false;
  for (ExprId& e : *terms_) {
    const std::optional<ExprId> rest = e == some ? std::nullopt : s_.without_epsilon(e);
    if (!rest) continue;
    e = terms_->back();
    terms_->pop_back();
    std::erase(*terms_, some);
    add(*rest);
    return true;
  }
  return false;
}

/// If some operand is a literal: it, where all others match it, or else nothing.
std::optional<ExprId> ExprSet::Meet::meet_with_literal() {
  if (s_.depth_ >= kMaxDepth) return std::nullopt;
  for (ExprId literal : *terms_) {
    std::string text;
    if (!s_.is_literal(literal, kLongLiteral, text)) continue;
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

/// Takes a byte set off the front of all operands, if all have one, and starts over with what is left of them.
bool ExprSet::Meet::pop_head() {
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
  Meet form(*this);
  for (ExprId e : parts) form.add(e);
  return form.finish();
}

ExprId ExprSet::intersection(ExprId a, ExprId b) {
  if (a == b || b == ExprId::kAllStrings || a == ExprId::kOverflow) return a;
  if (a == ExprId::kAllStrings || b == ExprId::kOverflow) return b;
  Meet form(*this);
  form.add(a);
  form.add(b);
  return form.finish();
}

}  // namespace weir::regex
