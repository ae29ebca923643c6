// The words of an EBNF text to grammar IR.
//
// HOW    One pass with a stack of levels of parentheses, so that depth costs memory only: callers may run on small
//        stacks.
//
//   rule          ::= name "::=" choice ("(=" choice ")")?
//   choice        ::= intersection ("|" intersection)*
//   intersection  ::= sequence ("&" sequence)*
//   sequence      ::= item*
//   item          ::= "~"* primary repeat*
//   primary       ::= name | literal | class | "." | regex | token-set | "(" choice ")" | mode "(" choice ")"
//                   | "@capture" "(" name ":" choice ")" | "@max_tokens" "(" number ":" choice ")"
//                   | "@temperature" "(" number ":" choice ")" | macro
#ifndef WEIR_SRC_FRONTEND_EBNF_PARSER_H_
#define WEIR_SRC_FRONTEND_EBNF_PARSER_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ebnf/dialect.h"
#include "frontend/ebnf/words.h"
#include "frontend/reading.h"
#include "grammar/ir.h"
#include "grammar/regular.h"
#include "weir/error.h"

namespace weir::frontend::ebnf {

/// Operations are to be resolved once every rule is known to be defined.
using Operations = std::vector<grammar::RegularOperation>;

/// What the options between a rule's name and `::=` ask for.
struct RuleOptions {
  std::string capture = {};
  bool lazy = false;
  std::optional<std::uint32_t> max_chars = {};
  std::uint32_t max_tokens = grammar::kNoTokenLimit;
  float temperature = grammar::kNoTemperature;
};

/// What words mean that only one dialect has.
class Extension {
 public:
  using RuleNamed = std::function<grammar::RuleId(SourceRange)>;

  virtual ~Extension() = default;
  virtual Result<grammar::NodeId> macro(SourceRange where, const RuleNamed& rule_named) = 0;
  virtual Result<RuleOptions> options(std::string_view rule, SourceRange where) = 0;
};

/// Adds the text's rules to the reading's grammar. Rules that are used and never defined are left undefined.
/// `extension` may be null where the dialect needs none.
/// Errors are appended; behind one, reading goes on with the next rule, and what may be a definition of a rule counts
/// as one, so that its uses are no further errors. kSyntax; kUnsupported and, behind which nothing more is read,
/// kLimitExceeded (nesting, regex_nodes, what regex::parse_regex counts).
Operations parse(std::string_view text, const std::vector<Word>& words, Dialect dialect, Extension* extension,
                 Reading& reading);

}  // namespace weir::frontend::ebnf

#endif  // WEIR_SRC_FRONTEND_EBNF_PARSER_H_
