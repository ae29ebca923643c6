// ResidualTable: the residuals of one terminal, stepped by bytes.
//
// WHAT   Numbers the residuals of an expression and stores a flat row of 256 transitions for each. It does what Lexer
//        does, but for a single terminal and independent of the parser's rows. Greedy terminals step like exact ones;
//        their conditions are ignored.
// WHY    A walk of a whole vocabulary takes a million steps; a step here is one read.
// HOW    A row is filled when it is first needed, from the few classes of bytes that the residual distinguishes
//        (ExprSet::append_branches). What makes walks shorter than the trie is in accelerators/.
//        A table is used for one walk, but its storage is reused by the next one (`Storage`): a terminal's residuals
//        are mostly those that the walk before has met, and new pages cost more than filling most tables.
// THREADS Not thread-safe.
#ifndef WEIR_SRC_ENGINE_RESIDUALS_RESIDUAL_TABLE_H_
#define WEIR_SRC_ENGINE_RESIDUALS_RESIDUAL_TABLE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "engine/accelerators.h"
#include "engine/search_bounds.h"
#include "lexer/lexer.h"
#include "regex/analysis/text_horizon.h"
#include "regex/expr/expr.h"
#include "regex/expr/id_set.h"
#include "vocab/character_set.h"

namespace weir::engine {

class ResidualTable {
 public:
  class Storage;
  /// Uses `storage`, which must outlive the table and not be used by another table meanwhile. Contents left by tables
  /// of the same `owner` are reused; tables of one owner must have the same `exprs` and the same mode.
  ResidualTable(Storage& storage, std::uint64_t owner, regex::ExprSet& exprs, lexer::TerminalSpec root,
                std::uint32_t fuel, Accelerators accelerators = {});

  static constexpr std::uint32_t kDead = 0;  ///< The residual matches nothing.
  [[nodiscard]] std::uint32_t root() const { return root_; }
  [[nodiscard]] regex::ExprSet& exprs() { return exprs_; }
  [[nodiscard]] const Accelerators& accelerators() const { return accelerators_; }
  /// Returns the bounds of the repeat that the root begins with.
  [[nodiscard]] regex::Rounds first_rounds() const { return regex::first_rounds(exprs_, expr(root_)); }

  /// Returns the residual after one more byte.
  std::uint32_t step(std::uint32_t residual, std::uint8_t byte) {
    const std::size_t at = (static_cast<std::size_t>(residual) << 8) | byte;
    if (next_[at] == kUnfilled) fill(residual);
    return next_[at];
  }
  /// Returns the same as step(). Within an escape, computes and stores this step alone: there a decoder distinguishes
  /// more bytes than follow in most places of a trie.
  std::uint32_t step_in_escape(std::uint32_t residual, std::uint8_t byte) {
    const std::size_t at = (static_cast<std::size_t>(residual) << 8) | byte;
    if (next_[at] != kUnfilled) return next_[at];
    if (!residuals_[residual].is_in_escape) return step(residual, byte);
    const std::uint16_t next = compute_step(residual, byte);  // may move the rows
    return next_[at] = next;
  }
  /// Returns the bytes after which the residual does not become kDead.
  const regex::ByteSet& alive(std::uint32_t residual) {
    if (!residuals_[residual].is_filled) fill(residual);
    return residuals_[residual].alive;
  }
  /// Returns the same as step(), but computes this step alone and does not store it. Precondition: the result is not kDead.
  std::uint32_t step_alive(std::uint32_t residual, std::uint8_t byte);
  /// Returns true if the terminal may end at this residual.
  [[nodiscard]] bool can_end(std::uint32_t residual) const { return residuals_[residual].can_end; }
  [[nodiscard]] regex::ExprId expr(std::uint32_t residual) const { return residuals_[residual].expr; }

  /// Returns how many residuals have a number.
  [[nodiscard]] std::size_t size() const { return residuals_.size(); }
  /// Returns the number of an expression, which need not be reachable from the root.
  std::uint32_t add(regex::ExprId e);
  /// Returns a length up to which no text distinguishes two residuals, as far as a quick test tells.
  regex::EqualPrefix equal_prefix_length(std::uint32_t a, std::uint32_t b) {
    Compared& known = compared_[(a * 37 + b) % compared_.size()];  // siblings have near numbers
    if (a != known.a || b != known.b) known = {a, b, regex::equal_prefix_length(exprs_, expr(a), expr(b))};
    return known.alike;
  }

  /// Returns true if emptiness could not be decided for some residual, or there were too many residuals. The results so
  /// far must then not be used, and walks should stop.
  [[nodiscard]] bool is_inexact() const { return inexact_; }

  // What CharacterSteps (accelerators/character_steps.h) has found out, which is kept with the rows.
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  /// How a residual steps by whole characters.
  struct Uniform {
    std::uint32_t next = kUnknown;        // where most characters lead; kDead if all lead nowhere
    vocab::CharacterSet known = {};       // these kinds beyond ASCII have been looked at
    vocab::CharacterSet characters = {};  // these lead to `next`
    vocab::CharacterSet dead = {};        // these lead nowhere, with their first byte
  };
  [[nodiscard]] Uniform& uniform(std::uint32_t residual) { return residuals_[residual].uniform; }
  [[nodiscard]] std::vector<std::uint32_t>& after_scratch() { return after_; }

 private:
  static constexpr std::uint16_t kUnfilled = UINT16_MAX;
  static_assert(kMaxTableResiduals <= kUnfilled / 2);  // a walk adds some residuals before it stops

  struct Residual {
    regex::ExprId expr{};
    bool can_end = false;
    bool is_in_escape = false;  // it begins with a decoder that has read a part of an escape
    bool is_filled = false;     // the row is complete
    Uniform uniform = {};
    regex::ByteSet alive = {};  // known once the row is filled
  };

  void fill(std::uint32_t residual);
  std::uint16_t compute_step(std::uint32_t residual, std::uint8_t byte);
  std::uint16_t number_unless_empty(regex::ExprId e);
  [[nodiscard]] bool has_ended(std::uint32_t residual) const {
    return mode_ == base::LexemeMode::kLazy && can_end(residual);
  }
  void set_inexact();
  void append_branches(regex::ExprId e);

  Storage& storage_;
  regex::ExprSet& exprs_;
  base::LexemeMode mode_;
  std::uint32_t fuel_;
  Accelerators accelerators_;
  bool inexact_ = false;
  std::uint32_t root_ = kDead;
  struct Compared {
    std::uint32_t a = kUnknown, b = kUnknown;
    regex::EqualPrefix alike = {};
  };
  std::array<Compared, kComparedPairs> compared_ = {};  // recent results of equal_prefix_length
  // Parts of the storage:
  std::vector<Residual>& residuals_;
  std::vector<std::uint16_t>& next_;  // residual * 256 + byte
  regex::IdSet& by_expr_;
  std::vector<regex::ExprSet::Branch>& branches_;
  std::vector<std::uint32_t>& after_;
};

class ResidualTable::Storage {
 public:
  static constexpr std::uint64_t kNobody = 0;
  [[nodiscard]] std::uint64_t owner() const { return owner_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return next_.capacity() * sizeof(std::uint16_t) + residuals_.capacity() * sizeof(Residual) +
           branches_.capacity() * sizeof(regex::ExprSet::Branch) + after_.capacity() * sizeof(std::uint32_t) +
           by_expr_.memory_bytes();
  }

 private:
  friend class ResidualTable;
  std::uint64_t owner_ = kNobody;
  std::vector<Residual> residuals_;
  std::vector<std::uint16_t> next_;
  regex::IdSet by_expr_;
  std::vector<regex::ExprSet::Branch> branches_;
  std::vector<std::uint32_t> after_;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_RESIDUALS_RESIDUAL_TABLE_H_
