#include "weir/error.h"

#include <algorithm>

#include "base/utf8.h"

namespace weir {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kInvalidArgument: return "invalid_argument";
    case ErrorCode::kSyntax: return "syntax";
    case ErrorCode::kUnsupported: return "unsupported";
    case ErrorCode::kUnsatisfiable: return "unsatisfiable";
    case ErrorCode::kLimitExceeded: return "limit_exceeded";
    case ErrorCode::kInternal: return "internal";
  }
  return "internal";
}

LineColumn line_column(std::string_view text, std::size_t offset) noexcept {
  offset = std::min(offset, text.size());
  LineColumn at;
  for (std::size_t pos = 0; pos < offset;) {
    if (text[pos] == '\n') {
      ++at.line;
      at.column = 1;
      ++pos;
    } else {
      ++at.column;
      pos += std::max<std::size_t>(1, base::decode_utf8(text, pos).length);
    }
  }
  return at;
}

}  // namespace weir
