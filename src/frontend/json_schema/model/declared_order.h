// The order of members that a schema declares, as a part of formulas about objects.
//
// WHAT   in_declared_order(f) is satisfied by the objects of `f` whose members come in the order of `properties`, other
//        members last. For two maps {"b", "a"} and {"a", "c"} in one object it is the order of the schema's text, where
//        a name's first mention counts: b, a, c. What a `$ref` leads to counts at the place of the reference.
// WHY    Rules are made of formulas, so an order that is an atom (FormulaKind::kInOrder) needs no rules of its own. Its
//        derivative by a key is the same atom, a few names further.
// HOW    Mostly one order serves the whole formula. If alternatives (`anyOf`, `oneOf`) list the same names in different
//        orders, each alternative gets its own: a text is then in the order of the alternative that it satisfies.
// COST   Linear in the formula. Alternatives of several `anyOf` that disagree are multiplied out, up to
//        kMaxOrderedAlternatives; beyond, the text's order serves all of them.
// THREADS Same as Algebra.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_DECLARED_ORDER_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_DECLARED_ORDER_H_

#include <functional>
#include <span>
#include <vector>

#include "frontend/json_schema/model/algebra.h"
#include "weir/error.h"

namespace weir::frontend::json_schema {

/// Precondition: `f` is about objects, and has no kInOrder.
/// `resolve` returns a disjunction that is equivalent to a kOneOf.
FormulaId in_declared_order(Algebra& algebra, FormulaId f, const std::function<FormulaId(FormulaId)>& resolve);

/// The objects of a keyword, or of a subschema in place, and where it is written.
struct PlacedFormula {
  FormulaId formula;
  SourceRange where;
};
/// Tells which parts of one schema are written elsewhere, so that placed_at() must move them. Empty if the order of the
/// names is the same without that. Cost: a step for each mention of a name.
std::vector<bool> out_of_place(Algebra& algebra, std::span<const PlacedFormula> parts);
/// Returns the formula with all its names at one position of the schema's text, in the order that they had.
FormulaId placed_at(Algebra& algebra, FormulaId f, std::size_t position);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_DECLARED_ORDER_H_
