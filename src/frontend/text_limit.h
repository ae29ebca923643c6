// The error for a text of more bytes than a limit allows.
#ifndef WEIR_SRC_FRONTEND_TEXT_LIMIT_H_
#define WEIR_SRC_FRONTEND_TEXT_LIMIT_H_

#include <cstddef>

#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend {

/// Returns the error for a text of `size` bytes, which are more than text_bytes.
Error text_too_long(std::size_t size, const Limits& limits);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_TEXT_LIMIT_H_
