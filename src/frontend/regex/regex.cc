#include "frontend/regex/regex.h"

#include <utility>

#include "base/utf8.h"

namespace weir::frontend {

Result<grammar::Grammar> regex_grammar(std::string_view pattern, const regex::SyntaxOptions& options,
                                       const Limits& limits) {
  grammar::Grammar grammar(limits.regex_nodes);
  const Result<regex::ExprId> expr = regex::parse_regex(grammar.exprs, pattern, options, limits);
  if (!expr) return tl::unexpected(expr.error());
  const SourceRange where{0, pattern.size()};
  grammar::Rule root;
  root.name = "root";
  root.where = where;
  root.defined = true;
  root.body = grammar.add_terminal({*expr, grammar::MatchMode::kExact,
                                    "/" + base::escape_for_display(pattern, grammar::kTerminalNameBytes) + "/", where});
  grammar.start = grammar.add_rule(std::move(root));
  return grammar;
}

}  // namespace weir::frontend
