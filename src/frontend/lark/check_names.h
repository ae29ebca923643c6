// Checks that every name in a text is defined and used with the right parameters.
#ifndef WEIR_SRC_FRONTEND_LARK_CHECK_NAMES_H_
#define WEIR_SRC_FRONTEND_LARK_CHECK_NAMES_H_

#include <vector>

#include "frontend/lark/syntax_tree.h"
#include "weir/error.h"

namespace weir::frontend::lark {

/// Appends an error for each name that is not defined, or used with other parameters than it has.
void check_names(const SyntaxTree& tree, const Module& module, std::vector<Error>& errors);

/// Appends `root` and all nodes below it, parents first.
void list_nodes(const SyntaxTree& tree, std::uint32_t root, std::vector<std::uint32_t>& out);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_CHECK_NAMES_H_
