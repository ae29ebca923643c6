// Terminals that are matched together.
#include "grammar/joint_lexemes.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "base/lexeme_mode.h"
#include "regex/syntax/syntax.h"
#include "weir/limits.h"

namespace weir::grammar {
namespace {

using base::LexemeMode;

class JointLexemesTest : public ::testing::Test {
 protected:
  void add(const std::string& pattern, LexemeMode mode) {
    const auto expr = regex::parse_regex(exprs_, pattern, {}, limits_);
    ASSERT_TRUE(expr.has_value()) << pattern;
    terminals_.push_back({.expr = *expr, .mode = mode, .name = pattern});
  }

  // Returns the terminals in progress in each state that is visited, in order.
  std::vector<std::string> visited(std::vector<std::uint32_t> terminals, bool drops_ended) {
    JointLexemes lexemes(exprs_, terminals_, limits_.regex_fuel, fuel_);
    std::vector<std::string> states;
    is_whole_ = lexemes.explore(
        terminals,
        [&](const JointLexemes::State&, const regex::ByteSet&, JointLexemes::State& next) {
          if (drops_ended)
            std::erase_if(next, [&](const auto& one) { return lexemes.ends_lazily(one.first, one.second); });
          return true;
        },
        [&](const JointLexemes::State& state) {
          std::string names;
          for (const auto& [terminal, residual] : state) {
            names += std::to_string(terminal) + (exprs_.nullable(residual) ? "! " : " ");
          }
          states.push_back(names);
          return true;
        });
    return states;
  }

  Limits limits_;
  regex::ExprSet exprs_{limits_.regex_nodes};
  std::vector<Terminal> terminals_;
  std::size_t fuel_ = 1'000;
  bool is_whole_ = false;
};

TEST_F(JointLexemesTest, AKeywordAndNames) {
  add("if", LexemeMode::kLongest);
  add("[a-z]+", LexemeMode::kLongest);
  EXPECT_EQ(visited({0, 1}, false), (std::vector<std::string>{"0 1 ", "0 1! ", "1! ", "0! 1! "}));
  EXPECT_TRUE(is_whole_);
}

TEST_F(JointLexemesTest, WhatEndsLazilyMayBeLeftOut) {
  add("a[a-c]*b", LexemeMode::kShortest);
  EXPECT_EQ(visited({0}, false), (std::vector<std::string>{"0 ", "0 ", "0! "}));
  EXPECT_EQ(visited({0}, true), (std::vector<std::string>{"0 ", "0 "}));
}

TEST_F(JointLexemesTest, StopsWhereFuelEnds) {
  add("[a-z]+", LexemeMode::kLongest);
  fuel_ = 2;
  visited({0}, false);
  EXPECT_FALSE(is_whole_);
  EXPECT_EQ(fuel_, 0U);
}

}  // namespace
}  // namespace weir::grammar
