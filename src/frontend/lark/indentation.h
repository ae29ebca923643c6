// Indentation: what `%declare`, `%indent` and the option `indenter` say of lines, as Lark's Indenter means it.
//
// WHAT   A lexeme of the newline terminal N outside brackets ends a line. After it, the blanks after its last line feed are
//        compared with the columns of the blocks around: INDENT if they are deeper, DEDENT for each block that they leave.
//        docs/lark.md describes it, and docs/decisions/indentation.md why it is done in this way.
// HOW    The names of the terminals become roles of definitions and expressions (here). RuleBuilder makes each rule in up
//        to two versions, outside and within brackets, and puts marks where the grammar has a line end, an indent or a
//        dedent. Pass "columns" does the rest.
#ifndef WEIR_SRC_FRONTEND_LARK_INDENTATION_H_
#define WEIR_SRC_FRONTEND_LARK_INDENTATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/lark/regular.h"
#include "frontend/lark/syntax_tree.h"
#include "grammar/ir.h"
#include "regex/expr/byte_set.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::lark {

class Indents {
 public:
  /// Reads what the module says of indentation; `indenter`, an option, is JSON as after `%indent`, and replaces that.
  /// Errors: kInvalidArgument for names that are not there; kSyntax for values of a wrong type; kUnsupported for a newline
  /// terminal whose line ends and blanks cannot be told apart.
  Result<void> read(const Module& module, std::string_view indenter, RegularBodies& regular, regex::ExprSet& exprs,
                    const Limits& limits);

  /// Returns false if the grammar has no indentation. Everything else must only be called if it has.
  [[nodiscard]] bool exist() const { return exist_; }
  [[nodiscard]] grammar::LineMark mark_of(std::uint32_t definition) const;
  [[nodiscard]] bool opens(regex::ExprId terminal) const { return contains(opens_, terminal); }
  [[nodiscard]] bool closes(regex::ExprId terminal) const { return contains(closes_, terminal); }
  [[nodiscard]] std::uint32_t newline_definition() const { return newline_; }
  /// The language of the newline terminal.
  [[nodiscard]] regex::ExprId newline() const { return newline_expr_; }
  [[nodiscard]] const grammar::Indentation& indentation() const { return indentation_; }
  /// The bytes by which a lexeme of the newline terminal that has a line feed may go on. No other lexeme follows it with one
  /// of them.
  [[nodiscard]] const regex::ByteSet& continuing() const { return continuing_; }

 private:
  struct Names;
  static bool contains(const std::vector<regex::ExprId>& list, regex::ExprId expr);
  static Result<void> read_options(std::string_view text, std::size_t start, const Limits& limits, Names& names);
  Result<void> resolve(const Module& module, const Names& names, RegularBodies& regular, regex::ExprSet& exprs);
  Result<void> divide(SourceRange where, regex::ExprSet& exprs, const Limits& limits);

  bool exist_ = false;
  std::uint32_t newline_ = 0, indent_ = 0, dedent_ = 0;  // definitions
  std::vector<regex::ExprId> opens_, closes_;
  regex::ExprId newline_expr_ = regex::ExprId::kNothing;
  regex::ByteSet continuing_;
  grammar::Indentation indentation_;
};

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_INDENTATION_H_
