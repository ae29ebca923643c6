#include "weir/convert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>

#include "convert/spelling.h"
#include "frontend/ebnf/ebnf.h"
#include "grammar/print.h"
#include "unit/grammar/language.h"
#include "unit/grammar/random_grammar.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace weir {
namespace {

std::string converted(std::string_view text, GrammarSyntax to, const GrammarTextOptions& options = {}) {
  const Result<Grammar> grammar = Grammar::from_text(text, options);
  if (!grammar) return "not read: " + grammar.error().message;
  const Result<std::string> out = convert_grammar(*grammar, to);
  if (out) return *out;
  const SourceRange where = out.error().where;
  return out.error().message + ": " + std::string(text.substr(where.start, where.end - where.start));
}

bool accepts(const CompiledGrammar& grammar, const std::string& text) {
  GrammarMatcher matcher(grammar);
  return matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
}

std::string to_gbnf(std::string_view text) { return converted(text, GrammarSyntax::kGbnf); }

TEST(Convert, OperatorsOfRules) {
  EXPECT_EQ(to_gbnf("root ::= a (\"b\" | c?){2,3} | (a | \"b\")+\na ::= \"x\"* c\nc ::= (\"y\"* \"z\")+"),
            "root ::= a (\"b\" | c?){2,3} | (a | \"b\")+\na ::= \"x\"* c\nc ::= (\"y\"* \"z\")+\n");
}

TEST(Convert, LiteralsAndClasses) {
  EXPECT_EQ(to_gbnf(R"(root ::= '"\\\n' "\u{1F600}é\x01" [^a\]\n] [\d\-] . [^\x00-\x1F])"),
            "root ::= \"\\\"\\\\\\n\" \"\U0001F600é\\x01\" [^\\n\\x5Da] [\\x2D0-9] . [^\\x00-\\x1F]\n");
}

TEST(Convert, RegularExpressions) {
  EXPECT_EQ(to_gbnf("root ::= /a(b|c+)+[^d]{2,}/ /x/i"), "root ::= \"a\" (\"b\" | \"c\"+)+ [^d]{2,} [Xx]\n");
}

TEST(Convert, WhatGbnfCannotSay) {
  EXPECT_EQ(to_gbnf("root ::= \"a\" @greedy([a-z]+)"), "GBNF has no way to say a greedy terminal: @greedy([a-z]+)");
  EXPECT_EQ(to_gbnf("root ::= \"a\" | /a(?=b)/"), "GBNF has no way to say /a(?=b)/, which matches no text: /a(?=b)/");
  EXPECT_EQ(to_gbnf("root ::= @capture(x: \"a\")"), "GBNF has no way to say a capture: @capture(x: \"a\")");
  EXPECT_EQ(to_gbnf("root ::= a \"b\" a ::= \"a\" (= \"b\")"), "GBNF has no way to say a look-ahead: a");
  EXPECT_EQ(to_gbnf("root ::= \"a\"{2001}"), "GBNF has no way to say a count above 2000: \"a\"{2001}");
  EXPECT_EQ(to_gbnf("root ::= /a{0,2001}/"), "GBNF has no way to say a count above 2000: /a{0,2001}/");
  EXPECT_EQ(to_gbnf("root ::= \"a\"{2000,}"), "root ::= \"a\"{2000,}\n");
  EXPECT_EQ(to_gbnf("root ::= <[1-3]>"), "GBNF has no way to say a set of tokens: <[1-3]>");
  EXPECT_EQ(to_gbnf("root ::= <[7]> !<a>"), "root ::= <[7]> !<a>\n");
}

// A look-ahead within a pattern looks at the pattern's own text, which a message about "no text" alone does not say.
TEST(Convert, PatternsThatMatchNothing) {
  for (const char* pattern : {"(?=a)b", "a(?=b)"}) {
    const Result<Grammar> grammar = Grammar::from_regex(pattern);
    ASSERT_TRUE(grammar) << grammar.error().message;
    const Result<std::string> out = convert_grammar(*grammar, GrammarSyntax::kGbnf);
    ASSERT_FALSE(out);
    EXPECT_EQ(out.error().message, "GBNF has no way to say /" + std::string(pattern) + "/, which matches no text");
    EXPECT_EQ(out.error().where.start, 0U);
    EXPECT_EQ(out.error().where.end, 6U);
    EXPECT_EQ(out.error().hint, "a look-ahead in a pattern sees what the pattern itself matches, and not what follows");
  }
  EXPECT_EQ(to_gbnf("root ::= /[^\\s\\S]/"), "GBNF has no way to say /[^\\s\\S]/, which matches no text: /[^\\s\\S]/");
}

TEST(Convert, Temperatures) {
  const std::string_view text = "root ::= \"a\" @temperature(0.7: \"b\" | @capture(c: \"d\"))";
  EXPECT_EQ(to_gbnf("root ::= @temperature(2: \"b\")"), "GBNF has no way to say a temperature: @temperature(2: \"b\")");
  EXPECT_EQ(converted(text, GrammarSyntax::kEbnf),
            "root ::= \"a\" root-temperature\nroot-temperature ::= @temperature(0.7: \"b\" | @capture(c: \"d\"))\n");
  EXPECT_EQ(converted(text, GrammarSyntax::kLark),
            "start: \"a\" root-temperature\nroot-temperature[temperature=0.7]: \"b\" | c\nc[capture=\"c\"]: \"d\"\n");
  EXPECT_EQ(converted(text, GrammarSyntax::kXgrammar),
            "root ::= \"a\" root-temperature\nroot-temperature[temperature=0.7] ::= \"b\" | c\n"
            "c[capture=\"c\"] ::= \"d\"\n");
  EXPECT_TRUE(converted("start[suffix=\";\", capture]: /a*/", GrammarSyntax::kEbnf, {.syntax = GrammarSyntax::kLark})
                  .starts_with("EBNF has no way to say a capture of a part of a lexeme"));
}

// What no language has an operator for is written state by state.
TEST(Convert, IntersectionsAndLazyTerminalsAreAutomata) {
  EXPECT_EQ(to_gbnf("root ::= [ab]+ & ~\"ab\""),
            "root ::= part-1\npart-1 ::= \"a\" part-2 | \"b\" part-3\npart-2 ::= \"a\" part-3 | \"b\" part-4 | \"\"\n"
            "part-3 ::= [ab] part-3 | \"\"\npart-4 ::= [ab] part-3\n");
  EXPECT_EQ(to_gbnf("root ::= @lazy([ab]+) \"c\""), "root ::= [ab] \"c\"\n");
}

TEST(Convert, WhatLlamaCppTakesForLeftRecursion) {
  EXPECT_EQ(to_gbnf("root ::= a\na ::= \"x\"? b\nb ::= a \"y\" | \"z\""),
            "GBNF has no way to say rule `a`, which can begin with itself: a");
  EXPECT_EQ(to_gbnf("root ::= (\"y\"*)*"),
            "GBNF has no way to say an unbounded repetition of a part that may be empty: (\"y\"*)*");
  EXPECT_EQ(to_gbnf("root ::= /(y*)*/"), "root ::= \"y\"*\n");
  EXPECT_EQ(to_gbnf("root ::= \"x\" root | \"y\"?"), "root ::= \"x\" root | \"y\"?\n");
}

TEST(Convert, NamesOfRules) {
  EXPECT_EQ(converted("root ::= b_c b.c b-c\nb_c ::= \"(\" root | \"x\"\nb.c ::= \"y\"\nb-c ::= \"z\"",
                      GrammarSyntax::kGbnf, {.start = "b_c"}),
            "root ::= \"(\" root-2 | \"x\"\nroot-2 ::= root b-c b-c-2\nb-c ::= \"y\"\nb-c-2 ::= \"z\"\n");
  EXPECT_EQ(to_gbnf("unused ::= @lazy(\"a\")\nroot ::= \"b\""), "root ::= \"b\"\n");
}

TEST(Convert, EbnfKeepsItsOperators) {
  const std::string text = "root ::= @capture(x: a) (a & ~\"b\") @lazy(. \"c\")\na ::= [a-z]\n";
  EXPECT_EQ(converted(text, GrammarSyntax::kEbnf), text);
  EXPECT_EQ(converted("r ::= a & b\na ::= [a-z]\nb ::= [x]", GrammarSyntax::kEbnf, {.start = "r"}),
            "EBNF has no way to say `a & b` where rules get other names: a & b");
}

const std::string_view kSample = R"g(
root ::= item ("," item){1,2}
item ::= "é\"\\\n" | [^a-c\n] | /x(y|z+)?/ | . Word_1?
Word_1 ::= "w" root | "")g";

TEST(Convert, EachLanguage) {
  EXPECT_EQ(converted(kSample, GrammarSyntax::kXgrammar),
            R"g(root ::= item ("," item){1,2}
item ::= "é\"\\\n" | [^\na-c] | "x" ("y" | "z"+)? | [^] Word_1?
Word_1 ::= "w" root | ""
)g");
  EXPECT_EQ(converted(kSample, GrammarSyntax::kKbnf),
            R"g(start ::= item "," item ["," item];
item ::= "é\"\\\n" | #"[^\\na-c]" | #"x(?:y|z+)?" | #"(?s:.)" Word_1?;
Word_1 ::= "w" start | "";
)g");
  EXPECT_EQ(converted("root ::= a b\na ::= \"/\" | [/]\nb ::= \"x\"{2}", GrammarSyntax::kLark),
            "start: a b\na: \"/\" | \"/\"\nb: \"x\"{2}\n");
}

// KBNF has no counts: what is counted is written so often, and not once more than text_bytes allows.
TEST(Convert, CountsWrittenOut) {
  EXPECT_EQ(converted("root ::= a{0,3} a{1,3} a{2,}\na ::= \"x\" a | \"y\"", GrammarSyntax::kKbnf),
            "start ::= [a [a [a]]] a [a [a]] a a a*;\na ::= \"x\" a | \"y\";\n");
  const Result<Grammar> grammar =
      Grammar::from_ebnf("root ::= ((((a b){200}){200}){200}){200}\na ::= \"x\" a | \"y\"\nb ::= \"z\" b | \"w\"");
  ASSERT_TRUE(grammar) << grammar.error().message;
  const Result<std::string> text = convert_grammar(*grammar, GrammarSyntax::kKbnf);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(text.error().limit, "text_bytes");
}

// Lark's terminals compete for the longest match, unless they are single characters.
TEST(Convert, LarkWhereSplitsDiffer) {
  EXPECT_EQ(converted("root ::= \"a\"+ \"ab\" | /(b|cd)+/ \"b\"", GrammarSyntax::kLark),
            "start: \"a\"+ \"a\" \"b\" | (\"b\" | \"c\" \"d\")+ \"b\"\n");
}

TEST(Convert, CapturesAndLookAheads) {
  EXPECT_EQ(converted("root ::= @capture(x: \"a\") \"b\"", GrammarSyntax::kXgrammar),
            "root ::= x \"b\"\nx[capture=\"x\"] ::= \"a\"\n");
  EXPECT_EQ(converted("root ::= @capture(x: \"a\") \"b\"", GrammarSyntax::kLark),
            "start: x \"b\"\nx[capture=\"x\"]: \"a\"\n");
  const std::string ahead = "root ::= a [bc]\na ::= \"a\" (= \"b\")\n";
  EXPECT_EQ(converted(ahead, GrammarSyntax::kEbnf), ahead);
  EXPECT_EQ(converted(ahead, GrammarSyntax::kXgrammar, {.syntax = GrammarSyntax::kXgrammar}), ahead);
  EXPECT_EQ(converted(ahead, GrammarSyntax::kEbnf, {.syntax = GrammarSyntax::kXgrammar}),
            "EBNF has no way to say a look-ahead within which the output may end: a");
}

// In EBNF a capture is written where it stands, wherever it was defined.
TEST(Convert, CapturesOfRulesAsEbnf) {
  const auto from_lark = [](std::string_view text) {
    return converted(text, GrammarSyntax::kEbnf, {.syntax = GrammarSyntax::kLark});
  };
  EXPECT_EQ(from_lark("start: \"a\" answer\nanswer[capture=\"x\"]: \"b\" | \"c\""),
            "root ::= \"a\" @capture(x: \"b\" | \"c\")\n");
  EXPECT_EQ(from_lark("start: one one\none[capture]: \"(\" two \")\"\ntwo[capture]: three\nthree: \"b\" start?"),
            "root ::= @capture(one: \"(\" @capture(two: three) \")\") @capture(one: \"(\" @capture(two: three) \")\")\n"
            "three ::= \"b\" root?\n");
  EXPECT_EQ(from_lark("start: \"a\" one\none[capture]: \"(\" two? \")\"\ntwo[capture]: \"b\" one"),
            "root ::= \"a\" one\none ::= @capture(one: \"(\" two? \")\")\ntwo ::= @capture(two: \"b\" one)\n");
  EXPECT_EQ(from_lark("start: one\none[capture, max_tokens=9]: \"(\" one? \")\""),
            "root ::= one\none ::= @max_tokens(9: @capture(one: \"(\" one? \")\"))\n");
  EXPECT_EQ(from_lark("start[capture=\"x\"]: \"a\" start?"), "root ::= @capture(x: \"a\" root?)\n");
  EXPECT_EQ(from_lark("start: one\none[capture=\"x y\"]: \"b\""),
            "EBNF has no way to say such a name of a capture: one");
  const auto from_xgrammar = [](std::string_view text) {
    return converted(text, GrammarSyntax::kEbnf, {.syntax = GrammarSyntax::kXgrammar});
  };
  EXPECT_EQ(from_xgrammar("root ::= a\na[capture=\"x\", max_tokens=5] ::= \"a\""),
            "root ::= @max_tokens(5: @capture(x: \"a\"))\n");
  EXPECT_EQ(from_xgrammar("root ::= a [bc]\na[capture=\"x\"] ::= \"a\" (= \"b\")"),
            "EBNF has no way to say a look-ahead within which the output may end: a");
}

TEST(Convert, BoundsOnTokens) {
  const std::string text = "root ::= @max_tokens(5: \"a\"+) \"b\"";
  EXPECT_EQ(to_gbnf(text), "GBNF has no way to say a bound on tokens: @max_tokens(5: \"a\"+)");
  EXPECT_EQ(converted(text, GrammarSyntax::kEbnf),
            "root ::= root-max_tokens \"b\"\nroot-max_tokens ::= @max_tokens(5: \"a\"+)\n");
  EXPECT_EQ(converted(text, GrammarSyntax::kXgrammar),
            "root ::= root-max_tokens \"b\"\nroot-max_tokens[max_tokens=5] ::= \"a\"+\n");
  EXPECT_EQ(converted(text, GrammarSyntax::kLark),
            "start: root-max_tokens \"b\"\nroot-max_tokens[max_tokens=5]: \"a\"+\n");
}

TEST(Convert, TokensOfEachLanguage) {
  const std::string_view tokens = "root ::= <[7]> <[1-3]> !<[4,5]>";
  EXPECT_EQ(converted(tokens, GrammarSyntax::kXgrammar), "root ::= Token(7) Token(1, 2, 3) ExcludeToken(4, 5)\n");
  EXPECT_EQ(converted(tokens, GrammarSyntax::kLark), "start: <[7]> <[1-3]> <[^4,5]>\n");
  EXPECT_EQ(converted(tokens, GrammarSyntax::kKbnf), "KBNF has no way to say tokens: <[7]>");
  EXPECT_EQ(converted("root ::= <x>", GrammarSyntax::kXgrammar),
            "XGrammar's EBNF has no way to say a token by its name: <x>");
  grammar::TokenSet last;
  last.ranges = {{UINT32_MAX - 1, UINT32_MAX}};
  EXPECT_EQ(frontend::convert::tokens_text(frontend::convert::Target::kXgrammar, last, {}, 100)->text,
            "Token(4294967294, 4294967295)");
}

// Escapes of one language are not those of another.
TEST(Convert, EscapesAreRead) {
  EXPECT_EQ(converted("root ::= \"\\x1F600\" [^]", GrammarSyntax::kEbnf, {.syntax = GrammarSyntax::kXgrammar}),
            "root ::= \"\U0001F600\" .\n");
  EXPECT_EQ(converted("root ::= \"\\x01\" \"a\"", GrammarSyntax::kXgrammar), "root ::= \"\\u0001\" \"a\"\n");
}

std::string to_regex(const Result<Grammar>& grammar) {
  if (!grammar) return "not read: " + grammar.error().message;
  const Result<std::string> out = convert_to_regex(*grammar);
  return out ? *out : out.error().message;
}

TEST(Convert, RegularExpression) {
  EXPECT_EQ(
      to_regex(Grammar::from_ebnf("root ::= a (\",\" a)*\na ::= [a-c]{2} | \"x*\" | b?\nb ::= \"\u00e9\" | . \"y\"")),
      "(?:[a-c]{2}|x\\*|(?:\u00e9|(?s:.)y)?)(?:,(?:[a-c]{2}|x\\*|(?:\u00e9|(?s:.)y)?))*");
  EXPECT_EQ(to_regex(Grammar::from_ebnf("root ::= \"a\" root | \"b\"")),
            "a regular expression has no way to say rule `root`, which refers to itself");
  EXPECT_EQ(to_regex(Grammar::from_ebnf("root ::= [ab]* & ~\"ab\"")), "(?:|b[ab]*)|a(?:|(?:a|b[ab])[ab]*)");
  const std::string strings[] = {"one", "two", "onto"};
  EXPECT_EQ(to_regex(Grammar::from_choice(strings)), "two|on(?:e|to)");
}

// Without blanks, keys in the schema's order, one spelling of each character.
const JsonSchemaOptions kPlain{.whitespace = JsonSchemaOptions::Whitespace::kNone,
                               .order = JsonSchemaOptions::Order::kDeclared,
                               .escapes = JsonSchemaOptions::Escapes::kRequired,
                               .exponents = false};

std::string schema_to_gbnf(std::string_view schema, const JsonSchemaOptions& options = kPlain) {
  const Result<Grammar> grammar = Grammar::from_json_schema(schema, options, {.grammar_symbols = 2000});
  if (!grammar) return "not read: " + grammar.error().message;
  const Result<std::string> out = convert_grammar(*grammar, GrammarSyntax::kGbnf);
  return out ? *out : std::string(to_string(out.error().code)) + ": " + out.error().message;
}

constexpr std::string_view kClosed =
    R"({"type": "object", "properties": {"a": {"type": "boolean"}, "é": {"enum": [1, [null]]}, "b": {"type": "string"}},)"
    R"( "required": ["a", "b"], "additionalProperties": false})";
constexpr std::string_view kTree =
    R"({"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "properties": {"v": {"const": 1}, "c": {"type": "array",)"
    R"( "items": {"$ref": "#/$defs/t"}, "maxItems": 2}}, "additionalProperties": false, "required": ["v"]}}})";

TEST(Convert, SchemasWithRulesForAllTheySay) {
  EXPECT_EQ(schema_to_gbnf(R"({"type": "array", "items": {"enum": [true, null]}, "minItems": 1})"),
            "root ::= value\nvalue ::= \"[\" (\"null\" | \"true\") items\n"
            "items ::= \"]\" | \",\" (\"null\" | \"true\") items\n");
  EXPECT_EQ(to_regex(Grammar::from_json_schema(R"({"type": "object", "properties": {"a": {"const": true}},)"
                                               R"( "required": ["a"], "additionalProperties": false})",
                                               kPlain)),
            "\\{\"a\":true\\}");
}

TEST(Convert, SchemasThatNoRulesCanSay) {
  const std::string open =
      "unsupported: GBNF has no way to say an object with any number of keys, none of which may repeat, in values at ";
  EXPECT_EQ(schema_to_gbnf(R"({"type": "object"})"),
            "unsupported: GBNF has no way to say an object with any number of keys, none of which may repeat, in the "
            "outermost value");
  EXPECT_EQ(schema_to_gbnf(R"({"type": "array", "items": {"patternProperties": {"^a": {"type": "null"}},)"
                           R"( "additionalProperties": false, "type": "object"}})"),
            open + "`/*`");
  EXPECT_EQ(schema_to_gbnf(R"({"type": "object", "properties": {"k": {"type": "array", "items": {"type": "integer"},)"
                           R"( "uniqueItems": true}}, "additionalProperties": false})"),
            "unsupported: GBNF has no way to say an array whose items depend on those before, in values at `/k`");
  JsonSchemaOptions yaml;
  yaml.notation = JsonSchemaOptions::Notation::kYaml;
  EXPECT_EQ(schema_to_gbnf(R"({"type": "boolean"})", yaml),
            "unsupported: GBNF has no way to say the values of a schema in YAML");
  std::string many = R"({"type": "object", "additionalProperties": false, "properties": {)";
  for (int i = 0; i < 24; ++i) many += (i > 0 ? ", \"p" : "\"p") + std::to_string(i) + "\": {\"const\": 1}";
  many += "}}";
  EXPECT_TRUE(schema_to_gbnf(many).starts_with("root ::= "));
  JsonSchemaOptions any_order = kPlain;
  any_order.order = JsonSchemaOptions::Order::kAny;
  EXPECT_TRUE(schema_to_gbnf(many, any_order).starts_with("limit_exceeded: "));
}

// Under indented whitespace each level has rules of its own.
TEST(Convert, SchemasThatReferToThemselvesUnderIndents) {
  JsonSchemaOptions indented = kPlain;
  indented.whitespace = JsonSchemaOptions::Whitespace::kIndented;
  const Result<Grammar> tree = Grammar::from_json_schema(kTree, indented);
  ASSERT_TRUE(tree) << tree.error().message;
  const Result<std::string> out = convert_grammar(*tree, GrammarSyntax::kGbnf);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(out.error().limit, "nesting");
  EXPECT_EQ(out.error().hint,
            "with `whitespace` = indented a recursive schema has rules for each level: choose another one");
  EXPECT_TRUE(schema_to_gbnf(kTree).starts_with("root ::= "));
  EXPECT_TRUE(schema_to_gbnf(kClosed, indented).starts_with("root ::= "));
}

// A schema in another language has the texts that it has itself.
TEST(Convert, SchemasReadBackAsTheSameLanguage) {
  JsonSchemaOptions spaced = kPlain;
  spaced.whitespace = JsonSchemaOptions::Whitespace::kBounded;
  spaced.order = JsonSchemaOptions::Order::kAny;
  spaced.escapes = JsonSchemaOptions::Escapes::kAll;
  const std::string texts[] = {R"({"a":true,"b":""})",
                               R"({"a":true,"é":1,"b":"xé\n\""})",
                               R"({"a":true,"é":[null],"b":"\u00e9"})",
                               R"({ "b" : "", "a" : false })",
                               R"({"a":true,"a":true,"b":""})",
                               R"({"a":true})",
                               R"({"a":true,"\u0062":"x"})",
                               R"({"v":1,"c":[{"v":1},{"v":1,"c":[]}]})",
                               R"({"v":1,"c":[{"v":1},{"v":1},{"v":1}]})",
                               R"({"c":[],"v":1})",
                               R"(-0.5)",
                               R"(17)",
                               R"(18)",
                               R"("ab")",
                               R"("abc")"};
  const std::string_view schemas[] = {
      kClosed, kTree, R"({"type": "number", "maximum": 17.5})",
      R"({"anyOf": [{"type": "string", "maxLength": 2}, {"multipleOf": 9, "type": "integer"}]})"};
  constexpr GrammarSyntax kAll[] = {GrammarSyntax::kEbnf, GrammarSyntax::kGbnf, GrammarSyntax::kXgrammar,
                                    GrammarSyntax::kKbnf, GrammarSyntax::kLark};
  const GrammarCompiler compiler(*TokenizerInfo::from_vocab({.tokens = {"a"}}));
  int accepted = 0;
  for (const JsonSchemaOptions& options : {kPlain, spaced}) {
    for (const std::string_view schema : schemas) {
      const Result<Grammar> given = Grammar::from_json_schema(schema, options);
      ASSERT_TRUE(given) << given.error().message;
      const CompiledGrammar expected = *compiler.compile(*given);
      for (const GrammarSyntax to : kAll) {
        const Result<std::string> text = convert_grammar(*given, to);
        ASSERT_TRUE(text) << text.error().message << " in " << schema;
        const Result<CompiledGrammar> again = compiler.compile_text(*text, {.syntax = to});
        ASSERT_TRUE(again) << again.error().message << "\n" << *text;
        for (const std::string& one : texts) {
          accepted += accepts(expected, one) ? 1 : 0;
          EXPECT_EQ(accepts(*again, one), accepts(expected, one)) << one << " of " << schema << " in\n" << *text;
        }
      }
    }
  }
  EXPECT_GT(accepted, 80);
}

// What is written has the language of what was read. GBNF is read as EBNF, which has all of it.
TEST(Convert, RandomGrammarsReadBackAsTheSameLanguage) {
  constexpr std::size_t kLength = 4;
  std::mt19937 random(11);
  std::map<GrammarSyntax, int> converted_count;
  constexpr GrammarSyntax kAll[] = {GrammarSyntax::kEbnf, GrammarSyntax::kGbnf, GrammarSyntax::kXgrammar,
                                    GrammarSyntax::kKbnf, GrammarSyntax::kLark};
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    const auto ir = std::make_shared<const grammar::Grammar>(
        grammar::testing::random_grammar(random, grammar::testing::Extras::kNone));
    const Grammar given(ir, {}, Limits{}, nullptr);
    const grammar::testing::Language expected = grammar::testing::language(*ir, kLength);
    for (const GrammarSyntax to : kAll) {
      const Result<std::string> text = convert_grammar(given, to);
      if (!text) {
        EXPECT_EQ(text.error().code, ErrorCode::kUnsupported) << text.error().message;
        continue;
      }
      ++converted_count[to];
      const GrammarSyntax syntax = to == GrammarSyntax::kGbnf ? GrammarSyntax::kEbnf : to;
      const Result<Grammar> again = Grammar::from_text(*text, {.syntax = syntax});
      ASSERT_TRUE(again) << render(again.error(), *text, to_string(to));
      for (const grammar::Terminal& terminal : again->ir().terminals) {
        EXPECT_FALSE(base::competes(terminal.mode) && terminal.expr != regex::ExprId::kEpsilon &&
                     again->ir().exprs.max_length(terminal.expr) > 1)
            << *text;
      }
      EXPECT_EQ(grammar::testing::language(again->ir(), kLength), expected) << grammar::to_ebnf(*ir) << "converted:\n"
                                                                            << *text;
    }
    if (const Result<std::string> pattern = convert_to_regex(given)) {
      const Result<Grammar> again = Grammar::from_regex(*pattern);
      ASSERT_TRUE(again) << render(again.error(), *pattern, "regex");
      EXPECT_EQ(grammar::testing::language(again->ir(), kLength), expected) << grammar::to_ebnf(*ir) << *pattern;
    }
  }
  for (const GrammarSyntax to : kAll) EXPECT_GT(converted_count[to], to == GrammarSyntax::kGbnf ? 10 : 50);
}

// Regular expressions with all that they have, as grammars of each language: from texts to texts.
TEST(Convert, RegularExpressionsToEachLanguage) {
  const std::string_view patterns[] = {
      R"([^a]b|(?:é|è|中)+x?)", R"((?!ab)[ab]{2,3})",       R"(\bb?a\b)", R"((?i)k[^S]?)", R"(.{0,2}b)",
      R"((?=.*b)a?[^a]*)",      R"([\x00-\x7f]|\p{Greek}a)"};
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  std::vector<std::string> texts{""};
  for (std::size_t i = 0; i < texts.size() && texts[i].size() < 6; ++i) {
    if (std::ranges::count(texts[i], '\xC3') + texts[i].size() > 3) continue;
    for (const char* c : {"a", "b", "é", "è", "S", "K", "x", "α"}) texts.push_back(texts[i] + c);
  }
  for (const std::string_view pattern : patterns) {
    const Result<Grammar> given = Grammar::from_regex(pattern);
    ASSERT_TRUE(given) << pattern;
    regex::ExprSet exprs = given->ir().exprs;
    const regex::ExprId expected = given->ir().terminals.front().expr;
    const auto check = [&](const Result<std::string>& text, const char* what, const Result<Grammar>& again) {
      ASSERT_TRUE(text) << pattern << " " << what << ": " << text.error().message;
      ASSERT_TRUE(again) << render(again.error(), *text, what);
      const Result<CompiledGrammar> compiled = compiler.compile(*again);
      ASSERT_TRUE(compiled) << *text;
      for (const std::string& s : texts) {
        ASSERT_EQ(accepts(*compiled, s), exprs.matches(expected, s)) << pattern << " " << what << " on " << s << "\n"
                                                                     << *text;
      }
    };
    for (const GrammarSyntax to : {GrammarSyntax::kEbnf, GrammarSyntax::kGbnf, GrammarSyntax::kXgrammar,
                                   GrammarSyntax::kKbnf, GrammarSyntax::kLark}) {
      const Result<std::string> text = convert_grammar(*given, to);
      check(text, to_string(to).data(), Grammar::from_text(text.value_or(""), {.syntax = to}));
    }
    const Result<std::string> text = convert_to_regex(*given);
    check(text, "regex", Grammar::from_regex(text.value_or("")));
  }
}

}  // namespace
}  // namespace weir
