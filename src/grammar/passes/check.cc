#include "grammar/passes/check.h"

#include "grammar/suggest.h"

namespace weir::grammar {

Result<void> check_defined(const Grammar& grammar, std::size_t first_rule) {
  const Rule* first = nullptr;
  for (std::size_t i = first_rule; i < grammar.rules.size(); ++i) {
    const Rule& rule = grammar.rules[i];
    if (!rule.defined && (first == nullptr || rule.where.start < first->where.start)) first = &rule;
  }
  if (first == nullptr) return {};
  return tl::unexpected(Error{ErrorCode::kInvalidArgument,
                              "rule `" + first->name + "` is not defined",
                              first->where,
                              did_you_mean(grammar, first->name),
                              {}});
}

}  // namespace weir::grammar
