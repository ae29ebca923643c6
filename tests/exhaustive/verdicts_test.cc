// Compares weir's verdict about every token of a vocabulary with the Earley oracle's, along random walks through random
// context-free grammars, JSON and arithmetic. CI compares a few millions. WEIR_VERDICTS=N compares at least N,
// WEIR_VERDICTS_FIRST=K begins at the K-th walk, WEIR_VERDICTS_TOKENIZER=FILE takes another vocabulary than the built-in
// one.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "exhaustive/json_cfg.h"
#include "oracle/random_grammar.h"
#include "property/grammars.h"
#include "property/harness.h"
#include "rounds.h"

namespace weir::testing {
namespace {

constexpr unsigned kMostTokens = 14;  // of a walk
constexpr std::size_t kMostBytes = 40;
constexpr std::uint64_t kInCi = 4'000'000;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Grammars of one to four rules, of words, classes of characters and one another, so that many tokens of a real
// vocabulary fit them, and most do not.
oracle::GrammarCase grammar_of_words(std::minstd_rand& random) {
  static constexpr std::array kWords = {"the", " a", "int", "{\"", "\": ", ", ", "()", "\n", "ing", "0."};
  static constexpr std::array kClasses = {"abcdefghijklmnopqrstuvwxyz",
                                          "0123456789",
                                          " \t\n",
                                          "aeiou",
                                          "ABCDEFGHIJKLM",
                                          "+-*/=<>",
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"};
  oracle::GrammarCase made;
  const std::size_t rules = 1 + random() % 4;
  for (std::size_t rule = 0; rule < rules; ++rule) made.cfg.add_rule(rule == 0 ? "root" : "r" + std::to_string(rule));
  for (std::size_t rule = 0; rule < rules; ++rule) {
    for (std::size_t alternatives = 1 + random() % 3; alternatives > 0; --alternatives) {
      std::vector<oracle::Symbol> symbols;
      for (std::size_t count = random() % 5; count > 0; --count) {
        switch (random() % 3) {
          case 0: {
            const std::vector<oracle::Symbol> word = oracle::Cfg::text(kWords[random() % kWords.size()]);
            symbols.insert(symbols.end(), word.begin(), word.end());
            break;
          }
          case 1: symbols.push_back(oracle::Cfg::bytes(kClasses[random() % kClasses.size()])); break;
          default: symbols.push_back(oracle::Cfg::rule(random() % rules));
        }
      }
      made.cfg.add(rule, std::move(symbols));
    }
  }
  made.ebnf = oracle::to_ebnf(made.cfg);
  return made;
}

// The other grammars of random_grammar.h are meant for texts of "a" and "b" alone: their complements contain no other
// characters.
oracle::GrammarCase any_grammar(std::uint64_t walk, std::minstd_rand& random) {
  switch (walk % 8) {
    case 0: return {kJson, json_cfg()};
    case 1: return {kExpressions, expressions_cfg()};
    case 2: return oracle::random_plain_grammar(random);
    default: return grammar_of_words(random);
  }
}

struct VerdictTally {
  std::uint64_t verdicts = 0, allowed = 0, masks = 0, walks = 0, unsatisfiable = 0;
};

void compare_walk(const GrammarCompiler& compiler, const oracle::SortedVocabulary& vocabulary,
                  const oracle::GrammarCase& grammar, std::minstd_rand& random, VerdictTally& tally) {
  oracle::Earley earley(grammar.cfg);
  const Result<CompiledGrammar> compiled = compiler.compile_ebnf(grammar.ebnf);
  ASSERT_EQ(compiled.has_value(), earley.viable()) << (compiled ? "" : compiled.error().message);
  if (!compiled) {
    ASSERT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable) << compiled.error().message;
    ++tally.unsatisfiable;
    return;
  }
  ++tally.walks;
  GrammarMatcher matcher(*compiled);
  for (unsigned step = 0; step < kMostTokens && earley.size() <= kMostBytes; ++step) {
    const std::vector<bool> expected = vocabulary.mask(earley);
    const std::vector<bool> mask = mask_of(matcher);
    ASSERT_TRUE(mask == expected) << difference(mask, expected, vocabulary.vocabulary());
    ASSERT_EQ(matcher.is_completed(), earley.member());
    ++tally.masks;
    tally.verdicts += mask.size();
    std::vector<std::uint32_t> next = tokens_of(mask);
    tally.allowed += next.size();
    std::erase_if(next, [&](std::uint32_t token) { return vocabulary.vocabulary().is_stop(token); });
    if (next.empty()) return;
    const std::uint32_t token = next[random() % next.size()];
    ASSERT_TRUE(matcher.is_token_allowed(token));
    ASSERT_EQ(matcher.accept_token(token), Step::kOk);
    earley.push(vocabulary.vocabulary().tokens[token]);
  }
}

TEST(Verdicts, AreThoseOfTheOracle) {
  const char* const file = std::getenv("WEIR_VERDICTS_TOKENIZER");
  const Result<TokenizerInfo> tokenizer = file == nullptr ? TokenizerInfo::builtin() : TokenizerInfo::from_file(file);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  const oracle::SortedVocabulary vocabulary(vocabulary_of(*tokenizer));
  const std::uint64_t least = number_from("WEIR_VERDICTS", tests::rounds(kInCi));
  VerdictTally tally;
  auto compiler = std::make_unique<GrammarCompiler>(*tokenizer);
  for (std::uint64_t walk = number_from("WEIR_VERDICTS_FIRST", 0); tally.verdicts < least; ++walk) {
    std::minstd_rand random(static_cast<std::uint32_t>(walk % 2'147'483'646 + 1));
    random.discard(10);
    const oracle::GrammarCase grammar = any_grammar(walk, random);
    SCOPED_TRACE("walk " + std::to_string(walk) + ":\n" + grammar.ebnf);
    if (walk % 100 == 99) compiler = std::make_unique<GrammarCompiler>(*tokenizer);  // frees what is cached
    compare_walk(*compiler, vocabulary, grammar, random, tally);
    if (HasFatalFailure()) return;
  }
  std::cout << tally.verdicts << " verdicts, " << tally.allowed << " allowed, " << tally.masks << " masks, "
            << tally.walks << " walks, " << tally.unsatisfiable << " grammars without texts\n";
  EXPECT_GT(tally.allowed, tally.verdicts / 1000);
}

}  // namespace
}  // namespace weir::testing
