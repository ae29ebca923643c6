// Cheap tests of the structure of expressions. A positive result is exact; a negative one may mean unknown. Each test
// takes a few steps, because constructors call them for the normal form. To decide an inclusion exactly, use emptiness()
// of a difference.
#ifndef WEIR_SRC_REGEX_EXPR_STRUCTURE_H_
#define WEIR_SRC_REGEX_EXPR_STRUCTURE_H_

#include <cstddef>
#include <optional>
#include <string>

#include "regex/expr/byte_set.h"
#include "regex/expr/expr.h"

namespace weir::regex {

/// Returns true if every member of `small` is known to be a member of `big`.
[[nodiscard]] bool includes(const ExprSet& exprs, ExprId big, ExprId small);
/// Returns the members of `e` that are one byte long; nullopt if its structure does not determine them.
[[nodiscard]] std::optional<ByteSet> one_byte_members(const ExprSet& exprs, ExprId e, int& fuel);
/// Returns true if `e` is a literal of two to `longest` bytes, and appends it to `text`.
[[nodiscard]] bool is_literal(const ExprSet& exprs, ExprId e, std::size_t longest, std::string& text);

}  // namespace weir::regex

#endif  // WEIR_SRC_REGEX_EXPR_STRUCTURE_H_
