// What several subcommands read: files, a tokenizer, a grammar in one of its languages. Everything here throws
// InputError with a message that names the file and the place.
#ifndef WEIR_APPS_WEIR_INPUTS_H_
#define WEIR_APPS_WEIR_INPUTS_H_

#include <string>

#include "command.h"
#include "weir/compiler.h"
#include "weir/grammar.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace weir::cli {

/// The whole file; "-" is standard input.
std::string read_file(const std::string& path);

void write_file(const std::string& path, const std::string& content);

/// --tokenizer.
struct TokenizerInput {
  std::string path;  ///< Empty: the embedded one.
};
void add_tokenizer_option(CLI::App& app, TokenizerInput& input);
TokenizerInfo load_tokenizer(const TokenizerInput& input);

/// --grammar or --regex, one of which is required, and --start.
struct GrammarInput {
  std::string grammar_path;
  std::string regex;
  std::string start = "root";
  bool quiet = false;
};
void add_grammar_options(CLI::App& app, GrammarInput& input);

/// Reads and checks the grammar; its warnings go to standard error unless --quiet was given.
Grammar load_grammar(const GrammarInput& input);

/// Joins both.
CompiledGrammar compile(const GrammarInput& input, const TokenizerInfo& tokenizer);

/// Throws when the last call on the matcher met a limit.
void throw_on_limit(const GrammarMatcher& matcher);

}  // namespace weir::cli

#endif  // WEIR_APPS_WEIR_INPUTS_H_
