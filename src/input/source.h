// How a grammar was read, so that it can be read again as a part of another one.
//
// WHY    A grammar that was read cannot be copied into another: its expressions are ids of a set of its own, and a
//        schema that is all of the output is read otherwise than one that other text stands around (Placement). Front
//        ends read into a grammar that holds rules already, so a part is read once more, where it is wanted.
// COST   The texts are kept for as long as the grammar.
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
  /// Adds the grammar's rules to those of the reading; the first is returned.
  using Read = std::function<std::optional<grammar::RuleId>(json_schema::Placement, Reading&)>;

  Read read;
  std::size_t bytes = 0;    ///< Of all texts that are read.
  std::uint32_t depth = 0;  ///< Levels of parts.
};

}  // namespace weir::frontend

#endif  // WEIR_SRC_INPUT_SOURCE_H_
