#include "vocab/segmenters/sentencepiece_segmenter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "vocab/recipe.h"
#include "vocab/segmenters/prefix_trie.h"
#include "vocab/string_index.h"

namespace weir::vocab {

namespace {

class SentencePieceSegmenter final : public Segmenter {
 public:
  SentencePieceSegmenter(SentencePieceNormalizer normalizer, std::shared_ptr<const PieceModel> model)
      : normalizer_(std::move(normalizer)), model_(std::move(model)) {}

  Result<std::vector<std::uint32_t>> tokenize(std::string_view text) const override {
    std::vector<std::uint32_t> ids;
    const std::string normalized = normalizer_.normalize(text);
    if (auto done = model_->tokenize_piece(normalized, ids); !done) {
      Error error = std::move(done).error();
      // The origins need 8 bytes for each byte of text, so they are computed only for an error.
      std::vector<std::size_t> origins;
      static_cast<void>(normalizer_.normalize(text, &origins));
      error.where = {origins[error.where.start], origins[error.where.end]};
      return tl::unexpected(std::move(error));
    }
    return ids;
  }

  [[nodiscard]] Recipe recipe() const override {
    Recipe recipe;
    recipe.normalizers = normalizer_.recipe();
    recipe.model = model_->merges();
    return recipe;
  }

 private:
  SentencePieceNormalizer normalizer_;
  std::shared_ptr<const PieceModel> model_;
};

bool is_text(const ScoredPieces& pieces, std::size_t id) {
  if (pieces.texts[id].empty()) return false;
  return pieces.types.empty() || pieces.types[id] == PieceType::kNormal || pieces.types[id] == PieceType::kUserDefined;
}

// Looks up pieces by their whole text.
class LookUp {
 public:
  explicit LookUp(const ScoredPieces& pieces) : policy_(pieces), ids_(pieces.texts.size()) {
    for (std::uint32_t id = 0; id < pieces.texts.size(); ++id) {
      if (is_text(pieces, id)) ids_.insert(pieces.texts[id], id);
    }
  }

  [[nodiscard]] const PieceWriter::Policy& policy() const { return policy_; }

  Result<void> write(PieceWriter& writer, std::string_view text, std::size_t begin, std::size_t end) const {
    const std::uint32_t id = ids_.find(text.substr(begin, end - begin));
    if (id == StringIndex::kNone) return writer.write_unknown(text, begin, end);
    writer.write_known(id);
    return {};
  }

 private:
  PieceWriter::Policy policy_;
  StringIndex ids_;
};

class CharacterModel final : public PieceModel {
 public:
  explicit CharacterModel(const ScoredPieces& pieces) : look_up_(pieces) {
    std::vector<std::pair<std::string_view, std::uint32_t>> user_defined;
    for (std::uint32_t id = 0; id < pieces.types.size(); ++id) {
      if (pieces.types[id] == PieceType::kUserDefined) user_defined.emplace_back(pieces.texts[id], id);
    }
    user_defined_ = PrefixTrie(std::move(user_defined));
  }

  Result<void> tokenize_piece(std::string_view piece, std::vector<std::uint32_t>& out) const override {
    PieceWriter writer(look_up_.policy(), out);
    for (std::size_t pos = 0; pos < piece.size();) {
      const PrefixTrie::Match fixed = user_defined_.longest_match(piece, pos);
      const std::size_t end = pos + (fixed.length != 0 ? fixed.length : character_length(piece, pos));
      if (auto written = look_up_.write(writer, piece, pos, end); !written) return written;
      pos = end;
    }
    return {};
  }

  [[nodiscard]] MergeRecipe merges() const override { return {.other_model = "a model of characters"}; }

 private:
  LookUp look_up_;
  PrefixTrie user_defined_;
};

class WordModel final : public PieceModel {
 public:
  explicit WordModel(const ScoredPieces& pieces) : look_up_(pieces) {}

  Result<void> tokenize_piece(std::string_view piece, std::vector<std::uint32_t>& out) const override {
    PieceWriter writer(look_up_.policy(), out);
    for (std::size_t begin = 0; begin < piece.size();) {
      const std::size_t end = std::min(piece.find(kSpaceSymbol, begin + 1), piece.size());
      if (auto written = look_up_.write(writer, piece, begin, end); !written) return written;
      begin = end;
    }
    return {};
  }

  [[nodiscard]] MergeRecipe merges() const override { return {.other_model = "a model of words"}; }

 private:
  LookUp look_up_;
};

}  // namespace

std::shared_ptr<const Segmenter> make_sentencepiece_segmenter(SentencePieceNormalizer normalizer,
                                                              std::shared_ptr<const PieceModel> model) {
  return std::make_shared<const SentencePieceSegmenter>(std::move(normalizer), std::move(model));
}

Result<std::shared_ptr<const PieceModel>> make_character_model(const ScoredPieces& pieces) {
  if (auto checked = check_scored_pieces(pieces); !checked) return tl::unexpected(std::move(checked).error());
  return std::make_shared<const CharacterModel>(pieces);
}

Result<std::shared_ptr<const PieceModel>> make_word_model(const ScoredPieces& pieces) {
  if (auto checked = check_scored_pieces(pieces); !checked) return tl::unexpected(std::move(checked).error());
  return std::make_shared<const WordModel>(pieces);
}

}  // namespace weir::vocab
