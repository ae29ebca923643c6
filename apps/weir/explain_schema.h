// Where a text is refused, in the words of its JSON Schema: which subschemas speak of the place, and which of their
// keywords refuse it.
//
// HOW    The places are read off the schema (lint/schema_places.h). A keyword is found to refuse by
//        leaving it out: of those that speak of the place a smallest set is kept with which the text is still refused.
// COST   A grammar a trial, at most kMaxTrials (explain_schema.cc).
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
  std::vector<frontend::json_schema::PlaceInText> places;  ///< The innermost first.
  struct Refusal {
    std::string location;  ///< "#/properties/age/maximum"
    SourceRange where = {};
  };
  std::vector<Refusal> refused_by;  ///< None where the text is not refused, or no keywords of the schema do it.
  bool is_no_json = false;          ///< It is refused whatever the schema says.
};

/// `offset`: of the first byte of the text that is refused; the text's size where none is.
/// Precondition: `source` is a JSON Schema. Throws InputError.
SchemaFinding explain_by_schema(const GrammarSource& source, const TokenizerInfo& tokenizer, std::string_view text,
                                std::size_t offset);

/// Lines for people.
std::string describe(const SchemaFinding& finding, const GrammarSource& source);

/// {"places": [{"pointer", "schemas": […]}], "refused_by": […]}
Json schema_finding_json(const SchemaFinding& finding, const GrammarSource& source);

}  // namespace weir::cli

#endif  // WEIR_APPS_WEIR_EXPLAIN_SCHEMA_H_
