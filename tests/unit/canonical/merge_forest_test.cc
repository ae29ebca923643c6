#include "canonical/merge_forest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vocab/recipe.h"

namespace weir::canonical {
namespace {

using vocab::MergeRecipe;

// Byte-level merges over these tokens; a merge's rank is its place.
struct Merges {
  std::vector<std::string> tokens;
  std::vector<std::pair<std::string, std::string>> pairs;

  [[nodiscard]] std::uint32_t id(const std::string& text) const {
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i] == text) return i;
    }
    ADD_FAILURE() << text;
    return 0;
  }
  [[nodiscard]] MergeForest forest() const {
    MergeRecipe recipe;
    for (std::uint32_t i = 0; i < tokens.size(); ++i) recipe.tokens.push_back({tokens[i], i});
    for (std::uint32_t rank = 0; rank < pairs.size(); ++rank) {
      const auto& [left, right] = pairs[rank];
      recipe.pairs.push_back({id(left), id(right), rank, id(left + right)});
    }
    auto forest = MergeForest::build(recipe, static_cast<std::uint32_t>(tokens.size()));
    EXPECT_TRUE(forest.has_value());
    return *std::move(forest);
  }
};

class Pairs {
 public:
  explicit Pairs(Merges merges) : merges_(std::move(merges)), forest_(merges_.forest()) {}
  bool operator()(const std::string& l, const std::string& r) const {
    return forest_.is_compatible(SymbolId{merges_.id(l)}, SymbolId{merges_.id(r)});
  }
  [[nodiscard]] bool is_made(const std::string& t) const { return forest_.is_made(SymbolId{merges_.id(t)}); }
  [[nodiscard]] const MergeForest& forest() const { return forest_; }

 private:
  Merges merges_;
  MergeForest forest_;
};

TEST(MergeForest, TheEarlierMergeWins) {
  const Pairs pairs({{"a", "b", "c", "ab", "bc"}, {{"b", "c"}, {"a", "b"}}});
  EXPECT_FALSE(pairs("ab", "c"));  // b c merge first
  EXPECT_TRUE(pairs("a", "bc"));
  EXPECT_FALSE(pairs("a", "b"));
  EXPECT_TRUE(pairs("ab", "ab"));
}

TEST(MergeForest, TheLeftmostOfEqualMergesWins) {
  const Pairs pairs({{"a", "aa"}, {{"a", "a"}}});
  EXPECT_TRUE(pairs("aa", "a"));
  EXPECT_FALSE(pairs("a", "aa"));
  EXPECT_TRUE(pairs("aa", "aa"));
}

TEST(MergeForest, AMergeBeforeOneThatItNeeds) {
  // a bc merges before b c does, so right when bc is there.
  const Pairs pairs({{"a", "b", "c", "bc", "abc", "cc"}, {{"a", "bc"}, {"b", "c"}, {"c", "c"}}});
  EXPECT_TRUE(pairs.is_made("abc"));
  EXPECT_FALSE(pairs("a", "bc"));
  EXPECT_TRUE(pairs("abc", "c"));
}

TEST(MergeForest, TokensThatNoMergingGives) {
  // b c always merges first, so ab c never comes about; and of dd there is no merge.
  const Pairs pairs({{"a", "b", "c", "d", "bc", "ab", "abc", "dd"}, {{"b", "c"}, {"a", "b"}, {"ab", "c"}}});
  EXPECT_FALSE(pairs.is_made("abc"));
  EXPECT_FALSE(pairs.is_made("dd"));
  EXPECT_TRUE(pairs.is_made("ab"));
  EXPECT_EQ(std::vector<std::uint32_t>(pairs.forest().unmade().begin(), pairs.forest().unmade().end()),
            (std::vector<std::uint32_t>{6, 7}));
  EXPECT_EQ(pairs.forest().order().size(), 6U);
}

TEST(MergeForest, TokensByRankMergeWhateverTheirParts) {
  MergeRecipe recipe;
  recipe.rule = MergeRecipe::Rule::kConcatenations;
  const std::vector<std::string> tokens = {"a", "b", "ab", "aba", "ba", "abab"};
  for (std::uint32_t i = 0; i < tokens.size(); ++i) recipe.tokens.push_back({tokens[i], i, i});
  const auto forest = MergeForest::build(recipe, 6);
  ASSERT_TRUE(forest.has_value());
  // a b, ab a, a ba, b a, ab ab, aba b and a bab, of which the last has no second part.
  EXPECT_EQ(forest->merge_count(), 6U);
  EXPECT_TRUE(forest->is_made(SymbolId{3}));  // ab a
  EXPECT_TRUE(forest->is_made(SymbolId{5}));  // ab ab
  EXPECT_FALSE(forest->is_compatible(SymbolId{2}, SymbolId{2}));
  EXPECT_TRUE(forest->is_compatible(SymbolId{5}, SymbolId{5}));
}

TEST(MergeForest, CharactersThatAreNoTokensMergeByTheirTexts) {
  MergeRecipe recipe;
  recipe.unit = MergeRecipe::Unit::kCharacter;
  recipe.rule = MergeRecipe::Rule::kConcatenations;
  recipe.tokens = {{"a", 0, 1}, {"a\u00e9", 1, 0}};
  const auto forest = MergeForest::build(recipe, 2);
  ASSERT_TRUE(forest.has_value());
  EXPECT_EQ(forest->symbol_count(), 3U);
  EXPECT_EQ(forest->unit("\u00e9"), SymbolId{2});
  EXPECT_EQ(forest->unit("b"), SymbolId::kNone);
  ASSERT_EQ(forest->further_characters().size(), 1U);
  EXPECT_EQ(forest->further_characters()[0], "\u00e9");
  EXPECT_TRUE(forest->is_made(SymbolId{1}));
  EXPECT_FALSE(forest->is_compatible(SymbolId{0}, SymbolId{2}));
  EXPECT_TRUE(forest->is_compatible(SymbolId{1}, SymbolId{2}));
}

TEST(MergeForest, MergesThatPairsCannotExpressAreRefused) {
  MergeRecipe unused;
  unused.unit = MergeRecipe::Unit::kCharacter;
  unused.rule = MergeRecipe::Rule::kConcatenations;
  unused.tokens = {{"a", 0, 1}, {"aa", 1, 0, /*is_written=*/false}};
  const auto undone = MergeForest::build(unused, 2);
  ASSERT_FALSE(undone.has_value());
  EXPECT_EQ(undone.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(undone.error().message.find("unused piece 1"), std::string::npos);

  MergeRecipe bytes;
  bytes.unit = MergeRecipe::Unit::kCharacter;
  bytes.tokens = {{"a", 0}, {"<0x0A>", 1}, {"a<0x0A>", 2}};
  bytes.byte_tokens.assign(256, 1);
  bytes.pairs = {{0, 1, 0, 2}};
  const auto merged = MergeForest::build(bytes, 3);
  ASSERT_FALSE(merged.has_value());
  EXPECT_NE(merged.error().message.find("byte tokens"), std::string::npos);
}

}  // namespace
}  // namespace weir::canonical
