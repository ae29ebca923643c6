// Settled tokens against brute force: for every continuation of a text, its tokenization begins with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "unit/vocab/vocab_testing.h"
#include "vocab/normalizers/normalizers.h"
#include "vocab/segmenters/bpe.h"
#include "vocab/segmenters/pipeline.h"
#include "vocab/segmenters/pre_tokenizer_steps.h"

namespace weir::vocab {
namespace {

constexpr std::string_view kFragments[] = {
    "{\"",  "name",    "\": ",  "\"",    " ",      "  ",       "\n",   "\t",
    "'",    "'s",      "don't", "123",   "4567",   "\xC3\xA9", "e",    "\xE6\x97\xA5\xE6\x9C\xAC",
    "\xE6", "!!",      "...",   "Hello", " world", "ABCdef",   "\r\n", "_x",
    "},",   "\xCC\x81"};

std::string random_text(std::minstd_rand& random, std::size_t fragments) {
  std::string text;
  for (; fragments > 0; --fragments) text += kFragments[random() % std::size(kFragments)];
  return text;
}

// Checks the settled tokens of `text` and returns their number.
template <typename Tokenize>
std::size_t check(const Ids& settled, const Tokenize& tokenize, const std::string& text, std::minstd_rand& random) {
  std::vector<std::string> continuations{"",    "\xCC\x81", "\x81", "\xA5\xE6\x9C\xAC", "'ll", "\n\n",
                                         " \n", "1234",     "   a"};
  for (unsigned byte = 0; byte < 0x80; byte += 3) continuations.push_back(std::string(1, static_cast<char>(byte)));
  for (int i = 0; i < 20; ++i) continuations.push_back(random_text(random, 1 + random() % 3));
  for (const std::string& continuation : continuations) {
    const auto whole = tokenize(text + continuation);
    if (!whole) continue;
    const bool begins = whole->size() >= settled.size() && std::equal(settled.begin(), settled.end(), whole->begin());
    EXPECT_TRUE(begins) << "`" << text << "` before `" << continuation << "`";
  }
  return settled.size();
}

struct Counts {
  std::size_t settled = 0;
  std::size_t all = 0;
};

Counts check_tokenizer(const TokenizerInfo& tokenizer, int texts) {
  std::minstd_rand random(5);
  Counts counts;
  for (int i = 0; i < texts && !::testing::Test::HasFailure(); ++i) {
    const std::string text = random_text(random, 1 + random() % 8);
    const auto tokenize = [&](const std::string& whole) { return tokenizer.tokenize(whole); };
    const auto all = tokenize(text);
    if (!all) continue;
    counts.settled += check(tokenizer.vocabulary().settled_tokens(text), tokenize, text, random);
    counts.all += all->size();
  }
  return counts;
}

TEST(SettledTokens, OfTheBuiltinTokenizer) {
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  const Counts counts = check_tokenizer(tokenizer, 400);
  EXPECT_GT(counts.settled * 3, counts.all * 2) << "of these texts two thirds of the tokens are settled";
  const Ids ids = tokenizer.vocabulary().settled_tokens("{\"name\": \"");
  EXPECT_EQ(tokenizer.decode(ids), "{\"name\":");
  EXPECT_TRUE(tokenizer.vocabulary().settled_tokens("").empty());
  EXPECT_TRUE(tokenizer.vocabulary().settled_tokens("word").empty());
}

TEST(SettledTokens, OfRealTokenizers) {
  if (!std::filesystem::exists(tokenizer_data())) GTEST_SKIP() << "no " << tokenizer_data();
  std::size_t files = 0;
  std::size_t with_some = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tokenizer_data())) {
    const std::string extension = entry.path().extension();
    if (extension != ".gguf" && extension != ".tiktoken") continue;
    const auto tokenizer = TokenizerInfo::from_file(entry.path());
    if (!tokenizer) continue;
    SCOPED_TRACE(entry.path().string());
    const Counts counts = check_tokenizer(*tokenizer, 60);
    ASSERT_FALSE(::testing::Test::HasFailure());
    ++files;
    with_some += counts.settled > 0 ? 1U : 0U;
  }
  EXPECT_GE(files, 8U);
  EXPECT_GE(with_some, 6U);
}

TEST(SettledTokens, OfLongestMatch) {
  std::minstd_rand random(9);
  std::size_t settled = 0;
  for (int i = 0; i < 300; ++i) {
    VocabSpec spec{.tokens = {"a", "b"}};
    for (int t = 0; t < 6; ++t) {
      std::string token;
      for (std::size_t length = 2 + random() % 4; length > 0; --length) token += random() % 2 == 0 ? 'a' : 'b';
      spec.tokens.push_back(token);
    }
    const auto tokenizer = TokenizerInfo::from_vocab(std::move(spec));
    ASSERT_TRUE(tokenizer.has_value());
    std::string text;
    for (std::size_t length = random() % 9; length > 0; --length) text += random() % 2 == 0 ? 'a' : 'b';
    const Ids ids = tokenizer->vocabulary().settled_tokens(text);
    settled += ids.size();
    // Tries all continuations that a token can reach. No settled token may be missing: some continuation must change
    // the next token.
    bool next_changes = ids == *tokenizer->tokenize(text);
    for (unsigned bits = 0; bits < 1U << 6; ++bits) {
      std::string whole = text;
      for (unsigned marked = bits | 1U << 6; marked > 1; marked >>= 1) whole += (marked & 1) != 0 ? 'a' : 'b';
      const Ids all = *tokenizer->tokenize(whole);
      ASSERT_TRUE(std::equal(ids.begin(), ids.end(), all.begin())) << whole;
      const Ids now = *tokenizer->tokenize(text);
      next_changes = next_changes || all[ids.size()] != now[ids.size()];
    }
    EXPECT_TRUE(next_changes) << text;
  }
  EXPECT_GT(settled, 300U);
}

std::shared_ptr<const PieceModel> bytes_and_words() {
  std::vector<std::string> tokens;
  for (unsigned byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  tokens.insert(tokens.end(), {"na", "me", "name", "ll", "Hello", "  ", "\xC3\xA9"});
  return make_rank_bpe(tokens);
}

void check_pipeline(PipelineSpec spec, std::size_t at_least) {
  const auto segmenter = make_pipeline(std::move(spec));
  std::minstd_rand random(3);
  std::size_t settled = 0;
  for (int i = 0; i < 200 && !::testing::Test::HasFailure(); ++i) {
    const std::string text = random_text(random, 1 + random() % 8);
    const auto tokenize = [&](const std::string& whole) { return segmenter->tokenize(whole); };
    settled += check(segmenter->settled_tokens(text), tokenize, text, random);
  }
  EXPECT_GE(settled, at_least);
}

PreTokenizer words(SplitBehavior behavior, bool invert = false) {
  const std::vector<SplitPattern> patterns{{std::string(kGpt2Pattern), behavior, invert}};
  return *PreTokenizer::from_patterns(patterns);
}

TEST(SettledTokens, AfterEveryWayOfSplitting) {
  for (const SplitBehavior behavior : {SplitBehavior::kIsolated, SplitBehavior::kRemoved, SplitBehavior::kContiguous,
                                       SplitBehavior::kMergedWithPrevious, SplitBehavior::kMergedWithNext}) {
    for (const bool invert : {false, true}) {
      const std::vector<SplitPattern> punctuation{{std::string(kPunctuationPattern), behavior, invert}};
      const bool drops_all = behavior == SplitBehavior::kRemoved && invert;
      check_pipeline({.pre_tokenizer = *PreTokenizer::from_patterns(punctuation), .model = bytes_and_words()},
                     drops_all ? 100 : 500);
    }
  }
}

TEST(SettledTokens, AfterAddedTokensAndNormalizers) {
  const std::vector<AddedToken> added = {{.text = "name", .id = 900, .lstrip = true},
                                         {.text = "!!\n", .id = 901},
                                         {.text = "123", .id = 902, .single_word = true, .rstrip = true}};
  check_pipeline({.added_tokens = added, .pre_tokenizer = words(SplitBehavior::kIsolated), .model = bytes_and_words()},
                 200);
  for (const NormalizerPtr& normalizer :
       {make_unicode_form(NormalizationForm::kNfc), make_unicode_form(NormalizationForm::kNfkd), make_lowercase(),
        make_strip_accents(), make_nmt(), make_bert({})}) {
    check_pipeline({.added_tokens = {{.text = "dont", .id = 900, .normalized = true}},
                    .normalizers = {normalizer},
                    .pre_tokenizer = words(SplitBehavior::kIsolated),
                    .model = bytes_and_words()},
                   300);
  }
}

TEST(SettledTokens, AfterRewritingSteps) {
  const auto split = *make_split_step({std::string(kGpt2Pattern), SplitBehavior::kIsolated, false});
  const auto symbols = *make_split_step({"\xE2\x96\x81", SplitBehavior::kMergedWithNext, false});
  check_pipeline({.pre_tokenizer = PreTokenizer({make_prefix_space_step(), split}), .model = bytes_and_words()}, 500);
  check_pipeline({.pre_tokenizer = PreTokenizer({make_metaspace_step({}), symbols}), .model = bytes_and_words()}, 500);
  check_pipeline(
      {.pre_tokenizer = PreTokenizer({make_metaspace_step({.symbol = "Hello"}), split}), .model = bytes_and_words()},
      300);
  check_pipeline({.pre_tokenizer = PreTokenizer({split, make_prefix_space_step()}), .model = bytes_and_words()}, 500);
}

}  // namespace
}  // namespace weir::vocab
