// Explains in terms of a JSON Schema where a text is refused: which subschemas apply to the value at that position, and
// which of their keywords refuse it.
//
// HOW    lint/schema_places.h finds the subschemas that apply to each value. Then keywords are removed from the schema
//        as long as the text is still refused at the same byte; the keywords that remain are the ones that refuse it.
// COST   A trial compiles a grammar. kMaxTrials and kMaxBytes (explain_schema.cc) bound the trials.
#ifndef WEIR_APPS_WEIR_EXPLAIN_SCHEMA_H_
#define WEIR_APPS_WEIR_EXPLAIN_SCHEMA_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "inputs.h"
#include "lint/schema_places.h"
#include "text.h"
#include "weir/error.h"
#include "weir/tokenizer_info.h"

namespace weir::cli {

struct SchemaFinding {
  std::vector<frontend::json_schema::PlaceInText> places;  ///< The innermost value first.
  struct Refusal {
    std::string location;  ///< "#/properties/age/maximum"
    SourceRange where = {};
  };
  std::vector<Refusal> refused_by;  ///< Empty if no keywords refuse the text, or the trials did not find them.
  bool is_no_json = false;          ///< The text is not a prefix of any JSON text.
};

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
