#include "base/recycling_vector.h"

#include <gtest/gtest.h>

namespace weir::base {
namespace {

struct Element {
  std::vector<int> numbers = {};
  int other = 0;
  void recycle() {
    numbers.clear();
    other = 0;
  }
};

TEST(RecyclingVector, ElementsAreAsNewAndKeepTheirBuffers) {
  RecyclingVector<Element> elements;
  elements.append().numbers.assign(100, 7);
  elements.append().other = 3;
  ASSERT_EQ(elements.size(), 2U);
  const int* const buffer = elements[0].numbers.data();
  elements.clear();
  EXPECT_EQ(elements.size(), 0U);
  EXPECT_TRUE(elements.all().empty());
  Element& again = elements.append();
  EXPECT_TRUE(again.numbers.empty());
  again.numbers.push_back(1);
  EXPECT_EQ(again.numbers.data(), buffer);
  EXPECT_EQ(elements.append().other, 0);
  EXPECT_EQ(elements.append().other, 0);  // one more than before
  EXPECT_EQ(elements.all().size(), 3U);
}

}  // namespace
}  // namespace weir::base
