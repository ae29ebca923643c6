#include "grammar/passes/check.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "grammar/suggest.h"

namespace weir::grammar {

std::vector<Error> undefined_rules(const Grammar& grammar, std::size_t first_rule) {
  std::vector<Error> errors;
  std::vector<std::string_view> defined;
  for (std::size_t i = first_rule; i < grammar.rules.size(); ++i) {
    if (grammar.rules[i].defined) defined.push_back(grammar.rules[i].name);
  }
  for (std::size_t i = first_rule; i < grammar.rules.size(); ++i) {
    const Rule& rule = grammar.rules[i];
    if (rule.defined) continue;
    Error error{ErrorCode::kInvalidArgument, "rule `" + rule.name + "` is not defined", rule.where};
    if (std::string nearest = nearest_name(defined, rule.name); !nearest.empty()) {
      error.hint = "did you mean `" + nearest + "`?";
      if (rule.where.end - rule.where.start == rule.name.size()) error.fix = Fix{rule.where, std::move(nearest)};
    }
    errors.push_back(std::move(error));
  }
  std::stable_sort(errors.begin(), errors.end(),
                   [](const Error& a, const Error& b) { return a.where.start < b.where.start; });
  return errors;
}

Result<void> check_defined(const Grammar& grammar, std::size_t first_rule) {
  std::vector<Error> errors = undefined_rules(grammar, first_rule);
  if (errors.empty()) return {};
  return tl::unexpected(std::move(errors.front()));
}

}  // namespace weir::grammar
