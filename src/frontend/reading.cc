#include "frontend/reading.h"

#include <string>

#include "base/utf8.h"
#include "base/work.h"
#include "frontend/text_limit.h"

namespace weir::frontend {

Error text_too_long(std::size_t size, const Limits& limits) {
  return {ErrorCode::kLimitExceeded,
          "the text has " + std::to_string(size) + " bytes, the limit is " + std::to_string(limits.text_bytes),
          {},
          {},
          "text_bytes"};
}

Result<void> check_text(std::string_view text, const Limits& limits) {
  if (text.size() > limits.text_bytes) return tl::unexpected(text_too_long(text.size(), limits));
  base::Work::charge(text.size() / base::Work::kTextBytes);
  if (const std::size_t at = base::find_invalid_utf8(text); at != std::string_view::npos) {
    return tl::unexpected(Error{ErrorCode::kSyntax, "the text is not valid UTF-8", {at, at + 1}, {}, {}});
  }
  return {};
}

}  // namespace weir::frontend
