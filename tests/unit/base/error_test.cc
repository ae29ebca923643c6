#include "weir/error.h"

#include <gtest/gtest.h>

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

TEST(Render, RangePastTheEndIsClamped) {
  EXPECT_EQ(render(Error{ErrorCode::kSyntax, "m", {50, 60}, {}, {}}, "ab", "t"), "t:1:3: error: m\n  ab\n    ^\n");
}

}  // namespace
}  // namespace weir
