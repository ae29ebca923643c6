// Looking back from a comma in a JSON text, which may be part of a longer text.
#include "frontend/json_schema/rules/look_back.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace weir::frontend::json_schema {
namespace {

using Keys = std::vector<std::string_view>;

// Returns the keys of the object as they are written, the last one first.
Keys keys_before_comma(std::string_view text) {
  Keys keys;
  do {
    const auto [key, before] = member_before_comma(text);
    if (key.empty()) break;
    keys.push_back(key);
    text = before;
  } while (text.ends_with(','));
  return keys;
}

TEST(LookBack, TheValueBeforeAComma) {
  EXPECT_EQ(value_before_comma("[1,"), "1");
  EXPECT_EQ(value_before_comma("[1 ,\n "), "1");
  EXPECT_EQ(value_before_comma("[1, -2.5e+3 , "), "-2.5e+3");
  EXPECT_EQ(value_before_comma(R"(["a,b",)"), R"("a,b")");
  EXPECT_EQ(value_before_comma(R"(["a\"b\\",)"), R"("a\"b\\")");
  EXPECT_EQ(value_before_comma(R"(["","",)"), R"("")");
  EXPECT_EQ(value_before_comma(R"([[1,[2,"]"]],)"), R"([1,[2,"]"]])");
  EXPECT_EQ(value_before_comma(R"([{"a":{"}":"{"}},)"), R"({"a":{"}":"{"}})");
  EXPECT_EQ(value_before_comma(R"({"a":null,)"), "null");
  EXPECT_EQ(value_before_comma("1,"), "1") << "whatever stands before: here nothing";
}

TEST(LookBack, TellsCommasOfObjectsFromThoseOfArrays) {
  EXPECT_TRUE(is_comma_of_object(R"({"a":1,)"));
  EXPECT_TRUE(is_comma_of_object(R"([{"a" : [1,2] , )"));
  EXPECT_TRUE(is_comma_of_object(R"({"a":{"b":1},)"));
  EXPECT_FALSE(is_comma_of_object("[1,"));
  EXPECT_FALSE(is_comma_of_object(R"({"a":[1,)"));
  EXPECT_FALSE(is_comma_of_object(R"({"a":[":",)"));
  EXPECT_FALSE(is_comma_of_object(R"([{"a":1},)"));
}

TEST(LookBack, TheKeysOfTheObject) {
  EXPECT_EQ(keys_before_comma(R"({"a":1,)"), (Keys{R"("a")"}));
  EXPECT_EQ(keys_before_comma(R"({"a":1,"b" : "x" ,)"), (Keys{R"("b")", R"("a")"}));
  EXPECT_EQ(keys_before_comma(R"({"a":{"x":1,"y":2},"b":[{"z":1}],)"), (Keys{R"("b")", R"("a")"}));
  EXPECT_EQ(keys_before_comma(R"({"o":{"a":1,"b":2,)"), (Keys{R"("b")", R"("a")"})) << "of the inner object alone";
  EXPECT_EQ(keys_before_comma(R"({"\"":"\\","a\\\"b":"\"",)"), (Keys{R"("a\\\"b")", R"("\"")"}));
  EXPECT_EQ(keys_before_comma(R"({"":"",)"), (Keys{R"("")"}));
  EXPECT_EQ(keys_before_comma("{ \"a\"\n:\t1\r, "), (Keys{R"("a")"}));
}

TEST(LookBack, TextBeforeTheJsonTextChangesNothing) {
  for (const std::string before : {"\"", "\\\"", "{\"a\":1,", "[", "}", "<call>", "{\"k\":", "\"k\":1,\\"}) {
    EXPECT_EQ(keys_before_comma(before + R"({"b":"\"",)"), (Keys{R"("b")"})) << before;
    EXPECT_TRUE(is_comma_of_object(before + R"({"b":1,)")) << before;
    EXPECT_EQ(value_before_comma(before + R"(["b",)"), R"("b")") << before;
    EXPECT_FALSE(is_comma_of_object(before + R"([1,)")) << before;
  }
}

// A reader that remembers objects reads what one reads that does not, whatever it read before.
TEST(LookBack, AReaderRemembersObjects) {
  const Limits limits;
  KeyReader reader(limits);
  std::minstd_rand random(5);
  const char* const values[] = {"1", R"("{\"")", R"({"a":1,"b":[2,{"c":3}]})", "[ ]", R"(",\\")"};
  const char* const keys[] = {R"("a")", R"("b")", R"("\u0061b")", R"("{")", R"("\"")", R"("")"};
  std::vector<std::string> objects{"{", "[{", "\"k\":1,{", R"({"o":{)", "", "}"};
  for (int round = 0; round < 2'000; ++round) {
    std::string& text = objects[random() % objects.size()];
    if (text.size() > 200) text.resize(text.find(',') + 1);
    text += std::string(keys[random() % std::size(keys)]) + (random() % 2 == 0 ? ":" : " : ") +
            values[random() % std::size(values)] + (random() % 2 == 0 ? "," : " , ");
    EXPECT_EQ(reader.keys(text), KeyReader(limits).keys(text)) << text;
    for (const char* const value : values) {  // the last member may be another one
      const std::string other = text + R"("z":)" + value + ",";
      EXPECT_EQ(reader.keys(other), KeyReader(limits).keys(other)) << other;
    }
  }
}

}  // namespace
}  // namespace weir::frontend::json_schema
