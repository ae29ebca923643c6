// Helpers that create the errors of the regex parsers.
#ifndef WEIR_SRC_REGEX_SYNTAX_PARSER_ERROR_H_
#define WEIR_SRC_REGEX_SYNTAX_PARSER_ERROR_H_

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "weir/error.h"

namespace weir::regex {

inline std::string join(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (std::string_view part : parts) out += part;
  return out;
}

inline tl::unexpected<Error> syntax_error(SourceRange where, std::string message, std::string hint = {}) {
  return tl::unexpected(Error{ErrorCode::kSyntax, std::move(message), where, std::move(hint), {}});
}
inline tl::unexpected<Error> unsupported_error(SourceRange where, std::string message, std::string hint = {}) {
  return tl::unexpected(Error{ErrorCode::kUnsupported, std::move(message), where, std::move(hint), {}});
}
inline tl::unexpected<Error> limit_error(SourceRange where, std::string message, std::string limit) {
  return tl::unexpected(Error{ErrorCode::kLimitExceeded, std::move(message), where, {}, std::move(limit)});
}

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_SYNTAX_PARSER_ERROR_H_
