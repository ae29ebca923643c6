// ResidualTable: what is left of one terminal, stepped by bytes.
//
// WHAT   The residuals of an expression that texts reach, numbered, with a flat row of 256 each; as Lexer does, for one
//        terminal alone and without rows of the parser. Greedy terminals step as exact ones; their condition is not
//        looked at.
// WHY    Walks of a whole vocabulary ask for a million steps; a step is one read.
// HOW    A row is filled when it is first needed, by the classes of bytes that the residual tells apart
//        (ExprSet::append_branches), of which there are few. A walk may take a subtree of a trie whole where all
//        characters that it is made of lead from residual to residual alike (`Uniform`), for as many as it has; or
//        where the residuals that these reach are few and none is empty, or what is left may come behind any text, as
//        in a search for a word (`closed`).
//        A table is used for one walk. What it is kept in is for the next one (`Storage`): the residuals of a terminal
//        are mostly those that the walk before has met, and fresh pages cost more than what most tables put into them.
// THREADS Not thread-safe.
#ifndef WEIR_SRC_ENGINE_MASK_RESIDUAL_TABLE_H_
#define WEIR_SRC_ENGINE_MASK_RESIDUAL_TABLE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "lexer/lexer.h"
#include "regex/expr/expr.h"
#include "regex/expr/id_set.h"
#include "vocab/trie_summary.h"

namespace weir::engine {

class ResidualTable {
 public:
  class Storage;
  /// Uses `storage`, which must outlive it and be no other table's meanwhile. What is in there from tables of the same
  /// `owner` stays: all of these have one set of expressions, and terminals of one mode.
  ResidualTable(Storage& storage, std::uint64_t owner, regex::ExprSet& exprs, lexer::TerminalSpec root,
                std::uint32_t fuel);

  static constexpr std::uint32_t kDead = 0;  ///< The residual matches nothing.
  [[nodiscard]] std::uint32_t root() const { return root_; }
  /// How often what the root begins with may be repeated.
  [[nodiscard]] regex::ExprSet::Rounds first_rounds() const { return exprs_.first_rounds(expr(root_)); }

  std::uint32_t step(std::uint32_t residual, std::uint8_t byte) {
    const std::size_t at = (static_cast<std::size_t>(residual) << 8) | byte;
    if (next_[at] == kUnfilled) fill(residual);
    return next_[at];
  }
  /// The same at the cost of this step alone, which is not kept. Precondition: something is left.
  std::uint32_t step_alive(std::uint32_t residual, std::uint8_t byte);
  [[nodiscard]] bool can_end(std::uint32_t residual) const { return residuals_[residual].can_end; }
  [[nodiscard]] regex::ExprId expr(std::uint32_t residual) const { return residuals_[residual].expr; }

  /// Whether any text made of the characters of a subtree of `size` nodes leaves something behind `residual`. False may
  /// mean "not found out": it is looked into no further than a walk of the subtree would cost.
  bool takes_all(std::uint32_t residual, const vocab::TrieSummary& summary, std::size_t node, std::uint32_t size) {
    if (size < vocab::TrieSummary::kMinNodes || !summary.is_text(node)) return false;
    const vocab::CharacterSet& characters = summary.characters(node);
    if (runs_through(residual, characters, summary.max_characters(node), size)) return true;
    if (!residuals_[residual].knows_closed && size >= kLargeSubtree) find_closed(residual);
    return residuals_[residual].closed.contains_all(characters);
  }

  /// Whether the texts of a subtree fare alike behind two residuals: what dies, does so with one character, and what
  /// does has passed the same ends. False as above.
  bool are_alike(std::uint32_t a, std::uint32_t b, const vocab::TrieSummary& summary, std::size_t node,
                 std::uint32_t size);

  /// How many residuals have a number.
  [[nodiscard]] std::size_t size() const { return residuals_.size(); }
  /// The number of an expression, which need not be reached from the root.
  std::uint32_t add(regex::ExprId e);
  /// How long a text may be that does not tell two residuals apart, as far as is seen at a glance.
  regex::ExprSet::Alike equal_prefix_length(std::uint32_t a, std::uint32_t b) {
    Compared& known = compared_[(a * 37 + b) % compared_.size()];  // siblings have near numbers
    if (a != known.a || b != known.b) known = {a, b, exprs_.equal_prefix_length(expr(a), expr(b))};
    return known.alike;
  }

  /// The expression of single characters.
  regex::ExprId any_character();

  /// Whether most kinds of characters lead from `residual` back to it.
  bool goes_on_for_ever(std::uint32_t residual);

  /// The residual that most printable characters lead to; kDead where none does.
  std::uint32_t usual_next(std::uint32_t residual);

  /// Whether emptiness could not be decided on the way, or there were too many residuals; what was computed is then not
  /// to be used, and walks should end.
  [[nodiscard]] bool is_inexact() const { return inexact_; }

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  static constexpr std::uint16_t kUnfilled = UINT16_MAX;
  static constexpr std::size_t kMaxResiduals = 16'384;  // half a kilobyte each; those that are kept count
  static constexpr std::uint32_t kLargeSubtree = 256;
  // To look for closed sets costs some ten microseconds; where it finds none, or too many residuals, it is seldom done
  // again.
  static constexpr int kMaxClosures = 2;
  static constexpr std::size_t kManyResiduals = 32;
  static constexpr std::size_t kManyPlaces = 64;  // within a character beyond ASCII

  // Where most characters lead.
  struct Uniform {
    std::uint32_t next = kUnknown;        // kDead if all lead nowhere
    bool knows_beyond = false;            // whether characters beyond ASCII have been looked at
    vocab::CharacterSet characters = {};  // each of these leads to `next`
    vocab::CharacterSet dead = {};        // each of these leads nowhere with its first byte
  };

  struct Residual {
    regex::ExprId expr{};
    bool can_end = false;
    bool knows_closed = false;
    vocab::CharacterSet closed = {};  // no text of these ends what is left of it
    Uniform uniform = {};
  };

  void fill(std::uint32_t residual);
  const Uniform& uniform(std::uint32_t residual, const vocab::CharacterSet& characters);
  bool runs_through(std::uint32_t residual, const vocab::CharacterSet& characters, unsigned max_characters,
                    std::uint32_t size);
  void step_by_character(std::uint32_t residual);
  void find_closed(std::uint32_t residual);
  vocab::CharacterSet fatal_characters(std::vector<std::uint32_t>& reached, const vocab::CharacterSet& characters);
  const std::vector<std::uint32_t>& behind_kind(std::uint32_t residual, vocab::CharacterKind kind);

  void set_inexact();

  Storage& storage_;
  regex::ExprSet& exprs_;
  lexer::Mode mode_;
  std::uint32_t fuel_;
  int closures_left_ = kMaxClosures;
  bool inexact_ = false;
  std::uint32_t root_ = kDead;
  struct Compared {
    std::uint32_t a = kUnknown, b = kUnknown;
    regex::ExprSet::Alike alike = {};
  };
  // What equal_prefix_length was asked lately. A walk asks for each node, and a path and its siblings are some twenty pairs.
  std::array<Compared, 64> compared_ = {};
  // Of the storage:
  std::vector<Residual>& residuals_;
  std::vector<std::uint16_t>& next_;  // residual * 256 + byte
  regex::IdSet& by_expr_;
  std::vector<regex::ExprSet::Branch>& branches_;
  std::vector<std::uint32_t>& behind_;
};

class ResidualTable::Storage {
 public:
  static constexpr std::uint64_t kNobody = 0;
  [[nodiscard]] std::uint64_t owner() const { return owner_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    return next_.capacity() * sizeof(std::uint16_t) + residuals_.capacity() * sizeof(Residual) +
           branches_.capacity() * sizeof(regex::ExprSet::Branch) + behind_.capacity() * sizeof(std::uint32_t) +
           by_expr_.memory_bytes();
  }

 private:
  friend class ResidualTable;
  static constexpr std::size_t kMaxKept = 1'024;  // residuals; more are not kept for the next table
  std::uint64_t owner_ = kNobody;
  std::vector<Residual> residuals_;
  std::vector<std::uint16_t> next_;
  regex::IdSet by_expr_;
  std::vector<regex::ExprSet::Branch> branches_;
  std::vector<std::uint32_t> behind_;
  regex::ExprId any_character_ = regex::ExprId::kNothing;  // made when it is first needed
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_MASK_RESIDUAL_TABLE_H_
