#include "vocab/segmenters/pipeline.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vocab/normalizers/normalizers.h"
#include "vocab/segmenters/bpe.h"
#include "vocab/segmenters/pre_tokenizer_steps.h"
#include "vocab/segmenters/word_level.h"

namespace weir::vocab {
namespace {

using Ids = std::vector<std::uint32_t>;

// Single letters a to z are tokens 0 to 25; a space is 26. Added tokens have ids from 100.
std::shared_ptr<const PieceModel> letters() {
  std::vector<std::string> tokens;
  for (char c = 'a'; c <= 'z'; ++c) tokens.emplace_back(1, c);
  tokens.emplace_back(" ");
  return make_rank_bpe(tokens);
}

std::string run(const std::shared_ptr<const Segmenter>& segmenter, std::string_view text) {
  const auto ids = segmenter->tokenize(text);
  if (!ids) {
    return "error at " + std::to_string(ids.error().where.start) + "-" + std::to_string(ids.error().where.end);
  }
  std::string shown;
  for (const std::uint32_t id : *ids) {
    if (id < 26) {
      shown += static_cast<char>('a' + id);
    } else if (id == 26) {
      shown += ' ';
    } else {
      shown += "<" + std::to_string(id) + ">";
    }
  }
  return shown;
}

std::string with_added(std::vector<AddedToken> added, std::string_view text) {
  return run(make_pipeline({.added_tokens = std::move(added), .model = letters()}), text);
}

TEST(Pipeline, EmptyTextHasNoTokens) { EXPECT_EQ(with_added({}, ""), ""); }

TEST(Pipeline, FindsAddedTokensLeftmostLongest) {
  const std::vector<AddedToken> added = {{"ab", 100}, {"abc", 101}, {"bcd", 102}, {"", 103}, {"ab", 104}};
  EXPECT_EQ(with_added(added, "xabcdy"), "x<101>dy");
  EXPECT_EQ(with_added(added, "abab"), "<100><100>");
  EXPECT_EQ(with_added(added, "bcd"), "<102>");
}

TEST(Pipeline, AddedTokensTakeWhiteSpaceAlong) {
  const std::vector<AddedToken> left = {{.text = "x", .id = 100, .lstrip = true}};
  EXPECT_EQ(with_added(left, "a  x x b"), "a<100><100> b");
  const std::vector<AddedToken> right = {{.text = "x", .id = 100, .rstrip = true}};
  EXPECT_EQ(with_added(right, "a x \u3000 b"), "a <100>b");
  const std::vector<AddedToken> both = {{.text = "x", .id = 100, .lstrip = true, .rstrip = true}};
  EXPECT_EQ(with_added(both, " x  x "), "<100><100>");
}

TEST(Pipeline, SingleWordsStandAlone) {
  const std::vector<AddedToken> word = {{.text = "end", .id = 100, .single_word = true}};
  EXPECT_EQ(with_added(word, "end bend ends end"), "<100> bend ends <100>");
  std::vector<AddedToken> mark = {{.text = "b", .id = 100, .single_word = true}};
  EXPECT_EQ(with_added(mark,
                       "\u00E9"
                       "b"),
            "error at 0-1")
      << "é is a letter, so `b` is no single word here; the model gets both, and é has no token";
}

TEST(Pipeline, NormalizedTokensAreFoundInNormalizedText) {
  PipelineSpec spec{.added_tokens = {{.text = "AB", .id = 100, .normalized = true}, {.text = "CD", .id = 101}},
                    .normalizers = {make_lowercase()},
                    .model = letters()};
  const auto segmenter = make_pipeline(std::move(spec));
  EXPECT_EQ(run(segmenter, "aBabCDcdX"), "<100><100><101>cdx");
}

TEST(Pipeline, NormalizersRunOnEachStretch) {
  PipelineSpec spec{.added_tokens = {{.text = "|", .id = 100}}, .normalizers = {make_prepend("z")}, .model = letters()};
  EXPECT_EQ(run(make_pipeline(std::move(spec)), "a|b"), "za<100>zb");
}

TEST(Pipeline, OnlyTheFirstStretchOpensTheText) {
  PipelineSpec spec{.added_tokens = {{.text = "|", .id = 100}},
                    .pre_tokenizer = PreTokenizer(
                        {make_metaspace_step({.symbol = "z", .prepend = MetaspaceOptions::Prepend::kFirst})}),
                    .model = letters()};
  const auto segmenter = make_pipeline(std::move(spec));
  EXPECT_EQ(run(segmenter, "a|b"), "za<100>b");
  EXPECT_EQ(run(segmenter, "|b"), "<100>b");
}

TEST(Pipeline, ErrorsPointIntoTheText) {
  const SplitPattern pattern{" "};
  const auto pre_tokenizer = PreTokenizer::from_patterns(std::span(&pattern, 1));
  ASSERT_TRUE(pre_tokenizer.has_value());
  const auto plain =
      make_pipeline({.added_tokens = {{.text = "|", .id = 100}}, .pre_tokenizer = *pre_tokenizer, .model = letters()});
  EXPECT_EQ(run(plain, "ab|c d7e"), "error at 6-7");
  const auto lowercased = make_pipeline({.added_tokens = {{.text = "|", .id = 100}},
                                         .normalizers = {make_lowercase()},
                                         .pre_tokenizer = *pre_tokenizer,
                                         .model = letters()});
  EXPECT_EQ(run(lowercased, "ab|c d7e"), "error at 6-7");
  EXPECT_EQ(run(lowercased, "ab|C d7e"), "error at 3-8")
      << "the text is rewritten; only the range between added tokens is known";
}

TEST(Pipeline, UnsupportedSaysWhy) {
  const auto ids = make_unsupported_segmenter("normalizer `X`")->tokenize("a");
  ASSERT_FALSE(ids.has_value());
  EXPECT_EQ(ids.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(ids.error().message, "normalizer `X`");
}

TEST(WordLevel, TakesWholePieces) {
  const std::vector<std::string> tokens = {"ab", "", "c"};
  Ids ids;
  EXPECT_TRUE(make_word_level(tokens, std::nullopt)->tokenize_piece("ab", ids).has_value());
  EXPECT_EQ(ids, (Ids{0}));
  EXPECT_FALSE(make_word_level(tokens, std::nullopt)->tokenize_piece("abc", ids).has_value());
  EXPECT_TRUE(make_word_level(tokens, 1)->tokenize_piece("abc", ids).has_value());
  EXPECT_EQ(ids, (Ids{0, 1}));
}

}  // namespace
}  // namespace weir::vocab
