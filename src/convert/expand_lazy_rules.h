// Expands lazy rules (grammar/growth.h), so that a grammar with schemas can be written as text: all rules are made at
// once instead of when an output reaches them.
//
// HOW    The grammar is read again as a part of another text, because then it has no guard and the rules alone define
//        the language. Starting from the first rule, every reachable rule is made. A rule that follows the text (items
//        that must differ, unlimited sets of keys that must not repeat) is an error, because it represents more rules
//        than can be written.
// COST   That of making the rules.
// LIMITS Limits::grammar_symbols; objects with properties in any order soon exceed it.
#ifndef WEIR_SRC_CONVERT_EXPAND_LAZY_RULES_H_
#define WEIR_SRC_CONVERT_EXPAND_LAZY_RULES_H_

#include "convert/spelling.h"
#include "grammar/ir.h"
#include "weir/error.h"
#include "weir/grammar.h"

namespace weir::frontend::convert {

/// Returns the grammar with all lazy rules expanded; unchanged if there are none. Errors: kUnsupported, kLimitExceeded.
Result<grammar::Grammar> expand_lazy_rules(const Grammar& grammar, Target to);

}  // namespace weir::frontend::convert

#endif  // WEIR_SRC_CONVERT_EXPAND_LAZY_RULES_H_
