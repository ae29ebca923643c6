#include "engine/facts/residual_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/work.h"
#include "engine/facts/character_automaton.h"
#include "regex/analysis/members.h"
#include "regex/atoms/atom.h"

namespace weir::engine {

using regex::ByteSet;
using regex::ExprId;
using regex::ExprSet;
using vocab::CharacterKind;
using vocab::CharacterSet;

namespace {

// The row of a residual that has not been filled. It is copied: a loop that writes 256 values takes a microsecond in
// WebAssembly that is not optimised yet.
constexpr auto kUnfilledRow = [] {
  std::array<std::uint16_t, 256> row{};
  for (std::uint16_t& next : row) next = UINT16_MAX;
  return row;
}();

}  // namespace

ResidualTable::ResidualTable(Storage& storage, std::uint64_t owner, ExprSet& exprs, lexer::TerminalSpec root,
                             std::uint32_t fuel)
    : storage_(storage),
      exprs_(exprs),
      mode_(root.mode),
      fuel_(fuel),
      residuals_(storage.residuals_),
      next_(storage.next_),
      by_expr_(storage.by_expr_),
      branches_(storage.branches_),
      after_(storage.after_) {
  if (storage.owner_ != owner || residuals_.size() > kMaxKeptResiduals) {
    residuals_.clear();
    next_.clear();
    by_expr_.clear();
    add(ExprId::kNothing);
    std::fill(next_.begin(), next_.end(), std::uint16_t{kDead});
    residuals_[kDead].uniform = {kDead, beyond_ascii()};
    residuals_[kDead].is_filled = true;
    storage.owner_ = owner;
  }
  root_ = add(root.expr);
}

// Marks the contents of the storage as not reusable, too.
void ResidualTable::set_inexact() {
  inexact_ = true;
  storage_.owner_ = Storage::kNobody;
}

std::uint32_t ResidualTable::add(ExprId e) {
  const auto [residual, is_new] = by_expr_.number(static_cast<std::uint32_t>(e));
  if (is_new) {
    if (residual >= kMaxTableResiduals) set_inexact();
    const ExprId first = exprs_.head(e);
    const bool is_in_escape = exprs_.is_decoder(first) && !exprs_.atom_of(first).feeds_text(exprs_.state_of(first));
    residuals_.push_back({e, exprs_.nullable(e), is_in_escape});
    static_assert(kUnfilledRow.front() == kUnfilled);
    next_.insert(next_.end(), kUnfilledRow.begin(), kUnfilledRow.end());
  }
  return residual;
}

// Appends the branches of an expression. What is not exact need not be found out: once the limit is met this ends, also
// between the derivatives of one expression with thousands of parts, which may take many times what a call may.
void ResidualTable::append_branches(ExprId e) {
  const bool has_parts =
      exprs_.kind(e) == regex::ExprKind::kAlternation || exprs_.kind(e) == regex::ExprKind::kIntersection;
  if (!has_parts && !base::Work::is_met()) return exprs_.append_branches(e, branches_);
  if (!base::Work::is_met()) {
    for (const ByteSet& bytes : exprs_.first_classes(e)) {
      if (base::Work::is_met()) break;
      const ExprId to = exprs_.derivative(e, bytes.first());
      if (to != ExprId::kNothing) branches_.push_back({bytes, to});
    }
  }
  if (base::Work::is_met()) set_inexact();
}

void ResidualTable::fill(std::uint32_t residual) {
  std::array<std::uint16_t, 256> row{};  // kDead
  ByteSet alive;
  branches_.clear();
  if (!has_ended(residual)) append_branches(residuals_[residual].expr);
  for (const ExprSet::Branch& branch : branches_) {
    const std::uint16_t next = number_unless_empty(branch.to);
    if (next == kDead) continue;
    branch.bytes.for_each([&](std::uint8_t byte) { row[byte] = next; });
    alive |= branch.bytes;
  }
  residuals_[residual].alive = alive;
  residuals_[residual].is_filled = true;
  std::copy(row.begin(), row.end(), next_.begin() + (static_cast<std::ptrdiff_t>(residual) << 8));
}

// Returns the number of a residual, or kDead if it matches nothing.
std::uint16_t ResidualTable::number_unless_empty(ExprId e) {
  const regex::Emptiness emptiness = regex::emptiness(exprs_, e, fuel_);
  if (emptiness == regex::Emptiness::kUnknown) set_inexact();
  return emptiness == regex::Emptiness::kNonEmpty ? static_cast<std::uint16_t>(add(e)) : std::uint16_t{kDead};
}

std::uint16_t ResidualTable::compute_step(std::uint32_t residual, std::uint8_t byte) {
  if (base::Work::is_met()) {
    set_inexact();
    return kDead;
  }
  if (has_ended(residual)) return kDead;
  return number_unless_empty(exprs_.derivative(residuals_[residual].expr, byte));
}

std::uint32_t ResidualTable::step_alive(std::uint32_t residual, std::uint8_t byte) {
  const std::size_t at = (static_cast<std::size_t>(residual) << 8) | byte;
  if (next_[at] != kUnfilled || mode_ == base::LexemeMode::kLazy) return step(residual, byte);
  if (base::Work::is_met()) {
    set_inexact();
    return kDead;
  }
  const ExprId next = exprs_.derivative(residuals_[residual].expr, byte);
  if (next == ExprId::kOverflow) set_inexact();
  return add(next);
}

namespace {

// Returns the maximum number of residuals to analyse for the first time to decide about a subtree of `size` nodes.
std::uint32_t most_to_look_at(std::uint32_t size) { return 1 + size / kNodesForOneResidual; }

// Returns all kinds of characters that subtrees are described by.
CharacterSet all_characters() {
  CharacterSet all;
  for_each_ascii([&](std::uint8_t byte) { all.add(vocab::kind_of_ascii(byte)); });
  all |= beyond_ascii();
  return all;
}

}  // namespace

void ResidualTable::step_by_character(std::uint32_t residual) {
  Uniform uniform{usual_next(residual)};
  for_each_ascii([&](std::uint8_t byte) {
    const std::uint32_t next = step(residual, byte);
    if (next == kDead) {
      uniform.dead.add(vocab::kind_of_ascii(byte));
    } else if (next == uniform.next) {
      uniform.characters.add(vocab::kind_of_ascii(byte));
    }
  });
  // All characters beyond ASCII are looked at together first: most expressions take all of them, or none.
  if (uniform.next == kDead) uniform.known = beyond_ascii();
  uniform.dead |= beyond_ascii();
  CharacterSet alive;
  for (unsigned lead = 0xC2; lead <= 0xF4; ++lead) {
    if (step(residual, static_cast<std::uint8_t>(lead)) == kDead) continue;
    alive.add(vocab::kind_of_lead(static_cast<std::uint8_t>(lead)));
    alive.add(CharacterKind::kWideSpace);
  }
  uniform.dead.remove_all(alive);
  residuals_[residual].uniform = uniform;
}

// Finds out which of the kinds beyond ASCII lead to Uniform::next.
void ResidualTable::look_beyond(std::uint32_t residual, const CharacterSet& asked) {
  const auto leads_on = [&](const std::vector<std::uint32_t>& after) {
    return after.size() == 1 && after[0] == residuals_[residual].uniform.next;
  };
  if (residuals_[residual].uniform.known.is_empty() && leads_on(after_kind(residual, CharacterKind::kOther))) {
    residuals_[residual].uniform.known = beyond_ascii();
    residuals_[residual].uniform.characters |= beyond_ascii();
    return;
  }
  for (const CharacterKind kind : kBeyond) {
    if (!asked.contains(kind)) continue;
    const bool is_uniform = !residuals_[residual].uniform.dead.contains(kind) && leads_on(after_kind(residual, kind));
    Uniform& u = residuals_[residual].uniform;
    u.known.add(kind);
    if (is_uniform) u.characters.add(kind);
  }
}

// Characters beyond ASCII are analysed only if `characters` has some.
const ResidualTable::Uniform& ResidualTable::uniform(std::uint32_t residual, const CharacterSet& characters) {
  if (residuals_[residual].uniform.next == kUnknown) step_by_character(residual);
  CharacterSet asked = characters;
  asked.keep_only(beyond_ascii());
  asked.remove_all(residuals_[residual].uniform.known);
  if (!asked.is_empty()) look_beyond(residual, asked);
  return residuals_[residual].uniform;
}

// Follows the chain of `Uniform::next` for as many characters as the texts of the subtree have. Analyses only as many
// new residuals as the subtree is worth.
bool ResidualTable::runs_through(std::uint32_t residual, const CharacterSet& characters, unsigned max_characters,
                                 std::uint32_t size) {
  if (max_characters == vocab::kManyCharacters) size = 0;  // number not known: the residual must lead to itself
  std::uint32_t left = most_to_look_at(size);
  for (unsigned count = max_characters; count > 0; --count) {
    if (residuals_[residual].uniform.next == kUnknown && left-- == 0) return false;
    const Uniform& u = uniform(residual, characters);
    if (!u.characters.contains_all(characters)) return false;
    if (u.next == residual) return true;
    residual = u.next;
  }
  return max_characters < vocab::kManyCharacters;
}

bool ResidualTable::behave_alike(std::uint32_t a, std::uint32_t b, const vocab::TrieSummary& summary, std::size_t node,
                                 std::uint32_t size) {
  if (size < vocab::TrieSummary::kMinNodes || !summary.is_text(node)) return false;
  const CharacterSet& characters = summary.characters(node);
  bool ends_alike = true;
  std::uint32_t left = most_to_look_at(size);
  for (unsigned count = summary.max_characters(node); count > 0; --count) {
    for (const std::uint32_t residual : {a, b}) {
      if (residuals_[residual].uniform.next == kUnknown && left-- == 0) return false;
    }
    // A later call of `uniform` may invalidate the reference, so what is needed later is copied.
    const Uniform& of_a = uniform(a, characters);
    const bool a_dies = of_a.dead.contains_all(characters);
    const bool a_goes_on = of_a.characters.contains_all(characters);
    const std::uint32_t after_a = of_a.next;
    const Uniform& of_b = uniform(b, characters);
    if (a_dies && of_b.dead.contains_all(characters)) return ends_alike;
    if (!a_goes_on || !of_b.characters.contains_all(characters)) return false;
    if (after_a == a && of_b.next == b) return true;
    a = after_a;
    b = of_b.next;
    ends_alike = ends_alike && can_end(a) == can_end(b);
  }
  return summary.max_characters(node) < vocab::kManyCharacters;
}

std::uint32_t ResidualTable::usual_loop(std::uint32_t residual) {
  const std::uint32_t usual = usual_next(residual);
  if (usual == kDead) return kDead;
  const Uniform& u = uniform(usual, {});
  return u.next == usual && u.characters.size() >= kMinUsualCharacters ? usual : kDead;
}

bool ResidualTable::is_of_one_character() {
  const Uniform& of_root = uniform(root_, {});
  const std::uint32_t usual = of_root.next;
  return usual != kDead && of_root.characters.size() >= kMinUsualCharacters && can_end(usual) &&
         usual_next(usual) == kDead;
}

// Returns the residuals that the characters of a kind beyond ASCII lead to, each once, kDead included; kDead alone if
// finding them takes too long. Valid until the next call.
const std::vector<std::uint32_t>& ResidualTable::after_kind(std::uint32_t residual, CharacterKind kind) {
  after_is_exact_ = list_after_kind(
      kind, residual, [this](std::uint32_t from, std::uint8_t byte) { return step(from, byte); }, after_);
  if (!after_is_exact_) after_.assign(1, kDead);
  return after_;
}

namespace {

bool is_letter_or_blank(CharacterKind kind) {
  const auto byte = static_cast<std::uint8_t>(kind);
  return (byte >= 'a' && byte <= 'z') || byte == ' ';
}

// Returns a measure of how many tokens contain characters of a kind: kFrequentKindWeight for small letters and blanks, 1
// for others.
unsigned frequency(CharacterKind kind) { return is_letter_or_blank(kind) ? kFrequentKindWeight : 1; }

unsigned frequency(const CharacterSet& characters) {
  unsigned sum = 0;
  const auto add = [&](CharacterKind kind) { sum += characters.contains(kind) ? frequency(kind) : 0; };
  for_each_ascii([&](std::uint8_t byte) { add(vocab::kind_of_ascii(byte)); });
  for (const CharacterKind kind : kBeyond) add(kind);
  return sum;
}

}  // namespace

bool ResidualTable::find_character_rule(CharacterRule& rule) {
  rule = {};
  rule.taken = all_characters();
  rule.taken.remove_all(steps(root_, {}).rejected);
  for (int tries = kMaxRuleTries; tries > 0 && !is_inexact(); --tries) {
    int letters = 0;
    for_each_ascii([&](std::uint8_t byte) {
      const CharacterKind kind = vocab::kind_of_ascii(byte);
      letters += is_letter_or_blank(kind) && rule.taken.contains(kind) ? 1 : 0;
    });
    if (letters < kMinRuleLetters) return false;
    const CharacterSet removed = follow(rule);
    if (removed.is_empty()) return !is_inexact();
    rule.taken.remove_all(removed);
  }
  return false;
}

// Follows all texts of the characters that a rule takes, one character after another. If each of these characters may come
// everywhere, or up to some length and then none of them, completes the rule and returns the empty set. Otherwise returns
// characters that the rule should not take: those of the step that is rejected, or of a step before it, whichever are in
// the fewest tokens.
CharacterSet ResidualTable::follow(CharacterRule& rule) {
  const CharacterSet taken = rule.taken;
  rule = {};
  rule.taken = taken;
  rule.rejected = all_characters();
  std::vector<Reached> reached{{root_, 0}};
  std::vector<Reached> next;
  bool has_loops = false;  // texts of different lengths lead to the same residual
  for (std::uint32_t length = 0, begin = 0; begin < reached.size(); ++length) {
    const auto end = static_cast<std::uint32_t>(reached.size());
    std::uint32_t rejecting = kNone;
    std::uint32_t others = 0;
    for (std::uint32_t i = begin; i < end; ++i) {
      const Steps& step = steps(reached[i].residual, taken);
      if (is_inexact()) return taken;
      if (can_end(reached[i].residual)) return fewest_on_way(reached, i, taken, taken);
      rule.rejected.keep_only(step.rejected);
      if (step.rejected.contains_all(taken)) {
        rejecting = i;
      } else if (step.partly_rejected.is_empty()) {
        ++others;
      } else {
        return fewest_on_way(reached, i, step.partly_rejected, taken);
      }
      for (const std::uint32_t to : step.next) next.push_back({to, i});
    }
    if (rejecting != kNone) {
      if (others != 0 || has_loops) return fewest_on_way(reached, rejecting, taken, taken);
      if (length <= kMaxRuleCharacters) {
        rule.most = length;
      } else {
        rule.known = kMaxRuleCharacters;
      }
      return {};
    }
    if (length == kLongRuleCharacters || reached.size() > kMaxRuleResiduals) {
      if (length < kMinRuleCharacters) return taken;
      rule.known = length == kLongRuleCharacters ? length : std::min(length, kMaxRuleCharacters);
      return {};
    }
    for (const Reached& to : next) {
      const auto known = std::ranges::find(reached, to.residual, &Reached::residual);
      if (known == reached.end()) {
        reached.push_back(to);
      } else {
        has_loops = has_loops || known - reached.begin() < static_cast<std::ptrdiff_t>(end);
      }
    }
    next.clear();
    begin = end;
  }
  return {};
}

// Returns, of `last` and the characters of each step to reached[at], those that are in the fewest tokens. Never returns the
// empty set. Precondition: `last` is not empty.
CharacterSet ResidualTable::fewest_on_way(const std::vector<Reached>& reached, std::uint32_t at,
                                          const CharacterSet& last, const CharacterSet& taken) {
  CharacterSet fewest = last;
  for (; at != 0; at = reached[at].from) {
    const CharacterSet step = characters_between(reached[reached[at].from].residual, reached[at].residual, taken);
    if (!step.is_empty() && frequency(step) < frequency(fewest)) fewest = step;
  }
  return fewest;
}

// Returns the steps of a residual by `taken` characters. Valid until the next call.
const ResidualTable::Steps& ResidualTable::steps(std::uint32_t residual, const CharacterSet& taken) {
  steps_.rejected = uniform(residual, {}).dead;
  steps_.partly_rejected = steps_.rejected;
  steps_.next.clear();
  const auto add = [&](std::uint32_t next) {
    if (next != kDead && (steps_.next.empty() || steps_.next.back() != next)) steps_.next.push_back(next);
  };
  for_each_ascii([&](std::uint8_t byte) {
    if (taken.contains(vocab::kind_of_ascii(byte))) add(step(residual, byte));
  });
  const Uniform& known = uniform(residual, all_characters());
  for (const CharacterKind kind : kBeyond) {
    if (steps_.rejected.contains(kind)) continue;
    if (known.characters.contains(kind)) {
      if (taken.contains(kind)) add(known.next);
      continue;
    }
    for (const std::uint32_t next : after_kind(residual, kind)) {
      if (next == kDead) steps_.partly_rejected.add(kind);
      if (taken.contains(kind)) add(next);
    }
    if (after_is_exact_ && after_.size() == 1 && after_[0] == kDead) steps_.rejected.add(kind);
  }
  steps_.partly_rejected.keep_only(taken);
  return steps_;
}

// Returns the kinds among `characters` that may lead from one residual to another.
CharacterSet ResidualTable::characters_between(std::uint32_t from, std::uint32_t to, const CharacterSet& characters) {
  CharacterSet between;
  for_each_ascii([&](std::uint8_t byte) {
    const CharacterKind kind = vocab::kind_of_ascii(byte);
    if (characters.contains(kind) && step(from, byte) == to) between.add(kind);
  });
  for (const CharacterKind kind : kBeyond) {
    if (!characters.contains(kind)) continue;
    const std::vector<std::uint32_t>& after = after_kind(from, kind);
    if (std::find(after.begin(), after.end(), to) != after.end()) between.add(kind);
  }
  return between;
}

// Returns the residual that the most printable ASCII characters lead to; kDead if all lead nowhere.
std::uint32_t ResidualTable::usual_next(std::uint32_t residual) {
  struct Count {
    std::uint32_t next;
    unsigned count;
  };
  std::array<Count, 0x5F> counts;
  std::size_t size = 0;  // usually two or three
  for (unsigned byte = 0x20; byte < 0x7F; ++byte) {
    const std::uint32_t next = step(residual, static_cast<std::uint8_t>(byte));
    std::size_t i = 0;
    while (i < size && counts[i].next != next) ++i;
    if (i == size) counts[size++] = {next, 0};
    ++counts[i].count;
  }
  Count usual{kDead, 0};
  for (std::size_t i = 0; i < size; ++i) {
    if (counts[i].next != kDead && counts[i].count > usual.count) usual = counts[i];
  }
  return usual.next;
}

}  // namespace weir::engine
