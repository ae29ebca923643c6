// YamlGuard: it refuses what ends a repeated key; after any rewind it is what a new guard would be; the tokens that it
// lists are those that it refuses byte by byte.
#include "frontend/json_schema/rules/yaml_guard.h"

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

// Returns what a guard reads of the text, and `|` after it if the text may not end there.
std::string read_of(std::string_view text) {
  const base::QuotingTokens none;
  YamlGuard guard(none);
  const std::size_t size = read_by(guard, text);
  EXPECT_EQ(guard.position(), size);
  return std::string(text.substr(0, size)) + (guard.may_end() ? "" : "|");
}

TEST(YamlGuard, AllowsTextsWithoutRepeatedKeys) {
  for (const std::string_view text : {
           "a: 1\nb:\n  a: 1\n  c: {a: 1, b: {a: 2}}\naa: a\n",
           "- a: 1\n- a: 1\n  b: [a: 1, a: 2, {a: 3}]\n-\n  a: 1\n",
           "a: 'x\n  a: 1'\nb: |\n  a: 1\n  a: 2\nc: >2-\n\n    a: 1\n   x\nd: x\n  a\n\n  b\n",
           "a:\n- a: 1\n- - a: 2\n  - -a: 1\n    a: 2\n-a: 1\n",
           "a: b:a\na:b: 1\n'a''': 2\n\"a\\\"\": 3\n",
           "---\na:\nb:\n...\n",
           "--- {a: 1,\n  b: x\n  y, c: http://a, 'd': [a,\n b]}",
           "a:\n  x\nb:\n  - |1\n    a\n  -\n    b: 1\nc: ~",
           "a: \"x\\\n  \\\"a: 1\"\nb:   'c'\n\"c\":\n  'a': 1\nd: [x]\n",
           "a\nb\n",
       }) {
    EXPECT_EQ(read_of(text), text);
  }
}

TEST(YamlGuard, RefusesWhatEndsARepeatedKey) {
  for (const auto& [read, refused] : std::vector<std::pair<const char*, const char*>>{
           {"a: 1\na:|", " 2"},
           {"a: 1\na:|", "\n"},
           {"a: 1\n\"a", "\": 2"},
           {"a: 1\n'a'", ": 2"},
           {"a: 1\n\"\\x61", "\": 2"},
           {"it's: 1\n'it''s'", ": 2"},
           {"'it''s': 1\nit's:|", " 2"},
           {"a:b: 1\na:b:|", " 2"},
           {"a:\n- b: 1\n  c: 2\n  b:|", " 3"},
           {"a:\n- b: 1\na:|", " 3"},
           {"a:\n- 1\n-a: 1\n-a:|", " 3"},
           {"a: |\n  b: 1\na:|", " 3"},
           {"a: |1\n   b\n  c\na:|", " 3"},
           {"a: x\n  b\na:|", " 3"},
           {"- a:\n  b:\n  a:|", "\n"},
           {"{a: 1, a:|", " 2}"},
           {"{a: 1, 'a'", ": 2}"},
           {"{\"a\": 1,\n  a:|", " 2}"},
           {"--- {a: 1, a:|", " 2}"},
           {"---\na: 1\na:|", " 2"},
           {"[b: 1, {a: [x, y], b: x, a:|", " 2}]"},
           {"a:\n  b: {c: 1,\n    d: x\n  y}\n  b:|", " 1"},
           {"\"\\\"\": 1\n'\"'", ": 1"},
       }) {
    std::string text(read);
    if (text.ends_with('|')) text.pop_back();
    EXPECT_EQ(read_of(text + refused), read);
  }
}

const std::vector<std::string> kTokens = {":",           ": ",
                                          ": 1\na: ",    ":\n",
                                          ":\n  a: ",    " ",
                                          " 1",          "\n",
                                          "\na: 1",      "\n  a:",
                                          "\na:\n",      "a",
                                          "a:",          "a: ",
                                          "a: 1\n",      "b: ",
                                          "a:\n",        "'",
                                          "':",          "a':",
                                          "''",          "'a':",
                                          "''':",        "':a: ",
                                          "\"",          "a\"",
                                          "\"a\"",       "\"a\": ",
                                          "\\x61\"",     "\"\\x61\"",
                                          "61\"",        "\"a\": 1,\"a\"",
                                          "\\\"",        "\n\"a\"",
                                          "{a: 1, a: ",  "{a: ",
                                          ", a: ",       ",a: 1, ",
                                          "- a: ",       "\n- a: ",
                                          "-a: ",        "\"a\": 1\n\"a\"",
                                          "\n'a'",       "'\n'a': 1",
                                          "a\": 1\na: ", "  a: ",
                                          " a: ",        "/\"",
                                          "::",          "'''':",
                                          "x':\n",       "\"\": "};

base::QuotingTokens quoting_tokens() {
  std::vector<std::pair<std::string_view, std::uint32_t>> tokens;
  std::vector<std::pair<std::string_view, std::uint32_t>> with_colons;
  for (std::uint32_t id = 0; id < kTokens.size(); ++id) {
    if (kTokens[id].find('"') != std::string::npos) tokens.emplace_back(kTokens[id], id);
    if (base::ends_yaml_key(kTokens[id])) with_colons.emplace_back(kTokens[id], id);
  }
  return base::QuotingTokens(tokens, with_colons);
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

std::string refused_by(grammar::TextGuard& guard, std::uint32_t step) {
  std::vector<std::uint32_t> refused;
  guard.list_refused(Allowed(step), refused);
  std::ranges::sort(refused);
  const auto repeated = std::ranges::unique(refused);
  refused.erase(repeated.begin(), repeated.end());
  std::string listed;
  for (const std::uint32_t token : refused) listed += kTokens[token] + "|";
  return listed;
}

std::string refused_byte_by_byte(const grammar::TextGuard& guard, std::uint32_t step) {
  std::string listed;
  for (std::uint32_t id = 0; id < kTokens.size(); id += step) {
    if (read_by(*guard.clone(), kTokens[id]) != kTokens[id].size()) listed += kTokens[id] + "|";
  }
  return listed;
}

TEST(YamlGuard, ListsWhatItRefusesAtEveryPositionAndAfterRewinds) {
  const base::QuotingTokens tokens = quoting_tokens();
  std::minstd_rand random(1);
  for (const std::string_view text : {
           "a: 1\nb:\n  aa: a\n  \"ba\": [a: 1, {/: x, 'a''': 2}]\n  a: x\n   y\n'\"': 2\n\"\\x61a\": |\n  a: 1\n\n  "
           "b\n\"\\\\\": 'x'\n"
           "a:b:\n- a\n- a: 1\n  b: 'x\n    a'\n- -a: 1\n-a: {a: 1, \"b\": {a: 2}}\nc:\n",
           "--- {\"a\\x62\": \"a\", b: {a: {a: {a: 1, \"b\": {}}}, c: \"b: 1, a: 1\"}, 'a'''''''''''': []}",
           "- - a: 1\n    b: ~\n  - a\n-\n  'a': 1\n  \"\": \"a: 1\\\n    \\\"a\"\n",
       }) {
    YamlGuard guard(tokens);
    ASSERT_EQ(read_by(guard, text), text.size()) << text.substr(guard.position());
    for (int round = 0; round < 600; ++round) {
      const std::size_t position = random() % (guard.position() + 1);
      guard.rewind(position);
      YamlGuard fresh(tokens);
      ASSERT_EQ(read_by(fresh, text.substr(0, position)), position);
      EXPECT_EQ(guard.may_end(), fresh.may_end());
      for (const std::uint32_t step : {1U, 2U, 3U}) {
        const std::string refused = refused_by(guard, step);
        EXPECT_EQ(refused, refused_by(fresh, step)) << text.substr(0, position);
        EXPECT_EQ(refused, refused_byte_by_byte(fresh, step)) << text.substr(0, position);
      }
      EXPECT_EQ(guard.position(), position);
      const std::size_t more = random() % (text.size() - position + 1);
      ASSERT_EQ(read_by(guard, text.substr(position, more)), more);
    }
  }
}

TEST(YamlGuard, ListsWhatItRefusesAfterARepeatedKey) {
  const base::QuotingTokens tokens = quoting_tokens();
  for (const std::string_view text :
       {"a: 1\na", "a: 1\na:", "a: 1\n'a", "a: 1\n'a'", "a: 1\n\"", "a: 1\n\"\\", "a: 1\n\"\\x6", "a': 1\n'a",
        "{a: 1, a:", "{a: 1, 'a'", "{a: 1, ", "a: 1\n", "- a: 1\n  "}) {
    YamlGuard guard(tokens);
    ASSERT_EQ(read_by(guard, text), text.size());
    EXPECT_NE(refused_by(guard, 1), "") << text;
    EXPECT_EQ(refused_by(guard, 1), refused_byte_by_byte(guard, 1)) << text;
  }
}

TEST(YamlGuard, ClonesAreIndependent) {
  const base::QuotingTokens none;
  YamlGuard guard(none);
  ASSERT_EQ(read_by(guard, "a: 1\nb"), 6U);
  const auto clone = guard.clone();
  EXPECT_EQ(read_by(*clone, ": 1\nb: "), 6U);
  guard.rewind(5);
  EXPECT_EQ(read_by(guard, "a: "), 2U);
  EXPECT_FALSE(guard.may_end());
  guard.rewind(6);
  EXPECT_EQ(read_by(guard, "b: 1\nb"), 6U);
}

}  // namespace
}  // namespace weir::frontend::json_schema
