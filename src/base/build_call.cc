#include "base/build_call.h"

#include <string>

#include "base/limit.h"

namespace weir::base {

void blame_call_work(Error& error) {
  if (!Work::is_met()) return;
  const std::string limit = field_name(Limit::kCallWork);
  const bool is_certain = error.code != ErrorCode::kUnsatisfiable && error.code != ErrorCode::kLimitExceeded;
  if (is_certain || error.limit == limit) return;
  error.notes.clear();
  error.fix.reset();
  error.code = ErrorCode::kLimitExceeded;
  error.limit = limit;
  error.message = "reading and compiling takes more steps than the limit `" + limit + "` allows, " +
                  std::to_string(Work::handed_over().most);
  error.hint = "raise Limits::" + limit + ", or simplify the grammar";
}

}  // namespace weir::base
