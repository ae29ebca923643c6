// Finds the rules that use certain others.
#ifndef WEIR_SRC_GRAMMAR_PASSES_RULE_USERS_H_
#define WEIR_SRC_GRAMMAR_PASSES_RULE_USERS_H_

#include <vector>

#include "grammar/draft.h"

namespace weir::grammar {

/// Marks each rule that uses a marked one, itself or through others. Cost: linear.
void mark_users(const Draft& draft, std::vector<bool>& marked);

/// Returns a flag for each rule: true if it is a capture or reaches one. Cost: linear.
std::vector<bool> find_capturing_rules(const Draft& draft);

}  // namespace weir::grammar

#endif  // WEIR_SRC_GRAMMAR_PASSES_RULE_USERS_H_
