// CanonicalModel: a tokenizer's recipe, checked and sorted into what CanonicalAutomaton is made of.
//
// WHY    All that is refused is refused here, by name, but for what patterns and merges have inside.
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
  /// Instead of merges: at each place the longest token that fits.
  bool takes_longest = false;
  std::vector<PieceStep> steps = {};
  PieceOptions pieces = {};
  struct Fixed {
    std::string text = {};  ///< As the steps see it.
    std::uint32_t id = 0;
  };
  std::vector<Fixed> fixed = {};  ///< The fixed texts of the steps.
  /// What is put in front of a text that is not empty; decoding takes it away again.
  enum class Prefix : std::uint8_t {
    kNone,
    kSpace,
    kSpaceUnlessThere,  ///< Not before a space; so no text that begins with one is given back.
  };
  Prefix prefix = Prefix::kNone;
  bool normalizes_to_nfc = false;
};

/// Errors: kUnsupported with what is refused.
Result<CanonicalModel> read_canonical_model(const vocab::Vocabulary& vocabulary);

}  // namespace weir::canonical

#endif  // WEIR_SRC_CANONICAL_CANONICAL_MODEL_H_
