// What several subcommands read: files, a tokenizer, a grammar in one of its languages. Everything here throws
// InputError with a message that names the file and the place.
#ifndef WEIR_APPS_SUPPORT_INPUTS_H_
#define WEIR_APPS_SUPPORT_INPUTS_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
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

/// The whole file; "-" is standard input.
std::string read_file(const std::string& path);

void write_file(const std::string& path, const std::string& content);

/// The dialects of regular expressions by the names that the command has for them.
const std::map<std::string, RegexDialect>& regex_dialects();

/// The language of grammars that a file's name says: .ebnf, .gbnf, .kbnf, .lark.
std::optional<GrammarSyntax> syntax_of_file(std::string_view path);

/// The languages of grammars by their names.
const std::map<std::string, GrammarSyntax>& grammar_syntaxes();

/// --tokenizer.
struct TokenizerInput {
  std::string path;  ///< Empty: the embedded one.
};
void add_tokenizer_option(CLI::App& app, TokenizerInput& input);
TokenizerInfo load_tokenizer(const TokenizerInput& input);

/// Throws InputError for a tokenizer that masks only.
std::vector<std::uint32_t> tokenize(const TokenizerInfo& tokenizer, const std::string& text);

/// What a grammar is read from (--grammar, --regex, --schema, ...), --start, --limit, --quiet, and the options of a
/// schema.
struct GrammarInput {
  std::string grammar_path;
  std::string regex;
  RegexOptions regex_options;
  std::string schema_path;
  std::string structural_tag_path;
  std::string response_format_path;
  std::string choice_path;
  std::string substring_path;
  SubstringUnit unit = SubstringUnit::kWord;
  std::string chunks_path;
  bool json_value = false;
  bool json_object = false;
  SchemaInput schema;
  GrammarTextOptions text_options;  ///< --syntax, --start, ...
  CLI::Option_group* text_group = nullptr;
  std::vector<std::string> limits;  ///< --limit
  bool quiet = false;
};
/// Requires one of the sources; the group that is returned may be told otherwise.
CLI::Option_group* add_grammar_options(CLI::App& app, GrammarInput& input);

/// What reading a grammar depends on beside its language: --start, --exact-splits, --keep-endless.
void add_reading_options(CLI::App& app, GrammarTextOptions& options);

/// A grammar, and what it takes to print an error or a warning about its text.
struct GrammarSource {
  Grammar grammar;
  std::string text;
  std::string name;  ///< The file's.
  Limits limits;
  bool quiet = false;
  std::optional<JsonSchemaOptions> schema = std::nullopt;  ///< Of a --schema.
};
/// In a structural tag or a response format the names of `special_tokens` are those tokens.
GrammarSource load_grammar(const GrammarInput& input, const std::vector<std::string>& special_tokens = {});

/// An error in the text of a file as a compiler prints it, to be thrown.
InputError text_error(const Error& error, const std::string& text, const std::string& name);
/// An error in the grammar's text as a compiler prints it, to be thrown.
InputError grammar_error(const Error& error, const GrammarSource& source);
/// To standard error, unless --quiet or --start was given.
void print_warnings(const std::vector<Warning>& warnings, const GrammarSource& source);

/// Joins both and prints what there is to warn of.
CompiledGrammar compile(const GrammarSource& source, const TokenizerInfo& tokenizer);

/// Throws when the last call on the matcher met a limit; `where` says what was being read, as "file: at byte 12: ".
void throw_on_limit(const GrammarMatcher& matcher, const std::string& where = "");

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_INPUTS_H_
