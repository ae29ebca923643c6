#include "base/json/decimal.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace weir::base {
namespace {

Decimal dec(std::string_view text) {
  Result<Decimal> value = Decimal::parse(text, Limits{});
  EXPECT_TRUE(value.has_value()) << text;
  return value ? *value : Decimal();
}

TEST(Decimal, EqualValuesHaveOneForm) {
  for (const char* one : {"1", "1.0", "1e0", "100e-2", "0.01E+2", "1.000000000000000000000000"}) {
    EXPECT_EQ(dec(one), Decimal(1)) << one;
    EXPECT_EQ(dec(one).hash(), Decimal(1).hash()) << one;
    EXPECT_EQ(dec(one).digits(), "1");
    EXPECT_EQ(dec(one).exponent(), 0);
  }
  for (const char* zero : {"0", "-0", "0.000", "-0e5", "0e99999999999999999999999999", "0.0E-7"}) {
    EXPECT_EQ(dec(zero), Decimal()) << zero;
    EXPECT_EQ(dec(zero).hash(), Decimal().hash());
    EXPECT_EQ(dec(zero).sign(), 0);
    EXPECT_TRUE(dec(zero).is_integer());
  }
}

TEST(Decimal, HugeExponentsAreCheapAndExact) {
  EXPECT_LT(dec("1e400"), dec("1e401"));
  EXPECT_LT(dec("1e-401"), dec("1e-400"));
  EXPECT_LT(dec("-1e1000000000"), dec("1e-1000000000"));
  EXPECT_EQ(dec("10e999999999"), dec("1e1000000000"));
  EXPECT_TRUE(dec("1e1000000000").is_integer());
  EXPECT_FALSE(dec("1e-1000000000").is_integer());
  EXPECT_TRUE(dec("1e1000000000").is_multiple_of(dec("1024e-7")));
  EXPECT_FALSE(dec("1e1000000000").is_multiple_of(Decimal(3)));
  EXPECT_TRUE(dec("3e1000000000").is_multiple_of(Decimal(3)));
  EXPECT_EQ(dec("1.50e1000000000").to_string(), "1.5e+1000000000");
}

TEST(Decimal, NeighboursBeyondDoublesDiffer) {
  EXPECT_LT(dec("9007199254740992"), dec("9007199254740993"));
  EXPECT_NE(dec("0.1000000000000000055511151231257827"), dec("0.1"));
  EXPECT_TRUE(dec("0.0075").is_multiple_of(dec("0.0001")));
  EXPECT_FALSE(dec("0.00751").is_multiple_of(dec("0.0001")));
  EXPECT_TRUE(dec("1e308").is_multiple_of(dec("0.5")));
  EXPECT_FALSE(dec("1e308").is_multiple_of(dec("0.123456789")));
}

TEST(Decimal, MultiplesByDivisorsOfAnySize) {
  const std::string big = "123456789012345678901234567890123456789";
  EXPECT_TRUE(
      dec("15241578753238836750495351562566681945005334557625361987875019051998750190521").is_multiple_of(dec(big)));
  EXPECT_FALSE(
      dec("15241578753238836750495351562566681945005334557625361987875019051998750190522").is_multiple_of(dec(big)));
  EXPECT_TRUE(Decimal().is_multiple_of(Decimal(7)));
  EXPECT_TRUE(Decimal().is_multiple_of(Decimal()));
  EXPECT_FALSE(Decimal(7).is_multiple_of(Decimal()));
  EXPECT_TRUE(dec("-6").is_multiple_of(dec("4e-1")));
  EXPECT_FALSE(dec("100").is_multiple_of(dec("1e3")));
}

TEST(Decimal, RefusesWhatIsNoJsonNumberAndSaysWhere) {
  struct Case {
    const char* text;
    std::size_t at;
  };
  for (const Case& c : std::vector<Case>{{"", 0},
                                         {"-", 1},
                                         {"+1", 0},
                                         {"01", 0},
                                         {"-01", 1},
                                         {"1.", 2},
                                         {".5", 0},
                                         {"1e", 2},
                                         {"1e+", 3},
                                         {"1x", 1},
                                         {"0x10", 1},
                                         {"1.e5", 2},
                                         {"1.5.2", 3},
                                         {"--1", 1}}) {
    const Result<Decimal> value = Decimal::parse(c.text, Limits{});
    ASSERT_FALSE(value.has_value()) << c.text;
    EXPECT_EQ(value.error().code, ErrorCode::kSyntax) << c.text;
    EXPECT_EQ(value.error().where.start, c.at) << c.text;
  }
}

TEST(Decimal, Limits) {
  Limits limits;
  limits.number_digits = 3;
  EXPECT_TRUE(Decimal::parse("1.23e77", limits).has_value());
  const Result<Decimal> digits = Decimal::parse("12.34", limits);
  ASSERT_FALSE(digits.has_value());
  EXPECT_EQ(digits.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(digits.error().limit, "number_digits");
  for (const char* text :
       {"1e1000000000000001", "1e-1000000000000001", "1e99999999999999999999999", "0.1e-1000000000000000"}) {
    const Result<Decimal> exponent = Decimal::parse(text, Limits{});
    ASSERT_FALSE(exponent.has_value()) << text;
    EXPECT_EQ(exponent.error().code, ErrorCode::kUnsupported) << text;
  }
  EXPECT_EQ(dec("1e1000000000000000").exponent(), Decimal::kMaxExponent);
}

TEST(Decimal, CanonicalText) {
  const std::vector<std::pair<const char*, const char*>> cases = {{"-0.0", "0"},
                                                                  {"1.50", "1.5"},
                                                                  {"-12300", "-12300"},
                                                                  {"1e20", "100000000000000000000"},
                                                                  {"1e21", "1e+21"},
                                                                  {"123e19", "1.23e+21"},
                                                                  {"0.000001", "0.000001"},
                                                                  {"0.0000001", "1e-7"},
                                                                  {"-0.00000012", "-1.2e-7"},
                                                                  {"1e-400", "1e-400"}};
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(dec(text).to_string(), expected);
    EXPECT_EQ(dec(expected), dec(text));
  }
}

TEST(Decimal, SmallIntegersConvertBothWays) {
  EXPECT_EQ(dec("18446744073709551615").to_uint64(), UINT64_MAX);
  EXPECT_EQ(dec("18446744073709551616").to_uint64(), std::nullopt);
  EXPECT_EQ(dec("2e1").to_uint64(), 20U);
  EXPECT_EQ(dec("2.0").to_uint64(), 2U);
  EXPECT_EQ(dec("2.5").to_uint64(), std::nullopt);
  EXPECT_EQ(dec("-1").to_uint64(), std::nullopt);
  EXPECT_EQ(dec("1e1000000000").to_uint64(), std::nullopt);
  EXPECT_EQ(Decimal(INT64_MIN).to_string(), "-9223372036854775808");
  EXPECT_EQ(Decimal(-120).digits(), "12");
}

/// The text of a random number, and its value in units of 10^-6.
struct Sample {
  std::string text;
  std::int64_t millionths = 0;
};

Sample random_sample(std::mt19937& random) {
  std::int64_t digits = static_cast<std::int64_t>(random() % 2000);
  int scale = static_cast<int>(random() % 7) - 3;  // value = digits × 10^scale
  if (random() % 4 == 0) digits *= 10;
  Sample sample;
  sample.millionths = digits;
  for (int i = 0; i < scale + 6; ++i) sample.millionths *= 10;
  sample.text = std::to_string(digits);
  if (random() % 2 == 0 && scale < 0) {
    while (sample.text.size() <= static_cast<std::size_t>(-scale)) sample.text.insert(0, "0");
    sample.text.insert(sample.text.size() - static_cast<std::size_t>(-scale), ".");
  } else {
    sample.text += "e" + std::to_string(scale);
  }
  if (random() % 3 == 0) {
    sample.text.insert(0, "-");
    sample.millionths = -sample.millionths;
  }
  return sample;
}

TEST(Decimal, AgreesWithIntegerArithmetic) {
  std::mt19937 random(7);
  for (int i = 0; i < 100'000; ++i) {
    const Sample a = random_sample(random);
    const Sample b = random_sample(random);
    const Decimal x = dec(a.text);
    const Decimal y = dec(b.text);
    ASSERT_EQ(x <=> y, a.millionths <=> b.millionths) << a.text << " " << b.text;
    ASSERT_EQ(x == y, a.millionths == b.millionths) << a.text << " " << b.text;
    ASSERT_EQ(x.is_integer(), a.millionths % 1'000'000 == 0) << a.text;
    const bool multiple = b.millionths == 0 ? a.millionths == 0 : a.millionths % b.millionths == 0;
    ASSERT_EQ(x.is_multiple_of(y), multiple) << a.text << " " << b.text;
    ASSERT_EQ(dec(x.to_string()), x) << a.text;
    ASSERT_EQ(x.negated().negated(), x);
    ASSERT_EQ(x.absolute().sign(), x.is_zero() ? 0 : 1);
  }
}

}  // namespace
}  // namespace weir::base
