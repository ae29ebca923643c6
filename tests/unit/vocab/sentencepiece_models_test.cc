// The models of SentencePiece: Unigram and BPE against slow implementations that share no code with them, and
// characters without a piece.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "vocab/segmenters/sentencepiece_segmenter.h"
#include "vocab/segmenters/spm_bpe.h"
#include "vocab/segmenters/unigram.h"

namespace weir::vocab {
namespace {

using Ids = std::vector<std::uint32_t>;
using Model = std::shared_ptr<const PieceModel>;

// Pieces that own their storage.
struct Pieces {
  std::vector<std::string> texts;
  std::vector<double> scores;
  std::vector<PieceType> types = {};
  std::vector<std::uint32_t> byte_tokens = {};
  std::optional<std::uint32_t> unknown_token = std::nullopt;
  bool fuse_unknown = true;

  [[nodiscard]] ScoredPieces view() const {
    return {.texts = texts,
            .scores = scores,
            .types = types,
            .byte_tokens = byte_tokens,
            .unknown_token = unknown_token,
            .fuse_unknown = fuse_unknown};
  }
  // Adds <0x00> to <0xFF>.
  void add_bytes() {
    types.resize(texts.size(), PieceType::kNormal);
    for (unsigned byte = 0; byte < 256; ++byte) {
      byte_tokens.push_back(static_cast<std::uint32_t>(texts.size()));
      texts.push_back("<byte " + std::to_string(byte) + ">");
      scores.push_back(0);
      types.push_back(PieceType::kByte);
    }
  }
};

Model unigram(const Pieces& pieces) { return *make_unigram({.pieces = pieces.view()}); }
Model bpe(const Pieces& pieces) { return *make_spm_bpe(pieces.view()); }

Ids ids_of(const Model& model, std::string_view text) {
  Ids ids;
  const auto done = model->tokenize_piece(text, ids);
  EXPECT_TRUE(done.has_value()) << done.error().message;
  return ids;
}

// --- Unigram ---

TEST(Unigram, TakesTheBestSumNotTheLongestPiece) {
  const Pieces pieces = {{"a", "b", "ab", "abc", "c"}, {-1, -1, -3, -2.5, -1}};
  const Model model = unigram(pieces);
  EXPECT_EQ(ids_of(model, "ab"), (Ids{0, 1}));
  EXPECT_EQ(ids_of(model, "abc"), (Ids{3}));
  EXPECT_EQ(ids_of(model, ""), Ids{});
}

TEST(Unigram, AgreesWithTryingEverySegmentation) {
  std::mt19937 random(2);
  const std::vector<std::string> characters = {"a", "b", "é"};
  for (int round = 0; round < 300; ++round) {
    Pieces pieces = {{"<unk>"}, {0}, {PieceType::kUnknown}};
    pieces.unknown_token = 0;
    pieces.fuse_unknown = false;
    for (int i = 0; i < 8; ++i) {
      std::string text;
      for (std::size_t n = 1 + random() % 3; n > 0; --n) text += characters[random() % 3];
      if (std::find(pieces.texts.begin(), pieces.texts.end(), text) != pieces.texts.end()) continue;
      pieces.texts.push_back(text);
      pieces.scores.push_back(-0.25 * static_cast<double>(random() % 40));  // Their sums are exact.
      pieces.types.push_back(PieceType::kNormal);
    }
    const double unknown_score = *std::min_element(pieces.scores.begin() + 1, pieces.scores.end()) - 10;
    std::string text;
    for (std::size_t n = random() % 9; n > 0; --n) text += characters[random() % 3];

    // The best sum for each suffix, over all sequences of pieces.
    std::map<std::size_t, double> best = {{text.size(), 0.0}};
    for (std::size_t pos = text.size(); pos-- > 0;) {
      best[pos] = -std::numeric_limits<double>::infinity();
      const std::string_view rest = std::string_view(text).substr(pos);
      for (std::size_t id = 1; id < pieces.texts.size(); ++id) {
        if (!rest.starts_with(pieces.texts[id])) continue;
        best[pos] = std::max(best[pos], pieces.scores[id] + best[pos + pieces.texts[id].size()]);
      }
      for (const std::string& character : characters) {
        const bool has_piece = std::find(pieces.texts.begin(), pieces.texts.end(), character) != pieces.texts.end();
        if (!rest.starts_with(character) || has_piece) continue;
        best[pos] = std::max(best[pos], unknown_score + best[pos + character.size()]);
      }
    }
    for (const auto sums : {UnigramSpec::Sums::kFloat, UnigramSpec::Sums::kDouble}) {
      const Ids ids = ids_of(*make_unigram({.pieces = pieces.view(), .sums = sums}), text);
      const double sum = std::accumulate(ids.begin(), ids.end(), 0.0, [&](double total, std::uint32_t id) {
        return total + (id == 0 ? unknown_score : pieces.scores[id]);
      });
      EXPECT_EQ(sum, best[0]) << text;
    }
  }
}

TEST(Unigram, UserDefinedPiecesWin) {
  Pieces pieces = {{"a", "b", "ab", "abb"}, {-1, -1, -50, -0.5}};
  pieces.types = {PieceType::kNormal, PieceType::kNormal, PieceType::kUserDefined, PieceType::kNormal};
  EXPECT_EQ(ids_of(unigram(pieces), "abab"), (Ids{2, 2}));
}

TEST(Unigram, TypesThatAreNoTextAreNeverTaken) {
  Pieces pieces = {{"<s>", "<unk>", "a"}, {0, 0, -1}};
  pieces.types = {PieceType::kControl, PieceType::kUnknown, PieceType::kNormal};
  Ids ids;
  const auto done = unigram(pieces)->tokenize_piece("a<s>", ids);
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().where, (SourceRange{1, 2}));
}

// --- BPE by scores ---

// Implements the definition directly: merges the best pair of neighbours until there is none.
Ids slow_bpe(const Pieces& pieces, const std::vector<std::string>& characters) {
  std::vector<std::string> symbols = characters;
  const auto id_of = [&](const std::string& text) {
    return std::find(pieces.texts.begin(), pieces.texts.end(), text) - pieces.texts.begin();
  };
  while (true) {
    std::optional<std::size_t> best;
    double best_score = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto id = static_cast<std::size_t>(id_of(symbols[i] + symbols[i + 1]));
      if (id == pieces.texts.size()) continue;
      if (!best || pieces.scores[id] > best_score) {
        best = i;
        best_score = pieces.scores[id];
      }
    }
    if (!best) break;
    symbols[*best] += symbols[*best + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(*best) + 1);
  }
  Ids ids;
  for (const std::string& symbol : symbols) ids.push_back(static_cast<std::uint32_t>(id_of(symbol)));
  return ids;
}

TEST(SpmBpe, AgreesWithMergingPairByPair) {
  std::mt19937 random(3);
  const std::vector<std::string> characters = {"a", "b", "▁"};
  for (int round = 0; round < 500; ++round) {
    Pieces pieces = {characters, {-100, -100, -100}};
    for (int i = 0; i < 10; ++i) {
      std::string text;
      for (std::size_t n = 2 + random() % 3; n > 0; --n) text += characters[random() % 3];
      if (std::find(pieces.texts.begin(), pieces.texts.end(), text) != pieces.texts.end()) continue;
      pieces.texts.push_back(text);
      pieces.scores.push_back(-static_cast<double>(random() % 6));  // Many are equal: the leftmost is merged first.
    }
    std::vector<std::string> text;
    for (std::size_t n = random() % 14; n > 0; --n) text.push_back(characters[random() % 3]);
    const std::string joined = std::accumulate(text.begin(), text.end(), std::string());
    EXPECT_EQ(ids_of(bpe(pieces), joined), slow_bpe(pieces, text)) << joined;
  }
}

TEST(SpmBpe, UserDefinedPiecesAreNeverMerged) {
  Pieces pieces = {{"a", "b", "ab", "aba", "bab"}, {-9, -9, -1, 0, -2}};
  pieces.types = {PieceType::kNormal, PieceType::kNormal, PieceType::kUserDefined, PieceType::kNormal,
                  PieceType::kNormal};
  EXPECT_EQ(ids_of(bpe(pieces), "aba"), (Ids{2, 0}));
  EXPECT_EQ(ids_of(bpe(pieces), "bab"), (Ids{1, 2}));
}

TEST(SpmBpe, UnusedPiecesAreUndone) {
  Pieces pieces = {{"a", "b", "c", "ab", "abc"}, {-9, -9, -9, -1, -2}};
  pieces.types.assign(5, PieceType::kNormal);
  pieces.types[4] = PieceType::kUnused;
  EXPECT_EQ(ids_of(bpe(pieces), "abc"), (Ids{3, 2})) << "merged as before, then undone once";
  pieces.types[3] = PieceType::kUnused;
  EXPECT_EQ(ids_of(bpe(pieces), "abc"), (Ids{0, 1, 2})) << "undone twice";
}

TEST(SpmBpe, ALongTextOfOneLetterIsTokenized) {
  Pieces pieces;
  for (std::size_t length = 1; length <= 64; length *= 2) {
    pieces.texts.emplace_back(length, 'a');
    pieces.scores.push_back(-static_cast<double>(length));
  }
  EXPECT_EQ(ids_of(bpe(pieces), std::string(1 << 18, 'a')), Ids((1 << 18) / 64, 6));
}

// --- Characters without a piece ---

TEST(Unknown, IsWrittenInBytesIfAllAreThere) {
  Pieces pieces = {{"a"}, {-1}};
  pieces.add_bytes();
  pieces.unknown_token = 0;
  for (const Model& model : {unigram(pieces), bpe(pieces), *make_character_model(pieces.view())}) {
    EXPECT_EQ(ids_of(model, "aé"), (Ids{0, 1 + 0xC3, 1 + 0xA9}));
    EXPECT_EQ(ids_of(model, "\xFF\xC3"), (Ids{1 + 0xFF, 1 + 0xC3})) << "also what is no UTF-8";
  }
}

TEST(Unknown, IsTheUnknownToken) {
  Pieces pieces = {{"a", "<unk>"}, {-1, 0}, {PieceType::kNormal, PieceType::kUnknown}};
  pieces.unknown_token = 1;
  for (const Model& model : {unigram(pieces), bpe(pieces), *make_character_model(pieces.view())}) {
    EXPECT_EQ(ids_of(model, "éèaé"), (Ids{1, 0, 1}));
  }
  pieces.fuse_unknown = false;
  for (const Model& model : {unigram(pieces), bpe(pieces), *make_character_model(pieces.view())}) {
    EXPECT_EQ(ids_of(model, "éèaé"), (Ids{1, 1, 0, 1}));
  }
}

TEST(Unknown, IsAnErrorWithoutAToken) {
  const Pieces pieces = {{"a", "ab"}, {-1, -1}};
  for (const Model& model : {unigram(pieces), bpe(pieces), *make_character_model(pieces.view())}) {
    Ids ids;
    const auto done = model->tokenize_piece("aé", ids);
    ASSERT_FALSE(done.has_value());
    EXPECT_EQ(done.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(done.error().where, (SourceRange{1, 3}));
    EXPECT_EQ(done.error().message, "the vocabulary has no token for `é`");
  }
}

TEST(WordModel, CutsBeforeSpaces) {
  Pieces pieces = {{"▁a", "▁", "b", "<unk>"}, {0, 0, 0, 0}};
  pieces.types = {PieceType::kNormal, PieceType::kNormal, PieceType::kNormal, PieceType::kUnknown};
  pieces.unknown_token = 3;
  const Model model = *make_word_model(pieces.view());
  EXPECT_EQ(ids_of(model, "▁a▁▁a"), (Ids{0, 1, 0}));
  EXPECT_EQ(ids_of(model, "b▁a▁x▁y"), (Ids{2, 0, 3}));
}

TEST(ScoredPieces, BadInputIsAnError) {
  const Pieces good = {{"a", "b"}, {0, 0}};
  const auto message = [](const Pieces& pieces) {
    const auto model = make_unigram({.pieces = pieces.view()});
    return model ? "" : model.error().message;
  };
  EXPECT_EQ(message(good), "");
  Pieces bad = good;
  bad.scores.pop_back();
  EXPECT_EQ(message(bad), "there are 2 pieces, but 1 scores");
  bad = good;
  bad.types.resize(3);
  EXPECT_EQ(message(bad), "there are 2 pieces, but 3 types");
  bad = good;
  bad.byte_tokens = {0};
  EXPECT_EQ(message(bad), "there are 1 byte tokens instead of 256");
  bad.byte_tokens.assign(256, 2);
  EXPECT_EQ(message(bad), "byte token 2 is out of range");
  bad = good;
  bad.unknown_token = 2;
  EXPECT_EQ(message(bad), "unknown token 2 is out of range");
  bad = good;
  bad.scores[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(bad), "piece 1 has no number as its score");
  EXPECT_FALSE(make_spm_bpe(bad.view()).has_value());
  EXPECT_FALSE(make_character_model(bad.view()).has_value());
  EXPECT_FALSE(make_word_model(bad.view()).has_value());
}

}  // namespace
}  // namespace weir::vocab
