// BatchMatcher: steps a batch of matchers with one call, on the caller's thread or on several.
//
// WHAT   Row i of a call belongs to matchers[i]. A null pointer is a row without a grammar; its row of the bitmasks is
//        not changed, and its step is kOk. The rows are independent: the matchers may run on different compiled
//        grammars, but all vocabularies must have the same size.
// COST   The cost of the single calls, divided among the threads. Waking a thread takes 15 µs or more, so the caller's
//        thread does a small batch whose masks are known by itself.
// THREADS One call at a time on each BatchMatcher. A matcher must not occur twice in a batch.
#ifndef WEIR_BATCH_H_
#define WEIR_BATCH_H_

#include <cstdint>
#include <memory>
#include <span>

#include "weir/export.h"
#include "weir/matcher.h"

namespace weir {

/// Options of a BatchMatcher.
struct BatchOptions {
  /// The number of threads that work on a call, the caller's thread included. 0 means one thread per processor. Threads
  /// in excess of the number of rows stay idle; those in excess of 256 are not started.
  unsigned threads = 1;
  /// After accept_tokens, `threads` additional threads compute the masks of the rows' new states in advance, and write
  /// those of next_token_bitmasks. The next call ends that. Results do not change. Masks that take more than about two
  /// milliseconds are not computed in advance, nor are masks of rows with a budget or bounds on tokens.
  bool prefetch = false;
};

class WEIR_API BatchMatcher {
 public:
  explicit BatchMatcher(unsigned threads = 1);
  /// Example
  ///     weir::BatchMatcher batch({.threads = 4, .prefetch = true});
  explicit BatchMatcher(const BatchOptions& options);
  BatchMatcher(const BatchMatcher&) = delete;
  BatchMatcher& operator=(const BatchMatcher&) = delete;
  ~BatchMatcher();

  /// Calls GrammarMatcher::fill_next_token_bitmask for each row.
  ///
  /// Shape    `bitmasks` holds matchers.size() rows of equal length, one after another. `steps` has matchers.size()
  ///          entries; each receives what its row's call returned, or kOk for a null pointer.
  /// Returns  kOk; kBadArgument if the sizes do not fit together, and then nothing is written. If the rows' length does
  ///          not fit a matcher's vocabulary, only that row's step is kBadArgument.
  /// Example
  ///     weir::BatchMatcher batch(4);  // four threads
  ///     std::vector<weir::GrammarMatcher*> matchers = {&first, nullptr, &third};  // the second row has no grammar
  ///     std::vector<std::uint32_t> bitmasks(3 * weir::bitmask_words(vocab_size), 0xFFFFFFFF);  // that row allows all
  ///     std::vector<weir::Step> steps(3);
  ///     if (batch.fill_next_token_bitmasks(matchers, bitmasks, steps) != weir::Step::kOk) return;
  Step fill_next_token_bitmasks(std::span<GrammarMatcher* const> matchers, std::span<std::uint32_t> bitmasks,
                                std::span<Step> steps);

  /// Finds the same masks as fill_next_token_bitmasks, in memory of the batch. That takes less time, since only what
  /// differs from the last call's masks is written, with `prefetch` before this call.
  ///
  /// Shape    `bitmasks` becomes a span of matchers.size() rows of equal length, one after another; all bits are set in
  ///          the row of a null pointer. If all pointers are null, the span is empty.
  /// Returns  kOk; kBadArgument if the sizes differ, and then `bitmasks` is empty. A row whose step is not kOk is zero.
  ///          If a matcher's vocabulary needs rows of another length than the first one's, its step is kBadArgument.
  /// Lifetime What is in the span is valid until the batch's next call of any kind: then other threads may write to it.
  ///          The memory itself stays until the batch is destroyed.
  /// Cost     Nearly nothing for rows whose mask is as before, or was written in advance; otherwise by how much the
  ///          masks differ.
  /// Example
  ///     std::span<const std::uint32_t> bitmasks;
  ///     if (batch.next_token_bitmasks(matchers, steps, bitmasks) != weir::Step::kOk) return;
  ///     send_to_device(bitmasks);
  Step next_token_bitmasks(std::span<GrammarMatcher* const> matchers, std::span<Step> steps,
                           std::span<const std::uint32_t>& bitmasks);

  /// Calls GrammarMatcher::accept_token for each row.
  ///
  /// Shape    One token and one step for each matcher.
  /// Returns  kOk; kBadArgument if the sizes differ, and then no matcher has changed. Otherwise each step is what its
  ///          row's call returned, or kOk for a null pointer.
  /// Example
  ///     const std::vector<std::uint32_t> tokens = {17, 0, 4};  // the token of a null row is ignored
  ///     if (batch.accept_tokens(matchers, tokens, steps) != weir::Step::kOk) return;
  Step accept_tokens(std::span<GrammarMatcher* const> matchers, std::span<const std::uint32_t> tokens,
                     std::span<Step> steps);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weir

#endif  // WEIR_BATCH_H_
