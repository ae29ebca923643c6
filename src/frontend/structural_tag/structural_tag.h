// The front end for structural tags: JSON that states which parts of an output follow which format.
// docs/structural_tags.md is the reference.
//
// WHAT   XGrammar's structural tags with all formats, and the older forms: a list of tags and triggers, as in
//        OpenAI-compatible servers, and a list of llguidance's StructTag.
// HOW    input.h reads the JSON and collects errors; formats.h turns each format into a node. Schemas, grammars and
//        regular expressions in it are read by their own front ends into the same grammar. Schemas stay lazy, so a tag
//        with hundreds of tools costs only the parsing of their texts.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_STRUCTURAL_TAG_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_STRUCTURAL_TAG_H_

#include <optional>
#include <string_view>

#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/grammar.h"

namespace weir::frontend {

/// Adds the rules of a structural tag, and returns the first one. Error::pointer locates an error in the JSON.
/// Errors: kSyntax; kInvalidArgument; kUnsupported; those of the front ends for its parts; kLimitExceeded.
std::optional<grammar::RuleId> read_structural_tag(std::string_view text, const StructuralTagOptions& options,
                                                   Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_STRUCTURAL_TAG_H_
