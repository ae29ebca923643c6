// The front end of structural tags: JSON that says which parts of an output follow which format.
// docs/structural_tags.md is the reference.
//
// WHAT   XGrammar's structural tags with all its formats, and the older forms: a list of tags and triggers, as OpenAI-
//        compatible servers take them, and a list of llguidance's StructTag.
// HOW    input.h reads the JSON and keeps the errors; formats.h turns each format into a node. Schemas, grammars and
//        regular expressions within are read by their own front ends into the same grammar; schemas stay lazy, so a tag
//        with hundreds of tools costs their texts.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_STRUCTURAL_TAG_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_STRUCTURAL_TAG_H_

#include <optional>
#include <string_view>

#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/grammar.h"

namespace weir::frontend {

/// Adds the rules of a structural tag; the first is returned. Error::pointer says where in the JSON an error is.
/// Errors: kSyntax; kInvalidArgument; kUnsupported; those of what is within; kLimitExceeded.
std::optional<grammar::RuleId> read_structural_tag(std::string_view text, const StructuralTagOptions& options,
                                                   Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_STRUCTURAL_TAG_H_
