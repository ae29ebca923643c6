#include "base/build_call.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace weir::base {
namespace {

std::vector<Warning> numbered(std::size_t first, std::size_t count) {
  std::vector<Warning> warnings;
  for (std::size_t i = first; i < first + count; ++i) {
    Warning warning;
    warning.code = "unused";
    warning.message = "rule " + std::to_string(i);
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

TEST(AddNew, CountsWhatItDoesNotAdd) {
  std::vector<Warning> warnings = numbered(0, 98);
  add_new(numbered(90, 10), warnings);  // two are new
  ASSERT_EQ(warnings.size(), 100U);
  EXPECT_EQ(warnings.back().message, "rule 99");
  add_new(numbered(95, 12), warnings);  // seven are new
  ASSERT_EQ(warnings.size(), 100U);
  EXPECT_EQ(warnings.back().message, "rule 99 (and 7 more warnings of this kind)");
}

// What a shortened list lacks is found again, and is not new.
TEST(AddNew, LeavesTheNumberOfAShortenedList) {
  std::vector<Warning> warnings = numbered(0, 130);
  shorten(warnings);
  add_new(numbered(0, 130), warnings);
  ASSERT_EQ(warnings.size(), 100U);
  EXPECT_EQ(warnings.back().message, "rule 99 (and 30 more warnings of this kind)");
}

}  // namespace
}  // namespace weir::base
