#include "weir/logits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "weir/bitmask.h"

namespace weir {
namespace {

struct Format {
  LogitType type;
  std::uint32_t minus_infinity;
};

// Returns exactly `count` logits of random bits, including NaNs, on the heap, so that ASan detects a write past the
// end.
std::vector<std::uint8_t> random_logits(std::size_t count, LogitType type, std::mt19937& random) {
  std::vector<std::uint8_t> bytes(count * logit_size(type));
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

TEST(Logits, TokensOutsideTheMaskAreMinusInfinityAndAllOthersStay) {
  std::mt19937 random(1);
  const Format formats[] = {
      {LogitType::kFloat32, 0xFF800000}, {LogitType::kFloat16, 0xFC00}, {LogitType::kBFloat16, 0xFF80}};
  for (const Format& format : formats) {
    const std::size_t size = logit_size(format.type);
    for (const std::size_t count : {0, 1, 31, 32, 33, 64, 95, 1000}) {
      for (int density = 0; density <= 4; ++density) {  // nothing, a few, half, most, everything
        std::vector<std::uint32_t> bitmask(bitmask_words(count));
        for (std::size_t token = 0; token < bitmask.size() * 32; ++token) {
          if (random() % 4 < static_cast<unsigned>(density)) bitmask_set(bitmask, static_cast<std::uint32_t>(token));
        }
        const std::vector<std::uint8_t> before = random_logits(count, format.type, random);
        std::vector<std::uint8_t> after = before;
        apply_token_bitmask_inplace(after.data(), count, format.type, bitmask);
        for (std::size_t token = 0; token < count; ++token) {
          std::uint32_t expected = 0;
          std::memcpy(&expected, before.data() + token * size, size);
          if (!bitmask_get(bitmask, static_cast<std::uint32_t>(token))) expected = format.minus_infinity;
          std::uint32_t found = 0;
          std::memcpy(&found, after.data() + token * size, size);
          ASSERT_EQ(found, expected) << token << " of " << count;
        }
      }
    }
  }
}

TEST(Logits, LogitsBeyondTheMaskAreMinusInfinity) {
  std::vector<float> logits(70, 1.0F);
  const std::vector<std::uint32_t> bitmask = {UINT32_MAX, 1};
  apply_token_bitmask_inplace(logits.data(), logits.size(), LogitType::kFloat32, bitmask);
  for (std::size_t i = 0; i < logits.size(); ++i) {
    EXPECT_EQ(logits[i], i <= 32 ? 1.0F : -std::numeric_limits<float>::infinity()) << i;
  }
  apply_token_bitmask_inplace(logits.data(), logits.size(), LogitType::kFloat32, {});
  EXPECT_TRUE(std::isinf(logits[0]));
}

}  // namespace
}  // namespace weir
