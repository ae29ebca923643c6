// Errors and warnings about tools point into the list of tools that the user wrote, not into the structural tag that was
// made of it.
//
// WHAT   weir/tools.h makes a tag of each tool, with a member `tool` that says which one, and adds the text of the list as
//        the member `tools` of the whole. Places in the tag are found again in that text by their paths.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_TOOL_PLACES_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_TOOL_PLACES_H_

#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::structural_tag {

/// Returns the beginning of a message about the schema of a tool's arguments: "tool `f`, argument `q`: ". `path` is a JSON
/// Pointer from that schema to the place; the argument is named if the place is within one of its `properties`.
std::string in_argument(std::string_view tool, std::string_view path);

/// The member of a format that is a schema, as a JSON Pointer.
inline constexpr std::string_view kSchemaMember = "/json_schema";

/// Changes an error or a warning whose pointer is within the tag of a tool: it names the tool and the argument, and points
/// into the list of tools. There `pointer` leads to the object with the tool's name.
template <typename Finding>
void lead_to_tool(Finding& finding, std::string_view tool, std::string_view pointer);

/// The same for an error without a pointer, by its place in the text of a structural tag; for one that was met before the
/// text could be read, too. A limit that was met outside of the tags of tools, or by all together, names the tool with the
/// longest parameters. If the tag has the text of the tools, the error's places become places in that text.
void move_into_tools(std::string_view text, Error& error, Limits limits);

/// The grammar in Lark of a custom tool.
struct ToolGrammar {
  std::string tool;
  std::string definition;
  std::string pointer = {};  ///< To the definition, in the text of the tools.
  SourceRange where = {};    ///< Likewise.
  std::string tools = {};    ///< That text.
};
/// Returns those of the tools of which a structural tag was made, if it has their text.
std::vector<ToolGrammar> tool_grammars(std::string_view text, Limits limits);

/// The same for warnings. Those without a pointer get one. A tag has the parameters of a tool twice where the arguments may
/// precede the name; of equal warnings about one place in the tools, the first stays.
void move_into_tools(std::string_view text, std::vector<Warning>& warnings, Limits limits);

}  // namespace weir::frontend::structural_tag

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_TOOL_PLACES_H_
