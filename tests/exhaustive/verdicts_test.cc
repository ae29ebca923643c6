// Compares weir's verdict about every token of a vocabulary with the Earley oracle's, along random walks through random
// context-free grammars, JSON and arithmetic. verdicts.h says how more are compared than in CI.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <utility>

#include "exhaustive/json_cfg.h"
#include "exhaustive/verdicts.h"
#include "oracle/random_grammar.h"
#include "property/grammars.h"
#include "property/harness.h"

namespace weir::testing {
namespace {

constexpr unsigned kMostTokens = 14;  // of a walk
constexpr std::size_t kMostBytes = 40;

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
  compare_verdicts(4'000'000, {}, [](const VerdictRun& run, std::uint64_t walk, std::minstd_rand& random) {
    const oracle::GrammarCase grammar = any_grammar(walk, random);
    SCOPED_TRACE("walk " + std::to_string(walk) + ":\n" + grammar.ebnf);
    compare_walk(*run.compiler, run.vocabulary, grammar, random, *run.tally);
  });
}

}  // namespace
}  // namespace weir::testing
