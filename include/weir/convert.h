// Conversion: a grammar written in another of the languages that grammars are written in.
//
// WHAT   The text that is written reads back as the same language. Where the other language has no way to say
//        something, that is an error which names it: nothing is widened, narrowed or left out in silence.
// HOW    From what was read, rule by rule, so that rules keep their names and their order where the other language
//        allows these names. Regular expressions become rules' operators where the other language has none.
// LIMITS Into every language that grammars are written in, and into one regular expression. docs/convert.md says what
//        each refuses.
#ifndef WEIR_CONVERT_H_
#define WEIR_CONVERT_H_

#include <string>

#include "weir/error.h"
#include "weir/export.h"
#include "weir/grammar.h"

namespace weir {

/// The grammar's text in `to`; its first rule is the one to begin with, `root`, or in KBNF and Lark `start`.
/// Errors   kUnsupported: what cannot be said in `to`; Error::where is a range of the text that `grammar` was read
///          from. kLimitExceeded: text_bytes, of what is written, each part once for every operator around it.
/// Cost     Linear in these bytes, and in the states of what has to become an automaton; Lark is then read, too.
WEIR_API Result<std::string> convert_grammar(const Grammar& grammar, GrammarSyntax to);

/// The grammar as one regular expression (docs/regex.md, the dialect that is weir's), where no rule refers to itself.
/// Errors   As convert_grammar.
WEIR_API Result<std::string> convert_to_regex(const Grammar& grammar);

}  // namespace weir

#endif  // WEIR_CONVERT_H_
