#include "vocab/segmenters/wordpiece.h"

#include <utility>
#include <vector>

#include "vocab/recipe.h"
#include "vocab/segmenters/prefix_trie.h"
#include "vocab/segmenters/scored_pieces.h"

namespace weir::vocab {

namespace {

class WordPiece final : public PieceModel {
 public:
  explicit WordPiece(const WordPieceSpec& spec)
      : unknown_token_(spec.unknown_token), max_word_characters_(spec.max_word_characters) {
    std::vector<std::pair<std::string_view, std::uint32_t>> first;
    std::vector<std::pair<std::string_view, std::uint32_t>> next;
    const bool word_mark_decides = spec.word_prefix.size() > spec.continuing_prefix.size();
    const std::string_view mark = word_mark_decides ? spec.word_prefix : spec.continuing_prefix;
    for (std::uint32_t id = 0; id < spec.tokens.size(); ++id) {
      std::string_view text = spec.tokens[id];
      const bool is_marked = text.starts_with(mark);
      if (is_marked) text.remove_prefix(mark.size());
      (is_marked == word_mark_decides ? first : next).emplace_back(text, id);
    }
    first_ = PrefixTrie(std::move(first));
    next_ = PrefixTrie(std::move(next));
  }

  Result<void> tokenize_piece(std::string_view piece, std::vector<std::uint32_t>& out) const override {
    const std::size_t size_before = out.size();
    if (!is_too_long(piece) && append_tokens(piece, out)) return {};
    out.resize(size_before);
    out.push_back(unknown_token_);
    return {};
  }

  [[nodiscard]] MergeRecipe merges() const override { return {.other_model = "WordPiece"}; }

 private:
  // Appends the tokens of `word`; returns false if no token fits at some position.
  bool append_tokens(std::string_view word, std::vector<std::uint32_t>& out) const {
    for (std::size_t pos = 0; pos < word.size();) {
      const PrefixTrie::Match match = (pos == 0 ? first_ : next_).longest_match(word, pos);
      if (match.length == 0) return false;
      out.push_back(match.number);
      pos += match.length;
    }
    return true;
  }

  [[nodiscard]] bool is_too_long(std::string_view word) const {
    std::size_t characters = 0;
    for (std::size_t pos = 0; pos < word.size(); pos += character_length(word, pos)) {
      if (++characters > max_word_characters_) return true;
    }
    return false;
  }

  PrefixTrie first_;  // The tokens that begin a word, without their prefix.
  PrefixTrie next_;   // The tokens that continue a word, without their prefix.
  std::uint32_t unknown_token_;
  std::uint32_t max_word_characters_;
};

}  // namespace

Result<std::shared_ptr<const PieceModel>> make_wordpiece(const WordPieceSpec& spec) {
  if (spec.unknown_token >= spec.tokens.size()) {
    return tl::unexpected(
        Error{ErrorCode::kInvalidArgument, "unknown token " + std::to_string(spec.unknown_token) + " is out of range"});
  }
  if (spec.word_prefix.empty() == spec.continuing_prefix.empty()) {
    return tl::unexpected(
        Error{ErrorCode::kInvalidArgument, "tokens that begin a word and tokens that continue one are not told apart"});
  }
  return std::make_shared<const WordPiece>(spec);
}

}  // namespace weir::vocab
