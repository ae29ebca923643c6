// Parses words into definitions.
#ifndef WEIR_SRC_FRONTEND_LARK_PARSER_H_
#define WEIR_SRC_FRONTEND_LARK_PARSER_H_

#include <string_view>
#include <vector>

#include "frontend/lark/syntax_tree.h"
#include "frontend/lark/words.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::lark {

/// Appends to `tree` the module of `text`, then the modules nested in it. After an error, parsing continues with the
/// next definition. No recursion.
void parse(std::string_view text, const std::vector<Word>& words, const Limits& limits, SyntaxTree& tree,
           std::vector<Error>& errors);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_PARSER_H_
