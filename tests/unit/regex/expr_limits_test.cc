// Sizes: long and deep expressions, huge counts, numbers of residuals, the node limit, fuel, copies.
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <utility>

#include "base/work.h"
#include "regex/analysis/members.h"
#include "regex/analysis/superset.h"
#include "regex/atoms/json_string.h"
#include "regex/expr/expr.h"
#include "regex/expr/print.h"
#include "regex/syntax/assertions.h"
#include "regex/syntax/syntax.h"

namespace weir::regex {
namespace {

ExprId parse(ExprSet& s, std::string_view pattern) {
  const Result<ExprId> e = parse_regex(s, pattern, {.dot_all = true, .operators = true}, Limits());
  EXPECT_TRUE(e.has_value()) << pattern;
  return e.value_or(ExprId::kNothing);
}

/// Returns the residuals of `e`. Stops if there are more than `most`.
std::vector<ExprId> residuals(ExprSet& s, ExprId e, std::size_t most) {
  ByteClasses classes;
  s.refine_classes(e, classes);
  std::vector<ExprId> found{e};
  std::set<ExprId> seen{e};
  for (std::size_t i = 0; i < found.size() && found.size() <= most; ++i) {
    for (std::uint32_t cls = 0; cls < classes.count(); ++cls) {
      const ExprId d = s.derivative(found[i], classes.representative(static_cast<std::uint8_t>(cls)));
      if (seen.insert(d).second) found.push_back(d);
    }
  }
  return found;
}

std::string long_text(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<char>('a' + i % 23 + i % 3);
  return text;
}

TEST(ExprSize, LongLiteral) {
  ExprSet s(2'000'000);
  const std::string text = long_text(1 << 20);
  const ExprId e = s.literal(text);
  EXPECT_TRUE(s.matches(e, text));
  EXPECT_FALSE(s.matches(e, text + "a"));
  EXPECT_EQ(s.min_length(e), text.size());
  EXPECT_EQ(s.max_length(e), text.size());
  EXPECT_EQ(emptiness(s, e, 1), Emptiness::kNonEmpty);
  EXPECT_LT(to_string(s, e).size(), 1000U);
  ByteClasses classes;
  s.refine_classes(e, classes);
  EXPECT_EQ(classes.count(), 26U);
}

TEST(ExprSize, OperationsOnLongLiterals) {
  ExprSet s(2'000'000);
  const std::string text = long_text(1 << 17);
  const ExprId e = s.literal(text);
  const ExprId loop = s.repeat(e, 0, kUnbounded);
  EXPECT_TRUE(s.matches(loop, text + text));
  EXPECT_FALSE(s.matches(loop, text + "a"));
  const ExprId other = s.literal(text + "!");
  const ExprId either = s.alternation(e, other);
  EXPECT_TRUE(s.matches(either, text));
  EXPECT_TRUE(s.matches(either, text + "!"));
  EXPECT_FALSE(s.matches(either, text + "?"));
  EXPECT_EQ(s.intersection(e, other), ExprId::kNothing);
  EXPECT_EQ(s.intersection(either, s.concat(other, ExprId::kAllStrings)), other);
  EXPECT_TRUE(s.matches(s.complement(e), text + "a"));
  EXPECT_FALSE(s.matches(s.complement(e), text));
}

/// No law of the normal form removes a level of nesting of these shapes.
TEST(ExprSize, DeepExpressions) {
  constexpr std::uint32_t kLevels = 1000;
  const std::function<ExprId(ExprSet&, ExprId, std::uint32_t)> kShapes[] = {
      [](ExprSet& s, ExprId e, std::uint32_t) { return s.repeat(s.concat(e, s.literal("b")), 2, 3); },
      [](ExprSet& s, ExprId e, std::uint32_t) { return s.complement(s.concat(e, s.literal("b"))); },
      [](ExprSet& s, ExprId e, std::uint32_t i) {
        return s.alternation(s.concat(e, s.literal("b")), s.repeat(s.literal("ab"), i, kUnbounded));
      },
      [](ExprSet& s, ExprId e, std::uint32_t) {
        const ExprId loop = s.repeat(s.alternation(e, s.literal("b")), 0, kUnbounded);
        return s.complement(s.intersection(loop, s.concat(ExprId::kAllStrings, s.literal("a"))));
      },
      [](ExprSet& s, ExprId e, std::uint32_t i) {  // complements within complements, which merge with their neighbours
        const ExprId meet = s.difference(s.repeat(s.literal("ab"), i, kUnbounded), e);
        return s.alternation(meet, s.complement(s.repeat(s.literal("ba"), i, kUnbounded)));
      },
  };
  for (const auto& shape : kShapes) {
    ExprSet s(5'000'000);
    ExprId e = s.literal("a");
    for (std::uint32_t i = 0; i < kLevels; ++i) e = shape(s, e, i);
    ASSERT_NE(e, ExprId::kOverflow);
    EXPECT_LT(to_string(s, e).size(), 1000U);
    EXPECT_NE(s.derivative(e, 'a'), ExprId::kOverflow);
    EXPECT_NE(s.derivative(s.derivative(e, 'a'), 'b'), ExprId::kOverflow);
  }
}

TEST(ExprSize, LongSequenceOfOptions) {
  ExprSet s(5'000'000);
  std::vector<ExprId> parts;
  for (int i = 0; i < 1000; ++i) parts.push_back(s.repeat(s.literal(i % 2 == 0 ? "ab" : "ba"), 0, 1));
  const ExprId e = s.concat(parts);
  EXPECT_TRUE(s.matches(e, "ababba"));
  EXPECT_TRUE(s.matches(e, ""));
  EXPECT_FALSE(s.matches(e, "aa"));
}

TEST(ExprSize, HugeCounts) {
  ExprSet s(10'000);
  const ExprId a = s.literal("a");
  const ExprId e = s.concat(s.repeat(a, 0, 1'000'000'000), s.literal("b"));
  EXPECT_TRUE(s.matches(e, std::string(1000, 'a') + "b"));
  EXPECT_EQ(s.max_length(e), 1'000'000'001U);
  const ExprId exact = s.repeat(s.literal("ab"), 1'000'000'000, 1'000'000'000);
  EXPECT_FALSE(s.matches(exact, "abab"));
  EXPECT_EQ(emptiness(s, exact, 1), Emptiness::kNonEmpty);
  EXPECT_EQ(s.min_length(exact), 2'000'000'000U);
  EXPECT_EQ(s.intersection(exact, s.repeat(a, 0, 1'000'000'000)), ExprId::kNothing);
  EXPECT_LT(s.node_count(), 2'100U);
}

TEST(ExprSize, ResidualsAreFew) {
  const struct {
    const char* pattern;
    std::size_t most;
  } kCases[] = {
      {"(a|b)*a[^\\n]{0,50}b", 510},
      {"(.*a.{0,50}b)", 470},
      {"(ab?){0,100}c", 210},
      {"(a|aa){0,100}c", 210},
      {"(a|aa){50,100}c", 210},
      {"(a{2,3}){0,100}c", 310},
      {"(a|ab|abc){0,50}d", 160},
      {"(a{1,5}|b{1,5}){1,50}c", 510},
      {"(a|b|ab){0,10}(a|b|ab){0,10}", 45},
      {"(a{0,20}b{0,20}){0,20}c", 810},
      {"\"([^\"\\\\]|\\\\([\"\\\\/bfnrt]|u[0-9a-f]{4}))*\"", 17},
      {"~(.*foo.*)&~(.*bar.*)&[a-z]{0,50}", 480},
      {"\\bfoo\\b", 6},
      {"(\\bfoo\\b ?)+", 7},
      {"^(?!.*foo)[a-z]*$", 5},
      {"(a(?=b)|b(?!b))*", 5},
      {"((?=.*a)b|(?=.*b)a)*c", 12},
  };
  for (const auto& c : kCases) {
    ExprSet s(1'000'000);
    EXPECT_LE(residuals(s, parse(s, c.pattern), c.most).size(), c.most) << c.pattern;
  }
}

TEST(ExprSize, LargeAlternationOfLiterals) {
  ExprSet s(5'000'000);
  std::vector<ExprId> words;
  const auto word = [](std::uint32_t i) {
    std::string text;
    for (std::uint32_t x = i * 2654435761U; text.size() < 6; x /= 26) text += static_cast<char>('a' + x % 26);
    return text;
  };
  for (std::uint32_t i = 0; i < 100'000; ++i) words.push_back(s.literal(word(i)));
  const std::size_t literals = s.node_count();
  const ExprId all = s.alternation(words);
  EXPECT_LT(s.node_count() - literals, 200'000U);
  for (std::uint32_t i = 0; i < 100'000; i += 97) {
    EXPECT_TRUE(s.matches(all, word(i)));
    EXPECT_FALSE(s.matches(all, word(i) + "a"));
  }
}

// --- The node limit ---

/// Returns expressions of `s` of all kinds; kOverflow for those that meet its limit.
std::vector<ExprId> build_some(ExprSet& s) {
  const ExprId words[] = {s.literal("abc"), s.literal("abd"), s.literal("xbd"), s.literal("aabb")};
  const ExprId trie = s.alternation(words);
  const ExprId counted = s.repeat(s.alternation(s.literal("ab"), s.literal("a")), 2, 5);
  const ExprId meet = s.intersection(s.repeat(trie, 0, kUnbounded), s.complement(counted));
  const ExprId ends[] = {counted, s.literal("b"), s.repeat(trie, 1, 3)};
  const ExprId looks[] = {s.assertion(Look::kNotBehind, s.literal("b")), s.literal("a"),
                          s.assertion(Look::kAhead, trie)};
  const ExprId loop = s.repeat(s.alternation(s.concat(looks), s.literal("b")), 0, kUnbounded);
  const ExprId a_or_b = s.byte_set(ByteSet::of('a') | ByteSet::of('b'));
  const ExprId known = s.literal("bca");  // so that a split makes only one new tail
  const ExprId split = s.alternation(s.concat(a_or_b, s.literal("ca")), s.literal("acb"));
  return {trie,  counted, meet, s.concat(ends), s.difference(counted, ExprId::kEpsilon), whole_text(s, loop),
          known, split};
}

TEST(ExprLimit, OverflowIsAbsorbedAndNothingElseChanges) {
  const std::vector<std::string> texts = {"",        "a",       "ab",  "abc", "abab", "aab", "abdxbd",
                                          "abababb", "aabbabc", "bab", "aca", "acb",  "bca", "bcb"};
  ExprSet large(1'000'000);
  const std::vector<ExprId> expected = build_some(large);
  bool met = false;
  bool complete = false;
  for (std::uint32_t limit = 0; limit < 400 && !complete; ++limit) {
    ExprSet s(limit);
    const std::vector<ExprId> built = build_some(s);
    complete = true;
    for (std::size_t i = 0; i < built.size(); ++i) {
      ASSERT_LE(s.node_count(), std::max(limit, 5U));
      if (built[i] == ExprId::kOverflow) {
        met = true;
        complete = false;
        EXPECT_EQ(emptiness(s, built[i], 1000), Emptiness::kUnknown);
        EXPECT_EQ(shortest_member(s, built[i], 1000), std::nullopt);
        continue;
      }
      for (const std::string& text : texts) {
        ExprId d = built[i];
        for (char c : text) d = s.derivative(d, static_cast<std::uint8_t>(c));
        if (d == ExprId::kOverflow) {
          complete = false;
        } else {
          EXPECT_EQ(s.nullable(d), large.matches(expected[i], text)) << limit << " " << i << " " << text;
        }
      }
      const Emptiness verdict = emptiness(s, built[i], 1000);
      EXPECT_NE(verdict, Emptiness::kEmpty);
    }
  }
  EXPECT_TRUE(met);
  EXPECT_TRUE(complete);
}

TEST(ExprLimit, OverflowAbsorbs) {
  ExprSet s(100);
  const ExprId a = s.literal("a");
  constexpr ExprId kOverflow = ExprId::kOverflow;
  for (ExprId x : {ExprId::kNothing, ExprId::kEpsilon, ExprId::kAllStrings, a, kOverflow}) {
    EXPECT_EQ(s.concat(x, kOverflow), kOverflow);
    EXPECT_EQ(s.concat(kOverflow, x), kOverflow);
    EXPECT_EQ(s.alternation(x, kOverflow), kOverflow);
    EXPECT_EQ(s.alternation(kOverflow, x), kOverflow);
    EXPECT_EQ(s.intersection(x, kOverflow), kOverflow);
    EXPECT_EQ(s.intersection(kOverflow, x), kOverflow);
  }
  EXPECT_EQ(s.complement(kOverflow), kOverflow);
  EXPECT_EQ(s.repeat(kOverflow, 0, 0), kOverflow);
  EXPECT_EQ(s.derivative(kOverflow, 'a'), kOverflow);
  EXPECT_FALSE(s.nullable(kOverflow));
  EXPECT_EQ(emptiness(s, kOverflow, 100), Emptiness::kUnknown);
}

TEST(ExprLimit, ASetCanBeGivenAnother) {
  ExprSet s(1'000);
  const ExprId abc = s.literal("abc");
  s.set_node_limit(6);
  EXPECT_TRUE(s.is_full());
  EXPECT_EQ(s.literal("x"), ExprId::kOverflow);
  EXPECT_EQ(s.literal("abc"), abc) << "what is there stays";
  s.set_node_limit(1'000);
  EXPECT_FALSE(s.is_full());
  EXPECT_TRUE(s.matches(s.concat(abc, s.literal("x")), "abcx"));
}

TEST(ExprLimit, DeeplyNestedAssertionsOverflowBeforeTheNodeLimit) {
  ExprSet s(1'000'000);
  ExprId e = s.assertion(Look::kAhead, s.literal("a"));
  for (int i = 0; i < ExprSet::kMaxHeight; ++i) e = s.repeat(s.concat(e, s.literal("b")), 2, 3);
  EXPECT_EQ(e, ExprId::kOverflow);
  EXPECT_FALSE(s.is_full());
}

// --- Fuel ---

TEST(ExprFuel, EmptinessIsExactOrUnknown) {
  // Texts of 1 to 300 a's whose length is a multiple of 7, and also one more than such a multiple: there are none, but
  // a search must examine about 300 lengths to find that.
  ExprSet s(1'000'000);
  const ExprId a = s.literal("a");
  const ExprId sevens = s.repeat(s.repeat(a, 7, 7), 0, kUnbounded);
  const ExprId none = s.intersection(s.intersection(s.repeat(a, 1, 300), sevens), s.repeat(s.concat(sevens, a), 1, 1));
  EXPECT_EQ(emptiness(s, none, 0), Emptiness::kUnknown);
  EXPECT_EQ(emptiness(s, none, 5), Emptiness::kUnknown);
  EXPECT_EQ(shortest_member(s, none, 5), std::nullopt);
  EXPECT_EQ(emptiness(s, none, 100'000), Emptiness::kEmpty);
  EXPECT_EQ(emptiness(s, none, 1), Emptiness::kEmpty) << "a verdict is kept";
  EXPECT_EQ(emptiness(s, s.derivative(none, 'a'), 1), Emptiness::kEmpty) << "and that of the residuals too";

  const ExprId some =
      s.intersection(s.repeat(s.repeat(a, 5, 5), 1, kUnbounded), s.repeat(s.repeat(a, 7, 7), 1, kUnbounded));
  EXPECT_EQ(emptiness(s, some, 10), Emptiness::kUnknown);
  EXPECT_EQ(emptiness(s, some, 1000), Emptiness::kNonEmpty);
  EXPECT_EQ(emptiness(s, some, 1), Emptiness::kNonEmpty);
  EXPECT_EQ(emptiness(s, s.derivative(some, 'a'), 1), Emptiness::kNonEmpty);
  EXPECT_EQ(shortest_member(s, some, 1000), std::string(35, 'a'));
}

// Words with counts have thousands of residuals, and without counts a few.
TEST(ExprFuel, EmptinessIsThatOfASupersetWithoutCounts) {
  ExprSet s(1'000'000);
  const auto range = [&s](char first, char last) {
    return s.byte_set(ByteSet::range(static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(last)));
  };
  const ExprId any = s.byte_set(ByteSet::all());
  const ExprId word = s.repeat(range('a', 'z'), 1, 63);
  const ExprId words = s.concat(word, s.repeat(s.concat(s.literal("."), word), 0, 99));
  const ExprId names = s.intersection(words, s.repeat(any, 0, 253));
  const auto with_end = [&](std::string_view end) {
    return s.intersection(names, s.concat(ExprId::kAllStrings, s.literal(end)));
  };
  EXPECT_EQ(emptiness(s, with_end(".."), 1500), Emptiness::kEmpty) << "after a search of the words without counts";
  const std::size_t before = s.node_count();
  EXPECT_EQ(with_loops(s, with_end(":a")), ExprId::kNothing) << "no word has a colon";
  EXPECT_LE(s.node_count(), before + 20);
  EXPECT_EQ(emptiness(s, with_end(":a"), 1500), Emptiness::kEmpty);
  EXPECT_EQ(emptiness(s, with_end(".a"), 1500), Emptiness::kNonEmpty);
}

// The residuals form one chain. Its end is reached by a probe, after which every residual has been expanded.
TEST(ExprFuel, TheLastStepMayBeAProbe) {
  for (const std::uint32_t length : {2'998U, 2'999U, 3'000U, 3'001U}) {
    ExprSet s(1'000'000);
    const ExprId a = s.literal("a");
    const ExprId threes = s.repeat(s.repeat(a, 3, 3), 0, kUnbounded);
    const ExprId none = s.intersection(s.intersection(s.repeat(a, 1, length), threes), s.concat(threes, a));
    EXPECT_EQ(emptiness(s, none, 10'000), Emptiness::kEmpty) << length;
  }
}

TEST(ExprFuel, MembersAreFoundWithoutVisitingAllExpressions) {
  ExprSet s(1'000'000);
  const ExprId e = parse(s, "([a-z]+ ){1,100}&.{900,2000}&~(.*aaa.*)");
  EXPECT_EQ(emptiness(s, e, 5000), Emptiness::kNonEmpty);
}

TEST(ExprFuel, AMemberOfManyIntersectedSearchesIsFound) {
  ExprSet s(1'000'000);
  const ExprId e = parse(s, "[a-z0-9]{60}&.*ab1.*&.*b12.*&.*bc1.*&.*c12.*&.*ca1.*&.*a12.*&.*a2.*&.*[xyz].*");
  EXPECT_EQ(emptiness(s, e, 5000), Emptiness::kNonEmpty);
}

// After `t` there are about 16^6 expressions without a member. All are nearer to an end than those after `T`.
TEST(ExprFuel, AWideSpaceWithoutMembersDoesNotHideOneElsewhere) {
  ExprSet s(1'000'000);
  const ExprId e = parse(
      s, "(t([0-9a-f]{12}&~(.*(0.{5}1|1.{5}2|2.{5}3|3.{5}4|4.{5}5|5.{5}6|6.{5}7|7.{5}8).*))|T[0-9a-f]{40})&.*T.*");
  EXPECT_EQ(emptiness(s, e, 5000), Emptiness::kNonEmpty);
}

// A string has many spellings in JSON. A search through the spellings would take thirty times as many steps as one
// through the contents.
TEST(ExprFuel, EmptinessOfAStringIsDecidedByItsContents) {
  ExprSet s(1'000'000);
  const ExprId a = s.literal("a");
  const ExprId sevens = s.repeat(s.repeat(a, 7, 7), 0, kUnbounded);
  const ExprId none = s.intersection(s.intersection(s.repeat(a, 1, 300), sevens), s.concat(sevens, a));
  const ExprId text = s.concat(json_string_tail(s, none), s.literal(":"));
  EXPECT_EQ(emptiness(s, text, 700), Emptiness::kEmpty);
  const ExprId begun = s.derivative(json_string_tail(s, s.concat(s.literal("b"), none)), 'b');
  EXPECT_EQ(emptiness(s, begun, 1), Emptiness::kEmpty) << "a verdict on the contents is known in the texts";
}

// The search must use what all operands require together. Otherwise it would examine thousands of combinations of
// letters.
TEST(ExprFuel, AShortestMemberOfManyOperandsIsFoundOnTheWay) {
  ExprSet s(1'000'000);
  const ExprId doubles =
      parse(s, ".*a[^,]*a.*&.*b[^,]*b.*&.*c[^,]*c.*&.*d[^,]*d.*&.*e[^,]*e.*&.*f[^,]*f.*&.*g[^,]*g.*&.*h[^,]*h.*");
  EXPECT_EQ(any_shortest_member(s, doubles, 1'000).value_or("").size(), 16U);
  const std::string in_json = any_shortest_member(s, json_string(s, doubles), 400).value_or("");
  EXPECT_EQ(in_json.size(), 18U);
  EXPECT_TRUE(s.matches(json_string(s, doubles), in_json)) << in_json;
  // One byte may satisfy two overlapping sets. A repeated operand needs a byte for each repetition.
  const ExprId meeting = parse(s, ".*[0-9].*&.*[0-4].*&.*[5-9x].*&(.*[yz].*){3}&(.|ab)*");
  EXPECT_EQ(any_shortest_member(s, meeting, 1'000).value_or("").size(), 5U);
}

// A search of the whole would read in each expression what is left of all parts.
TEST(ExprFuel, TheMemberOfAConcatenationIsThatOfItsParts) {
  const auto work_of = [](std::uint32_t parts) {
    ExprSet s(1'000'000);
    std::string pattern;
    for (std::uint32_t i = 0; i < parts; ++i) {
      const std::string name(20, static_cast<char>('a' + i % 26));
      pattern += name + "([0-9]{4}(-[0-9]{2}){2}&~(.*(00|" + std::to_string(i) + "7).*))";
    }
    const ExprId e = parse(s, pattern);
    const base::Work::Part work(UINT64_MAX);
    const std::string member = any_shortest_member(s, e, 10'000).value_or("");
    EXPECT_EQ(member.size(), 30 * parts);
    EXPECT_TRUE(s.matches(e, member)) << member;
    return work.spent();
  };
  const std::uint64_t few = work_of(10);
  EXPECT_LT(work_of(40), 8 * few);
}

// Fuel also limits the number of created expressions: here each visit would create a thousand.
TEST(ExprFuel, CountsWhatIsMadeAsWell) {
  ExprSet s(8'000'000);
  std::vector<ExprId> parts;
  for (char c = '!'; c < '!' + 60; ++c) {
    const ExprId letter = s.literal({&c, 1});
    const ExprId any = s.byte_set(ByteSet::all());
    parts.push_back(s.concat({{ExprId::kAllStrings, letter, s.repeat(any, 4, 4), letter, ExprId::kAllStrings}}));
  }
  const ExprId e = s.intersection(parts);
  const std::size_t before = s.node_count();
  EXPECT_EQ(shortest_member(s, e, 300), std::nullopt);
  EXPECT_LT(s.node_count() - before, 300U * 16 + 20'000);
}

// --- Byte classes, copies, printing ---

TEST(ExprClasses, BytesOfOneClassLeadToOneExpression) {
  for (const char* pattern : {"[a-f]{2,3}[^d]x|(.b)*", "~(.*foo.*)&[a-z ]*", "(\\bfoo\\b ?)+",
                              "(?<![x-z])a(?=[b-d])(b|c)*", "((?<=a[0-4])b|[a0-9])*"}) {
    ExprSet s(1'000'000);
    const ExprId e = parse(s, pattern);
    ByteClasses classes;
    s.refine_classes(e, classes);
    EXPECT_LT(classes.count(), 40U) << pattern;
    for (ExprId r : residuals(s, e, 1000)) {
      for (unsigned byte = 0; byte < 256; ++byte) {
        const auto b = static_cast<std::uint8_t>(byte);
        ASSERT_EQ(s.derivative(r, b), s.derivative(r, classes.representative(classes.class_of(b)))) << pattern << byte;
      }
    }
  }
}

TEST(ExprCopy, KeepsIdsAndGrowsApart) {
  ExprSet s(10'000);
  const ExprId e = parse(s, "(a|bc){2,5}&~(.*cb.*)");
  EXPECT_TRUE(s.matches(e, "abc"));
  ExprSet copy = s;
  const std::size_t nodes = s.node_count();
  EXPECT_EQ(copy.node_count(), nodes);
  EXPECT_TRUE(copy.matches(e, "abca"));
  EXPECT_FALSE(copy.matches(e, "bcbc"));
  const ExprId in_copy = copy.literal("only in the copy");
  EXPECT_GE(static_cast<std::size_t>(in_copy), nodes);
  EXPECT_EQ(s.node_count(), nodes);
  const ExprId in_original = s.literal("only in the original");
  EXPECT_TRUE(s.matches(in_original, "only in the original"));
  EXPECT_TRUE(copy.matches(in_copy, "only in the copy"));
  EXPECT_EQ(copy.literal("bc"), s.literal("bc")) << "made before the copy";
  const ExprSet moved = std::move(copy);
  EXPECT_TRUE(ExprSet(moved).matches(in_copy, "only in the copy"));
  EXPECT_GT(s.memory_bytes(), nodes * 20);
}

TEST(ExprPrint, ReadsLikeARegex) {
  ExprSet s(10'000);
  const auto printed = [&](std::string_view pattern) { return to_string(s, parse(s, pattern)); };
  EXPECT_EQ(printed("abc"), "abc");
  EXPECT_EQ(printed("(ab|c){2,3}d?"), "(c|ab){2,3}d?");
  EXPECT_EQ(printed("[abc]*x{4,}y{2}"), "[a-c]*x{4,}y{2}");
  EXPECT_EQ(printed("\\.\\n\\x01"), "\\.\\n\\x01");
  EXPECT_EQ(to_string(s, ExprId::kNothing), "[]");
  EXPECT_EQ(to_string(s, ExprId::kEpsilon), "()");
  EXPECT_EQ(to_string(s, ExprId::kAllStrings), "_*");
  EXPECT_EQ(to_string(s, s.complement(s.literal("ab"))), "~(ab)");
  EXPECT_EQ(to_string(s, s.concat(s.complement(s.literal("ab")), s.literal("c"))), "(~(ab))c");
  EXPECT_EQ(to_string(s, s.byte_set(~ByteSet::of('a'))), "[^a]");
  EXPECT_EQ(to_string(s, s.assertion(Look::kNotAhead, s.literal("a"))), "(?!a_*)");
}

TEST(ExprLimits, ALongLiteralIsRefusedBeforeItsNodesAreMade) {
  const std::string text = long_text(std::size_t{1} << 22U);
  for (const std::uint64_t most : {std::uint64_t{1'000'000}, UINT64_MAX}) {
    const base::Work::Call call(most);
    ExprSet s(Limits().regex_nodes);
    const std::size_t before = s.node_count();
    const bool is_refused = s.literal(text) == ExprId::kOverflow;
    EXPECT_EQ(is_refused, most != UINT64_MAX);
    EXPECT_EQ(base::Work::is_met(), is_refused);
    EXPECT_EQ(s.node_count() == before, is_refused);
    EXPECT_NE(s.literal(std::string_view(text).substr(0, 1000)), ExprId::kOverflow);
  }
}

}  // namespace
}  // namespace weir::regex
