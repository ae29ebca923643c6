// Regular operations: computes the language of a sub-tree of the IR as one expression, for `&`, `~`, look-aheads, lazy
// and greedy terminals.
//
// WHAT   A front end reads `a & ~b` before it has read the rules a and b. So it adds a terminal without an expression
//        to the IR, records the operands, and calls `resolve` for all such terminals after it has read the whole text.
// WHY    The IR needs no nodes for intersection and complement: context-free languages are not closed under them, so
//        operands must be regular, and then the result is an ordinary terminal.
// HOW    Depth first over the nodes and the rules they refer to, with an explicit stack, visiting each node once. A
//        rule that is reached again from its own body is recursive and an error, even where its language happens to be
//        regular.
#ifndef WEIR_SRC_GRAMMAR_REGULAR_H_
#define WEIR_SRC_GRAMMAR_REGULAR_H_

#include <string_view>
#include <vector>

#include "base/lexeme_mode.h"
#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::grammar {

struct RegularOperation {
  enum class Kind : std::uint8_t {
    kIntersection,  ///< The intersection of all operands.
    kComplement,    ///< The texts (strings of valid UTF-8) that the single operand does not match.
    kTerminal,      ///< The single operand, as a terminal of `mode`.
    kLookAhead,     ///< The single operand must begin the text after `rule`: sets Rule::follow. There is no `result`.
  };
  Kind kind = Kind::kIntersection;
  base::LexemeMode mode = base::LexemeMode::kExact;  ///< kExact if `kind` is not kTerminal.
  std::vector<NodeId> operands = {};
  TerminalId result{};     ///< The terminal whose expression and mode are to be set.
  RuleId rule{};           ///< The rule with the look-ahead; for kLookAhead only.
  SourceRange where = {};  ///< The operator in the text, for errors.
  /// The operator's name in the user's language, for errors. If empty, the name in EBNF is used.
  std::string_view name = {};
  /// For kLookAhead: the output may end within the look-ahead, and a look-ahead without a regular expression is ignored
  /// with a warning.
  bool is_lenient = false;
};

/// Returns the expression of a sequence, a choice, a repeat or the empty node, given the expressions of its children.
regex::ExprId combine(regex::ExprSet& exprs, const Node& node, std::span<const regex::ExprId> children);

/// Computes the results of all operations, and marks the rules that they use as absorbed. Appends a warning for each
/// lenient look-ahead that is ignored.
/// Precondition: every rule that an operand refers to is defined.
/// Errors: kUnsupported for an operand that is recursive or contains tokens, a schema, a capture, `max_tokens`, a
/// temperature, a look-ahead, or a terminal that is not exact; kLimitExceeded.
Result<void> resolve(Grammar& grammar, std::span<const RegularOperation> operations, std::vector<Warning>& warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_REGULAR_H_
