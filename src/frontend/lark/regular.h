// Turns regular bodies into expressions: those of terminals, of `%ignore`, and of rules that are one lexeme.
//
// HOW    Depth first over the nodes and the terminals that they refer to, with an explicit stack, visiting each node
//        once. A terminal that is reached again from its own body is recursive, which is an error.
#ifndef WEIR_SRC_FRONTEND_LARK_REGULAR_H_
#define WEIR_SRC_FRONTEND_LARK_REGULAR_H_

#include <cstdint>
#include <vector>

#include "frontend/lark/syntax_tree.h"
#include "regex/expr/expr.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::lark {

class RegularBodies {
 public:
  RegularBodies(const SyntaxTree& tree, regex::ExprSet& exprs, const Limits& limits)
      : tree_(tree),
        exprs_(exprs),
        limits_(limits),
        states_(tree.nodes.size(), State::kNew),
        values_(tree.nodes.size(), regex::ExprId::kNothing),
        lazy_(tree.nodes.size(), false),
        ends_(tree.nodes.size(), false) {}

  /// Returns the language of a node of a module. Error::where is a range of the module's text.
  /// Errors: those of literals.h; kUnsupported for anything that is not regular. Precondition: all names are defined.
  Result<regex::ExprId> expr_of(const Module& module, std::uint32_t node);

  /// The same for a lexeme in a grammar with indentation: if a regular expression in the body has a lazy quantifier, the
  /// first match counts, as in Lark. That is here a text of which no shorter beginning is in the language.
  Result<regex::ExprId> first_match_of(const Module& module, std::uint32_t node);
  /// The same as expr_of for a terminal of the module, which may be imported. Precondition: it is not declared.
  Result<regex::ExprId> expr_of_definition(const Module& module, std::uint32_t definition);
  /// Returns the look-ahead and the word boundaries that stand last in a lexeme's regular expressions, as ranges of the
  /// module's text, without those that an earlier call has returned. Precondition: expr_of succeeded. Cost: in all calls
  /// together linear in the nodes.
  std::vector<SourceRange> assertions_at_end(const Module& module, std::uint32_t node);

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };

  Result<void> dependencies(const Module& module, const Node& node);
  Result<regex::ExprId> common_terminal(const Definition& definition);
  Result<regex::ExprId> combine(const Module& module, const Node& node);
  [[nodiscard]] Error recursion(const Module& module, const Node& met) const;

  const SyntaxTree& tree_;
  regex::ExprSet& exprs_;
  const Limits& limits_;
  std::vector<State> states_;          // by node
  std::vector<regex::ExprId> values_;  // by node
  std::vector<bool> lazy_;             // by node: some regular expression has a lazy quantifier
  std::vector<bool> ends_;             // by node: assertions_at_end() has looked at it
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint32_t> dependencies_;
  std::vector<regex::ExprId> parts_;
};

}  // namespace weir::frontend::lark

#endif  // WEIR_SRC_FRONTEND_LARK_REGULAR_H_
