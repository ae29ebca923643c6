// Grammars that a text refers to as `@name`. Lark grammars become modules beside the text's own; grammars in other
// languages become rules.
#ifndef WEIR_SRC_FRONTEND_LARK_NAMED_GRAMMARS_H_
#define WEIR_SRC_FRONTEND_LARK_NAMED_GRAMMARS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "frontend/lark/syntax_tree.h"
#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/grammar.h"

namespace weir::frontend::lark {

/// The target of nodes of kind kGrammar; `Node::index` is its number.
struct NamedTarget {
  std::uint32_t module = 0;
  std::optional<grammar::RuleId> rule = {};  ///< For a grammar in another language; it has no module.
};

/// Converts an error in a module's text to one in the main text, located at the reference to the named grammar.
Error placed(const Module& module, Error error);

/// Parses `text` and all grammars that it refers to, directly or not, once each. Sets the index of each kGrammar node.
std::vector<NamedTarget> parse_with_named(std::string_view text, const GrammarTextOptions& options, SyntaxTree& tree,
                                          Reading& reading);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_NAMED_GRAMMARS_H_
