#include "vocab/segmenters/scored_pieces.h"

#include <cmath>

#include "base/utf8.h"

namespace weir::vocab {

namespace {

tl::unexpected<Error> invalid_pieces(std::string message, SourceRange where = {}) {
  return tl::unexpected(Error{ErrorCode::kInvalidArgument, std::move(message), where});
}

}  // namespace

Result<void> check_scored_pieces(const ScoredPieces& pieces) {
  const std::size_t count = pieces.texts.size();
  if (pieces.scores.size() != count) {
    return invalid_pieces("there are " + std::to_string(count) + " pieces, but " +
                          std::to_string(pieces.scores.size()) + " scores");
  }
  if (!pieces.types.empty() && pieces.types.size() != count) {
    return invalid_pieces("there are " + std::to_string(count) + " pieces, but " + std::to_string(pieces.types.size()) +
                          " types");
  }
  if (!pieces.byte_tokens.empty() && pieces.byte_tokens.size() != 256) {
    return invalid_pieces("there are " + std::to_string(pieces.byte_tokens.size()) + " byte tokens instead of 256");
  }
  for (std::size_t id = 0; id < count; ++id) {
    if (std::isnan(pieces.scores[id]))
      return invalid_pieces("piece " + std::to_string(id) + " has no number as its score");
  }
  for (const std::uint32_t id : pieces.byte_tokens) {
    if (id >= count) return invalid_pieces("byte token " + std::to_string(id) + " is out of range");
  }
  if (pieces.unknown_token && *pieces.unknown_token >= count) {
    return invalid_pieces("unknown token " + std::to_string(*pieces.unknown_token) + " is out of range");
  }
  return {};
}

Result<void> PieceWriter::write_unknown(std::string_view text, std::size_t begin, std::size_t end) {
  if (!policy_.byte_tokens.empty()) {
    for (std::size_t i = begin; i < end; ++i) {
      out_.push_back(policy_.byte_tokens[static_cast<std::uint8_t>(text[i])]);
    }
    after_unknown_ = false;
    return {};
  }
  if (!policy_.unknown_token) {
    return invalid_pieces(
        "the vocabulary has no token for `" + base::escape_for_display(text.substr(begin, end - begin)) + "`",
        {begin, end});
  }
  if (!after_unknown_ || !policy_.fuse_unknown) out_.push_back(*policy_.unknown_token);
  after_unknown_ = true;
  return {};
}

std::size_t character_length(std::string_view text, std::size_t pos) noexcept {
  const base::Decoded decoded = base::decode_utf8(text, pos);
  return decoded.length == 0 ? 1 : decoded.length;
}

}  // namespace weir::vocab
