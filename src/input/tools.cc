#include "weir/tools.h"

#include "base/build_call.h"
#include "frontend/tools/tools.h"
#include "lint/schema_lint.h"

namespace weir {

Result<std::string> structural_tag_for_tools(std::string_view style, std::string_view tools, const ToolOptions& options,
                                             const Limits& limits) {
  return base::build_call(limits, [&] {
    return frontend::tools::make_structural_tag(style, tools, options, limits, &frontend::json_schema::schema_review());
  });
}

}  // namespace weir
