// What the two models of SentencePiece share: pieces with scores, and what becomes of characters that no piece covers.
//
// WHAT   ScoredPieces is the input of make_unigram and make_spm_bpe; PieceWriter turns their pieces into ids.
// WHY    Both models cut text into pieces and then treat what they do not know alike: byte tokens if there are all 256,
//        else the unknown token if the caller wants it, else an error that says where.
// REFERENCES Kudo & Richardson, "SentencePiece: a simple and language independent subword tokenizer and detokenizer for
//        neural text processing" (EMNLP 2018).
#ifndef WEIR_SRC_VOCAB_SEGMENTERS_SCORED_PIECES_H_
#define WEIR_SRC_VOCAB_SEGMENTERS_SCORED_PIECES_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"

namespace weir::vocab {

/// The types of pieces; the numbers are those of SentencePiece's and GGUF's files.
enum class PieceType : std::uint8_t {
  kNormal = 1,
  kUnknown = 2,      ///< Stands for characters that the vocabulary lacks; never matches text.
  kControl = 3,      ///< <s>, </s>, ...; never matches text.
  kUserDefined = 4,  ///< Text that is always this one piece.
  kUnused = 5,       ///< A BPE merge may pass through it, but it is no token of any text.
  kByte = 6,         ///< <0xNN>: one byte of a character that has no piece.
};

/// Pieces by id. The spans are read in the call that takes them and not kept.
struct ScoredPieces {
  std::span<const std::string> texts = {};  ///< As they stand in normalized text ("▁the"). Empty: no part of the model.
  std::span<const double> scores = {};      ///< As many as texts; logarithms of probabilities, or negated merge ranks.
  std::span<const PieceType> types = {};    ///< As many as texts, or none: all are kNormal.
  /// Tokens of the 256 bytes, in order; or none.
  std::span<const std::uint32_t> byte_tokens = {};
  /// For characters that no piece and no byte token can write. Without it they are an error.
  std::optional<std::uint32_t> unknown_token = std::nullopt;
  bool fuse_unknown = true;  ///< Adjacent unknown characters are one unknown token.
};

/// kInvalidArgument unless the spans' lengths agree, every id is one of a piece, and every score is a number.
Result<void> check_scored_pieces(const ScoredPieces& pieces);

/// Writes the ids of one text; known pieces and stretches without a piece, in order.
class PieceWriter {
 public:
  /// How a model treats what it does not know; see ScoredPieces.
  struct Policy {
    std::vector<std::uint32_t> byte_tokens = {};
    std::optional<std::uint32_t> unknown_token = std::nullopt;
    bool fuse_unknown = true;

    Policy() = default;
    explicit Policy(const ScoredPieces& pieces)
        : byte_tokens(pieces.byte_tokens.begin(), pieces.byte_tokens.end()),
          unknown_token(pieces.unknown_token),
          fuse_unknown(pieces.fuse_unknown) {}
  };

  /// Appends to `out`. Both must outlive the writer.
  PieceWriter(const Policy& policy, std::vector<std::uint32_t>& out) : policy_(policy), out_(out) {}

  void write_known(std::uint32_t id) {
    out_.push_back(id);
    after_unknown_ = false;
  }
  /// A stretch [begin, end) of `text` that has no piece: one character, or an invalid byte.
  /// Errors: kInvalidArgument with the stretch, if there is no way to write it.
  Result<void> write_unknown(std::string_view text, std::size_t begin, std::size_t end);

 private:
  const Policy& policy_;
  std::vector<std::uint32_t>& out_;
  bool after_unknown_ = false;
};

/// Length of the character at `pos`; 1 where the bytes are not valid UTF-8. Precondition: pos < text.size().
std::size_t character_length(std::string_view text, std::size_t pos) noexcept;

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_SCORED_PIECES_H_
