// KBNF: texts with several errors, and hints. Single errors are cases of tests/data/kbnf.toml.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontend/kbnf/kbnf.h"
#include "frontend/kbnf/words.h"

namespace weir::frontend {
namespace {

std::vector<Error> errors_of(std::string_view text) {
  const Limits limits;
  grammar::Grammar grammar(limits.regex_nodes);
  Reading reading{grammar, limits};
  EXPECT_FALSE(read_kbnf(text, "start", reading).has_value());
  return reading.errors;
}

// Returns the errors of `text` in their order, each as "text of the range: message".
std::vector<std::string> found(std::string_view text) {
  std::vector<std::string> out;
  for (const Error& error : errors_of(text)) {
    out.push_back(std::string(text.substr(error.where.start, error.where.end - error.where.start)) + ": " +
                  error.message);
  }
  return out;
}

using Findings = std::vector<std::string>;

TEST(KbnfErrors, OneForEachRuleInTheOrderOfTheText) {
  EXPECT_EQ(found(R"(
start ::= a b c #'(';
a ::= 'x'++;
b ::= ['y' ;
undefined_use ::= strat;
c ::= 'a' & 'b';
d ::= #'\d' "\q";
e 'z';
f ::= 'z'
g ::= 'z';
)"),
            (Findings{"(: the group is not closed", "+: `+` stands after another quantifier", "[: `[` without `]`",
                      "strat: rule `strat` is not defined", "&: unexpected character `&`", "\\d: unknown escape `\\d`",
                      "\\q: unknown escape `\\q`", "'z': expected `::=`, found `'z'`",
                      "g: expected `;` before the rule `g`"}));
}

// A rule with a syntax error counts as defined, and names that it refers to are not reported as undefined.
TEST(KbnfErrors, NoErrorsThatFollowFromOthers) {
  EXPECT_EQ(found("start ::= a; a ::= bb) ;"), (Findings{"): `)` without an opening bracket"}));
}

TEST(KbnfErrors, AtMostTwenty) {
  std::string text = "start ::= 'a';";
  for (int i = 0; i < 100; ++i) text += "x ::= * ;";
  EXPECT_EQ(errors_of(text).size(), kMaxErrors);
  EXPECT_EQ(errors_of(std::string(100, '$')).size(), kMaxErrors);
}

TEST(KbnfErrors, Hints) {
  const auto hint = [](std::string_view text) { return errors_of(text).front().hint; };
  EXPECT_EQ(hint("start ::= exprs; expr ::= 'x';"), "did you mean `expr`?");
  EXPECT_EQ(hint("Start ::= 'x';"), "did you mean `Start`?");
  EXPECT_EQ(hint("root ::= 'x';"), "choose another start rule, for example `root`");
  EXPECT_EQ(hint("start ::= #'\\d';"), "a backslash itself is written `\\\\`: in a regular expression `\\\\d`");
  EXPECT_EQ(hint("start ::= ('a' | );"), "an optional part is written `[...]`, the empty text `\"\"`");
  EXPECT_EQ(hint("start ::= 'a'{2};"), "counts are written in a regular expression, `#\"(?:...){2}\"`");
  EXPECT_EQ(hint("start ::= 'a' - 'b';"),
            "names are made of letters, digits and `_`; to exclude texts, write `except!(...)`");
  EXPECT_EQ(hint("start ::= 'a\nb ::= 'c';"),
            "is the one that begins at line 1, column 11 meant to run over the end of "
            "the line?");
}

// The user's text determines the depth of nesting, so the reader does not recurse.
TEST(KbnfErrors, Nesting) {
  const std::string deep = "start ::= " + std::string(900, '(') + "'a'" + std::string(900, ')') + ";";
  const Limits limits;
  grammar::Grammar grammar(limits.regex_nodes);
  Reading reading{grammar, limits};
  EXPECT_TRUE(read_kbnf(deep, "start", reading).has_value());
  EXPECT_EQ(errors_of("start ::= " + std::string(100000, '[')).front().limit, "nesting");
}

}  // namespace
}  // namespace weir::frontend
