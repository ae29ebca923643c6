// Checking: every error and every warning about a text in one run, for editors and for continuous integration.
//
// WHAT   What reading and compiling would say, and what only a check looks for: alternatives that an earlier one makes
//        superfluous, blanks without end. No tokenizer is needed.
// WHY    Building stops at the first error and must be quick; a check may look longer and says all that it sees.
// LIMITS A front end reports at most kMaxErrors errors of a text. What depends on a vocabulary (tokens named by a
//        grammar) is known to compiling alone.
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

/// In the order of the text. With errors of reading there are no warnings: they would be about rules that are not as
/// meant. Empty: nothing is wrong.
/// Cost: that of Grammar::from_text, of the passes over rules, and a bounded search for each pair of alternatives.
WEIR_API std::vector<Diagnostic> check_grammar(std::string_view text, const GrammarTextOptions& options,
                                               const Limits& limits = {});
/// Of one regular expression.
WEIR_API std::vector<Diagnostic> check_regex(std::string_view pattern, const RegexOptions& options = {},
                                             const Limits& limits = {});
/// Of a JSON Schema.
WEIR_API std::vector<Diagnostic> check_schema(std::string_view schema, const JsonSchemaOptions& options = {},
                                              const Limits& limits = {});
/// Of a structural tag, with the schemas, grammars and patterns in it.
WEIR_API std::vector<Diagnostic> check_structural_tag(std::string_view text, const StructuralTagOptions& options = {},
                                                      const Limits& limits = {});
/// Of a response_format.
WEIR_API std::vector<Diagnostic> check_response_format(std::string_view text, const StructuralTagOptions& options = {},
                                                       const Limits& limits = {});

}  // namespace weir

#endif  // WEIR_CHECK_H_
