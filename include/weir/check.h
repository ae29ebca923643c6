// Checking: lists every error and every warning about a text in one run, for editors and for continuous integration.
//
// WHAT   A check reports what reading and compiling the text would report, and problems that only a check looks for:
//        alternatives that an earlier one makes superfluous, whitespace without a bound. No tokenizer is needed.
// WHY    Building stops at the first error and must be quick. A check may take longer and reports everything it finds.
// LIMITS A front end reports at most kMaxErrors errors of a text. Errors that depend on a vocabulary (tokens that a
//        grammar names) are found by compiling only.
//
//     for (const weir::Diagnostic& found : weir::check_grammar(text, {.syntax = weir::GrammarSyntax::kLark})) {
//       std::cerr << weir::render(found, text, "calls.lark");
//     }
#ifndef WEIR_CHECK_H_
#define WEIR_CHECK_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "weir/diagnostic.h"
#include "weir/export.h"
#include "weir/grammar.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir {

/// Checks a grammar that has rules. Returns the findings in the order of the text; an empty list means that nothing is
/// wrong. If the text cannot be read, the list has errors only: warnings would be about rules that are not as meant. If it
/// can be read and allows nothing, the warnings are listed, too.
/// Cost     That of Grammar::from_text, of the passes over rules, and of a bounded search for each pair of
///          alternatives.
WEIR_API std::vector<Diagnostic> check_grammar(std::string_view text, const GrammarTextOptions& options,
                                               const Limits& limits = {});
/// Checks one regular expression; the findings are listed as above, here and below.
/// Example  check_regex("(a|ab") reports that a parenthesis is not closed.
WEIR_API std::vector<Diagnostic> check_regex(std::string_view pattern, const RegexOptions& options = {},
                                             const Limits& limits = {});
/// Checks a JSON Schema.
/// Example  check_schema(R"({"type": "integer", "minLength": 3})") has one warning: `minLength` has no effect.
WEIR_API std::vector<Diagnostic> check_schema(std::string_view schema, const JsonSchemaOptions& options = {},
                                              const Limits& limits = {});
/// Checks a structural tag with the schemas, grammars and patterns in it.
WEIR_API std::vector<Diagnostic> check_structural_tag(std::string_view text, const StructuralTagOptions& options = {},
                                                      const Limits& limits = {});
/// Checks a response_format.
WEIR_API std::vector<Diagnostic> check_response_format(std::string_view text, const StructuralTagOptions& options = {},
                                                       const Limits& limits = {});

}  // namespace weir

#endif  // WEIR_CHECK_H_
