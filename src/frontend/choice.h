// Choice grammars: one of many strings.
//
// HOW    One terminal, an alternation of literals. Alternation builds a trie in which equal suffixes share a node, so
//        each byte of a text follows one branch.
// COST   About linear in the total length of the strings.
#ifndef WEIR_SRC_FRONTEND_CHOICE_H_
#define WEIR_SRC_FRONTEND_CHOICE_H_

#include <optional>
#include <span>
#include <string>

#include "frontend/reading.h"
#include "grammar/ir.h"

namespace weir::frontend {

/// Adds a rule that matches the strings byte for byte, and returns it. Duplicates are ignored.
/// Errors: kInvalidArgument (no strings); kLimitExceeded (text_bytes for all strings together, regex_nodes).
std::optional<grammar::RuleId> read_choice(std::span<const std::string> strings, Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_CHOICE_H_
