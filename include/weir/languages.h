// Grammars of languages by their names: SQL's dialects and others, which docs/languages.md lists.
//
//     const weir::Result<weir::Grammar> grammar =
//         weir::grammar_of_language("sqlite", "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT)");
#ifndef WEIR_LANGUAGES_H_
#define WEIR_LANGUAGES_H_

#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/export.h"
#include "weir/grammar.h"
#include "weir/limits.h"

namespace weir {

/// Returns the names of the languages, sorted.
WEIR_API std::vector<std::string_view> language_names();

/// Returns the grammar of a language: Grammar::from_text with the option `language`. For SQL, `tables` says which
/// tables and columns there are, in CREATE TABLE statements or as a JSON object such as {"users": ["id", "name"]}. If
/// it is empty, any names are allowed. Compilers remember what they compile by GrammarCompiler::compile_text(tables,
/// {.language = name}).
/// Errors   kInvalidArgument: there is no such language, or it has no tables, or `tables` is JSON of another form.
///          kSyntax: in `tables`. kLimitExceeded. Error::where is a range of `tables`.
WEIR_API Result<Grammar> grammar_of_language(std::string_view name, std::string_view tables = {},
                                             const Limits& limits = {});

}  // namespace weir

#endif  // WEIR_LANGUAGES_H_
