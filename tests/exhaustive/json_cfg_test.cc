// Tests of the grammars that the oracle uses.
#include "exhaustive/json_cfg.h"

#include <gtest/gtest.h>

#include "oracle/earley.h"

namespace weir::testing {
namespace {

TEST(JsonCfg, AcceptsJsonAndNothingElse) {
  const oracle::Cfg cfg = json_cfg();
  for (const char* text :
       {"{}", " [ ] ", "{\"a\" : [1, -0.5e+7, true, null, \"\\u00e9\\n\xC3\xA9\"]}", "0", "\"\"", "[[],[[]]]"}) {
    EXPECT_TRUE(oracle::is_member(cfg, text)) << text;
  }
  for (const char* text :
       {"", "{", "01", "+1", "[1,]", "{\"a\"}", "\"\n\"", "\"\\x\"", "\"\xC3\"", "\"\xED\xA0\x80\"", "tru", "1 2"}) {
    EXPECT_FALSE(oracle::is_member(cfg, text)) << text;
  }
  EXPECT_TRUE(oracle::is_viable_prefix(cfg, "{\"a\":[\"\xF0\x9F"));
  EXPECT_FALSE(oracle::is_viable_prefix(cfg, "{\"a\":]"));
}

TEST(ExpressionsCfg, AcceptsExpressionsAndNothingElse) {
  const oracle::Cfg cfg = expressions_cfg();
  for (const char* text : {"1", "a+b*c", "-f(x,2)^-3", "f()", "((1.5))"})
    EXPECT_TRUE(oracle::is_member(cfg, text)) << text;
  for (const char* text : {"", "1.", "f(,)", "a b", "()", "2(3)"}) EXPECT_FALSE(oracle::is_member(cfg, text)) << text;
}

}  // namespace
}  // namespace weir::testing
