// The pipeline around a tokenizer's model: added tokens, normalizers, pre-tokenizer, model.
//
// WHAT   tokenize(text): cut out added tokens, normalize what is between them, cut it into pieces, ask the model for
//        each piece. SentencePiece, Hugging Face and GGUF tokenizers are all of this shape.
// WHY    The models (BPE, Unigram, WordPiece) know nothing of text around their piece, so each is one small class.
// THREADS All const and safe to call concurrently.
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

/// The heart of a tokenizer: one piece of normalized text to ids.
class PieceModel {
 public:
  virtual ~PieceModel() = default;
  /// Appends the ids of `piece` to `out`.
  /// Errors: kInvalidArgument where the piece has no tokenization; `where` counts from the start of the piece.
  virtual Result<void> tokenize_piece(std::string_view piece, std::vector<std::uint32_t>& out) const = 0;
  /// How it merges. Views in it live as long as the model.
  [[nodiscard]] virtual MergeRecipe merges() const = 0;
};

/// A token that is found in the text as it stands, before the model sees it. Only tokens that are text: names of
/// special tokens are plain text to tokenize(), so they are not listed.
struct AddedToken {
  std::string text;
  std::uint32_t id = 0;
  bool single_word = false;  ///< Only where no letter, digit or underscore touches it.
  bool lstrip = false;       ///< Takes the white space before it along.
  bool rstrip = false;       ///< Takes the white space behind it along.
  bool normalized = false;   ///< Looked for after the normalizers, in its own normalized form.
};

struct PipelineSpec {
  std::vector<AddedToken> added_tokens = {};
  std::vector<NormalizerPtr> normalizers = {};
  PreTokenizer pre_tokenizer = {};
  std::shared_ptr<const PieceModel> model;  ///< Not null.
};

std::shared_ptr<const Segmenter> make_pipeline(PipelineSpec spec);

/// A segmenter whose tokenize() always answers kUnsupported with this message.
std::shared_ptr<const Segmenter> make_unsupported_segmenter(std::string message);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_PIPELINE_H_
