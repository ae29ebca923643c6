// Compares the oracle of parts with those of lexemes and of token bounds.
#include "oracle/parts.h"

#include <gtest/gtest.h>

#include <random>

#include "oracle/bounded.h"

namespace weir::oracle {
namespace {

const SortedVocabulary& vocabulary() {
  static const SortedVocabulary sorted({{"a", "b", "ab", "ba", "aab", ""}, {5}});
  return sorted;
}

// Returns a right-linear grammar of one to three parts: rule 0 is one of the first parts, rule i + 1 is part i and what
// follows it. The parts and the grammar's terminals are the same expressions.
std::pair<PartGraph, LexGrammar> random_case(std::minstd_rand& random) {
  std::pair<PartGraph, LexGrammar> made;
  auto& [graph, grammar] = made;
  const std::size_t count = 1 + random() % 3;
  grammar.rules = count + 1;
  for (std::size_t id = 0; id < count; ++id) {
    const RegexPtr regex =
        random_regex(random, 1 + static_cast<int>(random() % 5), {set_of("a"), set_of("b"), set_of("ab")});
    Part part{.machine = machine_of(regex, "ab"), .mode = static_cast<Mode>(random() % 3)};
    grammar.terminals.push_back({regex, part.mode});
    for (std::size_t next = 0; next < count; ++next) {
      if (random() % 3 != 0) continue;
      part.next.push_back(next);
      grammar.productions.push_back({id + 1, {{false, id}, {true, next + 1}}});
    }
    part.is_last = part.next.empty() || random() % 3 == 0;
    if (part.is_last) grammar.productions.push_back({id + 1, {{false, id}}});
    graph.parts.push_back(std::move(part));
  }
  graph.first = {0};
  grammar.productions.push_back({0, {{true, 1}}});
  return made;
}

TEST(Parts, MembersAreThoseOfLexemes) {
  std::minstd_rand random(7);
  std::size_t members = 0;
  for (int round = 0; round < 300; ++round) {
    const auto [graph, grammar] = random_case(random);
    PartAutomaton automaton(graph, vocabulary());
    for (const std::string& text : all_strings("ab", 6)) {
      PartAutomaton::State state = automaton.start();
      for (const char byte : text) state = automaton.step(state, std::string_view(&byte, 1));
      const bool member = is_member(grammar, text);
      ASSERT_EQ(automaton.is_member(state), member) << to_ebnf(grammar, "abc") << "\n'" << text << "'";
      if (member) {
        ASSERT_TRUE(automaton.can_end(state));
        ++members;
      }
    }
  }
  EXPECT_GT(members, 5000U);
}

TEST(Parts, BoundsAreThoseOfTheOtherOracle) {
  std::minstd_rand random(11);
  std::size_t members = 0;
  for (int round = 0; round < 60; ++round) {
    auto [graph, grammar] = random_case(random);
    BoundedCfg bounded;
    const std::size_t count = graph.parts.size();
    for (std::size_t rule = 0; rule <= count; ++rule) bounded.cfg.add_rule("r" + std::to_string(rule));
    bounded.bounds.assign(count + 1, std::nullopt);
    // Rule count + 1 + i is part i, around the rules of its machine's states.
    for (std::size_t id = 0; id < count; ++id) {
      Part& part = graph.parts[id];
      part.mode = Mode::kExact;
      if (random() % 3 != 0) part.max_tokens = 1 + random() % 3;
      bounded.cfg.add_rule("part" + std::to_string(id));
      bounded.bounds.push_back(part.max_tokens);
    }
    for (std::size_t id = 0; id < count; ++id) {
      const std::size_t states = bounded.cfg.add_regex(grammar.terminals[id].regex, "ab");
      bounded.cfg.add(count + 1 + id, {Cfg::rule(states)});
    }
    bounded.bounds.resize(bounded.cfg.names.size());
    for (const LexProduction& production : grammar.productions) {
      std::vector<Symbol> symbols;
      for (const LexSymbol& symbol : production.symbols) {
        symbols.push_back(Cfg::rule(symbol.is_rule ? symbol.id : count + 1 + symbol.id));
      }
      bounded.cfg.add(production.rule, std::move(symbols));
    }
    PartAutomaton automaton(graph, vocabulary());
    const std::vector<std::string> texts(vocabulary().vocabulary().tokens.begin(),
                                         vocabulary().vocabulary().tokens.end() - 1);
    const BoundedLanguage language(bounded, texts);
    std::vector<Tokens> walks{{}};
    for (std::size_t at = 0; at < walks.size(); ++at) {
      const Tokens walk = walks[at];
      PartAutomaton::State state = automaton.start();
      for (const std::uint32_t token : walk) state = automaton.step(state, texts[token]);
      ASSERT_EQ(automaton.is_member(state), language.is_member(walk)) << "round " << round;
      if (automaton.is_member(state)) ++members;
      for (std::uint32_t token = 0; token < texts.size() && walk.size() < 3; ++token) {
        walks.push_back(walk);
        walks.back().push_back(token);
      }
    }
  }
  EXPECT_GT(members, 150U);
}

}  // namespace
}  // namespace weir::oracle
