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
  root.body = grammar.add_terminal({*expr, base::LexemeMode::kExact,
                                    "/" + base::escape_for_display(pattern, grammar::kTerminalNameBytes) + "/", where});
  return grammar.add_rule(std::move(root));
}

Result<SlashedRegex> read_slashes(std::string_view text, SourceRange where, regex::Dialect dialect) {
  const std::string_view written = text.substr(where.start, where.end - where.start);
  const std::size_t close = written.rfind('/');
  const bool has_u = dialect == regex::Dialect::kRust;
  regex::SyntaxOptions options{.dialect = dialect};
  for (std::size_t i = close + 1; i < written.size(); ++i) {
    const char flag = written[i];
    options.ignore_case = options.ignore_case || flag == 'i';
    options.multi_line = options.multi_line || flag == 'm';
    options.dot_all = options.dot_all || flag == 's';
    options.extended = options.extended || flag == 'x';
    // `u` changes nothing: classes are Unicode classes in any case.
    if (std::string_view("imsx").find(flag) != std::string_view::npos || (has_u && flag == 'u')) continue;
    return tl::unexpected(
        Error{ErrorCode::kSyntax,
              std::string("unknown flag `") + flag + "` of a regular expression",
              {where.start + i, where.start + i + 1},
              has_u ? "the flags are `i`, `m`, `s`, `x` and `u`" : "the flags are `i`, `m`, `s` and `x`",
              {}});
  }
  return SlashedRegex{written.substr(1, close - 1), options};
}

Result<regex::ExprId> slashed_regex(regex::ExprSet& exprs, std::string_view text, SourceRange where,
                                    regex::Dialect dialect, const Limits& limits) {
  const Result<SlashedRegex> read = read_slashes(text, where, dialect);
  if (!read) return tl::unexpected(read.error());
  Result<regex::ExprId> expr = regex::parse_regex(exprs, read->pattern, read->options, limits);
  if (!expr) {
    expr.error().where.start += where.start + 1;
    expr.error().where.end += where.start + 1;
  }
  return expr;
}

}  // namespace weir::frontend
