// NameCondition: what a formula about objects says if it is about the member of one name only.
//
// WHAT   A list of `if {"properties": {"kind": {"const": ...}}}` decides by the value of `kind` what other members must
//        be. Where the member comes after those, its possible values are split in advance (Derivation).
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_NAME_CONDITION_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_NAME_CONDITION_H_

#include <optional>

#include "frontend/json_schema/model/algebra.h"

namespace weir::frontend::json_schema {

/// A formula about the member of one name.
struct NameCondition {
  NameId name;
  bool without;  ///< It holds for objects without this member.
  SetId values;  ///< It holds for objects whose member has one of these values.
};

/// Returns what `f` says; nullopt if it is not about the member of one name, or about every object. O(size of `f`).
std::optional<NameCondition> name_condition(Algebra& algebra, FormulaId f);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_MODEL_NAME_CONDITION_H_
