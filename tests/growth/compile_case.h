// Compiles the grammar of a case.
#ifndef WEIR_TESTS_GROWTH_COMPILE_CASE_H_
#define WEIR_TESTS_GROWTH_COMPILE_CASE_H_

#include <string>
#include <string_view>
#include <vector>

#include "growth/cases.h"
#include "weir/weir.h"

namespace weir::growth {

/// Returns the compiled grammar of a case, of which `text` is the expanded recipe. A case of the syntax `tools` is a list of
/// tools that becomes a structural tag first.
Result<CompiledGrammar> compile_case(const Case& one, const GrammarCompiler& compiler, const std::string& text);

/// Returns the names of the options of JSON Schemas that a case may have. Does not compile if there is an option that is
/// not among them.
std::vector<std::string_view> schema_option_names();

/// Returns the syntaxes that a case may have.
std::vector<std::string_view> syntaxes();

}  // namespace weir::growth

#endif  // WEIR_TESTS_GROWTH_COMPILE_CASE_H_
