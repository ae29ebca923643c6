// The lists of tokens in tests/data/token_lists; tests/data/README.md explains the keys.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <string>
#include <vector>

#include "shared_data.h"
#include "weir/tokenizer_info.h"

namespace weir {
namespace {

std::vector<std::string> strings(const toml::table& list, const char* key) {
  std::vector<std::string> out;
  if (const toml::array* items = list[key].as_array()) {
    for (const toml::node& item : *items) out.push_back(*item.value<std::string>());
  }
  return out;
}

std::vector<std::uint32_t> ids(const toml::table& list, const char* key) {
  std::vector<std::uint32_t> out;
  if (const toml::array* items = list[key].as_array()) {
    for (const toml::node& item : *items) out.push_back(*item.value<std::uint32_t>());
  }
  return out;
}

TokenSpelling spelling(const std::string& name) {
  if (name == "byte_fallback") return TokenSpelling::kByteFallback;
  if (name == "byte_level") return TokenSpelling::kByteLevel;
  EXPECT_EQ(name, "bytes");
  return TokenSpelling::kBytes;
}

std::string hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    out += kDigits[value >> 4];
    out += kDigits[value & 15];
  }
  return out;
}

TEST(TokenLists, AreDecoded) {
  const toml::parse_result file = toml::parse_file(tests::repository() + "/tests/data/token_lists/token_lists.toml");
  ASSERT_TRUE(file["list"].is_array());
  for (const toml::node& node : *file["list"].as_array()) {
    const toml::table& list = *node.as_table();
    SCOPED_TRACE(*list["name"].value<std::string>());
    VocabSpec spec;
    spec.tokens = strings(list, "tokens");
    spec.special_token_ids = ids(list, "special_token_ids");
    spec.stop_token_ids = ids(list, "stop_token_ids");
    spec.stop_tokens_by_name = list["stop_tokens_by_name"].value_or(false);
    spec.spelling = spelling(list["spelling"].value_or(std::string("bytes")));
    const Result<TokenizerInfo> made = TokenizerInfo::from_vocab(spec);
    ASSERT_TRUE(made.has_value()) << made.error().message;
    const Result<TokenizerInfo> again = TokenizerInfo::deserialize(made->serialize());
    ASSERT_TRUE(again.has_value()) << again.error().message;
    for (const TokenizerInfo& info : {*made, *again}) {
      std::vector<std::string> bytes, names;
      for (std::uint32_t id = 0; id < info.vocab_size(); ++id) {
        bytes.push_back(hex(info.token_bytes(id)));
        names.emplace_back(info.token_kind(id) == TokenKind::kSpecial ? info.token_name(id) : "");
      }
      if (list.contains("bytes")) {
        EXPECT_EQ(bytes, strings(list, "bytes"));
      }
      if (list.contains("names")) {
        EXPECT_EQ(names, strings(list, "names"));
      }
      const auto stops = info.stop_token_ids();
      EXPECT_EQ(std::vector<std::uint32_t>(stops.begin(), stops.end()), ids(list, "stops"));
    }
  }
}

}  // namespace
}  // namespace weir
