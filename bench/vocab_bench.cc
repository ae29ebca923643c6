// Measures loading a large vocabulary and tokenizing with it. Needs o200k_base.tiktoken and its .json in tokenizers/ of
// the shared data (tests/shared_data.h). Without them the benchmarks are skipped with an error message.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "shared_data.h"
#include "vocab/token_trie.h"
#include "vocab/vocabulary.h"
#include "weir/tokenizer_info.h"

namespace {

using weir::TokenizerInfo;

std::string data_path(const std::string& name) { return (weir::tests::shared_data() / "tokenizers" / name).string(); }

// Returns the tokenizer; or reports to the benchmark why there is none, and returns null.
const TokenizerInfo* o200k(benchmark::State& state) {
  static const auto info = TokenizerInfo::from_file(data_path("o200k_base.tiktoken"));
  if (info) return &*info;
  state.SkipWithError(info.error().message.c_str());
  return nullptr;
}

std::string repeated(const std::string& text, std::size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += text;
  return out;
}

std::string source_text() {
  std::ifstream in(weir::tests::repository() + "/include/weir/limits.h", std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

// Loads a tokenizer that is ready for masks from its file: ranks, names, trie.
void load_o200k(benchmark::State& state) {
  if (o200k(state) == nullptr) return;
  for (auto _ : state) {
    auto info = TokenizerInfo::from_file(data_path("o200k_base.tiktoken"));
    benchmark::DoNotOptimize(info);
  }
  state.counters["tokens"] = o200k(state)->vocab_size();
}
BENCHMARK(load_o200k)->Unit(benchmark::kMillisecond);

void build_trie(benchmark::State& state) {
  const TokenizerInfo* info = o200k(state);
  if (info == nullptr) return;
  std::vector<std::pair<std::string_view, std::uint32_t>> tokens;
  for (std::uint32_t id = 0; id < info->vocab_size(); ++id) {
    if (!info->token_bytes(id).empty()) tokens.emplace_back(info->token_bytes(id), id);
  }
  std::size_t nodes = 0;
  for (auto _ : state) {
    const weir::vocab::TokenTrie trie(tokens);
    nodes = trie.nodes().size();
    benchmark::DoNotOptimize(trie.nodes().data());
  }
  state.counters["nodes"] = static_cast<double>(nodes);
}
BENCHMARK(build_trie)->Unit(benchmark::kMillisecond);

// Visits all trie nodes and reads the fields that a walk reads.
void scan_trie(benchmark::State& state) {
  const TokenizerInfo* info = o200k(state);
  if (info == nullptr) return;
  const auto nodes = info->vocabulary().trie().nodes();
  for (auto _ : state) {
    std::uint64_t sum = 0;
    for (const weir::vocab::TrieNode& node : nodes) sum += node.byte + node.subtree_size + node.tokens;
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(nodes.size()));
}
BENCHMARK(scan_trie)->Unit(benchmark::kMicrosecond);

void tokenize(benchmark::State& state, const std::string& text) {
  const TokenizerInfo* info = o200k(state);
  if (info == nullptr) return;
  std::size_t tokens = 0;
  for (auto _ : state) {
    const auto ids = info->tokenize(text);
    tokens = ids ? ids->size() : 0;
    benchmark::DoNotOptimize(tokens);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.counters["tokens"] = static_cast<double>(tokens);
}
BENCHMARK_CAPTURE(tokenize, source_code, repeated(source_text(), 1 << 20))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tokenize, cjk, repeated("日本語のテキスト、漢字と仮名。", 1 << 20))->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tokenize, one_letter, std::string(1 << 20, 'a'))->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
