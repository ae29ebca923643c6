// Makes a structural tag of the tools of a request: weir/tools.h, with reasons in errors about schemas.
#ifndef WEIR_SRC_FRONTEND_TOOLS_TOOLS_H_
#define WEIR_SRC_FRONTEND_TOOLS_TOOLS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/tools/tool_styles.h"
#include "weir/error.h"
#include "weir/limits.h"
#include "weir/tools.h"

namespace weir::frontend {

namespace json_schema {
class SchemaReview;
}

namespace tools {

/// As weir::structural_tag_for_tools. `review` gives the reasons why no value is valid under a schema; it may be null.
Result<std::string> make_structural_tag(std::string_view style, std::string_view tools, const ToolOptions& options,
                                        const Limits& limits, const json_schema::SchemaReview* review);

/// Returns the texts that begin calls of tools with these names, none of which occurs in an answer of text.
std::vector<std::string> call_triggers(const ToolStyle& style, std::span<const std::string_view> names);

}  // namespace tools
}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_TOOLS_TOOLS_H_
