// Unit tests of parts of the command: statistics and descriptions of bytes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "distribution.h"
#include "text.h"

namespace weir::cli {
namespace {

TEST(Distribution, PercentilesAreOfTheNearestRank) {
  std::vector<std::uint64_t> times;
  for (std::uint64_t i = 1000; i >= 1; --i) times.push_back(i);
  const Distribution d = distribution_of(times);
  EXPECT_EQ(d.count, 1000U);
  EXPECT_DOUBLE_EQ(d.mean, 500.5);
  EXPECT_EQ(d.p50, 500U);
  EXPECT_EQ(d.p90, 900U);
  EXPECT_EQ(d.p99, 990U);
  EXPECT_EQ(d.p999, 999U);
  EXPECT_EQ(d.max, 1000U);
}

TEST(Distribution, OneTimeAndNone) {
  const Distribution one = distribution_of({7});
  EXPECT_EQ(one.p50, 7U);
  EXPECT_EQ(one.p999, 7U);
  EXPECT_EQ(distribution_of({}).count, 0U);
}

TEST(FormatTime, ChoosesTheUnitThatFits) {
  EXPECT_EQ(format_time(834), "834 ns");
  EXPECT_EQ(format_time(12'340), "12.3 µs");
  EXPECT_EQ(format_time(4'560'000), "4.56 ms");
  EXPECT_EQ(format_time(120e9), "120 s");
}

TEST(DescribeBytes, ListsRangesOrWhatIsMissing) {
  const auto describe = [](const std::string& bytes) {
    return describe_bytes(std::vector<std::uint8_t>(bytes.begin(), bytes.end()));
  };
  EXPECT_EQ(describe(""), "no byte");
  EXPECT_EQ(describe("\n abcx\x80\x81"), "line feed, blank, `a`–`c`, `x`, 0x80, 0x81");
  std::string most;
  for (int byte = 0; byte < 256; ++byte) {
    if (byte != '"' && byte != '\\') most += static_cast<char>(byte);
  }
  EXPECT_EQ(describe(most), "any byte but `\"`, `\\`");
}

TEST(CharacterAt, FindsTheWholeCharacter) {
  const std::string text = "a你\xFFz";
  EXPECT_EQ(character_at(text, 0), (SourceRange{0, 1}));
  EXPECT_EQ(character_at(text, 1), (SourceRange{1, 4}));
  EXPECT_EQ(character_at(text, 3), (SourceRange{1, 4}));
  EXPECT_EQ(character_at(text, 4), (SourceRange{4, 5}));
  EXPECT_EQ(character_at(text, 5), (SourceRange{5, 6}));
  EXPECT_EQ(character_at(text, 6), (SourceRange{6, 6}));
  EXPECT_EQ(character_at("\xE4\xBD", 1), (SourceRange{1, 2}));  // a truncated character counts as one byte
}

}  // namespace
}  // namespace weir::cli
