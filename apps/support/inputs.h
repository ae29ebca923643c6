// Functions for inputs that several subcommands have: files, a tokenizer, a grammar in one of the languages. They throw
// InputError with a message that names the file and the position.
#ifndef WEIR_APPS_SUPPORT_INPUTS_H_
#define WEIR_APPS_SUPPORT_INPUTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "grammar_text.h"
#include "schema_input.h"
#include "weir/compiler.h"
#include "weir/grammar.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace CLI {
class Option;
class Option_group;
}  // namespace CLI

namespace weir::cli {

/// Returns the error for a token that is not in the vocabulary.
InputError out_of_range(std::uint32_t token, const TokenizerInfo& info);

/// Returns the content of a file; "-" is standard input.
std::string read_file(const std::string& path);

void write_file(const std::string& path, const std::string& content);

/// The option --tokenizer.
struct TokenizerInput {
  std::string path;  ///< Empty: the embedded tokenizer.
};
void add_tokenizer_option(CLI::App& app, TokenizerInput& input);
TokenizerInfo load_tokenizer(const TokenizerInput& input);

/// Tokenizes a text. Throws InputError if weir supports only masks for this tokenizer.
std::vector<std::uint32_t> tokenize(const TokenizerInfo& tokenizer, const std::string& text);

/// The options about a grammar: what it is read from (--grammar, --regex, --schema, ...), --start, --limit, --quiet, and
/// the options of a schema.
struct GrammarInput {
  GrammarText source;  ///< Without the text of a file.
  std::string path;    ///< The file with the text; empty for languages that need none.
  std::string tables;  ///< The file with the tables of a language by name; may be empty.
  SchemaInput schema;
  CLI::Option_group* text_group = nullptr;  ///< The options that are for --grammar only.
  std::vector<CLI::Option*> regex_options;  ///< Those that are for --regex only.
  CLI::Option* unit = nullptr;              ///< --unit, which is for --substring only.
  std::vector<std::string> limits;          ///< --limit
  bool quiet = false;
};
/// Adds the options and requires exactly one source. Returns their option group, so that a caller can make it optional.
CLI::Option_group* add_grammar_options(CLI::App& app, GrammarInput& input);
/// Throws InputError if an option was given that says something about a grammar, whatever it is read from.
void refuse_reading_options(const GrammarInput& input, const std::string& beside);

/// Add options, which they return: those of grammars except their language (--start, --exact-splits, --keep-endless), and
/// those of regular expressions.
std::vector<CLI::Option*> add_reading_options(CLI::App& app, GrammarTextOptions& options);
std::vector<CLI::Option*> add_regex_options(CLI::App& app, RegexOptions& options);
/// Returns true if options of JSON Schemas say something about this input.
bool has_schemas(const GrammarText& input);

/// A grammar, with its text and name for errors and warnings.
struct GrammarSource {
  Grammar grammar;
  std::string text;
  std::string name;  ///< The name of the file.
  Limits limits;
  bool quiet = false;
  std::optional<JsonSchemaOptions> schema = std::nullopt;  ///< Only for --schema.
};
/// Reads the grammar. In a structural tag or a response format, names in `special_tokens` denote special tokens.
GrammarSource load_grammar(const GrammarInput& input, const std::vector<std::string>& special_tokens = {});

/// Returns an InputError that shows an error in the text of a file as compilers do, with the line and a caret.
InputError text_error(const Error& error, const std::string& text, const std::string& name);
/// Prints that the file `name` cannot be used, as a command does that goes on with its other files: a line on standard
/// error or, as JSON, {"file", "error"} on standard output.
void report_file_failure(const InputError& error, const std::string& name, bool json);
/// Returns an InputError that shows an error in the grammar's text in the same way.
InputError grammar_error(const Error& error, const GrammarSource& source);
/// Prints warnings to standard error, unless --quiet or --start was given.
void print_warnings(const std::vector<Warning>& warnings, const GrammarSource& source);

/// Compiles the grammar and prints its warnings.
CompiledGrammar compile(const GrammarSource& source, const TokenizerInfo& tokenizer);

/// Throws InputError if the last call on the matcher exceeded a limit. The message begins with `where`, for example
/// "file: at byte 12: ".
void throw_on_limit(const GrammarMatcher& matcher, const std::string& where = "");

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_INPUTS_H_
