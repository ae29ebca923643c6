#include "regex/atoms/decimal_multiple.h"
#include "regex/analysis/members.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace weir::regex {
namespace {

/// Returns true if `text` denotes a multiple by the definition: it consists of digits with at most one point, and its
/// value times 10^decimals is an integer and a multiple of `divisor`.
bool is_multiple(const std::string& text, std::uint64_t divisor, std::uint32_t decimals) {
  std::uint64_t value = 0;
  std::uint32_t after = 0;
  bool point = false;
  for (const char c : text) {
    if (c == '.') {
      if (point) return false;
      point = true;
      continue;
    }
    if (point && after == decimals) {
      if (c != '0') return false;
      continue;
    }
    value = (value * 10 + static_cast<std::uint64_t>(c - '0')) % divisor;
    after += point ? 1 : 0;
  }
  for (; after < decimals; ++after) value = value * 10 % divisor;
  return value == 0;
}

std::size_t count_states(ExprSet& exprs, ExprId e) {
  std::vector<ExprId> states = {e};
  std::set<ExprId> seen = {e, ExprId::kNothing};
  for (std::size_t i = 0; i < states.size(); ++i) {
    for (const char c : std::string("0123456789.")) {
      const ExprId d = exprs.derivative(states[i], static_cast<std::uint8_t>(c));
      if (seen.insert(d).second) states.push_back(d);
    }
  }
  return states.size();
}

TEST(DecimalMultiple, AgreesWithTheDefinitionOnEveryShortText) {
  for (const std::uint32_t divisor :
       {1U, 2U, 3U, 5U, 7U, 8U, 10U, 11U, 12U, 25U, 40U, 99U, 100U, 125U, 640U, 1000U, 1001U}) {
    for (const std::uint32_t decimals : {0U, 1U, 2U, 3U}) {
      ExprSet exprs(1'000'000);
      const ExprId e = decimal_multiple(exprs, divisor, decimals);
      const auto visit = [&](auto& self, ExprId at, std::string& text) -> void {
        ASSERT_EQ(exprs.nullable(at), is_multiple(text, divisor, decimals))
            << text << " " << divisor << "e-" << decimals;
        if (at != ExprId::kNothing) {
          ASSERT_EQ(emptiness(exprs, at, 1), Emptiness::kNonEmpty);
        }
        if (text.size() == 4) return;
        for (const char c : std::string("0123456789.")) {
          text.push_back(c);
          self(self, exprs.derivative(at, static_cast<std::uint8_t>(c)), text);
          text.pop_back();
        }
      };
      std::string text;
      visit(visit, e, text);
    }
  }
}

TEST(DecimalMultiple, LongTextsAndLargeDivisors) {
  std::mt19937 random(5);
  for (const std::uint32_t divisor :
       {7U, 1024U, 123456789U, 4294967295U, 4294967291U, 1000000000U, 2097152U, 1953125U}) {
    for (const std::uint32_t decimals : {0U, 2U, 9U, 30U}) {
      ExprSet exprs(1'000'000);
      const ExprId e = decimal_multiple(exprs, divisor, decimals);
      for (int i = 0; i < 200; ++i) {
        std::string text;
        for (std::size_t n = random() % 20; n > 0; --n) text += static_cast<char>('0' + random() % 10);
        if (random() % 2 == 0) {
          // A multiple: k × divisor, with the point inserted.
          text = std::to_string((random() % 100000 + 1) * std::uint64_t{divisor});
          if (decimals > 0) {
            while (text.size() <= decimals) text.insert(0, "0");
            text.insert(text.size() - decimals, ".");
          }
          ASSERT_TRUE(is_multiple(text, divisor, decimals));
        }
        ASSERT_EQ(exprs.matches(e, text), is_multiple(text, divisor, decimals))
            << text << " " << divisor << " " << decimals;
        text += "1";
        ASSERT_EQ(exprs.matches(e, text), is_multiple(text, divisor, decimals))
            << text << " " << divisor << " " << decimals;
      }
    }
  }
}

TEST(DecimalMultiple, TheAutomatonIsSmall) {
  struct Case {
    std::uint32_t divisor, decimals;
    std::size_t states;  // of the minimal automaton, without the dead state
  };
  // States for 1000: none, one, two or three zeros at the end, and after the point. For 7: the remainders, and after
  // the point.
  for (const Case& c : std::vector<Case>{
           {1, 0, 2}, {2, 0, 3}, {10, 0, 3}, {1000, 0, 5}, {7, 0, 8}, {7, 1, 15}, {25, 0, 5}, {1, 2, 4}}) {
    ExprSet exprs(100'000);
    EXPECT_EQ(count_states(exprs, decimal_multiple(exprs, c.divisor, c.decimals)), c.states)
        << c.divisor << "e-" << c.decimals;
  }
}

TEST(DecimalMultiple, NoTwoStatesBeforeThePointAreEquivalent) {
  const std::string letters = "0123456789.";
  for (const std::uint32_t divisor : {4U, 12U, 35U, 60U, 75U, 128U, 250U}) {
    for (const std::uint32_t decimals : {0U, 2U}) {
      std::vector<DivisionState> states = {division_start(divisor, decimals)};
      std::set<std::vector<bool>> behaviours;
      for (std::size_t i = 0; i < states.size(); ++i) {
        // Some short continuation distinguishes any two states.
        std::vector<bool> accepted;
        const auto visit = [&](auto& self, const std::optional<DivisionState>& at, std::size_t left) -> void {
          accepted.push_back(at && division_is_exact(*at));
          if (left == 0) return;
          for (const char c : letters) {
            self(self, at ? division_step(*at, static_cast<std::uint8_t>(c)) : at, left - 1);
          }
        };
        visit(visit, states[i], 4);
        EXPECT_TRUE(behaviours.insert(accepted).second) << divisor << "e-" << decimals << " " << states[i].remainder;
        for (const char c : letters) {
          const auto next = division_step(states[i], static_cast<std::uint8_t>(c));
          if (!next || next->in_fraction || std::ranges::find(states, *next) != states.end()) continue;
          states.push_back(*next);
        }
      }
    }
  }
}

// Returns the least number of bytes from `start` to an exact state, by trying all texts.
std::uint32_t shortest_way(const DivisionState& start) {
  std::vector<DivisionState> level{start};
  for (std::uint32_t length = 0; length < 12; ++length) {
    std::vector<DivisionState> next;
    for (const DivisionState& state : level) {
      if (division_is_exact(state)) return length;
      for (const char c : std::string_view(".0123456789")) {
        const std::optional<DivisionState> step = division_step(state, static_cast<std::uint8_t>(c));
        if (step && std::find(next.begin(), next.end(), *step) == next.end()) next.push_back(*step);
      }
    }
    level = std::move(next);
  }
  ADD_FAILURE();
  return 0;
}

TEST(DecimalMultiple, TheDistanceIsThatToTheNearestEnd) {
  std::uint32_t far = 0;
  for (std::uint32_t divisor = 1; divisor <= 60; ++divisor) {
    for (std::uint32_t decimals = 0; decimals <= 3; ++decimals) {
      for (const std::string_view text : {"", "0", "1", "7", "13", "0.", "1.", "3.1", "12.", "9.9", "99.12"}) {
        std::optional<DivisionState> state = division_start(divisor, decimals);
        for (std::size_t i = 0; i < text.size() && state; ++i) {
          state = division_step(*state, static_cast<std::uint8_t>(text[i]));
        }
        if (!state) continue;
        const std::uint32_t shortest = shortest_way(*state);
        EXPECT_EQ(division_distance(*state), shortest) << divisor << "e-" << decimals << " " << text;
        far += shortest > 1 ? 1 : 0;
      }
    }
  }
  EXPECT_GT(far, 100U);
}

TEST(DecimalMultiple, AMemberIsFoundAmongMultiplesOfALargeNumber) {
  ExprSet exprs(1'000'000);
  const ExprId digits = exprs.repeat(exprs.byte_set(ByteSet::range('1', '9')), 8, 8);
  EXPECT_EQ(emptiness(exprs, exprs.intersection(digits, decimal_multiple(exprs, 98'765'431, 0)), 1000),
            Emptiness::kNonEmpty);
}

TEST(DecimalMultiple, MeetsOtherExpressions) {
  ExprSet exprs(100'000);
  const ExprId digits = exprs.repeat(exprs.byte_set(ByteSet::range('0', '9')), 1, 3);
  const ExprId both = exprs.intersection(decimal_multiple(exprs, 6, 0), decimal_multiple(exprs, 15, 0));
  const ExprId e = exprs.intersection(both, digits);
  std::size_t count = 0;
  for (int i = 0; i < 1000; ++i) count += exprs.matches(e, std::to_string(i)) ? 1 : 0;
  EXPECT_EQ(count, 34U) << "multiples of 30";
  const ExprId none =
      exprs.intersection(exprs.repeat(exprs.byte_set(ByteSet::of('1')), 1, 5), decimal_multiple(exprs, 2, 0));
  EXPECT_EQ(emptiness(exprs, none, 1000), Emptiness::kEmpty);
  ByteClasses classes;
  exprs.refine_classes(e, classes);
  EXPECT_EQ(classes.count(), 12U);
}

}  // namespace
}  // namespace weir::regex
