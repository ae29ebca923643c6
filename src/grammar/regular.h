// Regular operations: the language of a sub-tree of the IR as one expression, for `&`, `~`, lazy and greedy terminals.
//
// WHAT   A front end meets `a & ~b` before it has read the rules a and b. So it puts a terminal without an expression
//        into the IR, remembers the operands, and has all such terminals filled in when the text has been read.
// WHY    The IR itself needs no node for intersection or complement: context-free languages are not closed under
//        either, so an operand has to be regular, and then the result is a terminal as good as any.
// HOW    Depth first over the nodes and the rules they refer to, with a stack of our own; each node once. A rule that
//        is met again below itself is recursive, which is refused even where the language happens to be regular.
#ifndef WEIR_SRC_GRAMMAR_REGULAR_H_
#define WEIR_SRC_GRAMMAR_REGULAR_H_

#include <string_view>
#include <vector>

#include "grammar/ir.h"
#include "weir/error.h"

namespace weir::grammar {

struct RegularOperation {
  enum class Kind : std::uint8_t {
    kIntersection,  ///< Of all operands.
    kComplement,    ///< The texts (strings of valid UTF-8) that the only operand does not match.
    kLazy,          ///< The only operand, as a lazy terminal.
    kGreedy,        ///< The only operand, as a greedy terminal.
    kLookAhead,     ///< The only operand must begin the text behind `rule`: sets Rule::follow. There is no `result`.
  };
  Kind kind = Kind::kIntersection;
  std::vector<NodeId> operands = {};
  TerminalId result{};     ///< Whose expression and mode are to be set.
  RuleId rule{};           ///< Of a look-ahead.
  SourceRange where = {};  ///< Of the operator, for errors.
  /// What the user's language calls it, for errors; empty: as EBNF does.
  std::string_view name = {};
  /// Of a look-ahead: the output may end within it, and where it has no regular expression, it is no condition.
  bool is_lenient = false;
};

/// The expression of a sequence, a choice, a repeat or the empty node, given those of its children.
regex::ExprId combine(regex::ExprSet& exprs, const Node& node, std::span<const regex::ExprId> children);

/// Fills in the results of all operations; rules used by them are marked as absorbed. A warning is appended for each
/// lenient look-ahead that is no condition.
/// Precondition: every rule that an operand refers to is defined.
/// Errors: kUnsupported for an operand that is recursive or holds tokens, a capture, `max_tokens`, a look-ahead, or a
/// lazy or greedy terminal; kLimitExceeded.
Result<void> resolve(Grammar& grammar, std::span<const RegularOperation> operations, std::vector<Warning>& warnings);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_REGULAR_H_
