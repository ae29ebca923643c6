#include "base/stack.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "base/work.h"
#include "small_stack.h"

namespace weir::base {
namespace {

// Uses some 500 bytes of stack for each level.
std::uint64_t count_levels(std::uint64_t levels) {
  volatile char used[400];
  used[levels % sizeof(used)] = 1;
  if (levels == 0) return 0;
  return with_stack([&] { return count_levels(levels - 1); }) + static_cast<std::uint64_t>(used[levels % sizeof(used)]);
}

TEST(Stack, KnowsWhatIsLeft) {
  on_small_stack([] {
    EXPECT_TRUE(Stack::has(kStackNeed));
    EXPECT_FALSE(Stack::has(small_stack()));
    EXPECT_FALSE(Stack::has(kHelperStack));
    with_stack([] { EXPECT_TRUE(Stack::has(kHelperStack / 2)); }, kHelperStack / 2);
  });
}

// More stack than a helper has, so that helpers get helpers.
TEST(Stack, LevelsAreBoundedByMemoryOnly) {
  static constexpr std::uint64_t kLevels = 100'000;
  on_small_stack([] { EXPECT_EQ(count_levels(kLevels), kLevels); });
  EXPECT_EQ(count_levels(kLevels), kLevels);
}

TEST(Stack, ResultsOfAllKindsReachTheCaller) {
  on_small_stack([] {
    int value = 1;
    int& same = with_stack([&]() -> int& { return value; }, kHelperStack / 2);
    EXPECT_EQ(&same, &value);
    with_stack([&] { value = 2; }, kHelperStack / 2);
    EXPECT_EQ(value, 2);
    EXPECT_EQ(with_stack([] { return std::string(100, 'a'); }, kHelperStack / 2), std::string(100, 'a'));
  });
}

TEST(Stack, ExceptionsReachTheCaller) {
  on_small_stack([] {
    EXPECT_THROW(with_stack([] { throw std::out_of_range("far"); }, kHelperStack / 2), std::out_of_range);
    EXPECT_THROW(with_stack([]() -> int { throw std::bad_alloc(); }, kHelperStack / 2), std::bad_alloc);
  });
}

TEST(Work, WhatWouldExceedACallIsKnownBeforehand) {
  const Work::Call call(100);
  Work::charge(40);
  EXPECT_EQ(Work::most(), 100U);
  EXPECT_FALSE(Work::would_exceed(60));
  EXPECT_TRUE(Work::would_exceed(61));
  EXPECT_TRUE(Work::would_exceed(UINT64_MAX));
  Work::charge(61);
  EXPECT_TRUE(Work::would_exceed(0));
}

TEST(Stack, WorkIsCountedForTheCall) {
  on_small_stack([] {
    {
      const Work::Call call(100);
      Work::charge(10);
      with_stack([] { Work::charge(50); }, kHelperStack / 2);
      EXPECT_FALSE(Work::is_met());
      EXPECT_TRUE(with_stack(
          [] {
            Work::charge(50);
            return Work::is_met();
          },
          kHelperStack / 2));
      EXPECT_TRUE(Work::is_met());
    }
    EXPECT_EQ(Work::last_call(), 110U);
    // A call that begins and ends on the helper is the last one of the caller's thread, too.
    with_stack(
        [] {
          const Work::Call inner(100);
          Work::charge(7);
        },
        kHelperStack / 2);
    EXPECT_EQ(Work::last_call(), 7U);
  });
}

TEST(Stack, HelpersTakeNoSignals) {
  on_small_stack([] {
    with_stack(
        [] {
          sigset_t blocked;
          pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
          EXPECT_EQ(sigismember(&blocked, SIGINT), 1);
          EXPECT_EQ(sigismember(&blocked, SIGTERM), 1);
        },
        kHelperStack / 2);
    sigset_t own;
    pthread_sigmask(SIG_SETMASK, nullptr, &own);
    EXPECT_EQ(sigismember(&own, SIGTERM), 0);
  });
}

}  // namespace
}  // namespace weir::base
