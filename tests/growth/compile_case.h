// Compiles the grammar of a case.
#ifndef WEIR_TESTS_GROWTH_COMPILE_CASE_H_
#define WEIR_TESTS_GROWTH_COMPILE_CASE_H_

#include <string>
#include <string_view>
#include <vector>

#include "growth/cases.h"
#include "weir/weir.h"

namespace weir::growth {

/// Returns the structural tag of a case of the syntax `tools`, of which `text` is the expanded recipe.
Result<std::string> tag_of_tools(const Case& one, const Limits& limits, const std::string& text);

/// Returns the compiled grammar of a case, of which `text` is the expanded recipe; of the syntax `tools` its structural tag.
Result<CompiledGrammar> compile_case(const Case& one, const GrammarCompiler& compiler, const std::string& text);

/// Returns the names of the options of JSON Schemas that a case may have. Does not compile if there is an option that is
/// not among them.
std::vector<std::string_view> schema_option_names();

/// Returns the syntaxes that a case may have.
std::vector<std::string_view> syntaxes();

}  // namespace weir::growth

#endif  // WEIR_TESTS_GROWTH_COMPILE_CASE_H_
