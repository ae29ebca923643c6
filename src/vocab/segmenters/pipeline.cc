#include "vocab/segmenters/pipeline.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "vocab/recipe.h"
#include "vocab/segmenters/added_tokens.h"

namespace weir::vocab {

namespace {

class Pipeline final : public Segmenter {
 public:
  explicit Pipeline(PipelineSpec spec)
      : Pipeline(std::move(spec.normalizers), std::move(spec.pre_tokenizer), std::move(spec.model),
                 std::move(spec.added_tokens)) {}

  [[nodiscard]] Result<std::vector<std::uint32_t>> tokenize(std::string_view text) const override {
    if (text.size() >= UINT32_MAX) {
      return tl::unexpected(Error{ErrorCode::kInvalidArgument, "the text is longer than 4 GB"});
    }
    std::vector<std::uint32_t> ids;
    ids.reserve(text.size() / 3);
    for (const AddedTokens::Section& section : raw_tokens_.cut(text)) {
      if (section.id) {
        ids.push_back(*section.id);
      } else if (auto done = tokenize_section(text, section, ids); !done) {
        return tl::unexpected(std::move(done).error());
      }
    }
    return ids;
  }

  // Considers only the text before the first offset at which an added token may begin.
  [[nodiscard]] std::vector<std::uint32_t> settled_tokens(std::string_view original) const override {
    std::string text(original.substr(0, std::min(base::find_invalid_utf8(original), original.size())));
    text.resize(raw_tokens_.settled(text));
    for (const NormalizerPtr& normalizer : normalizers_) {
      text.resize(normalizer->settled(text));
      normalizer->normalize(text);
    }
    text.resize(normalized_tokens_.settled(text));
    PieceList list;
    list.pieces.push_back({0, text.size()});
    list.text = std::move(text);
    std::vector<std::uint32_t> ids;
    if (!pre_tokenizer_.apply_settled(list)) return ids;
    for (const PieceList::Piece& piece : list.pieces) {
      const std::size_t before = ids.size();
      if (model_->tokenize_piece(std::string_view(list.text).substr(piece.begin, piece.end - piece.begin), ids))
        continue;
      ids.resize(before);
      break;
    }
    return ids;
  }

  [[nodiscard]] Recipe recipe() const override {
    Recipe recipe;
    for (const AddedTokens* tokens : {&raw_tokens_, &normalized_tokens_}) {
      for (const AddedToken& token : tokens->tokens()) {
        recipe.added_tokens.push_back(token);
        recipe.added_tokens.back().normalized = tokens == &normalized_tokens_;
      }
    }
    for (const NormalizerPtr& normalizer : normalizers_) recipe.normalizers.push_back(normalizer->recipe());
    recipe.steps = pre_tokenizer_.recipe();
    recipe.model = model_->merges();
    return recipe;
  }

 private:
  Pipeline(std::vector<NormalizerPtr> normalizers, PreTokenizer pre_tokenizer, std::shared_ptr<const PieceModel> model,
           std::vector<AddedToken> added)
      : normalizers_(std::move(normalizers)),
        pre_tokenizer_(std::move(pre_tokenizer)),
        model_(std::move(model)),
        raw_tokens_(select(added, false)),
        normalized_tokens_(select(added, true)) {}

  void normalize(std::string& text) const {
    for (const NormalizerPtr& normalizer : normalizers_) normalizer->normalize(text);
  }

  // Returns the tokens that are searched for after the normalizers if `normalized` is true, before them otherwise.
  [[nodiscard]] std::vector<AddedToken> select(const std::vector<AddedToken>& tokens, bool normalized) const {
    std::vector<AddedToken> selected;
    for (const AddedToken& token : tokens) {
      // Without normalizers both kinds are searched for in the same text, so that one search finds the longest of all.
      if ((token.normalized && !normalizers_.empty()) != normalized) continue;
      selected.push_back(token);
      if (normalized) normalize(selected.back().text);
    }
    return selected;
  }

  // Tokenizes one section of the text between added tokens.
  Result<void> tokenize_section(std::string_view text, const AddedTokens::Section& section,
                                std::vector<std::uint32_t>& ids) const {
    const std::string_view original = text.substr(section.begin, section.end - section.begin);
    std::string normalized(original);
    normalize(normalized);
    const bool unchanged = normalizers_.empty() || normalized == original;
    for (const AddedTokens::Section& part : normalized_tokens_.cut(normalized)) {
      if (part.id) {
        ids.push_back(*part.id);
        continue;
      }
      PieceList list;
      list.starts_text = section.begin == 0 && part.begin == 0;
      const bool whole = part.begin == 0 && part.end == normalized.size();
      list.text = whole ? std::move(normalized) : normalized.substr(part.begin, part.end - part.begin);
      list.pieces.push_back({0, list.text.size()});
      if (auto done = tokenize_part(list, ids); !done) {
        Error error = std::move(done).error();
        if (unchanged && list.offsets_are_original) {
          error.where.start += section.begin + part.begin;
          error.where.end += section.begin + part.begin;
        } else {  // the text was rewritten, so the error's offset is known only to be within the section
          error.where = {section.begin, section.end};
        }
        return tl::unexpected(std::move(error));
      }
      if (whole) break;  // `normalized` was moved from
    }
    return {};
  }

  Result<void> tokenize_part(PieceList& list, std::vector<std::uint32_t>& ids) const {
    if (auto done = pre_tokenizer_.apply(list); !done) return done;
    const std::string_view text = list.text;
    for (const PieceList::Piece& piece : list.pieces) {
      auto done = model_->tokenize_piece(text.substr(piece.begin, piece.end - piece.begin), ids);
      if (!done) {
        Error error = std::move(done).error();
        error.where.start += piece.begin;
        error.where.end += piece.begin;
        return tl::unexpected(std::move(error));
      }
    }
    return {};
  }

  std::vector<NormalizerPtr> normalizers_;
  PreTokenizer pre_tokenizer_;
  std::shared_ptr<const PieceModel> model_;
  AddedTokens raw_tokens_;
  AddedTokens normalized_tokens_;
};

class Unsupported final : public Segmenter {
 public:
  explicit Unsupported(std::string message) : message_(std::move(message)) {}
  [[nodiscard]] Result<std::vector<std::uint32_t>> tokenize(std::string_view) const override {
    return tl::unexpected(Error{ErrorCode::kUnsupported, message_});
  }
  [[nodiscard]] Recipe recipe() const override {
    Recipe recipe;
    recipe.unsupported = message_;
    return recipe;
  }

 private:
  std::string message_;
};

}  // namespace

std::shared_ptr<const Segmenter> make_pipeline(PipelineSpec spec) {
  return std::make_shared<Pipeline>(std::move(spec));
}

std::shared_ptr<const Segmenter> make_unsupported_segmenter(std::string message) {
  return std::make_shared<Unsupported>(std::move(message));
}

}  // namespace weir::vocab
