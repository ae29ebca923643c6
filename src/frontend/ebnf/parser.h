// The words of an EBNF text to grammar IR.
//
// HOW    One pass with a stack of levels of parentheses, so that depth costs memory only: callers may run on small
//        stacks.
//
//   choice        ::= intersection ("|" intersection)*
//   intersection  ::= sequence ("&" sequence)*
//   sequence      ::= item*
//   item          ::= "~"* primary repeat*
//   primary       ::= name | literal | class | "." | regex | token-set | "(" choice ")" | mode "(" choice ")"
//                   | "@capture" "(" name ":" choice ")"
#ifndef WEIR_SRC_FRONTEND_EBNF_PARSER_H_
#define WEIR_SRC_FRONTEND_EBNF_PARSER_H_

#include <string_view>
#include <vector>

#include "frontend/ebnf/words.h"
#include "grammar/ir.h"
#include "grammar/regular.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::frontend::ebnf {

/// Operations are to be resolved once every rule is known to be defined.
using Operations = std::vector<grammar::RegularOperation>;

/// Adds the text's rules to `into`. Rules that are used and never defined are left undefined.
/// Errors are appended; behind one, reading goes on with the next rule, and what may be a definition of a rule counts as
/// one, so that its uses are no further errors. kSyntax; kUnsupported and, behind which nothing more is read,
/// kLimitExceeded (nesting, regex_nodes, what regex::parse_regex counts).
Operations parse(std::string_view text, const std::vector<Word>& words, const Limits& limits, grammar::Grammar& into,
                 std::vector<Error>& errors);

}  // namespace weir::frontend::ebnf

#endif  // WEIR_SRC_FRONTEND_EBNF_PARSER_H_
