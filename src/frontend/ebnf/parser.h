// The words of an EBNF text to grammar IR.
//
// HOW    One pass with an explicit stack of levels of parentheses, so nesting needs only heap memory: callers may run
//        on small stacks.
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

/// The operations are to be resolved when every rule is known to be defined.
using Operations = std::vector<grammar::RegularOperation>;

/// The options between a rule's name and `::=`.
struct RuleOptions {
  std::string capture = {};
  base::LexemeMode mode = base::LexemeMode::kExact;
  std::optional<std::uint32_t> max_chars = {};
  std::uint32_t max_tokens = grammar::kNoTokenLimit;
  float temperature = grammar::kNoTemperature;
};

/// The meaning of words that only one dialect has.
class Extension {
 public:
  using RuleNamed = std::function<grammar::RuleId(SourceRange)>;

  virtual ~Extension() = default;
  virtual Result<grammar::NodeId> macro(SourceRange where, const RuleNamed& rule_named) = 0;
  virtual Result<RuleOptions> options(std::string_view rule, SourceRange where) = 0;
};

/// Adds the rules of the text to the reading's grammar. Rules that are used but never defined are left undefined.
/// `extension` may be null if the dialect needs none.
/// Errors are appended. After an error, reading continues with the next rule; anything that may be the definition of a
/// rule counts as one, so that uses of the rule are not reported, too. kSyntax; kUnsupported; kLimitExceeded (nesting,
/// regex_nodes, the limits of regex::parse_regex), after which reading stops.
Operations parse(std::string_view text, const std::vector<Word>& words, Dialect dialect, Extension* extension,
                 Reading& reading);

}  // namespace weir::frontend::ebnf

#endif  // WEIR_SRC_FRONTEND_EBNF_PARSER_H_
