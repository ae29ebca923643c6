// Sets of strings as sets of JSON texts.
//
// WHAT   json_string(e) holds the JSON strings, quotes included, whose decoded contents are members of `e`: every
//        character in each spelling that the options offer: raw UTF-8, short escape, \uXXXX in any case, surrogate
//        pair.
// WHY    Spelling is a homomorphism backwards: texts of different strings differ, and each JSON string decodes to
//        exactly one string. So the operations on contents are operations on texts, exactly, however characters are
//        spelled:
//            json_string(a & b) = json_string(a) & json_string(b),    json_string(a | b) likewise,
//            json_string(~a) = json_string(kAllStrings) & ~json_string(a).
//        A key that is excluded is excluded in every spelling, and complements may be taken relative to all byte
//        strings, well-formed or not: what is no UTF-8 has no text.
// HOW    An expression node that holds `e` and the state of a decoder (json_decoder.h); the derivative by a byte of
//        text is that of `e` by the byte that it feeds, if any. Lazy, and exact for every `e`, complements and counts
//        included.
// COST   States: those of `e` times the places in a character, which `e` mostly knows itself, and about 20 behind a
//        backslash. Any string is json_string(kAllStrings): 30 states, one expression whoever makes it.
#ifndef WEIR_SRC_REGEX_ATOMS_JSON_STRING_H_
#define WEIR_SRC_REGEX_ATOMS_JSON_STRING_H_

#include "regex/atoms/json_decoder.h"
#include "regex/expr/expr.h"

namespace weir::regex {

/// The JSON strings that decode to members of `decoded`. Precondition: `decoded` has no assertions.
ExprId json_string(ExprSet& exprs, ExprId decoded, const JsonStringOptions& options = {});

/// The same from behind the opening quote on.
ExprId json_string_tail(ExprSet& exprs, ExprId decoded, const JsonStringOptions& options = {});

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ATOMS_JSON_STRING_H_
