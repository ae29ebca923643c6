// CanonicalModel: a tokenizer's recipe, checked, in the parts from which CanonicalAutomaton is made.
//
// WHY    Everything that is not supported is refused here, by name, except the contents of patterns and merges.
#ifndef WEIR_SRC_CANONICAL_CANONICAL_MODEL_H_
#define WEIR_SRC_CANONICAL_CANONICAL_MODEL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "canonical/piece_automaton.h"
#include "vocab/recipe.h"
#include "vocab/vocabulary.h"
#include "weir/error.h"

namespace weir::canonical {

struct CanonicalModel {
  vocab::MergeRecipe merges = {};
  /// True if the tokenizer has no merges and takes the longest token that matches at each position.
  bool takes_longest = false;
  std::vector<PieceStep> steps = {};
  PieceOptions pieces = {};
  struct Fixed {
    std::string text = {};  ///< In the form in which the steps read it.
    std::uint32_t id = 0;
  };
  std::vector<Fixed> fixed = {};  ///< The fixed texts of the steps.
  /// What the tokenizer adds before a non-empty text; decoding removes it.
  enum class Prefix : std::uint8_t {
    kNone,
    kSpace,
    kSpaceUnlessThere,  ///< A space, unless the text begins with one; such a text is not given back.
  };
  Prefix prefix = Prefix::kNone;
  bool normalizes_to_nfc = false;
};

/// Errors: kUnsupported; the message names what is refused.
Result<CanonicalModel> read_canonical_model(const vocab::Vocabulary& vocabulary);

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_CANONICAL_MODEL_H_
