// A text in any of the languages that have rules, read by the front end for it.
#ifndef WEIR_SRC_FRONTEND_TEXT_H_
#define WEIR_SRC_FRONTEND_TEXT_H_

#include <optional>
#include <string_view>

#include "frontend/reading.h"
#include "weir/grammar.h"

namespace weir::frontend {

/// Adds the text's rules; the one to begin with is returned.
std::optional<grammar::RuleId> read_text(std::string_view text, const GrammarTextOptions& options, Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_TEXT_H_
