#include "weir/batch.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "base/threads.h"
#include "engine/matcher/cursor.h"

#if WEIR_HAS_THREADS
#include <atomic>
#include <system_error>
#include <thread>
#endif

namespace weir {

#if WEIR_HAS_THREADS

// A pool of threads. Each call's rows are taken one by one by the threads and by the caller, who then waits for the
// rest.
class BatchMatcher::Pool {
 public:
  explicit Pool(unsigned threads) {
    // If the system refuses more threads, those that there are do the work.
    try {
      for (unsigned i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
    }
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    {
      const MutexLock lock(mutex_);
      ends_ = true;
    }
    begins_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  /// Calls `work(row)` for each row below `count`.
  void run(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::size_t helpers = 0;
    {
      const MutexLock lock(mutex_);
      work_ = &work;
      count_ = count;
      next_row_.store(0, std::memory_order_relaxed);
      // The caller takes at least one row itself.
      helpers = std::min(threads_.size(), count == 0 ? 0 : count - 1);
      working_ = wanted_ = helpers;
    }
    if (helpers > 0) begins_.notify_all();
    take_rows(work, count);
    MutexLock lock(mutex_);
    done_.wait(lock, [this] { return working_ == 0; });
    work_ = nullptr;
  }

 private:
  void take_rows(const std::function<void(std::size_t)>& work, std::size_t count) {
    for (std::size_t row = next_row_.fetch_add(1); row < count; row = next_row_.fetch_add(1)) work(row);
  }

  void serve() {
    MutexLock lock(mutex_);
    for (;;) {
      begins_.wait(lock, [this] { return ends_ || wanted_ > 0; });
      if (ends_) return;
      --wanted_;
      const std::function<void(std::size_t)>& work = *work_;
      const std::size_t count = count_;
      lock.unlock();
      take_rows(work, count);
      lock.lock();
      if (--working_ == 0) done_.notify_one();
    }
  }

  Mutex mutex_;
  Condition begins_, done_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t count_ = 0;
  std::size_t wanted_ = 0;   // threads that are still to join in
  std::size_t working_ = 0;  // threads that have joined in or will
  bool ends_ = false;
  std::atomic<std::size_t> next_row_ = 0;
  std::vector<std::thread> threads_;
};

namespace {
unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }
}  // namespace

#else

// Without threads the caller does all rows itself.
class BatchMatcher::Pool {
 public:
  explicit Pool(unsigned /*threads*/) {}
  void run(std::size_t count, const std::function<void(std::size_t)>& work) {
    for (std::size_t row = 0; row < count; ++row) work(row);
  }
};

namespace {
unsigned processors() { return 1; }
}  // namespace

#endif

namespace {
constexpr unsigned kMaxThreads = 256;
}

BatchMatcher::BatchMatcher(unsigned threads) : BatchMatcher(BatchOptions{.threads = threads}) {}
BatchMatcher::BatchMatcher(const BatchOptions& options)
    : pool_(std::make_unique<Pool>(std::min(options.threads != 0 ? options.threads : processors(), kMaxThreads))) {
  if (options.prefetch) prefetcher_ = std::make_unique<engine::Prefetcher>();
}
BatchMatcher::~BatchMatcher() = default;

Step BatchMatcher::fill_next_token_bitmasks(std::span<GrammarMatcher* const> matchers,
                                            std::span<std::uint32_t> bitmasks, std::span<Step> steps) {
  if (steps.size() != matchers.size()) return Step::kBadArgument;
  if (matchers.empty()) return bitmasks.empty() ? Step::kOk : Step::kBadArgument;
  if (bitmasks.size() % matchers.size() != 0) return Step::kBadArgument;
  const std::size_t words = bitmasks.size() / matchers.size();
  if (prefetcher_ != nullptr) prefetcher_->set({});  // these calls make what is still to be made
  pool_->run(matchers.size(), [&](std::size_t row) {
    steps[row] = matchers[row] == nullptr
                     ? Step::kOk
                     : matchers[row]->fill_next_token_bitmask(bitmasks.subspan(row * words, words));
  });
  return Step::kOk;
}

Step BatchMatcher::accept_tokens(std::span<GrammarMatcher* const> matchers, std::span<const std::uint32_t> tokens,
                                 std::span<Step> steps) {
  if (tokens.size() != matchers.size() || steps.size() != matchers.size()) return Step::kBadArgument;
  std::vector<engine::PendingMask> pending;
  if (prefetcher_ != nullptr) pending.reserve(matchers.size());  // no allocation can fail once tokens are accepted
  pool_->run(matchers.size(), [&](std::size_t row) {
    steps[row] = matchers[row] == nullptr ? Step::kOk : matchers[row]->accept_token(tokens[row]);
  });
  if (prefetcher_ == nullptr) return Step::kOk;
  for (GrammarMatcher* const matcher : matchers) {
    if (matcher == nullptr) continue;
    if (auto mask = matcher->cursor().pending_mask()) pending.push_back(*std::move(mask));
  }
  prefetcher_->set(std::move(pending));
  return Step::kOk;
}

}  // namespace weir
