#include "vocab/segmenters/spm_bpe.h"

#include <algorithm>
#include <cstddef>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vocab/recipe.h"
#include "vocab/segmenters/prefix_trie.h"
#include "vocab/string_index.h"

namespace weir::vocab {

namespace {

// The state of one tokenization: the symbols, the pairs that may be merged, and the merges of unused pieces.
class Merging {
 public:
  struct Symbol {
    static constexpr std::size_t kNone = SIZE_MAX;
    std::size_t begin = 0;
    std::size_t size = 0;  // 0: it was merged into the symbol before it.
    std::size_t previous = kNone;
    std::size_t next = kNone;
    bool frozen = false;  // User-defined: never merged.
  };

  Merging(std::string_view text, const StringIndex& ids, const std::vector<double>& scores,
          const std::vector<PieceType>& types)
      : text_(text), ids_(ids), scores_(scores), types_(types) {}

  void add_symbol(std::size_t begin, std::size_t size, bool frozen) {
    const std::size_t index = symbols_.size();
    symbols_.push_back({begin, size, index == 0 ? Symbol::kNone : index - 1, Symbol::kNone, frozen});
    if (index != 0) symbols_[index - 1].next = index;
  }

  void run() {
    for (std::size_t i = 1; i < symbols_.size(); ++i) offer(i - 1, i);
    while (!candidates_.empty()) {
      const Candidate best = candidates_.top();
      candidates_.pop();
      Symbol& left = symbols_[best.left];
      Symbol& right = symbols_[best.right];
      // A candidate is stale if one of its symbols was merged with another symbol meanwhile.
      if (left.size == 0 || right.size == 0 || left.size + right.size != best.size) continue;
      left.size = best.size;
      right.size = 0;
      left.next = right.next;
      if (right.next != Symbol::kNone) symbols_[right.next].previous = best.left;
      offer(left.previous, best.left);
      offer(best.left, left.next);
    }
  }

  /// Calls `emit(begin, size)` for the final symbols in order; symbols of unused pieces are split, see INVARIANTS.
  template <typename Emit>
  void for_each_piece(Emit emit) const {
    std::vector<std::string_view> pending;
    for (const Symbol& symbol : symbols_) {
      if (symbol.size == 0) continue;
      pending.push_back(text_.substr(symbol.begin, symbol.size));
      while (!pending.empty()) {
        const std::string_view piece = pending.back();
        pending.pop_back();
        const auto undone = left_sizes_.find(piece);
        if (undone == left_sizes_.end()) {
          emit(static_cast<std::size_t>(piece.data() - text_.data()), piece.size());
          continue;
        }
        pending.push_back(piece.substr(undone->second));
        pending.push_back(piece.substr(0, undone->second));
      }
    }
  }

 private:
  struct Candidate {
    double score;
    std::size_t left;
    std::size_t right;
    std::size_t size;

    friend bool operator<(const Candidate& a, const Candidate& b) {
      return a.score < b.score || (a.score == b.score && a.left > b.left);
    }
  };

  void offer(std::size_t left, std::size_t right) {
    if (left == Symbol::kNone || right == Symbol::kNone) return;
    if (symbols_[left].frozen || symbols_[right].frozen) return;
    const std::size_t size = symbols_[left].size + symbols_[right].size;
    const std::string_view piece = text_.substr(symbols_[left].begin, size);
    const std::uint32_t id = ids_.find(piece);
    if (id == StringIndex::kNone) return;
    candidates_.push({scores_[id], left, right, size});
    if (types_[id] == PieceType::kUnused) left_sizes_[piece] = symbols_[left].size;
  }

  std::string_view text_;
  const StringIndex& ids_;
  const std::vector<double>& scores_;
  const std::vector<PieceType>& types_;
  std::vector<Symbol> symbols_;
  std::priority_queue<Candidate> candidates_;
  // For each unused piece that a pair may be merged into, the length of the left symbol of the last such pair. It is
  // indexed by text, as in the original.
  std::unordered_map<std::string_view, std::size_t> left_sizes_;
};

class SpmBpe final : public PieceModel {
 public:
  explicit SpmBpe(const ScoredPieces& pieces)
      : policy_(pieces),
        scores_(pieces.scores.begin(), pieces.scores.end()),
        types_(pieces.types.begin(), pieces.types.end()),
        ids_(pieces.texts.size()) {
    types_.resize(pieces.texts.size(), PieceType::kNormal);
    std::vector<std::pair<std::string_view, std::uint32_t>> user_defined;
    for (std::uint32_t id = 0; id < pieces.texts.size(); ++id) {
      const std::string_view text = pieces.texts[id];
      const bool is_user_defined = types_[id] == PieceType::kUserDefined;
      if (text.empty()) continue;
      if (is_user_defined) user_defined.emplace_back(text, id);
      if (is_user_defined || types_[id] == PieceType::kNormal || types_[id] == PieceType::kUnused) {
        ids_.insert(text, id);  // The first of equal texts is used.
      }
    }
    user_defined_ = PrefixTrie(std::move(user_defined));
  }

  Result<void> tokenize_piece(std::string_view piece, std::vector<std::uint32_t>& out) const override {
    Merging merging(piece, ids_, scores_, types_);
    for (std::size_t pos = 0; pos < piece.size();) {
      const PrefixTrie::Match fixed = user_defined_.longest_match(piece, pos);
      const std::size_t size = fixed.length != 0 ? fixed.length : character_length(piece, pos);
      merging.add_symbol(pos, size, fixed.length != 0);
      pos += size;
    }
    merging.run();
    PieceWriter writer(policy_, out);
    Result<void> outcome;
    merging.for_each_piece([&](std::size_t begin, std::size_t size) {
      if (!outcome) return;
      const std::uint32_t id = ids_.find(piece.substr(begin, size));
      if (id != StringIndex::kNone) {
        writer.write_known(id);
      } else {
        outcome = writer.write_unknown(piece, begin, begin + size);
      }
    });
    return outcome;
  }

  [[nodiscard]] MergeRecipe merges() const override {
    MergeRecipe recipe;
    recipe.unit = MergeRecipe::Unit::kCharacter;
    recipe.rule = MergeRecipe::Rule::kConcatenations;
    ids_.for_each([&](std::string_view text, std::uint32_t id) {
      if (types_[id] == PieceType::kUserDefined) {
        recipe.user_defined.push_back({text, id});  // the text between them contains none, so no merge makes one
      } else {
        recipe.tokens.push_back({text, id, 0, types_[id] != PieceType::kUnused});
      }
    });
    // Ranks: falling scores, equal ones for equal scores.
    std::sort(recipe.tokens.begin(), recipe.tokens.end(),
              [&](const auto& a, const auto& b) { return scores_[a.id] > scores_[b.id]; });
    for (std::size_t i = 1; i < recipe.tokens.size(); ++i) {
      const bool equal = scores_[recipe.tokens[i].id] == scores_[recipe.tokens[i - 1].id];
      recipe.tokens[i].rank = equal ? recipe.tokens[i - 1].rank : static_cast<std::uint32_t>(i);
    }
    recipe.byte_tokens = policy_.byte_tokens;
    return recipe;
  }

 private:
  PieceWriter::Policy policy_;
  std::vector<double> scores_;
  std::vector<PieceType> types_;
  StringIndex ids_;
  PrefixTrie user_defined_;
};

}  // namespace

Result<std::shared_ptr<const PieceModel>> make_spm_bpe(const ScoredPieces& pieces) {
  if (auto checked = check_scored_pieces(pieces); !checked) return tl::unexpected(std::move(checked).error());
  return std::make_shared<const SpmBpe>(pieces);
}

}  // namespace weir::vocab
