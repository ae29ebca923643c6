#include <utility>

#include "base/build_call.h"
#include "input/tool_tag.h"
#include "lint/schema_lint.h"
#include "weir/tools.h"

namespace weir {

namespace input {

Result<ToolTag> tool_tag(std::string_view style, std::string_view tools, const ToolOptions& options,
                         const Limits& limits) {
  return base::build_call(limits, [&] {
    return frontend::tools::make_structural_tag(style, tools, options, limits, &frontend::json_schema::schema_review());
  });
}

}  // namespace input

Result<std::string> structural_tag_for_tools(std::string_view style, std::string_view tools, const ToolOptions& options,
                                             const Limits& limits) {
  return input::tool_tag(style, tools, options, limits).map([](input::ToolTag tag) { return std::move(tag.text); });
}

}  // namespace weir
