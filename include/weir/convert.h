// Conversion: rewrites a grammar in another of the languages that grammars are written in.
//
// WHAT   The result, when it is read again, has the same language. Where the target has no way to express something,
//        the conversion fails with an error that names it; nothing is widened, narrowed or left out silently.
// HOW    The conversion works rule by rule on the grammar as it was read, so rules keep their names and their order
//        where the target allows these names. A regular expression becomes operators of rules where the target has no
//        regular expressions.
// LIMITS Every GrammarSyntax is a target, and so is a single regular expression. docs/convert.md says what each cannot
//        express.
#ifndef WEIR_CONVERT_H_
#define WEIR_CONVERT_H_

#include <string>

#include "weir/error.h"
#include "weir/export.h"
#include "weir/grammar.h"

namespace weir {

/// Returns the grammar's text in the language `to`. The start rule comes first and is named `root`, in KBNF and Lark
/// `start`.
/// Errors   kUnsupported: `to` cannot express something; Error::where is a range of the text that `grammar` was read
///          from. kLimitExceeded (text_bytes): the result is too long, where a part is counted once for every operator
///          around it.
/// Cost     Linear in the bytes so counted, and in the states of the parts that have to become an automaton. Lark text
///          is read again after it is written.
/// Example
///     weir::Result<weir::Grammar> grammar = weir::Grammar::from_ebnf("root ::= [0-9]+ (\",\" [0-9]+)*");
///     weir::Result<std::string> gbnf = weir::convert_grammar(*grammar, weir::GrammarSyntax::kGbnf);
WEIR_API Result<std::string> convert_grammar(const Grammar& grammar, GrammarSyntax to);

/// Returns the grammar as one regular expression in weir's own dialect (docs/regex.md).
/// Errors   As convert_grammar; kUnsupported also if a rule refers to itself.
/// Example
///     weir::Result<std::string> pattern = weir::convert_to_regex(*grammar);
WEIR_API Result<std::string> convert_to_regex(const Grammar& grammar);

}  // namespace weir

#endif  // WEIR_CONVERT_H_
