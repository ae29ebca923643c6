// Which texts of YAML are a string, and what a text has written so far. tests/conformance/languages/yaml_test.py
// compares with readers of YAML.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/json_schema/rules/yaml_reader.h"
#include "frontend/json_schema/values/yaml_place.h"
#include "frontend/json_schema/values/yaml_strings.h"
#include "regex/analysis/members.h"

namespace weir::frontend::json_schema {
namespace {

using Form = YamlStrings::Form;

class YamlStringsTest : public testing::Test {
 protected:
  bool is_text(std::string_view string, std::string_view text, Form form = Form::kBlock,
               std::optional<std::uint32_t> indent = 1) {
    YamlStrings strings(exprs_, Limits{}, [](regex::ExprId e) { return e != regex::ExprId::kNothing; });
    return exprs_.matches(strings.texts(exprs_.literal(string), form, indent), text);
  }
  bool is_block_text(std::string_view string, std::string_view text, std::uint32_t indent = 1) {
    const auto has_member = [&](regex::ExprId e) {
      return regex::emptiness(exprs_, e, 10'000) == regex::Emptiness::kNonEmpty;
    };
    YamlStrings strings(exprs_, Limits{}, has_member);
    // With the line end that readers add, and without.
    const regex::ExprId both = exprs_.alternation(exprs_.literal(string), exprs_.literal(std::string(string) + "\n"));
    const bool is_text = exprs_.matches(strings.block_texts(exprs_.literal(string), indent), text);
    return is_text || exprs_.matches(strings.block_texts(both, indent), text);
  }
  regex::ExprSet exprs_{100'000};
};

TEST_F(YamlStringsTest, PlainTextsAreStringsInBothVersions) {
  for (const char* text : {"a", "a b", "a:b", "1.0.0", "-a", "a#b", "it's", "\xC3\xA9", "y", "09:00", "-0:30",
                           "00:11:22:33:44:55", "0_1:30", "1:60"})
    EXPECT_TRUE(is_text(text, text)) << text;
  for (const char* text : {"",  " a", "a ",  "a: b",  "a #b", "a:",   "-",      "- a",     "yes",  "Null",
                           "~", "1",  "0o7", "1_000", "1e3",  "1:30", "0:30.5", "1_0:30",  ".inf", "2001-01-01",
                           "=", "<<", "---", "#a",    "'a",   "[a",   "a\tb",   "\xC2\x85"}) {
    EXPECT_FALSE(is_text(text, text)) << text;
  }
  EXPECT_TRUE(is_text("a, b", "a, b"));
  EXPECT_FALSE(is_text("a, b", "a, b", Form::kFlow));
  EXPECT_TRUE(is_text("a:b", "a:b", Form::kFlow));
}

TEST_F(YamlStringsTest, QuotesAndEscapes) {
  EXPECT_TRUE(is_text("it's", "'it''s'"));
  EXPECT_TRUE(is_text("yes", "'yes'"));
  EXPECT_FALSE(is_text("a\tb", "'a\tb'"));
  EXPECT_TRUE(is_text("\xC3\xA9\xC2\xA0\x1B", "\"\\xe9\\_\\e\""));
  EXPECT_TRUE(is_text("\xF0\x9F\x98\x80", "\"\\U0001F600\""));
  EXPECT_FALSE(is_text("\xF0\x9F\x98\x80", "\"\\ud83d\\ude00\""));
  EXPECT_FALSE(is_text("\x7F", "\"\x7F\""));
  EXPECT_TRUE(is_text("\x7F", "\"\\x7F\""));
}

TEST_F(YamlStringsTest, LinesOfTheirOwn) {
  for (const auto& [string, text] : std::vector<std::pair<const char*, const char*>>{
           {"a", "|-\n a"},
           {"a", "|\n a"},
           {"a\nb", "|-\n  a\n  b"},
           {"a\n\n b", "|-\n a\n\n  b"},
           {"\na", "|-\n\n a"},
           {" a", "|1-\n  a"},
           {"a\n\n", "|+\n a\n\n"},
           {"a b", ">-\n a\n b"},
           {"a\nb", ">-\n a\n\n b"},
           {"a b c", ">\n  a b\n  c"},
           {"a\n", ">+\n a\n"},
           {"it's: #\xC3\xA9", "|-\n it's: #\xC3\xA9"},
           {"", "|+\n"},
           {"\n\n", "|+\n\n\n"},
       }) {
    EXPECT_TRUE(is_block_text(string, text)) << text;
  }
  for (const auto& [string, text] : std::vector<std::pair<const char*, const char*>>{
           {"a", "|-\na"},
           {" a", "|-\n  a"},
           {"a\nb", "|-\n  a\n b"},
           {"a\n", "|-\n a\n"},
           {"a\n", "|\n a\n"},
           {"a", "|+\n a"},
           {"a ", "|-\n a "},
           {"a\tb", "|-\n a\tb"},
           {"a b", ">-\n a \n b"},
           {"a  b", ">-\n a\n  b"},
           {"a\n b", ">-\n a\n\n  b"},
           {"a\nb", ">-\n a\n b"},
           {"\n", "|\n\n"},
           {"\n", "|+\n"},
       }) {
    EXPECT_FALSE(is_block_text(string, text)) << text;
  }
  EXPECT_FALSE(is_block_text("a", "|-\n a", 2));
  // Without the line end it is another string.
  YamlStrings strings(exprs_, Limits{}, [](regex::ExprId) { return true; });
  EXPECT_FALSE(exprs_.matches(strings.block_texts(exprs_.literal("a\n"), 1), "|\n a"));
}

TEST_F(YamlStringsTest, Folds) {
  EXPECT_TRUE(is_text("a b", "a\n b"));
  EXPECT_TRUE(is_text("a b", "a \n b"));
  EXPECT_FALSE(is_text("a b", "a\n b", Form::kBlock, 2));
  EXPECT_FALSE(is_text("a b", "a\n b", Form::kBlock, std::nullopt));
  EXPECT_TRUE(is_text("a\nb", "'a\n\n b'"));
  EXPECT_FALSE(is_text("a\nb", "'a\n b'"));
  EXPECT_TRUE(is_text("a b", "\"a\\\n \\ b\""));
  EXPECT_TRUE(is_text("a b", "'a\nb'", Form::kFlow, 0));
  EXPECT_TRUE(is_text("a -b", "'a\n-b'", Form::kFlow, 0));
  EXPECT_TRUE(is_text("a ..b", "a\n..b", Form::kFlow, 0));
  EXPECT_FALSE(is_text("a ---b", "'a\n---b'", Form::kFlow, 0));
}

std::string part(std::string_view text, YamlPlace::Kind kind, std::uint32_t column) {
  YamlReader reader;
  reader.read_items();
  return std::string(YamlReader::part_at(reader.deciding_text(text), YamlPlace{kind, column}.depth()));
}

TEST(YamlReader, ReadsKeysAndItems) {
  using Kind = YamlPlace::Kind;
  EXPECT_EQ(part("b: 1\n'a': {c: 2}", Kind::kMapping, 0),
            "a\xFF"
            "b\xFF");
  EXPECT_EQ(part("a:\n- 1\n- b: x\n  c: [it's, 2]", Kind::kSequence, 0), R"({"b":"x","c":["it's",2]})");
  EXPECT_EQ(part("a:\n- 1\n- b: x\n  c: [it's, 2]", Kind::kMapping, 2),
            "b\xFF"
            "c\xFF");
  EXPECT_EQ(part("a:\n  - x\n    y\n  -", Kind::kSequence, 2), "null");
  EXPECT_EQ(part("{a: 1, \"b\": [1, x y, ", Kind::kFlow, 1), R"("x y")");
  EXPECT_EQ(part("[1, a: {b: 2}, ", Kind::kFlow, 1), R"({"a":{"b":2}})");
  EXPECT_EQ(part("[x: [1, ", Kind::kFlow, 1), "1");
  EXPECT_EQ(part("- |\n  a\n\n  b: c", Kind::kSequence, 0), R"("a\n\nb: c\n")");
  EXPECT_EQ(part("- |1-\n   a\n b\n- >+\n a\n b\n\n c\n\n- 1\n- >-\n\n  a\n  b", Kind::kSequence, 0), R"("\na b")");
  EXPECT_EQ(part("- >+\n a\n b\n\n c\n\n", Kind::kSequence, 0), R"("a b\nc\n\n\n")");
  EXPECT_EQ(part("a: |2-\n    x\n  y\nb: 1", Kind::kMapping, 0),
            "a\xFF"
            "b\xFF");
  EXPECT_EQ(part("a: 'x\n  b: 1'\nc:\n  long", Kind::kMapping, 0),
            "a\xFF"
            "c\xFF");
}

TEST(YamlReader, ReadsDocuments) {
  EXPECT_EQ(YamlReader::json_of("a: |\n  x\nb: |+\n  y\n\nc: >\n  z\n"), R"({"a":"x\n","b":"y\n\n","c":"z\n"})");
  EXPECT_EQ(YamlReader::json_of("a: |+\n\nb: |+\n\n\n"), R"({"a":"\n","b":"\n\n"})");
  EXPECT_EQ(YamlReader::json_of("a: |+\n"), R"({"a":""})");
  EXPECT_EQ(YamlReader::json_of("a: |\n  x"), R"({"a":"x"})");
  EXPECT_EQ(YamlReader::json_of("a: |+\n  x\n\n...\n"), R"({"a":"x\n\n"})");
  EXPECT_EQ(YamlReader::json_of("[a: 1, b: [c: x], {d: }]"), R"([{"a":1},{"b":[{"c":"x"}]},{"d":null}])");
}

TEST(YamlReader, ReadsBeginnings) {
  EXPECT_EQ(YamlReader::open_json_of("a: 1\nb:\n- x\n- c: y"), R"({"a":1,"b":["x",{"c":"y")");
  EXPECT_EQ(YamlReader::open_json_of("{a: [1, {b: "), R"({"a":[1,{"b":)");
  EXPECT_EQ(YamlReader::open_json_of("a: {}\nb"), R"({"a":{},"b":)");
  EXPECT_EQ(YamlReader::open_json_of("a: 1\n'b'"), R"({"a":1,"b":)");
  EXPECT_EQ(YamlReader::open_json_of("- 1.5e+3\n- 1e5\n- |\n  x"), R"([1.5e+3,"1e5","x\n")");
  const auto earlier = [](std::string_view text) {
    const std::optional<SourceRange> where = YamlReader::earlier_key(text);
    return where ? std::string(text.substr(where->start, where->end - where->start)) : "none";
  };
  EXPECT_EQ(earlier("b: 0\n'a': 1\nc: 1\na:"), "'a'");
  EXPECT_EQ(earlier("a: 1\nc: {x: {}, \"x\""), "x");
  EXPECT_EQ(earlier("a: 1\n'a'"), "a");
  EXPECT_EQ(earlier("a: 1\nb: a"), "none");
  EXPECT_EQ(earlier("- a: 1\n- a:"), "none");
}

// A reader keeps states of earlier texts, in scalars as between values. The results are those of a reader that has none.
TEST(YamlReader, EarlierTextsChangeNothing) {
  const std::string words = "it's a plain text with words: and #marks, ";
  const std::string line = words + words + words + words + words + words;
  const std::string text = "first: " + line + "\n  " + line + "\n\n  more\n'quo''ted': 'x " + line +
                           "\n\n  ''y'''\n\"es\\x63\": \"z \\\" " + line + "\\\n  \\u00e9\"\nitems:\n- a\n-\n  - " +
                           line + "\n  - b: 1\n    c: {d: [" + line + ", it's],\n    e: {}}\n  f:\nlast: " + line + "x";
  for (const bool reads_items : {false, true}) {
    YamlReader known;
    if (reads_items) known.read_items();
    // Forwards by steps, as tokens do, and now and then another text of which the beginning is the same.
    for (std::size_t end = 0; end <= text.size(); end += 1 + end % 7) {
      for (const std::string& one :
           {text.substr(0, end), text.substr(0, end / 2) + "\nz: 1", text.substr(0, end) + ": "}) {
        YamlReader fresh;
        if (reads_items) fresh.read_items();
        ASSERT_EQ(known.deciding_text(one), fresh.deciding_text(one)) << one;
      }
    }
  }
}

}  // namespace
}  // namespace weir::frontend::json_schema
