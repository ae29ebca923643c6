// Reads a grammar in any of the grammar languages with the front end for that language.
#ifndef WEIR_SRC_FRONTEND_TEXT_H_
#define WEIR_SRC_FRONTEND_TEXT_H_

#include <optional>
#include <string>
#include <string_view>

#include "frontend/reading.h"
#include "weir/grammar.h"

namespace weir::frontend {

/// Adds the rules of the text, and returns the start rule.
std::optional<grammar::RuleId> read_text(std::string_view text, const GrammarTextOptions& options, Reading& reading);

/// Returns the names of the grammar languages, separated by commas.
std::string syntax_names();

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_TEXT_H_
