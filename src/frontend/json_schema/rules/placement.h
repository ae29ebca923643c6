// Placement of the texts of a schema in the output: alone, within other text, or between tags.
#ifndef WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_PLACEMENT_H_
#define WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_PLACEMENT_H_

#include <cstdint>
#include <string>

namespace weir::frontend::json_schema {

enum class Placement : std::uint8_t {
  kWholeText,  ///< The text is the whole output. A KeyGuard reads it, so that texts with different keys share states.
  kEmbedded,   ///< Other text may surround it. Rules look back at the keys of their object (look_back.h) instead.
};

/// How the values of a schema are written between tags, where a model writes one argument of a call: strings without
/// quotes and escapes, other values as JSON, followed by `end`. Strings that contain `end` are excluded.
struct Argument {
  enum class Values : std::uint8_t { kAll, kStrings, kOthers };
  std::string end = {};
  Values values = Values::kAll;
  bool on_lines = false;  ///< True if a line end may precede and follow a string.
};

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_FRONTEND_JSON_SCHEMA_RULES_PLACEMENT_H_
