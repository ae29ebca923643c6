// Properties of counts and searches that are derived without exploration are compared with results on single texts.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/work.h"
#include "regex/analysis/contents.h"
#include "regex/analysis/members.h"
#include "regex/analysis/text_horizon.h"
#include "regex/atoms/json_string.h"
#include "regex/expr/expr.h"
#include "regex/expr/print.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::regex {
namespace {

constexpr std::uint32_t kFuel = 10'000;

class ExprCounts : public ::testing::Test {
 protected:
  ExprId letters() { return exprs_.byte_set(ByteSet::range('a', 'b')); }
  ExprId word() { return exprs_.literal("aba"); }
  ExprId counted(std::uint32_t min, std::uint32_t max, const char* after = "") {
    return exprs_.concat(exprs_.repeat(letters(), min, max), exprs_.literal(after));
  }
  ExprId json(ExprId content) { return json_string_tail(exprs_, content, {}); }

  // Returns all texts of up to `longest` of these bytes.
  static std::vector<std::string> texts(std::string_view bytes, std::size_t longest) {
    std::vector<std::string> all{""};
    for (std::size_t i = 0; i < all.size() && all[i].size() < longest; ++i) {
      for (const char c : bytes) all.push_back(all[i] + c);
    }
    return all;
  }
  ExprId after(ExprId e, std::string_view text) {
    for (const char c : text) e = exprs_.derivative(e, static_cast<std::uint8_t>(c));
    return e;
  }
  bool tells_apart(ExprId x, ExprId y, std::string_view text) {
    const ExprId p = after(x, text);
    const ExprId q = after(y, text);
    return exprs_.nullable(p) != exprs_.nullable(q) || emptiness(exprs_, p, kFuel) != emptiness(exprs_, q, kFuel);
  }

  // Returns true if two expressions are known to be equal for texts of up to `longest` bytes; checks that no such text
  // distinguishes them.
  bool are_alike(ExprId x, ExprId y, std::string_view bytes, std::uint32_t longest) {
    const std::uint32_t alike = equal_prefix_length(exprs_, x, y).bytes;
    if (alike == 0 || x == y) return false;
    for (const std::string& text : texts(bytes, std::min(alike, longest))) {
      if (!tells_apart(x, y, text)) continue;
      ADD_FAILURE() << to_string(exprs_, x) << ' ' << to_string(exprs_, y) << ' ' << text;
      break;
    }
    return true;
  }

  ExprSet exprs_{100'000};
};

TEST_F(ExprCounts, TextsWithinTheBoundAreNotDistinguished) {
  std::vector<ExprId> all;
  for (const char* after : {"", "c", "ac"}) {
    for (const std::uint32_t min : {0U, 1U, 3U}) {
      for (const std::uint32_t max : {1U, 3U, 4U, 6U, kUnbounded}) {
        if (min <= max) all.push_back(counted(min, max, after));
      }
    }
  }
  for (std::size_t i = 0, count = all.size(); i < count; ++i) {
    all.push_back(exprs_.concat(exprs_.literal("b"), all[i]));
    all.push_back(json(all[i]));
  }
  std::size_t seen = 0;
  for (const ExprId x : all) {
    for (const ExprId y : all) {
      EXPECT_EQ(equal_prefix_length(exprs_, y, x).bytes, equal_prefix_length(exprs_, x, y).bytes);
      seen += are_alike(x, y, "abc\"", 6) ? 1 : 0;
    }
  }
  EXPECT_GT(seen, 100U);
}

// Intersections: operands may have only long common members, or none.
TEST_F(ExprCounts, TextsWithinTheBoundAreNotDistinguishedByIntersections) {
  const ExprId any = exprs_.byte_set(ByteSet::all());
  std::vector<std::pair<ExprId, ExprId>> pairs;
  for (const std::uint32_t longest : {4U, 6U, 9U, 12U, 15U}) {
    for (const std::uint32_t rounds : {2U, 3U, 8U, 9U, 12U}) {
      for (const char* after : {"", "c", "bac", "cccc"}) {
        const ExprId pair = exprs_.concat(exprs_.literal("a"), exprs_.repeat(exprs_.literal("b"), 0, 1));
        const ExprId words = exprs_.concat(exprs_.repeat(pair, 0, rounds), exprs_.literal(after));
        const ExprId fixed = exprs_.concat(exprs_.repeat(letters(), rounds, rounds), exprs_.literal(after));
        for (const ExprId pattern : {words, fixed, exprs_.alternation(words, fixed)}) {
          for (const ExprId letter : {any, exprs_.byte_set(ByteSet::range('a', 'c'))}) {
            const ExprId within = exprs_.intersection(pattern, exprs_.repeat(letter, 0, longest));
            for (const ExprId e : {within, json(within), exprs_.concat(within, exprs_.literal("cc"))}) {
              pairs.emplace_back(e, without_counts(exprs_, e, 4));
            }
          }
        }
      }
    }
  }
  // Patterns whose rounds begin anywhere, so that the end of a round may be far away, and one with a letter that the
  // length limit does not allow.
  const ExprId short_or_word = exprs_.repeat(exprs_.alternation(word(), exprs_.literal("c")), 2, 2);
  for (const ExprId round : {exprs_.repeat(word(), 4, 4), short_or_word, exprs_.literal("ac")}) {
    const ExprId pattern = exprs_.repeat(exprs_.alternation(exprs_.literal("b"), round), 0, kUnbounded);
    for (const std::uint32_t longest : {4U, 6U, 9U, 12U, 15U}) {
      for (const ExprId letter : {any, letters()}) {
        pairs.emplace_back(exprs_.intersection(pattern, exprs_.repeat(letter, 0, longest)), pattern);
      }
    }
  }
  std::size_t seen = 0;
  for (const auto& [x, y] : pairs) {
    EXPECT_LE(equal_prefix_length(exprs_, x, y).characters, equal_prefix_length(exprs_, x, y).bytes)
        << "all are of one byte";
    seen += are_alike(x, y, "abc", 7) ? 1 : 0;
  }
  EXPECT_GT(seen, 50U);
}

TEST_F(ExprCounts, NothingIsKnownWhereTheLimitOnWorkIsMet) {
  const ExprId pattern = exprs_.repeat(exprs_.alternation(word(), exprs_.literal("b")), 0, kUnbounded);
  const ExprId within = exprs_.intersection(pattern, counted(0, 15));
  {
    const base::Work::Call call(1);
    base::Work::charge(2);
    EXPECT_EQ(equal_prefix_length(exprs_, within, pattern).bytes, 0U);
  }
  EXPECT_GT(equal_prefix_length(exprs_, within, pattern).bytes, 10U) << "another call finds out";
}

TEST_F(ExprCounts, RoundsOfCharactersAreCountedInCharacters) {
  const ExprId character = utf8_set(exprs_, CodePointSet::all());
  const auto alike = [&](ExprId e) { return equal_prefix_length(exprs_, e, without_counts(exprs_, e, 8)); };
  EXPECT_EQ(alike(exprs_.repeat(character, 0, 20)).characters, 19U);
  EXPECT_EQ(alike(json(exprs_.repeat(character, 0, 20))).characters, 19U);
  const ExprId wide = utf8_set(exprs_, CodePointSet::range(0x4E00, 0x9FFF));
  EXPECT_EQ(alike(exprs_.repeat(wide, 0, 20)).characters, 19U);
  EXPECT_EQ(alike(exprs_.repeat(wide, 0, 20)).bytes, 59U);
  EXPECT_EQ(alike(exprs_.repeat(exprs_.byte_set(ByteSet::all()), 0, 20)).characters, 0U) << "a round is a byte";
}

TEST_F(ExprCounts, TheBoundIsNearlyMet) {
  EXPECT_EQ(equal_prefix_length(exprs_, counted(0, 5, "c"), counted(0, kUnbounded, "c")).bytes, 4U);
  EXPECT_EQ(equal_prefix_length(exprs_, json(counted(0, 5)), json(counted(0, 9))).bytes, 4U);
  EXPECT_EQ(equal_prefix_length(exprs_, counted(0, 5), counted(1, 5)).bytes, 0U);
  EXPECT_EQ(equal_prefix_length(exprs_, counted(0, 5, "c"), counted(0, 5, "cc")).bytes, 0U);
}

// Texts without a quote do not distinguish a string that must contain a match, or must not be one of some short strings,
// from a string with any contents, nor a string of 3 to 20 repeats of a body from one of at most 20.
TEST_F(ExprCounts, TextsWithoutAQuoteDoNotDistinguishStrings) {
  const ExprId character = utf8_set(exprs_, CodePointSet::all());
  const ExprId any = exprs_.repeat(character, 0, kUnbounded);
  const auto search = [&](ExprId e) { return exprs_.concat(any, exprs_.concat(e, any)); };
  const auto check = [&](ExprId x, ExprId y) {
    std::vector<std::string> all = texts("ab\\nu0\xC3\xA9\t", 4);
    const std::vector<std::string> escapes = texts("\\u0a", 6);
    all.insert(all.end(), escapes.begin(), escapes.end());
    for (const std::string& text : all) {
      if (emptiness(exprs_, after(x, text), kFuel) == emptiness(exprs_, after(y, text), kFuel)) continue;
      ADD_FAILURE() << to_string(exprs_, x) << ' ' << to_string(exprs_, y) << ' ' << text;
      break;
    }
  };
  const ExprId found = search(word());
  for (const ExprId content : {found, search(letters()), exprs_.alternation(found, exprs_.literal("ba"))}) {
    for (const ExprId e : {json(content), exprs_.concat(json(content), exprs_.literal(": "))}) {
      const ExprId any_string = with_any_contents(exprs_, character, e);
      ASSERT_NE(any_string, ExprId::kNothing) << to_string(exprs_, e);
      check(e, any_string);
    }
  }
  const ExprId others = exprs_.complement(exprs_.alternation(exprs_.literal("ab"), exprs_.literal("\xC3\xA9")));
  const ExprId longer = exprs_.complement(exprs_.repeat(letters(), 0, 3));
  for (const ExprId content : {others, longer, exprs_.alternation(others, exprs_.literal("ab"))}) {
    const ExprId e = exprs_.concat(json(content), exprs_.literal(": "));
    EXPECT_TRUE(has_cofinite_contents(exprs_, e)) << to_string(exprs_, e);
    const ExprId any_string = with_any_contents(exprs_, character, e);
    ASSERT_NE(any_string, ExprId::kNothing) << to_string(exprs_, e);
    check(e, any_string);
  }
  EXPECT_FALSE(has_cofinite_contents(exprs_, json(found)));
  for (const ExprId content :
       {word(), exprs_.complement(search(word())), exprs_.concat(word(), any), ExprId::kAllStrings}) {
    EXPECT_EQ(with_any_contents(exprs_, character, json(content)), ExprId::kNothing) << to_string(exprs_, content);
  }
  EXPECT_EQ(with_any_contents(exprs_, character, found), ExprId::kNothing) << "no string in JSON";
  EXPECT_EQ(with_any_contents(exprs_, character, json(json(found))), ExprId::kNothing) << "its quotes may be escaped";
  const ExprId lone = json_string_tail(exprs_, found, {.lone_surrogates = LoneSurrogates::kEscaped});
  EXPECT_EQ(with_any_contents(exprs_, character, lone), ExprId::kNothing) << "texts need not be UTF-8";

  for (const ExprId body : {letters(), character, exprs_.alternation(exprs_.literal("ab"), exprs_.literal("b\n"))}) {
    const ExprId e = exprs_.concat(json(exprs_.repeat(body, 3, 20)), word());
    ASSERT_TRUE(is_json_repeat(exprs_, e));
    check(e, with_first_rounds(exprs_, e, {0, 20}));
  }
  EXPECT_FALSE(is_json_repeat(exprs_, json(counted(3, 20, "c"))));
  EXPECT_FALSE(is_json_repeat(exprs_, counted(3, 20)));
}

TEST_F(ExprCounts, FirstRounds) {
  for (const ExprId e : {counted(2, 7, "c"), json(counted(2, 7)), exprs_.concat(json(counted(2, 7)), word())}) {
    EXPECT_EQ(first_rounds(exprs_, e).min, 2U) << to_string(exprs_, e);
    EXPECT_EQ(first_rounds(exprs_, e).max, 7U) << to_string(exprs_, e);
    const ExprId unbounded = with_first_rounds(exprs_, e, {});
    EXPECT_EQ(first_rounds(exprs_, unbounded).max, kUnbounded);
    EXPECT_EQ(with_first_rounds(exprs_, unbounded, {2, 7}), e);
  }
  EXPECT_EQ(first_rounds(exprs_, word()).max, 1U);
  EXPECT_EQ(first_rounds(exprs_, json(word())).max, 1U);
  const ExprId of_empty = exprs_.repeat(exprs_.concat(counted(0, 2), exprs_.repeat(word(), 0, 2)), 3, 5);
  EXPECT_EQ(first_rounds(exprs_, of_empty).max, 1U) << "rounds may take nothing";
}

TEST_F(ExprCounts, WhatContinuesAnyText) {
  const ExprId any = utf8_set(exprs_, CodePointSet::all());
  const ExprId text = exprs_.repeat(any, 0, kUnbounded);
  const auto search = [&](ExprId e) { return exprs_.concat(text, exprs_.concat(e, text)); };
  const ExprId a = search(exprs_.literal("a"));
  const ExprId word = search(this->word());
  const std::vector<ExprId> those_that_may{text,
                                           a,
                                           word,
                                           json(text),
                                           json(word),
                                           exprs_.intersection(a, word),
                                           exprs_.alternation(word, exprs_.literal("bc")),
                                           json(exprs_.alternation(word, exprs_.literal("bc"))),
                                           exprs_.concat(json(a), exprs_.literal(":"))};
  for (const ExprId e : those_that_may) {
    EXPECT_TRUE(continues_any_text(exprs_, any, e)) << to_string(exprs_, e);
    for (const std::string& before : texts("abc:", 4)) {
      EXPECT_EQ(emptiness(exprs_, after(e, before), kFuel), Emptiness::kNonEmpty)
          << to_string(exprs_, e) << ' ' << before;
    }
  }
  const std::vector<ExprId> others{exprs_.literal("a"),
                                   counted(0, 4),
                                   exprs_.complement(a),
                                   json(exprs_.complement(a)),
                                   exprs_.intersection(a, exprs_.complement(word)),
                                   exprs_.intersection(text, counted(0, 4))};
  for (const ExprId e : others) EXPECT_FALSE(continues_any_text(exprs_, any, e)) << to_string(exprs_, e);
}

TEST_F(ExprCounts, ContentsOfWhichVeryManyMayFollow) {
  const ExprId text = exprs_.repeat(utf8_set(exprs_, CodePointSet::all()), 0, kUnbounded);
  const ExprId others = exprs_.complement(exprs_.alternation(exprs_.literal("ab"), exprs_.literal("b")));
  const ExprId words = exprs_.alternation(counted(1, kUnbounded), word());
  for (const ExprId content : {text, others, words, exprs_.intersection(words, others), counted(3, kUnbounded, "c"),
                               counted(0, 60), exprs_.intersection(counted(0, 60), others)}) {
    EXPECT_TRUE(has_many_contents(exprs_, json(content))) << to_string(exprs_, content);
    EXPECT_TRUE(has_many_contents(exprs_, exprs_.concat(json(content), exprs_.literal(","))));
    EXPECT_FALSE(has_many_contents(exprs_, content)) << "no string in JSON";
  }
  const ExprId tail = exprs_.byte_set(ByteSet::range(0x80, 0xBF));
  const ExprId short_texts = exprs_.repeat(letters(), 0, 50);
  for (const ExprId content : {word(), counted(0, 30), exprs_.concat(exprs_.repeat(tail, 0, kUnbounded), tail),
                               exprs_.intersection(short_texts, exprs_.complement(short_texts))}) {
    EXPECT_FALSE(has_many_contents(exprs_, json(content))) << to_string(exprs_, content);
  }
  const ExprId some = json(exprs_.alternation(counted(0, 2), exprs_.concat(exprs_.literal("c"), text)));
  EXPECT_TRUE(has_many_contents(exprs_, after(some, "c")));
  EXPECT_FALSE(has_many_contents(exprs_, after(some, "a")));
  EXPECT_FALSE(has_many_contents(exprs_, after(some, "c\\"))) << "within an escape";
  EXPECT_FALSE(has_many_contents(exprs_, after(some, "c\"")));
}

// A node of a trie with k branches is derived by each of its bytes: that must not take k² steps.
TEST_F(ExprCounts, WorkOfABranchingIsLinearInItsBranches) {
  const auto steps_of = [](unsigned branches) {
    ExprSet exprs(1U << 16);
    std::vector<ExprId> words;
    for (unsigned i = 0; i < branches; ++i) {
      const char byte = static_cast<char>(i + 1);
      words.push_back(exprs.literal(std::string{byte, 'x', byte}));
    }
    const ExprId all = exprs.alternation(words);
    {
      const base::Work::Call call(UINT64_MAX);
      for (unsigned i = 0; i < 256; ++i) {
        const ExprId rest = exprs.derivative(all, static_cast<std::uint8_t>(i));
        EXPECT_EQ(rest != ExprId::kNothing, i >= 1 && i <= branches);
      }
    }
    return base::Work::last_call();
  };
  EXPECT_LT(steps_of(200), 12 * steps_of(20));
  EXPECT_LT(steps_of(200), 2'000U);
}

}  // namespace
}  // namespace weir::regex
