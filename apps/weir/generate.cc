// `weir generate`: random members of a grammar's language.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "canonical_option.h"
#include "commands.h"
#include "inputs.h"
#include "interrupt.h"
#include "member_sampler.h"
#include "special_tokens.h"
#include "terminal.h"
#include "text.h"

namespace weir::cli::generate {

namespace {

struct Options {
  GrammarInput grammar;
  TokenizerInput tokenizer;
  CanonicalInput canonical;
  SamplerOptions sampler;
  std::uint64_t count = 1;
  bool zero_terminated = false;
  bool json = false;
};

int run(const Options& options) {
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  const CompiledGrammar compiled = compile(load_grammar(options.grammar, special_token_names(tokenizer)), tokenizer);
  MemberSampler sampler(compiled, options.sampler, matcher_options(options.canonical, tokenizer));
  Progress progress("generating", options.count);
  bool has_line_feed = false;
  const Interrupt interrupt;
  for (std::uint64_t i = 0; i < options.count && !Interrupt::is_requested(); ++i) {
    const Member member = sampler.draw(i);
    if (options.json) {
      const Json out = {{"text", text_or_null(member.text)},
                        {"hex", is_valid_utf8(member.text) ? Json(nullptr) : Json(hex(member.text))},
                        {"tokens", member.tokens},
                        {"walked", member.walked}};
      fmt::print("{}\n", out.dump());
    } else {
      std::fwrite(member.text.data(), 1, member.text.size(), stdout);
      std::fputc(options.zero_terminated ? '\0' : '\n', stdout);
      has_line_feed = has_line_feed || member.text.find('\n') != std::string::npos;
    }
    progress.update(i + 1);
  }
  if (has_line_feed && options.count > 1 && !options.zero_terminated && !options.grammar.quiet) {
    const Colors colors = colors_for(stderr);
    fmt::print(stderr, "{}weir: some members have line feeds: --json or -0 shows where each ends{}\n", colors.yellow,
               colors.reset);
  }
  return kOk;
}

constexpr const char* kFooter = R"(
A member is drawn token by token with masks and is complete. A step takes a random allowed token, or the first token of
a shortest completion; the longer the text, the more likely the latter. When the text approaches --max-tokens, a
shortest completion is appended. The same seed gives the same members.
With --canonical the tokens of a member are those that the tokenizer writes for its text.
If a grammar has no finite text (--keep-endless), a member is a prefix of a text instead, of --max-tokens tokens.
Token terminals are drawn as their tokens. Special tokens are not part of the text; JSON lists all tokens.
Ctrl-C ends the command after a whole member.
A member is followed by a line feed, and may have some in it, of which standard error then warns: -0 ends each member
with a zero byte instead, --json puts each on one line.
JSON: one line for each member: {"text" (null unless it is UTF-8), "hex" (null if it is), "tokens": [ids], "walked": how
many tokens come before the completion}.
Exit status: 0 done; 2 no answer, for example because --max-tokens is too small for any member, or because the
tokenizer cannot spell the shortest text of the grammar.
Example: weir generate --grammar examples/expression.ebnf --count 5)";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("generate", "Generate random members of a grammar's language");
  app->footer(kFooter);
  add_grammar_options(*app, options->grammar);
  add_tokenizer_option(*app, options->tokenizer);
  add_canonical_options(*app, options->canonical);
  app->add_option("--count", options->count, "Number of members")->type_name("N")->capture_default_str();
  app->add_option("--seed", options->sampler.seed, "Number of the random sequence")
      ->type_name("S")
      ->capture_default_str();
  app->add_option("--max-tokens", options->sampler.max_tokens, "Maximum number of tokens of a member")
      ->type_name("N")
      ->capture_default_str();
  app->add_option("--steer", options->sampler.steer,
                  "Share of steps that lead to the end, 0 to 1; more gives shorter members")
      ->type_name("P")
      ->capture_default_str();
  CLI::Option* zero = app->add_flag("-0,--zero-terminated", options->zero_terminated,
                                    "End each member with a zero byte, not a line feed");
  app->add_flag("--json", options->json, "One JSON object a line instead of the texts")->excludes(zero);
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::generate
