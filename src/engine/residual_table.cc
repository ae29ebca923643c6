#include "engine/residual_table.h"

#include <algorithm>
#include <array>
#include <bit>

#include "regex/utf8_ranges.h"

namespace weir::engine {

using regex::ByteSet;
using regex::ExprId;
using regex::ExprSet;

ResidualTable::ResidualTable(Storage& storage, ExprSet& exprs, lexer::TerminalSpec root, std::uint32_t fuel)
    : exprs_(exprs),
      mode_(root.mode),
      fuel_(fuel),
      residuals_(storage.residuals_),
      next_(storage.next_),
      by_expr_(storage.by_expr_),
      branches_(storage.branches_) {
  residuals_.clear();
  next_.clear();
  by_expr_.clear();
  add(ExprId::kNothing);
  std::fill(next_.begin(), next_.end(), std::uint16_t{kDead});
  residuals_[kDead].uniform = {kDead, 0, true};
  residuals_[kDead].closed = 0;
  add(root.expr);
}

std::uint32_t ResidualTable::add(ExprId e) {
  const auto [residual, is_new] = by_expr_.number(static_cast<std::uint32_t>(e));
  if (is_new) {
    inexact_ = inexact_ || residual >= kMostResiduals;
    residuals_.push_back({e, exprs_.nullable(e)});
    next_.insert(next_.end(), 256, kUnfilled);
  }
  return residual;
}

void ResidualTable::fill(std::uint32_t residual) {
  std::array<std::uint16_t, 256> row{};  // kDead
  const bool has_ended = mode_ == lexer::Mode::kLazy && can_end(residual);
  branches_.clear();
  if (!has_ended) exprs_.append_branches(residuals_[residual].expr, branches_);
  for (const ExprSet::Branch& branch : branches_) {
    const regex::Emptiness emptiness = exprs_.emptiness(branch.to, fuel_);
    inexact_ = inexact_ || emptiness == regex::Emptiness::kUnknown;
    if (emptiness != regex::Emptiness::kNonEmpty) continue;
    const auto next = static_cast<std::uint16_t>(add(branch.to));
    for (std::size_t w = 0; w < branch.bytes.words().size(); ++w) {
      for (std::uint64_t bits = branch.bytes.words()[w]; bits != 0; bits &= bits - 1) {
        row[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))] = next;
      }
    }
  }
  std::copy(row.begin(), row.end(), next_.begin() + (static_cast<std::ptrdiff_t>(residual) << 8));
}

// The groups of ASCII each of whose characters leads to one residual, the same for all of them.
void ResidualTable::step_by_group(std::uint32_t residual) {
  constexpr unsigned kAsciiGroups = vocab::kGroupCount - 1;
  std::array<std::uint32_t, kAsciiGroups> behind;
  behind.fill(kUnknown);
  std::array<bool, kAsciiGroups> is_mixed{};
  for (unsigned byte = 0x20; byte < 0x7F; ++byte) {
    const vocab::CharacterGroup group = vocab::group_of_ascii(static_cast<std::uint8_t>(byte));
    if (group == vocab::kOther) continue;
    const auto g = static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(group)));
    const std::uint32_t next = step(residual, static_cast<std::uint8_t>(byte));
    is_mixed[g] = is_mixed[g] || (behind[g] != kUnknown && behind[g] != next);
    behind[g] = next;
  }
  Uniform uniform{kDead, 0, false};
  for (unsigned g = 0; g < kAsciiGroups; ++g) {
    if (is_mixed[g] || behind[g] == kDead) continue;
    if (uniform.groups == 0) uniform.next = behind[g];
    if (uniform.next == behind[g]) uniform.groups = static_cast<std::uint8_t>(uniform.groups | (1U << g));
  }
  uniform.knows_beyond = uniform.groups == 0;
  residuals_[residual].uniform = uniform;
}

// Characters beyond ASCII are looked at only where they are asked for.
const ResidualTable::Uniform& ResidualTable::uniform(std::uint32_t residual, std::uint8_t groups) {
  if (residuals_[residual].uniform.next == kUnknown) step_by_group(residual);
  if ((groups & vocab::kBeyondAscii) != 0 && !residuals_[residual].uniform.knows_beyond) {
    std::vector<std::uint32_t> beyond;
    append_beyond_ascii(residual, beyond);
    Uniform& u = residuals_[residual].uniform;
    u.knows_beyond = true;
    if (beyond.size() == 1 && beyond[0] == u.next) u.groups |= vocab::kBeyondAscii;
  }
  return residuals_[residual].uniform;
}

// Follows the residuals that lead to one another, for as many characters as the subtree has. Of those that nobody has
// looked at yet no more are looked at than the subtree is worth.
bool ResidualTable::runs_through(std::uint32_t residual, const vocab::SubtreeSummary& summary, std::uint32_t size) {
  constexpr std::uint32_t kNodesForOne = 128;
  if (summary.max_characters == vocab::kManyCharacters) size = 0;  // only one that leads to itself will do
  std::uint32_t left = 1 + size / kNodesForOne;
  for (unsigned count = summary.max_characters; count > 0; --count) {
    if (residuals_[residual].uniform.next == kUnknown && left-- == 0) return false;
    const Uniform& u = uniform(residual, summary.groups);
    if ((summary.groups & ~u.groups) != 0) return false;
    if (u.next == residual) return true;
    residual = u.next;
  }
  return summary.max_characters < vocab::kManyCharacters;
}

bool ResidualTable::goes_on_for_ever(std::uint32_t residual) {
  constexpr int kFewestGroups = 3;
  const Uniform& u = uniform(residual, 0);
  return u.next == residual && std::popcount(unsigned{u.groups}) >= kFewestGroups;
}

// Appends what the valid characters from U+0080 on lead to, each residual once, kDead included; kDead alone where that is
// too much to find out. Residuals inside a character are few: one for each way that the expression tells the bytes so far
// apart.
void ResidualTable::append_beyond_ascii(std::uint32_t residual, std::vector<std::uint32_t>& behind) {
  // A lead byte with the range of the byte behind it and how many plain continuation bytes follow that.
  struct Lead {
    std::uint8_t first, last, low, high;
    int more;
  };
  static constexpr Lead kLeads[] = {{0xC2, 0xDF, 0x80, 0xBF, 0}, {0xE0, 0xE0, 0xA0, 0xBF, 1},
                                    {0xE1, 0xEC, 0x80, 0xBF, 1}, {0xED, 0xED, 0x80, 0x9F, 1},
                                    {0xEE, 0xEF, 0x80, 0xBF, 1}, {0xF0, 0xF0, 0x90, 0xBF, 2},
                                    {0xF1, 0xF3, 0x80, 0xBF, 2}, {0xF4, 0xF4, 0x80, 0x8F, 2}};
  const auto advance = [&](const std::vector<std::uint32_t>& from, std::uint8_t low, std::uint8_t high) {
    std::vector<std::uint32_t> to;
    for (const std::uint32_t r : from) {
      for (unsigned byte = low; byte <= high; ++byte) {
        const std::uint32_t next = step(r, static_cast<std::uint8_t>(byte));
        if (to.empty() || to.back() != next) to.push_back(next);
      }
    }
    std::sort(to.begin(), to.end());
    to.erase(std::unique(to.begin(), to.end()), to.end());
    return to;
  };
  for (const Lead& lead : kLeads) {
    std::vector<std::uint32_t> at = advance({residual}, lead.first, lead.last);
    at = advance(at, lead.low, lead.high);
    for (int i = 0; i < lead.more && at.size() < kManyResiduals; ++i) at = advance(at, 0x80, 0xBF);
    if (at.size() >= kManyResiduals) at.assign(1, kDead);
    behind.insert(behind.end(), at.begin(), at.end());
  }
  std::sort(behind.begin(), behind.end());
  behind.erase(std::unique(behind.begin(), behind.end()), behind.end());
}

// Finds groups of whose characters no text ends what is left of the residual: tries all, leaves out one that some text of them
// ends with, and tries again.
void ResidualTable::find_closed(std::uint32_t residual) {
  if (any_character_ == ExprId::kNothing) any_character_ = regex::utf8_set(exprs_, regex::CodePointSet::all());
  if (mode_ != lexer::Mode::kLazy && exprs_.may_begin_with_any(any_character_, residuals_[residual].expr)) {
    residuals_[residual].closed = kAllGroups;
    return;
  }
  if (closures_left_ == 0) return;
  --closures_left_;
  residuals_[residual].closed = 0;
  std::uint8_t groups = kAllGroups;
  while (groups != 0) {
    std::vector<std::uint32_t> reached{residual};
    const std::uint8_t fatal = first_fatal_group(reached, groups);
    if (reached.size() > kManyResiduals) return;
    if (fatal == 0) {
      for (const std::uint32_t r : reached) residuals_[r].closed = groups;
      ++closures_left_;
      return;
    }
    groups = static_cast<std::uint8_t>(groups & ~fatal);
  }
}

// Follows characters of the groups until one leads to kDead, whose group is returned, or no more residuals are reached
// (0), or too many.
std::uint8_t ResidualTable::first_fatal_group(std::vector<std::uint32_t>& reached, std::uint8_t groups) {
  const auto reach = [&](std::uint32_t next) {
    if (std::find(reached.begin(), reached.end(), next) == reached.end()) reached.push_back(next);
  };
  std::vector<std::uint32_t> beyond;
  for (std::size_t i = 0; i < reached.size() && reached.size() <= kManyResiduals; ++i) {
    for (unsigned byte = 0x20; byte < 0x7F; ++byte) {
      const vocab::CharacterGroup group = vocab::group_of_ascii(static_cast<std::uint8_t>(byte));
      if ((groups & group) == 0) continue;
      const std::uint32_t next = step(reached[i], static_cast<std::uint8_t>(byte));
      if (next == kDead) return group;
      reach(next);
    }
    if ((groups & vocab::kBeyondAscii) == 0) continue;
    beyond.clear();
    append_beyond_ascii(reached[i], beyond);
    for (const std::uint32_t next : beyond) {
      if (next == kDead) return vocab::kBeyondAscii;
      reach(next);
    }
  }
  return 0;
}

std::uint32_t ResidualTable::usual_next(std::uint32_t residual) {
  std::array<std::uint32_t, 0x5F> behind{};
  for (unsigned i = 0; i < behind.size(); ++i) behind[i] = step(residual, static_cast<std::uint8_t>(0x20 + i));
  std::sort(behind.begin(), behind.end());
  std::uint32_t usual = kDead;
  std::size_t most = 0;
  for (auto begin = behind.begin(); begin != behind.end();) {
    const auto end = std::upper_bound(begin, behind.end(), *begin);
    if (const auto count = static_cast<std::size_t>(end - begin); *begin != kDead && count > most) {
      most = count;
      usual = *begin;
    }
    begin = end;
  }
  return usual;
}

}  // namespace weir::engine
