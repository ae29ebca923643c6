#include "frontend/json_schema/rules/layout.h"

#include <gtest/gtest.h>

namespace weir::frontend::json_schema {
namespace {

using Whitespace = JsonSchemaOptions::Whitespace;

class LayoutTest : public testing::Test {
 protected:
  Layout layout(const JsonSchemaOptions& options) {
    Result<Layout> made = Layout::make(exprs_, options, limits_);
    EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
    return std::move(*made);
  }
  static JsonSchemaOptions with(Whitespace whitespace) {
    JsonSchemaOptions options;
    options.whitespace = whitespace;
    return options;
  }

  Limits limits_;
  regex::ExprSet exprs_{limits_.regex_nodes};
};

TEST_F(LayoutTest, NoBlanks) {
  const Layout none = layout(with(Whitespace::kNone));
  EXPECT_EQ(none.open('[').texts, exprs_.literal("["));
  EXPECT_EQ(none.comma(3).texts, exprs_.literal(","));
  EXPECT_EQ(none.colon().texts, exprs_.literal(":"));
  EXPECT_EQ(none.close('}', 3).texts, exprs_.literal("}"));
  EXPECT_EQ(none.before_first(3).texts, regex::ExprId::kEpsilon);
}

TEST_F(LayoutTest, CompactSeparators) {
  const Layout compact = layout(with(Whitespace::kCompact));
  EXPECT_EQ(compact.comma(1).texts, exprs_.literal(", "));
  EXPECT_EQ(compact.colon().text, ": ");
  EXPECT_EQ(compact.open('{').texts, exprs_.literal("{"));
}

TEST_F(LayoutTest, IndentedByDepth) {
  JsonSchemaOptions options = with(Whitespace::kIndented);
  options.indent = 3;
  const Layout indented = layout(options);
  EXPECT_EQ(indented.before_first(2).text, "\n      ");
  EXPECT_EQ(indented.comma(1).texts, exprs_.literal(",\n   "));
  EXPECT_EQ(indented.close(']', 0).text, "\n]");
  EXPECT_EQ(indented.depth_of(7), 7U);
}

TEST_F(LayoutTest, DepthCountsOnlyWhereItIsSeen) {
  EXPECT_EQ(layout(with(Whitespace::kBounded)).depth_of(7), layout(with(Whitespace::kBounded)).depth_of(8));
}

TEST_F(LayoutTest, ShortTextsHaveNoBlanks) {
  const Layout bounded = layout(with(Whitespace::kBounded));
  EXPECT_EQ(bounded.comma(1).text, ",");
  EXPECT_EQ(bounded.colon().text, ":");
  EXPECT_NE(bounded.comma(1).texts, exprs_.literal(","));
}

TEST_F(LayoutTest, PatternMustMatchBlanksOnly) {
  JsonSchemaOptions options = with(Whitespace::kPattern);
  options.whitespace_pattern = " x?";
  const Result<Layout> made = Layout::make(exprs_, options, limits_);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(made.error().where, SourceRange());
  options.whitespace_pattern = " (";
  const Result<Layout> open = Layout::make(exprs_, options, limits_);
  ASSERT_FALSE(open.has_value());
  EXPECT_EQ(open.error().message.find("in the whitespace pattern, at byte 1: "), 0U) << open.error().message;
  EXPECT_EQ(open.error().where, SourceRange());
  options.whitespace_pattern = "";
  const Result<Layout> empty = Layout::make(exprs_, options, limits_);
  ASSERT_FALSE(empty.has_value());
  EXPECT_EQ(empty.error().hint, "whitespace `none` has no blanks");
}

}  // namespace
}  // namespace weir::frontend::json_schema
