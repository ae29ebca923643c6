// The common part of SentencePiece's models: pieces with scores, and the handling of characters that no piece covers.
//
// WHAT   ScoredPieces is the input of make_unigram and make_spm_bpe; PieceWriter turns their pieces into ids.
// WHY    Both models cut text into pieces and treat unknown characters alike: they are written in byte tokens if there
//        are all 256 of them, else as the unknown token if there is one; else they are an error with the position.
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

/// The types of pieces. The numbers are those in SentencePiece's and GGUF's files.
enum class PieceType : std::uint8_t {
  kNormal = 1,
  kUnknown = 2,      ///< Stands for characters that the vocabulary lacks; never matches text.
  kControl = 3,      ///< <s>, </s>, ...; never matches text.
  kUserDefined = 4,  ///< Text that is always this one piece.
  kUnused = 5,       ///< An intermediate result of BPE merges; no text is tokenized into it.
  kByte = 6,         ///< <0xNN>: one byte of a character that has no piece.
};

/// Pieces by id. The spans need not outlive the call that takes them.
struct ScoredPieces {
  std::span<const std::string> texts = {};  ///< In normalized form ("▁the"); empty: the id is not part of the model.
  std::span<const double> scores = {};      ///< As many as texts; logarithms of probabilities, or negated merge ranks.
  std::span<const PieceType> types = {};    ///< As many as texts; or none, if all are kNormal.
  /// The tokens of the 256 bytes, in order; or none.
  std::span<const std::uint32_t> byte_tokens = {};
  /// The token of characters that no piece and no byte token covers. If it is absent, they are an error.
  std::optional<std::uint32_t> unknown_token = std::nullopt;
  bool fuse_unknown = true;  ///< Adjacent unknown characters are one unknown token.
};

/// Checks that the lengths of the spans agree, every id is that of a piece, and no score is NaN.
/// Errors: kInvalidArgument otherwise.
Result<void> check_scored_pieces(const ScoredPieces& pieces);

/// Writes the ids of one text. The caller passes the known pieces and the unknown characters in order.
class PieceWriter {
 public:
  /// How a model writes unknown characters; see ScoredPieces.
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

  /// Makes a writer that appends to `out`. Both arguments must outlive it.
  PieceWriter(const Policy& policy, std::vector<std::uint32_t>& out) : policy_(policy), out_(out) {}

  void write_known(std::uint32_t id) {
    out_.push_back(id);
    after_unknown_ = false;
  }
  /// Writes the character, or the invalid byte, [begin, end) of `text`, which has no piece.
  /// Errors: kInvalidArgument, with its range, if neither byte tokens nor an unknown token are available.
  Result<void> write_unknown(std::string_view text, std::size_t begin, std::size_t end);

 private:
  const Policy& policy_;
  std::vector<std::uint32_t>& out_;
  bool after_unknown_ = false;
};

/// Returns the length of the character at `pos` in bytes; 1 if the bytes are not valid UTF-8.
/// Precondition: pos < text.size().
std::size_t character_length(std::string_view text, std::size_t pos) noexcept;

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_SEGMENTERS_SCORED_PIECES_H_
