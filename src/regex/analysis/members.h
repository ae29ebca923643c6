// Does an expression have members, and what are the shortest?
//
// COST   For expressions without `&`, `~`, contexts and machines, emptiness is known without a search. A search
//        explores derivatives, and stores what it proves: the expressions on the path to a member are not
//        empty, or all that it visited are empty.
#ifndef WEIR_SRC_REGEX_ANALYSIS_MEMBERS_H_
#define WEIR_SRC_REGEX_ANALYSIS_MEMBERS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "regex/expr/expr.h"

namespace weir::regex {

/// Returns whether `e` has no member; kUnknown after `fuel` visited expressions, at the node
/// limit, or at Limits::call_work.
Emptiness emptiness(ExprSet& exprs, ExprId e, std::uint32_t fuel);
/// Returns the first member in (length, byte) order. Returns nullopt if the search finds none within `fuel` visited
/// expressions and 16 × `fuel` created ones.
std::optional<std::string> shortest_member(ExprSet& exprs, ExprId e, std::uint32_t fuel);
/// Returns some member of the same length, mostly after far fewer visits: an intersection of "has an a", "has a b"
/// and so on takes a few visits for each byte. Operands of intersections that are examined, and pairs
/// of them, use fuel, too.
std::optional<std::string> any_shortest_member(ExprSet& exprs, ExprId e, std::uint32_t fuel);
/// Returns true if a member of min_length(e) bytes can be read off the structure of `e`, which is so for most
/// expressions without intersections, complements and look-around. Examines at most `fuel` expressions, independently
/// of the member's length.
[[nodiscard]] bool has_plain_member(const ExprSet& exprs, ExprId e, std::uint32_t fuel);
/// Appends the member that has_plain_member() found. Precondition: has_plain_member(exprs, e, …).
void append_plain_member(const ExprSet& exprs, ExprId e, std::string& out);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ANALYSIS_MEMBERS_H_
