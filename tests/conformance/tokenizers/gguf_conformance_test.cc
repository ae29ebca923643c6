// Real vocabularies in GGUF files. Compares tokenizations with the ids that llama.cpp's tests expect, and the bytes of
// every token with a second implementation of its model's rules.
//
// The data is not part of the repository (shared_data.h). Without it the tests are skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "shared_data.h"
#include "weir/tokenizer_info.h"

namespace {

using weir::TokenizerInfo;
using weir::TokenKind;

std::filesystem::path data_directory() { return weir::tests::shared_data() / "tokenizers" / "gguf"; }

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

// Splits the file at the lines that separate texts.
std::vector<std::string> split_texts(std::string_view file) {
  constexpr std::string_view kMarker = "\n__ggml_vocab_test__\n";
  std::vector<std::string> texts;
  while (!file.empty()) {
    const std::size_t end = file.find(kMarker);
    texts.emplace_back(file.substr(0, end));
    file = end == std::string_view::npos ? std::string_view() : file.substr(end + kMarker.size());
  }
  return texts;
}

// Reads a line of ids for each text.
std::vector<std::vector<std::uint32_t>> split_ids(const std::string& file) {
  std::vector<std::vector<std::uint32_t>> lines;
  std::istringstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::vector<std::uint32_t>& ids = lines.emplace_back();
    std::istringstream numbers(line);
    for (std::uint32_t id = 0; numbers >> id;) ids.push_back(id);
  }
  return lines;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t pos = 0; (pos = text.find(from, pos)) != std::string::npos; pos += to.size()) {
    text.replace(pos, from.size(), to);
  }
  return text;
}

constexpr std::string_view kSpaceSymbol = "\u2581";

// Returns the bytes of a normal token in files like SentencePiece's.
std::string unescaped(std::string_view name) { return replace_all(std::string(name), kSpaceSymbol, " "); }

// Returns the bytes of a name in the byte-level alphabet, which is built as in GPT-2's code: a printable Latin-1
// character encodes its own byte, and U+0100, ... encode the other bytes in order. All these characters have one or two
// bytes in UTF-8.
std::string unmapped(std::string_view name) {
  static const std::map<std::string, char> alphabet = [] {
    std::map<std::string, char> map;
    unsigned next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte) {
      const bool printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
      const unsigned code = printable ? byte : next++;
      const std::string utf8 =
          code < 0x80 ? std::string(1, static_cast<char>(code))
                      : std::string{static_cast<char>(0xC0U | (code >> 6U)), static_cast<char>(0x80U | (code & 0x3FU))};
      map[utf8] = static_cast<char>(byte);
    }
    return map;
  }();
  std::string bytes;
  for (std::size_t pos = 0; pos < name.size();) {
    const std::size_t length = static_cast<unsigned char>(name[pos]) < 0x80 ? 1 : 2;
    bytes += alphabet.at(std::string(name.substr(pos, length)));
    pos += length;
  }
  return bytes;
}

std::string wordpiece_bytes(std::string_view name) {
  std::string bytes = unescaped(name);
  for (const char* sign : {" .", " ,", " ?", " !"}) {
    if (bytes.starts_with(sign)) return bytes.substr(1);
  }
  return bytes;
}

struct Case {
  std::string file;                        // ggml-vocab-<file>.gguf
  std::string (*bytes)(std::string_view);  // returns the bytes of a normal token from its name
  bool drops_leading_space = false;
  std::vector<std::string> stop_tokens = {};  // names
  std::vector<std::string> raw_tokens = {};   // user-defined, though of normal kind: the name is the text
  std::string raw_prefix = {};                // tokens with this prefix are raw, too
  bool lossless = true;                       // true if decoding restores every text
};

class GgufConformance : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    path_ = data_directory() / ("ggml-vocab-" + GetParam().file + ".gguf");
    if (!std::filesystem::exists(path_)) GTEST_SKIP() << path_ << " is not there";
    auto info = TokenizerInfo::from_file(path_.string());
    ASSERT_TRUE(info.has_value()) << info.error().message;
    info_.emplace(*info);
  }

  std::filesystem::path path_;
  std::optional<TokenizerInfo> info_;
};

TEST_P(GgufConformance, TokenizesAsTheOriginal) {
  const std::vector<std::string> texts = split_texts(read_file(path_.string() + ".inp"));
  const std::vector<std::vector<std::uint32_t>> expected = split_ids(read_file(path_.string() + ".out"));
  ASSERT_FALSE(texts.empty());
  ASSERT_EQ(texts.size(), expected.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto ids = info_->tokenize(texts[i]);
    ASSERT_TRUE(ids.has_value()) << "text " << i << ": " << texts[i] << ": " << ids.error().message;
    EXPECT_EQ(*ids, expected[i]) << "text " << i << ": " << texts[i];
    if (GetParam().lossless) {
      EXPECT_EQ(info_->decode(*ids), texts[i]) << "text " << i;
    }
  }
}

TEST_P(GgufConformance, EveryTokenHasItsBytes) {
  const Case& c = GetParam();
  EXPECT_EQ(info_->drops_leading_space(), c.drops_leading_space);
  std::size_t byte_tokens = 0;
  for (std::uint32_t id = 0; id < info_->vocab_size(); ++id) {
    const std::string name(info_->token_name(id));
    const std::string bytes(info_->token_bytes(id));
    std::string expected;
    switch (info_->token_kind(id)) {
      case TokenKind::kNormal: {
        const bool raw = std::find(c.raw_tokens.begin(), c.raw_tokens.end(), name) != c.raw_tokens.end() ||
                         (!c.raw_prefix.empty() && name.starts_with(c.raw_prefix));
        expected = raw ? name : c.bytes(name);
        break;
      }
      case TokenKind::kByte:
        ASSERT_EQ(name.size(), 6U) << name;
        expected = std::string(1, static_cast<char>(std::stoi(name.substr(3, 2), nullptr, 16)));
        ++byte_tokens;
        break;
      case TokenKind::kSpecial:
      case TokenKind::kUnused: break;
    }
    ASSERT_EQ(bytes, expected) << "token " << id << ", " << name;
    const bool drops = c.drops_leading_space && bytes.starts_with(' ');
    ASSERT_EQ(info_->first_token_bytes(id), drops ? bytes.substr(1) : bytes) << "token " << id << ", " << name;
  }
  EXPECT_TRUE(byte_tokens == 0 || byte_tokens == 256) << byte_tokens;
}

TEST_P(GgufConformance, StopTokens) {
  std::vector<std::string> names;
  for (const std::uint32_t id : info_->stop_token_ids()) names.emplace_back(info_->token_name(id));
  EXPECT_EQ(names, GetParam().stop_tokens);
}

INSTANTIATE_TEST_SUITE_P(
    Vocabularies, GgufConformance,
    testing::Values(
        Case{.file = "llama-spm", .bytes = unescaped, .drops_leading_space = true, .stop_tokens = {"</s>"}},
        Case{.file = "llama-bpe", .bytes = unmapped, .stop_tokens = {"<|end_of_text|>", "<|eot_id|>"}},
        Case{.file = "phi-3",
             .bytes = unescaped,
             .drops_leading_space = true,
             .stop_tokens = {"<|endoftext|>", "<|end|>"}},
        Case{.file = "qwen2", .bytes = unmapped, .stop_tokens = {"<|endoftext|>", "<|im_end|>"}, .raw_prefix = "[PAD1"},
        Case{.file = "deepseek-llm",
             .bytes = unmapped,
             .stop_tokens = {"<｜end▁of▁sentence｜>"},
             // Thirteen Latin-1 letters were added to the vocabulary as text.
             .raw_tokens = {"ø", "ö", "ú", "ÿ", "õ", "÷", "û", "ý", "À", "ù", "Á", "þ", "ü"},
             .raw_prefix = "[PAD1"},
        Case{.file = "gemma-4", .bytes = unescaped, .stop_tokens = {"<eos>", "<turn|>"}},
        Case{.file = "gpt-2", .bytes = unmapped, .stop_tokens = {"<|endoftext|>"}},
        // BERT folds case and drops unknown characters.
        Case{.file = "bert-bge",
             .bytes = wordpiece_bytes,
             .drops_leading_space = true,
             .stop_tokens = {"[SEP]"},
             .lossless = false}),
    [](const testing::TestParamInfo<Case>& param) { return replace_all(param.param.file, "-", "_"); });

}  // namespace
