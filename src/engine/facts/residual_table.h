// ResidualTable: the residuals of one terminal, stepped by bytes.
//
// The basic idea: a step is one read, and a subtree of the trie whose characters all behave alike is taken without a
// step.
//
// WHAT   Numbers the residuals of an expression and stores a flat row of 256 transitions for each. It does what Lexer
//        does, but for a single terminal and independent of the parser's rows. Greedy terminals step like exact ones;
//        their conditions are ignored.
// WHY    A walk of a whole vocabulary takes a million steps; a step here is one read.
// HOW    A row is filled when it is first needed, from the few classes of bytes that the residual distinguishes
//        (ExprSet::append_branches). A walk may accept a whole subtree of a trie without visiting it if all characters
//        that the subtree consists of lead from each residual to the same next one (`Uniform`), for as many characters as
//        its texts have; or if a rule about the root's characters says so (find_character_rule()).
//        A table is used for one walk, but its storage is reused by the next one (`Storage`): a terminal's residuals
//        are mostly those that the walk before has met, and new pages cost more than filling most tables.
// EXAMPLE  find_character_rule() looks for characters that may come anywhere. It begins with those that the root does
//        not reject, follows all their texts, and drops some characters wherever a text gets stuck. After the opening
//        quote of a JSON string:
//        1. Any string: all but control characters are taken at first. `"` leads to a residual that can end: `"` is
//           dropped. `\` leads into an escape, where most letters are rejected. Either those letters go or the `\`
//           before them. `\` is in fewer tokens (fewest_on_way), so it is dropped. All others lead back to the root.
//           The rule takes tokens of these, rejects control characters, and says nothing of tokens with `"` or `\`,
//           which are walked.
//        2. `[a-z]{0,12}`: `"` and `\` are dropped as above. Each letter leads one residual further; after twelve every
//           one is rejected, so `most` is 12.
//        3. `[a-z]+( [a-z]+)*`: letters are taken. A blank is neither taken, because the root rejects it, nor rejected,
//           because it may come after a letter.
//        4. `[A-Z][a-z]*`: capitals get stuck after the first one. Too few letters are left: there is no rule.
//        takes_all() needs no rule. In a string that may have 39 more characters, small letters lead from 39 to 38,
//        from there to 37, and so on: a subtree of small letters, at most 14 of them, is accepted after 14 lookups.
// THREADS Not thread-safe.
#ifndef WEIR_SRC_ENGINE_FACTS_RESIDUAL_TABLE_H_
#define WEIR_SRC_ENGINE_FACTS_RESIDUAL_TABLE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "engine/facts/token_kinds.h"
#include "engine/search_bounds.h"
#include "lexer/lexer.h"
#include "regex/analysis/text_horizon.h"
#include "regex/expr/expr.h"
#include "regex/expr/id_set.h"
#include "vocab/trie_summary.h"

namespace weir::engine {

class ResidualTable {
 public:
  class Storage;
  /// Uses `storage`, which must outlive the table and not be used by another table meanwhile. Contents left by tables
  /// of the same `owner` are reused; tables of one owner must have the same `exprs` and the same mode.
  ResidualTable(Storage& storage, std::uint64_t owner, regex::ExprSet& exprs, lexer::TerminalSpec root,
                std::uint32_t fuel);

  static constexpr std::uint32_t kDead = 0;  ///< The residual matches nothing.
  [[nodiscard]] std::uint32_t root() const { return root_; }
  [[nodiscard]] regex::ExprSet& exprs() { return exprs_; }
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

  /// Returns true if `residual` rejects no text that consists of the characters of a subtree of `size` nodes. May
  /// return false although it is so: finding out must not cost more than a walk of the subtree.
  bool takes_all(std::uint32_t residual, const vocab::TrieSummary& summary, std::size_t node, std::uint32_t size) {
    if (size < vocab::TrieSummary::kMinNodes || !summary.is_text(node)) return false;
    const vocab::CharacterSet& characters = summary.characters(node);
    return runs_through(residual, characters, summary.max_characters(node), size);
  }

  /// Returns true if the texts of a subtree behave the same after two residuals: both reject at the same character,
  /// after the same accepting positions. May return false although it is so, as above.
  bool behave_alike(std::uint32_t a, std::uint32_t b, const vocab::TrieSummary& summary, std::size_t node,
                    std::uint32_t size);

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

  /// Finds a rule about the root's characters. Returns false if there is none that allows many letters. The residuals that
  /// the texts of a rule lead to cannot end.
  bool find_character_rule(CharacterRule& rule);

  /// Returns the residual that the most printable ASCII characters lead to, if most kinds of characters then lead from it
  /// back to it; otherwise kDead. Most texts stay in it, so it is the usual base of a description by difference.
  std::uint32_t usual_loop(std::uint32_t residual);

  /// Returns true if the root takes single characters of many kinds: after most of them it can end, and no printable ASCII
  /// character may come.
  bool is_of_one_character();

  /// Returns true if emptiness could not be decided for some residual, or there were too many residuals. The results so
  /// far must then not be used, and walks should stop.
  [[nodiscard]] bool is_inexact() const { return inexact_; }

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;
  static constexpr std::uint16_t kUnfilled = UINT16_MAX;
  static_assert(kMaxTableResiduals <= kUnfilled / 2);  // a walk adds some residuals before it stops

  // How a residual steps by whole characters.
  struct Uniform {
    std::uint32_t next = kUnknown;        // where most characters lead; kDead if all lead nowhere
    vocab::CharacterSet known = {};       // these kinds beyond ASCII have been looked at
    vocab::CharacterSet characters = {};  // these lead to `next`
    vocab::CharacterSet dead = {};        // these lead nowhere, with their first byte
  };

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
  std::uint32_t usual_next(std::uint32_t residual);
  const Uniform& uniform(std::uint32_t residual, const vocab::CharacterSet& characters);
  bool runs_through(std::uint32_t residual, const vocab::CharacterSet& characters, unsigned max_characters,
                    std::uint32_t size);
  void step_by_character(std::uint32_t residual);
  struct Reached {
    std::uint32_t residual;
    std::uint32_t from;  // the place of the residual before it
  };
  static constexpr std::uint32_t kNone = UINT32_MAX;
  vocab::CharacterSet characters_between(std::uint32_t from, std::uint32_t to, const vocab::CharacterSet& characters);
  const std::vector<std::uint32_t>& after_kind(std::uint32_t residual, vocab::CharacterKind kind);
  void look_beyond(std::uint32_t residual, const vocab::CharacterSet& asked);
  struct Steps {
    vocab::CharacterSet rejected;         // kinds of which every character is rejected
    vocab::CharacterSet partly_rejected;  // kinds of which some character is rejected
    std::vector<std::uint32_t> next;      // the residuals that are reached, some of them several times
  };
  const Steps& steps(std::uint32_t residual, const vocab::CharacterSet& taken);
  vocab::CharacterSet follow(CharacterRule& rule);
  vocab::CharacterSet fewest_on_way(const std::vector<Reached>& reached, std::uint32_t at,
                                    const vocab::CharacterSet& last, const vocab::CharacterSet& taken);

  void set_inexact();
  void append_branches(regex::ExprId e);

  Storage& storage_;
  regex::ExprSet& exprs_;
  base::LexemeMode mode_;
  std::uint32_t fuel_;
  bool inexact_ = false;
  bool after_is_exact_ = false;  // the last call of after_kind() has found all residuals
  std::uint32_t root_ = kDead;
  struct Compared {
    std::uint32_t a = kUnknown, b = kUnknown;
    regex::EqualPrefix alike = {};
  };
  std::array<Compared, kComparedPairs> compared_ = {};  // recent results of equal_prefix_length
  Steps steps_;
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

#endif  // WEIR_SRC_ENGINE_FACTS_RESIDUAL_TABLE_H_
