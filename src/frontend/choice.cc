#include "frontend/choice.h"

#include <utility>
#include <vector>

#include "base/work.h"
#include "regex/syntax/syntax.h"

namespace weir::frontend {

std::optional<grammar::RuleId> read_choice(std::span<const std::string> strings, Reading& reading) {
  if (strings.empty()) return reading.fail({ErrorCode::kInvalidArgument, "there are no strings to choose from", {}});
  std::size_t bytes = 0;
  for (const std::string& string : strings) bytes += string.size();
  if (bytes > reading.limits.text_bytes) {
    return reading.fail({ErrorCode::kLimitExceeded,
                         "the strings are longer than " + std::to_string(reading.limits.text_bytes) + " bytes",
                         {},
                         {},
                         "text_bytes"});
  }
  grammar::Grammar& grammar = reading.grammar;
  std::vector<regex::ExprId> literals;
  literals.reserve(strings.size());
  for (const std::string& string : strings) {
    literals.push_back(grammar.exprs.literal(string));
    if (base::Work::is_met()) return reading.fail(regex::overflow_error(grammar.exprs, {}));
  }
  const regex::ExprId choice = grammar.exprs.alternation(literals);
  if (choice == regex::ExprId::kOverflow) return reading.fail(regex::overflow_error(grammar.exprs, {}));
  const grammar::NodeId body = grammar.add_terminal({choice, base::LexemeMode::kExact, "choice"});
  return grammar.add_rule({.name = "root", .body = body, .defined = true});
}

}  // namespace weir::frontend
