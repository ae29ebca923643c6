// Where the texts of a schema stand.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_PLACEMENT_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_PLACEMENT_H_

#include <cstdint>

namespace weir::frontend::json_schema {

enum class Placement : std::uint8_t {
  kWholeText,  ///< They are all of the output. A guard reads it, so that texts with different keys share states.
  kEmbedded,   ///< Other text may stand around them, so each place looks back at the keys of its object.
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_PLACEMENT_H_
