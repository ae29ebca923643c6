// Turns the tools of a chat request into a structural tag, in the form in which a model was trained to write calls.
// docs/tools.md lists the styles and where each is published.
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

/// How a model may call tools.
struct ToolOptions {
  /// JSON as in OpenAI's API: "none", "auto", "required", an object that names one function, or an `allowed_tools`
  /// object.
  std::string tool_choice = "\"auto\"";
  bool parallel_tool_calls = true;  ///< True if several calls are allowed, where the style has a way to write them.
  /// Whether the output begins with reasoning.
  enum class Reasoning : std::uint8_t {
    kNone,   ///< The output has no reasoning.
    kWhole,  ///< The output begins with reasoning between the style's tags.
    kBegun,  ///< The prompt already ends with the tag that opens the reasoning.
    kAuto,   ///< The output begins with reasoning between the style's tags, or has none.
  };
  Reasoning reasoning = Reasoning::kNone;
  std::uint32_t max_reasoning_tokens = 0;  ///< The most tokens of reasoning; 0: any number.
  /// A text that may stand between reasoning and the tag that ends it, beyond the bound on tokens. Empty: none.
  std::string reasoning_closing = {};
  /// JSON as in OpenAI's API: what an answer without calls is. Empty: text.
  std::string response_format = {};
  /// What becomes of a tool with a schema that is refused. One that a provider runs (`web_search`) is an error or left out.
  enum class OnBadTool : std::uint8_t {
    kRefuse,  ///< An error.
    kLoosen,  ///< The tool takes any arguments. Compiling the tag warns.
    kDrop,    ///< The tool cannot be called. Compiling the tag warns.
  };
  OnBadTool on_bad_tool = OnBadTool::kRefuse;
  friend bool operator==(const ToolOptions&, const ToolOptions&) = default;
};

/// Returns a structural tag, as JSON, for Grammar::from_structural_tag. `style` is one of tool_styles(), or the JSON text of
/// a tokenizer's response template as transformers reads it (docs/transformers.md). `tools` is JSON: a list of {"type":
/// "function", "function": {"name", "parameters", ...}}, or of the inner objects alone, or of custom tools, {"type":
/// "custom", "custom": {"name", "format"}}. The arguments of a call are a capture under the name.
/// Errors   kSyntax: `tools` is not JSON. kInvalidArgument: an unknown style, `tools` that is not a list of tools, a
///          choice that is not JSON or names a tool that is not in the list. kUnsupported: the style has no way to
///          write the reasoning, the name of a tool, or the input of a custom one, or no style can say what a response
///          template says; Error::text is then the template. Those of from_structural_tag for the schema of a tool, as
///          far as they do not depend on its options. Error::where is a range of `tools`, empty if something else is
///          wrong; the message names the tool. If several tools are wrong, Error::notes has the others.
/// Example
///     const std::string tools = R"([{"name": "time", "parameters": {"properties": {"zone": {"type": "string"}}}}])";
///     auto tag = weir::structural_tag_for_tools("hermes", tools, {.tool_choice = "\"required\""});
///     if (tag) compiled = compiler.compile_structural_tag(*tag);
WEIR_API Result<std::string> structural_tag_for_tools(std::string_view style, std::string_view tools,
                                                      const ToolOptions& options = {}, const Limits& limits = {});

/// Returns the names of the styles, in the order of docs/tools.md.
WEIR_API std::vector<std::string_view> tool_styles();

}  // namespace weir

#endif  // WEIR_TOOLS_H_
