#include "vocab/segmenters/pre_tokenizer.h"

#include <algorithm>

#include "base/utf8.h"
#include "vocab/segmenters/pattern.h"

namespace weir::vocab {

namespace {

using Piece = PieceList::Piece;

// Returns the first offset at or after `from` where `text` is not valid UTF-8, or text.size().
std::size_t valid_until(std::string_view text, std::size_t from) {
  const std::string_view rest = text.substr(from);
  return from + std::min(base::find_invalid_utf8(rest), rest.size());
}

// A range of a piece: a match of the pattern, or the text between two matches.
struct Stretch {
  std::size_t begin;
  std::size_t end;
  bool is_match;
};

class SplitStep final : public PreTokenizerStep {
 public:
  SplitStep(Pattern pattern, SplitBehavior behavior, bool invert)
      : pattern_(std::move(pattern)), behavior_(behavior), invert_(invert) {}

  Result<void> apply(PieceList& list) const override {
    std::vector<Piece> pieces;
    pieces.reserve(list.pieces.size() + list.text.size() / 4);
    std::vector<Stretch> stretches;
    Pattern::Matcher matcher(pattern_);
    for (const Piece& piece : list.pieces) {
      stretches.clear();
      const std::string_view text = std::string_view(list.text).substr(piece.begin, piece.end - piece.begin);
      if (auto done = find_stretches(text, piece.begin, matcher, stretches); !done) return done;
      append_pieces(stretches, pieces);
    }
    list.pieces = std::move(pieces);
    return {};
  }

  // A stretch between matches ends where the next match begins, so only the text after the last match is not settled,
  // and the last piece if it may be merged with the next.
  Result<bool> apply_settled(PieceList& list) const override {
    const std::string_view text = list.text;
    std::vector<Stretch> stretches;
    Pattern::Matcher matcher(pattern_);
    for (std::size_t at = 0; at < text.size();) {
      const auto match = matcher.find_settled(text, at);
      if (!match) return tl::unexpected(match.error());
      if (!match->found()) break;
      if (at < match->begin) stretches.push_back({at, match->begin, invert_});
      stretches.push_back({match->begin, match->end, !invert_});
      at = match->end;
    }
    list.pieces.clear();
    append_pieces(stretches, list.pieces);
    const bool may_join = behavior_ != SplitBehavior::kIsolated && behavior_ != SplitBehavior::kRemoved;
    if (may_join && !list.pieces.empty()) list.pieces.pop_back();
    return false;
  }

  [[nodiscard]] StepRecipe recipe() const override {
    StepRecipe recipe;
    recipe.kind = StepRecipe::Kind::kSplit;
    recipe.name = "Split";
    recipe.split.regex = pattern_.text();
    recipe.split.behavior = behavior_;
    recipe.split.invert = invert_;
    return recipe;
  }

 private:
  // Appends to `out` the stretches of `text` in order; together they are all of it. `offset` is added to their offsets.
  Result<void> find_stretches(std::string_view text, std::size_t offset, Pattern::Matcher& matcher,
                              std::vector<Stretch>& out) const {
    std::size_t covered = 0;
    const auto add = [&](std::size_t begin, std::size_t end) {
      if (covered < begin) out.push_back({offset + covered, offset + begin, invert_});
      if (begin < end) out.push_back({offset + begin, offset + end, !invert_});
      covered = end;
    };
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = valid_until(text, begin);
      const std::string_view run = text.substr(begin, end - begin);
      for (std::size_t at = 0; at < run.size();) {
        const auto match = matcher.find(run, at);
        if (!match) return tl::unexpected(match.error());
        if (!match->found()) break;
        add(begin + match->begin, begin + match->end);
        at = match->end;
      }
      begin = end;
      while (begin < text.size() && base::decode_utf8(text, begin).length == 0) ++begin;
    }
    add(text.size(), text.size());
    return {};
  }

  void append_pieces(const std::vector<Stretch>& stretches, std::vector<Piece>& out) const {
    switch (behavior_) {
      case SplitBehavior::kIsolated:
        for (const Stretch& s : stretches) out.push_back({s.begin, s.end});
        return;
      case SplitBehavior::kRemoved:
        for (const Stretch& s : stretches) {
          if (!s.is_match) out.push_back({s.begin, s.end});
        }
        return;
      case SplitBehavior::kContiguous:
        for (std::size_t i = 0; i < stretches.size(); ++i) {
          if (i > 0 && stretches[i].is_match == stretches[i - 1].is_match) {
            out.back().end = stretches[i].end;
          } else {
            out.push_back({stretches[i].begin, stretches[i].end});
          }
        }
        return;
      case SplitBehavior::kMergedWithPrevious:
        for (std::size_t i = 0; i < stretches.size(); ++i) {
          if (i > 0 && stretches[i].is_match && !stretches[i - 1].is_match) {
            out.back().end = stretches[i].end;
          } else {
            out.push_back({stretches[i].begin, stretches[i].end});
          }
        }
        return;
      case SplitBehavior::kMergedWithNext: append_merged_with_next(stretches, out); return;
    }
  }

  static void append_merged_with_next(const std::vector<Stretch>& stretches, std::vector<Piece>& out) {
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      Piece piece{stretches[i].begin, stretches[i].end};
      if (stretches[i].is_match && i + 1 < stretches.size() && !stretches[i + 1].is_match) {
        piece.end = stretches[++i].end;
      }
      out.push_back(piece);
    }
  }

  Pattern pattern_;
  SplitBehavior behavior_;
  bool invert_;
};

}  // namespace

Result<std::shared_ptr<const PreTokenizerStep>> make_split_step(const SplitPattern& pattern) {
  auto compiled = Pattern::compile(pattern.regex);
  if (!compiled) return tl::unexpected(std::move(compiled).error());
  return std::make_shared<SplitStep>(*std::move(compiled), pattern.behavior, pattern.invert);
}

Result<PreTokenizer> PreTokenizer::from_patterns(std::span<const SplitPattern> patterns) {
  std::vector<std::shared_ptr<const PreTokenizerStep>> steps;
  for (const SplitPattern& pattern : patterns) {
    auto step = make_split_step(pattern);
    if (!step) return tl::unexpected(std::move(step).error());
    steps.push_back(*std::move(step));
  }
  return PreTokenizer(std::move(steps));
}

Result<void> PreTokenizer::apply(PieceList& list) const {
  for (const auto& step : steps_) {
    if (auto done = step->apply(list); !done) return done;
  }
  return {};
}

std::vector<StepRecipe> PreTokenizer::recipe() const {
  std::vector<StepRecipe> steps;
  for (const auto& step : steps_) steps.push_back(step->recipe());
  return steps;
}

Result<void> PreTokenizer::apply_settled(PieceList& list) const {
  bool is_open = true;
  for (const auto& step : steps_) {
    if (is_open) {
      const auto still_open = step->apply_settled(list);
      if (!still_open) return tl::unexpected(still_open.error());
      is_open = *still_open;
    } else if (auto done = step->apply(list); !done) {
      return done;
    }
  }
  if (is_open) list.pieces.clear();
  return {};
}

}  // namespace weir::vocab
