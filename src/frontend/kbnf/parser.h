// Words of a KBNF text to rules of the IR.
#ifndef WEIR_SRC_FRONTEND_KBNF_PARSER_H_
#define WEIR_SRC_FRONTEND_KBNF_PARSER_H_

#include <string_view>
#include <vector>

#include "frontend/kbnf/words.h"
#include "frontend/reading.h"
#include "grammar/regular.h"

namespace weir::frontend::kbnf {

/// Adds the rules; names that are used and never defined are left undefined. A rule that cannot be read is an error,
/// and reading goes on with the next; so is each part that cannot be read of one whose structure is right.
/// The operations are those of `except!`, to be resolved when all rules are there.
std::vector<grammar::RegularOperation> parse(std::string_view text, const std::vector<Word>& words, Reading& reading);

}  // namespace weir::frontend::kbnf

#endif  // WEIR_SRC_FRONTEND_KBNF_PARSER_H_
