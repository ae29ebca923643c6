// The readers of the two formats with BPE ranks, tiktoken's lines and tekken.json; and the detection of formats.
#include <gtest/gtest.h>

#include <string>

#include "vocab/readers/base64.h"
#include "vocab/readers/readers.h"
#include "vocab_testing.h"

namespace weir::vocab {
namespace {

// "a", "b", "ab", " ", one gap, "\xFF".
constexpr std::string_view kRanks = "YQ== 0\nYg== 1\nYWI= 2\nIA== 3\n/w== 5\n";
constexpr std::string_view kSidecar =
    R"({"name": "tiny", "pat_str": " ?[a-z]+|\\s+", "special_tokens": {"<|endoftext|>": 7, "<|x|>": 4}})";

Result<std::shared_ptr<const Vocabulary>> tiktoken(std::string_view ranks, std::string_view sidecar) {
  auto source = read_tiktoken(ranks, "tiny", sidecar);
  if (!source) return tl::unexpected(source.error());
  return Vocabulary::create(*std::move(source), {});
}

TEST(Base64, Decodes) {
  std::string out;
  EXPECT_TRUE(decode_base64("", out));
  EXPECT_EQ(out, "");
  EXPECT_TRUE(decode_base64("YQ==", out));
  EXPECT_EQ(out, "a");
  EXPECT_TRUE(decode_base64("YWI=", out));
  EXPECT_EQ(out, "ab");
  EXPECT_TRUE(decode_base64("AP+/", out));
  EXPECT_EQ(out, std::string("\0\xFF\xBF", 3));
  for (const char* bad : {"YQ=", "YQ", "Y===", "Y Q=", "YQ==YQ==", "=YQ=", "====", "Y-_="}) {
    EXPECT_FALSE(decode_base64(bad, out)) << bad;
  }
}

TEST(Tiktoken, ReadsRanksAndSidecar) {
  const auto vocabulary = tiktoken(kRanks, kSidecar);
  ASSERT_TRUE(vocabulary.has_value()) << vocabulary.error().message;
  const TokenizerInfo info(*vocabulary);
  EXPECT_EQ(info.kind(), "byte-level BPE");
  EXPECT_EQ(info.vocab_size(), 8U);
  EXPECT_EQ(info.token_bytes(2), "ab");
  EXPECT_EQ(info.token_name(2), "ab");
  EXPECT_EQ(info.token_bytes(5), "\xFF");
  EXPECT_EQ(info.token_kind(6), TokenKind::kUnused);
  EXPECT_EQ(info.token_kind(4), TokenKind::kSpecial);
  EXPECT_EQ(info.find_special_token("<|x|>"), 4U);
  EXPECT_EQ(Ids(info.stop_token_ids().begin(), info.stop_token_ids().end()), (Ids{7}));
  EXPECT_EQ(expect_ids(info, "ab ba"), (Ids{2, 3, 1, 0}));
  EXPECT_EQ(info.decode(Ids{2, 7, 3, 0}), "ab a") << "special tokens add nothing";
  EXPECT_EQ(info.tokenize("abc").error().where, (SourceRange{2, 3}));
}

TEST(Tiktoken, WithoutSidecarMasksWorkAndTokenizeSaysWhatIsMissing) {
  const TokenizerInfo info = expect_tokenizer(kRanks);
  EXPECT_EQ(info.vocab_size(), 6U);
  EXPECT_EQ(info.vocabulary().trie().max_depth(), 2U);
  const auto ids = info.tokenize("ab");
  ASSERT_FALSE(ids.has_value());
  EXPECT_EQ(ids.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(ids.error().message.find("pat_str"), std::string::npos);
}

TEST(Tiktoken, TakesWindowsLinesAndEmptyOnes) {
  const auto vocabulary = tiktoken("YQ== 0\r\n\r\n\nYg== 1", "");
  ASSERT_TRUE(vocabulary.has_value()) << vocabulary.error().message;
  EXPECT_EQ((*vocabulary)->size(), 2U);
}

TEST(Tiktoken, ExplicitSizePads) {
  const auto vocabulary = tiktoken(kRanks, R"({"pat_str": "x", "explicit_n_vocab": 20})");
  ASSERT_TRUE(vocabulary.has_value());
  EXPECT_EQ((*vocabulary)->size(), 20U);
  EXPECT_EQ((*vocabulary)->token_kind(19), TokenKind::kUnused);
}

TEST(Tiktoken, PointsAtBadLines) {
  const auto error_of = [](std::string_view ranks) {
    const auto source = read_tiktoken(ranks, "tiny", "");
    EXPECT_FALSE(source.has_value()) << ranks;
    return source ? Error{} : source.error();
  };
  EXPECT_EQ(error_of("YQ== 0\nYg== x\n").where.start, 7U);
  EXPECT_EQ(error_of("YQ== 0\nYg==").where.start, 7U) << "cut off";
  EXPECT_EQ(error_of("YQ== 0\nY 1\n").where.start, 7U);
  EXPECT_EQ(error_of("YQ== 0\nYg== -1\n").where.start, 7U);
  EXPECT_EQ(error_of("YQ== 0\nYg== 1 2\n").where.start, 7U);
  EXPECT_EQ(error_of("YQ== 0\n 1\n").message, "`tiny`: not a base64 token and its rank") << "an empty token";
  EXPECT_EQ(error_of("YQ== 0\nYg== 0\n").message, "`tiny`: rank 0 is given twice");
  EXPECT_EQ(error_of("YQ== 4294967295\n").message, "`tiny`: rank 4294967295 is too large");
  EXPECT_EQ(error_of("YQ== 99999999999\n").code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error_of("\n\n").message, "`tiny`: no tokens");
}

TEST(Tiktoken, RefusesBadSidecars) {
  for (const char* bad : {"{", "[1", R"({"special_tokens": []})", R"({"special_tokens": {"a": -1}})",
                          R"({"special_tokens": {"a": 4294967295}})", R"({"special_tokens": {"a": 0}})",
                          R"({"special_tokens": {"a": "x"}})", R"({"explicit_n_vocab": 4000000000})"}) {
    const auto source = read_tiktoken(kRanks, "tiny", bad);
    ASSERT_FALSE(source.has_value()) << bad;
    EXPECT_EQ(source.error().code, ErrorCode::kInvalidArgument);
  }
  // Without a usable pattern only tokenize() fails.
  for (const char* odd : {"{}", "[]", R"({"pat_str": "("})", R"({"pat_str": 3})"}) {
    const auto vocabulary = tiktoken(kRanks, odd);
    ASSERT_TRUE(vocabulary.has_value()) << odd;
    EXPECT_EQ(TokenizerInfo(*vocabulary).tokenize("a").error().code, ErrorCode::kUnsupported);
  }
}

constexpr std::string_view kTekken = R"({
  "config": {"pattern": "[a-z]+|.", "num_vocab_tokens": 4, "default_vocab_size": 6, "default_num_special_tokens": 3,
             "version": "v3"},
  "vocab": [{"rank": 0, "token_bytes": "YQ==", "token_str": "a"}, {"rank": 1, "token_bytes": "Yg==", "token_str": "b"},
            {"rank": 2, "token_bytes": "YWI=", "token_str": "ab"}, {"rank": 3, "token_bytes": "YWJh", "token_str": "aba"}]})";

TEST(Tekken, SpecialTokensComeFirst) {
  const TokenizerInfo info = expect_tokenizer(kTekken);
  EXPECT_EQ(info.vocab_size(), 6U) << "ranks that the model does not have are dropped";
  EXPECT_EQ(info.token_name(0), "<unk>");
  EXPECT_EQ(info.token_kind(0), TokenKind::kSpecial);
  EXPECT_EQ(info.token_bytes(5), "ab");
  EXPECT_EQ(Ids(info.stop_token_ids().begin(), info.stop_token_ids().end()), (Ids{2}));
  EXPECT_EQ(expect_ids(info, "aba"), (Ids{5, 3}));
}

TEST(Tekken, NamesSpecialTokensItself) {
  std::string text(kTekken);
  text.insert(text.rfind('}'), R"(, "special_tokens": [{"rank": 1, "token_str": "</s>", "is_control": true}])");
  const TokenizerInfo info = expect_tokenizer(text);
  EXPECT_EQ(info.find_special_token("</s>"), 1U);
  EXPECT_EQ(info.token_name(2), "<SPECIAL_2>");
  EXPECT_EQ(info.stop_token_ids().front(), 1U);
}

TEST(Tekken, RefusesBadFiles) {
  const auto replaced = [](std::string_view from, std::string_view to) {
    std::string text(kTekken);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  for (const std::string& bad :
       {replaced(R"("default_vocab_size": 6)", R"("default_vocab_size": 4000000000)"),
        replaced(R"("default_vocab_size": 6)", R"("default_vocab_size": -6)"),
        replaced(R"("default_vocab_size": 6)", R"("default_vocab_size": 2)"), replaced(R"("pattern")", R"("patern")"),
        replaced(R"("rank": 1)", R"("rank": 0)"), replaced(R"("Yg==")", R"("Yg=")"), replaced(R"("Yg==")", R"("")"),
        replaced(R"("Yg==")", "7"), replaced(R"("rank": 0, )", ""), std::string(R"({"config": 3, "vocab": []})"),
        std::string(
            R"({"config": {"pattern": "a", "default_vocab_size": 6, "default_num_special_tokens": 3}, "vocab": 1})")}) {
    const auto info = from_text(bad);
    ASSERT_FALSE(info.has_value()) << bad;
    EXPECT_EQ(info.error().code, ErrorCode::kInvalidArgument) << bad;
    EXPECT_NE(info.error().message.find("`test`: "), std::string::npos);
  }
}

TEST(Detection, ByContent) {
  EXPECT_EQ(detect_file_kind(kRanks), FileKind::kTiktoken);
  EXPECT_EQ(detect_file_kind(kTekken), FileKind::kTekken);
  EXPECT_EQ(detect_file_kind("GGUF\x03"), FileKind::kGguf);
  EXPECT_EQ(detect_file_kind(" \n{\"version\": \"1.0\", \"x\": {\"config\": 1}, \"model\": {}}"),
            FileKind::kTokenizerJson);
  EXPECT_EQ(detect_file_kind("\xEF\xBB\xBF{\"model\": {}}"), FileKind::kTokenizerJson);
  EXPECT_EQ(detect_file_kind("\n{\"model\": {}}"), FileKind::kTokenizerJson) << "a line feed is not a protobuf yet";
  EXPECT_EQ(detect_file_kind(R"({"a": {"model": 1}, "vocab": {}})"), FileKind::kUnknown);
  EXPECT_EQ(detect_file_kind(R"({"x\"model": 1)"), FileKind::kUnknown);
  EXPECT_EQ(detect_file_kind(std::string("\x0A\x0E\x0A\x05<unk>\x15\0\0\0\0\x18\x02", 16)), FileKind::kSentencePiece);
  for (const std::string_view nothing :
       {"", "\n", "{", "{\"", "\"", "hello world\n", "a", "\x0A", "\x0A\x0E", "[]", "\\", "{\"\\"}) {
    EXPECT_EQ(detect_file_kind(nothing), FileKind::kUnknown) << nothing;
  }
}

TEST(Detection, NamesWhatItLookedFor) {
  const auto info = from_text("hello");
  ASSERT_FALSE(info.has_value());
  EXPECT_EQ(info.error().code, ErrorCode::kInvalidArgument);
  for (const char* format : {"tokenizer.json", "tekken.json", "tiktoken", "SentencePiece", "GGUF"}) {
    EXPECT_NE(info.error().message.find(format), std::string::npos) << format;
  }
}

TEST(Files, AbsentAndUnreadable) {
  for (const char* path : {"/nonexistent/tokenizer.json", "", "/"}) {
    const auto info = TokenizerInfo::from_file(path);
    ASSERT_FALSE(info.has_value()) << path;
    EXPECT_EQ(info.error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(Files, FindTheSidecarBesideTheRanks) {
  const std::filesystem::path directory = std::filesystem::path(testing::TempDir()) / "weir.tiktoken.test";
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "tiny.tiktoken") << kRanks;
  std::ofstream(directory / "tiny.json") << kSidecar;
  const auto info = TokenizerInfo::from_file((directory / "tiny.tiktoken").string());
  ASSERT_TRUE(info.has_value()) << info.error().message;
  EXPECT_EQ(info->find_special_token("<|endoftext|>"), 7U);
  std::filesystem::remove_all(directory);
}

TEST(StopTokens, AreFoundByTheirUsualNames) {
  VocabularySource source;
  source.token_names = {"</s>", "a", "<|im_end|>", "[SEP]", "<eos>"};
  source.token_bytes = source.token_names;
  source.token_kinds = {TokenKind::kSpecial, TokenKind::kNormal, TokenKind::kSpecial, TokenKind::kSpecial,
                        TokenKind::kNormal};
  EXPECT_EQ(usual_stop_tokens(source), (Ids{0, 2}));
  source.token_kinds[0] = source.token_kinds[2] = TokenKind::kNormal;
  EXPECT_EQ(usual_stop_tokens(source), (Ids{3})) << "BERT's separator, for want of anything better";
}

}  // namespace
}  // namespace weir::vocab
