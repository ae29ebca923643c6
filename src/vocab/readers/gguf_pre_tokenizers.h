// The pre-tokenizers that GGUF files name in `tokenizer.ggml.pre`.
//
// WHAT   A GGUF file of model "gpt2" (byte-level BPE) does not contain the patterns that cut text before the merges,
//        but only a name for them. This is the list of names and patterns.
// WHY    A name is listed only if its patterns are known from the model's own tokenizer file. For other names masks are
//        available, but the canonical tokenization is not.
// HOW    The patterns are those of the models' tokenizer.json files (`pre_tokenizer`), listed once for all models that
//        share them. The patterns of a list are applied in sequence; each cuts a piece into its matches and the texts
//        between them.
#ifndef WEIR_SRC_VOCAB_READERS_GGUF_PRE_TOKENIZERS_H_
#define WEIR_SRC_VOCAB_READERS_GGUF_PRE_TOKENIZERS_H_

#include <optional>
#include <span>
#include <string_view>

namespace weir::vocab {

struct GgufPreTokenizer {
  std::span<const std::string_view> patterns;
  bool ignore_merges = false;  ///< See MergeBpeSpec.
};

/// Returns the pre-tokenizer with this name, or nullopt if it is not listed.
[[nodiscard]] std::optional<GgufPreTokenizer> find_gguf_pre_tokenizer(std::string_view name);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_GGUF_PRE_TOKENIZERS_H_
