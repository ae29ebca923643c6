#include "frontend/substring.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/work.h"
#include "weir/limits.h"

namespace weir::frontend {
namespace {

using Units = std::vector<std::string_view>;

TEST(Substring, Units) {
  EXPECT_EQ(split_units("añ 中", SubstringUnit::kCharacter), (Units{"a", "ñ", " ", "中"}));
  EXPECT_EQ(split_units("Ünder_9,\n\t x² -- ", SubstringUnit::kWord),
            (Units{"Ünder_9", ",", "\n\t ", "x²", " ", "--", " "}));
  EXPECT_EQ(split_units("", SubstringUnit::kWord), Units{});
  EXPECT_EQ(split_units("", SubstringUnit::kCharacter), Units{});
}

// Sets `out` to all strings over `alphabet` of at most `longest` letters, shortest first.
void all_strings(std::string_view alphabet, std::size_t longest, std::vector<std::string>& out) {
  out.assign(1, "");
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].size() == longest) break;
    for (const char c : alphabet) out.push_back(out[i] + c);
  }
}

// Compares substring_of() with the set of all runs of units, on every string of up to 9 letters. Some units are
// prefixes of others.
TEST(Substring, IsTheSetOfRuns) {
  std::vector<std::string> strings;
  all_strings("ab", 9, strings);
  const Units kinds[] = {{"a", "b"}, {"a", "ab", "b"}, {"aa", "ab", "", "bba"}, {"a", "aa"}};
  std::minstd_rand random(7);
  for (int round = 0; round < 200; ++round) {
    const Units& kind = kinds[random() % std::size(kinds)];
    Units units;
    for (std::size_t i = random() % 9; i > 0; --i) units.push_back(kind[random() % kind.size()]);
    std::set<std::string> runs{""};
    for (std::size_t first = 0; first < units.size(); ++first) {
      std::string run;
      for (std::size_t i = first; i < units.size(); ++i) runs.insert(run += units[i]);
    }
    regex::ExprSet exprs(Limits{}.regex_nodes);
    const regex::ExprId expr = substring_of(exprs, units);
    for (const std::string& s : strings) ASSERT_EQ(exprs.matches(expr, s), runs.contains(s)) << s;
  }
}

TEST(Substring, IsLinearInTheText) {
  std::minstd_rand random(3);
  std::string text;
  while (text.size() < 20'000) {
    for (std::size_t i = 1 + random() % 8; i > 0; --i) text += static_cast<char>('a' + random() % (1 + random() % 26));
    text += random() % 9 == 0 ? ", " : " ";
  }
  for (const SubstringUnit unit : {SubstringUnit::kCharacter, SubstringUnit::kWord}) {
    std::vector<std::size_t> nodes;
    for (const std::size_t bytes : {10'000U, 20'000U}) {
      regex::ExprSet exprs(Limits{}.regex_nodes);
      const regex::ExprId expr = substring_of(exprs, split_units(std::string_view(text).substr(0, bytes), unit));
      ASSERT_NE(expr, regex::ExprId::kOverflow);
      nodes.push_back(exprs.node_count());
    }
    EXPECT_LT(nodes[1], nodes[0] * 5 / 2);
    EXPECT_LT(nodes[1], 20'000U * 6);
  }
}

TEST(Substring, ItsAutomatonCountsAsWork) {
  const std::string text(3'000, 'a');
  const base::Work::Call call(5'000);
  regex::ExprSet exprs(Limits{}.regex_nodes);
  EXPECT_EQ(substring_of(exprs, split_units(text, SubstringUnit::kCharacter)), regex::ExprId::kOverflow);
  EXPECT_LT(exprs.node_count(), 100U);  // the limit was met before expressions were made
}

}  // namespace
}  // namespace weir::frontend
