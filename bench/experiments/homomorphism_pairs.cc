#include "homomorphism_pairs.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <string_view>
#include <utility>

#include "command.h"
#include "inputs.h"
#include "terminal.h"
#include "text.h"
#include "weir/matcher.h"

namespace weir::cli {

namespace {

using Clock = std::chrono::steady_clock;
using Tokens = std::vector<std::uint32_t>;

constexpr const char* kJsonGrammar = R"(
root   ::= ws value ws
value  ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" ws (member ws ("," ws member ws)*)? "}"
member ::= string ws ":" ws value
array  ::= "[" ws (value ws ("," ws value ws)*)? "]"
string ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\""
number ::= "-"? ("0" | [1-9] [0-9]*) ("." [0-9]+)? ([eE] [+-]? [0-9]+)?
ws     ::= [ \t\n\r]*
)";

double since(Clock::time_point start) { return std::chrono::duration<double, std::nano>(Clock::now() - start).count(); }

CompiledGrammar compile_text(const TokenizerInfo& tokenizer, const std::string& grammar) {
  Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer).compile_ebnf(grammar);
  if (!compiled) throw InputError(render(compiled.error(), grammar, "<grammar>"), compiled.error());
  return *std::move(compiled);
}

void accept(GrammarMatcher& matcher, std::uint32_t token) {
  if (matcher.accept_token(token) == Step::kOk) return;
  throw_on_limit(matcher);
  throw InputError(fmt::format("internal error: token {} of a valid text was refused", token));
}

void fill(GrammarMatcher& matcher, std::span<std::uint32_t> bitmask) {
  if (matcher.fill_next_token_bitmask(bitmask) == Step::kOk) return;
  throw_on_limit(matcher);
  throw InputError("internal error: no mask");
}

// --- Growth ---

std::string object_text(std::uint32_t pairs) {
  std::string out = "{";
  for (std::uint32_t i = 1; i <= pairs; ++i) {
    out += fmt::format("{}\"key_{}\": ", i == 1 ? "" : ", ", i);
    out += i % 2 == 1 ? fmt::format("\"value {}\"", i) : fmt::format("{}.5", i);
  }
  return out + "}";
}

// Returns tokens spread evenly over the vocabulary. The text's own next token is added at each step.
Tokens sample_candidates(const TokenizerInfo& tokenizer, std::uint32_t count) {
  Tokens sample;
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::uint64_t id = std::uint64_t{i} * tokenizer.vocab_size() / count;
    if (!tokenizer.token_bytes(static_cast<std::uint32_t>(id)).empty())
      sample.push_back(static_cast<std::uint32_t>(id));
  }
  return sample;
}

std::vector<double> time_masks(GrammarMatcher& matcher, const Tokens& tokens, std::span<std::uint32_t> bitmask) {
  std::vector<double> times;
  matcher.reset();
  for (const std::uint32_t token : tokens) {
    const Clock::time_point start = Clock::now();
    fill(matcher, bitmask);
    accept(matcher, token);
    times.push_back(since(start));
  }
  return times;
}

bool reparse(GrammarMatcher& matcher, const TokenizerInfo& tokenizer, std::span<const std::uint32_t> tokens) {
  const std::string text = tokenizer.decode(tokens);
  matcher.reset();
  return matcher.longest_viable_prefix(text) == text.size();
}

// Times both ways of trying candidates, and throws unless they agree.
void time_candidates(GrammarMatcher& matcher, const Tokens& tokens, const Tokens& sample, GrowthRun* run) {
  const TokenizerInfo& tokenizer = matcher.compiled_grammar().tokenizer_info();
  GrammarMatcher fresh = matcher.fork();
  Tokens output;
  Tokens candidates = sample;
  candidates.push_back(0);
  std::vector<bool> kept_verdicts(candidates.size()), fresh_verdicts(candidates.size());
  matcher.reset();
  for (const std::uint32_t token : tokens) {
    candidates.back() = token;
    Clock::time_point start = Clock::now();
    for (std::size_t i = 0; i < candidates.size(); ++i) kept_verdicts[i] = matcher.is_token_allowed(candidates[i]);
    run->incremental.push_back(since(start));
    start = Clock::now();
    output.push_back(0);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      output.back() = candidates[i];
      fresh_verdicts[i] = reparse(fresh, tokenizer, output);
    }
    run->reparsing.push_back(since(start));
    if (kept_verdicts != fresh_verdicts) throw InputError("internal error: the kept state and re-parsing disagree");
    output.back() = token;
    accept(matcher, token);
  }
}

void keep_best(std::vector<double>& best, const std::vector<double>& times) {
  if (best.empty()) best = times;
  for (std::size_t i = 0; i < times.size(); ++i) best[i] = std::min(best[i], times[i]);
}

// --- Split characters ---

struct SplitSample {
  const char* name;
  const char* grammar;
  const char* text;
};
constexpr SplitSample kSplitSamples[] = {
    {"Chinese, [你-我]+", "root ::= [你-我]+", "你信剧嘉大怪我"},
    {"emoji, [😀-🙏]+", "root ::= [😀-🙏]+", "😀😎😱🙏🙃"},
    {"ZWJ family", "root ::= family (\" \" family)*\nfamily ::= \"👨‍👩‍👧‍👦\" | \"👩‍💻\"",
     "👨‍👩‍👧‍👦 👩‍💻"},
    {"JSON string", kJsonGrammar, "{\"名前\": \"你好 😀 👩‍💻\"}"},
};

// Decodes one token on its own. Bytes that are not a character become U+FFFD, as in usual decoders.
std::string decode_alone(std::string_view bytes) {
  std::string out;
  for (std::size_t pos = 0; pos < bytes.size();) {
    const SourceRange character = character_at(bytes, pos);
    const std::string_view piece = bytes.substr(pos, character.end - pos);
    if (character.start == pos && is_valid_utf8(piece)) {
      out += piece;
    } else {
      out += "\uFFFD";
    }
    pos = character.end;
  }
  return out;
}

// Returns the bytes of a token at this step. A tokenizer may drop the leading space of a text's first token.
std::string_view bytes_here(const TokenizerInfo& tokenizer, std::uint32_t id, std::size_t step) {
  return step == 0 ? tokenizer.first_token_bytes(id) : tokenizer.token_bytes(id);
}

// Compares three verdicts on each token after the same output: the mask, the bytes parsed anew, the characters.
void compare_step(GrammarMatcher& incremental, GrammarMatcher& fresh, const std::string& bytes,
                  const std::string& characters, std::span<std::uint32_t> bitmask, SplitRun* run) {
  const TokenizerInfo& tokenizer = incremental.compiled_grammar().tokenizer_info();
  fill(incremental, bitmask);
  for (std::uint32_t id = 0; id < tokenizer.vocab_size(); ++id) {
    if (tokenizer.token_bytes(id).empty()) continue;
    const std::string_view token = bytes_here(tokenizer, id, run->steps);
    const bool allowed = bitmask_get(bitmask, id);
    const std::string all_bytes = bytes + std::string(token);
    const std::string all_characters = characters + decode_alone(token);
    fresh.reset();
    const bool by_bytes = fresh.longest_viable_prefix(all_bytes) == all_bytes.size();
    const bool by_characters = fresh.longest_viable_prefix(all_characters) == all_characters.size();
    run->allowed += allowed ? 1 : 0;
    run->byte_differences += allowed != by_bytes ? 1 : 0;
    run->missed += allowed && !by_characters ? 1 : 0;
    run->wrongly_allowed += !allowed && by_characters ? 1 : 0;
  }
}

SplitRun measure_sample(const TokenizerInfo& tokenizer, const SplitSample& sample) {
  SplitRun run{sample.name, sample.grammar, sample.text};
  const Tokens tokens = tokenize(tokenizer, run.text);
  GrammarMatcher incremental(compile_text(tokenizer, run.grammar));
  GrammarMatcher fresh = incremental.fork();
  std::vector<std::uint32_t> bitmask(bitmask_words(tokenizer.vocab_size()));
  std::string bytes, characters;
  Progress progress(run.name, tokens.size());
  for (const std::uint32_t token : tokens) {
    compare_step(incremental, fresh, bytes, characters, bitmask, &run);
    accept(incremental, token);
    const std::string_view own = bytes_here(tokenizer, token, run.steps++);
    run.partial_tokens += is_valid_utf8(own) ? 0 : 1;
    bytes += own;
    characters += decode_alone(own);
    fresh.reset();
    const bool refused = fresh.longest_viable_prefix(characters) < characters.size();
    if (refused && run.refused_at == 0) run.refused_at = run.steps;
    progress.update(run.steps);
  }
  compare_step(incremental, fresh, bytes, characters, bitmask, &run);
  return run;
}

}  // namespace

std::vector<GrowthRun> measure_growth(const TokenizerInfo& tokenizer, const GrowthOptions& options) {
  const Tokens sample = sample_candidates(tokenizer, options.candidates);
  std::vector<std::uint32_t> bitmask(bitmask_words(tokenizer.vocab_size()));
  std::vector<GrowthRun> runs;
  // Progress is in squares because the work grows with the square of the number of pairs.
  Progress progress("growth", std::uint64_t{options.max_pairs} * options.max_pairs);
  for (std::uint32_t pairs = 1; pairs <= options.max_pairs; ++pairs) {
    GrowthRun run;
    run.pairs = pairs;
    const std::string text = object_text(pairs);
    const Tokens tokens = tokenize(tokenizer, text);
    run.tokens = tokens.size();
    run.bytes = text.size();
    GrammarMatcher matcher(compile_text(tokenizer, kJsonGrammar));
    run.mask_cold = time_masks(matcher, tokens, bitmask);
    run.mask_warm = time_masks(matcher, tokens, bitmask);
    // Keeps the best of three passes for each step: the first pass explores, and any pass may be interrupted.
    for (int pass = 0; pass < 3; ++pass) {
      GrowthRun timed;
      time_candidates(matcher, tokens, sample, &timed);
      keep_best(run.incremental, timed.incremental);
      keep_best(run.reparsing, timed.reparsing);
    }
    runs.push_back(std::move(run));
    progress.update(std::uint64_t{pairs} * pairs);
  }
  return runs;
}

std::vector<SplitRun> measure_split(const TokenizerInfo& tokenizer) {
  std::vector<SplitRun> runs;
  for (const SplitSample& sample : kSplitSamples) runs.push_back(measure_sample(tokenizer, sample));
  return runs;
}

}  // namespace weir::cli
