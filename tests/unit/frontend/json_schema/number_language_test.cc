#include "frontend/json_schema/values/number_language.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "regex/analysis/members.h"
#include "rounds.h"

namespace weir::frontend::json_schema {
namespace {

using regex::Emptiness;
using regex::ExprId;
using regex::ExprSet;

Decimal dec(std::string_view text) {
  const Result<Decimal> value = Decimal::parse(text, Limits{});
  EXPECT_TRUE(value.has_value()) << text;
  return value ? *value : Decimal();
}

bool is_number(std::string_view text) { return Decimal::parse(text, Limits{}).has_value(); }

/// Returns true if the text of a number is one of the spellings that number_language.h documents as offered.
bool is_offered(std::string_view text, const NumberSpelling& spelling) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = mantissa.find('.');
  const std::string_view decimals = point == std::string_view::npos ? "" : mantissa.substr(point + 1);
  std::size_t zeros = 0;
  while (zeros < decimals.size() && decimals[decimals.size() - 1 - zeros] == '0') ++zeros;
  if (zeros > spelling.trailing_zeros) return false;
  if (e == std::string_view::npos) return true;
  if (spelling.exponents == NumberSpelling::Exponents::kNever) return false;
  if (spelling.exponents == NumberSpelling::Exponents::kExplicit) {
    if (decimals.empty() || (text[e + 1] != '+' && text[e + 1] != '-')) return false;
  }
  if (mantissa.substr(0, point).size() != 1 || decimals.size() > spelling.scientific_decimals) return false;
  return mantissa.front() != '0' || mantissa.find_first_not_of("0.") == std::string_view::npos;
}

/// Calls `visit` with every prefix of a number that has up to `length` letters, and with the residual of `e` after it.
void for_each_text(ExprSet& exprs, ExprId e, std::string_view letters, std::size_t length,
                   const std::function<void(const std::string&, ExprId)>& visit) {
  std::string text;
  const auto go = [&](auto& self, ExprId at) -> void {
    visit(text, at);
    if (text.size() == length) return;
    for (const char c : letters) {
      // Texts that are no prefix of a number are skipped, whatever the expression says. A prefix of a number is a
      // number or becomes one with a "0" after it.
      text.push_back(c);
      if (is_number(text) || is_number(text + "0")) self(self, exprs.derivative(at, static_cast<std::uint8_t>(c)));
      text.pop_back();
    }
  };
  go(go, e);
}

class NumberLanguageTest : public testing::Test {
 protected:
  /// Compares a set with the predicate that defines it, on all texts over `letters` up to `length`.
  void expect_set(ExprId e, const NumberSpelling& spelling, std::string_view letters, std::size_t length,
                  const std::function<bool(const Decimal&)>& contains, const std::string& name) {
    std::size_t wrong = 0;
    for_each_text(exprs_, e, letters, length, [&](const std::string& text, ExprId at) {
      const bool expected = is_number(text) && is_offered(text, spelling) && contains(dec(text));
      if (exprs_.nullable(at) != expected && ++wrong < 5) {
        ADD_FAILURE() << name << ": " << text << (expected ? " is missing" : " is in the set");
      }
      ++texts_;
    });
    EXPECT_EQ(wrong, 0U) << name;
  }
  ExprId get(const Result<ExprId>& e) {
    EXPECT_TRUE(e.has_value()) << (e ? "" : e.error().message);
    return e ? *e : ExprId::kNothing;
  }

  Limits limits_;
  ExprSet exprs_{limits_.regex_nodes};
  NumberSpelling spelling_;
  NumberLanguage numbers_{exprs_, spelling_, limits_};
  std::size_t texts_ = 0;
};

using Bound = std::optional<NumberBound>;
Bound at_least(std::string_view text) { return NumberBound{dec(text), false}; }
Bound beyond(std::string_view text) { return NumberBound{dec(text), true}; }

TEST_F(NumberLanguageTest, AnyAndOffered) {
  std::size_t offered = 0;
  for_each_text(exprs_, numbers_.any(), "-0123456789.eE+", 4,
                [&](const std::string& text, ExprId at) { EXPECT_EQ(exprs_.nullable(at), is_number(text)) << text; });
  for_each_text(exprs_, numbers_.offered(), "-0159.eE+", 7, [&](const std::string& text, ExprId at) {
    const bool expected = is_number(text) && is_offered(text, {});
    EXPECT_EQ(exprs_.nullable(at), expected) << text;
    offered += expected ? 1 : 0;
  });
  EXPECT_GT(offered, 10'000U);
  for (const char* text :
       {"1.2345678901234567e308", "1.7976931348623157e+308", "5e-324", "1e-05", "1e+16", "-0.0", "-0"}) {
    EXPECT_TRUE(exprs_.matches(numbers_.offered(), text)) << text;
  }
  for (const char* text :
       {"12e3", "0.5e1", "1.23456789012345678e3", "01", "1.", ".5", "+1", "1e", "", "-", "1e5.0", " 1"}) {
    EXPECT_FALSE(exprs_.matches(numbers_.offered(), text)) << text;
  }
  EXPECT_TRUE(exprs_.matches(numbers_.any(), "12.5e-3"));
}

TEST_F(NumberLanguageTest, IntervalsOnEveryShortText) {
  const std::size_t length = tests::is_sanitized() ? 5 : 6;
  const std::vector<const char*> bounds = {"0",    "1",     "-1",    "9",    "10",   "15",   "-10",  "99",
                                           "100",  "105",   "0.1",   "-0.5", "0.05", "1.5",  "10.5", "10.05",
                                           "9.99", "-1.01", "1e5",   "1e-5", "0.9",  "59",   "5.09", "-100",
                                           "1.95", "1000",  "15e-4", "-9e9", "50.1", "0.001"};
  for (const char* a : bounds) {
    const Decimal bound = dec(a);
    expect_set(
        get(numbers_.interval(at_least(a), {})), {}, "-0159.eE+", length, [&](const Decimal& v) { return v >= bound; },
        std::string(">= ") + a);
    expect_set(
        get(numbers_.interval(beyond(a), {})), {}, "-0159.e", 5, [&](const Decimal& v) { return v > bound; },
        std::string("> ") + a);
    expect_set(
        get(numbers_.interval({}, at_least(a))), {}, "-0159.eE+", length, [&](const Decimal& v) { return v <= bound; },
        std::string("<= ") + a);
    expect_set(
        get(numbers_.interval({}, beyond(a))), {}, "-0159.e", 5, [&](const Decimal& v) { return v < bound; },
        std::string("< ") + a);
    expect_set(
        get(numbers_.value(bound)), {}, "-0159.eE+", length, [&](const Decimal& v) { return v == bound; },
        std::string("= ") + a);
  }
  for (const char* a : bounds) {
    for (const char* b : bounds) {
      const Decimal low = dec(a);
      const Decimal high = dec(b);
      expect_set(
          get(numbers_.interval(at_least(a), beyond(b))), {}, "-059.e", 4,
          [&](const Decimal& v) { return v >= low && v < high; }, std::string(a) + " <= v < " + b);
    }
  }
  EXPECT_GT(texts_, tests::is_sanitized() ? 1'000'000U : 3'000'000U);
}

TEST_F(NumberLanguageTest, AllDigitsAtOneBound) {
  for (const char* a : {"37", "-4.62", "0.083", "718.2"}) {
    const Decimal bound = dec(a);
    expect_set(
        get(numbers_.interval(at_least(a), {})), {}, "-0123456789.e", 5, [&](const Decimal& v) { return v >= bound; },
        a);
  }
}

TEST_F(NumberLanguageTest, MultiplesOnEveryShortText) {
  for (const char* divisor :
       {"1",   "2",    "3",   "5",    "7",   "10",  "12",    "25",    "100", "1000", "0.1", "0.01", "0.07",
        "2.5", "0.25", "1.5", "1e-3", "3e1", "1e5", "15e-2", "1e-20", "11",  "0.3",  "640", "1e12"}) {
    const Decimal d = dec(divisor);
    expect_set(
        get(numbers_.multiples_of(d)), {}, "-01257.eE+", 5, [&](const Decimal& v) { return v.is_multiple_of(d); },
        std::string("multiples of ") + divisor);
  }
  for (const char* divisor : {"3", "0.4", "36"}) {
    const Decimal d = dec(divisor);
    expect_set(
        get(numbers_.multiples_of(d)), {}, "-0123456789.e", 5, [&](const Decimal& v) { return v.is_multiple_of(d); },
        std::string("multiples of ") + divisor);
  }
  EXPECT_GT(texts_, 900'000U);
}

TEST_F(NumberLanguageTest, ComplementsAndMeetings) {
  const ExprId thirds = get(numbers_.multiples_of(dec("3")));
  const ExprId small = get(numbers_.interval(at_least("-5"), beyond("20.5")));
  const ExprId integers = get(numbers_.multiples_of(dec("1")));
  const Decimal three(3);
  const auto is_small = [&](const Decimal& v) { return v >= dec("-5") && v < dec("20.5"); };
  expect_set(
      exprs_.difference(numbers_.offered(), thirds), {}, "-01369.e", 5,
      [&](const Decimal& v) { return !v.is_multiple_of(three); }, "no multiple of 3");
  expect_set(
      exprs_.intersection(exprs_.difference(small, thirds), integers), {}, "-01369.e", 5,
      [&](const Decimal& v) { return is_small(v) && v.is_integer() && !v.is_multiple_of(three); }, "all");
  const ExprId none = exprs_.intersection(thirds, get(numbers_.interval(beyond("3"), beyond("6"))));
  EXPECT_EQ(regex::emptiness(exprs_, none, limits_.regex_fuel), Emptiness::kEmpty);
  const ExprId fraction = exprs_.intersection(integers, get(numbers_.interval(beyond("7"), beyond("8"))));
  EXPECT_EQ(regex::emptiness(exprs_, fraction, limits_.regex_fuel), Emptiness::kEmpty);
  const ExprId one = exprs_.intersection(thirds, get(numbers_.interval(beyond("3"), beyond("9"))));
  EXPECT_EQ(regex::shortest_member(exprs_, one, limits_.regex_fuel), "6");
  const ExprId both =
      exprs_.intersection(get(numbers_.multiples_of(dec("0.4"))), get(numbers_.multiples_of(dec("0.06"))));
  const ExprId positive = exprs_.intersection(both, get(numbers_.interval(beyond("0"), {})));
  EXPECT_EQ(dec(regex::shortest_member(exprs_, positive, limits_.regex_fuel).value_or("0")), dec("6"));
}

TEST_F(NumberLanguageTest, MultiplesOfSeveralNumbersAreThoseOfOne) {
  const ExprId both = numbers_.meet(get(numbers_.multiples_of(dec("0.4"))), get(numbers_.multiples_of(dec("0.06"))));
  EXPECT_EQ(both, get(numbers_.multiples_of(dec("1.2"))));
  // The order of the operands, other sets between them, and a common multiple that is too large for a divisor make no
  // difference.
  const ExprId small = get(numbers_.interval(at_least("-5"), beyond("20.5")));
  const ExprId no_thirds = exprs_.difference(numbers_.offered(), get(numbers_.multiples_of(dec("3"))));
  const ExprId halves = numbers_.meet(small, get(numbers_.multiples_of(dec("0.5"))));
  const ExprId some = numbers_.meet(numbers_.meet(no_thirds, halves), get(numbers_.multiples_of(dec("0.2"))));
  EXPECT_EQ(some, numbers_.meet(get(numbers_.multiples_of(dec("1"))), numbers_.meet(small, no_thirds)));
  expect_set(
      some, {}, "-01369.e", 5,
      [&](const Decimal& v) {
        return v >= dec("-5") && v < dec("20.5") && v.is_integer() && !v.is_multiple_of(Decimal(3));
      },
      "integers");
  const ExprId large =
      numbers_.meet(get(numbers_.multiples_of(dec("65537"))), get(numbers_.multiples_of(dec("65539"))));
  EXPECT_TRUE(exprs_.matches(large, "4295229443"));
  EXPECT_FALSE(exprs_.matches(large, "65537"));
  EXPECT_EQ(numbers_.meet(both, both), both);
}

// The multiples of a number within bounds are made at once, whichever of the sets are met first.
TEST_F(NumberLanguageTest, MultiplesUpToABound) {
  NumberSpelling explicit_exponents;
  explicit_exponents.exponents = NumberSpelling::Exponents::kExplicit;
  explicit_exponents.trailing_zeros = 1;
  NumberSpelling shortest;
  shortest.exponents = NumberSpelling::Exponents::kNever;
  shortest.trailing_zeros = 0;
  const std::array spellings{spelling_, explicit_exponents, shortest};
  std::vector<NumberLanguage> languages;
  for (const NumberSpelling& spelling : spellings) languages.emplace_back(exprs_, spelling, limits_);
  const std::vector<Bound> bounds = {{},
                                     at_least("0"),
                                     beyond("0"),
                                     at_least("0.001"),
                                     at_least("37"),
                                     beyond("37"),
                                     at_least("100"),
                                     beyond("3700"),
                                     at_least("4.5"),
                                     at_least("31415.92653589793238462643383279502884197"),
                                     at_least("1e30")};
  const auto negated = [](Bound bound) {
    if (bound) bound->value = bound->value.negated();
    return bound;
  };
  for (const char* divisor : {"37", "2.25", "0.17", "1100", "8"}) {
    const Decimal d = dec(divisor);
    for (std::size_t i = 0; i < bounds.size() * bounds.size() * 3; ++i) {
      Bound low = bounds[i % bounds.size()];
      Bound high = bounds[i / bounds.size() % bounds.size()];
      const std::size_t signs = i / bounds.size() / bounds.size();
      if (signs != 0) low = negated(low);
      if (signs == 2) high = negated(high);
      const auto within = [&](const Decimal& v) {
        return (!low || v > low->value || (v == low->value && !low->exclusive)) &&
               (!high || v < high->value || (v == high->value && !high->exclusive));
      };
      const auto text = [](const Bound& bound) {
        return bound ? (bound->exclusive ? "(" : "[") + bound->value.to_string() : "none";
      };
      NumberLanguage& numbers = languages[i % languages.size()];
      const bool has_integers = i % 4 == 0;
      std::vector<ExprId> sets{get(numbers.multiples_of(d)), get(numbers.interval(low, i % 5 < 2 ? Bound{} : high))};
      if (i % 5 < 2) sets.push_back(get(numbers.interval({}, high)));
      if (has_integers) sets.push_back(get(numbers.multiples_of(Decimal(1))));
      std::rotate(sets.begin(), sets.begin() + static_cast<std::ptrdiff_t>(i % sets.size()), sets.end());
      ExprId set = numbers.offered();
      for (const ExprId one : sets) set = numbers.meet(set, one);
      expect_set(
          set, spellings[i % languages.size()], i % 7 == 0 ? "-0257.e" : "-0137", i % 7 == 0 ? 4 : 5,
          [&](const Decimal& v) { return v.is_multiple_of(d) && within(v) && (!has_integers || v.is_integer()); },
          std::string(divisor) + " from " + text(low) + " to " + text(high));
    }
  }
  EXPECT_GT(texts_, 100'000U);
}

// The least common multiple of the divisors is 8,721. A search through the remainders of all ten numbers would exceed
// the fuel.
TEST_F(NumberLanguageTest, AMultipleAmongManyConditionsIsFound) {
  ExprId all = numbers_.offered();
  for (const char* divisor : {"6.75", "19", "9.5", "2.125"}) {
    all = numbers_.meet(all, get(numbers_.multiples_of(dec(divisor))));
  }
  for (const char* divisor : {"2", "6.5", "5", "7", "11", "37"}) {
    all = numbers_.meet(all, exprs_.difference(numbers_.offered(), get(numbers_.multiples_of(dec(divisor)))));
  }
  all = numbers_.meet(all, get(numbers_.interval(beyond("-78489"), beyond("-10000"))));
  EXPECT_EQ(regex::emptiness(exprs_, all, limits_.regex_fuel), Emptiness::kNonEmpty);
  EXPECT_TRUE(exprs_.matches(all, "-26163"));
}

// Random meetings, unions and complements: the set that stands for another one is empty if and only if that one is.
TEST_F(NumberLanguageTest, WitnessesAreEmptyAsTheirSetIs) {
  std::mt19937 random(20261128);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  const auto number = [&] {
    return dec(std::to_string(static_cast<int>(below(41)) - 20) + "e" + std::to_string(below(3)));
  };
  const auto set = [&] {
    switch (below(5)) {
      case 0: return get(numbers_.interval(NumberBound{number(), below(2) == 0}, {}));
      case 1: return get(numbers_.interval({}, NumberBound{number(), below(2) == 0}));
      case 2: return get(numbers_.value(number()));
      case 3: return below(8) == 0 ? numbers_.integer_literals() : get(numbers_.multiples_of(dec("1")));
      default: {
        constexpr std::array kDivisors = {"2", "3", "0.5", "1.5", "4", "20"};
        return get(numbers_.multiples_of(dec(kDivisors[below(kDivisors.size())])));
      }
    }
  };
  std::size_t others = 0;
  std::size_t empty = 0;
  for (int round = 0; round < 300; ++round) {
    ExprId all = set();
    for (std::uint32_t operands = 1 + below(4); operands > 0; --operands) {
      ExprId next = set();
      if (below(3) == 0) next = numbers_.complement(next);
      all = below(4) == 0 ? numbers_.join(all, next) : numbers_.meet(all, next);
    }
    const ExprId witnesses = numbers_.witnesses(all);
    const Emptiness of_all = regex::emptiness(exprs_, all, 100'000);
    if (of_all == Emptiness::kUnknown) continue;
    EXPECT_EQ(regex::emptiness(exprs_, witnesses, 100'000), of_all) << "round " << round;
    others += witnesses != all ? 1 : 0;
    empty += of_all == Emptiness::kEmpty ? 1 : 0;
  }
  EXPECT_GT(others, 100U);
  EXPECT_GT(empty, 20U);
}

TEST_F(NumberLanguageTest, OptionsRestrictTheSpellings) {
  using Exponents = NumberSpelling::Exponents;
  for (const auto exponents : {Exponents::kOffered, Exponents::kExplicit, Exponents::kNever}) {
    for (const std::uint32_t zeros : {0U, 1U, 2U, regex::kUnbounded}) {
      const NumberSpelling spelling{exponents, 2, zeros};
      NumberLanguage numbers(exprs_, spelling, limits_);
      const bool is_explicit = exponents == Exponents::kExplicit;
      const char* const letters = is_explicit ? "-015.e+" : "-015.e";
      const std::size_t length = is_explicit ? 7 : 6;
      const auto all = [](const Decimal&) { return true; };
      expect_set(numbers.offered(), spelling, letters, length, all, "offered");
      expect_set(
          get(numbers.multiples_of(Decimal(1))), spelling, letters, length,
          [](const Decimal& v) { return v.is_integer(); }, "integers");
      expect_set(
          get(numbers.interval(at_least("-1.5"), at_least("10"))), spelling, letters, length,
          [](const Decimal& v) { return v >= dec("-1.5") && v <= dec("10"); }, "interval");
    }
  }
  NumberLanguage plain(exprs_, {NumberSpelling::Exponents::kNever, 16, 0}, limits_);
  EXPECT_EQ(get(plain.multiples_of(Decimal(1))), plain.integer_literals());
}

TEST_F(NumberLanguageTest, UnboundedDecimalsCostNoStates) {
  const NumberSpelling spelling{NumberSpelling::Exponents::kOffered, regex::kUnbounded};
  NumberLanguage numbers(exprs_, spelling, limits_);
  const ExprId positive = get(numbers.interval(beyond("0"), {}));
  expect_set(
      positive, spelling, "-015.eE+", 6, [](const Decimal& v) { return v.sign() > 0; }, "positive");
  const auto after = [&](ExprId e, std::string_view text) {
    for (const char c : text) e = exprs_.derivative(e, static_cast<std::uint8_t>(c));
    return e;
  };
  EXPECT_EQ(after(positive, "3.1"), after(positive, "3.14159265358979323846"));
  EXPECT_TRUE(exprs_.matches(positive, "3.14159265358979323846e7"));
  const Result<ExprId> multiples = numbers.multiples_of(Decimal(1));
  ASSERT_FALSE(multiples.has_value());
  EXPECT_EQ(multiples.error().code, ErrorCode::kInternal);
}

// written() keeps the texts of a set that the spelling requires. The test decides that by the text alone.
TEST_F(NumberLanguageTest, WrittenTextsFollowTheOptions) {
  const auto digits_of = [](std::string_view text) {
    return std::ranges::count_if(text, [](char c) { return c >= '0' && c <= '9'; });
  };
  const auto is_plain_integer = [](std::string_view text) {
    return text != "-0" && text.find_first_of(".eE") == std::string_view::npos;
  };
  for (const auto exponents : {NumberSpelling::Exponents::kOffered, NumberSpelling::Exponents::kNever}) {
    for (const bool plain : {false, true}) {
      for (const std::uint32_t most : {0U, 3U}) {
        NumberSpelling spelling{exponents, 2};
        spelling.plain_integers = plain;
        spelling.most_digits = most;
        NumberLanguage numbers(exprs_, spelling, limits_);
        const ExprId integers = get(numbers.multiples_of(Decimal(1)));
        const auto expect_written = [&](ExprId set, bool is_integers, const char* what) {
          const ExprId written = numbers.written(set);
          const ExprId texts = set == numbers.offered() ? numbers.any() : set;
          for_each_text(exprs_, written, "-015.e", 6, [&](const std::string& text, ExprId at) {
            const bool expected = exprs_.matches(texts, text) && (!plain || !is_integers || is_plain_integer(text)) &&
                                  (most == 0 || digits_of(text) <= most);
            ASSERT_EQ(exprs_.nullable(at), expected) << what << " " << text << " " << most << plain;
          });
        };
        expect_written(numbers.offered(), false, "all");
        expect_written(integers, true, "integers");
        expect_written(numbers.meet(integers, get(numbers.interval(at_least("-5"), at_least("51")))), true, "some");
        expect_written(get(numbers.interval(beyond("0.1"), {})), false, "interval");
        const ExprId halves = get(numbers.multiples_of(dec("0.5")));
        expect_written(halves, false, "halves");
        expect_written(numbers.join(std::array{integers, halves, integers}), false, "integers twice");
        expect_written(get(numbers.multiples_of(dec("5"))), true, "fives");
        expect_written(numbers.join(get(numbers.value(dec("1"))), get(numbers.value(dec("50")))), true, "two");
        expect_written(numbers.complement(integers), false, "others");
      }
    }
  }
}

TEST_F(NumberLanguageTest, WrittenSetsAreNotEmpty) {
  NumberSpelling spelling{NumberSpelling::Exponents::kNever};
  spelling.plain_integers = true;
  spelling.most_digits = 4;
  NumberLanguage numbers(exprs_, spelling, limits_);
  const ExprId large = numbers.written(get(numbers.interval(at_least("12345"), {})));
  for (const char* text : {"12345", "987654321", "12345.0001"}) EXPECT_TRUE(exprs_.matches(large, text)) << text;
  for (const char* text : {"1234", "1234567890", "12345.00011"}) EXPECT_FALSE(exprs_.matches(large, text)) << text;
  const ExprId either = numbers.join(get(numbers.value(dec("1.5"))), get(numbers.value(dec("123456"))));
  const ExprId written = numbers.written(either);
  for (const char* text : {"1.5", "1.50", "1.500", "123456"}) EXPECT_TRUE(exprs_.matches(written, text)) << text;
  EXPECT_FALSE(exprs_.matches(written, "1.5000"));
  EXPECT_EQ(numbers.written(ExprId::kNothing), ExprId::kNothing);
}

// Each value of a long list keeps a text, also those whose texts are all longer than was asked for.
TEST_F(NumberLanguageTest, WrittenListsAreComplete) {
  NumberSpelling spelling{NumberSpelling::Exponents::kNever};
  spelling.most_digits = 4;
  spelling.doubles = true;
  NumberLanguage numbers(exprs_, spelling, limits_);
  std::vector<ExprId> values;
  for (int i = 0; i < 600; ++i) values.push_back(get(numbers.value(Decimal(i))));
  const std::vector<std::string> long_ones = {"123456", "0.000012", "-98765.5"};
  for (const std::string& text : long_ones) values.push_back(get(numbers.value(dec(text))));
  const ExprId written = numbers.written(numbers.join(values));
  for (int i = 0; i < 600; ++i) EXPECT_TRUE(exprs_.matches(written, std::to_string(i))) << i;
  for (const std::string& text : long_ones) EXPECT_TRUE(exprs_.matches(written, text)) << text;
  EXPECT_FALSE(exprs_.matches(written, "5.0000"));
}

// Whatever the bounds, there is a longest text: at most so many digits more than the shortest one has.
TEST_F(NumberLanguageTest, DigitsOfWrittenNumbersEnd) {
  constexpr std::uint32_t kMost = 20;
  NumberSpelling spelling{NumberSpelling::Exponents::kNever};
  spelling.plain_integers = spelling.doubles = true;
  spelling.most_digits = kMost;
  NumberLanguage numbers(exprs_, spelling, limits_);
  const regex::ByteSet bytes = regex::ByteSet::range('0', '9');
  const ExprId digit =
      exprs_.concat(exprs_.repeat(exprs_.byte_set(~bytes), 0, regex::kUnbounded), exprs_.byte_set(bytes));
  std::mt19937 random(7);
  const std::vector<int> orders{-400, -320, -300, -60, -25, -1, 0, 3, 19, 20, 25, 60, 307, 309, 400};
  const auto some_number = [&] {
    std::string text = random() % 3 == 0 ? "-" : "";
    for (std::size_t i = 1 + random() % 25; i > 0; --i) text += static_cast<char>('1' + random() % 9);
    return dec(text + "e" + std::to_string(orders[random() % orders.size()]));
  };
  for (int i = 0; i < 120; ++i) {
    Decimal low = some_number();
    Decimal high = some_number();
    if (high < low) std::swap(low, high);
    const NumberBound least{low, random() % 2 == 0};
    const NumberBound most{high, random() % 2 == 0};
    ExprId set = get(numbers.interval(i % 3 == 0 ? std::nullopt : std::optional(least),
                                      i % 3 == 1 ? std::nullopt : std::optional(most)));
    if (i % 4 == 0) set = numbers.meet(set, get(numbers.multiples_of(Decimal(1))));
    if (i % 4 == 1) set = get(numbers.value(low));
    if (i % 8 == 1) set = numbers.join(set, get(numbers.value(high)));
    if (regex::emptiness(exprs_, set, limits_.regex_fuel) == regex::Emptiness::kEmpty) continue;
    const ExprId written = numbers.written(set);
    const std::optional<std::string> shortest = regex::any_shortest_member(exprs_, set, limits_.regex_fuel);
    ASSERT_TRUE(shortest.has_value());
    ASSERT_NE(regex::emptiness(exprs_, written, limits_.regex_fuel), regex::Emptiness::kEmpty) << *shortest;
    // A set of the range of doubles and one value outside it keeps both.
    const auto longest = static_cast<std::uint32_t>(shortest->size() + 430 + kMost);
    const ExprId longer = exprs_.intersection(written, exprs_.repeat(digit, longest, regex::kUnbounded));
    ASSERT_EQ(regex::emptiness(exprs_, longer, limits_.regex_fuel), regex::Emptiness::kEmpty)
        << low.to_string() << " " << high.to_string();
  }
}

// With few digits left, only one of many prefixes has a multiple. A division knows which, so no search is needed.
TEST_F(NumberLanguageTest, LargeMultiplesOfFewDigits) {
  NumberSpelling spelling{NumberSpelling::Exponents::kNever};
  spelling.plain_integers = spelling.doubles = true;
  spelling.most_digits = 20;
  NumberLanguage numbers(exprs_, spelling, limits_);
  std::mt19937 random(9);
  for (const char* divisor : {"1000003", "99991", "10000.03"}) {
    const ExprId all = numbers.written(get(numbers.multiples_of(dec(divisor))));
    for (std::size_t length = 10; length < 20; ++length) {
      for (int i = 0; i < 100; ++i) {
        ExprId at = exprs_.derivative(all, '1');
        for (std::size_t k = 1; k < length && at != ExprId::kNothing; ++k) {
          at = exprs_.derivative(at, static_cast<std::uint8_t>('0' + random() % 10));
        }
        ASSERT_NE(regex::emptiness(exprs_, at, 150), Emptiness::kUnknown) << divisor << " " << length;
      }
    }
  }
}

TEST_F(NumberLanguageTest, DoublesAreInTheirRange) {
  NumberSpelling spelling;
  spelling.doubles = true;
  NumberLanguage numbers(exprs_, spelling, limits_);
  const ExprId written = numbers.written(numbers.offered());
  for (const char* text : {"0", "-0.0", "0e999", "1.7976931348623157e308", "-1.7976931348623157E+308",
                           "2.2250738585072014e-308", "-9.5e-300", "1234567890123456789012345678901234567890"}) {
    EXPECT_TRUE(exprs_.matches(written, text)) << text;
    EXPECT_TRUE(std::isfinite(std::strtod(text, nullptr))) << text;
  }
  for (const char* text :
       {"1.8e308", "-1e309", "1e999999", "1.7976931348623158e308", "2.2250738585072013e-308", "-1e-400"}) {
    EXPECT_FALSE(exprs_.matches(written, text)) << text;
    EXPECT_TRUE(exprs_.matches(numbers.offered(), text)) << text;
  }
  EXPECT_TRUE(exprs_.matches(written, "1" + std::string(308, '0')));
  EXPECT_FALSE(exprs_.matches(written, "1" + std::string(309, '0')));
  EXPECT_TRUE(exprs_.matches(written, "0." + std::string(306, '0') + "1"));
  EXPECT_FALSE(exprs_.matches(written, "0." + std::string(400, '0') + "1"));
}

TEST_F(NumberLanguageTest, LiteralsOfDraft4) {
  for (const char* text : {"0", "-0", "12", "-900"})
    EXPECT_TRUE(exprs_.matches(numbers_.integer_literals(), text)) << text;
  for (const char* text : {"1.0", "1e3", "01", "-", ""})
    EXPECT_FALSE(exprs_.matches(numbers_.integer_literals(), text)) << text;
}

/// Random numbers near each other, with many digits and with exponents.
TEST_F(NumberLanguageTest, LongNumbers) {
  std::mt19937 random(3);
  const auto some_number = [&](std::size_t digits) {
    std::string text = random() % 3 == 0 ? "-" : "";
    text += static_cast<char>('1' + random() % 9);
    for (std::size_t i = random() % digits; i > 0; --i) text += static_cast<char>('0' + random() % 10);
    if (random() % 2 == 0) {
      text += '.';
      for (std::size_t i = 1 + random() % digits; i > 0; --i) text += "0009"[random() % 4];
      text += '7';
    }
    return text;
  };
  for (int i = 0; i < 300; ++i) {
    const std::string a = some_number(30);
    const Decimal low = dec(a);
    const ExprId set = get(numbers_.interval(i % 2 == 0 ? at_least(a) : beyond(a), {}));
    for (int k = 0; k < 30; ++k) {
      std::string b = k % 2 == 0 ? a : some_number(30);
      if (k % 4 == 0) b.back() = static_cast<char>('0' + random() % 10);
      if (k % 4 == 2) b += b.find('.') == std::string::npos ? ".000" : "000";
      const bool expected = i % 2 == 0 ? dec(b) >= low : dec(b) > low;
      ASSERT_EQ(exprs_.matches(set, b), expected) << b << " and " << a;
    }
  }
}

TEST_F(NumberLanguageTest, ScientificTextsOfDoubles) {
  const ExprId integers = get(numbers_.multiples_of(Decimal(1)));
  const ExprId hundredths = get(numbers_.multiples_of(dec("0.01")));
  const ExprId positive = get(numbers_.interval(beyond("0"), {}));
  struct Case {
    const char* text;
    bool integer, hundredth, positive;
  };
  for (const Case& c : std::vector<Case>{{"1e+16", true, true, true},
                                         {"1.2345678901234567e+16", true, true, true},
                                         {"1.2345678901234567e+15", false, true, true},
                                         {"1.2345678901234567e+13", false, false, true},
                                         {"-1e-05", false, false, false},
                                         {"1e-02", false, true, true},
                                         {"1.50e+01", true, true, true},
                                         {"1.55e+01", false, true, true},
                                         {"0e0", true, true, false},
                                         {"-0.00E-7", true, true, false},
                                         {"1.7976931348623157e+308", true, true, true}}) {
    EXPECT_EQ(exprs_.matches(integers, c.text), c.integer) << c.text;
    EXPECT_EQ(exprs_.matches(hundredths, c.text), c.hundredth) << c.text;
    EXPECT_EQ(exprs_.matches(positive, c.text), c.positive) << c.text;
  }
  const ExprId odd = get(numbers_.multiples_of(dec("0.123456789")));
  EXPECT_FALSE(exprs_.matches(odd, "1e+308"));
  EXPECT_TRUE(exprs_.matches(odd, "1.23456789e+300"));
  EXPECT_TRUE(exprs_.matches(get(numbers_.multiples_of(dec("0.5"))), "1e+308"));
}

TEST_F(NumberLanguageTest, HugeBoundsAreSmallExpressions) {
  const std::size_t before = exprs_.node_count();
  const ExprId large = get(numbers_.interval(at_least("1e999999999"), {}));
  const ExprId tiny = get(numbers_.interval(beyond("0"), at_least("25e-1000000000")));
  EXPECT_LT(exprs_.node_count() - before, 2'000U);
  EXPECT_TRUE(exprs_.matches(large, "1e999999999"));
  EXPECT_TRUE(exprs_.matches(large, "2.5E1000000000"));
  EXPECT_FALSE(exprs_.matches(large, "9.99e999999998"));
  EXPECT_FALSE(exprs_.matches(large, "123456789"));
  EXPECT_TRUE(exprs_.matches(tiny, "2.5e-999999999"));
  EXPECT_FALSE(exprs_.matches(tiny, "2.6e-999999999"));
  EXPECT_FALSE(exprs_.matches(tiny, "0"));
  const Result<ExprId> beyond_limit = numbers_.interval(at_least("1e1000000002"), {});
  ASSERT_FALSE(beyond_limit.has_value());
  EXPECT_EQ(beyond_limit.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(beyond_limit.error().limit, "repeat_count");
}

// What the check of a schema relies on when it makes no expressions of numbers.
TEST_F(NumberLanguageTest, ExpressionsOfANumberAreEstimated) {
  for (const std::uint32_t decimals : {0U, 1U, 16U, 300U}) {
    const NumberSpelling spelling{.scientific_decimals = decimals};
    for (const std::string_view text : {"1", "7", "0.5", "123456789", "1e999999999", "25e-900000000", "-3.25",
                                        "9007199254740993", "1e15", "0.000001", "97", "4294967295e-3"}) {
      const Decimal number = dec(text);
      const std::uint64_t most = NumberLanguage::most_expressions(number, spelling);
      for (const bool is_divisor : {false, true}) {
        ExprSet exprs(limits_.regex_nodes);
        NumberLanguage numbers(exprs, spelling, limits_);
        const std::size_t before = exprs.node_count();
        if (is_divisor && (number.sign() < 0 || !NumberLanguage::check_divisor(number, limits_))) continue;
        get(is_divisor ? numbers.multiples_of(number) : numbers.interval(NumberBound{number, true}, std::nullopt));
        EXPECT_LE(exprs.node_count() - before, most) << text << ' ' << is_divisor << ' ' << decimals;
      }
    }
  }
  EXPECT_LT(NumberLanguage::most_expressions(dec("123"), {}), 10'000U);
}

TEST_F(NumberLanguageTest, Limits) {
  EXPECT_TRUE(numbers_.multiples_of(dec("4294967295e-3")).has_value());
  for (const char* divisor : {"4294967296", "0.1234567890123", "1e-16384"}) {
    const Result<ExprId> e = numbers_.multiples_of(dec(divisor));
    ASSERT_FALSE(e.has_value()) << divisor;
    EXPECT_EQ(e.error().code, ErrorCode::kUnsupported);
  }
  ExprSet few(300);
  NumberLanguage cramped(few, {}, limits_);
  const Result<ExprId> e = cramped.interval(at_least("123456789.123456789"), at_least("987654321.987654321"));
  ASSERT_FALSE(e.has_value());
  EXPECT_EQ(e.error().limit, "regex_nodes");
}

// A bounded set of multiples has few values. Each value is tested against the excluded multiples, and no product of the
// remainders of all divisors is built.
TEST(NumberLanguage, FewValuesAreListed) {
  ExprSet exprs(Limits{}.regex_nodes);
  NumberLanguage numbers(exprs, {}, Limits{});
  const auto multiples = [&](std::string_view divisor) { return *numbers.multiples_of(dec(divisor)); };
  const ExprId excluded = numbers.join(numbers.join(multiples("2"), multiples("7.5")), multiples("11"));
  const ExprId bounds = *numbers.interval(NumberBound{dec("-200"), true}, NumberBound{dec("90"), false});
  const ExprId others = numbers.complement(excluded);
  const ExprId e = numbers.meet(numbers.meet(bounds, others), multiples("1.5"));
  for (int tenths = -2'100; tenths <= 1'000; ++tenths) {
    const Decimal value = dec(std::to_string(tenths) + "e-1");
    const bool is_in = tenths % 15 == 0 && tenths > -2'000 && tenths <= 900 && tenths % 20 != 0 && tenths % 75 != 0 &&
                       tenths % 110 != 0;
    const std::string plain = std::to_string(tenths / 10) + "." + std::to_string(std::abs(tenths % 10)) + "0";
    EXPECT_EQ(exprs.matches(e, tenths > -10 && tenths < 0 ? "-" + plain : plain), is_in) << tenths;
    if (tenths % 100 == 0 && tenths != 0) {
      EXPECT_EQ(exprs.matches(e, std::to_string(tenths / 100) + "e1"), is_in && std::abs(tenths) < 1'000) << tenths;
    }
  }
  EXPECT_EQ(numbers.meet(*numbers.value(dec("17")), others), *numbers.value(dec("17")));
  EXPECT_EQ(numbers.meet(*numbers.value(dec("1e308")), others), ExprId::kNothing);
  EXPECT_EQ(numbers.meet(others, *numbers.value(dec("-22"))), ExprId::kNothing);
  EXPECT_LE(exprs.node_count(), 50'000U);
}

// The trie of many values has the texts of each, in all spellings, and no others.
TEST_F(NumberLanguageTest, ManyValuesAreTheUnionOfEach) {
  for (const NumberSpelling& spelling :
       {NumberSpelling{}, NumberSpelling{.trailing_zeros = 0}, NumberSpelling{.trailing_zeros = 2},
        NumberSpelling{.scientific_decimals = 2, .trailing_zeros = 1},
        NumberSpelling{.exponents = NumberSpelling::Exponents::kNever}}) {
    NumberLanguage numbers(exprs_, spelling, Limits{});
    const std::vector<Decimal> values = {dec("0"),    dec("1"),    dec("1.0"),  dec("10"),   dec("100"),
                                         dec("-1"),   dec("-10"),  dec("1.05"), dec("0.1"),  dec("-0.1"),
                                         dec("1.01"), dec("1e39"), dec("1e9"),  dec("1e45"), dec("1e-45")};
    const ExprId all = *numbers.values(values);
    expect_set(
        all, spelling, "01-.e", 6, [&](const Decimal& d) { return std::ranges::find(values, d) != values.end(); },
        "values");
    std::vector<ExprId> each;
    for (const Decimal& value : values) each.push_back(*numbers.value(value));
    const ExprId joined = exprs_.alternation(each);
    EXPECT_EQ(emptiness(exprs_, exprs_.difference(all, joined), 100'000), Emptiness::kEmpty);
    EXPECT_EQ(emptiness(exprs_, exprs_.difference(joined, all), 100'000), Emptiness::kEmpty);
  }
  NumberLanguage numbers(exprs_, {}, Limits{});
  EXPECT_EQ(*numbers.values({}), ExprId::kNothing);
}

// Integers of draft 4 are defined by their texts, not by their values: 5.0 is not one of them.
TEST(NumberLanguage, LiteralsAreNotListed) {
  ExprSet exprs(Limits{}.regex_nodes);
  NumberLanguage numbers(exprs, {}, Limits{});
  const ExprId five = numbers.meet(numbers.integer_literals(), *numbers.value(dec("5")));
  EXPECT_TRUE(exprs.matches(five, "5"));
  EXPECT_FALSE(exprs.matches(five, "5.0"));
}

}  // namespace
}  // namespace weir::frontend::json_schema
