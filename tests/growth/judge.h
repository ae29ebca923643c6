// Judges what a probe has measured: which calls take more than they may.
#ifndef WEIR_TESTS_GROWTH_JUDGE_H_
#define WEIR_TESTS_GROWTH_JUDGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "growth/cases.h"
#include "growth/probe.h"
#include "weir/limits.h"

namespace weir::growth {

struct Fault {
  std::string name;    // of the case
  std::string limits;  // "default" or "public"
  std::string call;
  /// "died": the call did not end before the deadline, or ended the process. "time": it takes more processor time than it
  /// may. "uncounted": more than its steps explain. "memory": more bytes than it may. "growth": its steps grow faster than
  /// the case says. "limit": it meets a limit at a size up to the case's `reach`.
  std::string kind;
  std::uint64_t size = 0;  // the smallest size with the fault
  std::string figure;

  /// What a fault is known by.
  [[nodiscard]] std::string key() const { return limits + " " + name + " " + call + " " + kind; }
};

/// Returns true if this kind of fault depends on the machine, and on what else it does.
bool is_time(const std::string& kind);

/// Returns the faults of a case, at most one of each kind and call, at the smallest size. A call may take `margin` times
/// the time that it should, and, if that is less than 1, as much less memory.
std::vector<Fault> judge(const Case& one, const std::string& limits_name, const Limits& limits, const Probed& probed,
                         double margin = 1);

}  // namespace weir::growth

#endif  // WEIR_TESTS_GROWTH_JUDGE_H_
