// WordPiece: BERT's longest match first within a word.
//
// WHAT   From the left, the longest entry that the rest of the word begins with, where entries that continue a word are
//        marked; if at some place no entry fits, or the word is too long, the whole word is the unknown token.
// WHY    So much text has nothing but the unknown token, from which decoding does not give it back.
// COST   O(n) trie steps for n bytes, O(n * longest entry) at worst.
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
  /// Text of token i as the file writes it; empty where it is no part of the model. Read in the call and not kept.
  std::span<const std::string> tokens = {};
  /// The mark of tokens that begin a word: "" in BERT's own files, "▁" in GGUF.
  std::string_view word_prefix = "";
  /// The mark of tokens that continue a word: "##" in BERT's own files, "" in GGUF. Just one of the two is empty.
  std::string_view continuing_prefix = "##";
  std::uint32_t unknown_token = 0;
  std::uint32_t max_word_characters = 100;  ///< Longer words are unknown.
};

/// The model for one word. Errors: kInvalidArgument if unknown_token is no token, or not exactly one prefix is empty.
Result<std::shared_ptr<const PieceModel>> make_wordpiece(const WordPieceSpec& spec);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_WORDPIECE_H_
