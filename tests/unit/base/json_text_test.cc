#include "base/json/json_text.h"

#include <gtest/gtest.h>

#include "base/json/json_value.h"

namespace weir::base {
namespace {

TEST(JsonText, TellsStringsFromTheRest) {
  const std::string_view text = R"({"a\"":["\\"]})";
  std::string places;
  JsonPlace place = JsonPlace::kOutside;
  for (const char c : text) {
    place = place_after(place, c);
    places += ".se"[static_cast<int>(place)];
  }
  EXPECT_EQ(places, ".sses...ses...");
}

TEST(JsonText, ReadsEscapes) {
  const auto length_and_code_point = [](std::string_view text) {
    const JsonEscape escape = read_json_escape(text);
    return std::pair(escape.length, escape.code_point);
  };
  EXPECT_EQ(length_and_code_point(R"(\nx)"), std::pair(2UL, U'\n'));
  EXPECT_EQ(length_and_code_point(R"(\/)"), std::pair(2UL, U'/'));
  EXPECT_EQ(length_and_code_point(R"(\u00e91)"), std::pair(6UL, U'\u00E9'));
  EXPECT_EQ(length_and_code_point(R"(\uD83D\uDE00)"), std::pair(12UL, U'\U0001F600'));
  for (const std::string_view half : {R"(\uD83D)", R"(\uD83Dx)", R"(\uD83D\n)", R"(\uD83D\uDE0)", R"(\uD83D\uD83D)"}) {
    EXPECT_EQ(length_and_code_point(half), std::pair(6UL, char32_t{0xD83D})) << half;
  }
  EXPECT_EQ(length_and_code_point(R"(\uDE00\uD83D)"), std::pair(6UL, char32_t{0xDE00}));
  for (const std::string_view none : {"", "n", "\\", "\\u", "\\u00e", "\\u00g0", "\\x41", "\\N"}) {
    EXPECT_EQ(read_json_escape(none).length, 0U) << none;
  }
}

// All texts of up to five of these pieces: as far as they are the inside of a JSON string, they denote what the reader
// of values finds; and the result says whether one more piece could have changed that.
TEST(JsonText, StringsDenoteWhatTheReaderFinds) {
  const std::vector<std::string> pieces = {"a", "\\", "n", "u", "\\uD83D", "\\uDE00", "\\u0041"};
  std::vector<std::string> texts = {""};
  std::size_t first = 0;
  for (int length = 0; length < 5; ++length) {
    for (const std::size_t end = texts.size(); first < end; ++first) {
      for (const std::string& piece : pieces) texts.push_back(texts[first] + piece);
    }
  }
  std::size_t read = 0;
  for (const std::string& inside : texts) {
    const auto document = JsonDocument::parse('"' + inside + '"', {});
    std::string out = "before ";
    const bool is_open = append_json_string(inside, out);
    if (!document) continue;
    ++read;
    EXPECT_EQ(out, "before " + std::string(document->root().string())) << inside;
    EXPECT_EQ(is_open, out.ends_with("\xED\xA0\xBD")) << inside;
  }
  EXPECT_GT(read, 3000U);
  for (const std::string_view open : {"\\", "a\\u", "\\u004", "\\uD83D\\", "\\uD83D\\uDE0"}) {
    std::string out;
    EXPECT_TRUE(append_json_string(open, out)) << open;
  }
}

}  // namespace
}  // namespace weir::base
