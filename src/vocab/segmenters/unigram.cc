#include "vocab/segmenters/unigram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "vocab/recipe.h"
#include "vocab/segmenters/prefix_trie.h"

namespace weir::vocab {

namespace {

// The score of a character without a piece is that of the least likely piece minus this; a constant of the original.
constexpr double kUnknownPenalty = 10.0;

// Returns the score of a user-defined piece. Other scores are logarithms of probabilities, below 0, so user-defined
// pieces win over all others, and long ones over short ones. SentencePiece 0.2.3 does the same.
double user_defined_score(std::size_t bytes) { return 0.1 * static_cast<double>(bytes - 1); }

PieceType type_of(const ScoredPieces& pieces, std::size_t id) {
  return pieces.types.empty() ? PieceType::kNormal : pieces.types[id];
}

double lowest_normal_score(const ScoredPieces& pieces) {
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t id = 0; id < pieces.texts.size(); ++id) {
    const bool counts = type_of(pieces, id) == PieceType::kNormal && !pieces.texts[id].empty();
    if (counts) lowest = std::min(lowest, pieces.scores[id]);
  }
  return lowest == std::numeric_limits<double>::infinity() ? 0 : lowest;
}

// `Sum` is the floating-point type in which scores are added.
template <typename Sum>
class Unigram final : public PieceModel {
 public:
  explicit Unigram(const UnigramSpec& spec) : policy_(spec.pieces) {
    const ScoredPieces& pieces = spec.pieces;
    unknown_score_ = static_cast<Sum>(spec.unknown_score.value_or(lowest_normal_score(pieces) - kUnknownPenalty));
    scores_.resize(pieces.texts.size());
    std::vector<std::pair<std::string_view, std::uint32_t>> entries;
    for (std::size_t id = 0; id < pieces.texts.size(); ++id) {
      const PieceType type = type_of(pieces, id);
      const std::string& text = pieces.texts[id];
      if (text.empty() || (type != PieceType::kNormal && type != PieceType::kUserDefined)) continue;
      scores_[id] =
          static_cast<Sum>(type == PieceType::kUserDefined ? user_defined_score(text.size()) : pieces.scores[id]);
      entries.emplace_back(text, static_cast<std::uint32_t>(id));
    }
    trie_ = PrefixTrie(std::move(entries));
  }

  Result<void> tokenize_piece(std::string_view piece, std::vector<std::uint32_t>& out) const override {
    const std::vector<Node> nodes = best_paths(piece);
    std::vector<Span> path;
    for (std::size_t end = piece.size(); end > 0; end = nodes[end].begin) path.push_back({nodes[end], end});
    PieceWriter writer(policy_, out);
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
      if (it->node.id != PrefixTrie::kNone) {
        writer.write_known(it->node.id);
      } else if (auto written = writer.write_unknown(piece, it->node.begin, it->end); !written) {
        return written;
      }
    }
    return {};
  }

  [[nodiscard]] MergeRecipe merges() const override { return {.other_model = "Unigram"}; }

 private:
  // The best sequence for the text up to some offset: its last piece (kNone for an unknown character) and the offset at
  // which that piece begins.
  struct Node {
    static constexpr std::size_t kUnreached = SIZE_MAX;
    std::size_t begin = kUnreached;
    Sum score = 0;
    std::uint32_t id = PrefixTrie::kNone;

    void offer(std::size_t from, Sum candidate, std::uint32_t piece) {
      if (begin != kUnreached && !(candidate > score)) return;
      begin = from;
      score = candidate;
      id = piece;
    }
  };
  struct Span {
    Node node;
    std::size_t end;
  };

  // Subtracts the score of node `begin` from nodes [begin, end) if it is large. Float sums lose their last digits in
  // long texts, so the original does this from time to time; the choice of the best sequence depends on differences
  // only. `end` is one after the last node that was reached.
  static void rebase_scores(std::vector<Node>& nodes, std::size_t begin, std::size_t end) {
    constexpr float kLimit = 100'000;
    const Sum offset = nodes[begin].score;
    if (std::is_same_v<Sum, double> || std::abs(offset) <= static_cast<Sum>(kLimit)) return;
    for (std::size_t i = begin; i < end; ++i) {
      if (nodes[i].begin != Node::kUnreached) nodes[i].score -= offset;
    }
  }

  std::vector<Node> best_paths(std::string_view text) const {
    std::vector<Node> nodes(text.size() + 1);
    nodes[0].begin = 0;
    std::size_t reached = 1;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t next = begin + character_length(text, begin);
      rebase_scores(nodes, begin, reached);
      bool covered = false;
      PrefixTrie::NodeId at = PrefixTrie::NodeId::kRoot;
      for (std::size_t end = begin + 1; end <= text.size(); ++end) {
        at = trie_.step(at, static_cast<std::uint8_t>(text[end - 1]));
        if (at == PrefixTrie::NodeId::kNowhere) break;
        const std::uint32_t id = trie_.number_at(at);
        if (id == PrefixTrie::kNone) continue;
        nodes[end].offer(begin, nodes[begin].score + scores_[id], id);
        covered = covered || end == next;
        reached = std::max(reached, end + 1);
      }
      if (!covered) nodes[next].offer(begin, nodes[begin].score + unknown_score_, PrefixTrie::kNone);
      reached = std::max(reached, next + 1);
      begin = next;
    }
    return nodes;
  }

  PieceWriter::Policy policy_;
  PrefixTrie trie_;
  std::vector<Sum> scores_;
  Sum unknown_score_ = 0;
};

}  // namespace

Result<std::shared_ptr<const PieceModel>> make_unigram(const UnigramSpec& spec) {
  if (auto checked = check_scored_pieces(spec.pieces); !checked) return tl::unexpected(std::move(checked).error());
  if (spec.sums == UnigramSpec::Sums::kFloat) return std::make_shared<const Unigram<float>>(spec);
  return std::make_shared<const Unigram<double>>(spec);
}

}  // namespace weir::vocab
