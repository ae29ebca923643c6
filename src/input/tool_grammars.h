// The grammars of the custom tools that a structural tag was made of.
#ifndef WEIR_SRC_INPUT_TOOL_GRAMMARS_H_
#define WEIR_SRC_INPUT_TOOL_GRAMMARS_H_

#include <vector>

#include "frontend/structural_tag/tool_places.h"
#include "input/source.h"
#include "weir/limits.h"

namespace weir::input {

using frontend::structural_tag::ToolGrammar;

/// Returns the grammars of the custom tools in the text of a structural tag; none for other sources.
std::vector<ToolGrammar> tool_grammars(const GrammarSource& source, const Limits& limits);

}  // namespace weir::input

#endif  // WEIR_SRC_INPUT_TOOL_GRAMMARS_H_
