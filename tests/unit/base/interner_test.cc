#include "base/interner.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>

namespace weir::base {
namespace {

TEST(Interner, AgreesWithAMap) {
  WordInterner interner;
  std::map<std::vector<std::uint32_t>, std::uint32_t> expected;
  std::minstd_rand random(7);
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::uint32_t> words(random() % 4);
    for (auto& w : words) w = static_cast<std::uint32_t>(random() % 12);
    const auto [it, is_new] = expected.try_emplace(words, static_cast<std::uint32_t>(expected.size()));
    ASSERT_EQ(interner.find(words), is_new ? std::nullopt : std::optional(it->second));
    const auto [id, interned] = interner.intern(words);
    ASSERT_EQ(id, it->second);
    ASSERT_EQ(interned, is_new);
  }
  EXPECT_EQ(interner.size(), expected.size());
  for (const auto& [words, id] : expected) EXPECT_TRUE(std::ranges::equal(interner[id], words));
}

}  // namespace
}  // namespace weir::base
