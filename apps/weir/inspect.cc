// `weir inspect`: shows the engine's data for a grammar and a tokenizer, for people who work on weir or debug a
// grammar.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands.h"
#include "engine/automaton/compiled.h"
#include "engine/matcher/inspect.h"
#include "engine_counters.h"
#include "grammar/passes/pipeline.h"
#include "inputs.h"
#include "special_tokens.h"
#include "terminal.h"
#include "text.h"
#include "vocab/token_trie.h"
#include "vocab/vocabulary.h"
#include "weir/matcher.h"

namespace weir::cli::inspect {

namespace {

struct Options {
  GrammarInput grammar;
  CLI::Option_group* grammar_group = nullptr;
  TokenizerInput tokenizer;
  bool passes = false;
  bool terminals = false;
  bool rows = false;
  bool lexer_states = false;
  bool statistics = false;
  std::string after;
  std::string state_after;
  CLI::Option* state_after_option = nullptr;
  unsigned depth = 1;
  std::string trie;
  CLI::Option* trie_option = nullptr;
  bool json = false;
};

// The name of each view and its text. They are printed in this order or, with --json, as one JSON array.
using Sections = std::vector<std::pair<std::string, std::string>>;

std::vector<Warning> inspect_passes(const GrammarSource& source, Sections& out) {
  std::vector<Warning> warnings;
  std::string before;
  const auto observe = [&](std::string_view pass, std::string_view text) {
    out.emplace_back(fmt::format("pass: {}", pass), text == before ? "(unchanged)\n" : std::string(text));
    before = text;
  };
  const Grammar& grammar = source.grammar;
  const Result<grammar::Cfg> cfg = grammar::run_passes(grammar.ir(), grammar.limits(), &warnings, observe);
  if (!cfg) throw grammar_error(cfg.error(), source);
  return warnings;
}

// Returns a line for each node at or below `prefix` at which tokens end, indented by depth, and a last line with the
// number of nodes.
std::string inspect_trie(const TokenizerInfo& info, std::string_view prefix) {
  const vocab::TokenTrie& trie = info.vocabulary().trie();
  std::string path;
  std::string out;
  std::size_t nodes = 0;
  for (std::size_t i = 0; i < trie.nodes().size();) {
    const vocab::TrieNode& node = trie.nodes()[i];
    path.resize(node.depth - 1);
    path += static_cast<char>(node.byte);
    const std::size_t common = std::min(path.size(), prefix.size());
    if (std::string_view(path).substr(0, common) != prefix.substr(0, common)) {
      i += node.subtree_size;
      continue;
    }
    if (path.size() >= prefix.size()) {
      ++nodes;
      if (node.tokens != 0) {
        out += fmt::format("{:>{}}`{}`", "", 2 * (path.size() - prefix.size()), escape(path));
        for (const std::uint32_t id : trie.tokens_at(node)) out += fmt::format(" {}", id);
        out += "\n";
      }
    }
    ++i;
  }
  return fmt::format("{}{} nodes\n", out, nodes);
}

std::string inspect_statistics(const CompiledGrammar& compiled) {
  const EngineStats stats = compiled.stats();
  std::string out;
  for_each_counter([&](std::string name, auto counter) {
    std::ranges::replace(name, '_', ' ');
    out += fmt::format("{} {}\n", name, stats.*counter);
  });
  return out;
}

// Accepts the tokens of a text and computes a mask before each of them and at the end. This creates the rows and lexer
// states that the views show.
void explore(const CompiledGrammar& compiled, std::string_view text) {
  GrammarMatcher matcher(compiled);
  const TokenizerInfo& info = compiled.tokenizer_info();
  std::vector<std::uint32_t> bitmask(bitmask_words(info.vocab_size()));
  for (const std::uint32_t token : tokenize(info, std::string(text))) {
    if (matcher.fill_next_token_bitmask(bitmask) == Step::kOk && matcher.accept_token(token) == Step::kOk) continue;
    throw_on_limit(matcher);
    throw InputError(fmt::format("the text is refused at token {} (`{}`)", token, escape(info.token_bytes(token))));
  }
  if (matcher.fill_next_token_bitmask(bitmask) != Step::kOk) throw_on_limit(matcher);
}

void inspect_engine(const Options& options, const GrammarSource& source, const TokenizerInfo& info, Sections& out) {
  const CompiledGrammar compiled = compile(source, info);
  if (options.terminals) out.emplace_back("terminals", engine::describe_terminals(compiled.impl()->program()));
  explore(compiled, options.after);
  if (options.state_after_option->count() != 0) {
    out.emplace_back("state", engine::describe_state(*compiled.impl(), options.state_after, options.depth));
  }
  if (options.rows) out.emplace_back("rows", engine::describe_rows(*compiled.impl()));
  if (options.lexer_states) out.emplace_back("lexer states", engine::describe_lexer_states(*compiled.impl()));
  if (options.statistics) out.emplace_back("statistics", inspect_statistics(compiled));
}

void print(const Sections& sections, bool json) {
  if (json) {
    Json out = Json::array();
    for (const auto& [name, text] : sections) out.push_back({{"view", name}, {"text", text}});
    fmt::print("{}\n", json_text(out));
    return;
  }
  const Colors colors = colors_for(stdout);
  for (const auto& [name, text] : sections) {
    fmt::print("{}== {}{}\n{}{}", colors.bold, name, colors.reset, text, text.ends_with('\n') ? "" : "\n");
  }
}

int run(const Options& options) {
  const bool state = options.state_after_option->count() != 0;
  const bool engine = options.terminals || options.rows || options.lexer_states || options.statistics || state;
  const bool grammar_given = options.grammar_group->count_all() != 0;
  if (!engine && !options.passes && options.trie_option->count() == 0) throw InputError("nothing to show; see --help");
  if ((engine || options.passes) && !grammar_given)
    throw InputError("--grammar, --regex or --schema is required for that");
  Sections sections;
  const TokenizerInfo info = load_tokenizer(options.tokenizer);
  if (engine || options.passes) {
    const GrammarSource source = load_grammar(options.grammar, special_token_names(info));
    if (options.passes) {
      const std::vector<Warning> warnings = inspect_passes(source, sections);
      if (!engine) print_warnings(warnings, source);  // compiling reports the same warnings
    }
    if (engine) inspect_engine(options, source, info, sections);
  }
  if (options.trie_option->count() != 0) sections.emplace_back("trie", inspect_trie(info, options.trie));
  print(sections, options.json);
  return kOk;
}

constexpr const char* kFooter = R"(
Views are printed one after another; their text is for people and may change with any version.
--rows, --lexer-states and --statistics show what reading the --after text token by token has explored.
JSON: [{"view", "text"}].
Exit status: 0 done; 2 no answer.
Example: weir inspect --grammar examples/json.ebnf --passes --terminals)";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("inspect", "Show what the engine made of a grammar and a tokenizer");
  app->footer(kFooter);
  options->grammar_group = add_grammar_options(*app, options->grammar);
  options->grammar_group->require_option(0, 1);
  add_tokenizer_option(*app, options->tokenizer);
  app->add_flag("--passes", options->passes, "The rules after each pass");
  app->add_flag("--terminals", options->terminals, "Terminals with their modes and expressions");
  options->state_after_option =
      app->add_option("--state-after", options->state_after, "The state after this text")->type_name("TEXT");
  app->add_option("--depth", options->depth, "With --state-after: levels of continuations")
      ->type_name("N")
      ->capture_default_str()
      ->needs(options->state_after_option);
  app->add_flag("--rows", options->rows, "Rows explored");
  app->add_flag("--lexer-states", options->lexer_states, "Lexer states explored");
  app->add_flag("--statistics", options->statistics, "Counts of everything explored");
  app->add_option("--after", options->after, "Text to read before the last three views")->type_name("TEXT");
  options->trie_option =
      app->add_option("--trie", options->trie, "Tokens that begin with this text, as a tree")->type_name("PREFIX");
  app->add_flag("--json", options->json, "JSON instead of text");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::inspect
