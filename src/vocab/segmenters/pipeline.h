// The pipeline around a tokenizer's model: added tokens, normalizers, pre-tokenizer, model.
//
// WHAT   tokenize(text) cuts out the added tokens, normalizes the text between them, cuts it into pieces, and tokenizes
//        each piece with the model. Hugging Face and GGUF tokenizers have this structure.
// WHY    The models (BPE, Unigram, WordPiece) see nothing of the text around their piece, so each is one small class.
// THREADS All functions are const and safe to call concurrently.
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_PIPELINE_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_PIPELINE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vocab/normalizers/normalizer.h"
#include "vocab/segmenters/pre_tokenizer.h"
#include "vocab/vocabulary.h"
#include "weir/error.h"

namespace weir::vocab {

struct MergeRecipe;  // recipe.h

/// The model of a tokenizer: turns one piece of normalized text into ids.
class PieceModel {
 public:
  virtual ~PieceModel() = default;
  /// Appends the ids of `piece` to `out`.
  /// Errors: kInvalidArgument if the piece has no tokenization; `where` is relative to the start of the piece.
  virtual Result<void> tokenize_piece(std::string_view piece, std::vector<std::uint32_t>& out) const = 0;
  /// How it merges. Views in it live as long as the model.
  [[nodiscard]] virtual MergeRecipe merges() const = 0;
};

/// A token that is found in the text before the model sees it. Special tokens are not listed as added tokens, because
/// tokenize() treats their names as plain text.
struct AddedToken {
  std::string text;
  std::uint32_t id = 0;
  bool single_word = false;  ///< Matches only where no letter, digit or underscore is adjacent.
  bool lstrip = false;       ///< The match includes the white space before it.
  bool rstrip = false;       ///< The match includes the white space after it.
  bool normalized = false;   ///< Its normalized form is searched for in the normalized text.
};

struct PipelineSpec {
  std::vector<AddedToken> added_tokens = {};
  std::vector<NormalizerPtr> normalizers = {};
  PreTokenizer pre_tokenizer = {};
  std::shared_ptr<const PieceModel> model;  ///< Not null.
};

std::shared_ptr<const Segmenter> make_pipeline(PipelineSpec spec);

/// Makes a segmenter whose tokenize() always returns the error kUnsupported with this message.
std::shared_ptr<const Segmenter> make_unsupported_segmenter(std::string message);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_PIPELINE_H_
