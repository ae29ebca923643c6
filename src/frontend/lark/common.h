// The terminals of Lark's library `common`.
#ifndef WEIR_SRC_FRONTEND_LARK_COMMON_H_
#define WEIR_SRC_FRONTEND_LARK_COMMON_H_

#include <span>
#include <string_view>

namespace weir::frontend::lark {

std::span<const std::string_view> common_terminal_names();
bool is_common_terminal(std::string_view name);
/// Returns the terminal as a regular expression of weir. Precondition: is_common_terminal(name).
std::string_view common_terminal_pattern(std::string_view name);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_COMMON_H_
