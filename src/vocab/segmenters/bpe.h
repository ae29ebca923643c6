// BPE models: by a list of merges (GPT-2, tokenizer.json, GGUF) and by ranks of tokens (tiktoken, tekken).
//
// WHAT   A piece starts as its bytes or characters; the best adjacent pair is merged, leftmost first among equals,
//        until no pair can be. By merges: the pair that stands first in the list. By ranks: the pair whose
//        concatenation is the token with the lowest id.
// HOW    Symbols in a linked list, candidate pairs in a heap; short pieces scan instead. Pairs of ids (merges) or bytes
//        (ranks) are looked up in one open-addressing table.
// COST   O(n log n) for a piece of n bytes: a megabyte of one letter is no trouble.
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
    kCharacter,  ///< Pieces are characters as they stand.
  };
  Unit unit = Unit::kByte;
  /// Name of token i as the file writes it; empty where token i is no part of the model (special, added, unused).
  std::span<const std::string> tokens = {};
  std::span<const MergeText> merges = {};  ///< In order of rank. One whose parts or result are no tokens is skipped.
  bool ignore_merges = false;              ///< A piece that is a token is that token, whatever the merges say.
  /// kCharacter: tokens of the 256 bytes, for characters that are no tokens. Empty: none.
  std::span<const std::uint32_t> byte_tokens = {};
  /// kCharacter: for characters that neither are tokens nor can be written in bytes. Without it they are an error.
  std::optional<std::uint32_t> unknown_token = std::nullopt;
  bool fuse_unknown = false;  ///< Adjacent unknown characters are one unknown token.
};
/// The spec is read in the call and not kept.
Result<std::shared_ptr<const PieceModel>> make_merge_bpe(const MergeBpeSpec& spec);

/// `token_bytes[i]` are the bytes of token i, empty where it is no part of the model. A token's rank is its id.
std::shared_ptr<const PieceModel> make_rank_bpe(std::span<const std::string> token_bytes);

/// What GGUF files of model "gpt2" need: a byte-level merge BPE behind patterns, with added tokens.
struct ByteLevelBpeSpec {
  MergeBpeSpec model;
  std::vector<SplitPattern> patterns;
  std::vector<AddedToken> added_tokens = {};
  std::vector<NormalizerPtr> normalizers = {};
};
/// Errors: those of make_merge_bpe and PreTokenizer::from_patterns.
Result<std::shared_ptr<const Segmenter>> make_byte_level_bpe(ByteLevelBpeSpec spec);

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_BPE_H_
