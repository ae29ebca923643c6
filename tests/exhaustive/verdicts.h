// Random walks that compare weir's verdict about every token of a vocabulary with an oracle's. CI compares a few
// millions. WEIR_VERDICTS=N compares at least N in each test, WEIR_VERDICTS_FIRST=K begins at the K-th walk,
// WEIR_VERDICTS_TOKENIZER=FILE takes another vocabulary than the built-in one.
#ifndef WEIR_TESTS_EXHAUSTIVE_VERDICTS_H_
#define WEIR_TESTS_EXHAUSTIVE_VERDICTS_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "oracle/vocabulary.h"
#include "property/harness.h"
#include "rounds.h"

namespace weir::testing {

struct VerdictTally {
  std::uint64_t verdicts = 0, allowed = 0, masks = 0, walks = 0, unsatisfiable = 0;
};

struct VerdictRun {
  const oracle::SortedVocabulary& vocabulary;
  const std::vector<std::string>& special_tokens;  ///< Their names.
  const GrammarCompiler* compiler;
  VerdictTally* tally;
};

inline std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// Calls `walk(run, number of the walk, generator)` until it has compared enough verdicts: `in_ci`, or what the
/// environment asks for. A walk of one number is always the same.
template <typename Walk>
void compare_verdicts(std::uint64_t in_ci, const Limits& limits, const Walk& walk) {
  const char* const file = std::getenv("WEIR_VERDICTS_TOKENIZER");
  const Result<TokenizerInfo> tokenizer = file == nullptr ? TokenizerInfo::builtin() : TokenizerInfo::from_file(file);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  const oracle::SortedVocabulary vocabulary(vocabulary_of(*tokenizer));
  const std::uint64_t least = number_from("WEIR_VERDICTS", tests::rounds(in_ci));
  std::vector<std::string> special_tokens;
  for (std::uint32_t token = 0; token < tokenizer->vocab_size(); ++token) {
    if (tokenizer->token_kind(token) == TokenKind::kSpecial) special_tokens.emplace_back(tokenizer->token_name(token));
  }
  VerdictTally tally;
  auto compiler = std::make_unique<GrammarCompiler>(*tokenizer, limits);
  for (std::uint64_t number = number_from("WEIR_VERDICTS_FIRST", 0); tally.verdicts < least; ++number) {
    std::minstd_rand random(static_cast<std::uint32_t>(number % 2'147'483'646 + 1));
    random.discard(10);
    if (number % 100 == 99) compiler = std::make_unique<GrammarCompiler>(*tokenizer, limits);  // frees what is cached
    walk(VerdictRun{vocabulary, special_tokens, compiler.get(), &tally}, number, random);
    if (::testing::Test::HasFatalFailure()) return;
  }
  std::cout << tally.verdicts << " verdicts, " << tally.allowed << " allowed, " << tally.masks << " masks, "
            << tally.walks << " walks, " << tally.unsatisfiable << " grammars without texts\n";
  EXPECT_GT(tally.allowed, tally.verdicts / 1000);
}

}  // namespace weir::testing

#endif  // WEIR_TESTS_EXHAUSTIVE_VERDICTS_H_
