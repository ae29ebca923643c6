// GrammarText: an input in one of the languages that weir reads, before it is read.
//
// WHY    Options of a command, names of files and lines of a file of cases all say what a grammar is read from. Each
//        makes a GrammarText of it, and read_grammar() reads them all.
#ifndef WEIR_APPS_SUPPORT_GRAMMAR_TEXT_H_
#define WEIR_APPS_SUPPORT_GRAMMAR_TEXT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/grammar.h"

namespace weir::cli {

enum class InputLanguage : std::uint8_t {
  kGrammar,  ///< One of the languages that have rules; GrammarTextOptions::syntax says which.
  kRegex,
  kSchema,
  kStructuralTag,
  kTools,
  kResponseFormat,
  kJsonValue,
  kJsonObject,
  kChoice,
  kSubstring,
  kChunks
};

struct GrammarText {
  InputLanguage language = InputLanguage::kGrammar;
  std::string text = {};                                     ///< For kTools the list of tools.
  std::vector<std::string> strings = {};                     ///< For kChoice and kChunks, in place of the text.
  GrammarTextOptions text_options = {};                      ///< For kGrammar.
  RegexOptions regex_options = {};                           ///< For kRegex.
  SubstringUnit unit = SubstringUnit::kWord;                 ///< For kSubstring.
  std::string style = {};                                    ///< For kTools.
  std::optional<JsonSchemaOptions::Notation> notation = {};  ///< For kSchema, in place of the schema's option.
};

/// Reads the grammar. `schema` has the options of the schema, or of the schemas in it. In a structural tag or a response
/// format, names in `special_tokens` denote special tokens.
Result<Grammar> read_grammar(const GrammarText& input, const JsonSchemaOptions& schema, const Limits& limits,
                             const std::vector<std::string>& special_tokens = {});

/// Returns the language that a file's name says: its extension is the language's name. nullopt for other names.
std::optional<GrammarSyntax> syntax_of_file(std::string_view path);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_GRAMMAR_TEXT_H_
