// Tools of a chat request as a structural tag, in the way in which a model has been taught to write calls.
// docs/tools.md has the styles and where each is published.
#ifndef WEIR_TOOLS_H_
#define WEIR_TOOLS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/export.h"
#include "weir/limits.h"

namespace weir {

struct ToolOptions {
  /// JSON, as OpenAI has it: "none", "auto", "required", an object that names a function, or one of `allowed_tools`.
  std::string tool_choice = "\"auto\"";
  bool parallel_tool_calls = true;  ///< Whether there may be several calls, where the style has a way to write them.
  enum class Reasoning : std::uint8_t {
    kNone,   ///< The output has none.
    kWhole,  ///< It begins with reasoning, between the style's tags.
    kBegun,  ///< The prompt ends with the tag that begins it.
  };
  Reasoning reasoning = Reasoning::kNone;
  friend bool operator==(const ToolOptions&, const ToolOptions&) = default;
};

/// A structural tag, as JSON, for Grammar::from_structural_tag. `tools` is JSON: a list of {"type": "function",
/// "function": {"name", "parameters", ...}}, or of the same without the inner object. The arguments of a call are a
/// capture under the function's name.
/// Errors   kSyntax: not JSON. kInvalidArgument: a style that there is not, what is no list of tools, a choice of none
///          of them. kUnsupported: reasoning that the style has no way to write. Error::where is a range of `tools`.
///          Schemas are looked at by from_structural_tag only.
WEIR_API Result<std::string> structural_tag_for_tools(std::string_view style, std::string_view tools,
                                                      const ToolOptions& options = {}, const Limits& limits = {});

/// The names of the styles, in the order of docs/tools.md.
WEIR_API std::vector<std::string_view> tool_styles();

}  // namespace weir

#endif  // WEIR_TOOLS_H_
