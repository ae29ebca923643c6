// CharacterSteps: how the residuals of a table step by whole characters.
//
// WHY    Most residuals treat most characters alike: in a string all but the quote, the backslash and control characters
//        lead back to it. So a walk can decide about a subtree of the vocabulary's trie without visiting it, and most
//        texts stay in one residual, from which others can be described.
// HOW    What is stored of each residual: the residual to which most ASCII characters lead from it, the kinds whose
//        characters all lead there, and the kinds whose characters are all rejected. A subtree is
//        accepted if the kinds that it consists of (vocab/trie_summary.h) lead from each residual to the same next one, for
//        as many characters as its texts have.
// EXAMPLE  In a string that may have 39 more characters, small letters lead from 39 to 38, from there to 37, and so on: a
//        subtree of small letters, at most 14 of them, is accepted after 14 lookups.
// THREADS Not thread-safe.
#ifndef WEIR_SRC_ENGINE_ACCELERATORS_CHARACTER_STEPS_H_
#define WEIR_SRC_ENGINE_ACCELERATORS_CHARACTER_STEPS_H_

#include <cstdint>
#include <vector>

#include "engine/residuals/residual_table.h"
#include "vocab/character_set.h"
#include "vocab/trie_summary.h"

namespace weir::engine {

class CharacterSteps {
 public:
  /// The table must outlive the object. What is found out is stored in the table.
  explicit CharacterSteps(ResidualTable& table) : table_(table), after_(table.after_scratch()) {}

  [[nodiscard]] ResidualTable& table() { return table_; }

  /// Returns true if `residual` rejects no text that consists of the characters of a subtree of `size` nodes. May
  /// return false although it is so: finding out must not cost more than a walk of the subtree.
  bool takes_all(std::uint32_t residual, const vocab::TrieSummary& summary, std::size_t node, std::uint32_t size) {
    if (size < vocab::kMinSummarizedNodes || !summary.is_text(node)) return false;
    const vocab::CharacterSet& characters = summary.characters(node);
    return runs_through(residual, characters, summary.max_characters(node));
  }

  /// Returns the residual that the most printable ASCII characters lead to, if most kinds of characters then lead from it
  /// back to it; otherwise kDead. Most texts stay in it, so it is the usual base of a description by difference.
  std::uint32_t usual_loop(std::uint32_t residual);

  using Uniform = ResidualTable::Uniform;
  /// Returns how a residual steps by characters. Those beyond ASCII are analysed only if `characters` has some. Valid until
  /// the next call.
  const Uniform& uniform(std::uint32_t residual, const vocab::CharacterSet& characters);

  /// Returns the residuals that the characters of a kind beyond ASCII lead to, each once, kDead included; kDead alone if
  /// finding them takes too long. Valid until the next call.
  const std::vector<std::uint32_t>& after_kind(std::uint32_t residual, vocab::CharacterKind kind);
  /// Returns true if the last call of after_kind() has found all residuals.
  [[nodiscard]] bool after_is_exact() const { return after_is_exact_; }

 private:
  static constexpr std::uint32_t kDead = ResidualTable::kDead;
  static constexpr std::uint32_t kUnknown = ResidualTable::kUnknown;
  std::uint32_t usual_next(std::uint32_t residual);
  bool runs_through(std::uint32_t residual, const vocab::CharacterSet& characters, unsigned max_characters);
  void step_by_character(std::uint32_t residual);
  void look_beyond(std::uint32_t residual, const vocab::CharacterSet& asked);
  [[nodiscard]] std::uint32_t step(std::uint32_t residual, std::uint8_t byte) { return table_.step(residual, byte); }
  [[nodiscard]] Uniform& of(std::uint32_t residual) { return table_.uniform(residual); }

  ResidualTable& table_;
  bool after_is_exact_ = false;
  std::vector<std::uint32_t>& after_;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_ACCELERATORS_CHARACTER_STEPS_H_
