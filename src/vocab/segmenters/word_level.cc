#include "vocab/segmenters/word_level.h"

#include "base/utf8.h"
#include "vocab/recipe.h"
#include "vocab/string_index.h"

namespace weir::vocab {

namespace {

class WordLevel final : public PieceModel {
 public:
  WordLevel(std::span<const std::string> tokens, std::optional<std::uint32_t> unknown_token)
      : tokens_(tokens.size()), unknown_(unknown_token) {
    for (std::uint32_t id = 0; id < tokens.size(); ++id) {
      if (!tokens[id].empty()) tokens_.insert(tokens[id], id);
    }
  }

  Result<void> tokenize_piece(std::string_view piece, std::vector<std::uint32_t>& out) const override {
    if (piece.empty()) return {};
    if (const std::uint32_t id = tokens_.find(piece); id != StringIndex::kNone) {
      out.push_back(id);
    } else if (unknown_) {
      out.push_back(*unknown_);
    } else {
      return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                                  "no token of the vocabulary matches `" + base::escape_for_display(piece) + "`",
                                  {0, piece.size()}});
    }
    return {};
  }

  [[nodiscard]] MergeRecipe merges() const override { return {.other_model = "WordLevel"}; }

 private:
  StringIndex tokens_;
  std::optional<std::uint32_t> unknown_;
};

}  // namespace

std::shared_ptr<const PieceModel> make_word_level(std::span<const std::string> tokens,
                                                  std::optional<std::uint32_t> unknown_token) {
  return std::make_shared<WordLevel>(tokens, unknown_token);
}

}  // namespace weir::vocab
