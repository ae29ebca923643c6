// Styles of tools for tests that take long with each: those that only name another one's form are left out.
#ifndef WEIR_TESTS_DISTINCT_STYLES_H_
#define WEIR_TESTS_DISTINCT_STYLES_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "weir/tools.h"

namespace weir::tests {

/// Returns the styles that constrain calls in different ways, in the order of tool_styles().
inline std::vector<std::string_view> distinct_styles() {
  std::vector<std::string_view> styles;
  std::set<std::string> tags;
  for (const std::string_view style : tool_styles()) {
    const auto tag = structural_tag_for_tools(style, R"([{"name": "f", "parameters": {"properties": {"a": {}}}}])");
    if (tag && tags.insert(*tag).second) styles.push_back(style);
  }
  return styles;
}

}  // namespace weir::tests

#endif  // WEIR_TESTS_DISTINCT_STYLES_H_
