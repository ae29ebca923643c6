// Counts that a short text cannot reach, and lengths up to which texts do not distinguish two expressions.
//
// The basic idea: a token is short, so it cannot use up a large count. For tokens, then, an expression with the count
// is the same as the expression without it.
//
// EXAMPLE  What equal_prefix_length() returns, and why. It is a length that is certain, not always the greatest one.
//        a{0,5}b        a*b       4 bytes   4 bytes cannot use up 5 rounds.
//        (ab){0,5}c     (ab)*c    9 bytes   A round takes two bytes. Or 4 characters: a round takes at least one.
//        (a+ ){0,49}a+  (a+ )*a+  97 bytes  49 words take at least 98 bytes.
//        a{3,5}b        a*b       0         `b` is a member of only one of them.
//        .{0,20} & a*c  a*c       18 bytes  19 bytes cannot use up the length. But there must also be room for an end:
//                                           after 20 times `a`, `.{0,20}` and `a*c` can each be completed, but not
//                                           both by one text. The longest such end is taken off, here one byte, `c`.
//                                           For `a*bcd` it is three bytes, so the result is 16.
//        So drop_distant_counts(`a{0,5}b`, 4) is `a*b`: for tokens of at most 4 bytes, neither `a{0,5}b` nor
//        `a{0,999}b` needs facts of its own. With 5 bytes it is `a{0,5}b` itself. drop_distant_counts(`a{3,5}b`, 1) is
//        `a{2,}b`: after one byte, rounds are still missing in both.
#ifndef WEIR_SRC_REGEX_ANALYSIS_TEXT_HORIZON_H_
#define WEIR_SRC_REGEX_ANALYSIS_TEXT_HORIZON_H_

#include <cstdint>

#include "regex/expr/expr.h"

namespace weir::regex {

/// Returns an expression that texts of at most `bytes` bytes do not distinguish from `e`: they are members, or viable
/// prefixes, of both or of neither. Counts that such a text cannot reach are dropped from the counted repeat, length
/// limit or section automaton that `e` begins with; if `e` is a JSON string, from that of its contents. Returns `e` if
/// there is nothing to drop.
ExprId drop_distant_counts(ExprSet& exprs, ExprId e, std::uint32_t bytes);

struct Rounds {
  std::uint32_t min = 0;
  std::uint32_t max = kUnbounded;
};
/// Returns the bounds of the counted repeat at the beginning of `e`, or of the contents if `e` begins with a JSON
/// string; {1, 1} if there is none or if a round may be empty. If `e` is a section automaton, or has one as an
/// alternative: {0, the bytes that may be read before a length limit applies}.
[[nodiscard]] Rounds first_rounds(const ExprSet& exprs, ExprId e);
/// Returns `e` with `rounds` as the bounds that first_rounds() returns. A section automaton loses all its counts
/// instead. Precondition: `e` begins with a repeat, with a JSON string of one, or with a section automaton.
ExprId with_first_rounds(ExprSet& exprs, ExprId e, Rounds rounds);
/// Returns true if `e` begins with a JSON string whose whole contents are one repeat.
[[nodiscard]] bool is_json_repeat(const ExprSet& exprs, ExprId e);

/// Returns `e` with kUnbounded for each finite maximum of a repeat that is at least `most`, in parts of `e` for which
/// ExprSet::has_counts() is true. Repeats in complements and assertions, repeats of a nullable body, and repeats after a
/// JSON string stay unchanged. At most a fixed number of parts is examined; the rest stays unchanged, too.
ExprId without_counts(ExprSet& exprs, ExprId e, std::uint32_t most);

/// A length up to which texts do not distinguish two expressions. Either bound is sufficient: a text of at most
/// `bytes` bytes, and a text of at most `characters` bytes outside 0x80 to 0xBF (beginnings of UTF-8 characters).
struct EqualPrefix {
  std::uint32_t bytes = 0;
  std::uint32_t characters = 0;
};
/// Returns a length up to which texts do not distinguish `x` and `y`: shorter texts are members, or viable prefixes,
/// of both or of neither. {0, 0} if no such length is known. It is known for expressions that differ in counts only,
/// and if `x` is an intersection of the pattern `y` with length limits.
EqualPrefix equal_prefix_length(ExprSet& exprs, ExprId x, ExprId y);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ANALYSIS_TEXT_HORIZON_H_
