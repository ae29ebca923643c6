// What RFC 5892 and RFC 5893 ask of a character beyond the properties that regular expressions have. Data only; written
// by tools/make_idna_tables.py. Letters, marks and digits alone are listed, and the few other characters that a name may
// have.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_FORMATS_IDNA_TABLES_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_FORMATS_IDNA_TABLES_H_

#include <span>

#include "regex/unicode/code_point_set.h"

namespace weir::frontend::json_schema {

/// Sorted, disjoint ranges.
struct IdnaTables {
  using Ranges = std::span<const regex::CodePointRange>;
  Ranges left_joining;     ///< Joining_Type L or D.
  Ranges right_joining;    ///< R or D.
  Ranges transparent;      ///< T.
  Ranges viramas;          ///< Canonical_Combining_Class 9.
  Ranges right_to_left;    ///< Bidi_Class R or AL.
  Ranges arabic_number;    ///< AN.
  Ranges european_number;  ///< EN.
  Ranges non_spacing;      ///< NSM.
  Ranges neutral;          ///< Neither of these nor L: ES, CS, ET, ON, BN and the rest.
};
const IdnaTables& idna_tables();

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_FORMATS_IDNA_TABLES_H_
