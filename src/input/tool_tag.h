// What weir::structural_tag_for_tools makes, with the names of the tools that may be called.
#ifndef WEIR_SRC_INPUT_TOOL_TAG_H_
#define WEIR_SRC_INPUT_TOOL_TAG_H_

#include <string_view>

#include "frontend/tools/tools.h"

namespace weir::input {

using frontend::tools::ToolTag;

Result<ToolTag> tool_tag(std::string_view style, std::string_view tools, const ToolOptions& options,
                         const Limits& limits);

}  // namespace weir::input

#endif  // WEIR_SRC_INPUT_TOOL_TAG_H_
