// The front end for `response_format` of OpenAI-compatible servers. docs/structural_tags.md is the reference.
//
// HOW    Each type corresponds to a format of structural tags (formats.h) or is only a schema, which is then the whole
//        text. With `reasoning`, free text up to `end` comes first.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_RESPONSE_FORMAT_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_RESPONSE_FORMAT_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/json/json_value.h"
#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/grammar.h"
#include "weir/limits.h"

namespace weir::frontend {

/// Adds the rules of a response format, and returns the first one. Errors: as read_structural_tag.
std::optional<grammar::RuleId> read_response_format(std::string_view text, const StructuralTagOptions& options,
                                                    Reading& reading);

/// Returns the hint for what was given as a response format and is none: a schema, a word, or a format of another interface.
/// Empty if there is none.
std::string hint_for_response_format(const base::JsonValue& format);

/// Returns true if `text` is a response format whose texts are JSON and nothing else.
bool is_json_format(std::string_view text, const Limits& limits);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_RESPONSE_FORMAT_H_
