// Probes: run the calls of a case at one size after another in a child process, and measure each.
//
// A child writes a line before each call and one after it. A call that takes longer than a deadline of processor time
// ends the child, and the parent knows from the last line which one it was.
#ifndef WEIR_TESTS_GROWTH_PROBE_H_
#define WEIR_TESTS_GROWTH_PROBE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "growth/cases.h"
#include "weir/weir.h"

namespace weir::growth {

/// The largest figures of the calls of one name at one size.
struct Measured {
  std::uint64_t size = 0;
  std::string call;
  std::uint64_t calls = 0;
  std::uint64_t work = 0;    // steps of Limits::call_work, without those that made dropped states again
  std::uint64_t total = 0;   // of all calls
  std::uint64_t micros = 0;  // of processor time
  std::uint64_t blind = 0;   // microseconds of the call that took most beyond what its steps explain
  std::uint64_t bytes = 0;   // allocated at once, beyond what was there before the call; of `held`, after all calls
  std::uint64_t given = 0;   // length of the text that it was given
  std::string outcome;       // `ok`, or of the worst call: the limit that it met, `refused`, `none`, or an error's code
};

/// A call that ended its process.
struct Death {
  std::string how;  // "deadline", "memory", "signal 11"
  std::uint64_t size = 0;
  std::string call;
};

struct Probed {
  std::vector<Measured> calls;
  std::vector<Death> deaths;  // after each, the call was left out, from that size on
  std::uint64_t at_size = 0;  // the call that began last; empty if it has ended
  std::string at_call;
};

/// Runs a case in a child process, at each of `sizes`. `seconds` of processor time is the deadline of a call.
Probed probe(const Case& one, const std::vector<std::uint64_t>& sizes, const TokenizerInfo& tokenizer,
             const Limits& limits, unsigned seconds);

}  // namespace weir::growth

#endif  // WEIR_TESTS_GROWTH_PROBE_H_
