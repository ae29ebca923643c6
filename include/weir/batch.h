// BatchMatcher: one call for a batch of matchers, on the caller's thread or on several.
//
// WHAT   The rows of a batch are independent: each has a matcher of its own, of one compiled grammar or of many, as
//        long as their vocabularies have one size. Row i of a call is about matchers[i]; a null pointer is a row
//        without a grammar and is left alone.
// COST   That of the calls for each matcher, shared among the threads; handing work to a thread costs some
//        microseconds, so for small batches of known states one thread is quickest.
// THREADS One call at a time for each BatchMatcher. No matcher may be in a batch twice.
#ifndef WEIR_BATCH_H_
#define WEIR_BATCH_H_

#include <cstdint>
#include <memory>
#include <span>

#include "weir/export.h"
#include "weir/matcher.h"

namespace weir {

class WEIR_API BatchMatcher {
 public:
  /// `threads` work on a call, the caller's among them; 0: as many as the machine has processors. More than there are
  /// rows do nothing.
  explicit BatchMatcher(unsigned threads = 1);
  BatchMatcher(const BatchMatcher&) = delete;
  BatchMatcher& operator=(const BatchMatcher&) = delete;
  ~BatchMatcher();

  /// GrammarMatcher::fill_next_token_bitmask for each row.
  ///
  /// Shape    `bitmasks` holds matchers.size() rows of equal length, one behind the other; `steps` has matchers.size()
  ///          entries, which say what the single calls returned (kOk for a null pointer).
  /// Returns  kOk; kBadArgument when the sizes do not fit together, and then nothing is written. A row whose length
  ///          does not fit its vocabulary is a kBadArgument of its own.
  Step fill_next_token_bitmasks(std::span<GrammarMatcher* const> matchers, std::span<std::uint32_t> bitmasks,
                                std::span<Step> steps);

  /// GrammarMatcher::accept_token for each row. Shape: one token and one step for each matcher. Returns: as above.
  Step accept_tokens(std::span<GrammarMatcher* const> matchers, std::span<const std::uint32_t> tokens,
                     std::span<Step> steps);

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;
};

}  // namespace weir

#endif  // WEIR_BATCH_H_
