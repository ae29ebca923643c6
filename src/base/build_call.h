// build_call: runs a function that reads or compiles a grammar as one call under Limits::call_work.
#ifndef WEIR_SRC_BASE_BUILD_CALL_H_
#define WEIR_SRC_BASE_BUILD_CALL_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/stack.h"
#include "base/work.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::base {

/// The limit of steps for building is this many times that for other calls: building is done once for a grammar, and
/// before its output begins.
inline constexpr std::uint64_t kBuildFactor = 5;

/// If the call has taken more steps than it may, and searches that ended early may have made this error wrong, turns it
/// into one about that limit, at the same place.
void blame_call_work(Error& error);

/// Makes a text for messages, or all those of an error or a warning, valid UTF-8. Where they quote a text that is not,
/// half of a surrogate pair, which JSON can write, becomes the characters \uHHHH, and any other byte \xHH.
void make_utf8(std::string& text);
void make_utf8(Error& error);
void make_utf8(Warning& warning);

/// Returns the error with Error::options, which its message or its hint names.
inline Error with_options(std::string options, Error error) {
  error.options = std::move(options);
  return error;
}

/// Keeps the first warnings of each kind, of which the last one says how many more there were: what an author does once is
/// often in a text hundreds of times, and a text from a stranger may have a hundred thousand. If they differ in the
/// JSON Pointers of their messages alone, 3 are kept; 100 are kept of those with one code.
void shorten(std::vector<Warning>& warnings);
/// Adds those of `more` that `warnings`, which were shortened, do not have.
void add_new(std::vector<Warning> more, std::vector<Warning>& warnings);

/// Returns the Result of `build`. If building exceeded the limit of steps, returns an error about the limit instead,
/// because searches that ended early may have made any result wrong; its place is that of the error that `build`
/// returned, if there is one. Errors that do not depend on a search are returned as they are.
template <typename Build>
auto build_call(const Limits& limits, Build build) -> decltype(build()) {
  const std::uint64_t most =
      limits.call_work > UINT64_MAX / kBuildFactor ? UINT64_MAX : limits.call_work * kBuildFactor;
  const Work::Call call(most);
  auto result = with_stack(build, kCallStack);
  if (!result) make_utf8(result.error());
  if (!Work::is_met()) return result;
  Error error{ErrorCode::kLimitExceeded, {}};
  if (!result) error = std::move(result.error());
  blame_call_work(error);
  return tl::unexpected(std::move(error));
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_BUILD_CALL_H_
