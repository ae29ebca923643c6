// Grammars of languages by their names: SQL's dialects, Python.
//
// WHAT   data/languages has a text in EBNF or Lark for each language, a file with the language's name. The build embeds all
//        of them in the library (tools/embed_languages.cmake), so a text that is put there is a language.
// HOW    The text is read as any grammar; a grammar in Lark with the option `exact_splits`. Its places are dropped,
//        because nobody who names a language sees its text. In a dialect of SQL the rules of names are the last part of
//        the text. Where the caller lists tables (tables.h), others are written in their place (sql_names.h).
#ifndef WEIR_SRC_FRONTEND_LANGUAGES_LANGUAGE_H_
#define WEIR_SRC_FRONTEND_LANGUAGES_LANGUAGE_H_

#include <optional>
#include <span>
#include <string_view>

#include "frontend/reading.h"
#include "grammar/ir.h"
#include "weir/grammar.h"

namespace weir::frontend {

/// The grammar of a language.
struct Language {
  std::string_view name;
  GrammarSyntax syntax = GrammarSyntax::kEbnf;
  std::string_view text;
};

/// Returns all languages, sorted by name.
std::span<const Language> languages();

/// Adds the rules of the language `options.language`, and returns the start rule. `tables` is empty, or says which
/// tables there are (tables.h).
/// Errors: kInvalidArgument (there is no such language, or it has no tables; an option that has no effect; the start
/// rule; JSON that does not list tables); kSyntax (in `tables`); kLimitExceeded. Error::where is a range of `tables`; it is
/// empty if the error is about the name, an option or the start rule.
std::optional<grammar::RuleId> read_language(std::string_view tables, const GrammarTextOptions& options,
                                             Reading& reading);

}  // namespace weir::frontend

#endif  // WEIR_SRC_FRONTEND_LANGUAGES_LANGUAGE_H_
