// build_call: runs a function that reads or compiles a grammar as one call under Limits::call_work.
#ifndef WEIR_SRC_BASE_BUILD_CALL_H_
#define WEIR_SRC_BASE_BUILD_CALL_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/limit.h"
#include "base/stack.h"
#include "base/work.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::base {

/// The limit of steps for building is this many times that for other calls: building is done once for a grammar, and
/// before its output begins.
inline constexpr std::uint64_t kBuildFactor = 5;

/// Returns the Result of `build`. If building exceeded the limit of steps, returns an error about the limit instead,
/// because searches that ended early may have made any result wrong; its place is that of the error that `build`
/// returned, if there is one. Errors that do not depend on a search are returned as they are.
template <typename Build>
auto build_call(const Limits& limits, Build build) -> decltype(build()) {
  const std::uint64_t most =
      limits.call_work > UINT64_MAX / kBuildFactor ? UINT64_MAX : limits.call_work * kBuildFactor;
  const Work::Call call(most);
  auto result = with_stack(build, kCallStack);
  if (!Work::is_met()) return result;
  Error error;
  if (!result) {
    const ErrorCode code = result.error().code;
    const bool is_certain = code != ErrorCode::kUnsatisfiable && code != ErrorCode::kLimitExceeded;
    if (is_certain || result.error().limit == field_name(Limit::kCallWork)) return result;
    error = std::move(result.error());
    error.notes.clear();
    error.fix.reset();
  }
  error.code = ErrorCode::kLimitExceeded;
  error.limit = field_name(Limit::kCallWork);
  error.message =
      "reading and compiling takes more steps than the limit `" + error.limit + "` allows, " + std::to_string(most);
  error.hint = "raise Limits::" + error.limit + ", or simplify the grammar";
  return tl::unexpected(std::move(error));
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_BUILD_CALL_H_
