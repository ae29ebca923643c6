#include "lexer/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace weir::lexer {
namespace {

using regex::ByteSet;
using regex::ExprId;
using regex::ExprSet;
using regex::kUnbounded;

struct Fixture {
  ExprSet exprs{100'000};
  std::vector<TerminalSpec> terminals;

  std::uint32_t add(ExprId expr, base::LexemeMode mode = base::LexemeMode::kExact) {
    terminals.push_back({expr, mode});
    return static_cast<std::uint32_t>(terminals.size() - 1);
  }
  ExprId letters() { return exprs.byte_set(ByteSet::range('a', 'z')); }
};

// Returns the terminals that may end after each byte of `text`, as digits; "-" for none, "." if no terminal continues.
std::string endings(Lexer& lexer, std::span<const std::uint32_t> terminals, std::string_view text) {
  std::string out;
  LexerStateId state = lexer.start(terminals);
  for (const char c : text) {
    const auto result = lexer.step(state, lexer.classes().class_of(static_cast<std::uint8_t>(c)));
    if (base::is_limit_id(result.next)) return out + "!" + base::field_name(base::limit_of_id(result.next));
    if (!out.empty()) out += ' ';
    if (result.endings.empty()) out += '-';
    for (const Ending& e : result.endings) out += static_cast<char>('0' + e.terminal);
    state = result.next;
    if (state == LexerStateId::kDead) out += '.';
  }
  return out;
}

TEST(Lexer, ExactEndsWhereverItMatchesAndGoesOn) {
  Fixture f;
  const std::vector<std::uint32_t> all{f.add(f.exprs.repeat(f.exprs.literal("a"), 1, kUnbounded)),
                                       f.add(f.exprs.literal("ab"))};
  Lexer lexer(f.exprs, f.terminals, {});
  EXPECT_EQ(endings(lexer, all, "aaa"), "0 0 0");
  EXPECT_EQ(endings(lexer, all, "ab"), "0 1.");
}

TEST(Lexer, LazyStopsAtItsFirstMatch) {
  Fixture f;
  const ExprId any = f.exprs.repeat(f.letters(), 0, kUnbounded);
  const std::vector<std::uint32_t> all{f.add(f.exprs.concat(any, f.exprs.literal("xy")), base::LexemeMode::kLazy)};
  Lexer lexer(f.exprs, f.terminals, {});
  EXPECT_EQ(endings(lexer, all, "axxy"), "- - - 0.");
}

TEST(Lexer, GreedyLaysAConditionOnTheRest) {
  Fixture f;
  const std::vector<std::uint32_t> all{f.add(f.exprs.repeat(f.letters(), 1, kUnbounded), base::LexemeMode::kGreedy)};
  Lexer lexer(f.exprs, f.terminals, {});
  const auto result = lexer.step(lexer.start(all), lexer.classes().class_of('q'));
  ASSERT_EQ(result.endings.size(), 1U);
  const ExprId rest = result.endings[0].rest;
  EXPECT_TRUE(lexer.exprs().matches(rest, ""));
  EXPECT_TRUE(lexer.exprs().matches(rest, "-a"));
  EXPECT_FALSE(lexer.exprs().matches(rest, "a"));
  EXPECT_FALSE(lexer.exprs().matches(rest, "a-"));
}

TEST(Lexer, LongestEndsWhereNoCompetitorGoesOn) {
  Fixture f;
  const std::vector<std::uint32_t> all{f.add(f.exprs.literal("if"), base::LexemeMode::kLongest),
                                       f.add(f.exprs.repeat(f.letters(), 1, 3), base::LexemeMode::kLongest),
                                       f.add(f.exprs.literal("i9"), base::LexemeMode::kExact)};
  Lexer lexer(f.exprs, f.terminals, {});
  EXPECT_EQ(endings(lexer, all, "if"), "1 01");
  const auto first = lexer.step(lexer.start(all), lexer.classes().class_of('i'));
  ASSERT_EQ(first.endings.size(), 1U);
  const ExprId rest = first.endings[0].rest;
  EXPECT_TRUE(lexer.exprs().matches(rest, ""));
  EXPECT_TRUE(lexer.exprs().matches(rest, "9x")) << "exact terminals do not compete";
  EXPECT_FALSE(lexer.exprs().matches(rest, "f"));
  EXPECT_FALSE(lexer.exprs().matches(rest, "x")) << "another terminal goes on";
  const auto second = lexer.step(first.next, lexer.classes().class_of('f'));
  ASSERT_EQ(second.endings.size(), 2U);
  EXPECT_EQ(second.endings[0].rest, second.endings[1].rest);
  EXPECT_FALSE(lexer.exprs().matches(second.endings[0].rest, "x")) << "of the literal, for the word goes on";
}

TEST(Lexer, ShortestCutsItsCompetitorsOff) {
  Fixture f;
  const ExprId any = f.exprs.repeat(f.letters(), 0, kUnbounded);
  const std::vector<std::uint32_t> all{f.add(f.exprs.concat(any, f.exprs.literal("x")), base::LexemeMode::kShortest),
                                       f.add(f.exprs.repeat(f.letters(), 1, kUnbounded), base::LexemeMode::kLongest),
                                       f.add(f.exprs.concat(any, f.exprs.literal("xx")), base::LexemeMode::kShortest),
                                       f.add(f.exprs.repeat(f.letters(), 1, kUnbounded), base::LexemeMode::kExact)};
  Lexer lexer(f.exprs, f.terminals, {});
  EXPECT_EQ(endings(lexer, all, "axx"), "13 03 3");
}

TEST(Lexer, StatesAreSetsOfTerminals) {
  Fixture f;
  const std::uint32_t a = f.add(f.exprs.literal("aa"));
  const std::uint32_t b = f.add(f.exprs.repeat(f.letters(), 1, 5));
  Lexer lexer(f.exprs, f.terminals, {});
  const std::vector<std::uint32_t> ab{a, b};
  const std::vector<std::uint32_t> bab{b, a, b};
  EXPECT_EQ(lexer.start(ab), lexer.start(bab));
  const std::vector<std::uint32_t> only_a{a};
  const std::vector<std::uint32_t> only_b{b};
  EXPECT_EQ(lexer.merge(lexer.start(only_b), lexer.start(only_a)), lexer.start(ab));
  EXPECT_EQ(lexer.merge(lexer.start(ab), LexerStateId::kDead), lexer.start(ab));
}

TEST(Lexer, ResidualsThatMatchNothingAreDropped) {
  Fixture f;
  // Words of two letters except "no": after "n" only letters other than "o" remain.
  const ExprId word = f.exprs.repeat(f.letters(), 2, 2);
  const std::vector<std::uint32_t> all{f.add(f.exprs.difference(word, f.exprs.literal("no")))};
  Lexer lexer(f.exprs, f.terminals, {});
  EXPECT_EQ(endings(lexer, all, "na"), "- 0.");
  EXPECT_EQ(endings(lexer, all, "no"), "- -.");
}

TEST(Lexer, TooManyStatesIsALimitAndWhatIsKnownStaysUsable) {
  Fixture f;
  const std::vector<std::uint32_t> all{f.add(f.exprs.literal("abcdefgh"))};
  Limits limits;
  limits.lexer_states = 4;
  Lexer lexer(f.exprs, f.terminals, limits);
  EXPECT_EQ(endings(lexer, all, "abcdefgh"), "- -!lexer_states");
  EXPECT_EQ(lexer.state_count(), 4U) << "none is kept beyond the limit";
  EXPECT_EQ(endings(lexer, all, "ab"), "- -");
}

}  // namespace
}  // namespace weir::lexer
