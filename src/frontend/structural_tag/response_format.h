// The front end of `response_format`, as OpenAI-compatible servers take it. docs/structural_tags.md is the reference.
//
// HOW    Each type is one of the formats of a structural tag (formats.h), or nothing but a schema, which then has the
//        text for itself. `reasoning` puts free text before it, which ends with its `end`.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_RESPONSE_FORMAT_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_RESPONSE_FORMAT_H_

#include <optional>
#include <string_view>

#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/grammar.h"

namespace weir::frontend {

/// Adds the rules of a response format; the first is returned. Errors: as read_structural_tag.
std::optional<grammar::RuleId> read_response_format(std::string_view text, const StructuralTagOptions& options,
                                                    Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_RESPONSE_FORMAT_H_
