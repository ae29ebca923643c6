#include "frontend/regex/regex.h"

#include <utility>

#include "base/utf8.h"

namespace weir::frontend {

regex::SyntaxOptions regex_syntax(const RegexOptions& options) {
  regex::SyntaxOptions syntax;
  switch (options.dialect) {
    case RegexDialect::kWeir: break;
    case RegexDialect::kEcma262: syntax.dialect = regex::Dialect::kEcma262; break;
    case RegexDialect::kRust: syntax.dialect = regex::Dialect::kRust; break;
    case RegexDialect::kPython: syntax.dialect = regex::Dialect::kPython; break;
    case RegexDialect::kPcre: syntax.dialect = regex::Dialect::kPcre; break;
  }
  syntax.ignore_case = options.ignore_case;
  syntax.multi_line = options.multi_line;
  syntax.dot_all = options.dot_all;
  syntax.extended = options.extended;
  syntax.operators = options.operators;
  syntax.search = options.match == RegexMatch::kSearch;
  return syntax;
}

std::optional<grammar::RuleId> read_regex(std::string_view pattern, const regex::SyntaxOptions& options,
                                          Reading& reading) {
  grammar::Grammar& grammar = reading.grammar;
  const Result<regex::ExprId> expr = regex::parse_regex(grammar.exprs, pattern, options, reading.limits);
  if (!expr) return reading.fail(expr.error());
  const SourceRange where{0, pattern.size()};
  grammar::Rule root;
  root.name = "root";
  root.where = where;
  root.defined = true;
  root.body = grammar.add_terminal({*expr, grammar::MatchMode::kExact,
                                    "/" + base::escape_for_display(pattern, grammar::kTerminalNameBytes) + "/", where});
  return grammar.add_rule(std::move(root));
}

}  // namespace weir::frontend
