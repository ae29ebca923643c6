// Hints for tools and choices that are written as other interfaces write them: those of Anthropic, Google, Amazon, Mistral,
// and of libraries.
#ifndef WEIR_SRC_FRONTEND_TOOLS_REQUEST_HINTS_H_
#define WEIR_SRC_FRONTEND_TOOLS_REQUEST_HINTS_H_

#include <span>
#include <string>
#include <string_view>

#include "base/json/json_value.h"

namespace weir::frontend::tools {

/// Returns the object with the tool's name, from an item of a list of tools or from a choice that names one.
const base::JsonValue* function_of(const base::JsonValue& tool);

/// Returns the hint for an object that was given as the list of tools, or as a tool, and is none: {"toolSpec": {"name": ...}}.
/// Empty if there is none.
std::string hint_about_wrapper(const base::JsonValue& object);

/// Returns the hint for a `tool_choice` of no known form: what says the same here. Empty if what it means is not clear.
/// `names` are those of the tools.
std::string hint_for_choice(const base::JsonValue& choice, std::span<const std::string_view> names);

}  // namespace weir::frontend::tools

#endif  // WEIR_SRC_FRONTEND_TOOLS_REQUEST_HINTS_H_
