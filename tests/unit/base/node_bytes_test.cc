// Estimates of what maps take, compared with what they allocate.
#include "base/node_bytes.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weir::base {
namespace {

std::size_t allocated = 0;

template <typename T>
struct Counting {
  using value_type = T;
  Counting() = default;
  template <typename U>
  Counting(const Counting<U>& /*other*/) {}  // NOLINT(google-explicit-constructor): allocators convert
  T* allocate(std::size_t n) {
    constexpr std::size_t kHeader = sizeof(void*);
    allocated += n * sizeof(T) + kHeader;
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* p, std::size_t n) { std::allocator<T>().deallocate(p, n); }
  friend bool operator==(const Counting&, const Counting&) = default;
};

template <typename Map>
void expect_near() {
  allocated = 0;
  Map map;
  for (std::uint32_t i = 0; i < 1'000; ++i) map[i] = {};
  const double share = static_cast<double>(node_bytes(map)) / static_cast<double>(allocated);
  EXPECT_GT(share, 0.75);
  EXPECT_LT(share, 1.35);
}

template <typename Key, typename Value>
using HashMap = std::unordered_map<Key, Value, std::hash<Key>, std::equal_to<>, Counting<std::pair<const Key, Value>>>;
template <typename Key, typename Value>
using Tree = std::map<Key, Value, std::less<>, Counting<std::pair<const Key, Value>>>;

TEST(NodeBytes, AreAboutWhatIsAllocated) {
  expect_near<HashMap<std::uint32_t, bool>>();
  expect_near<HashMap<std::uint64_t, std::uint64_t>>();
  expect_near<HashMap<std::uint64_t, std::vector<int>>>();
  expect_near<Tree<std::uint32_t, bool>>();
  expect_near<Tree<std::uint64_t, std::vector<int>>>();
}

}  // namespace
}  // namespace weir::base
