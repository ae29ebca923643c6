// Helpers of the engine's tests: small vocabularies, compiled grammars, masks as lists of names.
#ifndef WEIR_TESTS_UNIT_ENGINE_ENGINE_TESTING_H_
#define WEIR_TESTS_UNIT_ENGINE_ENGINE_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "weir/weir.h"

namespace weir::engine_testing {

/// Returns a vocabulary of all bytes (id = byte), then `words`, then "<eos>" (special, the stop token) and "<tool>"
/// (special).
inline TokenizerInfo byte_vocabulary(const std::vector<std::string>& words, bool drops_leading_space = false) {
  VocabSpec spec;
  for (unsigned b = 0; b < 256; ++b) spec.tokens.push_back(std::string(1, static_cast<char>(b)));
  spec.tokens.insert(spec.tokens.end(), words.begin(), words.end());
  const auto eos = static_cast<std::uint32_t>(spec.tokens.size());
  spec.tokens.insert(spec.tokens.end(), {"<eos>", "<tool>"});
  spec.special_token_ids = {eos, eos + 1};
  spec.stop_token_ids = {eos};
  spec.drops_leading_space = drops_leading_space;
  auto tokenizer = TokenizerInfo::from_vocab(std::move(spec));
  EXPECT_TRUE(tokenizer.has_value());
  return *tokenizer;
}

inline CompiledGrammar compile(const TokenizerInfo& tokenizer, std::string_view ebnf, const Limits& limits = {}) {
  auto compiled = GrammarCompiler(tokenizer, limits).compile_ebnf(ebnf);
  if (!compiled) ADD_FAILURE() << render(compiled.error(), ebnf, "<grammar>");
  return *compiled;
}

/// Returns the names of the allowed tokens in the order of ids, separated by spaces; if the step is not kOk, its name
/// in brackets.
inline std::string mask_of(GrammarMatcher& matcher) {
  const TokenizerInfo& tokenizer = matcher.compiled_grammar().tokenizer_info();
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  const Step step = matcher.fill_next_token_bitmask(mask);
  if (step != Step::kOk) return "[" + std::string(to_string(step)) + "]";
  std::string out;
  for (std::uint32_t t = 0; t < tokenizer.vocab_size(); ++t) {
    EXPECT_EQ(matcher.is_token_allowed(t), bitmask_get(mask, t)) << tokenizer.token_name(t);
    if (!bitmask_get(mask, t)) continue;
    if (!out.empty()) out += ' ';
    out += tokenizer.token_name(t);
  }
  return out;
}

inline std::uint32_t token(const TokenizerInfo& tokenizer, std::string_view name) {
  for (std::uint32_t t = 0; t < tokenizer.vocab_size(); ++t) {
    if (tokenizer.token_name(t) == name) return t;
  }
  ADD_FAILURE() << "no token " << name;
  return 0;
}

/// Walks through the grammar with choices that depend only on the seed; returns a digest of all masks and choices.
inline std::uint64_t random_walk(const CompiledGrammar& compiled, std::uint32_t seed, int steps) {
  const TokenizerInfo& tokenizer = compiled.tokenizer_info();
  GrammarMatcher matcher(compiled);
  std::minstd_rand random(seed);
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  std::uint64_t digest = seed;
  for (int i = 0; i < steps; ++i) {
    if (matcher.is_terminated()) matcher.reset();
    EXPECT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
    for (const std::uint32_t word : mask) digest = digest * 1'000'003 + word;
    std::uint32_t next = static_cast<std::uint32_t>(random() % tokenizer.vocab_size());
    while (!bitmask_get(mask, next)) next = (next + 1) % tokenizer.vocab_size();
    EXPECT_EQ(matcher.accept_token(next), Step::kOk);
    if (random() % 16 == 0) {
      EXPECT_EQ(matcher.rollback(random() % (matcher.step_count() + 1)), Step::kOk);
    }
  }
  return digest;
}

}  // namespace weir::engine_testing

#endif  // WEIR_TESTS_UNIT_ENGINE_ENGINE_TESTING_H_
