// Translation of sets of code points into expressions over the bytes of their UTF-8 encodings.
//
// WHAT   utf8_set() returns an expression whose members are the encodings of single characters, of one to four bytes.
// HOW    The encodings form a trie of at most four levels, built bottom-up. Bytes that lead to the same expression are
//        joined into one byte set, and hash-consing makes equal subtries one expression. So the terms of each
//        alternation begin with disjoint byte sets, and its derivative by a byte is the tail of one term. The
//        expression has the structure of the minimal deterministic automaton of the set.
// COST   Linear in the number of ranges: blocks of code points that lie completely inside or outside the set are not
//        divided. \p{L} (659 ranges) has about 720 expressions, any code point about 35, byte sets included.
// REFERENCES  K. Thompson's UTF-8 ranges as in RE2 (R. Cox, "Regular Expression Matching in the Wild", 2010).
#ifndef WEIR_SRC_REGEX_UNICODE_UTF8_RANGES_H_
#define WEIR_SRC_REGEX_UNICODE_UTF8_RANGES_H_

#include "regex/expr/expr.h"
#include "regex/unicode/code_point_set.h"

namespace weir::regex {

/// Returns the UTF-8 encodings of the members of `set` except surrogates; kNothing if there are none. The expressions of
/// a set with characters beyond ASCII are made once for each ExprSet and its copies.
ExprId utf8_set(ExprSet& exprs, const CodePointSet& set);

/// Returns the UTF-8 encodings of single code points.
ExprId any_code_point(ExprSet& exprs);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_UNICODE_UTF8_RANGES_H_
