// Measures a matcher on a JSON document: cold and warm masks, tokens, forks, rollbacks.
//
// Counters are deterministic and can be compared between versions. `states`, `transitions`, `rows`, `masks` and
// `trie_nodes` count what was explored; `bytes` is its memory; `tokens` is the number of tokens of the document.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/weir.h"

namespace weir {
namespace {

constexpr std::string_view kJson = R"(
root ::= value
value ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" ws (pair (ws "," ws pair)*)? ws "}"
pair ::= string ws ":" ws value
array ::= "[" ws (value (ws "," ws value)*)? ws "]"
string ::= /"([^"\\\x00-\x1f]|\\(["\\\/bfnrt]|u[0-9a-fA-F]{4}))*"/
number ::= /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
ws ::= /[ \t\n\r]*/
)";

/// Returns an array of `objects` objects, each with members of several kinds.
std::string document(int objects) {
  std::string text = "[";
  for (int i = 0; i < objects; ++i) {
    if (i > 0) text += ",";
    text += "\n  {\"id\": " + std::to_string(i * 7919) + ", \"name\": \"Caf\xC3\xA9 number " + std::to_string(i) +
            "\", \"tags\": [\"new\", \"open\\n\", \"\\u00e9t\\u00e9\"], \"price\": " + std::to_string(i) +
            ".25e-3, \"parent\": null, \"sold\": true, \"at\": {\"x\": -1, \"y\": [0, [], {}]}}";
  }
  return text + "\n]";
}

CompiledGrammar compile() { return *GrammarCompiler(TokenizerInfo::builtin()).compile_ebnf(kJson); }

std::vector<std::uint32_t> tokens_of(const std::string& text) { return *TokenizerInfo::builtin().tokenize(text); }

void count(benchmark::State& state, const CompiledGrammar& compiled, std::size_t tokens) {
  const EngineStats stats = compiled.stats();
  state.counters["states"] = static_cast<double>(stats.states);
  state.counters["transitions"] = static_cast<double>(stats.transitions);
  state.counters["rows"] = static_cast<double>(stats.rows);
  state.counters["masks"] = static_cast<double>(stats.masks);
  state.counters["trie_nodes"] = static_cast<double>(stats.trie_nodes);
  state.counters["bytes"] = static_cast<double>(stats.memory_bytes);
  state.counters["tokens"] = static_cast<double>(tokens);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(tokens));
}

// Walks the document. Returns false if a token is refused; then the measurements mean nothing.
bool walk(GrammarMatcher& matcher, const std::vector<std::uint32_t>& tokens, std::vector<std::uint32_t>* mask) {
  for (const std::uint32_t token : tokens) {
    if (mask != nullptr && matcher.fill_next_token_bitmask(*mask) != Step::kOk) return false;
    if (matcher.accept_token(token) != Step::kOk) return false;
  }
  return matcher.is_completed();
}

std::vector<std::uint32_t> empty_mask(const CompiledGrammar& compiled) {
  return std::vector<std::uint32_t>(bitmask_words(compiled.tokenizer_info().vocab_size()));
}

void BM_Compile(benchmark::State& state) {
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  for (auto _ : state) benchmark::DoNotOptimize(compiler.compile_ebnf(kJson));
}
BENCHMARK(BM_Compile)->Unit(benchmark::kMicrosecond);

/// Fills every mask of the document with a grammar that was just compiled.
void BM_ColdMasks(benchmark::State& state) {
  const auto tokens = tokens_of(document(static_cast<int>(state.range(0))));
  CompiledGrammar compiled = compile();
  std::vector<std::uint32_t> mask = empty_mask(compiled);
  for (auto _ : state) {
    state.PauseTiming();
    compiled = compile();
    state.ResumeTiming();
    GrammarMatcher matcher(compiled);
    if (!walk(matcher, tokens, &mask)) state.SkipWithError("refused");
  }
  count(state, compiled, tokens.size());
}
BENCHMARK(BM_ColdMasks)->Arg(1)->Arg(100)->Unit(benchmark::kMicrosecond);

/// Fills the same masks again, from the cache.
void BM_WarmMasks(benchmark::State& state) {
  const auto tokens = tokens_of(document(100));
  const CompiledGrammar compiled = compile();
  std::vector<std::uint32_t> mask = empty_mask(compiled);
  GrammarMatcher matcher(compiled);
  if (!walk(matcher, tokens, &mask)) state.SkipWithError("refused");
  for (auto _ : state) {
    matcher.reset();
    if (!walk(matcher, tokens, &mask)) state.SkipWithError("refused");
  }
  count(state, compiled, tokens.size());
}
BENCHMARK(BM_WarmMasks)->Unit(benchmark::kMicrosecond);

/// Accepts tokens without masks, in known states.
void BM_AcceptTokens(benchmark::State& state) {
  const auto tokens = tokens_of(document(100));
  const CompiledGrammar compiled = compile();
  GrammarMatcher matcher(compiled);
  if (!walk(matcher, tokens, nullptr)) state.SkipWithError("refused");
  for (auto _ : state) {
    matcher.reset();
    if (!walk(matcher, tokens, nullptr)) state.SkipWithError("refused");
  }
  count(state, compiled, tokens.size());
}
BENCHMARK(BM_AcceptTokens)->Unit(benchmark::kMicrosecond);

/// Forks a matcher after a document of some objects, and destroys the fork.
void BM_Fork(benchmark::State& state) {
  const auto tokens = tokens_of(document(static_cast<int>(state.range(0))));
  const CompiledGrammar compiled = compile();
  GrammarMatcher matcher(compiled);
  if (!walk(matcher, tokens, nullptr)) state.SkipWithError("refused");
  for (auto _ : state) benchmark::DoNotOptimize(matcher.fork());
  state.counters["tokens"] = static_cast<double>(tokens.size());
}
BENCHMARK(BM_Fork)->Arg(1)->Arg(100);

/// Accepts eight tokens and rolls them back, as in speculative decoding.
void BM_DraftAndRollback(benchmark::State& state) {
  const auto tokens = tokens_of(document(1));
  constexpr std::size_t kDraft = 8;
  const CompiledGrammar compiled = compile();
  GrammarMatcher matcher(compiled);
  for (auto _ : state) {
    for (std::size_t i = 0; i < kDraft; ++i) {
      if (matcher.accept_token(tokens[i]) != Step::kOk) state.SkipWithError("refused");
    }
    if (matcher.rollback(kDraft) != Step::kOk) state.SkipWithError("refused");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kDraft));
}
BENCHMARK(BM_DraftAndRollback);

}  // namespace
}  // namespace weir

BENCHMARK_MAIN();
