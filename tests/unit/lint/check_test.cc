#include "weir/check.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weir {
namespace {

// "code: what the range holds", in the order of the list.
std::vector<std::string> found(std::string_view text, const GrammarTextOptions& options = {}) {
  std::vector<std::string> out;
  for (const Diagnostic& d : check_grammar(text, options)) {
    out.push_back(d.code + ": " + std::string(text.substr(d.where.start, d.where.end - d.where.start)));
  }
  return out;
}

using Findings = std::vector<std::string>;

TEST(Check, NothingIsWrong) { EXPECT_EQ(found("root ::= \"a\" root | \"b\""), Findings{}); }

TEST(Check, WarningsInTheOrderOfTheText) {
  EXPECT_EQ(found("unused ::= \"x\"\nroot ::= \"a\" | endless\nendless ::= \"y\" endless"),
            (Findings{"unused-rule: unused", "endless-rule: endless"}));
  EXPECT_EQ(found("root ::= \"a\" | \"b\" & \"c\""), (Findings{"empty-terminal: \"b\" & \"c\""}));
  EXPECT_EQ(found("root ::= root | \"a\""), (Findings{"circular-rule: root"}));
  EXPECT_EQ(found("root ::= @lazy(\"a\"*) \"b\""), (Findings{"empty-lazy: @lazy(\"a\"*)"}));
}

TEST(Check, UnusedRulesAreNotReportedIfTheStartRuleIsNamed) {
  EXPECT_EQ(found("root ::= a\na ::= \"x\"", {.start = "a"}), Findings{});
}

// A count above the limit is the error; the rule that it is in is defined, and so are those after it.
TEST(Check, ACountAboveTheLimitHidesNoRule) {
  Limits limits;
  limits.repeat_count = 10;
  const std::string_view text = "root ::= b c\nb ::= \"a\"{11}\nc ::= \"c\"";
  const std::vector<Diagnostic> list = check_grammar(text, {}, limits);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].limit, "repeat_count");
  limits.repeat_count = 100;
  limits.nesting = 3;
  for (const Diagnostic& one : check_grammar("root ::= b c\nb ::= ((((\"a\"))))\nc ::= \"c\"", {}, limits)) {
    EXPECT_EQ(one.limit, "nesting");
  }
}

TEST(Check, NamesThatLlamaCppCannotRead) {
  EXPECT_EQ(found("root ::= my_rule\nmy_rule ::= \"a\"", {.syntax = GrammarSyntax::kGbnf}),
            (Findings{"gbnf-name: my_rule"}));
  EXPECT_EQ(found("root ::= my_rule\nmy_rule ::= \"a\""), Findings{});
  EXPECT_EQ(found("root ::= my-rule\nmy-rule ::= \"a\"", {.syntax = GrammarSyntax::kGbnf}), Findings{});
  const Result<Grammar> grammar =
      Grammar::from_text("root ::= my_rule\nmy_rule ::= \"a\"", {.syntax = GrammarSyntax::kGbnf});
  ASSERT_TRUE(grammar);
  EXPECT_TRUE(grammar->warnings().empty()) << "weir can read it";
}

TEST(Check, ReferencesToGroupsThatAreOctalEscapes) {
  const auto kbnf = [](std::string_view text) { return found(text, {.syntax = GrammarSyntax::kKbnf}); };
  EXPECT_EQ(kbnf("start ::= #'([a-z]) \\1';"), (Findings{"octal-escape: \\1"}));
  EXPECT_EQ(kbnf("start ::= #ex'([a-z])\\2';"), (Findings{"octal-escape: \\2"}));
  EXPECT_EQ(kbnf("start ::= #'[a-z]\\0' '\\1';"), Findings{});
}

TEST(Check, ErrorsOfCompilingAreFound) { EXPECT_EQ(found("root ::= \"a\" root"), (Findings{"unsatisfiable: root"})); }

TEST(Check, AlternativesThatAddNothing) {
  EXPECT_EQ(found("root ::= [a-z]+ | \"key\" | \"9\""), (Findings{"unreachable-alternative: \"key\""}));
  EXPECT_EQ(found("root ::= a | \"5\" \"6\"\na ::= [0-9]{2}"), (Findings{"unreachable-alternative: \"5\" \"6\""}));
  EXPECT_EQ(found("root ::= \"a\" | \"b\" | [ab]"), (Findings{"unreachable-alternative: [ab]"}));
  EXPECT_EQ(found("root ::= \"key\" | [a-z]+"), Findings{});
  EXPECT_EQ(found("root ::= @greedy([a-z]+) | \"key\""), Findings{});
  EXPECT_EQ(found("root ::= (a | \"c\") [ab]\na ::= [cd] (= \"a\")"), Findings{});
  EXPECT_EQ(found("root ::= \"(\" root \")\" | [a-z] | \"x\""), (Findings{"unreachable-alternative: \"x\""}));
}

TEST(Check, AnAlternativeThatAddsNothingPointsAtTheOther) {
  const auto one = check_grammar("root ::= [a-z]+ | \"key\"", {});
  ASSERT_EQ(one.size(), 1U);
  ASSERT_EQ(one[0].notes.size(), 1U);
  EXPECT_EQ(one[0].notes[0].where, (SourceRange{9, 15}));
  // No single alternative includes `[ab]`.
  const auto two = check_grammar("root ::= \"a\" | \"b\" | [ab]", {});
  ASSERT_EQ(two.size(), 1U);
  EXPECT_TRUE(two[0].notes.empty());
}

TEST(Check, AlternativesThatOverlap) {
  EXPECT_EQ(found("root ::= [a-c]{2} | [b-d]+"), (Findings{"overlapping-alternatives: [b-d]+"}));
  EXPECT_EQ(found("root ::= \"a\" | x | \"b\" [0-9]*\nx ::= \"b\"? \"c\"? [1-3]"),
            (Findings{"overlapping-alternatives: \"b\" [0-9]*"}));
  const auto one = check_grammar("root ::= [a-c]{2} | [b-d]+", {});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].message, "this alternative and one before it both match `bb`");
  ASSERT_EQ(one[0].notes.size(), 1U);
  EXPECT_EQ(one[0].notes[0].where.start, 9U);
  EXPECT_EQ(found("root ::= [ab]* | [cd]*"), Findings{});
  EXPECT_EQ(found("root ::= \"if\" | \"else\" | [a-z]+"), Findings{});
}

TEST(Check, RulesThatBeginAndEndWithThemselves) {
  EXPECT_EQ(found("root ::= e\ne ::= e \"+\" e | \"(\" e \")\" | \"1\""), (Findings{"ambiguous-rule: e \"+\" e"}));
  EXPECT_EQ(found("root ::= root root | \"a\""), (Findings{"ambiguous-rule: root root"}));
  EXPECT_EQ(found("root ::= root \"+\" t | t\nt ::= \"1\" | \"(\" root \")\""), Findings{});
}

TEST(Check, BlanksWithoutEnd) {
  EXPECT_EQ(found("root ::= \"a\" ws \"b\"\nws ::= [ \\t]*"), (Findings{"unbounded-whitespace: [ \\t]*"}));
  EXPECT_EQ(found("root ::= \"a\" /\\s+/ \"b\""), (Findings{"unbounded-whitespace: /\\s+/"}));
  EXPECT_EQ(found("root ::= \"a\" (\" \" [\\n]*)* \"b\""), (Findings{"unbounded-whitespace: (\" \" [\\n]*)*"}));
  EXPECT_EQ(found("root ::= \"a\" [ ]{0,20} [a ]* \"b\""), Findings{});
}

TEST(Check, TerminalsThatOthersShadow) {
  const GrammarTextOptions lark{.syntax = GrammarSyntax::kLark};
  const std::string names = "start: NAME \"!\" | \"if\" \"x\"\nNAME: /[a-z]+/\n";
  EXPECT_EQ(found(names, lark), (Findings{"shadowed-terminal: \"if\""}));
  EXPECT_EQ(found(names, {.syntax = GrammarSyntax::kLark, .exact_splits = true}), Findings{});
  // `if` is not shadowed where a blank may follow, since no name contains one, or where the text may end.
  EXPECT_EQ(found(names + "%ignore \" \"", lark), Findings{});
  EXPECT_EQ(found("start: NAME \"!\" | \"if\" \"x\"?\nNAME: /[a-z]+/", lark), Findings{});
  // Terminals also compete after equal beginnings, and if one may come wherever the other may. In the last grammar
  // `if` may come after `.`, where NAME may not.
  EXPECT_EQ(found("start: \"(\" NAME \"!\" | \"(\" \"if\" \"x\"\nNAME: /[a-z]+/", lark),
            (Findings{"shadowed-terminal: \"if\""}));
  EXPECT_EQ(found("start: (word | NAME)*\nword: \"if\" \"x\"\nNAME: /[a-z]+;/", lark),
            (Findings{"shadowed-terminal: \"if\""}));
  EXPECT_EQ(found("start: (word | NAME)* \".\" word\nword: \"if\" \"x\"\nNAME: /[a-z]+;/", lark), Findings{});
}

TEST(Check, TerminalsThatALazyOneShadows) {
  const GrammarTextOptions lark{.syntax = GrammarSyntax::kLark};
  const std::string start = "start: l \"a\" | X \"\\n\"\nl[lazy]: /x.*;/\n";
  EXPECT_EQ(found(start + "X: /x[a-z]*;y?/", lark), (Findings{"shadowed-terminal: X"}));
  EXPECT_EQ(found(start + "X: /x[a-z]*;?/", lark), Findings{});
  // If two lazy terminals end at the same position, both are followed.
  EXPECT_EQ(found("start: l \"a\" | m \"b\"\nl[lazy]: /x.*;/\nm[lazy]: /x[a-z]*;/", lark), Findings{});
  const auto one = check_grammar("start: l \"a\" | X \"b\"\nl[lazy]: /x/\nX: \"x\"", lark);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].message, "terminal `X` is never matched: `/x/`, which is lazy, ends before it can");
  ASSERT_EQ(one[0].notes.size(), 1U);
  EXPECT_EQ(one[0].notes[0].where, (SourceRange{30, 33}));
}

TEST(Check, TerminalsThatNeverEndOrAreLostToSeveral) {
  const GrammarTextOptions lark{.syntax = GrammarSyntax::kLark};
  EXPECT_EQ(found("start: A B | \"c\"\nA: /a+/\nB: /ab/", lark), (Findings{"shadowed-terminal: A"}));
  const auto several = check_grammar("start: A /[xy]/ | B \".\" | C \".\"\nA: \"a\"\nB: \"ax\"\nC: \"ay\"", lark);
  ASSERT_EQ(several.size(), 1U);
  EXPECT_EQ(several[0].message, "terminal `A` is never matched: others take every text of it");
  EXPECT_TRUE(several[0].notes.empty());
}

TEST(Check, UndefinedRulesAllWithAFix) {
  const std::string text = "root ::= expresion othr x\nexpression ::= \"a\"\nother ::= \"b\"";
  const auto all = check_grammar(text, {});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].message, "rule `expresion` is not defined");
  EXPECT_EQ(all[0].fix, (Fix{{9, 18}, "expression"}));
  EXPECT_EQ(all[1].fix, (Fix{{19, 23}, "other"}));
  EXPECT_EQ(all[2].fix, std::nullopt);
}

// "message: what the range holds".
std::vector<std::string> errors(std::string_view text) {
  std::vector<std::string> out;
  for (const Diagnostic& d : check_grammar(text, {})) {
    EXPECT_EQ(d.severity, Severity::kError);
    out.push_back(d.message + ": " + std::string(text.substr(d.where.start, d.where.end - d.where.start)));
  }
  return out;
}

TEST(Check, EbnfGoesOnWithTheNextRule) {
  EXPECT_EQ(errors("root ::= ( \"a\"\nb ::= \"x\" ) c\nd ::= \"\\q\" e\nf ::= g | *\n"),
            (Findings{"`(` without `)`: (", "`)` without `(`: )", "unknown escape `\\q`: \\q",
                      "rule `g` is not defined: g", "`*` has nothing to repeat: *"}));
}

TEST(Check, EbnfGoesOnAfterAnUnexpectedCharacter) {
  EXPECT_EQ(
      errors("root ::= a ; b\na ::= \"x\" $\nb ::= \"y"),
      (Findings{"unexpected character `;`: ;", "unexpected character `$`: $", "literal without closing `\"`: \"y"}));
}

TEST(Check, EbnfTakesWhatMayBeADefinitionForOne) {
  EXPECT_EQ(errors("root ::= a b c\na = \"x\"\nb: \"y\"\nc ::= \"z\"\nc ::= d"),
            (Findings{"unexpected character `=`: =", "unexpected `:`: :", "rule `c` is defined twice: c"}));
}

TEST(Check, EbnfStopsAtALimit) {
  Limits limits;
  limits.nesting = 1;
  const auto found = check_grammar("root ::= ((\"a\"))\nb ::= )", {}, limits);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].limit, "nesting");
}

// The rules with line ends are made later, so what follows a terminal is not known.
TEST(Check, NoTerminalIsShadowedInAGrammarWithIndentation) {
  EXPECT_EQ(found("start: line+\nline: \"a\" _NL [_INDENT line+ _DEDENT]\n_NL: /(\\n *)+/\n%declare _INDENT _DEDENT\n",
                  {.syntax = GrammarSyntax::kLark}),
            Findings{});
}

TEST(Check, AtMostTwentyErrors) {
  std::string text;
  for (int i = 0; i < 50; ++i) text += "r" + std::to_string(i) + " ::= )\n";
  EXPECT_EQ(check_grammar(text, {}).size(), kMaxErrors);
}

TEST(Check, RegularExpressionsAndSchemas) {
  ASSERT_EQ(check_regex("a(b").size(), 1U);
  EXPECT_EQ(check_regex("a(b")[0].code, "syntax");
  EXPECT_TRUE(check_regex("a(b)").empty());
  ASSERT_EQ(check_schema(R"({"type": "strin"})").size(), 1U);
  EXPECT_EQ(check_schema(R"({"type": "strin"})")[0].where, (SourceRange{9, 16}));
  EXPECT_TRUE(check_schema(R"({"type": "string"})").empty());
}

TEST(Check, StructuralTagsAndResponseFormats) {
  const std::string tag = R"({"type": "structural_tag", "format": {"type": "sequence", "elements": [
      {"type": "json_schema", "json_schema": {"type": "strin"}}, {"type": "regex", "pattern": "a("}]}})";
  const auto found_in = [](const std::string& text, const std::vector<Diagnostic>& findings) {
    Findings out;
    for (const Diagnostic& d : findings)
      out.push_back(d.code + ": " + text.substr(d.where.start, d.where.end - d.where.start));
    return out;
  };
  const Findings both = found_in(tag, check_structural_tag(tag));
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0], "invalid_argument: \"strin\"");
  EXPECT_EQ(both[1].substr(0, 7), "syntax:");
  const std::string unreachable = R"({"type": "structural_tag", "format": {"type": "triggered_tags",
      "triggers": ["a", "bab"], "tags": [{"begin": "a1", "content": {"type": "any_text"}, "end": "."},
                                        {"begin": "bab1", "content": {"type": "any_text"}, "end": "."}]}})";
  EXPECT_EQ(found_in(unreachable, check_structural_tag(unreachable)), (Findings{"unreachable-trigger: \"bab1\""}));
  EXPECT_TRUE(check_response_format(R"({"type": "json_object"})").empty());
  EXPECT_TRUE(check_structural_tag(R"({"type": "structural_tag", "format": {"type": "any_text"}})").empty());
  const std::string format = R"({"type": "regex", "pattern": "a)b"})";
  EXPECT_EQ(check_response_format(format).size(), 1U);
}

}  // namespace
}  // namespace weir
