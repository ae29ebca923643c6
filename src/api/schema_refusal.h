// Finds the keywords of a JSON Schema that refuse a text.
//
// HOW    lint/schema_places.h finds the subschemas that apply to each value. Then keywords are removed from the schema
//        as long as the text is still refused at the same byte; the keywords that remain are the ones that refuse it.
// COST   A trial compiles a grammar. kMaxRefusalTrials and kMaxRefusalBytes (search_bounds.h) bound the trials.
#ifndef WEIR_SRC_API_SCHEMA_REFUSAL_H_
#define WEIR_SRC_API_SCHEMA_REFUSAL_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/schema_places.h"
#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"
#include "weir/tokenizer_info.h"

namespace weir {

/// A schema as it was given.
struct SchemaSource {
  std::string_view text;
  const JsonSchemaOptions& options;
  const Limits& limits;
};

struct SchemaFinding {
  std::vector<frontend::json_schema::PlaceInText> places;  ///< The innermost value first.
  struct Refusal {
    std::string location;  ///< "#/properties/age/maximum"
    SourceRange where = {};
  };
  std::vector<Refusal> refused_by;  ///< Empty if no keywords refuse the text, or the trials did not find them.
  bool is_no_json = false;          ///< The text is not a prefix of any JSON text.
  /// The key in the text that the refused key repeats; there are then no other reasons.
  std::optional<SourceRange> earlier_key = std::nullopt;
};

/// Explains a text. `offset` is that of the first byte that is refused; text.size() if none is: the text may then go on, but
/// a text of YAML is explained as one that ends there, or at the end of the line of that byte. The result does not depend
/// on the tokenizer. Errors: those of reading the schema.
Result<SchemaFinding> explain_by_schema(const SchemaSource& schema, const TokenizerInfo& tokenizer,
                                        std::string_view text, std::size_t offset);

}  // namespace weir

#endif  // WEIR_SRC_API_SCHEMA_REFUSAL_H_
