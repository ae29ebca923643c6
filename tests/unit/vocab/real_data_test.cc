// Tests with the large vocabularies of tiktoken, if they are available.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "shared_data.h"
#include "vocab_testing.h"

namespace weir::vocab {
namespace {

struct Sample {
  std::string_view text;
  Ids ids;
};
struct Case {
  std::string name;
  std::uint32_t size;
  std::uint32_t end_of_text;
  std::uint32_t longest;  // bytes
  std::vector<Sample> samples;
};

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class Tiktoken : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const auto path = tokenizer_data() / (GetParam().name + ".tiktoken");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path << " (set WEIR_SHARED_DATA)";
    auto info = TokenizerInfo::from_file(path.string());
    ASSERT_TRUE(info.has_value()) << info.error().message;
    info_ = *std::move(info);
  }
  std::optional<TokenizerInfo> info_;
};

TEST_P(Tiktoken, HasTheKnownShape) {
  EXPECT_EQ(info_->vocab_size(), GetParam().size);
  EXPECT_EQ(info_->find_special_token("<|endoftext|>"), GetParam().end_of_text);
  EXPECT_EQ(Ids(info_->stop_token_ids().begin(), info_->stop_token_ids().end()), (Ids{GetParam().end_of_text}));
  EXPECT_EQ(info_->vocabulary().trie().max_depth(), GetParam().longest);
  std::size_t tokens = 0;
  for (const TrieNode& node : info_->vocabulary().trie().nodes()) {
    if (node.tokens != 0) tokens += info_->vocabulary().trie().tokens_at(node).size();
  }
  std::size_t normal = 0;
  for (std::uint32_t id = 0; id < info_->vocab_size(); ++id)
    normal += info_->token_kind(id) == TokenKind::kNormal ? 1 : 0;
  EXPECT_EQ(tokens, normal);
}

TEST_P(Tiktoken, GivesTheKnownIds) {
  for (const auto& [text, ids] : GetParam().samples) EXPECT_EQ(expect_ids(*info_, text), ids) << text;
}

TEST_P(Tiktoken, DecodesWhatItTokenizes) {
  std::string all_bytes;
  for (int byte = 255; byte >= 0; --byte) all_bytes += static_cast<char>(byte);
  const std::vector<std::string> texts = {
      "",
      " ",
      "\n\n  \t\r\n x",
      "Hello, world! It's 12345678 o'clock.",
      "日本語のテキスト、漢字。 한국어 ไทย العربية עברית हिन्दी",
      "👩‍👩‍👧‍👦 ☃️ e\u0301 \u200B\uFEFF",
      "<|endoftext|> is plain text here",
      "invalid \xFF\xC3 \xE4\xBD bytes \xED\xA0\x80",
      all_bytes,
      std::string(100'000, ' ') + "x",
      std::string(1'000'000, 'a'),
      read_file(tests::repository() + "/include/weir/limits.h"),
  };
  for (const std::string& text : texts) EXPECT_EQ(info_->decode(expect_ids(*info_, text)), text);
}

TEST_P(Tiktoken, EveryTokenDecodesToItsBytes) {
  for (std::uint32_t id = 0; id < info_->vocab_size(); ++id) {
    const std::string_view bytes = info_->token_bytes(id);
    if (info_->token_kind(id) != TokenKind::kNormal) {
      EXPECT_TRUE(bytes.empty());
      continue;
    }
    ASSERT_EQ(info_->decode(Ids{id}), bytes);
    ASSERT_EQ(info_->first_token_bytes(id), bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Real, Tiktoken,
    testing::Values(
        Case{
            "gpt2", 50257, 50256, 128, {{"Hello world", {15496, 995}}, {" don't  stop\n", {836, 470, 220, 2245, 198}}}},
        Case{"cl100k_base",
             100277,
             100257,
             128,
             {{"Hello world", {9906, 1917}}, {"tiktoken is great!", {83, 1609, 5963, 374, 2294, 0}}}},
        Case{"o200k_base",
             200019,
             199999,
             128,
             {{"Hello world", {13225, 2375}},
              {"お誕生日おめでとう", {8930, 9697, 243, 128225, 8930, 17693, 4344, 48669}}}}),
    [](const auto& instance) { return instance.param.name; });

// In .inp the texts are separated by marker lines; .out has a line of ids for each.
TEST(RealData, Gpt2GivesTheIdsThatItsGgufFileExpects) {
  const auto ranks = tokenizer_data() / "gpt2.tiktoken";
  const auto stem = (tokenizer_data() / "gguf" / "ggml-vocab-gpt-2.gguf").string();
  if (!std::filesystem::exists(ranks) || !std::filesystem::exists(stem + ".inp")) {
    GTEST_SKIP() << "no " << ranks << " and " << stem << ".inp (set WEIR_SHARED_DATA)";
  }
  const auto info = TokenizerInfo::from_file(ranks.string());
  ASSERT_TRUE(info.has_value()) << info.error().message;
  const std::string inputs = read_file(stem + ".inp");
  std::istringstream outputs(read_file(stem + ".out"));
  const std::string marker = "\n__ggml_vocab_test__\n";
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < inputs.size(); ++count) {
    const std::size_t end = std::min(inputs.find(marker, begin), inputs.size());
    const std::string text = inputs.substr(begin, end - begin);
    std::string line;
    ASSERT_TRUE(std::getline(outputs, line));
    std::istringstream numbers(line);
    Ids expected;
    for (std::uint32_t id = 0; numbers >> id;) expected.push_back(id);
    EXPECT_EQ(expect_ids(*info, text), expected) << text;
    begin = end + marker.size();
  }
  EXPECT_GT(count, 40U);
}

}  // namespace
}  // namespace weir::vocab
