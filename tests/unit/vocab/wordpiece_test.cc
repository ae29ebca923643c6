#include "vocab/segmenters/wordpiece.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace weir::vocab {
namespace {

using Ids = std::vector<std::uint32_t>;

Ids ids_of(const WordPieceSpec& spec, std::string_view word) {
  Ids ids;
  EXPECT_TRUE((*make_wordpiece(spec))->tokenize_piece(word, ids).has_value());
  return ids;
}

TEST(WordPiece, LongestFirstAndThenContinuations) {
  const std::vector<std::string> tokens = {"[UNK]", "un", "##aff", "##able", "##a", "unaff", "able"};
  const WordPieceSpec spec = {.tokens = tokens};
  EXPECT_EQ(ids_of(spec, "unaffable"), (Ids{5, 3}));
  EXPECT_EQ(ids_of(spec, "able"), (Ids{6}));
  EXPECT_EQ(ids_of(spec, "una"), (Ids{1, 4}));
  EXPECT_EQ(ids_of(spec, "unb"), (Ids{0})) << "no way back: the whole word is unknown";
  EXPECT_EQ(ids_of(spec, "aff"), (Ids{0})) << "only a continuation";
}

TEST(WordPiece, GgufMarksWordsInstead) {
  const std::vector<std::string> tokens = {"[UNK]", "▁un", "able", "▁able"};
  const WordPieceSpec spec = {.tokens = tokens, .word_prefix = "▁", .continuing_prefix = ""};
  EXPECT_EQ(ids_of(spec, "unable"), (Ids{1, 2}));
  EXPECT_EQ(ids_of(spec, "able"), (Ids{3}));
  EXPECT_EQ(ids_of(spec, "ableun"), (Ids{0}));
}

TEST(WordPiece, LongWordsAreUnknown) {
  const std::vector<std::string> tokens = {"[UNK]", "é", "##é"};
  const WordPieceSpec spec = {.tokens = tokens, .max_word_characters = 4};
  EXPECT_EQ(ids_of(spec, "éééé"), (Ids{1, 2, 2, 2})) << "characters count, not bytes";
  EXPECT_EQ(ids_of(spec, "ééééé"), (Ids{0}));
}

TEST(WordPiece, BadSpecs) {
  const std::vector<std::string> tokens = {"[UNK]"};
  EXPECT_FALSE(make_wordpiece({.tokens = tokens, .unknown_token = 1}).has_value());
  EXPECT_FALSE(make_wordpiece({.tokens = tokens, .word_prefix = "", .continuing_prefix = ""}).has_value());
  EXPECT_FALSE(make_wordpiece({.tokens = tokens, .word_prefix = "a", .continuing_prefix = "b"}).has_value());
}

}  // namespace
}  // namespace weir::vocab
