// YieldingMutex: a mutex that knows how many threads wait for it, so that background work can let them go first.
//
// WHY    std::mutex does not say whether a thread waits. And a thread that unlocks it and locks it again often gets it
//        before a thread that waits.
// COST   That of a mutex; two atomic additions if the thread has to wait.
#ifndef WEIR_SRC_BASE_YIELDING_MUTEX_H_
#define WEIR_SRC_BASE_YIELDING_MUTEX_H_

#include <atomic>
#include <cstdint>

#include "base/threads.h"

namespace weir::base {

class YieldingMutex {
 public:
  YieldingMutex() = default;
  YieldingMutex(const YieldingMutex&) = delete;
  YieldingMutex& operator=(const YieldingMutex&) = delete;

#if WEIR_HAS_THREADS
  void lock() {
    if (mutex_.try_lock()) return;
    waiting_.fetch_add(1, std::memory_order_relaxed);
    mutex_.lock();
    waiting_.fetch_sub(1, std::memory_order_relaxed);
  }
  void unlock() { mutex_.unlock(); }
#else
  void lock() {}
  void unlock() {}
#endif

  /// Returns the number of threads that wait in lock(). It may have changed when this returns.
  [[nodiscard]] std::uint32_t waiting() const { return waiting_.load(std::memory_order_relaxed); }

 private:
#if WEIR_HAS_THREADS
  Mutex mutex_;
#endif
  std::atomic<std::uint32_t> waiting_ = 0;
};

/// Holds a YieldingMutex while it lives.
class YieldingLock {
 public:
  explicit YieldingLock(YieldingMutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  ~YieldingLock() { mutex_.unlock(); }
  YieldingLock(const YieldingLock&) = delete;
  YieldingLock& operator=(const YieldingLock&) = delete;

 private:
  YieldingMutex& mutex_;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_YIELDING_MUTEX_H_
