// Makes a structural tag of the tools of a request: weir/tools.h, with reasons in errors about schemas.
#ifndef WEIR_SRC_FRONTEND_TOOLS_TOOLS_H_
#define WEIR_SRC_FRONTEND_TOOLS_TOOLS_H_

#include <string>
#include <string_view>

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

}  // namespace tools
}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_TOOLS_TOOLS_H_
