#include "weir/batch.h"
#include "api/search_bounds.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/threads.h"
#include "engine/matcher/cursor.h"
#include "weir/bitmask.h"

#if WEIR_HAS_THREADS
#include <system_error>
#include <thread>
#endif

namespace weir {

namespace {

// What can be done for a row before its mask is asked for.
struct Ahead {
  std::optional<engine::PendingMask> mask;
  engine::MaskRow* row = nullptr;  // the matcher's row, if the batch's own masks are asked for
};

#if WEIR_HAS_THREADS

// A pool of threads. Each call's rows are taken one by one by the threads and by the caller, who then waits for those
// that are still being worked on. Between calls the threads work ahead. A call ends this: it waits until no row is
// being written. A thread that computes a mask finishes its piece (background_work.h) and joins in.
class Pool {
 public:
  static constexpr bool kCanWorkAhead = true;
  Pool(unsigned threads, bool works_ahead) : most_helpers_(threads - 1) {
    // If the system starts fewer threads, these do the work. With `works_ahead` there is one more, because the caller
    // does not work ahead.
    try {
      for (unsigned i = works_ahead ? 0 : 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
    }
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    stop_ahead();
    {
      const MutexLock lock(mutex_);
      ends_ = true;
    }
    begins_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  /// Calls `work(row)` for each row below `count`, with at most `helpers` threads besides the caller.
  void run(std::size_t count, std::size_t helpers, const std::function<void(std::size_t)>& work) {
    // The caller takes at least one row itself.
    helpers = std::min({helpers, threads_.size(), most_helpers_, count == 0 ? 0 : count - 1});
    if (helpers > 0) {
      const MutexLock lock(mutex_);
      work_ = &work;
      count_ = count;
      next_row_.store(0, std::memory_order_relaxed);
      wanted_ = helpers;
    }
    for (std::size_t i = 0; i < helpers; ++i) begins_.notify_one();
    if (helpers == 0) {
      for (std::size_t row = 0; row < count; ++row) work(row);
      return;
    }
    take_rows(work, count);
    MutexLock lock(mutex_);
    wanted_ = 0;  // no row is left for threads that have not woken up yet
    done_.wait(lock, [this] { return working_ == 0; });
    work_ = nullptr;
  }

  /// Returns at once. Wakes up to `helpers` threads, which do `ahead` in this order until it is done or stopped. Threads
  /// that are awake join them. Precondition: stop_ahead() was called since the last time.
  void work_ahead(std::vector<Ahead> ahead, std::size_t helpers) {
    if (threads_.empty() || ahead.empty()) return;
    std::reverse(ahead.begin(), ahead.end());
    {
      const MutexLock lock(mutex_);
      ahead_ = std::move(ahead);
    }
    works_ahead_ = true;
    for (std::size_t i = 0; i < std::min(helpers, threads_.size()); ++i) begins_.notify_one();
  }

  /// After this, no thread writes a row or begins work ahead. A thread may still be computing a mask.
  void stop_ahead() {
    if (!works_ahead_) return;
    works_ahead_ = false;
    std::vector<Ahead> dropped;  // destroyed after the lock
    {
      const MutexLock lock(mutex_);
      turn_.fetch_add(1, std::memory_order_relaxed);
      ahead_.swap(dropped);
    }
    while (writing_.load(std::memory_order_acquire) != 0) std::this_thread::yield();  // microseconds
  }

 private:
  void take_rows(const std::function<void(std::size_t)>& work, std::size_t count) {
    for (std::size_t row = next_row_.fetch_add(1); row < count; row = next_row_.fetch_add(1)) work(row);
  }

  void serve() {
    MutexLock lock(mutex_);
    for (;;) {
      begins_.wait(lock, [this] { return ends_ || wanted_ > 0 || !ahead_.empty(); });
      if (ends_) return;
      if (wanted_ > 0) {
        --wanted_;
        ++working_;
        const std::function<void(std::size_t)>& work = *work_;
        const std::size_t count = count_;
        lock.unlock();
        take_rows(work, count);
        lock.lock();
        if (--working_ == 0) done_.notify_one();
      } else {
        Ahead next = std::move(ahead_.back());
        ahead_.pop_back();
        const std::uint32_t turn = turn_.load(std::memory_order_relaxed);
        lock.unlock();
        do_ahead(next, turn);
        next = {};  // may be the last owner of an automaton, so not under the lock
        lock.lock();
      }
    }
  }

  void do_ahead(const Ahead& ahead, std::uint32_t turn) {
    const engine::PendingMask& pending = *ahead.mask;
    const engine::Mask* mask = engine::make_in_advance(pending, turn_, turn);
    if (mask == nullptr || !pending.is_for_row) return;
    {
      const MutexLock lock(mutex_);
      if (turn_.load(std::memory_order_relaxed) != turn) return;
      writing_.fetch_add(1, std::memory_order_relaxed);
    }
    ahead.row->write(pending.automaton, *mask);
    for (const std::uint32_t token : pending.refused) ahead.row->set(token, false);
    if (mask->undecided.empty()) ahead.row->set_number(pending.number);
    writing_.fetch_sub(1, std::memory_order_release);
  }

  std::size_t most_helpers_;
  Mutex mutex_;
  Condition begins_, done_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t count_ = 0;
  std::size_t wanted_ = 0;   // threads that may still join in
  std::size_t working_ = 0;  // threads that have joined in
  bool ends_ = false;
  std::atomic<std::size_t> next_row_ = 0;
  std::vector<Ahead> ahead_;              // in reverse order: the last element is done next
  std::atomic<std::uint32_t> turn_ = 0;   // incremented by stop_ahead()
  bool works_ahead_ = false;              // caller's thread only: work_ahead() was called and stop_ahead() was not
  std::atomic<std::size_t> writing_ = 0;  // threads that write a row
  std::vector<std::thread> threads_;
};

unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

#else

// Without threads the caller does all rows itself, and nothing is done ahead.
class Pool {
 public:
  static constexpr bool kCanWorkAhead = false;
  Pool(unsigned /*threads*/, bool /*works_ahead*/) {}
  void run(std::size_t count, std::size_t /*helpers*/, const std::function<void(std::size_t)>& work) {
    for (std::size_t row = 0; row < count; ++row) work(row);
  }
  void work_ahead(std::vector<Ahead> /*ahead*/, std::size_t /*helpers*/) {}
  void stop_ahead() {}
};

unsigned processors() { return 1; }

#endif

// Returns how many threads are worth using for these rows, at least one.
std::size_t threads_worth(std::size_t new_rows, std::size_t known_rows) {
  return std::max<std::size_t>(1, new_rows + known_rows / kKnownRowsOfThread);
}

using MaskWork = engine::Cursor::MaskWork;

}  // namespace

class BatchMatcher::Impl {
 public:
  explicit Impl(const BatchOptions& options)
      : pool_(std::min(options.threads != 0 ? options.threads : processors(), kMaxThreads), options.prefetch),
        prefetches_(options.prefetch) {}

  void fill(std::span<GrammarMatcher* const> matchers, std::span<std::uint32_t> bitmasks, std::span<Step> steps) {
    pool_.stop_ahead();  // the calls below compute the masks that are not known
    const std::size_t words = bitmasks.size() / matchers.size();
    order_.clear();
    for (std::size_t row = 0; row < matchers.size(); ++row) {
      steps[row] = Step::kOk;
      if (matchers[row] != nullptr) order_.push_back({row, matchers[row]->cursor().mask_work(nullptr)});
    }
    run_in_order([&](std::size_t row) {
      steps[row] = matchers[row]->fill_next_token_bitmask(bitmasks.subspan(row * words, words));
    });
  }

  std::span<const std::uint32_t> fill_own(std::span<GrammarMatcher* const> matchers, std::span<Step> steps) {
    pool_.stop_ahead();
    std::ranges::fill(steps, Step::kOk);
    matchers_.clear();
    const auto first = std::ranges::find_if(matchers, [](const GrammarMatcher* matcher) { return matcher != nullptr; });
    if (first == matchers.end()) return {};
    const std::size_t words = bitmask_words((*first)->compiled_grammar().tokenizer_info().vocab_size());
    make_room(matchers.size(), words);
    matchers_.assign(matchers.begin(), matchers.end());
    order_.clear();
    for (std::size_t row = 0; row < matchers.size(); ++row) {
      if (matchers[row] == nullptr) {
        rows_[row].allow_all();
      } else if (const MaskWork work = matchers[row]->cursor().mask_work(&rows_[row]); work != MaskWork::kNone) {
        order_.push_back({row, work});
      }
    }
    run_in_order([&](std::size_t row) { steps[row] = matchers[row]->cursor().fill_row(rows_[row]); });
    return std::span(memory_.back()).first(matchers.size() * words);
  }

  void accept(std::span<GrammarMatcher* const> matchers, std::span<const std::uint32_t> tokens, std::span<Step> steps) {
    pool_.stop_ahead();
    if (!Pool::kCanWorkAhead || !prefetches_) {
      pool_.run(matchers.size(), threads_worth(0, matchers.size()) - 1, [&](std::size_t i) {
        steps[i] = matchers[i] == nullptr ? Step::kOk : matchers[i]->accept_token(tokens[i]);
      });
      return;
    }
    std::vector<Ahead> ahead(matchers.size());  // allocated before any token is accepted
    find_rows(matchers, ahead);
    pool_.run(matchers.size(), threads_worth(0, matchers.size()) - 1, [&](std::size_t i) {
      steps[i] = Step::kOk;
      if (matchers[i] == nullptr) return;
      steps[i] = matchers[i]->accept_token(tokens[i]);
      ahead[i].mask = matchers[i]->cursor().pending_mask(ahead[i].row);
    });
    std::erase_if(ahead, [](const Ahead& one) { return !one.mask.has_value(); });
    const auto known = std::ranges::stable_partition(ahead, [](const Ahead& one) { return !one.mask->is_known; });
    const std::size_t helpers = threads_worth(ahead.size() - known.size(), known.size());
    pool_.work_ahead(std::move(ahead), helpers);
  }

 private:
  struct RowWork {
    std::size_t row;
    MaskWork work;
  };

  // Calls `work(row)` for each row of order_. Masks that are not known come first: otherwise one that takes long could
  // begin when the other threads have nothing left to do.
  template <typename Work>
  void run_in_order(const Work& work) {
    const auto known = std::stable_partition(order_.begin(), order_.end(),
                                             [](const RowWork& one) { return one.work == MaskWork::kMake; });
    const auto new_rows = static_cast<std::size_t>(known - order_.begin());
    // The caller does one thread's share.
    const std::size_t helpers = threads_worth(new_rows, order_.size() - new_rows) - 1;
    pool_.run(order_.size(), helpers, [&](std::size_t i) { work(order_[i].row); });
  }

  // Makes rows_ at least `count` rows of `words` words.
  void make_room(std::size_t count, std::size_t words) {
    if (count <= rows_.size() && words == rows_.front().words().size()) return;
    rows_.clear();
    const std::size_t known = memory_.empty() ? 0 : memory_.back().size();
    if (count * words > known) {
      // A caller may still have the span of an earlier call, so that memory stays. Since it doubles, all of it together
      // is less than twice as much as the last.
      memory_.emplace_back(std::max(count * words, 2 * known));
    } else {
      std::ranges::fill(memory_.back(), 0);
    }
    const std::span<std::uint32_t> all = memory_.back();
    rows_.reserve(all.size() / words);
    for (std::size_t begin = 0; begin + words <= all.size(); begin += words) {
      rows_.emplace_back(all.subspan(begin, words));
    }
  }

  // Finds the row of each matcher, if it had one in the last call of fill_own and the order is the same.
  void find_rows(std::span<GrammarMatcher* const> matchers, std::vector<Ahead>& ahead) {
    auto next = matchers_.begin();
    for (std::size_t i = 0; i < matchers.size() && next != matchers_.end(); ++i) {
      if (matchers[i] == nullptr) continue;
      const auto found = std::find(next, matchers_.end(), matchers[i]);
      if (found == matchers_.end()) return;
      ahead[i].row = &rows_[static_cast<std::size_t>(found - matchers_.begin())];
      next = found + 1;
    }
  }

  // The batch's own bitmasks.
  std::vector<std::vector<std::uint32_t>> memory_;  // the last one is in use
  std::vector<engine::MaskRow> rows_;
  std::vector<const GrammarMatcher*> matchers_;  // those of the last call, to find their rows; they may be gone
  std::vector<RowWork> order_;                   // scratch
  Pool pool_;                                    // destroyed first: its threads write the rows
  bool prefetches_;
};

BatchMatcher::BatchMatcher(unsigned threads) : BatchMatcher(BatchOptions{.threads = threads}) {}
BatchMatcher::BatchMatcher(const BatchOptions& options) : impl_(std::make_unique<Impl>(options)) {}
BatchMatcher::~BatchMatcher() = default;

Step BatchMatcher::fill_next_token_bitmasks(std::span<GrammarMatcher* const> matchers,
                                            std::span<std::uint32_t> bitmasks, std::span<Step> steps) {
  if (steps.size() != matchers.size()) return Step::kBadArgument;
  if (matchers.empty()) return bitmasks.empty() ? Step::kOk : Step::kBadArgument;
  if (bitmasks.size() % matchers.size() != 0) return Step::kBadArgument;
  impl_->fill(matchers, bitmasks, steps);
  return Step::kOk;
}

Step BatchMatcher::next_token_bitmasks(std::span<GrammarMatcher* const> matchers, std::span<Step> steps,
                                       std::span<const std::uint32_t>& bitmasks) {
  bitmasks = {};
  if (steps.size() != matchers.size()) return Step::kBadArgument;
  bitmasks = impl_->fill_own(matchers, steps);
  return Step::kOk;
}

Step BatchMatcher::accept_tokens(std::span<GrammarMatcher* const> matchers, std::span<const std::uint32_t> tokens,
                                 std::span<Step> steps) {
  if (tokens.size() != matchers.size() || steps.size() != matchers.size()) return Step::kBadArgument;
  impl_->accept(matchers, tokens, steps);
  return Step::kOk;
}

}  // namespace weir
