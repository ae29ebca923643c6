#include "vocab/readers/sentencepiece_source.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "vocab/normalizers/normalizers.h"
#include "vocab/readers/readers.h"
#include "vocab/segmenters/prefix_trie.h"
#include "vocab/segmenters/sentencepiece_segmenter.h"
#include "vocab/segmenters/spm_bpe.h"
#include "vocab/token_spelling.h"

namespace weir::vocab {

namespace {

tl::unexpected<Error> invalid_model(std::string message) {
  return tl::unexpected(Error{ErrorCode::kInvalidArgument, std::move(message)});
}

std::string_view kind_name(SentencePieceAlgorithm algorithm) {
  switch (algorithm) {
    case SentencePieceAlgorithm::kUnigram: return "Unigram";
    case SentencePieceAlgorithm::kBpe: return "SentencePiece BPE";
    case SentencePieceAlgorithm::kWord: return "SentencePiece words";
    case SentencePieceAlgorithm::kCharacter: return "SentencePiece characters";
  }
  return "SentencePiece";
}

TokenKind kind_of(PieceType type) {
  switch (type) {
    case PieceType::kNormal:
    case PieceType::kUserDefined: return TokenKind::kNormal;
    case PieceType::kByte: return TokenKind::kByte;
    case PieceType::kUnknown:
    case PieceType::kControl: return TokenKind::kSpecial;
    case PieceType::kUnused: return TokenKind::kUnused;
  }
  return TokenKind::kUnused;
}

// The ids of the 256 byte pieces; empty if one is missing.
using ByteTokens = std::vector<std::uint32_t>;
Result<ByteTokens> find_byte_tokens(const SentencePieceTable& table) {
  std::array<std::optional<std::uint32_t>, 256> found;
  for (std::uint32_t id = 0; id < table.texts.size(); ++id) {
    if (table.types[id] != PieceType::kByte) continue;
    const std::optional<std::uint8_t> byte = parse_byte_token(table.texts[id]);
    if (!byte) {
      return invalid_model("piece " + std::to_string(id) + ", `" + base::escape_for_display(table.texts[id]) +
                           "`, is of type byte but is not written <0xNN>");
    }
    if (!found[*byte]) found[*byte] = id;
  }
  ByteTokens tokens;
  if (table.byte_fallback == SentencePieceTable::ByteFallback::kNo) return tokens;
  for (const auto& id : found) {
    if (id) tokens.push_back(*id);
  }
  if (tokens.size() == found.size()) return tokens;
  if (table.byte_fallback == SentencePieceTable::ByteFallback::kIfComplete) return ByteTokens{};
  return invalid_model("byte fallback is on, but there are " + std::to_string(tokens.size()) +
                       " byte pieces instead of 256");
}

Result<std::shared_ptr<const PieceModel>> make_model(const SentencePieceTable& table, const ByteTokens& byte_tokens) {
  ScoredPieces pieces = {
      .texts = table.texts, .scores = table.scores, .types = table.types, .byte_tokens = byte_tokens};
  const auto unknown = std::find(table.types.begin(), table.types.end(), PieceType::kUnknown);
  if (unknown != table.types.end()) {
    pieces.unknown_token = static_cast<std::uint32_t>(unknown - table.types.begin());
  }
  switch (table.algorithm) {
    case SentencePieceAlgorithm::kUnigram: return make_unigram({.pieces = pieces, .sums = table.unigram_sums});
    case SentencePieceAlgorithm::kBpe: return make_spm_bpe(pieces);
    case SentencePieceAlgorithm::kCharacter: return make_character_model(pieces);
    case SentencePieceAlgorithm::kWord: break;
  }
  return make_word_model(pieces);
}

PrefixTrie user_defined_texts(const SentencePieceTable& table) {
  std::vector<std::pair<std::string_view, std::uint32_t>> entries;
  for (std::uint32_t id = 0; id < table.texts.size(); ++id) {
    if (table.types[id] == PieceType::kUserDefined) entries.emplace_back(table.texts[id], id);
  }
  return PrefixTrie(std::move(entries));
}

}  // namespace

std::string unescape_spaces(std::string_view text) {
  std::string bytes(text);
  replace_all(bytes, kSpaceSymbol, " ");
  return bytes;
}

Result<VocabularySource> make_sentencepiece_source(const SentencePieceTable& table) {
  if (table.types.size() != table.texts.size()) return invalid_model("there are not as many types as pieces");
  Result<ByteTokens> byte_tokens = find_byte_tokens(table);
  if (!byte_tokens) return tl::unexpected(std::move(byte_tokens).error());
  auto model = make_model(table, *byte_tokens);
  if (!model) return tl::unexpected(std::move(model).error());
  Result<CharsMap> charsmap = CharsMap::from_blob(table.charsmap);
  if (!charsmap) return tl::unexpected(std::move(charsmap).error());

  VocabularySource source;
  source.kind = kind_name(table.algorithm);
  source.token_names = table.texts;
  source.token_bytes.resize(table.texts.size());
  for (std::size_t id = 0; id < table.texts.size(); ++id) {
    source.token_kinds.push_back(kind_of(table.types[id]));
    if (source.token_kinds.back() == TokenKind::kByte) {
      source.token_bytes[id] = std::string(1, static_cast<char>(*parse_byte_token(table.texts[id])));
    } else if (source.token_kinds.back() == TokenKind::kNormal) {
      source.token_bytes[id] = unescape_spaces(table.texts[id]);
    }
  }
  source.segmenter = make_sentencepiece_segmenter(
      SentencePieceNormalizer(*std::move(charsmap), table.rules, user_defined_texts(table)), *std::move(model));
  return source;
}

}  // namespace weir::vocab
