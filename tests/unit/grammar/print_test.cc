// Printing of grammars whose terminals have no text from a front end.
#include <gtest/gtest.h>

#include <string>

#include "grammar/print.h"

namespace weir::grammar {
namespace {

Grammar one_rule(NodeId (*body)(Grammar&)) {
  Grammar grammar(100'000);
  Rule rule;
  rule.name = "root";
  rule.defined = true;
  rule.body = body(grammar);
  grammar.start = grammar.add_rule(std::move(rule));
  return grammar;
}

TEST(Print, LiteralsHaveTheirText) {
  const Grammar grammar = one_rule([](Grammar& g) { return g.add_literal("a\"\\\n\x01é", {}); });
  EXPECT_EQ(to_ebnf(grammar), "root ::= \"a\\\"\\\\\\n\\x01é\"\n");
}

TEST(Print, TokenSetsAreWrittenFromTheirMembers) {
  const Grammar grammar = one_rule([](Grammar& g) {
    TokenSet set;
    set.complement = true;
    set.ranges = {{3, 3}, {5, 9}};
    set.names = {"<a\">"};
    return g.add_tokens(std::move(set));
  });
  EXPECT_EQ(to_ebnf(grammar), "root ::= !<[3, 5-9, \"<a\\\">\"]>\n");
}

TEST(Print, LongTextsAreCut) {
  const Grammar grammar = one_rule([](Grammar& g) {
    NodeId node = g.add_literal("ab", {});
    for (int i = 0; i < 60; ++i) {  // each node uses the previous one twice
      const NodeId twice[] = {node, node};
      node = g.add_sequence(twice, {});
    }
    return node;
  });
  const std::string text = to_ebnf(grammar, grammar.rules[0].body, 1000);
  EXPECT_LT(text.size(), 1100U);
  EXPECT_TRUE(text.ends_with("...")) << text;
}

TEST(Print, DeepTreesNeedNoStack) {
  const Grammar grammar = one_rule([](Grammar& g) {
    NodeId node = g.add_literal("a", {});
    for (int i = 0; i < 200'000; ++i) node = g.add_repeat(node, 0, 2, {});
    return node;
  });
  EXPECT_GT(to_ebnf(grammar).size(), 200'000U);
}

}  // namespace
}  // namespace weir::grammar
