// Reads what is inside quotes and brackets: escapes, literals, character classes, token sets.
//
// The escapes are those of GBNF and of XGrammar's EBNF and a few more, the same in quotes and in brackets:
//   \n \t \r \0 \a \b \e \f \v             as in C
//   \xHH \uHHHH \UHHHHHHHH \u{H…} \x{H…}   a code point, not a byte; two \u escapes may be a surrogate pair
//   \ and an ASCII punctuation mark        the mark itself
//   \d \D \w \W \s \S \p{…} \P{…}          in brackets only; \d, \w and \s are ECMA-262's
#ifndef WEIR_SRC_FRONTEND_EBNF_TEXT_H_
#define WEIR_SRC_FRONTEND_EBNF_TEXT_H_

#include <string>
#include <string_view>

#include "frontend/ebnf/words.h"
#include "grammar/ir.h"
#include "regex/unicode/code_point_set.h"
#include "weir/error.h"

namespace weir::frontend::ebnf {

/// Returns the bytes, in UTF-8, of the literal at `where` (quotes included).
Result<std::string> literal_bytes(std::string_view text, SourceRange where, Dialect dialect = Dialect::kWeir);

/// Returns the code points of the class at `where` (brackets included). Never empty.
Result<regex::CodePointSet> class_set(std::string_view text, SourceRange where, Dialect dialect = Dialect::kWeir);

/// Returns the tokens that a kTokenSet or kTokenName word denotes.
Result<grammar::TokenSet> token_set(std::string_view text, const Word& word);

}  // namespace weir::frontend::ebnf

#endif  // WEIR_SRC_FRONTEND_EBNF_TEXT_H_
