#include "weir/error.h"

#include <gtest/gtest.h>

#include "weir/diagnostic.h"

namespace weir {
namespace {

TEST(LineColumn, CountsCodePointsAndLines) {
  EXPECT_EQ(line_column("ab\n你好x", 9).line, 2U);
  EXPECT_EQ(line_column("ab\n你好x", 9).column, 3U);
  EXPECT_EQ(line_column("ab", 100).column, 3U);
}

TEST(Render, PointsAtTheRangeUnderWideText) {
  const Error error{ErrorCode::kSyntax, "unknown rule `exprs`", {8, 13}, "did you mean `expr`?", {}};
  EXPECT_EQ(render(error, "a ::= é exprs\nb", "g.ebnf"),
            "g.ebnf:1:8: error: unknown rule `exprs`\n"
            "  a ::= é exprs\n"
            "         ^~~~~\n"
            "  hint: did you mean `expr`?\n");
}

TEST(Render, NotesPointAtOtherPlaces) {
  Error error{ErrorCode::kUnsatisfiable, "m", {1, 2}};
  error.notes = {{"the same", {1, 2}, "#/a"}, {"another", {3, 4}, "#/b"}, {"elsewhere", {}, "x#/c"}};
  EXPECT_EQ(render(error, "abcd", "t"),
            "t:1:2: error: m\n  abcd\n   ^\n"
            "t:1:4: note: another\n  abcd\n     ^\n"
            "t: note: elsewhere\n");
}

TEST(Render, CutsLongLinesAndShowsControls) {
  const std::string text = std::string(5000, 'x') + "\t!" + std::string(5000, 'y');
  const std::string out = render(Error{ErrorCode::kSyntax, "m", {5000, 5001}, {}, {}}, text, "t");
  EXPECT_LT(out.size(), 700U);
  EXPECT_NE(out.find("…"), std::string::npos);
  EXPECT_NE(out.find("\\t!"), std::string::npos);
}

TEST(Render, CountsColumnsAsATerminalDoes) {
  // Two columns each for the Chinese characters and the emoji, none for the accent that stands alone.
  EXPECT_EQ(render(Error{ErrorCode::kSyntax, "m", {14, 17}}, "你好e\xCC\x81\xF0\x9F\x98\x80 x!", "t"),
            "t:1:7: error: m\n  你好e\xCC\x81\xF0\x9F\x98\x80 x!\n          ^~\n");
}

TEST(Render, ShowsWhatWouldMoveTheCursorOrTurnTheTextAround) {
  EXPECT_EQ(render(Error{ErrorCode::kSyntax, "m", {4, 5}}, "a\xE2\x80\xAE\tb", "\x1B[2J\xE2\x80\xAE.ebnf"),
            "\\x1B[2J\\u{202E}.ebnf:1:3: error: m\n  a\\u{202E}\\tb\n           ^~\n");
}

TEST(Render, LeavesTheCarriageReturnOfALineEndOut) {
  EXPECT_EQ(render(Error{ErrorCode::kSyntax, "m", {0, 1}}, "ab\r\ncd", "t"), "t:1:1: error: m\n  ab\n  ^\n");
  EXPECT_EQ(render(Error{ErrorCode::kSyntax, "m", {2, 3}}, "ab\r\ncd", "t"), "t:1:3: error: m\n  ab\\r\n    ^~\n");
}

TEST(Render, ShowsAFixBelowTheCaret) {
  Error error{ErrorCode::kInvalidArgument, "m", {5, 9}, "did you mean `expr`?"};
  error.fix = Fix{{5, 9}, "expr"};
  EXPECT_EQ(render(to_diagnostic(error), "a ::=你exp", "t"),
            "t:1:6: error: m\n  a ::=你exp\n       ^~~\n       expr\n  hint: did you mean `expr`?\n");
}

TEST(Render, ColorsOnlyWhereAsked) {
  const Diagnostic found = to_diagnostic(Warning{"m", {0, 1}, {}, "unused-rule", {{"n", {1, 2}}}});
  EXPECT_EQ(found.code, "unused-rule");
  EXPECT_EQ(render(found, "ab", "t"), "t:1:1: warning: m\n  ab\n  ^\nt:1:2: note: n\n  ab\n   ^\n");
  const std::string colored = render(found, "ab", "t", {.colors = true});
  EXPECT_NE(colored.find("\033[1;35mwarning: "), std::string::npos);
  EXPECT_NE(colored.find("\033[1;36mnote: "), std::string::npos);
}

TEST(Render, NamesTheLimitUnlessTheWordsDo) {
  Error error{ErrorCode::kLimitExceeded, "deeper than 5 levels", {0, 1}, "", "nesting"};
  EXPECT_EQ(render(error, "ab", "f"), "f:1:1: error: deeper than 5 levels (the limit `nesting`)\n  ab\n  ^\n");
  error.hint = "raise Limits::nesting";
  EXPECT_EQ(render(error, "ab", "f"), "f:1:1: error: deeper than 5 levels\n  ab\n  ^\n  hint: raise Limits::nesting\n");
}

TEST(Render, RangePastTheEndIsClamped) {
  EXPECT_EQ(render(Error{ErrorCode::kSyntax, "m", {50, 60}, {}, {}}, "ab", "t"), "t:1:3: error: m\n  ab\n    ^\n");
}

}  // namespace
}  // namespace weir
