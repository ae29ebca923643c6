// Explaining a refusal in terms of a JSON Schema: which keywords refuse a text.
//
// WHAT   GrammarMatcher::explain says what a grammar expects instead of a token. A schema's author asks which
//        keyword refuses the text. explain_refusal() answers with findings about the schema's text, which editors show
//        at the keywords.
// HOW    Keywords are removed from the schema as long as the text is still refused at the same byte, or at its end. Those that remain
//        are the ones that refuse it.
// COST   Each trial compiles a schema. The number of trials and the size of the schemas tried are bounded: 200, 4 MB.
//
//     const std::string schema = R"({"type": "string", "minLength": 3})";
//     for (const weir::Diagnostic& found : weir::explain_refusal(schema, R"("ab")")) {
//       std::cerr << weir::render(found, schema, "schema.json");  // schema.json:1:33: error: `minLength` refuses ...
//     }
#ifndef WEIR_EXPLAIN_H_
#define WEIR_EXPLAIN_H_

#include <string_view>
#include <vector>

#include "weir/diagnostic.h"
#include "weir/export.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir {

/// Returns the keywords that refuse a text at its first refused byte, as findings with the code "refused".
/// `where` is the range of the keyword's value and `pointer` its JSON Pointer in the schema. The notes are the
/// subschemas that apply to the value at that byte.
/// A value of which no byte is refused counts as one that ends there, and so does a number at the end of the text: 9
/// could go on as 9e-1, and nearly all texts of YAML can. Of a number, string or key that the text has whole, the keywords
/// are those that refuse it whole.
/// Returns  Nothing if the text is in the schema's language, or begins a text of it and is no value yet. One finding
///          without a range if no keywords alone are the reason: the text is not JSON as the options write it, or the
///          trials found none. The schema's own error if it has one.
/// Example  explain_refusal(R"({"type": "string", "minLength": 3})", R"("ab")") has one finding, at the `3`, with the
///          pointer "/minLength".
WEIR_API std::vector<Diagnostic> explain_refusal(std::string_view schema, std::string_view text,
                                                 const JsonSchemaOptions& options = {}, const Limits& limits = {});

}  // namespace weir

#endif  // WEIR_EXPLAIN_H_
