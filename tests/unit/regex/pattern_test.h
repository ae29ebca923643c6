// PatternTest: a fixture with an ExprSet and a function that parses patterns into it.
#ifndef WEIR_TESTS_UNIT_REGEX_PATTERN_TEST_H_
#define WEIR_TESTS_UNIT_REGEX_PATTERN_TEST_H_

#include <gtest/gtest.h>

#include <string_view>

#include "regex/syntax/syntax.h"

namespace weir::regex {

class PatternTest : public testing::Test {
 protected:
  ExprId regex(std::string_view pattern) {
    SyntaxOptions options;
    options.operators = true;
    options.dot_all = true;
    const Result<ExprId> e = parse_regex(exprs_, pattern, options, limits_);
    EXPECT_TRUE(e.has_value()) << pattern;
    return e ? *e : ExprId::kNothing;
  }

  Limits limits_;
  ExprSet exprs_{limits_.regex_nodes};
};

}  // namespace weir::regex

#endif  // WEIR_TESTS_UNIT_REGEX_PATTERN_TEST_H_
