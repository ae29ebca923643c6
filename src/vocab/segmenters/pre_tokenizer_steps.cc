#include "vocab/segmenters/pre_tokenizer_steps.h"

#include <utility>

#include "vocab/byte_level.h"

namespace weir::vocab {

namespace {

// A step that rewrites each piece: `write(piece, is_at_start, out)` appends the new piece to `out`.
template <typename Write>
class RewriteStep final : public PreTokenizerStep {
 public:
  RewriteStep(Write write, std::string symbol, StepRecipe recipe)
      : write_(std::move(write)), symbol_(std::move(symbol)), recipe_(std::move(recipe)) {}

  Result<void> apply(PieceList& list) const override {
    std::string out;
    out.reserve(list.text.size() + list.pieces.size());
    const std::string_view text = list.text;
    for (PieceList::Piece& piece : list.pieces) {
      const std::size_t begin = out.size();
      write_(text.substr(piece.begin, piece.end - piece.begin), list.starts_text && piece.begin == 0, out);
      piece = {begin, out.size()};
    }
    list.offsets_are_original = list.offsets_are_original && list.text == out;
    list.text = std::move(out);
    return {};
  }

  // Each character is rewritten independently of the others; only the insertion at the start depends on whether the
  // text begins with a space or the symbol.
  Result<bool> apply_settled(PieceList& list) const override {
    const bool may_begin_with_symbol = symbol_.size() > list.text.size() && symbol_.starts_with(list.text);
    if (list.text.empty() || may_begin_with_symbol) {
      list.pieces.clear();
      return false;
    }
    if (auto done = apply(list); !done) return tl::unexpected(done.error());
    return true;
  }

  [[nodiscard]] StepRecipe recipe() const override { return recipe_; }

 private:
  Write write_;
  std::string symbol_;
  StepRecipe recipe_;
};

StepRecipe other_step(std::string name) {
  StepRecipe recipe;
  recipe.name = std::move(name);
  return recipe;
}

template <typename Write>
PreTokenizerStepPtr make_rewrite(StepRecipe recipe, Write write, std::string symbol = "") {
  return std::make_shared<RewriteStep<Write>>(std::move(write), std::move(symbol), std::move(recipe));
}

}  // namespace

PreTokenizerStepPtr make_prefix_space_step() {
  return make_rewrite(other_step("ByteLevel with `add_prefix_space`"),
                      [](std::string_view piece, bool, std::string& out) {
                        if (!piece.starts_with(' ')) out.push_back(' ');
                        out.append(piece);
                      });
}

PreTokenizerStepPtr make_byte_level_step() {
  return make_rewrite(other_step("ByteLevel before another step"),
                      [](std::string_view piece, bool, std::string& out) { out.append(encode_byte_level(piece)); });
}

PreTokenizerStepPtr make_metaspace_step(MetaspaceOptions options) {
  std::string symbol = options.symbol;
  StepRecipe recipe = other_step("Metaspace");
  recipe.kind = StepRecipe::Kind::kSymbolForSpaces;
  recipe.symbol = symbol;
  recipe.prepend = options.prepend;
  const auto write = [options = std::move(options)](std::string_view piece, bool at_start, std::string& out) {
    using Prepend = MetaspaceOptions::Prepend;
    const bool prepends = options.prepend == Prepend::kAlways || (options.prepend == Prepend::kFirst && at_start);
    if (prepends && !piece.starts_with(' ') && !piece.starts_with(options.symbol)) out.append(options.symbol);
    for (const char c : piece) {
      if (c == ' ') {
        out.append(options.symbol);
      } else {
        out.push_back(c);
      }
    }
  };
  return make_rewrite(std::move(recipe), write, std::move(symbol));
}

std::string quote_pattern(std::string_view text) {
  constexpr std::string_view kMeta = "\\^$.[]|()?*+{}-#&~ \t\n";
  std::string out;
  for (const char c : text) {
    if (kMeta.find(c) != std::string_view::npos) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

}  // namespace weir::vocab
