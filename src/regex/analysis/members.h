// Does an expression have members, and what are the shortest?
//
// COST   For expressions without `&`, `~`, contexts and machines, emptiness is known without a search. A search
//        explores derivatives, and stores what it proves: the expressions on the path to a member are not
//        empty, or all that it visited are empty.
#ifndef WEIR_SRC_REGEX_ANALYSIS_MEMBERS_H_
#define WEIR_SRC_REGEX_ANALYSIS_MEMBERS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/cut_text.h"
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
/// Returns a member of the same length, of which only the first `most` bytes are written. If it can be read off the
/// structure of `e`, the cost does not depend on its length.
std::optional<base::CutText> cut_shortest_member(ExprSet& exprs, ExprId e, std::uint32_t fuel, std::size_t most);
/// Returns true if a member of min_length(e) bytes can be read off the structure of `e`, which is so for most
/// expressions without intersections, complements and look-around. Examines at most `fuel` expressions, independently
/// of the member's length.
[[nodiscard]] bool has_plain_member(const ExprSet& exprs, ExprId e, std::uint32_t fuel);
/// Appends the member that has_plain_member() found, and stops when `out` has `most` bytes. Precondition:
/// has_plain_member(exprs, e, …).
void append_plain_member(const ExprSet& exprs, ExprId e, std::string& out, std::size_t most = SIZE_MAX);
/// Calls `use(text, times)` for the pieces of that member: it is a concatenation of the texts, each repeated, in some
/// order. A text has at most about `most` bytes; one that is longer is taken apart, at places that are counted from its
/// end. So the pieces of the residual after its first bytes differ in one text only. Precondition: as above.
void for_each_plain_piece(const ExprSet& exprs, ExprId e, std::size_t most,
                          const std::function<void(std::string_view text, std::uint64_t times)>& use);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_ANALYSIS_MEMBERS_H_
