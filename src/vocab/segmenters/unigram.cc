#include "vocab/segmenters/unigram.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "vocab/segmenters/prefix_trie.h"

namespace weir::vocab {

namespace {

// How much less than the least likely piece a character without a piece counts, and how much a user-defined piece is
// held back, so that of two ways to take the same text in user-defined pieces that with fewer pieces wins. Both are
// the original's constants.
constexpr double kUnknownPenalty = 10.0;
constexpr double kUserDefinedPenalty = 0.1;

struct ScoreRange {
  double lowest = 0;
  double highest = 0;
};

PieceType type_of(const ScoredPieces& pieces, std::size_t id) {
  return pieces.types.empty() ? PieceType::kNormal : pieces.types[id];
}

ScoreRange normal_scores(const ScoredPieces& pieces) {
  ScoreRange range = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (std::size_t id = 0; id < pieces.texts.size(); ++id) {
    if (type_of(pieces, id) != PieceType::kNormal || pieces.texts[id].empty()) continue;
    range.lowest = std::min(range.lowest, pieces.scores[id]);
    range.highest = std::max(range.highest, pieces.scores[id]);
  }
  return range.lowest <= range.highest ? range : ScoreRange{};
}

// `Sum` is what scores are rounded to when they are added up.
template <typename Sum>
class Unigram final : public PieceModel {
 public:
  explicit Unigram(const UnigramSpec& spec) : policy_(spec.pieces) {
    const ScoredPieces& pieces = spec.pieces;
    const ScoreRange range = normal_scores(pieces);
    unknown_score_ = static_cast<Sum>(spec.unknown_score.value_or(range.lowest - kUnknownPenalty));
    scores_.resize(pieces.texts.size());
    std::vector<std::pair<std::string_view, std::uint32_t>> entries;
    for (std::size_t id = 0; id < pieces.texts.size(); ++id) {
      const PieceType type = type_of(pieces, id);
      const std::string& text = pieces.texts[id];
      if (text.empty() || (type != PieceType::kNormal && type != PieceType::kUserDefined)) continue;
      // A user-defined piece counts as much as the best piece for each of its bytes, so that nothing beats it.
      scores_[id] = static_cast<Sum>(type == PieceType::kUserDefined
                                         ? static_cast<double>(text.size()) * range.highest - kUserDefinedPenalty
                                         : pieces.scores[id]);
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

 private:
  // The best way to write the text up to here: its last piece, kNone for an unknown character, and where that begins.
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

  std::vector<Node> best_paths(std::string_view text) const {
    std::vector<Node> nodes(text.size() + 1);
    nodes[0].begin = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const Sum so_far = nodes[begin].score;
      const std::size_t next = begin + character_length(text, begin);
      bool covered = false;
      PrefixTrie::NodeId at = PrefixTrie::NodeId::kRoot;
      for (std::size_t end = begin + 1; end <= text.size(); ++end) {
        at = trie_.step(at, static_cast<std::uint8_t>(text[end - 1]));
        if (at == PrefixTrie::NodeId::kNowhere) break;
        const std::uint32_t id = trie_.number_at(at);
        if (id == PrefixTrie::kNone) continue;
        nodes[end].offer(begin, so_far + scores_[id], id);
        covered = covered || end == next;
      }
      if (!covered) nodes[next].offer(begin, so_far + unknown_score_, PrefixTrie::kNone);
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
