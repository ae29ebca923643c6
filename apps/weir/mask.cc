// `weir mask`: which tokens may come next after a text, and why a token may not.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "canonical_option.h"
#include "commands.h"
#include "inputs.h"
#include "limit_option.h"
#include "option_checks.h"
#include "special_tokens.h"
#include "terminal.h"
#include "text.h"
#include "weir/matcher.h"

namespace weir::cli::mask {

namespace {

struct Options {
  GrammarInput grammar;
  TokenizerInput tokenizer;
  CanonicalInput canonical;
  std::string after;
  std::string after_file;
  std::vector<std::uint32_t> after_tokens;
  bool special_tokens = false;
  std::string token;
  std::string token_text;
  CLI::Option* token_text_option = nullptr;
  std::optional<std::uint32_t> max_tokens;
  std::size_t shown = 20;
  bool all = false;
  bool json = false;
};

std::string_view kind_name(const TokenizerInfo& info, std::uint32_t id) {
  const auto stops = info.stop_token_ids();
  if (std::find(stops.begin(), stops.end(), id) != stops.end()) return "stop";
  switch (info.token_kind(id)) {
    case TokenKind::kNormal: return "text";
    case TokenKind::kByte: return "byte";
    case TokenKind::kSpecial: return "special";
    case TokenKind::kUnused: return "unused";
  }
  return "";
}

std::optional<std::uint32_t> find_text(const TokenizerInfo& info, std::string_view bytes) {
  for (std::uint32_t id = 0; id < info.vocab_size(); ++id) {
    if (!bytes.empty() && info.token_bytes(id) == bytes) return id;
  }
  return std::nullopt;
}

// Returns the token that --token-text or --token names. --token-text is a token's exact text; --token is an id, the
// name of a special token, or a token's exact text, tried in this order. Throws InputError if there is none.
std::uint32_t find_token(const TokenizerInfo& info, const Options& options) {
  if (options.token_text_option->count() != 0) {
    if (options.token_text.empty()) throw InputError("--token-text: no token has the empty text");
    if (const auto id = find_text(info, options.token_text)) return *id;
    throw InputError(fmt::format("no token has exactly the text `{}`", escape(options.token_text)));
  }
  const std::string& token = options.token;
  std::uint32_t id = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), id);
  if (error == std::errc{} && end == token.data() + token.size()) {
    if (id < info.vocab_size()) return id;
    throw out_of_range(id, info);
  }
  if (const auto special = info.find_special_token(token)) return *special;
  if (const auto text = find_text(info, token)) return *text;
  throw InputError(fmt::format("no token has the name or the text `{}`", escape(token)));
}

std::string describe_token(const TokenizerInfo& info, std::uint32_t id) {
  const std::string_view bytes = info.token_bytes(id);
  if (bytes.empty()) return fmt::format("{:>7}  {} ({})", id, escape(info.token_name(id)), kind_name(info, id));
  return fmt::format("{:>7}  `{}`{}", id, escape(bytes), is_valid_utf8(bytes) ? "" : "  (part of a character)");
}

Json token_json(const TokenizerInfo& info, std::uint32_t id) {
  const std::string_view bytes = info.token_bytes(id);
  return {{"id", id},
          {"kind", kind_name(info, id)},
          {"text", bytes.empty() ? text_or_null(info.token_name(id)) : text_or_null(bytes)},
          {"hex", hex(bytes)}};
}

// Accepts --after-tokens. If one is refused, prints the reason and returns false.
bool accept_after_tokens(GrammarMatcher& matcher, const Options& options) {
  for (const std::uint32_t token : options.after_tokens) {
    const Step step = matcher.accept_token(token);
    if (step == Step::kOk) continue;
    throw_on_limit(matcher);
    const TokenizerInfo& info = matcher.compiled_grammar().tokenizer_info();
    if (step == Step::kBadArgument) {
      throw out_of_range(token, info);
    }
    const std::string reason = step == Step::kTerminated ? "the output has ended" : matcher.explain(token).reason;
    if (options.json) {
      const Json out = {
          {"verdict", "refused"}, {"number", matcher.step_count() + 1}, {"token", token}, {"reason", reason}};
      fmt::print("{}\n", json_text(out));
    } else {
      fmt::print("number {} of --after-tokens, {}, is refused: {}\n", matcher.step_count() + 1, token, reason);
    }
    return false;
  }
  return true;
}

// Accepts --after-tokens, then the text, and returns true. If one of them is refused, prints where and returns false.
bool advance(GrammarMatcher& matcher, const std::string& text, const Options& options) {
  if (!accept_after_tokens(matcher, options)) return false;
  const std::size_t viable = accept_viable_prefix(matcher, text, options.special_tokens, "<after>");
  if (viable == text.size()) return true;
  const Expectation expected = matcher.expected();
  if (options.json) {
    const Json out = {{"verdict", "refused"}, {"offset", viable}, {"expected", expectation_json(expected)}};
    fmt::print("{}\n", json_text(out));
    return false;
  }
  Error error;
  error.where = character_at(text, viable);
  error.message = "the text before the mask is refused here";
  fmt::print("{}  expected: {}\n", render(error, text, "<after>"), describe_expectation(expected));
  return false;
}

// Like advance(), for a canonical matcher, which accepts the text as the tokens that the tokenizer writes for it.
// Precondition: advance() has returned true for a matcher without --canonical.
bool advance_canonically(GrammarMatcher& matcher, const MatcherOptions& how, const std::string& text,
                         const Options& options) {
  if (!accept_after_tokens(matcher, options)) return false;
  std::vector<std::uint32_t> before = how.context;
  before.insert(before.end(), options.after_tokens.begin(), options.after_tokens.end());
  const std::optional<RefusedToken> refused =
      accept_written_tokens(matcher, before, text, options.special_tokens, "<after>");
  if (!refused) return true;
  if (options.json) {
    const Json out = {{"verdict", "refused"}, {"offset", refused->offset}, {"reason", refused->reason}};
    fmt::print("{}\n", json_text(out));
    return false;
  }
  Error error;
  error.where = character_at(text, refused->offset);
  error.message = "the token that begins here is refused: " + refused->reason;
  error.hint = "the last tokens of a text may change when the text continues";
  fmt::print("{}", render(error, text, "<after>"));
  return false;
}

int explain(GrammarMatcher& matcher, const Options& options) {
  const TokenizerInfo& info = matcher.compiled_grammar().tokenizer_info();
  const std::uint32_t id = find_token(info, options);
  const TokenExplanation explanation = matcher.explain(id);
  throw_on_limit(matcher);
  if (options.json) {
    Json out = token_json(info, id);
    out["allowed"] = explanation.allowed;
    out["bytes_matched"] = explanation.bytes_matched;
    out["reason"] = explanation.reason;
    if (!explanation.allowed) out["expected"] = expectation_json(explanation.expected);
    fmt::print("{}\n", json_text(out));
  } else {
    const Colors colors = colors_for(stdout);
    fmt::print("{}: {}{}{}\n", describe_token(info, id), explanation.allowed ? colors.green : colors.red,
               explanation.allowed ? "allowed" : "not allowed", colors.reset);
    if (!explanation.allowed) {
      fmt::print("  {}\n", explanation.reason);
      // If only --canonical refuses the token, its bytes were expected.
      const bool is_by_grammar = explanation.bytes_matched < info.token_bytes(id).size();
      if (!options.canonical.canonical || is_by_grammar) {
        fmt::print("  after {} of its bytes, expected: {}\n", explanation.bytes_matched,
                   describe_expectation(explanation.expected));
      }
    }
  }
  return explanation.allowed ? kOk : kRefused;
}

std::vector<std::uint32_t> allowed_tokens(GrammarMatcher& matcher) {
  const std::uint32_t size = matcher.compiled_grammar().tokenizer_info().vocab_size();
  std::vector<std::uint32_t> bitmask(bitmask_words(size));
  if (matcher.is_terminated()) return {};
  if (matcher.fill_next_token_bitmask(bitmask) != Step::kOk) {
    throw_on_limit(matcher);
    throw InputError("internal error: no mask");
  }
  std::vector<std::uint32_t> ids;
  for (std::uint32_t id = 0; id < size; ++id) {
    if (bitmask_get(bitmask, id)) ids.push_back(id);
  }
  return ids;
}

std::string_view why_no_token(const GrammarMatcher& matcher, const Options& options) {
  if (matcher.is_terminated()) return "A stop token has ended the text.";
  if (options.max_tokens) return "No token was found that leaves a way to the end within --max-tokens.";
  if (options.canonical.canonical) return "The tokenizer writes no token here that the grammar allows.";
  return "No token begins with bytes that may come next: the tokenizer cannot spell what the grammar allows.";
}

void print_mask(GrammarMatcher& matcher, const std::vector<std::uint32_t>& ids, const Options& options) {
  const TokenizerInfo& info = matcher.compiled_grammar().tokenizer_info();
  const std::size_t shown = options.all ? ids.size() : std::min(options.shown, ids.size());
  const std::string forced = matcher.find_jump_forward_string();
  const std::string forced_limit = with_command_options(matcher.limit_message());
  if (options.json) {
    Json out = {{"verdict", "viable"},
                {"vocab_size", info.vocab_size()},
                {"allowed", ids.size()},
                {"may_end", matcher.is_completed()},
                {"forced", text_or_null(forced)},
                {"forced_hex", hex(forced)}};
    if (!forced_limit.empty()) out["forced_limit"] = forced_limit;
    out["expected"] = expectation_json(matcher.expected());
    out["tokens"] = Json::array();
    for (std::size_t i = 0; i < shown; ++i) out["tokens"].push_back(token_json(info, ids[i]));
    fmt::print("{}\n", json_text(out));
    return;
  }
  const Colors colors = colors_for(stdout);
  fmt::print("{}{} of {} tokens{} may come next{}\n", colors.bold, ids.size(), info.vocab_size(), colors.reset,
             matcher.is_completed() ? "; the text may end here" : "");
  fmt::print("expected: {}\n", describe_expectation(matcher.expected()));
  if (!forced.empty()) fmt::print("forced:   `{}`\n", escape(forced));
  if (!forced_limit.empty()) fmt::print("          cut at {} bytes: {}\n", forced.size(), forced_limit);
  if (ids.empty()) fmt::print("{}\n", why_no_token(matcher, options));
  for (std::size_t i = 0; i < shown; ++i) fmt::print("{}\n", describe_token(info, ids[i]));
  if (shown < ids.size()) fmt::print("{}… and {} more (--all){}\n", colors.dim, ids.size() - shown, colors.reset);
}

int run(const Options& options) {
  const TokenizerInfo tokenizer = load_tokenizer(options.tokenizer);
  const CompiledGrammar compiled = compile(load_grammar(options.grammar, special_token_names(tokenizer)), tokenizer);
  GrammarMatcher matcher = make_matcher(compiled, {.max_tokens = options.max_tokens});
  const std::string after = options.after_file.empty() ? options.after : read_file(options.after_file);
  if (!advance(matcher, after, options)) return kRefused;
  if (options.canonical.canonical) {
    MatcherOptions how = matcher_options(options.canonical, tokenizer);
    how.max_tokens = options.max_tokens;
    matcher = make_matcher(compiled, how);
    if (!advance_canonically(matcher, how, after, options)) return kRefused;
  }
  if (!options.token.empty() || options.token_text_option->count() != 0) return explain(matcher, options);
  print_mask(matcher, allowed_tokens(matcher), options);
  return kOk;
}

constexpr const char* kFooter = R"(
The ids of --after-tokens, which may be special tokens, precede the text of --after.
Escapes in the text have no meaning; use your shell's $'…\n…' or --after-file for line ends and other bytes.
With --canonical the text before the mask is read as the tokens that the tokenizer writes for it.
With --token or --token-text the command says whether that token may come, and if not, why. --token takes an id, the
name of a special token, or a token's exact text, tried in this order.
JSON: {"verdict": "viable", "vocab_size", "allowed", "may_end", "forced", "forced_hex" (and "forced_limit" where a limit
cut it), "expected", "tokens": [{"id", "kind", "text", "hex"}]}; with a token {"id", …, "allowed", "bytes_matched",
"reason"}; {"verdict": "refused", "offset", "expected"} where the text itself is refused;
{"verdict": "refused", "offset", "reason"} where --canonical refuses one of its tokens.
Exit status: 0 a mask was shown, or the token is allowed; 1 the text is refused, or the token is not allowed;
2 no answer.
Example: weir mask --regex '(yes|no), (thanks|sorry)' --after 'yes, t')";

}  // namespace

Command add(CLI::App& root) {
  auto options = std::make_shared<Options>();
  CLI::App* app = root.add_subcommand("mask", "Show which tokens may come next after a text");
  app->footer(kFooter);
  add_grammar_options(*app, options->grammar);
  add_tokenizer_option(*app, options->tokenizer);
  add_canonical_options(*app, options->canonical);
  CLI::Option* after = app->add_option("--after", options->after, "The text so far (default: none)")->type_name("TEXT");
  add_ids_option(*app, "--after-tokens", options->after_tokens, "Tokens before the text of --after");
  add_special_tokens_option(*app, options->special_tokens);
  app->add_option("--after-file", options->after_file, "File with the text so far; - is standard input")
      ->type_name("FILE")
      ->excludes(after);
  CLI::Option* token =
      app->add_option("--token", options->token, "Explain this token: id, name or text")->type_name("T");
  options->token_text_option = app->add_option("--token-text", options->token_text,
                                               "Explain the token with this text, even if it looks like an id")
                                   ->type_name("TEXT")
                                   ->excludes(token);
  app->add_option(
         "--max-tokens", options->max_tokens,
         "Maximum number of tokens of the output: show only tokens after which it can end in time. --after-tokens "
         "count, the text of --after does not")
      ->type_name("N");
  app->add_option("--show", options->shown, "Number of tokens to list")
      ->type_name("N")
      ->capture_default_str()
      ->excludes(token, options->token_text_option);
  app->add_flag("--all", options->all, "List all allowed tokens")
      ->excludes(token, options->token_text_option, app->get_option("--show"));
  app->add_flag("--json", options->json, "JSON instead of text");
  return {app, [options] { return run(*options); }, [options] { return options->json; }};
}

}  // namespace weir::cli::mask
