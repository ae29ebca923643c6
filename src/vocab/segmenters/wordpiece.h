// WordPiece: BERT's model, which tokenizes a word by longest match.
//
// WHAT   From left to right, takes the longest token that the rest of the word begins with; tokens that continue a word
//        are marked with a prefix. If no token fits at some position, or if the word is too long, the whole word
//        becomes the unknown token; decoding cannot restore such a word.
// COST   O(n) trie steps for n bytes, O(n * longest token) in the worst case.
// REFERENCES Devlin et al., "BERT: pre-training of deep bidirectional transformers for language understanding" (NAACL
//        2019); Schuster & Nakajima, "Japanese and Korean voice search" (ICASSP 2012).
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_WORDPIECE_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_WORDPIECE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "vocab/segmenters/pipeline.h"
#include "weir/error.h"

namespace weir::vocab {

struct WordPieceSpec {
  /// Text of token i as the file writes it; empty if it is not part of the model. Need not outlive the call.
  std::span<const std::string> tokens = {};
  /// The prefix of tokens that begin a word: "" in BERT's own files, "▁" in GGUF.
  std::string_view word_prefix = "";
  /// The prefix of tokens that continue a word: "##" in BERT's own files, "" in GGUF. Exactly one of the two is empty.
  std::string_view continuing_prefix = "##";
  std::uint32_t unknown_token = 0;
  std::uint32_t max_word_characters = 100;  ///< Longer words are unknown.
};

/// Makes the model; its pieces are words.
/// Errors: kInvalidArgument if unknown_token is not a token, or if not exactly one prefix is empty.
Result<std::shared_ptr<const PieceModel>> make_wordpiece(const WordPieceSpec& spec);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_WORDPIECE_H_
