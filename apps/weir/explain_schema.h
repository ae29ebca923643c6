// Shows people and programs why a JSON Schema refuses a text: which subschemas apply to the value at that position, and
// which of their keywords refuse it. src/api/schema_refusal.h finds them.
#ifndef WEIR_APPS_WEIR_EXPLAIN_SCHEMA_H_
#define WEIR_APPS_WEIR_EXPLAIN_SCHEMA_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "api/schema_refusal.h"
#include "inputs.h"
#include "text.h"
#include "weir/error.h"
#include "weir/tokenizer_info.h"

namespace weir::cli {

/// Explains a text. `offset` is that of the first byte that is refused; text.size() if none is.
/// Precondition: `source` is a JSON Schema. Throws InputError.
SchemaFinding explain_by_schema(const GrammarSource& source, const TokenizerInfo& tokenizer, std::string_view text,
                                std::size_t offset);

/// Returns the finding as lines for people.
std::string describe(const SchemaFinding& finding, const GrammarSource& source);

/// Returns {"places": [{"pointer", "schemas": […]}], "refused_by": […]}.
Json schema_finding_json(const SchemaFinding& finding, const GrammarSource& source);

}  // namespace weir::cli

#endif  // WEIR_APPS_WEIR_EXPLAIN_SCHEMA_H_
