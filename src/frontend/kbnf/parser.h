// Turns the words of a KBNF text into rules of the IR.
#ifndef WEIR_SRC_FRONTEND_KBNF_PARSER_H_
#define WEIR_SRC_FRONTEND_KBNF_PARSER_H_

#include <string_view>
#include <vector>

#include "frontend/kbnf/words.h"
#include "frontend/reading.h"
#include "grammar/regular.h"

namespace weir::frontend::kbnf {

/// Adds the rules; names that are used but never defined are left undefined. If a rule cannot be read, an error is
/// appended and reading continues with the next rule; if only a terminal in it cannot be read, the rest of the rule is
/// still read. Returns the operations of `except!`, to be resolved when all rules have been read.
std::vector<grammar::RegularOperation> parse(std::string_view text, const std::vector<Word>& words, Reading& reading);

}  // namespace weir::frontend::kbnf

#endif  // WEIR_SRC_FRONTEND_KBNF_PARSER_H_
