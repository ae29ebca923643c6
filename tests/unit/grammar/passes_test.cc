// The results of the passes on particular grammars, as the text of the Cfg.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "frontend/ebnf/ebnf.h"
#include "grammar/passes/pipeline.h"
#include "grammar/print.h"

namespace weir::grammar::passes_test {
namespace {

Result<Cfg> compiled(std::string_view text, const Limits& limits = {}) {
  const auto grammar = frontend::parse_ebnf(text, "root", limits);
  if (!grammar) return tl::unexpected(grammar.error());
  return run_passes(*grammar, limits, nullptr);
}

// Returns the productions of the printed Cfg, without the list of terminals after them.
std::string rules_of(std::string_view text) {
  const auto cfg = compiled(text);
  if (!cfg) return render(cfg.error(), text, "grammar");
  const std::string printed = to_text(*cfg);
  return printed.substr(0, std::min(printed.find("\n#"), printed.size() - 1) + 1);
}

struct Case {
  const char* text;
  const char* rules;
};

TEST(Passes, LowerGrammarsToTheseRules) {
  const Case cases[] = {
      // A regular grammar is one terminal.
      {R"g(root ::= "a" x* x ::= [b-c] | "d")g", "root ::= root  # start\n"},
      {R"g(root ::= "abc")g", "root ::= \"abc\"  # start\n"},
      {R"g(root ::= digit+ digit ::= [0-9])g", "root ::= root  # start\n"},
      // Recursive rules keep their recursion; regular parts of them are joined.
      {R"g(root ::= "(" ws root ")" ws | num ws
          num ::= [0-9]+
          ws ::= [ ]*)g",
       "root ::= \"(\" ws root \")\" ws  # start\n"
       "       | num ws\n"},
      // Repetitions of rules that are repetitions.
      {R"g(root ::= b+ "." b ::= c? c ::= "(" root ")")g",
       "root ::= root.1 \".\"  # start\n"
       "root.1 ::= \"\"  # nullable\n"
       "         | \"(\" root \")\" root.1\n"},
      // Lists.
      {R"g(root ::= "[" (root ("," root)*)? "]")g",
       "root ::= \"[\" root.1 \"]\"  # start\n"
       "root.1 ::= \"\"  # nullable\n"
       "         | root root.2\n"
       "root.2 ::= \"\"  # nullable\n"
       "         | \",\" root root.2\n"},
      {R"g(root ::= "[" root+ "]"  | "x")g",
       "root ::= \"[\" root root.1 \"]\"  # start\n"
       "       | \"x\"\n"
       "root.1 ::= \"\"  # nullable\n"
       "         | root root.1\n"},
      // Optional parts, counted repeats.
      {R"g(root ::= "<" (root | <x>)? ">")g",
       "root ::= \"<\" root.1 \">\"  # start\n"
       "root.1 ::= \"\"  # nullable\n"
       "         | root\n"
       "         | <x>\n"},
      {R"g(root ::= "<" root{1,3} ">"  | "y" root{0,2})g",
       "root ::= \"<\" root root.2 \">\"  # start\n"
       "       | \"y\" root.2\n"
       "root.2 ::= root root.1  # nullable\n"
       "         | \"\"\n"
       "root.1 ::= root  # nullable\n"
       "         | \"\"\n"},
      // Nullable terminals.
      {R"g(root ::= "x" root ws | <think> ws ws ::= " "*)g",
       "root ::= \"x\" root ws?  # start\n"
       "       | <think> ws?\n"
       "ws? ::= ws  # nullable\n"
       "      | \"\"\n"},
      // Unit rules, rules used once, equal rules.
      {R"g(root ::= a "." root | b a ::= c c ::= <x> d d ::= <y> b ::= e e ::= <z> | root "!")g",
       "root ::= <x> <y> \".\" root  # start\n"
       "       | <z>\n"
       "       | root \"!\"\n"},
      {R"g(root ::= a | b | "(" a ")"  | "[" b "]" a ::= "x" a "y"  | "z" b ::= "x" b "y"  | "z")g",
       "root ::= a  # start\n"
       "       | \"(\" a \")\"\n"
       "       | \"[\" a \"]\"\n"
       "a ::= \"x\" a \"y\"\n"
       "    | \"z\"\n"},
      {R"g(root ::= "(" a ")" | "[" b "]" a ::= c <x> c | <y> b ::= d <x> d | <y>
          c ::= <p> c <q> | <z> d ::= <p> d <q> | <z>)g",
       "root ::= \"(\" a \")\"  # start\n"
       "       | \"[\" a \"]\"\n"
       "a ::= c <x> c\n"
       "    | <y>\n"
       "c ::= <p> c <q>\n"
       "    | <z>\n"},
      // Unproductive alternatives are removed.
      {R"g(root ::= "a"  | "b" dead | ("c" & "d") root dead ::= "x" dead)g", "root ::= \"a\"  # start\n"},
      // Repeats of nullable parts.
      {R"g(root ::= "(" (root?)* ")"  | ((<x> | "")+)?)g",
       "root ::= \"(\" root.1 \")\"  # start, nullable\n"
       "       | root.2\n"
       "root.1 ::= \"\"  # nullable\n"
       "         | root root.1\n"
       "root.2 ::= \"\"  # nullable\n"
       "         | <x> root.2\n"},
      // Lazy and greedy terminals are not folded and not joined.
      {R"g(root ::= "a" @lazy(.* "x") "b"  | @greedy("c"+) "c")g",
       "root ::= \"a\" @lazy(.* \"x\") \"b\"  # start\n"
       "       | @greedy(\"c\"+) \"c\"\n"},
      // A string ends with its own delimiter: it stays the same terminal wherever it is used.
      {R"g(root ::= "{" string ":" string "}"  | root ","
          string ::= "\"" [^"]* "\"")g",
       "root ::= \"{\" string \":\" string \"}\"  # start\n"
       "       | root \",\"\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(rules_of(c.text), c.rules) << c.text;
}

TEST(Passes, KeepCapturesAsRules) {
  const Case cases[] = {
      // Captured rules are not folded, not joined with their neighbours, and not inlined for a unit rule.
      {R"g(root ::= "a" @capture(x: [b-c]+) "d")g",
       "root ::= \"a\" x \"d\"  # start\n"
       "x ::= [b-c]+  # capture x\n"},
      {R"g(root ::= @capture(x: @capture(y: "")))g",
       "root ::= x  # start, nullable\n"
       "x ::= y  # nullable, capture x\n"
       "y ::= \"\"  # nullable, capture y\n"},
      // Equal rules are merged if their captures have the same name.
      {R"g(root ::= @capture(x: <t>) @capture(x: <t>) @capture(y: <t>))g",
       "root ::= x x y  # start\n"
       "x ::= <t>  # capture x\n"
       "y ::= <t>  # capture y\n"},
      // The order of alternatives stays, and a capture stays one alternative.
      {R"g(root ::= "a" | @capture(x: "a" | "b") | "b" | "c")g",
       "root ::= \"a\"  # start\n"
       "       | x\n"
       "       | (\"b\" | \"c\")\n"
       "x ::= (\"a\" | \"b\")  # capture x\n"},
      {R"g(root ::= "-" root | a "." a ::= "a" @capture(x: [0-9]))g",
       "root ::= \"-\" root  # start\n"
       "       | a \".\"\n"
       "a ::= \"a\" x\n"
       "x ::= [0-9]  # capture x\n"},
      {R"g(root ::= a "1" | b "2" a ::= @capture(x: <t>) | <u> b ::= <u> | @capture(x: <t>))g",
       "root ::= a \"1\"  # start\n"
       "       | b \"2\"\n"
       "a ::= x\n"
       "    | <u>\n"
       "b ::= <u>\n"
       "    | x\n"
       "x ::= <t>  # capture x\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(rules_of(c.text), c.rules) << c.text;
}

TEST(Passes, ImposeLookAheadsOnLastTerminals) {
  const auto cfg = compiled(R"g(root ::= item root | item
      item ::= "a" tail? | <t> (= ";" | "a")
      tail ::= "b" tail | "c" @greedy([d]+) (= ";"))g");
  ASSERT_TRUE(cfg) << cfg.error().message;
  std::size_t laid = 0;
  for (const Terminal& terminal : cfg->terminals) laid += terminal.follow != regex::ExprId::kAllStrings ? 1U : 0U;
  EXPECT_EQ(laid, 2U) << to_text(*cfg);  // "a" and the greedy terminal, whose two conditions are one
  ASSERT_EQ(cfg->token_sets.size(), 1U);
  EXPECT_NE(cfg->token_sets[0].follow, regex::ExprId::kAllStrings);
}

TEST(Passes, DropLookAheadsThatTheGrammarKeeps) {
  const auto has_condition = [](std::string_view text) {
    const auto cfg = compiled(text);
    if (!cfg) return true;
    return std::any_of(cfg->terminals.begin(), cfg->terminals.end(),
                       [](const Terminal& terminal) { return terminal.follow != regex::ExprId::kAllStrings; });
  };
  // If a rule ends another rule, the text after that rule counts as the text after it.
  EXPECT_FALSE(has_condition(
      "root ::= \"[\" list \"]\" list ::= item (\",\" item)* item ::= \"a\"+ s (= [,\\]]) s ::= \"\" | \"b\" s"));
  EXPECT_TRUE(
      has_condition("root ::= \"[\" list \"]\" | list list ::= item (\",\" item)* item ::= \"a\"+ \"b\" (= [,\\]])"));
  EXPECT_TRUE(has_condition("root ::= a (\"bc\" | \"bd\") a ::= \"a\"+ (= \"bc\")"));
  EXPECT_FALSE(has_condition("root ::= a b \"c\" a ::= \"a\"* (= \"b\"* \"c\") b ::= \"\" | \"b\" b"));
  EXPECT_TRUE(has_condition("root ::= a <t> a ::= \"a\"+ (= \"b\")"));
}

TEST(Passes, RefuseLookAheadsThatCannotBeImposed) {
  const auto empty = compiled(R"g(root ::= a [bc] a ::= "a"* (= "b"))g");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(empty.error().message, "rule `a` has a look-ahead and may be empty");
  Limits limits;
  limits.grammar_symbols = 60;
  std::string text = R"g(root ::= a [xz] | b [yz] a ::= "1" c (= "x") b ::= "2" c (= "y") c ::= <t>)g";
  EXPECT_TRUE(compiled(text, limits));
  for (int i = 0; i < 9; ++i) text += " | <t> \"" + std::to_string(i) + "\" root";
  const auto large = compiled(text, limits);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(large.error().limit, "grammar_symbols");
}

TEST(Passes, ACaptureIsPrintedAsItIsWritten) {
  const auto grammar = frontend::parse_ebnf(R"g(root ::= @capture(x: "a" | root) x x ::= "b")g", "root", Limits{});
  ASSERT_TRUE(grammar);
  EXPECT_EQ(to_ebnf(*grammar), "root ::= x.1 x\nx.1 ::= @capture(x: \"a\" | root)\nx ::= \"b\"\n");
}

TEST(Passes, AnAlternationOfManyWordsIsOneTerminal) {
  std::string text = "root ::= \"[\" root \"]\"  | word\nword ::= \"w0\"";
  for (int i = 1; i < 10'000; ++i) text += "  | \"w" + std::to_string(i) + "\"";
  const auto cfg = compiled(text);
  ASSERT_TRUE(cfg);
  EXPECT_EQ(cfg->terminals.size(), 3U);
}

TEST(Passes, ALargeSharedRuleIsNotCopied) {
  std::string text = "root ::= \"[\" root \"]\"  | word \"!\"  | word \"?\"\nword ::= \"w0\"";
  for (int i = 1; i < 100; ++i) text += "  | \"w" + std::to_string(i) + "\"";
  const auto cfg = compiled(text);
  ASSERT_TRUE(cfg);
  EXPECT_EQ(cfg->terminals.size(), 5U);  // [ ] word ! ?
}

TEST(Passes, TerminalsHaveNamesForPeople) {
  const auto cfg = compiled(R"g(root ::= number root | "a" "b" root | x number ::= [0-9]+ "." [0-9]+ x ::= "x")g");
  ASSERT_TRUE(cfg);
  std::vector<std::string> names;
  for (const Terminal& terminal : cfg->terminals) names.push_back(terminal.name);
  EXPECT_EQ(names, (std::vector<std::string>{"number", "\"a\" \"b\"", "\"x\""}));
}

TEST(Passes, CountedRepeatsOfRulesCostTheirBound) {
  Limits limits;
  limits.grammar_symbols = 1'000;
  EXPECT_TRUE(compiled("root ::= \"(\" root{1,100} \")\"  | \"x\"", limits));
  for (const char* repeat : {"{1000}", "{1000,}", "{0,1000}", "{1,1000000000}", "{999999999}", "{500}{500}"}) {
    const std::string text = std::string("root ::= \"(\" root") + repeat + " \")\"  | \"x\"";
    const auto cfg = compiled(text, limits);
    ASSERT_FALSE(cfg) << repeat;
    EXPECT_EQ(cfg.error().code, ErrorCode::kLimitExceeded);
    EXPECT_EQ(cfg.error().limit, "grammar_symbols");
    EXPECT_LT(cfg.error().where.start, cfg.error().where.end);
  }
  // Counted repeats of a regular expression do not cost symbols.
  EXPECT_TRUE(compiled("root ::= \"(\" [a-z]{1,1000000000} \")\" root | \"x\"", limits));
}

TEST(Passes, SplittingNullableTerminalsCounts) {
  constexpr std::string_view kText = "root ::= <a> /a*/ <a> /b*/ <a> /c*/ root | <x>";
  Limits limits;
  limits.grammar_symbols = 19;
  const auto fits = compiled(kText, limits);
  ASSERT_TRUE(fits);
  EXPECT_EQ(fits->symbols.size(), 19U);
  limits.grammar_symbols = 18;
  const auto cfg = compiled(kText, limits);
  ASSERT_FALSE(cfg);
  EXPECT_EQ(cfg.error().limit, "grammar_symbols");
}

TEST(Passes, TheLimitOfExpressionsIsThatOfThePasses) {
  const auto grammar = frontend::parse_ebnf("root ::= \"(\" root [a-z] \")\" | [a-z]* \"x\"", "root", Limits{});
  ASSERT_TRUE(grammar);
  Limits limits;
  const auto read = static_cast<std::uint32_t>(grammar->exprs.node_count());
  for (const std::uint32_t nodes : {std::uint32_t{0}, read - 1, read, read + 1}) {
    limits.regex_nodes = nodes;
    const auto cfg = run_passes(*grammar, limits, nullptr);
    ASSERT_FALSE(cfg) << nodes;
    EXPECT_EQ(cfg.error().limit, "regex_nodes");
  }
  limits.regex_nodes = read + 100;
  auto cfg = run_passes(*grammar, limits, nullptr);
  ASSERT_TRUE(cfg);
  EXPECT_EQ(cfg->exprs.literal(std::string(100, 'y')), regex::ExprId::kOverflow) << "and of what explores the result";
  EXPECT_LE(cfg->exprs.node_count(), limits.regex_nodes);
}

TEST(Passes, NestedRepeatsDoNotMultiply) {
  // Each level uses the level below twice; copying would double the grammar 200 times.
  std::string text = "root ::= ";
  for (int i = 0; i < 200; ++i) text += "(";
  text += "root \"x\"";
  for (int i = 0; i < 200; ++i) text += ")+ \"y\"";
  const auto cfg = compiled(text + "  | \"z\"");
  ASSERT_TRUE(cfg);
  EXPECT_LT(cfg->symbols.size(), 5'000U);
}

TEST(Passes, ChainsOfAliasesDoNotMultiply) {
  std::string text = "root ::= a0 <x>\n";
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    const std::string next = std::to_string(i + 1);
    text += "a" + n + " ::= b" + n + "\nb" + n + " ::= a" + next + " a" + next + "\n";
  }
  const auto cfg = compiled(text + "a100 ::= <y>");
  ASSERT_TRUE(cfg);
  EXPECT_LT(cfg->symbols.size(), 5'000U);
}

TEST(Passes, LongChainsOfRules) {
  std::string text = "root ::= r0\n";
  for (int i = 0; i < 100'000; ++i) {
    text += "r" + std::to_string(i) + " ::= <x> | \"a\" r" + std::to_string(i + 1) + "\n";
  }
  EXPECT_TRUE(compiled(text + "r100000 ::= \"y\""));
  const auto dead = compiled(text.replace(text.find("<x>"), 3, "r1 ") + "r100000 ::= r0");
  EXPECT_TRUE(dead);
}

TEST(Passes, DeepTreesNeedNoStack) {
  for (const bool regular : {false, true}) {
    Grammar grammar(2'000'000);
    TokenSet token;
    token.ranges = {{1, 1}};
    token.name = "<[1]>";
    NodeId node = regular ? grammar.add_literal("x", {}) : grammar.add_tokens(token);
    for (int i = 0; i < 50'000; ++i) {
      const NodeId sequence[] = {node, grammar.add_literal("a", {})};
      const NodeId choice[] = {grammar.add_sequence(sequence, {}), grammar.add_literal("b", {})};
      node = grammar.add_repeat(grammar.add_choice(choice, {}), 0, i % 2 == 0 ? 2 : regex::kUnbounded, {});
    }
    Rule root;
    root.name = "root";
    root.defined = true;
    root.body = node;
    grammar.start = grammar.add_rule(std::move(root));
    const auto cfg = run_passes(grammar, Limits{}, nullptr);
    EXPECT_TRUE(cfg) << cfg.error().message;
    EXPECT_FALSE(to_ebnf(grammar).empty());
  }
}

TEST(Passes, GreedyTerminalsThatMatchTheEmptyStringAreRefused) {
  const auto cfg = compiled("root ::= \"a\" @greedy(\"b\"*) \"c\"");
  ASSERT_FALSE(cfg);
  EXPECT_EQ(cfg.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(cfg.error().message, "greedy terminal @greedy(\"b\"*) matches the empty string");
  EXPECT_EQ(cfg.error().where.start, 13U);
}

TEST(Passes, TheObserverSeesEachPass) {
  const auto grammar = frontend::parse_ebnf("root ::= \"a\" root | \"b\"", "root", Limits{});
  ASSERT_TRUE(grammar);
  std::string seen;
  ASSERT_TRUE(run_passes(*grammar, Limits{}, nullptr, [&](std::string_view pass, std::string_view text) {
    seen.append(pass).append(" ");
    EXPECT_FALSE(text.empty());
  }));
  EXPECT_EQ(seen,
            "parse unused productive simplify fold lower look-ahead dedupe inline merge nullable temperature emit ");
}

}  // namespace
}  // namespace weir::grammar::passes_test
