// Looking back from a comma in a JSON text, which may be part of a longer text.
#include "frontend/json_schema/rules/look_back.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace weir::frontend::json_schema {
namespace {

using Keys = std::vector<std::string_view>;

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

TEST(LookBack, WhoseCommaItIs) {
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

TEST(LookBack, WhatStandsBeforeTheJsonTextDoesNotMatter) {
  for (const std::string before : {"\"", "\\\"", "{\"a\":1,", "[", "}", "<call>", "{\"k\":", "\"k\":1,\\"}) {
    EXPECT_EQ(keys_before_comma(before + R"({"b":"\"",)"), (Keys{R"("b")"})) << before;
    EXPECT_TRUE(is_comma_of_object(before + R"({"b":1,)")) << before;
    EXPECT_EQ(value_before_comma(before + R"(["b",)"), R"("b")") << before;
    EXPECT_FALSE(is_comma_of_object(before + R"([1,)")) << before;
  }
}

}  // namespace
}  // namespace weir::frontend::json_schema
