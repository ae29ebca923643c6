#include "vocab/segmenters/pre_tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "vocab/segmenters/pattern.h"
#include "vocab/segmenters/pre_tokenizer_steps.h"

namespace weir::vocab {
namespace {

PieceList list_of(std::string_view text) {
  PieceList list;
  list.text = text;
  list.pieces.push_back({0, text.size()});
  return list;
}

std::string show(const PieceList& list) {
  std::string shown;
  for (const auto& [begin, end] : list.pieces) shown += "[" + list.text.substr(begin, end - begin) + "]";
  return shown;
}

std::string split(const std::vector<SplitPattern>& patterns, std::string_view text) {
  const auto pre_tokenizer = PreTokenizer::from_patterns(patterns);
  if (!pre_tokenizer) return "error: " + pre_tokenizer.error().message;
  PieceList list = list_of(text);
  if (const auto done = pre_tokenizer->apply(list); !done) return "error: " + done.error().message;
  return show(list);
}

std::string rewritten(const PreTokenizerStepPtr& step, std::string_view text) {
  PieceList list = list_of(text);
  EXPECT_TRUE(step->apply(list).has_value());
  return show(list);
}

TEST(PreTokenizer, WithoutStepsTheTextIsOnePiece) { EXPECT_EQ(split({}, "a b"), "[a b]"); }

TEST(PreTokenizer, SplitsLikeGpt2) {
  const std::vector<SplitPattern> gpt2 = {{std::string(kGpt2Pattern)}};
  EXPECT_EQ(split(gpt2, "Hello world's  end, 42!\n"), "[Hello][ world]['s][ ][ end][,][ 42][!][\n]");
  EXPECT_EQ(split(gpt2, ""), "");
}

TEST(PreTokenizer, Behaviors) {
  const std::string_view text = "-a--b-";
  EXPECT_EQ(split({{"-", SplitBehavior::kIsolated}}, text), "[-][a][-][-][b][-]");
  EXPECT_EQ(split({{"-", SplitBehavior::kRemoved}}, text), "[a][b]");
  EXPECT_EQ(split({{"-", SplitBehavior::kContiguous}}, text), "[-][a][--][b][-]");
  EXPECT_EQ(split({{"-", SplitBehavior::kMergedWithPrevious}}, text), "[-][a-][-][b-]");
  EXPECT_EQ(split({{"-", SplitBehavior::kMergedWithNext}}, text), "[-a][-][-b][-]");
  EXPECT_EQ(split({{"[ab]", SplitBehavior::kRemoved, true}}, text), "[a][b]");
  EXPECT_EQ(split({{"[ab]", SplitBehavior::kIsolated, true}}, text), "[-][a][--][b][-]");
}

TEST(PreTokenizer, StepsSplitWhatStepsBeforeLeft) {
  EXPECT_EQ(split({{"\\d+"}, {"[a-z]"}}, "ab12c"), "[a][b][12][c]");
  // A pattern sees only its piece, so nothing precedes the second one.
  EXPECT_EQ(split({{" "}, {"^b"}}, "a bc"), "[a][ ][b][c]");
}

TEST(PreTokenizer, InvalidBytesAreBetweenMatches) {
  EXPECT_EQ(split({{"\\p{L}+"}},
                  "ab\xFF\xFE"
                  "cd\xC3"),
            "[ab][\xFF\xFE][cd][\xC3]");
  EXPECT_EQ(split({{"\\s+(?!\\S)|\\s"}}, "a  \xFF"), "[a][  ][\xFF]") << "to the pattern the text ends there";
  EXPECT_EQ(split({{"."}}, "\xED\xA0\x80"), "[\xED\xA0\x80]");
}

TEST(PreTokenizer, GarbageIsLinear) {
  std::string garbage;
  for (int i = 0; i < 300'000; ++i) garbage += static_cast<char>(i % 7 == 0 ? 'a' : 0x80 + i % 100);
  EXPECT_NE(split({{std::string(kGpt2Pattern)}}, garbage), "");
}

TEST(PreTokenizer, LongRunsMeetNoLimit) {
  const std::vector<SplitPattern> pattern = {{"\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+|\\p{L}+"}};
  EXPECT_EQ(split(pattern, std::string(1'000'000, ' ')).size(), 1'000'002U);
  EXPECT_EQ(split(pattern, std::string(1'000'000, ' ') + "x").size(), 1'000'005U + 2);
  EXPECT_EQ(split(pattern, std::string(1'000'000, 'a')).size(), 1'000'002U);
}

TEST(PreTokenizer, RunawayPatternsAreStopped) {
  const std::string answer = split({{"(a+)+$"}}, std::string(60, 'a') + "b");
  EXPECT_EQ(answer.substr(0, 7), "error: ") << answer;
}

TEST(PreTokenizer, EmptyMatchesAreNone) { EXPECT_EQ(split({{"x*"}}, "axxb"), "[a][xx][b]"); }

TEST(Pattern, RefusesWhatPcre2Refuses) {
  for (const char* bad : {"(", "[a", "a{2,1}", "\\p{Nonsense}", "(?<=a+)b", "\\"}) {
    const auto pattern = Pattern::compile(bad);
    ASSERT_FALSE(pattern.has_value()) << bad;
    EXPECT_EQ(pattern.error().code, ErrorCode::kUnsupported);
    EXPECT_NE(pattern.error().message.find(bad), std::string::npos) << "the pattern is named";
  }
}

TEST(Pattern, WhiteSpaceAndWordsAreThoseOfTheFile) {
  EXPECT_EQ(split({{"\\s"}}, "a\u180Eb\u0085c\u00A0d"), "[a\u180Eb][\u0085][c][\u00A0][d]");
  EXPECT_EQ(split({{"[^\\S]"}}, "a\u180E b"), "[a\u180E][ ][b]");
  EXPECT_EQ(split({{"\\w+"}}, "e\u0301_\u00B2-x"), "[e\u0301_\u00B2][-][x]");
  EXPECT_EQ(split({{"[\\w-]+"}}, "a-b c"), "[a-b][ ][c]");
  EXPECT_EQ(split({{"\\W+"}}, "a--b"), "[a][--][b]");
  EXPECT_EQ(split({{"a$"}}, "a\n"), "[a\n]") << "$ is the very end";
}

TEST(Pattern, ClassesIntersect) {
  // Han letters are separate pieces; in the syntax of Kimi's tokenizer.
  EXPECT_EQ(split({{"[\\p{L}&&[^\\p{Han}]]+|\\p{Han}+"}}, "ab中文c"), "[ab][中文][c]");
  EXPECT_EQ(split({{"[a-z&&[aeiou]]"}}, "cat"), "[c][a][t]");
  EXPECT_EQ(split({{"[a-z&&[^b]&&[^c]]+"}}, "abcd"), "[a][bc][d]");
  EXPECT_EQ(split({{"[]a]+"}}, "b]ab"), "[b][]a][b]");
  EXPECT_EQ(split({{"[[:digit:]x]+"}}, "a1x"), "[a][1x]");
  EXPECT_EQ(split({{"[&a]+"}}, "b&a"), "[b][&a]");
  for (const char* refused : {"[a[bc]]", "[a&&b]", "[a&&[b[c]]]", "[a&&\\p{L}]"}) {
    EXPECT_NE(split({{refused}}, "a").find("a class within a class"), std::string::npos) << refused;
  }
}

TEST(PreTokenizerSteps, Metaspace) {
  using Prepend = MetaspaceOptions::Prepend;
  EXPECT_EQ(rewritten(make_metaspace_step({}), "a b"), "[▁a▁b]");
  EXPECT_EQ(rewritten(make_metaspace_step({}), " a"), "[▁a]");
  EXPECT_EQ(rewritten(make_metaspace_step({}), "▁a"), "[▁a]");
  EXPECT_EQ(rewritten(make_metaspace_step({.prepend = Prepend::kNever}), "a b"), "[a▁b]");
  PieceList later = list_of("a b");
  later.starts_text = false;
  ASSERT_TRUE(make_metaspace_step({.prepend = Prepend::kFirst})->apply(later).has_value());
  EXPECT_EQ(show(later), "[a▁b]");
  EXPECT_FALSE(later.offsets_are_original);
}

TEST(PreTokenizerSteps, ByteLevelAndPrefixSpace) {
  EXPECT_EQ(rewritten(make_byte_level_step(), "a é"), "[aĠÃ©]");
  EXPECT_EQ(rewritten(make_prefix_space_step(), "a"), "[ a]");
  EXPECT_EQ(rewritten(make_prefix_space_step(), " a"), "[ a]");
}

TEST(PreTokenizerSteps, QuotedPatternsMatchThemselves) {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  EXPECT_EQ(split({{quote_pattern(all)}}, "x" + all + "y"), "[x][" + all + "][y]");
}

TEST(PreTokenizerSteps, PunctuationIsAsciiSymbolsAndCategoryP) {
  for (int c = 0; c < 128; ++c) {
    const bool punctuation = c > 0x20 && c < 0x7F && std::isalnum(c) == 0;
    const auto pattern = Pattern::compile(kPunctuationPattern);
    const std::string text(1, static_cast<char>(c));
    EXPECT_EQ(Pattern::Matcher(*pattern).find(text, 0)->found(), punctuation) << c;
  }
}

}  // namespace
}  // namespace weir::vocab
