#include "frontend/tools/style_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weir::frontend::tools {
namespace {

using Texts = std::vector<std::string>;

TEST(StyleText, HasPartsThatAreTheWholeText) {
  const std::string text = "<a>␣\"¦this¦that¦\"¦\n¦¦␣";
  const std::vector<TextPart> parts = parts_of(text);
  std::string whole;
  for (const TextPart& part : parts) whole += part.written;
  EXPECT_EQ(whole, text);
  ASSERT_EQ(parts.size(), 7U);
  EXPECT_EQ(parts[0].text, "<a>");
  EXPECT_EQ(parts[1].kind, TextPart::Kind::kBlank);
  EXPECT_EQ(parts[3].kind, TextPart::Kind::kOr);
  EXPECT_EQ(parts[3].text, "this");
  EXPECT_EQ(parts[3].other, "that");
  EXPECT_EQ(parts[5].text, "\n");
  EXPECT_EQ(parts[5].other, "");
  EXPECT_TRUE(is_blank(parts[5]) && is_blank(parts[6]) && !is_blank(parts[3]) && !is_blank(parts[4]));
  EXPECT_TRUE(parts_of("").empty());
}

TEST(StyleText, BeginsAndEndsWithText) {
  EXPECT_EQ(first_text("<a>␣b"), "<a>");
  EXPECT_EQ(first_text("¦a¦¦b"), "");
  EXPECT_EQ(first_text("<a>"), "<a>");
  EXPECT_EQ(last_text("<a>␣b"), "b");
  EXPECT_EQ(last_text("<a>¦a¦b¦"), "");
  EXPECT_EQ(last_text("<a>"), "<a>");
  EXPECT_EQ(last_text(""), "");
}

TEST(StyleText, HasTextsBetweenBlanks) {
  EXPECT_EQ(texts_of("<a>␣{␣\"name\""), (Texts{"<a>", "{", "\"name\""}));
  EXPECT_EQ(texts_of("<a>\n␣\n␣ b c "), (Texts{"<a>", "b c"}));
  EXPECT_EQ(texts_of("¦[ARGS]¦¦␣"), Texts{"[ARGS]"});
  EXPECT_EQ(texts_of("\"¦this¦that¦\""), Texts{"\"this\""});
  EXPECT_EQ(texts_of("<a>¦\n¦¦<b>"), (Texts{"<a>", "<b>"}));
  EXPECT_EQ(texts_of("␣"), Texts{});
}

}  // namespace
}  // namespace weir::frontend::tools
