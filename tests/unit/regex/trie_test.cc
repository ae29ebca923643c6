// A trie is the alternation of its texts, and costs the nodes of the trie alone.
#include "regex/expr/trie.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "base/work.h"
#include "regex/expr/expr.h"

namespace weir::regex {
namespace {

struct Entry {
  std::string text;
  ExprId after = ExprId::kEpsilon;
};

ExprId made(ExprSet& exprs, const std::vector<Entry>& entries) {
  std::vector<TextBefore> texts;
  for (const Entry& entry : entries) texts.push_back({entry.text, entry.after});
  return trie(exprs, std::move(texts));
}

ExprId joined(ExprSet& exprs, const std::vector<Entry>& entries) {
  std::vector<ExprId> each;
  for (const Entry& entry : entries) each.push_back(exprs.concat(exprs.literal(entry.text), entry.after));
  return exprs.alternation(each);
}

TEST(Trie, IsTheAlternationOfItsTexts) {
  ExprSet exprs(1U << 20);
  const std::vector<ExprId> ends = {ExprId::kEpsilon, exprs.literal("x"), exprs.repeat(exprs.literal("y"), 0, 3),
                                    ExprId::kNothing};
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const bool is_plain = round % 2 == 0;
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < 1 + random() % 40; ++i) {
      Entry& entry = entries.emplace_back();
      for (std::size_t length = random() % 8; length-- > 0;) entry.text += static_cast<char>('a' + random() % 3);
      if (!is_plain) entry.after = ends[random() % ends.size()];
    }
    EXPECT_EQ(made(exprs, entries), joined(exprs, entries)) << round;
  }
  EXPECT_EQ(made(exprs, {}), ExprId::kNothing);
  EXPECT_EQ(made(exprs, {{""}, {""}}), ExprId::kEpsilon);
  EXPECT_EQ(made(exprs, {{"\xFF"}, {std::string(1, '\0')}}), joined(exprs, {{"\xFF"}, {std::string(1, '\0')}}));
}

TEST(Trie, MakesNoneOfTheSingleTexts) {
  std::vector<Entry> entries;
  std::string shared(200, 'a');
  for (int i = 0; i < 1'000; ++i) entries.push_back({shared + std::to_string(1'000 + i)});
  ExprSet exprs(1U << 20);
  const ExprId e = made(exprs, entries);
  EXPECT_LT(exprs.node_count(), 300U);
  EXPECT_TRUE(exprs.matches(e, shared + "1999"));
  EXPECT_FALSE(exprs.matches(e, shared + "2000"));
}

// Each text is the beginning of the next one.
TEST(Trie, IsAsDeepAsItsTexts) {
  std::vector<Entry> entries;
  for (std::size_t length = 0; length < 3'000; ++length) entries.push_back({std::string(length, 'a')});
  ExprSet exprs(1U << 20);
  const ExprId e = made(exprs, entries);
  EXPECT_TRUE(exprs.matches(e, std::string(2'999, 'a')));
  EXPECT_FALSE(exprs.matches(e, std::string(3'000, 'a')));
}

TEST(Trie, RefusesTooManyExpressions) {
  ExprSet few(50);
  EXPECT_EQ(made(few, {{std::string(60, 'a')}, {std::string(60, 'b')}}), ExprId::kOverflow);
}

}  // namespace
}  // namespace weir::regex
