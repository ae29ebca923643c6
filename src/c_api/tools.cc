// Functions of the C interface that make structural tags of tools.
#include "weir/tools.h"

#include "c_api/options.h"

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

weir_status weir_structural_tag_for_tools(weir_text style, weir_text tools, const weir_tool_options* options,
                                          const weir_limits* limits, weir_owned_text* out, weir_error** error) {
  return build_text(out, error, [&]() -> weir::Result<std::string> {
    if (!is_valid(style) || !is_valid(tools)) return is_no_array("a text");
    return to_cpp(limits).and_then([&](const weir::Limits& under) {
      return to_cpp(options).and_then([&](const weir::ToolOptions& given) {
        return weir::structural_tag_for_tools(to_view(style), to_view(tools), given, under);
      });
    });
  });
}

size_t weir_tool_style_count() {
  std::size_t count = 0;  // stays 0 if there is no memory
  static_cast<void>(guarded([&] {
    count = weir::tool_styles().size();
    return WEIR_OK;
  }));
  return count;
}

weir_status weir_tool_style(size_t index, weir_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  return guarded([&] {
    const std::vector<std::string_view> styles = weir::tool_styles();
    if (index >= styles.size()) return WEIR_INVALID_ARGUMENT;
    *out = to_c(styles[index]);
    return WEIR_OK;
  });
}
