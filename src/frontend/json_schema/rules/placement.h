// Where the texts of a schema stand.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_PLACEMENT_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_PLACEMENT_H_

#include <cstdint>
#include <string>

namespace weir::frontend::json_schema {

enum class Placement : std::uint8_t {
  kWholeText,  ///< They are all of the output. A guard reads it, so that texts with different keys share states.
  kEmbedded,   ///< Other text may stand around them, so each place looks back at the keys of its object.
};

/// How the values of a schema stand between tags, where a model writes one argument of a call: strings without quotes
/// and escapes, all else as JSON; then `end`, which no such string holds.
struct Argument {
  enum class Values : std::uint8_t { kAll, kStrings, kOthers };
  std::string end = {};
  Values values = Values::kAll;
  bool on_lines = false;  ///< Whether a line end may stand before and behind a string.
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_PLACEMENT_H_
