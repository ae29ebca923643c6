#include "canonical_option.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "command.h"
#include "inputs.h"
#include "limit_option.h"
#include "special_tokens.h"

namespace weir::cli {

namespace {

// The tokens that the tokenizer writes for `text` after `before`. If it would write `before` otherwise once `text`
// follows, those of `text` alone; a canonical matcher then refuses one of them.
Result<std::vector<std::uint32_t>> written_after(const TokenizerInfo& info, const std::vector<std::uint32_t>& before,
                                                 const std::string& text) {
  const auto is_special = [&](std::uint32_t token) { return info.token_bytes(token).empty(); };
  const auto tail_begin = std::find_if(before.rbegin(), before.rend(), is_special).base();
  const std::vector<std::uint32_t> tail(tail_begin, before.end());
  if (tail.empty()) return info.tokenize(text);
  Result<std::vector<std::uint32_t>> whole = info.tokenize(info.decode(tail) + text);
  if (!whole || whole->size() < tail.size() || !std::equal(tail.begin(), tail.end(), whole->begin())) {
    return info.tokenize(text);
  }
  whole->erase(whole->begin(), whole->begin() + static_cast<std::ptrdiff_t>(tail.size()));
  return whole;
}

}  // namespace

void add_canonical_options(CLI::App& app, CanonicalInput& input) {
  CLI::Option* canonical =
      app.add_flag("--canonical", input.canonical,
                   "Allow only the tokens that the tokenizer itself writes for a text (docs/canonical.md)");
  app.add_option("--context", input.context,
                 "With --canonical: the text before the output, with names of special tokens as those tokens")
      ->type_name("TEXT")
      ->needs(canonical);
}

MatcherOptions matcher_options(const CanonicalInput& input, const TokenizerInfo& info) {
  MatcherOptions options;
  if (!input.canonical) return options;
  options.tokenization = Tokenization::kCanonical;
  options.at_text_start = input.context.empty();
  for (const CompletionPart& part : split_at_special_tokens(input.context, info)) {
    if (part.token) {
      options.context.push_back(*part.token);
      continue;
    }
    const Result<std::vector<std::uint32_t>> ids = info.tokenize(part.text);
    if (!ids) throw InputError("--context: cannot tokenize: " + ids.error().message, ids.error());
    options.context.insert(options.context.end(), ids->begin(), ids->end());
  }
  return options;
}

GrammarMatcher make_matcher(const CompiledGrammar& compiled, const MatcherOptions& options) {
  Result<GrammarMatcher> matcher = GrammarMatcher::create(compiled, options);
  if (matcher) return *std::move(matcher);
  Error error = matcher.error();
  use_command_words(error);
  std::string message = (options.tokenization == Tokenization::kCanonical ? "--canonical: " : "") + error.message;
  if (!error.hint.empty()) message += "\n  hint: " + error.hint;
  throw InputError(message, error);
}

std::optional<RefusedToken> accept_written_tokens(GrammarMatcher& matcher, const std::vector<std::uint32_t>& context,
                                                  std::string_view text, bool special_tokens, const std::string& name) {
  const TokenizerInfo& info = matcher.compiled_grammar().tokenizer_info();
  std::vector<CompletionPart> parts = {{std::string(text), {}}};
  if (special_tokens) parts = split_at_special_tokens(text, info);
  std::vector<std::uint32_t> before = context;
  std::size_t offset = 0;  // of the part
  for (const CompletionPart& part : parts) {
    std::vector<std::uint32_t> tokens;
    if (part.token) {
      tokens = {*part.token};
    } else {
      Result<std::vector<std::uint32_t>> ids = written_after(info, before, part.text);
      if (!ids) {
        return RefusedToken{offset + std::min(ids.error().where.start, part.text.size()),
                            "the text has no tokens: " + ids.error().message};
      }
      tokens = *std::move(ids);
    }
    const std::size_t size_before = matcher.text().size();
    for (const std::uint32_t token : tokens) {
      const Step step = matcher.accept_token(token);
      if (step == Step::kOk) {
        before.push_back(token);
        continue;
      }
      const std::size_t at = offset + (part.token ? 0 : matcher.text().size() - size_before);
      if (step == Step::kLimitExceeded) throw_on_limit(matcher, fmt::format("{}: at byte {}: ", name, at));
      return RefusedToken{at, step == Step::kTerminated ? "the output has ended" : matcher.explain(token).reason};
    }
    offset += part.token ? info.token_name(*part.token).size() : part.text.size();
  }
  return std::nullopt;
}

}  // namespace weir::cli
