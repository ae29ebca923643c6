// How a grammar was read, so that it can be read again as a part of another one.
//
// WHY    A grammar cannot be copied into another one: its expressions are ids in its own ExprSet, and a schema for the
//        whole output is read differently than a schema with other text around it (Placement). Front ends can read into
//        a grammar that already has rules, so a part is read again where it is needed.
// COST   The texts are stored as long as the grammar.
#ifndef WEIR_SRC_INPUT_SOURCE_H_
#define WEIR_SRC_INPUT_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "frontend/json_schema/rules/placement.h"
#include "frontend/reading.h"
#include "grammar/ir.h"

namespace weir::frontend {

struct Source {
  /// Adds the grammar's rules to those of the reading, and returns the first one.
  using Read = std::function<std::optional<grammar::RuleId>(json_schema::Placement, Reading&)>;

  Read read;
  std::size_t bytes = 0;    ///< The total size of all texts.
  std::uint32_t depth = 0;  ///< Nesting depth of parts.
};

}  // namespace weir::frontend

#endif  // WEIR_SRC_INPUT_SOURCE_H_
