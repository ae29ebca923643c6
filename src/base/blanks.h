// Blanks: the four characters that JSON allows between its tokens, and most languages between theirs.
#ifndef WEIR_SRC_BASE_BLANKS_H_
#define WEIR_SRC_BASE_BLANKS_H_

#include <string_view>

namespace weir::base {

inline constexpr std::string_view kBlanks = " \t\r\n";

constexpr bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

/// Returns the text without the blanks around it: trimmed(" a b\n") is "a b".
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_BLANKS_H_
