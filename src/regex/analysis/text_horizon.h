// Counts that a short text cannot reach, and lengths up to which texts do not distinguish two expressions.
// EXAMPLE  How far two expressions look the same (equal_prefix_length), and what that lets drop_distant_counts do:
//        1. `a{0,5}b` and `a*b`: 4 bytes. `aaaa` and what may follow `aaa` are the same in both. `aaaaa`, 5 bytes, is
//           still a prefix of both; that it is too long for the answer costs nothing, since a shorter length is always
//           sound.
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
