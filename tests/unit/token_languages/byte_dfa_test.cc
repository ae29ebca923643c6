#include <gtest/gtest.h>

#include <string>

#include "unit/canonical/small_table.h"
#include "weir/token_dfa.h"

namespace weir {
namespace {

using tests::matches;

TEST(ByteDfa, ReadsTheTextsOfTheExpression) {
  const ByteDfa dfa = byte_dfa("[a-c]{2,3}|é").value();
  for (const char* text : {"ab", "cab", "é"}) EXPECT_TRUE(matches(dfa, text)) << text;
  for (const char* text : {"", "a", "abca", "\xC3", "éa", "d"}) EXPECT_FALSE(matches(dfa, text)) << text;
}

TEST(ByteDfa, IsMinimal) {
  EXPECT_EQ(byte_dfa("[a-z]{1,8}").value().state_count(), 9U);
  EXPECT_EQ(byte_dfa("(a|b)*abb").value().state_count(), 4U);
  // Residuals by different bytes are different expressions of one language.
  EXPECT_EQ(byte_dfa("a(bc|bd)*|e(b(c|d))*").value().state_count(), 3U);
  EXPECT_EQ(byte_dfa("(ab|ba)*(ab)?(ba)?").value().state_count(), byte_dfa("(ba|ab)*").value().state_count());
}

TEST(ByteDfa, ClassesOfBytesAreFew) {
  const ByteDfa dfa = byte_dfa("[a-z]+@[a-z]+").value();
  EXPECT_EQ(dfa.class_count, 3U);
  EXPECT_EQ(dfa.class_of['b'], dfa.class_of['y']);
  EXPECT_NE(dfa.class_of['b'], dfa.class_of['@']);
}

TEST(ByteDfa, Errors) {
  EXPECT_EQ(byte_dfa("a(").error().code, ErrorCode::kSyntax);
  EXPECT_EQ(byte_dfa(R"((a)\1)").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(byte_dfa("a(?!)").error().code, ErrorCode::kUnsatisfiable);
  EXPECT_EQ(byte_dfa("(?=b)a").error().code, ErrorCode::kUnsatisfiable);
  Limits limits;
  limits.token_dfa_states = 100;
  EXPECT_EQ(byte_dfa("(a|b)*a(a|b){20}", limits).error().limit, "token_dfa_states");
  limits = {};
  limits.token_dfa_transitions = 100;
  EXPECT_EQ(byte_dfa("[a-c]{1,90}d", limits).error().limit, "token_dfa_transitions");
}

}  // namespace
}  // namespace weir
