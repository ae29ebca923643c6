// Grammars that a text refers to as `@name`: those in Lark become modules beside its own, others rules.
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

/// What a node of kind kGrammar leads to; `Node::index` says which.
struct NamedTarget {
  std::uint32_t module = 0;
  std::optional<grammar::RuleId> rule = {};  ///< Of a grammar in another language; there is no module then.
};

/// `error` as one of the whole text: that of a named grammar is at the place that named it.
Error placed(const Module& module, Error error);

/// Parses `text` and all grammars that it leads to, each once, and sets the index of each kGrammar node.
std::vector<NamedTarget> parse_with_named(std::string_view text, const GrammarTextOptions& options, SyntaxTree& tree,
                                          Reading& reading);

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_NAMED_GRAMMARS_H_
