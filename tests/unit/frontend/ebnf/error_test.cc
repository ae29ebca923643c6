// Every error of the front end: code, range, message and hint. ‹ and › mark the range in the text.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "frontend/ebnf/ebnf.h"

namespace weir::frontend {
namespace {

struct Case {
  const char* marked;
  ErrorCode code;
  const char* message;
  const char* hint;  // a part of the hint; "" if there is none
};

// Removes the marks from `text` and returns the range between them.
SourceRange take_marks(std::string& text) {
  SourceRange where;
  const auto take = [&](std::string_view mark) {
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return std::size_t{0};
    text.erase(at, mark.size());
    return at;
  };
  where.start = take("‹");
  where.end = take("›");
  return where;
}

TEST(EbnfErrors, PointAtThePlaceAndSayWhatIsExpected) {
  constexpr auto kSyntax = ErrorCode::kSyntax;
  constexpr auto kArgument = ErrorCode::kInvalidArgument;
  constexpr auto kUnsupported = ErrorCode::kUnsupported;
  const Case cases[] = {
      // Rules.
      {"‹›", kSyntax, "the grammar has no rules", "name ::= ..."},
      {"# only a remark\n‹›", kSyntax, "the grammar has no rules", ""},
      {"root ‹\"a\"›", kSyntax, "expected `::=`, found `\"a\"`", "name ::= ..."},
      {"root‹›", kSyntax, "expected `::=`, found the end of the grammar", ""},
      {"root ‹=› \"a\"", kSyntax, "unexpected character `=`", "name ::= ..."},
      {"root‹:› \"a\"", kSyntax, "unexpected `:`", "name ::= ..."},
      {"‹::=› \"a\"", kSyntax, "`::=` without a rule's name before it", ""},
      {"root‹[capture]› ::= \"a\"", kUnsupported, "only XGrammar's EBNF has rule options", "`xgrammar`"},
      {"root ::= \"x\"\nother‹[max_tokens=1]› ::= \"a\"", kUnsupported, "only XGrammar's EBNF has rule options",
       "`xgrammar`"},
      {"‹|› \"a\"", kSyntax, "expected a rule, found `|`", ""},
      // Captures.
      {"root ::= ‹@capture› \"a\"", kSyntax, "`@capture` without `(`", "@capture(name: ...)"},
      {"root ::= ‹@capture›(\"a\")", kSyntax, "`@capture` without a name", "@capture(name: ...)"},
      {"root ::= ‹@capture›(x \"a\")", kSyntax, "`@capture` without `:` after its name", "@capture(name: ...)"},
      {"root ::= ‹@capture›(x ::= \"a\")", kSyntax, "`@capture` without `:` after its name", "@capture(name: ...)"},
      {"root ::= ‹@capture(›x: \"a\"", kSyntax, "`(` without `)`", ""},
      {"root ::= \"b\" ‹&› @capture(x: \"a\")", kUnsupported, "the operand of `&` holds a capture", "regular"},
      {"root ::= ‹@lazy›(a)\na ::= .* @capture(x: \"a\")", kUnsupported, "the operand of `@lazy` holds a capture", ""},
      {"root ::= \"a\" ‹::=› \"b\"", kSyntax, "`::=` without a rule's name before it", ""},
      {"root ::= \"a\"\n‹root› ::= \"b\"", kSyntax, "rule `root` is defined twice", "line 1, column 1"},
      {"root ::= ‹exprs›\nexpr ::= \"a\"", kArgument, "rule `exprs` is not defined", "did you mean `expr`?"},
      {"root ::= ‹Expr›\nexpr ::= \"a\"", kArgument, "rule `Expr` is not defined", "did you mean `expr`?"},
      {"root ::= ‹completely-other›\nexpr ::= \"a\"", kArgument, "rule `completely-other` is not defined", ""},
      {"root ::= b ‹a›\nb ::= a c", kArgument, "rule `a` is not defined", ""},
      // Characters and words that are not part of the syntax.
      {"root ::= ‹“›a”", kSyntax, "unexpected character `“`", "straight quotes"},
      {"root ::= \"a\"‹;›", kSyntax, "unexpected character `;`", "no end mark"},
      {"root ::= \"a\"‹,› \"b\"", kSyntax, "unexpected character `,`", "separated by blanks"},
      {"root ::= ‹\\›n", kSyntax, "unexpected character `\\`", "escapes"},
      {"root ::= [[:alpha:]‹]›", kSyntax, "unexpected character `]`", "`\\]`"},
      {"root ::= \"a\" ‹$›", kSyntax, "unexpected character `$`", ""},
      {"root ::= \"a\" ‹!›b", kSyntax, "unexpected `!`", "`~`"},
      {"root ::= ‹@eager›(\"a\")", kSyntax, "unknown mode `@eager`", "`@lazy(...)`"},
      {"root ::= \"a\" ‹(=› \"b\"", kSyntax, "`(=` without `)`", ""},
      {"root ::= (\"a\" ‹(=› \"b\")) \"b\"", kSyntax, "misplaced look-ahead", "at its end"},
      {"root ::= a \"b\" a ::= \"a\" ‹(=› b) b ::= \"b\" b?", kUnsupported,
       "the operand of `(=...)` is recursive: `b` -> `b`", "regular"},
      {"root ::= \"b\" ‹&› a a ::= \"b\" (= \"c\")", kUnsupported, "the operand of `&` holds a rule with a look-ahead",
       "regular"},
      // Groups and operators.
      {"root ::= \"a\" ‹)›", kSyntax, "`)` without `(`", ""},
      {"root ::= ‹(›\"a\" \nb ::= \"c\"", kSyntax, "`(` without `)`", ""},
      {"root ::= ‹(›\"a\"", kSyntax, "`(` without `)`", ""},
      {"root ::= ‹*›", kSyntax, "`*` has nothing to repeat", "in quotes"},
      {"root ::= \"a\" | ‹{2}›", kSyntax, "`{2}` has nothing to repeat", ""},
      {"root ::= (‹+› \"a\")", kSyntax, "`+` has nothing to repeat", ""},
      {"root ::= ‹&› \"a\"", kSyntax, "`&` without a left operand", ""},
      {"root ::= \"a\" & ‹|› \"b\"", kSyntax, "expected an operand of `&`, found `|`", "`\"\"`"},
      {"root ::= \"a\" &‹›", kSyntax, "expected an operand of `&`, found the end of the grammar", ""},
      {"root ::= \"a\" ~‹›", kSyntax, "expected an operand of `~`, found the end of the grammar", ""},
      {"root ::= ~~‹*›", kSyntax, "expected an operand of `~`, found `*`", ""},
      {"root ::= @lazy ‹\"a\"›", kSyntax, "expected `(` after `@lazy`, found `\"a\"`", ""},
      // Counts.
      {"root ::= \"a\"‹{}›", kSyntax, "malformed count", "`{m,n}`"},
      {"root ::= \"a\"‹{,}›", kSyntax, "malformed count", ""},
      {"root ::= ‹{›\"a\"", kSyntax, "malformed count", "`(...)*`"},
      {"root ::= \"b\"\n<b> ‹::=› \"a\"", kSyntax, "`::=` without a rule's name before it", "no `<` and `>`"},
      {"‹<b>› ::= \"a\"", kSyntax, "expected a rule, found `<b>`", "no `<` and `>`"},
      {"root ::= \"a\"‹{1;›2}", kSyntax, "malformed count", ""},
      {"root ::= \"a\"‹{2›", kSyntax, "malformed count", ""},
      {"root ::= \"a\"‹{5,2}›", kSyntax, "the minimum of the count is above its maximum", "`{2,5}`"},
      // Literals and escapes.
      {"root ::= ‹\"abc›\nb ::= 'x'", kSyntax, "literal without closing `\"`", ""},
      {"root ::= \"abc\nb ::= \"x‹\"›", kSyntax, "literal without closing `\"`", "begins at line 1, column 10"},
      {"root ::= \"‹\\q›\"", kSyntax, "unknown escape `\\q`", "`\\\\`"},
      {"root ::= \"‹\\é›\"", kSyntax, "unknown escape `\\é`", ""},
      {"root ::= \"‹\\d›\"", kSyntax, "unknown escape `\\d`", "`[\\d]`"},
      {"root ::= \"‹\\x4›g\"", kSyntax, "`\\x` needs 2 hexadecimal digits", ""},
      {"root ::= \"‹\\u12›\"", kSyntax, "`\\u` needs 4 hexadecimal digits", ""},
      {"root ::= \"‹\\U00110000›\"", kSyntax, "`\\U00110000` is no code point", "10FFFF"},
      {"root ::= \"‹\\u{}›\"", kSyntax, "`\\u{}` is no code point", ""},
      {"root ::= \"‹\\u›{12\"", kSyntax, "expected `{...}` after `\\u`", ""},
      {"root ::= \"‹\\ud800›x\"", kSyntax, "`\\ud800` is half of a surrogate pair", ""},
      {"root ::= \"‹\\udc00›\"", kSyntax, "`\\udc00` is half of a surrogate pair", ""},
      // Classes.
      {"root ::= ‹[abc›", kSyntax, "character class without closing `]`", ""},
      {"root ::= ‹[]›", kSyntax, "empty character class", "[\\]]"},
      {"root ::= ‹[^]›", kSyntax, "empty character class", "`.`"},
      {"root ::= [a‹z-a›]", kSyntax, "range `z-a` goes backwards: U+007A is above U+0061", "`\\-`"},
      {"root ::= [‹a-\\d›]", kSyntax, "a range cannot end with a class", ""},
      {"root ::= [\\p{‹Nonsense›}]", kSyntax, "", ""},
      {"root ::= ‹[^\\x00-\\U0010FFFF]›", kSyntax, "the character class matches no character", ""},
      // Regular expressions.
      {"root ::= ‹//› a comment", kSyntax, "empty regular expression `//`", "`#`"},
      {"root ::= ‹/abc›", kSyntax, "regular expression without closing `/`", ""},
      {"root ::= /abc/i‹q›", kSyntax, "unknown flag `q` of a regular expression", "`i`, `m`, `s` and `x`"},
      // Tokens.
      {"root ::= ‹<[›1", kSyntax, "token set `<[` without `]>`", ""},
      {"root ::= ‹<›think", kSyntax, "token name `<` without `>`", ""},
      {"root ::= ‹<>›", kSyntax, "empty token name", ""},
      {"root ::= <[‹›]>", kSyntax, "expected a token id", "`<[1-5, 9]>`"},
      {"root ::= <[1, ‹x›]>", kSyntax, "expected a token id", ""},
      {"root ::= <[1‹;› 2]>", kSyntax, "expected `,` or `]>` in a token set", ""},
      {"root ::= <[‹5-2›]>", kSyntax, "range of token ids goes backwards", ""},
      {"root ::= ‹<[›1, \"x]>", kSyntax, "token set `<[` without `]>`", ""},
      {"root ::= <[‹99999999999›]>", kSyntax, "token id out of range", ""},
      // Comments.
      {"root ::= \"a\" ‹(*› no end", kSyntax, "comment `(*` without `*)`", ""},
      // Operands that are not regular.
      {"root ::= a ‹&› \"x\"\na ::= \"x\" a | \"y\"", kUnsupported, "the operand of `&` is recursive: `a` -> `a`",
       "`*`"},
      {"root ::= ‹~›a\na ::= \"x\" b\nb ::= a | \"y\"", kUnsupported,
       "the operand of `~` is recursive: `a` -> `b` -> `a`", ""},
      {"root ::= ‹~›root", kUnsupported, "the operand of `~` is recursive: `root` -> `root`", ""},
      {"root ::= ‹@lazy›(a)\na ::= \"x\" a?", kUnsupported, "the operand of `@lazy` is recursive: `a` -> `a`", ""},
      {"root ::= <think> ‹&› \"x\"", kUnsupported, "the operand of `&` holds tokens", ""},
      {"root ::= ‹~›(\"a\" @lazy(\"b\"))", kUnsupported, "the operand of `~` holds a lazy terminal", ""},
      {"root ::= ‹@lazy›(a)\na ::= @greedy(\"b\")", kUnsupported, "the operand of `@lazy` holds a greedy terminal", ""},
  };
  for (const Case& c : cases) {
    std::string text = c.marked;
    const SourceRange where = take_marks(text);
    const auto grammar = parse_ebnf(text, "root", Limits{});
    ASSERT_FALSE(grammar) << text;
    const Error& error = grammar.error();
    const std::string shown = render(error, text, "grammar");
    EXPECT_EQ(error.code, c.code) << shown;
    EXPECT_EQ(error.where.start, where.start) << shown;
    EXPECT_EQ(error.where.end, where.end) << shown;
    EXPECT_NE(error.message.find(c.message), std::string::npos) << shown;
    EXPECT_NE(error.hint.find(c.hint), std::string::npos) << shown;
  }
}

TEST(EbnfErrors, ErrorsOfARegexPointIntoTheGrammar) {
  const std::string_view text = "root ::= \"x\" /a(b/";
  const auto grammar = parse_ebnf(text, "root", Limits{});
  ASSERT_FALSE(grammar);
  EXPECT_EQ(grammar.error().code, ErrorCode::kSyntax);
  EXPECT_GE(grammar.error().where.start, text.find("a(b"));
  EXPECT_LE(grammar.error().where.end, text.size());
}

TEST(EbnfErrors, MissingStartRule) {
  const auto near_name = parse_ebnf("Root ::= \"a\"", "root", Limits{});
  ASSERT_FALSE(near_name);
  EXPECT_EQ(near_name.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(near_name.error().message, "there is no rule `root` to start with");
  EXPECT_EQ(near_name.error().hint, "did you mean `Root`?");

  const auto candidates = parse_ebnf("document ::= line*\nline ::= \"a\"\nother ::= line", "root", Limits{});
  ASSERT_FALSE(candidates);
  EXPECT_NE(candidates.error().hint.find("`document`, `other`"), std::string::npos) << candidates.error().hint;
  EXPECT_EQ(candidates.error().hint.find("`line`"), std::string::npos) << candidates.error().hint;

  const auto all_used = parse_ebnf("alpha ::= beta | \"a\"\nbeta ::= alpha", "root", Limits{});
  ASSERT_FALSE(all_used);
  EXPECT_NE(all_used.error().hint.find("every rule is used"), std::string::npos);
}

TEST(EbnfErrors, InvalidUtf8) {
  const auto grammar = parse_ebnf("root ::= \"a\xFF\"", "root", Limits{});
  ASSERT_FALSE(grammar);
  EXPECT_EQ(grammar.error().code, ErrorCode::kSyntax);
  EXPECT_EQ(grammar.error().where.start, 11U);
}

void expect_limit(std::string_view text, const Limits& limits, const char* field) {
  const auto grammar = parse_ebnf(text, "root", limits);
  ASSERT_FALSE(grammar) << field;
  EXPECT_EQ(grammar.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(grammar.error().limit, field) << grammar.error().message;
}

TEST(EbnfErrors, Limits) {
  Limits limits;
  limits.text_bytes = 10;
  expect_limit("root ::= \"a\"", limits, "text_bytes");

  limits = Limits{};
  limits.nesting = 10;
  const auto nested = [](std::size_t depth) {
    return "root ::= " + std::string(depth, '(') + "\"a\"" + std::string(depth, ')');
  };
  EXPECT_TRUE(parse_ebnf(nested(10), "root", limits));
  expect_limit(nested(11), limits, "nesting");
  expect_limit(nested(1'000'000), Limits{}, "nesting");
  std::string siblings = "root ::= ";
  for (int i = 0; i < 100; ++i) siblings += "(\"a\" (\"b\")) @lazy(\"c\") ";
  EXPECT_TRUE(parse_ebnf(siblings, "root", limits));

  limits = Limits{};
  limits.repeat_count = 7;
  EXPECT_TRUE(parse_ebnf("root ::= \"a\"{7}", "root", limits));
  expect_limit("root ::= \"a\"{8}", limits, "repeat_count");
  expect_limit("root ::= \"a\"{8,}", limits, "repeat_count");
  expect_limit("root ::= \"a\"{1,8}", limits, "repeat_count");
  expect_limit("root ::= \"a\"{99999999999999999999}", Limits{}, "repeat_count");
  limits.repeat_count = UINT32_MAX;
  expect_limit("root ::= \"a\"{4294967295}", limits, "repeat_count");

  limits = Limits{};
  limits.regex_nodes = 64;
  expect_limit("root ::= \"" + std::string(1000, 'a') + "bcdefghijklmnopqrstuvwxyz0123456789\" [\\p{L}]", limits,
               "regex_nodes");
}

}  // namespace
}  // namespace weir::frontend
