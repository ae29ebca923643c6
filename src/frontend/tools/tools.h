// Makes a structural tag of the tools of a request: weir/tools.h, with reasons in errors about schemas.
#ifndef WEIR_SRC_FRONTEND_TOOLS_TOOLS_H_
#define WEIR_SRC_FRONTEND_TOOLS_TOOLS_H_

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_value.h"
#include "frontend/tools/tool_styles.h"
#include "weir/error.h"
#include "weir/limits.h"
#include "weir/tools.h"

namespace weir::frontend {

namespace json_schema {
class SchemaReview;
}

namespace tools {

/// A structural tag, and the names of the tools that its texts may call.
struct ToolTag {
  std::string text;
  std::set<std::string, std::less<>> called = {};
};
/// As weir::structural_tag_for_tools. `review` gives the reasons why no value is valid under a schema; it may be null.
Result<ToolTag> make_structural_tag(std::string_view style, std::string_view tools, const ToolOptions& options,
                                    const Limits& limits, const json_schema::SchemaReview* review);

/// The argument of a custom tool.
inline constexpr std::string_view kInput = "input";
/// Returns the schema of the arguments of a custom tool, whose input is a text with this member in its schema.
std::string of_input(const std::string& member = {});

/// A tool of a request. The strings are in the tree of the list.
struct ListedTool {
  std::string_view name;
  const base::JsonValue* function;  ///< The object with the name and the parameters.
  bool is_custom = false;           ///< Its only argument is a string, kInput.
};
/// Returns the tools of a list. Precondition: make_structural_tag has accepted the list.
std::vector<ListedTool> listed_tools(const base::JsonValue& list);

/// Whether a reply has calls: it has none, it may have some, or it has at least one.
enum class CallMode : std::uint8_t { kNone, kAuto, kRequired };
/// Returns what `tool_choice` says. Precondition: make_structural_tag has accepted it.
CallMode call_mode(std::string_view tool_choice, const Limits& limits);
/// Returns a `tool_choice` of kRequired with these tools alone.
std::string choice_of(std::span<const std::string_view> names);

/// Returns the texts that begin calls of tools with these names, none of which occurs in an answer of text.
std::vector<std::string> call_triggers(const ToolStyle& style, std::span<const std::string_view> names);

}  // namespace tools
}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_TOOLS_TOOLS_H_
