// Measures single calls in states that are fully explored. bench/python_calls.py compares the Python calls with these;
// each benchmark has the name of the Python method. `padded` is the padded vocabulary size; 0 means no padding.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "shared_data.h"
#include "weir/weir.h"

namespace weir {
namespace {

constexpr std::string_view kSchema = R"({"type": "array", "items": {"type": "object"}})";
constexpr std::string_view kText = R"([{"a": 1}, {"b)";

// Returns a matcher in the middle of a text, in a state whose mask is cached. bench/python_calls.py makes the same.
GrammarMatcher make_matcher(std::uint32_t padded_vocab_size) {
  const std::string file = weir::tests::repository() + "/data/default_tokenizer/tokenizer.json";
  const TokenizerInfo tokenizer = *TokenizerInfo::from_file(file, {.padded_vocab_size = padded_vocab_size});
  GrammarMatcher matcher(*GrammarCompiler(tokenizer).compile_json_schema(kSchema));
  if (matcher.accept_string(kText) != Step::kOk) std::abort();
  return matcher;
}

// Times `call`, which gets the matcher, a buffer for a mask, and the token `x`, which is allowed next.
template <typename Call>
void run(benchmark::State& state, const Call& call) {
  GrammarMatcher matcher = make_matcher(static_cast<std::uint32_t>(state.range(0)));
  const TokenizerInfo& tokenizer = matcher.compiled_grammar().tokenizer_info();
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  const std::uint32_t token = tokenizer.tokenize("x")->front();
  if (!matcher.is_token_allowed(token)) std::abort();
  for (auto _ : state) call(matcher, mask, token);
}

void fill_next_token_bitmask(benchmark::State& state) {
  run(state, [](GrammarMatcher& m, std::vector<std::uint32_t>& mask, std::uint32_t /*token*/) {
    benchmark::DoNotOptimize(m.fill_next_token_bitmask(mask));
  });
}
void accept_token_and_rollback(benchmark::State& state) {
  run(state, [](GrammarMatcher& m, const std::vector<std::uint32_t>& /*mask*/, std::uint32_t token) {
    benchmark::DoNotOptimize(m.accept_token(token));
    benchmark::DoNotOptimize(m.rollback(1));
  });
}
void is_completed(benchmark::State& state) {
  run(state, [](GrammarMatcher& m, const std::vector<std::uint32_t>& /*mask*/, std::uint32_t /*token*/) {
    benchmark::DoNotOptimize(m.is_completed());
  });
}
void is_token_allowed(benchmark::State& state) {
  run(state, [](GrammarMatcher& m, const std::vector<std::uint32_t>& /*mask*/, std::uint32_t token) {
    benchmark::DoNotOptimize(m.is_token_allowed(token));
  });
}
void fork(benchmark::State& state) {
  run(state, [](GrammarMatcher& m, const std::vector<std::uint32_t>& /*mask*/, std::uint32_t /*token*/) {
    benchmark::DoNotOptimize(m.fork());
  });
}
void find_jump_forward_string(benchmark::State& state) {
  run(state, [](GrammarMatcher& m, const std::vector<std::uint32_t>& /*mask*/, std::uint32_t /*token*/) {
    benchmark::DoNotOptimize(m.find_jump_forward_string());
  });
}
void next_token_mask_id(benchmark::State& state) {
  run(state, [](GrammarMatcher& m, const std::vector<std::uint32_t>& /*mask*/, std::uint32_t /*token*/) {
    benchmark::DoNotOptimize(m.next_token_mask_id());
  });
}
void longest_viable_prefix(benchmark::State& state) {
  run(state, [](GrammarMatcher& m, const std::vector<std::uint32_t>& /*mask*/, std::uint32_t /*token*/) {
    benchmark::DoNotOptimize(m.longest_viable_prefix("cd"));
  });
}
void text(benchmark::State& state) {
  run(state, [](GrammarMatcher& m, const std::vector<std::uint32_t>& /*mask*/, std::uint32_t /*token*/) {
    benchmark::DoNotOptimize(m.text());
  });
}
void apply_token_bitmask_inplace(benchmark::State& state) {
  std::vector<float> logits;
  run(state, [&](GrammarMatcher& m, std::vector<std::uint32_t>& mask, std::uint32_t /*token*/) {
    if (logits.empty()) {
      logits.resize(m.compiled_grammar().tokenizer_info().vocab_size());
      if (m.fill_next_token_bitmask(mask) != Step::kOk) std::abort();
    }
    apply_token_bitmask_inplace(logits.data(), logits.size(), LogitType::kFloat32, mask);
  });
}

BENCHMARK(fill_next_token_bitmask)->ArgName("padded")->Arg(0)->Arg(128256);
BENCHMARK(accept_token_and_rollback)->ArgName("padded")->Arg(0);
BENCHMARK(is_completed)->ArgName("padded")->Arg(0);
BENCHMARK(is_token_allowed)->ArgName("padded")->Arg(0);
BENCHMARK(next_token_mask_id)->ArgName("padded")->Arg(0);
BENCHMARK(longest_viable_prefix)->ArgName("padded")->Arg(0);
BENCHMARK(text)->ArgName("padded")->Arg(0);
BENCHMARK(fork)->ArgName("padded")->Arg(0);
BENCHMARK(find_jump_forward_string)->ArgName("padded")->Arg(0);
BENCHMARK(apply_token_bitmask_inplace)->ArgName("padded")->Arg(0)->Arg(128256);

}  // namespace
}  // namespace weir

BENCHMARK_MAIN();
