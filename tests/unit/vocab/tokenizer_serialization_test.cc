// TokenizerInfo::serialize and deserialize: the result is the same tokenizer, and all other bytes are refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "vocab/origin.h"
#include "vocab_testing.h"

namespace weir::vocab {
namespace {

void expect_same(const TokenizerInfo& a, const TokenizerInfo& b, std::string_view text) {
  ASSERT_EQ(a.vocab_size(), b.vocab_size());
  EXPECT_EQ(a.kind(), b.kind());
  EXPECT_EQ(a.drops_leading_space(), b.drops_leading_space());
  EXPECT_EQ(std::vector(a.stop_token_ids().begin(), a.stop_token_ids().end()),
            std::vector(b.stop_token_ids().begin(), b.stop_token_ids().end()));
  for (std::uint32_t id = 0; id < a.vocab_size(); ++id) {
    ASSERT_EQ(a.token_bytes(id), b.token_bytes(id)) << id;
    ASSERT_EQ(a.first_token_bytes(id), b.first_token_bytes(id)) << id;
    ASSERT_EQ(a.token_kind(id), b.token_kind(id)) << id;
    ASSERT_EQ(a.token_name(id), b.token_name(id)) << id;
  }
  EXPECT_EQ(a.tokenize(text).value_or(Ids{}), b.tokenize(text).value_or(Ids{}));
}

// Reads from a heap copy of exactly its size, so that ASan detects a read past its end.
Result<TokenizerInfo> deserialize(std::string_view data) {
  const std::vector<char> copy(data.begin(), data.end());
  return TokenizerInfo::deserialize(std::string_view(copy.data(), copy.size()));
}

void expect_round_trip(const TokenizerInfo& info, std::string_view text) {
  const std::string data = info.serialize();
  const auto again = deserialize(data);
  ASSERT_TRUE(again.has_value()) << again.error().message;
  expect_same(info, *again, text);
  EXPECT_EQ(again->serialize(), data);
}

TokenizerInfo list(const TokenizerOptions& options = {}) {
  auto info = TokenizerInfo::from_vocab({.tokens = {"a", "", "ab", "a", "<eos>", std::string("\xFF\0x", 3), " a", "b"},
                                         .special_token_ids = {4},
                                         .stop_token_ids = {7, 4},
                                         .drops_leading_space = true},
                                        options);
  EXPECT_TRUE(info.has_value());
  return *info;
}

TEST(Serialization, OfLists) {
  expect_round_trip(list(), "aab a");
  expect_round_trip(list({.stop_token_ids = {2}, .padded_vocab_size = 75}), "aab a");
  EXPECT_NE(list().serialize(), list({.padded_vocab_size = 9}).serialize());
}

TEST(Serialization, OfFiles) {
  expect_round_trip(TokenizerInfo::builtin(), "The quick brown fox, 12 \xCF\x80.");
  const auto ranks = from_text("YQ== 0\nYg== 1\nYWI= 2\n", {.stop_token_ids = {1}, .padded_vocab_size = 40});
  ASSERT_TRUE(ranks.has_value());
  expect_round_trip(*ranks, "aab");
}

TEST(Serialization, TiktokenFilesWithTheirSidecars) {
  const auto read = make_tokenizer({.data = "YQ== 0\nYg== 1\nYWI= 2\n",
                                    .name = "x",
                                    .sidecar = R"({"pat_str": "[ab]", "special_tokens": {"<|endoftext|>": 3}})"});
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(read->tokenize("ab").value(), (Ids{0, 1}));
  expect_round_trip(*read, "aab");
}

TEST(Serialization, OfRealFiles) {
  if (!std::filesystem::exists(tokenizer_data())) GTEST_SKIP() << tokenizer_data() << " is not there";
  for (const char* name : {"gguf/ggml-vocab-llama-spm.gguf", "gguf/ggml-vocab-bert-bge.gguf", "gpt2.tiktoken"}) {
    const auto info = TokenizerInfo::from_file((tokenizer_data() / name).string());
    ASSERT_TRUE(info.has_value()) << info.error().message;
    expect_round_trip(*info, "Hello, world! 123 na\xC3\xAFve");
  }
}

TEST(Serialization, LeavesAModelsWeightsOut) {
  if (!std::filesystem::exists(tokenizer_data())) GTEST_SKIP() << tokenizer_data() << " is not there";
  const std::string file = read_file(tokenizer_data() / "gguf/ggml-vocab-llama-spm.gguf");
  const auto info = TokenizerInfo::from_bytes(file, "x");
  const auto with_weights = TokenizerInfo::from_bytes(file + std::string(1 << 20, 'w'), "x");
  ASSERT_TRUE(info.has_value() && with_weights.has_value());
  EXPECT_EQ(info->serialize(), with_weights->serialize());
}

TEST(Serialization, RefusesWhatWasCutOrChanged) {
  const std::string data = list({.padded_vocab_size = 10}).serialize();
  for (std::size_t length = 0; length < data.size(); ++length) {
    const auto read = deserialize(data.substr(0, length));
    ASSERT_FALSE(read.has_value()) << length;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(read.error().message.find("serialized tokenizer"), std::string::npos) << read.error().message;
  }
  for (std::size_t i = 0; i < data.size(); ++i) {
    std::string changed = data;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    ASSERT_FALSE(deserialize(changed).has_value()) << i;
  }
  EXPECT_FALSE(deserialize(data + '\0').has_value());
}

// Forged bytes with a correct checksum: no read past their end may occur.
TEST(Serialization, ForgedLengthsAreErrors) {
  const std::string data = list({.padded_vocab_size = 10}).serialize();
  const auto sealed = [](std::string bytes) {
    std::uint64_t sum = 0xCBF29CE484222325ULL;
    for (const char byte : std::string_view(bytes).substr(16)) {
      sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
    }
    for (std::size_t i = 0; i < 8; ++i) bytes[8 + i] = static_cast<char>(sum >> (8 * i) & 0xFFU);
    return bytes;
  };
  ASSERT_TRUE(deserialize(sealed(data)).has_value());
  std::size_t refused = 0;
  for (std::size_t i = 16; i < data.size(); ++i) {
    for (const char byte : {'\0', '\1', '\x7F', '\xFF'}) {
      std::string changed = data;
      changed[i] = byte;
      refused += deserialize(sealed(changed)).has_value() ? 0 : 1;
    }
    EXPECT_FALSE(deserialize(sealed(data.substr(0, i))).has_value()) << i;
  }
  EXPECT_GT(refused, data.size());
  const auto other_version = deserialize("weirtok2" + data.substr(8));
  ASSERT_FALSE(other_version.has_value());
  EXPECT_NE(other_version.error().message.find("another version"), std::string::npos);
}

}  // namespace
}  // namespace weir::vocab
