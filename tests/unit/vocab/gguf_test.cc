#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "unit/vocab/file_writers.h"
#include "unit/vocab/vocab_testing.h"
#include "vocab/readers/gguf_metadata.h"
#include "vocab/readers/gguf_pre_tokenizers.h"
#include "vocab/readers/readers.h"
#include "vocab/segmenters/pre_tokenizer.h"

namespace weir::vocab {
namespace {

constexpr std::uint32_t kString = 8;
constexpr std::uint32_t kArray = 9;

// --- Metadata ---

TEST(GgufMetadata, AllTypes) {
  const std::string file = GgufWriter()
                               .raw("u8", 0, "\xFF")
                               .raw("i8", 1, "\x7F")
                               .raw("u16", 2, "\x01\x02")
                               .raw("i16", 3, "\xFF\x7F")
                               .u32("u32", 0x80000000U)
                               .raw("i32", 5, "\xFF\xFF\xFF\xFF")
                               .raw("f32", 6, little_endian(0x3F800000U, 4))
                               .boolean("bool", true)
                               .string("string", "text")
                               .raw("u64", 10, std::string(8, '\xFF'))
                               .raw("i64", 11, std::string(7, '\0') + "\x80")
                               .raw("f64", 12, std::string(8, '\0'))
                               .strings("strings", {"a", "", "bc"})
                               .f32s("f32s", {1.0F, -0.5F})
                               .i32s("i32s", {1, 2, 3})
                               .i32s("negative", {1, -1})
                               .bytes("bytes", "blob")
                               .raw("f64s", kArray, little_endian(12, 4) + little_endian(1, 8) + std::string(8, '\0'))
                               .file();
  const auto metadata = GgufMetadata::parse(file);
  ASSERT_TRUE(metadata.has_value()) << metadata.error().message;
  EXPECT_EQ(**metadata->integer("u8"), 255U);
  EXPECT_EQ(**metadata->integer("i8"), 127U);
  EXPECT_EQ(**metadata->integer("u16"), 0x0201U);
  EXPECT_EQ(**metadata->integer("i16"), 0x7FFFU);
  EXPECT_EQ(**metadata->integer("u32"), 0x80000000U);
  EXPECT_FALSE(metadata->integer("i32").has_value()) << "negative";
  EXPECT_FALSE(metadata->integer("f32").has_value());
  EXPECT_EQ(**metadata->integer("u64"), UINT64_MAX);
  EXPECT_FALSE(metadata->integer("i64").has_value()) << "negative";
  EXPECT_EQ(**metadata->boolean("bool"), true);
  EXPECT_FALSE(metadata->boolean("u8").has_value());
  EXPECT_EQ(**metadata->string("string"), "text");
  EXPECT_FALSE(metadata->string("strings").has_value());
  EXPECT_EQ(**metadata->strings("strings"), (std::vector<std::string_view>{"a", "", "bc"}));
  EXPECT_FALSE(metadata->strings("f32s").has_value());
  EXPECT_EQ(**metadata->floats("f32s"), (std::vector<double>{1.0, -0.5}));
  EXPECT_EQ(**metadata->floats("f64s"), (std::vector<double>{0.0}));
  EXPECT_FALSE(metadata->floats("f32").has_value());
  EXPECT_EQ(**metadata->integers("i32s"), (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_FALSE(metadata->integers("negative").has_value());
  EXPECT_FALSE(metadata->integers("u8").has_value());
  EXPECT_EQ(**metadata->bytes("bytes"), "blob");
  EXPECT_FALSE(metadata->bytes("i32s").has_value());
  EXPECT_FALSE(metadata->string("none")->has_value());
  EXPECT_FALSE(metadata->integers("none")->has_value());
  EXPECT_EQ(metadata->strings("f32s").error().message.substr(0, 37), "`f32s` is not an array of strings at ");
}

std::string parse_error(const std::string& file) {
  const std::vector<char> copy(file.begin(), file.end());
  const auto metadata = GgufMetadata::parse({copy.data(), copy.size()});
  return metadata ? "no error" : metadata.error().message;
}

TEST(GgufMetadata, InvalidHeaders) {
  EXPECT_EQ(parse_error(""), "not a GGUF file: the magic number is missing at byte 0");
  EXPECT_EQ(parse_error("GGML"), "not a GGUF file: the magic number is missing at byte 0");
  EXPECT_EQ(parse_error("GGUF"), "the file is truncated at byte 4");
  EXPECT_EQ(parse_error(GgufWriter(1).file()), "GGUF version 1 is not supported: version at byte 4");
  EXPECT_EQ(parse_error(GgufWriter(4).file()), "GGUF version 4 is not supported: version at byte 4");
  EXPECT_EQ(parse_error(GgufWriter(0x03000000).file()),
            "the file is in big-endian order, which is not supported: version at byte 4");
  EXPECT_EQ(GgufMetadata::parse(GgufWriter(1).file()).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(parse_error(GgufWriter(2).u32("k", 1).file()), "no error");
}

TEST(GgufMetadata, CountsAndLengthsAreCheckedBeforeAnythingIsTaken) {
  const std::string huge = little_endian(UINT64_MAX, 8);
  std::string file = "GGUF" + little_endian(3, 4) + little_endian(0, 8);
  EXPECT_EQ(parse_error(file + huge),
            "the file is truncated: it announces 18446744073709551615 metadata pairs at byte 16");
  file += little_endian(1, 8);
  EXPECT_EQ(parse_error(file + huge + std::string(20, 'x')),
            "the file is truncated: a string announces 18446744073709551615 bytes at byte 24");
  file += GgufWriter::text("k");
  EXPECT_EQ(parse_error(file + little_endian(kString, 4) + huge),
            "the file is truncated: a string announces 18446744073709551615 bytes at byte 37");
  for (const std::uint32_t element : {0U, 5U, 7U, 8U, 9U, 12U}) {
    const std::string payload = little_endian(kArray, 4) + little_endian(element, 4);
    EXPECT_EQ(parse_error(file + payload + huge),
              "the file is truncated: an array announces 18446744073709551615 elements at byte 41");
    // A count that overflows when it is multiplied by eight.
    EXPECT_EQ(parse_error(file + payload + little_endian(std::uint64_t{1} << 61U, 8) + std::string(16, 'x')),
              "the file is truncated: an array announces 2305843009213693952 elements at byte 41");
  }
  EXPECT_EQ(parse_error(file + little_endian(13, 4) + huge), "there is no value type 13 at byte 33");
  EXPECT_EQ(parse_error(file + little_endian(kArray, 4) + little_endian(13, 4) + huge),
            "there is no value type 13 at byte 37");
}

TEST(GgufMetadata, Nesting) {
  const auto nested = [](std::uint32_t depth) {
    std::string payload;
    for (std::uint32_t i = 1; i < depth; ++i) payload += little_endian(kArray, 4) + little_endian(1, 8);
    return GgufWriter().raw("k", kArray, payload + little_endian(0, 4) + little_endian(1, 8) + "x").file();
  };
  EXPECT_EQ(parse_error(nested(1)), "no error");
  EXPECT_EQ(parse_error(nested(GgufMetadata::kMaxNesting)), "no error");
  EXPECT_EQ(parse_error(nested(GgufMetadata::kMaxNesting + 1)).substr(0, 36), "arrays are nested more than 8 deep a");
  EXPECT_EQ(parse_error(nested(100000)).substr(0, 36), "arrays are nested more than 8 deep a");
}

TEST(GgufMetadata, AKeyComesOnce) {
  EXPECT_EQ(parse_error(GgufWriter().u32("k", 1).u32("k", 2).file()), "the key `k` comes twice: again at byte 41");
}

// --- Tokenizers ---

constexpr int kNormal = 1;
constexpr int kUnknown = 2;
constexpr int kControl = 3;
constexpr int kUserDefined = 4;
constexpr int kUnused = 5;
constexpr int kByte = 6;

GgufWriter llama(const std::string& model = "llama") {
  return GgufWriter()
      .string("tokenizer.ggml.model", model)
      .strings("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "▁", "a", "▁a", "x y", "old", "[PAD]", "<|end|>"})
      .f32s("tokenizer.ggml.scores", {0, 0, 0, -3, -2, -1, 0, 0, 0, 0})
      .i32s("tokenizer.ggml.token_type",
            {kUnknown, kControl, kControl, kNormal, kNormal, kNormal, kUserDefined, kUnused, kUnknown, kControl})
      .u32("tokenizer.ggml.unknown_token_id", 0)
      .u32("tokenizer.ggml.eos_token_id", 2);
}

TEST(Gguf, SentencePiece) {
  for (const char* model : {"llama", "t5"}) {
    const TokenizerInfo info = expect_tokenizer(llama(model).file());
    EXPECT_EQ(info.kind(), model == std::string("llama") ? "SentencePiece BPE" : "Unigram");
    EXPECT_TRUE(info.drops_leading_space());
    EXPECT_EQ(info.token_kind(0), TokenKind::kSpecial);
    EXPECT_EQ(info.token_kind(8), TokenKind::kUnused) << "one token is the unknown one";
    EXPECT_EQ(info.token_kind(7), TokenKind::kUnused);
    EXPECT_EQ(info.token_bytes(5), " a");
    EXPECT_EQ(info.token_bytes(6), "x y");
    EXPECT_EQ(info.token_name(6), "x y");
    EXPECT_EQ(Ids(info.stop_token_ids().begin(), info.stop_token_ids().end()), (Ids{2, 9}))
        << "eos, and <|end|> by name";
    EXPECT_EQ(tokens_of(info, "ax ya a"), "[▁a][x y][a][▁a]");
    EXPECT_EQ(tokens_of(info, "a?"), "[▁a][<unk>]");
  }
}

TEST(Gguf, SpaceRules) {
  const TokenizerInfo bare = expect_tokenizer(llama().boolean("tokenizer.ggml.add_space_prefix", false).file());
  EXPECT_FALSE(bare.drops_leading_space());
  EXPECT_EQ(tokens_of(bare, "a a"), "[a][▁a]");
  const TokenizerInfo single =
      expect_tokenizer(llama().boolean("tokenizer.ggml.remove_extra_whitespaces", true).file());
  EXPECT_EQ(tokens_of(single, "  a   a "), "[▁a][▁a]");
  const std::string blob = CharsmapWriter(Replacements{{"b", "a"}}).blob();
  const TokenizerInfo mapped = expect_tokenizer(llama("t5").bytes("tokenizer.ggml.precompiled_charsmap", blob).file());
  EXPECT_EQ(tokens_of(mapped, "b b"), "[▁a][▁a]");
}

GgufWriter gpt2(const std::string& pre) {
  return GgufWriter()
      .string("tokenizer.ggml.model", "gpt2")
      .string("tokenizer.ggml.pre", pre)
      .strings("tokenizer.ggml.tokens", {"a", "b", "Ġ", "ab", "Ġa", "1", "11", "<|eot_id|>", "<t>", "Ã", "©", "日"})
      .i32s("tokenizer.ggml.token_type", {1, 1, 1, 1, 1, 1, 1, kControl, kUserDefined, 1, 1, 1})
      .strings("tokenizer.ggml.merges", {"a b", "Ġ a", "1 1"})
      .u32("tokenizer.ggml.eos_token_id", 7)
      .u32("tokenizer.ggml.eot_token_id", UINT32_MAX);
}

TEST(Gguf, ByteLevelBpe) {
  const TokenizerInfo info = expect_tokenizer(gpt2("gpt-2").file());
  EXPECT_EQ(info.kind(), "byte-level BPE");
  EXPECT_FALSE(info.drops_leading_space());
  EXPECT_EQ(info.token_bytes(4), " a");
  EXPECT_EQ(info.token_bytes(9), "\xC3");
  EXPECT_EQ(info.token_bytes(11), "日") << "not in the alphabet: it stands for itself";
  EXPECT_EQ(info.token_bytes(8), "<t>");
  EXPECT_EQ(tokens_of(info, "ab<t> a11é"), "[ab][<t>][Ġa][11][Ã][©]");
  EXPECT_EQ(Ids(info.stop_token_ids().begin(), info.stop_token_ids().end()), (Ids{7}));
  EXPECT_EQ(tokens_of(expect_tokenizer(gpt2("starcoder").file()), "11"), "[1][1]") << "digits stand alone";
}

TEST(Gguf, UnknownPreTokenizersCostTheTokenizationOnly) {
  const TokenizerInfo info = expect_tokenizer(gpt2("of next year").file());
  EXPECT_EQ(info.token_bytes(4), " a");
  const auto ids = info.tokenize("a");
  ASSERT_FALSE(ids.has_value());
  EXPECT_EQ(ids.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(ids.error().message.find("the pre-tokenizer `of next year` is not known"), std::string::npos)
      << ids.error().message;
  EXPECT_FALSE(find_gguf_pre_tokenizer("of next year").has_value());
}

TEST(Gguf, EveryPreTokenizerCompiles) {
  for (const char* name :
       {"default",          "llama3",       "llama-v3",    "llama-bpe",     "falcon3",     "falcon-h1",
        "pixtral",          "midm-2.0",     "lfm2",        "dbrx",          "smaug-bpe",   "glm4",
        "chatglm-bpe",      "deepseek-llm", "deepseek-v3", "falcon",        "gpt-2",       "deepseek-coder",
        "deepseek-r1-qwen", "roberta-bpe",  "starcoder",   "refact",        "qwen2",       "command-r",
        "smollm",           "stablelm2",    "qwen35",      "gpt-4o",        "llama4",      "kimi-k2",
        "minimax-m2",       "tekken",       "bloom",       "viking",        "bailingmoe",  "seed-coder",
        "exaone",           "mpt",          "hunyuan",     "hunyuan-dense", "modern-bert", "gemma4"}) {
    const auto found = find_gguf_pre_tokenizer(name);
    ASSERT_TRUE(found.has_value()) << name;
    std::vector<SplitPattern> patterns;
    for (const std::string_view pattern : found->patterns) patterns.push_back({std::string(pattern)});
    const auto pre_tokenizer = PreTokenizer::from_patterns(patterns);
    ASSERT_TRUE(pre_tokenizer.has_value()) << name << ": " << pre_tokenizer.error().message;
  }
}

// Returns the pieces into which a pre-tokenizer cuts a text, separated by "|".
std::string cut(std::string_view name, std::string_view text) {
  const auto found = find_gguf_pre_tokenizer(name);
  EXPECT_TRUE(found.has_value()) << name;
  if (!found) return "";
  std::vector<SplitPattern> patterns;
  for (const std::string_view pattern : found->patterns) patterns.push_back({std::string(pattern)});
  PieceList list;
  list.text = text;
  list.pieces = {{0, text.size()}};
  EXPECT_TRUE(PreTokenizer::from_patterns(patterns)->apply(list).has_value());
  std::string out;
  for (const auto& piece : list.pieces) {
    out += (out.empty() ? "" : "|") + list.text.substr(piece.begin, piece.end - piece.begin);
  }
  return out;
}

TEST(Gguf, WhatPreTokenizersMakeOfText) {
  EXPECT_EQ(cut("gpt-2", "I'm 1234  ok!\n\n x"), "I|'m| 1234| | ok|!|\n\n| x");
  EXPECT_EQ(cut("llama-bpe", "I'M 1234  ok!\n\n x"), "I|'M| |123|4| | ok|!\n\n| x");
  EXPECT_EQ(cut("qwen2", "a1234"), "a|1|2|3|4");
  EXPECT_EQ(cut("qwen35", "e\u0301a"), "e\u0301a");
  EXPECT_EQ(cut("qwen2", "e\u0301a"), "e|\u0301a");
  EXPECT_EQ(cut("gpt-4o", "camelCase's HTTPServer"), "camel|Case's| HTTPServer");
  EXPECT_EQ(cut("tekken", "camelCase's 12"), "camel|Case|'s| |1|2");
  EXPECT_EQ(cut("kimi-k2", "我想在apple工作Xy"), "我想在|apple|工作|Xy");
  EXPECT_EQ(cut("deepseek-v3", "12345 日本x"), "123|45| |日本|x");
  EXPECT_EQ(cut("deepseek-llm", "ab, 日本\nx9"), "ab|,| |日本|\n|x|9");
  EXPECT_EQ(cut("deepseek-coder", "ab12"), "ab|1|2");
  EXPECT_EQ(cut("falcon", "ab12345!?"), "ab|123|45|!?");
  EXPECT_EQ(cut("starcoder", "ab 12"), "ab| |1|2");
  EXPECT_EQ(cut("bloom", "ab, cd."), "ab|,| cd|.");
  EXPECT_EQ(cut("gemma4", "a\n\nb c"), "a|\n\n|b c");
}

TEST(Gguf, CharacterBpe) {
  std::vector<std::string> tokens = {"<pad>", "<eos>", "▁", "a", "b", "▁a", "\n", "\n\n", "ab", "<t>"};
  std::vector<int> types = {kControl, kControl, 1, 1, 1, 1, 1, 1, 1, kUserDefined};
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (unsigned byte = 0; byte < 256; ++byte) {
    tokens.push_back(std::string("<0x") + kDigits[byte >> 4U] + kDigits[byte & 0xFU] + ">");
    types.push_back(kByte);
  }
  const TokenizerInfo info = expect_tokenizer(GgufWriter()
                                                  .string("tokenizer.ggml.model", "gemma4")
                                                  .strings("tokenizer.ggml.tokens", tokens)
                                                  .i32s("tokenizer.ggml.token_type", types)
                                                  .strings("tokenizer.ggml.merges", {"\n \n", "a b", "▁ a"})
                                                  .file());
  EXPECT_EQ(tokens_of(info, "ab a\n\n<t>é"), "[ab][▁a][\n\n][<t>][<0xC3>][<0xA9>]");
  EXPECT_EQ(info.token_bytes(5), " a");
  EXPECT_EQ(info.token_bytes(10 + 0x0A), "\n");
  EXPECT_FALSE(info.drops_leading_space());
  EXPECT_EQ(Ids(info.stop_token_ids().begin(), info.stop_token_ids().end()), (Ids{1}));
}

GgufWriter bert() {
  return GgufWriter()
      .string("tokenizer.ggml.model", "bert")
      .strings("tokenizer.ggml.tokens", {"[UNK]", "[SEP]", "▁hello", "▁he", "llo", "▁.", "▁e", "▁-", "▁日", "▁Hello"})
      .i32s("tokenizer.ggml.token_type", {kControl, kControl, 1, 1, 1, 1, 1, 1, 1, 1})
      .u32("tokenizer.ggml.unknown_token_id", 0);
}

TEST(Gguf, WordPiece) {
  const TokenizerInfo info = expect_tokenizer(bert().file());
  EXPECT_EQ(info.kind(), "WordPiece");
  EXPECT_EQ(tokens_of(info, "Hello, HÉ\u0301.llo"), "[▁hello][[UNK]][▁he][▁.][[UNK]]");
  EXPECT_EQ(tokens_of(info, "é 日日 hello-"), "[▁e][▁日][▁日][▁hello][▁-]");
  EXPECT_EQ(info.token_bytes(2), " hello");
  EXPECT_EQ(info.token_bytes(4), "llo");
  EXPECT_EQ(info.token_bytes(5), ".");
  EXPECT_EQ(info.token_bytes(7), " -");
  EXPECT_EQ(info.decode(Ids{2, 3, 4, 5}), "hello hello.");
  EXPECT_EQ(Ids(info.stop_token_ids().begin(), info.stop_token_ids().end()), (Ids{1}));
  const TokenizerInfo cased = expect_tokenizer(bert().boolean("tokenizer.ggml.normalizer.lowercase", false).file());
  EXPECT_EQ(tokens_of(cased, "Hello hello é"), "[▁Hello][▁hello][[UNK]]");
}

TEST(Gguf, Errors) {
  const auto error = [](const GgufWriter& writer) {
    const auto source = read_gguf(writer.file(), "f");
    return source ? Error{ErrorCode::kInternal, "no error"} : source.error();
  };
  EXPECT_EQ(error(GgufWriter()).message,
            "`f`: the file holds no tokenizer: `tokenizer.ggml.model` is missing at byte 0");
  EXPECT_EQ(error(GgufWriter().string("tokenizer.ggml.model", "llama")).message,
            "`f`: `tokenizer.ggml.tokens` is missing or empty at byte 0");
  EXPECT_EQ(error(llama("rwkv")).code, ErrorCode::kUnsupported);
  EXPECT_EQ(error(llama("rwkv")).message, "`f`: tokenizer model `rwkv` is not supported");
  EXPECT_EQ(error(GgufWriter().u32("tokenizer.ggml.model", 1)).code, ErrorCode::kInvalidArgument);
  const auto with_types = [](const std::vector<int>& types) {
    return GgufWriter()
        .string("tokenizer.ggml.model", "gpt2")
        .strings("tokenizer.ggml.tokens", {"a", "b"})
        .i32s("tokenizer.ggml.token_type", types);
  };
  EXPECT_NE(error(with_types({1})).message.find("there are 2 tokens, but `tokenizer.ggml.token_type` has 1 elements"),
            std::string::npos);
  EXPECT_NE(error(with_types({1, 7})).message.find("token 1 has the unknown type 7"), std::string::npos);
  EXPECT_EQ(error(with_types({1, -1})).code, ErrorCode::kInvalidArgument);
  EXPECT_NE(error(with_types({1, kByte})).message.find("token 1, `b`, is of type byte but is not written <0xNN>"),
            std::string::npos);
  EXPECT_EQ(error(with_types({1, 1})).message, "no error");
  EXPECT_NE(error(with_types({1, 1}).u32("tokenizer.ggml.eos_token_id", 2))
                .message.find("`tokenizer.ggml.eos_token_id` is 2, but there are 2 tokens"),
            std::string::npos);
  EXPECT_NE(
      error(with_types({1, 1}).strings("tokenizer.ggml.merges", {"ab"})).message.find("merge `ab` has no two parts"),
      std::string::npos);
  EXPECT_EQ(error(with_types({1, 1}).strings("tokenizer.ggml.merges", {"a "})).code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error(with_types({1, 1}).strings("tokenizer.ggml.merges", {""})).code, ErrorCode::kInvalidArgument);
}

std::vector<std::string> small_files() {
  const std::string blob = CharsmapWriter(Replacements{{"b", "a"}}).blob();
  return {llama().file(), llama("t5").bytes("tokenizer.ggml.precompiled_charsmap", blob).file(),
          gpt2("llama-bpe").file(), bert().file()};
}

TEST(Gguf, OnlyTheStartOfALargeFileIsRead) {
  const std::filesystem::path path = testing::TempDir() + "weir_large_" + std::to_string(::getpid()) + ".gguf";
  std::ofstream(path, std::ios::binary) << llama().file();
  // A sparse file, which a reader sees as 2 TB.
  std::error_code error;
  std::filesystem::resize_file(path, std::uintmax_t{1} << 41U, error);
  if (error) {
    std::filesystem::remove(path);
    GTEST_SKIP() << "no file with holes here: " << error.message();
  }
  const auto info = TokenizerInfo::from_file(path.string());
  std::filesystem::remove(path);
  ASSERT_TRUE(info.has_value()) << info.error().message;
  EXPECT_EQ(info->vocab_size(), 10U);
}

TEST(Gguf, TruncatedAtEveryByte) {
  for (const std::string& file : small_files()) {
    ASSERT_TRUE(read_gguf(file, "f").has_value());
    ASSERT_TRUE(read_gguf(file + "tensors", "f").has_value()) << "what follows the metadata does not matter";
    for (std::size_t size = 0; size < file.size(); ++size) {
      const std::vector<char> copy(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      const auto source = read_gguf({copy.data(), copy.size()}, "f");
      ASSERT_FALSE(source.has_value()) << size;
      EXPECT_EQ(source.error().code, ErrorCode::kInvalidArgument) << size;
      EXPECT_LE(source.error().where.start, size) << size;
      EXPECT_NE(source.error().message.find("at byte " + std::to_string(source.error().where.start)),
                std::string::npos);
    }
  }
}

TEST(Gguf, DamagedAtEveryByte) {
  for (const std::string& file : small_files()) {
    for (std::size_t at = 0; at < file.size(); ++at) {
      for (const int change : {0x01, 0x80, 0xFF}) {
        std::string damaged = file;
        damaged[at] = static_cast<char>(damaged[at] ^ change);
        const std::vector<char> copy(damaged.begin(), damaged.end());
        auto source = read_gguf({copy.data(), copy.size()}, "f");
        if (!source) {
          EXPECT_NE(source.error().code, ErrorCode::kInternal) << at << ": " << source.error().message;
          continue;
        }
        const auto vocabulary = Vocabulary::create(*std::move(source), {});
        if (!vocabulary) continue;
        const TokenizerInfo info(*vocabulary);
        for (const std::string_view text : {"a b11 x y", "\xFF\xC3 a", "hello <t>"}) {
          const auto ids = info.tokenize(text);
          if (ids) {
            EXPECT_LE(info.decode(*ids).size(), 1000U);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace weir::vocab
