// The error of building for work that met a limit, in one wording for all layers.
#ifndef WEIR_SRC_BASE_LIMIT_ERROR_H_
#define WEIR_SRC_BASE_LIMIT_ERROR_H_

#include <string>
#include <string_view>

#include "weir/error.h"

namespace weir::base {

/// Returns the error "WORK exceeds the limit `LIMIT`", with the hint to raise it. `limit` is a field of Limits. Where the
/// message of a limit says how much is allowed, such as a number of levels or bytes, its caller writes it.
Error limit_error(std::string_view work, std::string_view limit, SourceRange where = {});

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_LIMIT_ERROR_H_
