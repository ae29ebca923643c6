// BPE models: by a list of merges (GPT-2, tokenizer.json, GGUF) and by ranks of tokens (tiktoken, tekken).
//
// WHAT   A piece starts as the sequence of its bytes or characters. The best adjacent pair is merged, the leftmost one
//        among equals, until no pair can be merged. With merges, the best pair is the first in the list; with ranks,
//        the one whose concatenation is the token with the lowest id.
// HOW    Symbols are in a linked list, candidate pairs in a heap; in short pieces all pairs are scanned instead. Pairs
//        of ids (merges) or bytes (ranks) are looked up in one open-addressing table.
// COST   O(n log n) for a piece of n bytes, so even a megabyte of one letter is tokenized fast.
// REFERENCES Sennrich, Haddow & Birch, "Neural machine translation of rare words with subword units" (ACL 2016).
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_BPE_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_BPE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vocab/segmenters/pipeline.h"
#include "weir/error.h"

namespace weir::vocab {

/// A merge as the file writes it.
struct MergeText {
  std::string_view left;
  std::string_view right;
};

struct MergeBpeSpec {
  enum class Unit : std::uint8_t {
    kByte,       ///< Pieces are bytes; names of tokens are written in the byte-level alphabet (byte_level.h).
    kCharacter,  ///< Pieces are unmodified characters.
  };
  Unit unit = Unit::kByte;
  /// Name of token i as the file writes it; empty if token i is not part of the model (special, added, unused).
  std::span<const std::string> tokens = {};
  std::span<const MergeText> merges = {};  ///< By rank. A merge whose parts or result are not tokens is skipped.
  bool ignore_merges = false;              ///< A piece that is a token becomes that token, without merges.
  /// For kCharacter: the tokens of the 256 bytes, for characters that are not tokens; or empty.
  std::span<const std::uint32_t> byte_tokens = {};
  /// For kCharacter: the token of characters that are not tokens and that byte_tokens cannot write. If it is absent,
  /// they are an error.
  std::optional<std::uint32_t> unknown_token = std::nullopt;
  bool fuse_unknown = false;  ///< Adjacent unknown characters are one unknown token.
};
/// Makes a BPE model by merges. `spec` need not outlive the call. The model's tables are made when it is first used.
Result<std::shared_ptr<const PieceModel>> make_merge_bpe(const MergeBpeSpec& spec);

/// Makes a BPE model by ranks; a token's rank is its id. `token_bytes[i]` are the bytes of token i, empty if it is not
/// part of the model.
std::shared_ptr<const PieceModel> make_rank_bpe(std::span<const std::string> token_bytes);

/// The tokenizer of GGUF files of model "gpt2": added tokens, normalizers, split patterns, then a byte-level merge BPE.
struct ByteLevelBpeSpec {
  MergeBpeSpec model;
  std::vector<SplitPattern> patterns;
  std::vector<AddedToken> added_tokens = {};
  std::vector<NormalizerPtr> normalizers = {};
};
/// Makes that tokenizer. Errors: those of make_merge_bpe and PreTokenizer::from_patterns.
Result<std::shared_ptr<const Segmenter>> make_byte_level_bpe(ByteLevelBpeSpec spec);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_BPE_H_
