// Multiples of a number between 0 and a bound, if they are few.
//
// WHY    After `5` of the multiples of 37 up to 100 nothing leads to a multiple. To find that out takes a search through the
//        remainders at each length of a mantissa. A list of the multiples needs no search.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_NEAR_MULTIPLES_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_NEAR_MULTIPLES_H_

#include <optional>
#include <vector>

#include "frontend/json_schema/values/number_language.h"

namespace weir::frontend::json_schema {

/// The multiples of a number within bounds: some of them, and the bounds of the others.
struct NearMultiples {
  std::vector<Decimal> values;
  bool has_others = true;
  std::optional<NumberBound> minimum, maximum;  ///< Of the others.
};

/// Returns the multiples of `divisor` between 0 and a bound; nullopt if they are many, or if the divisor is so small that a
/// search is cheap.
std::optional<NearMultiples> near_multiples(const Decimal& divisor, const std::optional<NumberBound>& minimum,
                                            const std::optional<NumberBound>& maximum);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_VALUES_NEAR_MULTIPLES_H_
