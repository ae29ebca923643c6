// The pre-tokenizers that GGUF files name in `tokenizer.ggml.pre`.
//
// WHAT   A GGUF file of model "gpt2" (byte-level BPE) does not hold the patterns that cut text before the merges; it
//        has a name that stands for them. This is the list of names and patterns.
// WHY    So few models? A name is listed only where its patterns are known from the model's own tokenizer file. A name
//        that is not listed costs the canonical tokenization, not the masks.
// HOW    The patterns are facts of the models' tokenizer.json files (their `pre_tokenizer`), written out here once for
//        all models that share them. The patterns of a list are applied one after the other; each makes pieces of its
//        matches and of what lies between.
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

/// The pre-tokenizer of this name; nullopt if it is not in the list.
[[nodiscard]] std::optional<GgufPreTokenizer> find_gguf_pre_tokenizer(std::string_view name);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_GGUF_PRE_TOKENIZERS_H_
