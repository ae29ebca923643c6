// KeyGuard: it refuses the closing quotes of repeated keys; after any rewind it is what a new guard would be; the tokens
// that it lists are those that it refuses byte by byte.
#include "frontend/json_schema/rules/key_guard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::frontend::json_schema {
namespace {

// Returns the number of bytes that a guard reads of the text.
std::size_t read_by(grammar::TextGuard& guard, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!guard.read(text[i])) return i;
  }
  return text.size();
}

std::size_t read_of(std::string_view text) {
  const base::QuotingTokens none;
  KeyGuard guard(none);
  const std::size_t size = read_by(guard, text);
  EXPECT_EQ(guard.position(), size);
  return size;
}

TEST(KeyGuard, RefusesTheQuoteThatEndsARepeatedKey) {
  for (const std::string_view allowed :
       {R"({"a":1,"b":{"a":[{"a":1},{"a":"b"}]},"aa":"a"})", R"(["a","a",{"":1}])", R"({"a":"\"","\"":"{\"a\""})"}) {
    EXPECT_EQ(read_of(allowed), allowed.size()) << allowed;
  }
  EXPECT_EQ(read_of(R"({"a":1,"a":2})"), 9U);
  EXPECT_EQ(read_of(R"({"a":{"b":[{}]},"a":2})"), 18U);
  EXPECT_EQ(read_of(R"({"a":1,"\u0061":2})"), 14U);
  EXPECT_EQ(read_of(R"({"\/":1,"/":2})"), 10U);
}

const std::vector<std::string> kTokens = {
    "\"",         "a\"",           "b\"",          "\"a\"",     "{\"a\":1,\"a\"", "{\"a\":1,\"b\"",
    "\":1,\"a\"", "\\u0061\"",     "\\\"",         "0061\"",    "\\\\\"",         "\"\"",
    ",\"\":1",    "a\":1,\"a\":1", "\"a\":\"a\",", "u0061\":1", "\":{\"a\":\"a",  "}],\"a\":\"b",
    "/\"",        "\\/\""};

base::QuotingTokens quoting_tokens() {
  std::vector<std::pair<std::string_view, std::uint32_t>> tokens;
  for (std::uint32_t id = 0; id < kTokens.size(); ++id) tokens.emplace_back(kTokens[id], id);
  return base::QuotingTokens(tokens);
}

// Every other token, or every one.
class Allowed final : public grammar::AllowedTokens {
 public:
  explicit Allowed(std::uint32_t step) : step_(step) {}
  [[nodiscard]] bool contains(std::uint32_t token) const override { return token % step_ == 0; }
  [[nodiscard]] std::uint32_t count() const override { return static_cast<std::uint32_t>(kTokens.size()); }
  [[nodiscard]] std::string_view bytes_of(std::uint32_t token) const override { return kTokens[token]; }

 private:
  std::uint32_t step_;
};

std::vector<std::uint32_t> refused_by(grammar::TextGuard& guard, std::uint32_t step) {
  std::vector<std::uint32_t> refused;
  guard.list_refused(Allowed(step), refused);
  std::ranges::sort(refused);
  const auto repeated = std::ranges::unique(refused);
  refused.erase(repeated.begin(), repeated.end());
  return refused;
}

std::vector<std::uint32_t> refused_byte_by_byte(const grammar::TextGuard& guard, std::uint32_t step) {
  std::vector<std::uint32_t> refused;
  for (std::uint32_t id = 0; id < kTokens.size(); id += step) {
    if (read_by(*guard.clone(), kTokens[id]) != kTokens[id].size()) refused.push_back(id);
  }
  return refused;
}

TEST(KeyGuard, ListsWhatItRefusesAtEveryPositionAndAfterRewinds) {
  const base::QuotingTokens tokens = quoting_tokens();
  std::minstd_rand random(1);
  for (const std::string_view text :
       {R"({"a":1,"b":{"aa":"a","ba":[{"a":1,"/":[]}],"a/":2},"\u0061a":{},"\\":{"":"","a":"b"}})",
        R"([{"a\u0062":"\u0061"},{"a":{"a":{"a":{"b":1}}},"b":"{\"a\":1,\"a\""}])"}) {
    KeyGuard guard(tokens);
    ASSERT_EQ(read_by(guard, text), text.size());
    for (int round = 0; round < 400; ++round) {
      const std::size_t position = random() % (guard.position() + 1);
      guard.rewind(position);
      KeyGuard fresh(tokens);
      ASSERT_EQ(read_by(fresh, text.substr(0, position)), position);
      for (const std::uint32_t step : {1U, 2U}) {
        const auto refused = refused_by(guard, step);
        EXPECT_EQ(refused, refused_by(fresh, step)) << text.substr(0, position);
        EXPECT_EQ(refused, refused_byte_by_byte(fresh, step)) << text.substr(0, position);
      }
      EXPECT_EQ(guard.position(), position);
      const std::size_t more = random() % (text.size() - position + 1);
      ASSERT_EQ(read_by(guard, text.substr(position, more)), more);
    }
  }
}

TEST(KeyGuard, ClonesAreIndependent) {
  const base::QuotingTokens none;
  KeyGuard guard(none);
  ASSERT_EQ(read_by(guard, R"({"a":1,"b)"), 9U);
  const auto clone = guard.clone();
  EXPECT_TRUE(clone->read('"'));
  EXPECT_EQ(read_by(*clone, R"(:1,"b")"), 5U);
  guard.rewind(8);
  EXPECT_EQ(read_by(guard, "a\""), 1U);
  EXPECT_EQ(read_by(guard, "b\":1,\"b"), 7U);
}

}  // namespace
}  // namespace weir::frontend::json_schema
