// The guarantees of shared_automaton.h about states, on random ambiguous grammars.
#include "engine/automaton/shared_automaton.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "unit/engine/engine_testing.h"

namespace weir::engine {
namespace {

using engine_testing::byte_vocabulary;

std::string random_grammar(std::minstd_rand& random, bool greedy) {
  constexpr std::array<std::string_view, 7> kTerminals{"\"a\"",  "\"ab\"", "/a+/",   "/ab?/",
                                                       "/[ab]/", "/b*a/",  "/(ab)+/"};
  std::string text;
  for (int rule = 0; rule < 3; ++rule) {
    text += (rule == 0 ? "root" : "r" + std::to_string(rule)) + " ::= \"a\"";
    for (std::size_t alternatives = 1 + random() % 3; alternatives > 0; --alternatives) {
      text += " |";
      for (std::size_t symbols = 1 + random() % 3; symbols > 0; --symbols) {
        const std::size_t pick = random() % (kTerminals.size() + 3);
        if (pick >= kTerminals.size()) {
          const std::size_t to = pick - kTerminals.size();
          text += to == 0 ? " root" : " r" + std::to_string(to);
        } else {
          const std::string terminal(kTerminals[pick]);
          text += greedy && terminal[0] == '/' && random() % 2 == 0 ? " @greedy(" + terminal + ")" : " " + terminal;
        }
      }
    }
    text += "\n";
  }
  return text;
}

void check_threads(const std::vector<Thread>& threads) {
  std::set<std::tuple<earley::RowId, regex::ExprId>> rows;
  std::set<std::tuple<lexer::LexerStateId, regex::ExprId>> lexemes;
  std::set<regex::ExprId> standing;
  for (const Thread& t : threads) {
    if (t.fresh) {
      EXPECT_TRUE(standing.insert(t.rest).second) << "two rows stand here";
    } else {
      EXPECT_TRUE(rows.emplace(t.row, t.rest).second) << "one row twice";
      EXPECT_TRUE(lexemes.emplace(t.lexer, t.rest).second) << "two rows with the same lexemes in progress";
    }
  }
}

TEST(SharedAutomaton, ThreadsAreMergedUntilNothingMoreFallsTogether) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  std::minstd_rand random(11);
  std::size_t states = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string text = random_grammar(random, i % 2 == 0);
    const auto grammar = Grammar::from_ebnf(text);
    ASSERT_TRUE(grammar.has_value()) << text;
    auto program = make_program(*grammar, tokenizer, {});
    if (!program) continue;  // greedy terminals may leave no text
    SharedAutomaton automaton(*program);
    for (int walk = 0; walk < 8; ++walk) {
      StateId at = automaton.start();
      for (int step = 0; step < 12 && at != StateId::kDead && !is_limit(at); ++step) {
        check_threads(automaton.threads(at));
        ASSERT_FALSE(::testing::Test::HasFailure()) << text;
        ++states;
        at = automaton.step(at, random() % 3 == 0 ? 'b' : 'a');
      }
    }
  }
  EXPECT_GT(states, 10'000U);
}

TEST(SharedAutomaton, UnitedRowsMayBeTheRowOfAnotherThread) {
  // Two rows are reached separately after one and two letters, and as one row after three. After the fourth letter the
  // first two have equal lexemes in progress and the third another, so they are merged to its row, and their lexemes
  // are united.
  const TokenizerInfo tokenizer = byte_vocabulary({});
  const auto grammar =
      Grammar::from_ebnf("root ::= /a|aaa/ @lazy(/aa+;/) root \"x\" | /aa|aaa/ @lazy(/aa+;/) root \"y\" | \"z\"");
  ASSERT_TRUE(grammar.has_value());
  SharedAutomaton automaton(*make_program(*grammar, tokenizer, {}));
  const std::vector<Thread> threads = automaton.threads(automaton.step(automaton.start(), "aaaa"));
  check_threads(threads);
  EXPECT_EQ(threads.size(), 1U);
}

TEST(SharedAutomaton, TheStateOfALimitNamesIt) {
  EXPECT_FALSE(is_limit(StateId::kDead));
  EXPECT_EQ(limit_of(StateId::kDead), base::Limit::kNone);
  std::set<std::string> names;
  for (std::uint32_t i = 1; i < base::kLimitCount; ++i) {
    const StateId state = limit_state(static_cast<base::Limit>(i));
    EXPECT_TRUE(is_limit(state));
    EXPECT_EQ(limit_of(state), static_cast<base::Limit>(i));
    EXPECT_TRUE(names.insert(base::field_name(limit_of(state))).second);
    EXPECT_EQ(names.count(""), 0U);
  }
  EXPECT_FALSE(is_limit(StateId{base::kLimitCount}));
}

}  // namespace
}  // namespace weir::engine
