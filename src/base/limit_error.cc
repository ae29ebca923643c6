#include "base/limit_error.h"

namespace weir::base {

Error limit_error(std::string_view work, std::string_view limit, SourceRange where) {
  Error error{ErrorCode::kLimitExceeded, std::string(work), where, "raise Limits::", std::string(limit)};
  error.message.append(" exceeds the limit `").append(limit).append("`");
  error.hint += limit;
  return error;
}

}  // namespace weir::base
