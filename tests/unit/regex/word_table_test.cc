// Tables of words denote what the alternation of their words does, and make few expressions.
#include "regex/atoms/word_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/work.h"
#include "regex/analysis/members.h"
#include "regex/atoms/json_string.h"
#include "regex/expr/expr.h"

namespace weir::regex {
namespace {

class WordTables : public ::testing::Test {
 protected:
  static std::vector<Word> words(const std::vector<std::string>& texts) {
    std::vector<Word> words;
    for (const std::string& text : texts) words.push_back({text, static_cast<std::uint32_t>(words.size())});
    return words;
  }
  ExprId table(const std::vector<std::string>& texts) { return word_table(exprs_, words(texts)).value(); }
  ExprId list(const std::vector<std::string>& texts) {
    std::vector<ExprId> literals;
    for (const std::string& text : texts) literals.push_back(exprs_.literal(text));
    return exprs_.alternation(literals);
  }
  // Expects that no text distinguishes the two; visits the residuals of both together.
  void expect_same(ExprId x, ExprId y, const std::string& text = "") {
    ASSERT_EQ(exprs_.nullable(x), exprs_.nullable(y)) << text;
    ASSERT_LE(exprs_.min_length(x), exprs_.min_length(y)) << text;
    ASSERT_GE(exprs_.max_length(x), exprs_.max_length(y)) << text;
    std::vector<ExprSet::Branch> branches;
    exprs_.append_branches(x, branches);
    for (int byte = 0; byte < 256; ++byte) {
      const auto one = static_cast<std::uint8_t>(byte);
      const ExprId dx = exprs_.derivative(x, one);
      const ExprId dy = exprs_.derivative(y, one);
      const auto branch = std::ranges::find_if(branches, [&](const auto& b) { return b.bytes.contains(one); });
      ASSERT_EQ(branch == branches.end() ? ExprId::kNothing : branch->to, dx) << text;
      const bool is_empty = emptiness(exprs_, dy, 1'000) == Emptiness::kEmpty;
      ASSERT_EQ(emptiness(exprs_, dx, 1'000) == Emptiness::kEmpty, is_empty) << text << ' ' << byte;
      if (!is_empty) expect_same(dx, dy, text + static_cast<char>(byte));
    }
  }

  ExprSet exprs_{1U << 20};
};

TEST_F(WordTables, DenoteTheirWords) {
  std::mt19937 random(3);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 1 + random() % 150; ++i) {
      std::string text;
      while (random() % 4 != 0) text += std::vector<std::string>{"a", "b", "ü", "語", "\""}[random() % 5];
      texts.push_back(text);
    }
    expect_same(table(texts), list(texts));
    expect_same(json_string(exprs_, table(texts), {.escapes = JsonEscapes::kShort}),
                json_string(exprs_, list(texts), {.escapes = JsonEscapes::kShort}));
    const ExprId some = exprs_.complement(exprs_.concat(exprs_.literal("a"), ExprId::kAllStrings));
    std::vector<std::string> others = texts;
    std::erase_if(others, [](const std::string& text) { return text.starts_with('a'); });
    expect_same(exprs_.intersection(table(texts), some), list(others));
    const std::vector<std::string> half(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(texts.size() / 2));
    if (half.empty()) continue;
    expect_same(exprs_.intersection(table(texts), table(half)), list(half));
    others = texts;
    std::erase_if(others, [&](const std::string& text) { return std::ranges::find(half, text) != half.end(); });
    expect_same(exprs_.difference(table(texts), list(half)), list(others));
  }
}

TEST_F(WordTables, AreNotMadeOfInvalidUtf8) { EXPECT_EQ(word_table(exprs_, words({"a", "\xE8\xAA"})), std::nullopt); }

// What follows word i: i times "!" and a full stop.
class Marks final : public AfterWords {
 public:
  ExprId after(ExprSet& exprs, std::uint32_t id) override {
    ++made;
    return exprs.literal(std::string(id, '!') + ".");
  }
  int made = 0;
};

TEST_F(WordTables, MakeWhatFollowsAWordWhenItIsRead) {
  const auto marks = std::make_shared<Marks>();
  const std::vector<std::string> texts{"a", "ab", "b", "a"};
  const ExprId all = word_table(exprs_, words(texts), marks).value();
  EXPECT_EQ(marks->made, 0);
  expect_same(all, list({"a.", "ab!.", "b!!.", "a!!!."}));
  const std::string quote(1, kQuoteByte);
  const ExprId strings = json_string_then(exprs_, word_table(exprs_, words({"a" + quote, "ä" + quote}), marks).value());
  expect_same(exprs_.concat(exprs_.literal("\""), strings),
              exprs_.alternation(exprs_.concat(json_string(exprs_, exprs_.literal("a")), exprs_.literal(".")),
                                 exprs_.concat(json_string(exprs_, exprs_.literal("ä")), exprs_.literal("!."))));
}

std::vector<std::string> long_texts() {
  std::vector<std::string> texts;
  for (int i = 0; i < 5'000; ++i) texts.push_back(std::to_string(i * 7919 % 5'003) + std::string(200, 'x'));
  return texts;
}

TEST_F(WordTables, StayTablesUnderIntersections) {
  const ExprId all = table(long_texts());
  const auto without = [&](std::string_view text) {
    return exprs_.complement(
        exprs_.concat(ExprId::kAllStrings, exprs_.concat(exprs_.literal(text), ExprId::kAllStrings)));
  };
  EXPECT_EQ(exprs_.intersection(all, without("</parameter>")), all);
  const ExprId some = exprs_.intersection(all, without("77"));
  EXPECT_EQ(exprs_.kind(some), ExprKind::kAtom);
  const std::vector<std::string> texts = long_texts();
  for (std::size_t i = 0; i < texts.size(); i += 17) {
    const std::string& text = texts[i];
    EXPECT_EQ(exprs_.matches(some, text), text.find("77") == std::string::npos) << text;
  }
  EXPECT_EQ(exprs_.intersection(all, exprs_.repeat(exprs_.byte_set(ByteSet::of('x')), 0, kUnbounded)),
            ExprId::kNothing);
}

TEST_F(WordTables, TakeFewStepsAndExpressions) {
  const std::vector<std::string> texts = long_texts();
  const std::size_t before = exprs_.node_count();
  {
    const base::Work::Call call(UINT64_MAX);
    const ExprId all = table(texts);
    EXPECT_EQ(exprs_.node_count(), before + 1);
    EXPECT_EQ(exprs_.min_length(all), 201U);
    EXPECT_TRUE(exprs_.matches(all, texts[1'234]));
    EXPECT_FALSE(exprs_.matches(all, texts[1'234] + "x"));
    const auto shortest = any_shortest_member(exprs_, all, 1'000);
    ASSERT_TRUE(shortest.has_value());
    EXPECT_EQ(shortest->size(), 201U);
  }
  EXPECT_LT(base::Work::last_call(), 150'000U);
}

}  // namespace
}  // namespace weir::regex
