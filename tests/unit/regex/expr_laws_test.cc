// The laws of the normal form: two spellings are the same expression.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "regex/analysis/members.h"
#include "regex/expr/expr.h"
#include "regex/expr/print.h"
#include "regex/syntax/assertions.h"

namespace weir::regex {
namespace {

class Laws : public ::testing::Test {
 protected:
  static constexpr ExprId kNothing = ExprId::kNothing;
  static constexpr ExprId kEpsilon = ExprId::kEpsilon;
  static constexpr ExprId kAll = ExprId::kAllStrings;

  ExprId lit(std::string_view text) { return s.literal(text); }
  ExprId set(std::string_view letters) {
    ByteSet bytes;
    for (char letter : letters) bytes.add(static_cast<std::uint8_t>(letter));
    return s.byte_set(bytes);
  }
  ExprId cat(std::initializer_list<ExprId> parts) { return s.concat(std::span(parts.begin(), parts.size())); }
  ExprId any(std::initializer_list<ExprId> parts) { return s.alternation(std::span(parts.begin(), parts.size())); }
  ExprId both(std::initializer_list<ExprId> parts) { return s.intersection(std::span(parts.begin(), parts.size())); }
  ExprId no(ExprId e) { return s.complement(e); }
  ExprId rep(ExprId e, std::uint32_t min, std::uint32_t max) { return s.repeat(e, min, max); }
  ExprId star(ExprId e) { return rep(e, 0, kUnbounded); }
  ExprId plus(ExprId e) { return rep(e, 1, kUnbounded); }
  ExprId maybe(ExprId e) { return rep(e, 0, 1); }

  ExprSet s{1'000'000};
  ExprId a = lit("a"), b = lit("b"), c = lit("c");
  ExprId x = star(lit("ab")), y = rep(lit("cd"), 2, 5), z = no(lit("ef"));
  ExprId byte = s.byte_set(ByteSet::all());
};

#define EXPECT_SAME(left, right)                                                                        \
  do {                                                                                                  \
    const ExprId same_left = (left);                                                                    \
    const ExprId same_right = (right);                                                                  \
    EXPECT_EQ(same_left, same_right) << to_string(s, same_left) << " and " << to_string(s, same_right); \
  } while (false)

TEST_F(Laws, Concat) {
  EXPECT_SAME(cat({cat({x, y}), z}), cat({x, cat({y, z})}));
  EXPECT_SAME(cat({x, kEpsilon}), x);
  EXPECT_SAME(cat({kEpsilon, x}), x);
  EXPECT_SAME(cat({x, kNothing}), kNothing);
  EXPECT_SAME(cat({kNothing, x}), kNothing);
  EXPECT_SAME(cat({lit("ab"), lit("c")}), lit("abc"));
  EXPECT_SAME(cat({}), kEpsilon);
}

TEST_F(Laws, LengthsThatAsciiFits) {
  const ExprId ascii = s.byte_set(ByteSet::range(0, 0x7F));
  const ExprId wide = cat({s.byte_set(ByteSet::range(0xC2, 0xDF)), s.byte_set(ByteSet::range(0x80, 0xBF))});
  const ExprId character = any({ascii, wide});
  const ExprId date = cat({rep(set("0123456789"), 4, 4), lit("-"), rep(set("0123456789"), 2, 2)});
  EXPECT_SAME(both({rep(character, 7, 7), date}), date);
  EXPECT_SAME(both({plus(character), any({date, cat({x, b})})}), any({date, cat({x, b})}));
  EXPECT_SAME(both({rep(character, 2, 10), y, rep(set("cd"), 0, 10)}), both({y, rep(set("cd"), 0, 10)}));
  // Seven bytes beyond ASCII need not be seven characters, and letters need not include a digit.
  EXPECT_NE(both({rep(character, 7, 7), rep(any({lit("1"), lit("é")}), 7, 9)}), rep(any({lit("1"), lit("é")}), 7, 9));
  EXPECT_NE(both({rep(character, 0, 6), date}), date);
  EXPECT_NE(both({rep(character, 8, 8), date}), date);
  EXPECT_NE(both({star(any({set("-0123456789abc"), wide})), plus(set("01z"))}), plus(set("01z")));
}

TEST_F(Laws, ConcatWithAllStrings) {
  EXPECT_SAME(cat({kAll, kAll}), kAll);
  EXPECT_SAME(cat({x, kAll}), kAll);
  EXPECT_SAME(cat({kAll, x}), kAll);
  EXPECT_SAME(cat({kAll, x, maybe(y), b}), cat({kAll, b}));
  EXPECT_SAME(cat({b, x, maybe(y), kAll}), cat({b, kAll}));
  EXPECT_SAME(cat({kAll, y}), cat({kAll, rep(lit("cd"), 2, 2)}));
  EXPECT_SAME(cat({y, kAll}), cat({rep(lit("cd"), 2, 2), kAll}));
  EXPECT_SAME(cat({byte, kAll}), plus(byte));
  EXPECT_SAME(cat({kAll, byte}), plus(byte));
}

TEST_F(Laws, Repeat) {
  EXPECT_SAME(rep(x, 1, 1), x);
  EXPECT_SAME(rep(y, 0, 0), kEpsilon);
  EXPECT_SAME(rep(kEpsilon, 3, 7), kEpsilon);
  EXPECT_SAME(rep(kNothing, 0, 7), kEpsilon);
  EXPECT_SAME(rep(kNothing, 1, 7), kNothing);
  EXPECT_SAME(rep(y, 3, 2), kNothing);
  EXPECT_SAME(star(byte), kAll);
  EXPECT_SAME(rep(kAll, 2, 3), kAll);
  EXPECT_SAME(maybe(x), x);
  EXPECT_SAME(rep(maybe(lit("ab")), 3, 5), rep(lit("ab"), 0, 5));
}

TEST_F(Laws, NestedRepeats) {
  EXPECT_SAME(star(star(a)), star(a));
  EXPECT_SAME(star(plus(a)), star(a));
  EXPECT_SAME(plus(star(a)), star(a));
  EXPECT_SAME(star(maybe(a)), star(a));
  EXPECT_SAME(plus(plus(a)), plus(a));
  EXPECT_SAME(rep(rep(a, 3, 3), 4, 4), rep(a, 12, 12));
  EXPECT_SAME(rep(rep(a, 2, 3), 2, 4), rep(a, 4, 12));
  EXPECT_SAME(rep(rep(a, 0, 3), 0, 5), rep(a, 0, 15));
  EXPECT_SAME(rep(rep(a, 2, 3), 5, 5), rep(a, 10, 15));
  // These have gaps: (aa){0,5} does not match a, and (aaa){1,3} does not match aaaa.
  EXPECT_NE(rep(rep(a, 2, 2), 0, 5), rep(a, 0, 10));
  EXPECT_NE(rep(rep(a, 3, 3), 1, 3), rep(a, 3, 9));
  // Repeats stay nested if the product of their bounds does not fit.
  const ExprId large = rep(rep(a, 0, 3'000'000'000), 0, 3'000'000'000);
  EXPECT_TRUE(s.matches(large, "aaa"));
  EXPECT_FALSE(s.matches(large, "ab"));
}

TEST_F(Laws, StarsOfSums) {
  EXPECT_SAME(star(any({star(lit("ab")), c})), star(any({lit("ab"), c})));
  EXPECT_SAME(star(any({rep(lit("ab"), 0, 4), plus(lit("cd"))})), star(any({lit("ab"), lit("cd")})));
  EXPECT_SAME(star(cat({star(a), star(b)})), star(set("ab")));
  EXPECT_SAME(plus(any({plus(lit("ab")), c})), plus(any({lit("ab"), c})));
}

TEST_F(Laws, AdjacentRepeats) {
  EXPECT_SAME(cat({rep(a, 1, 2), rep(a, 3, 4)}), rep(a, 4, 6));
  EXPECT_SAME(cat({a, star(a)}), plus(a));
  EXPECT_SAME(cat({star(a), a}), plus(a));
  EXPECT_SAME(cat({maybe(a), maybe(a), maybe(a)}), rep(a, 0, 3));
  EXPECT_SAME(cat({lit("ab"), star(lit("ab"))}), plus(lit("ab")));
  EXPECT_SAME(cat({star(lit("ab")), lit("ab")}), plus(lit("ab")));
  EXPECT_SAME(cat({rep(a, 1, 2), rep(a, 3, kUnbounded), b}), cat({rep(a, 4, kUnbounded), b}));
  const ExprId most = rep(a, 0, UINT32_MAX - 1);
  const ExprId twice = cat({most, most});  // the sum of the bounds does not fit
  EXPECT_NE(twice, most);
  EXPECT_TRUE(s.matches(twice, "aaaa"));
}

TEST_F(Laws, AlternationIsASet) {
  EXPECT_SAME(any({x, y, z}), any({z, x, y, x}));
  EXPECT_SAME(any({any({x, y}), z}), any({x, any({y, z})}));
  EXPECT_SAME(any({x, kNothing}), x);
  EXPECT_SAME(any({x, kAll, y}), kAll);
  EXPECT_SAME(any({}), kNothing);
  EXPECT_SAME(any({a, b, set("cd")}), set("abcd"));
  EXPECT_SAME(any({x, no(x)}), kAll);
  EXPECT_SAME(any({set("ab"), no(a)}), kAll);
  EXPECT_SAME(any({no(x), no(y)}), no(both({x, y})));
}

TEST_F(Laws, Epsilon) {
  EXPECT_SAME(any({kEpsilon, y}), maybe(y));
  EXPECT_SAME(any({kEpsilon, x}), x);
  EXPECT_SAME(any({kEpsilon, y, x}), any({y, x}));
  EXPECT_SAME(any({kEpsilon, rep(a, 1, 9)}), rep(a, 0, 9));
  EXPECT_SAME(any({kEpsilon, plus(a), plus(lit("bc"))}), any({star(a), star(lit("bc"))}));
  EXPECT_SAME(any({maybe(lit("ab")), maybe(lit("cd"))}), maybe(any({lit("ab"), lit("cd")})));
}

TEST_F(Laws, CountedUnions) {
  EXPECT_SAME(any({rep(a, 0, 5), rep(a, 3, 9)}), rep(a, 0, 9));
  EXPECT_SAME(any({rep(a, 1, 2), rep(a, 3, 4)}), rep(a, 1, 4));
  EXPECT_SAME(any({a, rep(a, 2, 4)}), rep(a, 1, 4));
  EXPECT_SAME(any({cat({rep(a, 0, 5), b}), cat({rep(a, 0, 4), b})}), cat({rep(a, 0, 5), b}));
  EXPECT_SAME(any({cat({rep(a, 2, 5), b}), cat({rep(a, 6, kUnbounded), b})}), cat({rep(a, 2, kUnbounded), b}));
  EXPECT_SAME(any({cat({rep(a, 1, 5), b}), b}), cat({rep(a, 0, 5), b}));
  EXPECT_SAME(any({cat({rep(a, 0, 5), b}), b}), cat({rep(a, 0, 5), b}));
  EXPECT_SAME(any({cat({x, rep(b, 3, 4), c}), cat({x, rep(b, 5, 7), c})}), cat({x, rep(b, 3, 7), c}));
  EXPECT_NE(any({rep(a, 1, 2), rep(a, 4, 5)}), rep(a, 1, 5));
  EXPECT_SAME(any({cat({rep(a, 2, kUnbounded), b}), cat({rep(a, 4, 5), b})}), cat({rep(a, 2, kUnbounded), b}));
  // A gap between the counts remains.
  const ExprId gap = any({cat({rep(a, 1, 2), b}), cat({rep(a, 4, 5), b})});
  for (const char* text : {"ab", "aab", "aaaab", "aaaaab"}) EXPECT_TRUE(s.matches(gap, text)) << text;
  for (const char* text : {"b", "aaab", "aaaaaab"}) EXPECT_FALSE(s.matches(gap, text)) << text;
}

TEST_F(Laws, Factoring) {
  EXPECT_SAME(any({lit("abc"), lit("abd"), lit("ae")}), cat({a, any({cat({b, set("cd")}), lit("e")})}));
  EXPECT_SAME(any({lit("ab"), lit("a")}), cat({a, maybe(b)}));
  EXPECT_SAME(any({rep(a, 1, 2), lit("ab")}), cat({a, maybe(set("ab"))}));
  EXPECT_SAME(any({rep(a, 2, 9), lit("ab")}), cat({a, any({rep(a, 1, 8), b})}));
  EXPECT_SAME(any({cat({x, lit("c")}), cat({x, lit("de")})}), cat({x, any({lit("c"), lit("de")})}));
  EXPECT_SAME(any({lit("ac"), lit("bc")}), cat({set("ab"), c}));
  EXPECT_SAME(any({cat({set("ab"), c}), lit("ad")}), any({lit("bc"), cat({a, set("cd")})}));
  EXPECT_SAME(any({cat({b, kAll}), cat({b, y})}), cat({b, kAll}));
}

TEST_F(Laws, Absorption) {
  EXPECT_SAME(any({star(set("abc")), lit("ab")}), star(set("abc")));
  EXPECT_SAME(any({cat({maybe(x), y}), y}), cat({maybe(x), y}));
  EXPECT_SAME(any({cat({kAll, y}), cat({b, kAll, y})}), cat({kAll, y}));
  EXPECT_SAME(any({x, both({x, z})}), x);
  EXPECT_SAME(both({x, any({x, z})}), x);
  EXPECT_SAME(both({star(set("ab")), plus(a)}), plus(a));
  EXPECT_SAME(both({x, no(any({x, y}))}), kNothing);
}

TEST_F(Laws, IntersectionIsASet) {
  EXPECT_SAME(both({x, y, z}), both({z, y, x, y}));
  EXPECT_SAME(both({both({x, y}), z}), both({x, both({y, z})}));
  EXPECT_SAME(both({x, kAll}), x);
  EXPECT_SAME(both({x, kNothing}), kNothing);
  EXPECT_SAME(both({}), kAll);
  EXPECT_SAME(both({x, kEpsilon}), kEpsilon);
  EXPECT_SAME(both({y, kEpsilon}), kNothing);
  EXPECT_SAME(both({set("abc"), set("bcd")}), set("bc"));
  EXPECT_SAME(both({x, no(x)}), kNothing);
  EXPECT_SAME(both({no(x), no(y)}), no(any({x, y})));
}

TEST_F(Laws, IntersectionByForm) {
  EXPECT_SAME(both({set("abc"), no(set("b"))}), set("ac"));
  EXPECT_SAME(both({byte, x}), kNothing);
  EXPECT_SAME(both({maybe(set("ab")), star(a)}), maybe(a));
  EXPECT_SAME(both({cat({maybe(a), maybe(b)}), set("bc")}), b);
  EXPECT_SAME(both({rep(a, 0, 5), rep(a, 7, 9)}), kNothing);
  EXPECT_SAME(both({rep(byte, 2, 3), lit("ab")}), lit("ab"));
  EXPECT_SAME(both({cat({set("ab"), x}), cat({set("bc"), z})}), cat({b, both({x, z})}));
  EXPECT_SAME(both({lit("abab"), x}), lit("abab"));
  EXPECT_SAME(both({lit("aba"), x}), kNothing);
  EXPECT_SAME(both({lit("abc"), cat({a, kAll})}), lit("abc"));
  EXPECT_SAME(both({star(a), no(kEpsilon)}), plus(a));
  EXPECT_SAME(both({any({x, star(c)}), no(kEpsilon)}), any({plus(lit("ab")), plus(c)}));
  EXPECT_SAME(both({y, no(kEpsilon)}), y);
}

TEST_F(Laws, Complement) {
  EXPECT_SAME(no(no(x)), x);
  EXPECT_SAME(no(kNothing), kAll);
  EXPECT_SAME(no(kAll), kNothing);
  EXPECT_SAME(no(kEpsilon), plus(byte));
  EXPECT_SAME(no(plus(byte)), kEpsilon);
  // The union of the operands is no longer the operand of a complement.
  ByteSet others;
  others.add_range(0, 'a' - 1);
  others.add_range('a' + 1, 255);
  const ExprId neither = both({no(cat({a, kAll})), no(cat({s.byte_set(others), kAll}))});
  EXPECT_SAME(neither, kEpsilon);
  EXPECT_SAME(both({x, no(cat({a, kAll})), no(cat({s.byte_set(others), kAll}))}), kEpsilon);
  EXPECT_SAME(s.difference(x, kNothing), x);
}

TEST_F(Laws, LiteralsInAnyOrderAreOneTrie) {
  std::mt19937 random(5);
  std::vector<ExprId> words;
  std::vector<std::string> texts;
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (auto n = 1 + random() % 8; n > 0; --n) text += static_cast<char>('a' + random() % 4);
    texts.push_back(text);
    words.push_back(lit(text));
  }
  const ExprId all = s.alternation(words);
  std::ranges::shuffle(words, random);
  EXPECT_SAME(s.alternation(words), all);
  ExprId one_by_one = kNothing;  // not always the same expression, but the same language
  for (ExprId word : words) one_by_one = s.alternation(word, one_by_one);
  EXPECT_EQ(emptiness(s, any({s.difference(all, one_by_one), s.difference(one_by_one, all)}), 100000),
            Emptiness::kEmpty);
  for (const std::string& text : texts) {
    EXPECT_TRUE(s.matches(all, text));
    EXPECT_EQ(s.matches(all, text + "a"), std::ranges::count(texts, text + "a") > 0);
  }
}

TEST_F(Laws, Assertions) {
  const ExprId ahead = s.assertion(Look::kAhead, a);
  const ExprId not_ahead = s.assertion(Look::kNotAhead, a);
  const ExprId after = s.assertion(Look::kBehind, lit("bc"));
  EXPECT_SAME(cat({ahead, after}), cat({after, ahead, after}));
  EXPECT_SAME(cat({ahead, after, not_ahead}), kNothing);
  EXPECT_SAME(rep(ahead, 3, 7), ahead);
  EXPECT_SAME(rep(ahead, 0, 7), kEpsilon);
  EXPECT_SAME(s.assertion(Look::kAhead, x), kEpsilon);
  EXPECT_SAME(s.assertion(Look::kNotBehind, kNothing), kEpsilon);
  EXPECT_SAME(s.assertion(Look::kNotAhead, maybe(a)), kNothing);
  EXPECT_SAME(whole_text(s, cat({ahead, lit("ab")})), lit("ab"));
  EXPECT_SAME(whole_text(s, cat({lit("abc"), after})), lit("abc"));
  EXPECT_SAME(whole_text(s, cat({lit("ab"), after})), kNothing);
  EXPECT_SAME(whole_text(s, cat({x, s.assertion(Look::kNotAhead, byte)})), x);
  EXPECT_SAME(whole_text(s, cat({s.assertion(Look::kNotBehind, byte), x})), x);
}

}  // namespace
}  // namespace weir::regex
