// Sets of code points as expressions over the bytes of their UTF-8 encodings.
//
// WHAT   utf8_set: one character of a set; an expression whose strings are one to four bytes long.
// HOW    The encodings form a trie of at most four levels. Each node is built bottom-up: bytes that lead to the same
//        expression are put into one byte set, and hash-consing makes equal tails one expression. So an alternation's
//        members begin with disjoint byte sets and its derivative by a byte is one tail, without any further work: the
//        expression is the minimal deterministic automaton of the set, written down.
// COST   Blocks of 64 code points that lie wholly inside or outside the set are not looked into: the work is in the
//        number of ranges. \p{L} (659 ranges) is about 720 expressions, any code point about 35, byte sets included.
// REFERENCES  K. Thompson's UTF-8 ranges as in RE2 (R. Cox, "Regular Expression Matching in the Wild", 2010).
#ifndef WEIR_SRC_REGEX_UNICODE_UTF8_RANGES_H_
#define WEIR_SRC_REGEX_UNICODE_UTF8_RANGES_H_

#include "regex/expr/expr.h"
#include "regex/unicode/code_point_set.h"

namespace weir::regex {

/// The UTF-8 encodings of the members of `set`, surrogates left out. kNothing for an empty set.
ExprId utf8_set(ExprSet& exprs, const CodePointSet& set);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_UNICODE_UTF8_RANGES_H_
