// One of many strings.
//
// HOW    One terminal, an alternation of literals: the constructor makes a trie of them in which equal endings are one
//        node, so a text that goes on meets one branch of it.
// COST   About linear in the strings' bytes.
#ifndef WEIR_SRC_FRONTEND_CHOICE_H_
#define WEIR_SRC_FRONTEND_CHOICE_H_

#include <optional>
#include <span>
#include <string>

#include "frontend/reading.h"
#include "grammar/ir.h"

namespace weir::frontend {

/// Adds a rule for `strings`, byte for byte, and returns it. Equal strings are one.
/// Errors: kInvalidArgument (no strings); kLimitExceeded (text_bytes of all together, regex_nodes).
std::optional<grammar::RuleId> read_choice(std::span<const std::string> strings, Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_CHOICE_H_
