// Floats as decimal fractions, compared with the standard library's.
#include "base/float_text.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

#include "rounds.h"

namespace weir::base {
namespace {

/// Returns what std::from_chars reads from the whole text, if that is a finite number.
std::optional<float> expected_float(const std::string& text) {
  float value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string expected_text(float value) {
  std::array<char, 64> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

/// Returns all digits of a number; the last ones are zeros.
std::string all_digits(double number) {
  std::array<char, 512> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.170e", number);
  return {text.data(), static_cast<std::size_t>(length)};
}

TEST(FloatText, WritesRandomFloats) {
  std::mt19937 random(1);
  for (int round = 0; round < tests::rounds(40'000); ++round) {
    // Half of the numbers are those of the ordinary exponents.
    auto bits = static_cast<std::uint32_t>(random() % 0x7F80'0000U);
    if (round % 2 == 0) bits = 0x3000'0000U + bits % 0x2000'0000U;
    if (round % 16 == 0) bits &= 0x7F80'0000U;  // powers of two, where the distance of floats changes
    const auto value = std::bit_cast<float>(bits);
    const std::string text = float_text(value);
    ASSERT_EQ(text, expected_text(value)) << bits;
    ASSERT_EQ(read_float(text), value) << text;
  }
}

TEST(FloatText, WritesUsualNumbers) {
  for (int n = 0; n <= 20'000; ++n) {
    const float value = static_cast<float>(n) / 1000;
    ASSERT_EQ(float_text(value), expected_text(value));
  }
  for (int n = 0; n <= 40; ++n) {
    const std::string text = "1e" + std::to_string(n);
    EXPECT_EQ(read_float(text), expected_float(text));
    if (n > 38) continue;
    EXPECT_EQ(float_text(*read_float(text)), expected_text(*expected_float(text)));
  }
  EXPECT_EQ(float_text(std::numeric_limits<float>::max()), "3.4028235e+38");
  EXPECT_EQ(float_text(std::numeric_limits<float>::denorm_min()), "1e-45");
  EXPECT_EQ(float_text(0.7F), "0.7");
  EXPECT_EQ(float_text(0), "0");
}

TEST(FloatText, ReadsTheNearestFloat) {
  std::mt19937 random(2);
  for (int round = 0; round < tests::rounds(10'000); ++round) {
    const auto bits = static_cast<std::uint32_t>(random() % 0x7F7F'FFFFU);
    const double middle = (static_cast<double>(std::bit_cast<float>(bits)) + std::bit_cast<float>(bits + 1)) / 2;
    const std::string exact = all_digits(middle);
    const std::size_t exponent = exact.find('e');
    const std::string digits = exact.substr(0, exponent);
    for (const std::string& text : {exact, digits + "1" + exact.substr(exponent), all_digits(std::nextafter(middle, 0)),
                                    exact.substr(0, 8 + random() % 14) + exact.substr(exponent)}) {
      ASSERT_EQ(read_float(text), expected_float(text)) << text;
    }
  }
}

TEST(FloatText, ReadsRandomTexts) {
  std::mt19937 random(3);
  constexpr std::string_view kCharacters = "0123456789012345678900000.eE+-";
  for (int round = 0; round < tests::rounds(40'000); ++round) {
    std::string text;
    for (std::size_t length = random() % 24; length > 0; --length) text += kCharacters[random() % kCharacters.size()];
    std::optional<float> expected = expected_float(text);
    if (expected && std::signbit(*expected)) expected.reset();
    ASSERT_EQ(read_float(text), expected) << text;
  }
}

TEST(FloatText, Limits) {
  EXPECT_EQ(read_float("3.40282356779733661e38"), std::numeric_limits<float>::max());
  EXPECT_EQ(read_float("3.40282356779733662e38"), std::nullopt);  // nearer to infinity
  EXPECT_EQ(read_float("1e99999999999999999999"), std::nullopt);
  EXPECT_EQ(read_float("0e99999999999999999999"), 0.0F);
  EXPECT_EQ(read_float("1e-99999999999999999999"), std::nullopt);
  EXPECT_EQ(read_float("7.1e-46"), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(read_float("7e-46"), std::nullopt);  // nearer to 0
  EXPECT_EQ(read_float(std::string(100, '0') + "1" + std::string(100, '0') + "e-100"), 1.0F);
  EXPECT_EQ(read_float("0." + std::string(100, '0') + "1e101"), 1.0F);
  for (const char* text :
       {"", ".", "e1", "1e", "1e+", "+1", "-1", "-0", " 1", "1 ", "1..", "1.2.3", "0x1", "inf", "nan", "1f"}) {
    EXPECT_EQ(read_float(text), std::nullopt) << text;
  }
  EXPECT_EQ(read_float(".5"), 0.5F);
  EXPECT_EQ(read_float("5."), 5.0F);
}

}  // namespace
}  // namespace weir::base
