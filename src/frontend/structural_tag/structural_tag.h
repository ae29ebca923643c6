// The front end for structural tags: JSON that states which parts of an output follow which format.
// docs/structural_tags.md is the reference.
//
// WHAT   XGrammar's structural tags with all formats, and the older forms: a list of tags and triggers, as in
//        OpenAI-compatible servers, and a list of llguidance's StructTag.
// HOW    input.h reads the JSON and collects errors; formats.h turns each format into a node. Schemas, grammars and
//        regular expressions in it are read by their own front ends into the same grammar. Schemas stay lazy, so a tag
//        with hundreds of tools costs only the parsing of their texts.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_STRUCTURAL_TAG_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_STRUCTURAL_TAG_H_

#include <optional>
#include <string>
#include <string_view>

#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/grammar.h"

namespace weir::frontend {

/// Adds the rules of a structural tag, and returns the first one. Error::pointer locates an error in the JSON.
/// Errors: kSyntax; kInvalidArgument; kUnsupported; those of the front ends for its parts; kLimitExceeded.
std::optional<grammar::RuleId> read_structural_tag(std::string_view text, const StructuralTagOptions& options,
                                                   Reading& reading);

namespace structural_tag {

/// Returns the beginning of a message about the schema of a tool's arguments: "tool `f`, argument `q`: ". `path` is a JSON
/// Pointer from that schema to the place; the argument is named if the place is within one of its `properties`.
std::string in_argument(std::string_view tool, std::string_view path);

/// The member of a format that is a schema, as a JSON Pointer.
inline constexpr std::string_view kSchemaMember = "/json_schema";

/// Has an error whose pointer leads into a tag name the tool that the tag was made from, and the argument, and lead to
/// the place in the list of tools. `pointer` leads to the object with the tool's name there.
void lead_to_tool(Error& error, std::string_view tool, std::string_view pointer);

/// The same for an error without a pointer, by its place in the text of a structural tag; for one that was met before the
/// text could be read, too. An error that is not within the tag of a tool stays as it is.
void lead_to_tool_at(std::string_view text, Error& error);

}  // namespace structural_tag
}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_STRUCTURAL_TAG_H_
