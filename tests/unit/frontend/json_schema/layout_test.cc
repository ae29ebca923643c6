#include "frontend/json_schema/values/layout.h"

#include <gtest/gtest.h>

#include "frontend/json_schema/json_schema.h"

namespace weir::frontend::json_schema {
namespace {

using Whitespace = JsonSchemaOptions::Whitespace;

JsonSchemaOptions with_blanks_around(Whitespace whitespace) {
  JsonSchemaOptions options;
  options.whitespace = whitespace;
  options.leading_whitespace = options.trailing_whitespace = true;
  return options;
}

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
  EXPECT_EQ(none.open('[', 0).texts, exprs_.literal("["));
  EXPECT_EQ(none.comma(3).texts, exprs_.literal(","));
  EXPECT_EQ(none.colon().texts, exprs_.literal(":"));
  EXPECT_EQ(none.close('}', 4).texts, exprs_.literal("}"));
  EXPECT_EQ(none.before_first(3).texts, regex::ExprId::kEpsilon);
}

TEST_F(LayoutTest, CompactSeparators) {
  const Layout compact = layout(with(Whitespace::kCompact));
  EXPECT_EQ(compact.comma(1).texts, exprs_.literal(", "));
  EXPECT_EQ(compact.colon().text, ": ");
  EXPECT_EQ(compact.open('{', 0).texts, exprs_.literal("{"));
}

TEST_F(LayoutTest, IndentedByDepth) {
  JsonSchemaOptions options = with(Whitespace::kIndented);
  options.indent = 3;
  const Layout indented = layout(options);
  EXPECT_EQ(indented.before_first(2).text, "\n      ");
  EXPECT_EQ(indented.comma(1).texts, exprs_.literal(",\n   "));
  EXPECT_EQ(indented.close(']', 1).text, "\n]");
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
  EXPECT_EQ(open.error().message.find("in `whitespace_pattern`, at byte 1: "), 0U) << open.error().message;
  EXPECT_EQ(open.error().where, SourceRange());
  options.whitespace_pattern = "";
  const Result<Layout> empty = Layout::make(exprs_, options, limits_);
  ASSERT_FALSE(empty.has_value());
  EXPECT_EQ(empty.error().hint, "`whitespace` = none has no blanks");
}

// Options that have no effect beside the others are refused, so that nobody relies on them.
TEST(OptionsTest, AnOptionWithoutEffectIsAnError) {
  using Options = JsonSchemaOptions;
  const auto refused = [](auto change) {
    Options options;
    change(options);
    const std::optional<Error> error = option_without_effect(options);
    return error ? error->message.substr(1, error->message.find('`', 1) - 1) : "";
  };
  EXPECT_EQ(refused([](Options&) {}), "");
  EXPECT_EQ(refused([](Options& o) { o.whitespace_pattern = " ?"; }), "whitespace_pattern");
  EXPECT_EQ(refused([](Options& o) { o.indent = 4; }), "indent");
  EXPECT_EQ(refused([](Options& o) { o.whitespace_limit = 3; }), "");
  EXPECT_EQ(refused([](Options& o) { o.scientific_decimals = 3; }), "");
  EXPECT_EQ(refused([](Options& o) {
              o.scientific_decimals = 3;
              o.exponents = false;
            }),
            "scientific_decimals");
  EXPECT_EQ(refused([](Options& o) {  // what happens to unknown formats where formats are asserted
              o.formats = Options::Formats::kAnnotate;
              o.unknown_formats = Options::UnknownFormats::kRefuse;
            }),
            "");
  for (const Whitespace whitespace :
       {Whitespace::kNone, Whitespace::kCompact, Whitespace::kIndented, Whitespace::kUnbounded, Whitespace::kPattern}) {
    Options options = *schema_profile("serving");
    options.whitespace = whitespace;
    EXPECT_FALSE(option_without_effect(options)) << "the profile's limit is not the caller's";
    options.whitespace_limit = 3;
    EXPECT_TRUE(option_without_effect(options));
    options = with_blanks_around(whitespace);
    const bool has_blanks = whitespace == Whitespace::kUnbounded || whitespace == Whitespace::kPattern;
    EXPECT_EQ(option_without_effect(options).has_value(), !has_blanks);
  }
}

}  // namespace
}  // namespace weir::frontend::json_schema
