// Locks that cost nothing where a program cannot have threads.
//
// WHAT   Mutex, MutexLock and Condition are the standard library's where it has threads. WebAssembly without its
//        threads proposal has none, and the standard library leaves these types out; here they are empty then.
// WHY    One code for both: callers lock as if threads existed. Headers of the standard library that need threads
//        (<thread>, <mutex>'s std::mutex, <condition_variable>, <future>) are used through this header only, except in
//        code that WEIR_HAS_THREADS guards. std::call_once exists in both and is used directly.
#ifndef WEIR_SRC_BASE_THREADS_H_
#define WEIR_SRC_BASE_THREADS_H_

#include <mutex>

#if defined(__wasm__) && !defined(_REENTRANT)
#define WEIR_HAS_THREADS 0
#else
#define WEIR_HAS_THREADS 1
#include <condition_variable>
#endif

namespace weir {

#if WEIR_HAS_THREADS

using Mutex = std::mutex;
/// Locks a mutex while it lives; may be unlocked and locked again in between.
using MutexLock = std::unique_lock<std::mutex>;
using Condition = std::condition_variable;

#else

class Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;
};

class MutexLock {
 public:
  explicit MutexLock(Mutex& /*mutex*/) {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  ~MutexLock() {}  // not trivial, so that compilers do not report unused locks
  void lock() {}
  void unlock() {}
};

/// There is no other thread that could make a condition true, so waiting for one returns at once.
class Condition {
 public:
  void notify_one() {}
  void notify_all() {}
  template <typename Predicate>
  void wait(MutexLock& /*lock*/, Predicate /*is_true*/) {}
};

#endif

}  // namespace weir

#endif  // WEIR_SRC_BASE_THREADS_H_
