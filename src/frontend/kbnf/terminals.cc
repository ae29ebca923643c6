#include "frontend/kbnf/terminals.h"

#include <string>
#include <utility>

#include "base/utf8.h"
#include "frontend/kbnf/text.h"
#include "frontend/substring.h"
#include "regex/syntax/syntax.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::frontend::kbnf {

using base::LexemeMode;
using grammar::NodeId;
using regex::ExprId;
using regex::ExprSet;

ExprId any_text(ExprSet& exprs) { return exprs.repeat(regex::any_code_point(exprs), 0, regex::kUnbounded); }
ExprId some_text(ExprSet& exprs) { return exprs.repeat(regex::any_code_point(exprs), 1, regex::kUnbounded); }

ExprId bounded_text(ExprSet& exprs, std::uint32_t most) {
  return exprs.intersection(some_text(exprs), exprs.repeat(exprs.byte_set(regex::ByteSet::all()), 1, most));
}

std::string terminal_name(std::string_view text, SourceRange where) {
  return base::escape_for_display(text.substr(where.start, where.end - where.start), grammar::kTerminalNameBytes);
}

namespace {

// Returns the language of a pattern: the texts that it matches as a whole or, with `search`, the texts with a match.
Result<ExprId> pattern(const Unquoted& written, bool search, const Limits& limits, ExprSet& exprs) {
  regex::SyntaxOptions options;
  options.dialect = regex::Dialect::kRust;
  options.search = search;
  Result<ExprId> expr = regex::parse_regex(exprs, written.text, options, limits);
  if (!expr) expr.error().where = written.place(expr.error().where);
  return expr;
}

Result<NodeId> literal(std::string_view bytes, SourceRange where, grammar::Grammar& grammar) {
  const NodeId node = grammar.add_literal(bytes, where);
  if (node != NodeId::kEmpty && grammar.terminals.back().expr == ExprId::kOverflow) {
    return tl::unexpected(regex::overflow_error(grammar.exprs, where));
  }
  return node;
}

// Escapes of the quoted text are replaced before the pattern is read, so `\1` in it is no reference to a group.
Warning octal_escape(std::string_view text, SourceRange where) {
  const std::string escape(text.substr(where.start, where.end - where.start));
  return {"`" + escape + "` in a pattern is the character with this octal number, not the text of a group",
          where,
          "there are no references to groups; write a character as `\\u{...}`",
          "octal-escape",
          {}};
}

}  // namespace

Result<NodeId> terminal(std::string_view text, const Word& word, const Limits& limits, grammar::Grammar& grammar,
                        std::vector<Warning>& warnings) {
  ExprSet& exprs = grammar.exprs;
  LexemeMode mode = LexemeMode::kExact;
  Result<ExprId> expr = ExprId::kNothing;
  if (word.kind == WordKind::kAny) {
    expr = some_text(exprs);
  } else {
    const Result<Unquoted> written = unquote(text, word.where);
    if (!written) return tl::unexpected(written.error());
    const bool is_pattern = word.kind != WordKind::kLiteral && word.kind != WordKind::kSubstrings;
    if (is_pattern && !written->octal.empty()) warnings.push_back(octal_escape(text, written->octal.front()));
    switch (word.kind) {
      case WordKind::kLiteral: return literal(written->text, word.where, grammar);
      case WordKind::kSubstrings:
        expr = substring_of(exprs, split_units(written->text, SubstringUnit::kCharacter));
        break;
      case WordKind::kEarlyRegex:
        mode = LexemeMode::kLazy;
        expr = pattern(*written, false, limits, exprs);
        if (expr) *expr = exprs.intersection(*expr, some_text(exprs));
        break;
      case WordKind::kComplement:
        expr = pattern(*written, true, limits, exprs);
        if (expr) *expr = exprs.difference(some_text(exprs), exprs.concat(*expr, any_text(exprs)));
        break;
      default: expr = pattern(*written, false, limits, exprs); break;
    }
  }
  if (!expr) return tl::unexpected(std::move(expr.error()));
  if (*expr == ExprId::kOverflow) return tl::unexpected(regex::overflow_error(exprs, word.where));
  return grammar.add_terminal({*expr, mode, terminal_name(text, word.where), word.where});
}

}  // namespace weir::frontend::kbnf
