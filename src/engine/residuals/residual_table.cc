#include "engine/residuals/residual_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/work.h"
#include "engine/residuals/character_automaton.h"
#include "regex/analysis/members.h"
#include "regex/atoms/atom.h"

namespace weir::engine {

using regex::ByteSet;
using regex::ExprId;
using regex::ExprSet;

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
                             std::uint32_t fuel, Accelerators accelerators)
    : storage_(storage),
      exprs_(exprs),
      mode_(root.mode),
      fuel_(fuel),
      accelerators_(accelerators),
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
  const regex::ExprKind kind = exprs_.kind(e);
  const bool has_parts = kind == regex::ExprKind::kAlternation || kind == regex::ExprKind::kIntersection ||
                         (kind == regex::ExprKind::kConcat && exprs_.nullable(exprs_.head(e)));
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

}  // namespace weir::engine
