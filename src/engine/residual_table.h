// ResidualTable: what is left of one terminal, stepped by bytes.
//
// WHAT   The residuals of an expression that texts reach, numbered, with a flat row of 256 each; as Lexer does, for one
//        terminal alone and without rows of the parser. Greedy terminals step as exact ones; their condition is not
//        looked at.
// WHY    Walks of a whole vocabulary ask for a million steps; a step is one read.
// HOW    A row is filled when it is first needed, by the classes of bytes that the residual tells apart
//        (ExprSet::append_branches), of which there are few. `Uniform` says over which groups of characters a residual
//        goes on alike, and for how many of them, so that a walk may take subtrees of a trie whole. So it may where the
//        residuals that groups of characters reach are few and none is empty, as in a search for a word.
// THREADS Not thread-safe.
#ifndef WEIR_SRC_ENGINE_RESIDUAL_TABLE_H_
#define WEIR_SRC_ENGINE_RESIDUAL_TABLE_H_

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "lexer/lexer.h"
#include "regex/expr.h"
#include "vocab/trie_summary.h"

namespace weir::engine {

class ResidualTable {
 public:
  ResidualTable(regex::ExprSet& exprs, lexer::TerminalSpec root, std::uint32_t fuel);

  static constexpr std::uint32_t kDead = 0;  ///< The residual matches nothing.
  static constexpr std::uint32_t kRoot = 1;

  std::uint32_t step(std::uint32_t residual, std::uint8_t byte) {
    const std::size_t at = (static_cast<std::size_t>(residual) << 8) | byte;
    if (next_[at] == kUnknown) fill(residual);
    return next_[at];
  }
  [[nodiscard]] bool can_end(std::uint32_t residual) const { return can_end_[residual] != 0; }
  [[nodiscard]] regex::ExprId expr(std::uint32_t residual) const { return residuals_[residual]; }

  /// Over which characters a residual goes on alike.
  struct Uniform {
    std::uint8_t groups = 0;       ///< vocab::CharacterGroup bits: each character of these leads to `next`, and so on.
    std::uint16_t characters = 0;  ///< How many characters that holds for; kAnyNumber where `next` is the residual.
    std::uint32_t next = kDead;
  };
  static constexpr std::uint16_t kAnyNumber = UINT16_MAX;
  const Uniform& uniform(std::uint32_t residual) {
    if (uniform_[residual].next == kUnknown) find_uniform(residual);
    return uniform_[residual];
  }
  /// Whether any text made of the summary's characters leaves something behind `residual`. False may mean "not found
  /// out", but for that all is looked at that is cheap to look at.
  bool takes_all(std::uint32_t residual, const vocab::SubtreeSummary& summary) {
    const Uniform& u = uniform(residual);
    const bool is_uniform = (summary.groups & ~u.groups) == 0 &&
                            (summary.max_characters < vocab::kManyCharacters ? summary.max_characters <= u.characters
                                                                             : u.characters == kAnyNumber);
    return is_uniform || (summary.groups & ~closed(residual)) == 0;
  }

  /// The residual that most printable characters lead to; kDead where none does.
  std::uint32_t usual_next(std::uint32_t residual);

  /// Whether emptiness could not be decided on the way; what was computed is then not to be used.
  [[nodiscard]] bool is_inexact() const { return inexact_; }

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  static constexpr std::uint8_t kNotClosedYet = 0xFF;
  // Looks for closed groups that find none or meet many residuals cost a table some ten microseconds each.
  static constexpr int kMostClosures = 4;
  static constexpr std::size_t kManyResiduals = 64;
  std::uint32_t add(regex::ExprId e);
  void fill(std::uint32_t residual);
  Uniform step_by_group(std::uint32_t residual);
  void find_uniform(std::uint32_t residual);
  std::uint8_t closed(std::uint32_t residual) {
    if (closed_[residual] == kNotClosedYet && closures_left_ > 0) find_closed(residual);
    return closed_[residual] == kNotClosedYet ? 0 : closed_[residual];
  }
  void find_closed(std::uint32_t residual);
  std::uint8_t first_fatal_group(std::vector<std::uint32_t>& reached, std::uint8_t groups);
  void append_beyond_ascii(std::uint32_t residual, std::vector<std::uint32_t>& behind);

  regex::ExprSet& exprs_;
  lexer::Mode mode_;
  std::uint32_t fuel_;
  std::vector<regex::ExprId> residuals_;
  std::vector<std::uint8_t> can_end_;
  std::vector<Uniform> uniform_;
  std::vector<std::uint8_t> closed_;  // groups of which no text ends what is left of the residual
  int closures_left_ = kMostClosures;
  std::vector<std::uint32_t> next_;  // residual * 256 + byte
  std::unordered_map<regex::ExprId, std::uint32_t> by_expr_;
  std::vector<regex::ExprSet::Branch> branches_;
  bool inexact_ = false;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_RESIDUAL_TABLE_H_
