#include <gtest/gtest.h>

#include <string>

#include "vocab_testing.h"

namespace weir::vocab {
namespace {

// Returns a file with a model; the other members are given as JSON text.
struct Parts {
  std::string model = R"({"type": "WordLevel", "vocab": {"a": 0}})";
  std::string decoder = "null";
  std::string pre_tokenizer = "null";
  std::string normalizer = "null";
  std::string added = "[]";
};

std::string file(const Parts& parts) {
  return R"({"version": "1.0", "added_tokens": )" + parts.added + R"(, "normalizer": )" + parts.normalizer +
         R"(, "pre_tokenizer": )" + parts.pre_tokenizer + R"(, "decoder": )" + parts.decoder + R"(, "model": )" +
         parts.model + "}";
}

constexpr const char* kByteLevelModel =
    R"({"type": "BPE", "vocab": {"a": 0, "b": 1, "Ġ": 2, "Ġa": 3, "ab": 4, "Ã": 5, "©": 6, "ÿ": 7},
        "merges": ["Ġ a", ["a", "b"]]})";
constexpr const char* kByteLevel = R"({"type": "ByteLevel", "add_prefix_space": false, "use_regex": true})";

// Metaspace-like tokens followed by all byte tokens.
std::string llama_model(const std::string& extra = "") {
  std::string vocab = R"("<unk>": 0, "▁": 1, "a": 2, "▁a": 3, "b": 4, "▁▁": 5)";
  const std::string_view digits = "0123456789ABCDEF";
  for (unsigned byte = 0; byte < 256; ++byte) {
    vocab += std::string(", \"<0x") + digits[byte / 16] + digits[byte % 16] + ">\": " + std::to_string(6 + byte);
  }
  return R"({"type": "BPE", "unk_token": "<unk>", "byte_fallback": true, "fuse_unk": true, "vocab": {)" + vocab +
         R"(}, "merges": ["▁ a", "▁ ▁"])" + extra + "}";
}
constexpr const char* kLlamaNormalizer =
    R"({"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]})";
constexpr const char* kLlamaDecoder =
    R"({"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})";

TEST(TokenizerJson, ByteLevelBpe) {
  const TokenizerInfo info =
      expect_tokenizer(file({.model = kByteLevelModel, .decoder = kByteLevel, .pre_tokenizer = kByteLevel}));
  EXPECT_EQ(info.kind(), "byte-level BPE");
  EXPECT_EQ(info.token_bytes(3), " a");
  EXPECT_EQ(info.token_bytes(7), "\xFF");
  EXPECT_EQ(info.token_name(3), "Ġa");
  EXPECT_FALSE(info.drops_leading_space());
  EXPECT_EQ(tokens_of(info, "ab a\u00E9"), "[ab][Ġa][Ã][©]");
  EXPECT_EQ(tokens_of(info, "b\xFF"), "[b][ÿ]");
  EXPECT_EQ(info.decode(expect_ids(info, "ab a\u00E9")), "ab a\u00E9");
}

TEST(TokenizerJson, MembersThatOccurTwice) {
  // As in most JSON libraries the last one counts, for names of tokens, tables and the model itself.
  const TokenizerInfo names = expect_tokenizer(
      file({.model = R"({"type": "BPE", "vocab": {"a": 9, "b": 1, "ab": 2, "a": 0}, "merges": ["a b"]})",
            .decoder = kByteLevel,
            .pre_tokenizer = kByteLevel}));
  EXPECT_EQ(names.vocab_size(), 3U);
  EXPECT_EQ(tokens_of(names, "ab"), "[ab]");
  const TokenizerInfo tables = expect_tokenizer(
      file({.model = R"({"type": "BPE", "vocab": {"x": 7}, "merges": [{"x": ["y", 1]}], "merges": ["a b"],
                         "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": []})",
            .decoder = kByteLevel,
            .pre_tokenizer = kByteLevel}));
  EXPECT_EQ(tables.vocab_size(), 3U);
  EXPECT_EQ(tokens_of(tables, "ab"), "[a][b]");
  const TokenizerInfo model = expect_tokenizer(
      R"({"model": {"type": "BPE", "vocab": {"x": 0, "y": 1}, "merges": ["x y"]},
          "model": {"type": "WordLevel", "vocab": {"a": 0}}})");
  EXPECT_EQ(model.kind(), "WordLevel");
  EXPECT_EQ(model.vocab_size(), 1U);
}

TEST(TokenizerJson, MembersWithTheNamesOfTables) {
  // Only the `vocab` and the `merges` of the model are tables.
  const TokenizerInfo info = expect_tokenizer(
      R"({"vocab": {"q": 1}, "merges": [1], "other": {"model": {"vocab": {"q": []}, "merges": 3}},
          "model": {"other": {"vocab": {"q": null}, "merges": [[]]}, "vocab": {"a": 0, "b": 1, "ab": 2},
                    "merges": [["a", "b"]], "type": "BPE"},
          "decoder": {"type": "ByteLevel"}, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}})");
  EXPECT_EQ(info.vocab_size(), 3U);
  EXPECT_EQ(tokens_of(info, "ab"), "[ab]");
}

// As in tokenizers 0.23.3.
TEST(TokenizerJson, NormalizedAddedTokensDecodeToTheirNormalizedContent) {
  struct Case {
    std::string normalizer;
    std::string inside;
    std::string first;
  };
  for (const Case& c : {
           Case{"null", "<CaLL \uFB01>", "<CaLL \uFB01>"},
           Case{R"({"type": "Lowercase"})", "<call \uFB01>", "<call \uFB01>"},
           Case{R"({"type": "NFKC"})", "<CaLL fi>", "<CaLL fi>"},
           Case{R"({"type": "Replace", "pattern": {"String": "a"}, "content": "b"})", "<CbLL \uFB01>", "<CbLL \uFB01>"},
           Case{kLlamaNormalizer, " <CaLL \uFB01>", "<CaLL \uFB01>"},
       }) {
    const TokenizerInfo info = expect_tokenizer(
        file({.model = llama_model(),
              .decoder = kLlamaDecoder,
              .normalizer = c.normalizer,
              .added = R"([{"id": 262, "content": "<CaLL \uFB01>", "normalized": true, "special": false},
                           {"id": 263, "content": "<Raw>", "normalized": false, "special": false},
                           {"id": 264, "content": "<S>", "normalized": true, "special": true},
                           {"id": 265, "content": "<Old>", "normalized": true, "special": false, "weir_text": "<Old>"},
                           {"id": 263, "content": "<Raw>", "normalized": false, "special": false}])"}));
    EXPECT_EQ(info.token_bytes(262), c.inside) << c.normalizer;
    EXPECT_EQ(info.first_token_bytes(262), c.first) << c.normalizer;
    EXPECT_EQ(info.token_name(262), "<CaLL \uFB01>");
    EXPECT_EQ(info.token_bytes(263), "<Raw>");
    EXPECT_EQ(info.token_bytes(264), "");
    EXPECT_EQ(info.token_bytes(265), "<Old>") << "what the caller's library decodes";
  }
}

TEST(TokenizerJson, InvalidMerges) {
  for (const char* merges : {R"(["ab"])", "[1]", "[null]", "[[]]", R"([["a"]])", R"([["a", "b", "a"]])",
                             R"([["a", 1]])", R"([["a", ["b"]]])", R"([{"a": "b"}])", R"([{"x": {"y": "z"}}, "a b"])",
                             R"(["a b", [["a", "b"]]])", "3", R"("a b")"}) {
    const TokenizerInfo info = expect_tokenizer(
        file({.model = R"({"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": )" + std::string(merges) + "}",
              .decoder = kByteLevel,
              .pre_tokenizer = kByteLevel}));
    const auto ids = info.tokenize("ab");
    ASSERT_FALSE(ids.has_value()) << merges;
    EXPECT_EQ(ids.error().code, ErrorCode::kUnsupported) << merges;
    EXPECT_NE(ids.error().message.find("merges"), std::string::npos) << merges;
  }
}

TEST(TokenizerJson, InvalidIds) {
  for (const char* id : {"-1", "4294967296", "1.5", "null", "\"0\"", "[0]", "{\"a\": 0}", "true"}) {
    const auto info = TokenizerInfo::from_bytes(
        file({.model = R"({"type": "BPE", "merges": [], "vocab": {"b": 1, "a": )" + std::string(id) + "}}"}), "x");
    ASSERT_FALSE(info.has_value()) << id;
    EXPECT_NE(info.error().message.find("token `a` has no usable id"), std::string::npos) << info.error().message;
  }
}

TEST(TokenizerJson, SentencePieceBpeWithByteFallback) {
  const TokenizerInfo info =
      expect_tokenizer(file({.model = llama_model(), .decoder = kLlamaDecoder, .normalizer = kLlamaNormalizer}));
  EXPECT_EQ(info.kind(), "SentencePiece BPE");
  EXPECT_TRUE(info.drops_leading_space());
  EXPECT_EQ(info.token_bytes(3), " a");
  EXPECT_EQ(info.first_token_bytes(3), "a");
  EXPECT_EQ(info.first_token_bytes(5), " ");
  EXPECT_EQ(info.token_kind(0), TokenKind::kSpecial);
  EXPECT_EQ(info.token_kind(6 + 0x0A), TokenKind::kByte);
  EXPECT_EQ(info.token_bytes(6 + 0x0A), "\n");
  EXPECT_EQ(info.first_token_bytes(6 + 0x20), "") << "a space in bytes is dropped like any";
  EXPECT_EQ(tokens_of(info, "a b\u00E9"), "[▁a][▁][b][<0xC3>][<0xA9>]");
  EXPECT_EQ(tokens_of(info, ""), "");
  EXPECT_EQ(info.decode(expect_ids(info, "a b\u00E9")), "a b\u00E9");
  EXPECT_EQ(info.vocabulary().first_empty_tokens().size(), 2U) << "the lone space, spelled and in bytes";
}

TEST(TokenizerJson, IgnoreMerges) {
  const char* model = R"({"type": "BPE", "ignore_merges": true, "vocab": {"a": 0, "b": 1, "aba": 2}, "merges": []})";
  const TokenizerInfo info =
      expect_tokenizer(file({.model = model, .decoder = kByteLevel, .pre_tokenizer = kByteLevel}));
  EXPECT_EQ(tokens_of(info, "aba"), "[aba]");
  EXPECT_EQ(tokens_of(info, "abab"), "[a][b][a][b]");
}

TEST(TokenizerJson, AddedTokensAreSpecialOrText) {
  const char* added =
      R"([{"id": 8, "content": "<|endoftext|>", "special": true}, {"id": 9, "content": "<tool>", "special": false, "normalized": false},
          {"id": 12, "content": "two words", "special": false, "normalized": false}])";
  const TokenizerInfo info = expect_tokenizer(
      file({.model = kByteLevelModel, .decoder = kByteLevel, .pre_tokenizer = kByteLevel, .added = added}));
  EXPECT_EQ(info.vocab_size(), 13U);
  EXPECT_EQ(info.token_kind(10), TokenKind::kUnused);
  EXPECT_EQ(info.token_kind(8), TokenKind::kSpecial);
  EXPECT_EQ(info.stop_token_ids().front(), 8U);
  EXPECT_EQ(info.token_kind(9), TokenKind::kNormal);
  EXPECT_EQ(info.token_bytes(9), "<tool>");
  EXPECT_EQ(info.token_bytes(12), "two words") << "not in the byte-level alphabet, so taken as it stands";
  EXPECT_EQ(tokens_of(info, "a<tool>b"), "[a][<tool>][b]");
  EXPECT_NE(tokens_of(info, "<|endoftext|>").find("error"), std::string::npos) << "plain text, and `<` has no token";
}

TEST(TokenizerJson, AnAddedTokenMayTakeAModelsId) {
  const char* added = R"([{"id": 1, "content": "<x>", "special": true}])";
  const TokenizerInfo info = expect_tokenizer(
      file({.model = kByteLevelModel, .decoder = kByteLevel, .pre_tokenizer = kByteLevel, .added = added}));
  EXPECT_EQ(info.find_special_token("<x>"), 1U);
  EXPECT_EQ(info.token_bytes(1), "");
}

TEST(TokenizerJson, Unigram) {
  const char* model =
      R"({"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["▁", -3.0], ["a", -2.0], ["▁a", -2.5],
                          ["ab", -6.0], ["b", -2.0]]})";
  const TokenizerInfo info = expect_tokenizer(
      file({.model = model,
            .decoder = R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})",
            .pre_tokenizer = R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})"}));
  EXPECT_EQ(info.kind(), "Unigram");
  EXPECT_EQ(tokens_of(info, "ab b"), "[▁a][b][▁][b]");
  EXPECT_EQ(tokens_of(info, "xy"), "[▁][<unk>]");
  EXPECT_EQ(info.first_token_bytes(3), "a");
  EXPECT_EQ(info.token_kind(0), TokenKind::kSpecial);
}

TEST(TokenizerJson, MetaspaceDropsAllSpacesOfTheFirstToken) {
  const char* model =
      R"({"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["▁", -3.0], ["▁▁a▁b", -2.0], ["a▁b", -1.0]]})";
  const TokenizerInfo info = expect_tokenizer(file({.model = model, .decoder = R"({"type": "Metaspace"})"}));
  EXPECT_EQ(info.token_bytes(2), "  a b");
  EXPECT_EQ(info.first_token_bytes(2), "ab");
  EXPECT_EQ(info.first_token_bytes(3), "ab");
  EXPECT_EQ(info.first_token_bytes(1), "");
  const TokenizerInfo never =
      expect_tokenizer(file({.model = model, .decoder = R"({"type": "Metaspace", "prepend_scheme": "never"})"}));
  EXPECT_EQ(never.first_token_bytes(2), "  a b");
  EXPECT_FALSE(never.drops_leading_space());
}

TEST(TokenizerJson, WordPiece) {
  const char* model =
      R"({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
          "vocab": {"[UNK]": 0, "un": 1, "##able": 2, ".": 3, "n't": 4, "##.": 5}})";
  const TokenizerInfo info =
      expect_tokenizer(file({.model = model,
                             .decoder = R"({"type": "WordPiece", "prefix": "##", "cleanup": true})",
                             .pre_tokenizer = R"({"type": "BertPreTokenizer"})",
                             .normalizer = R"({"type": "BertNormalizer", "lowercase": true})"}));
  EXPECT_EQ(info.kind(), "WordPiece");
  EXPECT_EQ(info.token_bytes(1), " un");
  EXPECT_EQ(info.first_token_bytes(1), "un");
  EXPECT_EQ(info.token_bytes(2), "able");
  EXPECT_EQ(info.first_token_bytes(2), "##able");
  EXPECT_EQ(info.token_bytes(3), ".") << "cleanup takes the space away";
  EXPECT_EQ(info.token_bytes(4), "n't");
  EXPECT_EQ(tokens_of(info, "Unable. un"), "[un][##able][.][un]");
  EXPECT_EQ(tokens_of(info, "nope"), "[[UNK]]");
}

TEST(TokenizerJson, WordLevelAndNoDecoder) {
  const char* model = R"({"type": "WordLevel", "unk_token": "<unk>", "vocab": {"<unk>": 0, "a": 1, "b": 2, "-": 3}})";
  const TokenizerInfo info = expect_tokenizer(file({.model = model, .pre_tokenizer = R"({"type": "Whitespace"})"}));
  EXPECT_EQ(tokens_of(info, "a  b--x"), "[a][b][<unk>][<unk>]");
  EXPECT_EQ(info.token_bytes(1), " a") << "without a decoder tokens are joined by spaces";
  EXPECT_EQ(info.first_token_bytes(1), "a");
}

TEST(TokenizerJson, ModelsWithoutATypeAreGuessed) {
  EXPECT_EQ(expect_tokenizer(file({.model = R"({"vocab": {"a": 0}, "merges": []})", .decoder = kByteLevel})).kind(),
            "byte-level BPE");
  EXPECT_EQ(expect_tokenizer(file({.model = R"({"vocab": [["a", 0]], "unk_id": 0})"})).kind(), "Unigram");
  EXPECT_EQ(expect_tokenizer(file({.model = R"({"vocab": {"a": 0}, "max_input_chars_per_word": 5})"})).kind(),
            "WordPiece");
  EXPECT_EQ(expect_tokenizer(file({.model = R"({"vocab": {"a": 0}})"})).kind(), "WordLevel");
}

// Pieces are words of a WordLevel model without an unknown token, so the error shows a missing piece.
std::string pieces(const std::string& pre_tokenizer, std::string_view text, const std::string& words) {
  return tokens_of(expect_tokenizer(file({.model = R"({"type": "WordLevel", "vocab": {)" + words + "}}",
                                          .pre_tokenizer = pre_tokenizer})),
                   text);
}

TEST(TokenizerJson, PreTokenizers) {
  EXPECT_EQ(pieces(R"({"type": "WhitespaceSplit"})", " a, b", R"("a,": 0, "b": 1)"), "[a,][b]");
  EXPECT_EQ(pieces(R"({"type": "Punctuation"})", "a,,b", R"("a": 0, "b": 1, ",": 2)"), "[a][,][,][b]");
  EXPECT_EQ(pieces(R"({"type": "Punctuation", "behavior": "Contiguous"})", "a,,b", R"("a": 0, "b": 1, ",,": 2)"),
            "[a][,,][b]");
  EXPECT_EQ(pieces(R"({"type": "Digits", "individual_digits": true})", "a12", R"("a": 0, "1": 1, "2": 2)"),
            "[a][1][2]");
  EXPECT_EQ(pieces(R"({"type": "Digits"})", "a12", R"("a": 0, "12": 1)"), "[a][12]");
  EXPECT_EQ(pieces(R"({"type": "CharDelimiterSplit", "delimiter": "-"})", "a-b", R"("a": 0, "b": 1)"), "[a][b]");
  EXPECT_EQ(
      pieces(R"({"type": "Split", "pattern": {"String": "."}, "behavior": "MergedWithPrevious", "invert": false})",
             "a.b", R"("a.": 0, "b": 1)"),
      "[a.][b]");
  EXPECT_EQ(pieces(R"({"type": "Split", "pattern": {"Regex": "[a-z]"}, "behavior": "Removed", "invert": true})", "a.b",
                   R"("a": 0, "b": 1)"),
            "[a][b]");
  EXPECT_EQ(pieces(R"({"type": "BertPreTokenizer"})", "a b!", R"("a": 0, "b": 1, "!": 2)"), "[a][b][!]");
  EXPECT_EQ(
      pieces(R"({"type": "Metaspace", "replacement": "_", "prepend_scheme": "first"})", "a b", R"("_a": 0, "_b": 1)"),
      "[_a][_b]");
  EXPECT_EQ(
      pieces(R"({"type": "Metaspace", "replacement": "_", "add_prefix_space": false})", "a b", R"("a": 0, "_b": 1)"),
      "[a][_b]");
  EXPECT_EQ(pieces(R"({"type": "Metaspace", "replacement": "_", "split": false})", "a b", R"("_a_b": 0)"), "[_a_b]");
  EXPECT_EQ(pieces(R"({"type": "ByteLevel", "add_prefix_space": true})", "a b", R"("Ġa": 0, "Ġb": 1)"), "[Ġa][Ġb]");
  EXPECT_EQ(
      pieces(
          R"({"type": "Sequence", "pretokenizers": [{"type": "ByteLevel", "use_regex": false, "add_prefix_space": false},
                      {"type": "Split", "pattern": {"String": "Ġ"}, "behavior": "Removed"}]})",
          "a b", R"("a": 0, "b": 1)"),
      "[a][b]")
      << "a step after ByteLevel sees its alphabet";
}

TEST(TokenizerJson, Normalizers) {
  const auto normalized = [](const std::string& normalizer, std::string_view text, const std::string& word) {
    return tokens_of(expect_tokenizer(file({.model = R"({"type": "WordLevel", "vocab": {")" + word + R"(": 0}})",
                                            .normalizer = normalizer})),
                     text) == "[" + word + "]";
  };
  EXPECT_TRUE(normalized(R"({"type": "NFC"})", "e\u0301", "\u00E9"));
  EXPECT_TRUE(normalized(R"({"type": "NFD"})", "\u00E9", "e\u0301"));
  EXPECT_TRUE(normalized(R"({"type": "NFKC"})", "\uFB01", "fi"));
  EXPECT_TRUE(normalized(R"({"type": "NFKD"})", "\u00BD", "1\u20442"));
  EXPECT_TRUE(normalized(R"({"type": "Lowercase"})", "AbC", "abc"));
  EXPECT_TRUE(
      normalized(R"({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]})", "\u00E9", "e"));
  EXPECT_TRUE(normalized(R"({"type": "Strip", "strip_left": true, "strip_right": false})", " a ", "a "));
  EXPECT_TRUE(normalized(R"({"type": "Replace", "pattern": {"Regex": "b+"}, "content": "c"})", "abba", "aca"));
  EXPECT_TRUE(normalized(R"({"type": "Nmt"})", "a\tb", "a b"));
  EXPECT_TRUE(normalized(R"({"type": "ByteLevel"})", "a b", "aĠb"));
  EXPECT_TRUE(normalized(R"({"type": "Precompiled", "precompiled_charsmap": ""})", "a", "a"));
}

TEST(TokenizerJson, WhatTokenizeCannotDoCostsTokenizeOnly) {
  const auto why = [](const Parts& parts) {
    const TokenizerInfo info = expect_tokenizer(file(parts));
    const auto ids = info.tokenize("a");
    EXPECT_FALSE(ids.has_value());
    if (ids) return std::string();
    EXPECT_EQ(ids.error().code, ErrorCode::kUnsupported) << ids.error().message;
    return ids.error().message;
  };
  EXPECT_EQ(why({.pre_tokenizer = R"({"type": "UnicodeScripts"})"}), "pre-tokenizer `UnicodeScripts`");
  EXPECT_EQ(why({.normalizer = R"({"type": "Shout"})"}), "normalizer `Shout`");
  EXPECT_EQ(why({.normalizer = R"({})"}), "normalizer ``");
  EXPECT_NE(why({.normalizer = R"({"type": "Precompiled", "precompiled_charsmap": "!"})"}).find("Precompiled"),
            std::string::npos);
  EXPECT_NE(why({.pre_tokenizer = R"({"type": "Split", "pattern": {"Regex": "("}})"}).find("pattern `(`"),
            std::string::npos);
  EXPECT_NE(why({.pre_tokenizer = R"({"type": "Split", "behavior": "Odd", "pattern": {"String": "a"}})"}).find("Split"),
            std::string::npos);
  EXPECT_NE(why({.model = R"({"type": "BPE", "dropout": 0.1, "vocab": {"a": 0}, "merges": []})"}).find("dropout"),
            std::string::npos);
  EXPECT_NE(why({.model = R"({"type": "BPE", "end_of_word_suffix": "</w>", "vocab": {"a": 0}, "merges": []})"})
                .find("end_of_word_suffix"),
            std::string::npos);
  EXPECT_NE(why({.model = R"({"type": "BPE", "vocab": {"a": 0}, "merges": ["a"]})"}).find("merges"), std::string::npos);
  EXPECT_NE(why({.model = R"({"type": "WordPiece", "vocab": {"a": 0}, "unk_token": "b"})"}).find("unk_token"),
            std::string::npos);
}

TEST(TokenizerJson, RefusesDecodersThatDoNotDecodeTokenByToken) {
  const auto why = [](const std::string& decoder) {
    const auto info = from_text(file({.decoder = decoder}));
    EXPECT_FALSE(info.has_value()) << decoder;
    if (info) return std::string();
    EXPECT_EQ(info.error().code, ErrorCode::kUnsupported) << info.error().message;
    return info.error().message;
  };
  EXPECT_NE(why(R"({"type": "BPEDecoder", "suffix": "</w>"})").find("`BPEDecoder`"), std::string::npos);
  EXPECT_NE(why(R"({"type": "CTC"})").find("`CTC`"), std::string::npos);
  const auto after_fuse = [&](const std::string& decoder) {
    return why(R"({"type": "Sequence", "decoders": [{"type": "Fuse"}, )" + decoder + "]}");
  };
  EXPECT_NE(after_fuse(R"({"type": "Strip", "content": " ", "start": 0, "stop": 1})").find("`Strip`"),
            std::string::npos);
  EXPECT_NE(after_fuse(R"({"type": "Strip", "content": " ", "start": 2, "stop": 0})").find("`Strip`"),
            std::string::npos);
  EXPECT_NE(after_fuse(R"({"type": "Replace", "pattern": {"String": "ab"}, "content": "c"})").find("`Replace`"),
            std::string::npos);
  EXPECT_NE(after_fuse(R"({"type": "Replace", "pattern": {"Regex": "a"}, "content": "c"})").find("`Replace`"),
            std::string::npos);
  EXPECT_NE(after_fuse(R"({"type": "ByteFallback"})").find("`ByteFallback`"), std::string::npos);
  EXPECT_NE(why(R"({"type": "Replace", "pattern": {"Regex": "("}, "content": "c"})").find("`Replace`"),
            std::string::npos);
  EXPECT_NE(why(R"({"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Fuse"},
                    {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}]})")
                .find("`Replace`"),
            std::string::npos)
      << "a character may lie across byte tokens";
}

TEST(TokenizerJson, StepsOnTheWholeTextThatAreStepsOnTokens) {
  const TokenizerInfo info = expect_tokenizer(file({.model = R"({"type": "WordLevel", "vocab": {"▁a▁": 0, "b": 1}})",
                                                    .decoder = R"({"type": "Sequence", "decoders": [{"type": "Fuse"},
                           {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}]})"}));
  EXPECT_EQ(info.token_bytes(0), " a ");
  const TokenizerInfo strip =
      expect_tokenizer(file({.model = R"({"type": "WordLevel", "vocab": {"--a-": 0, "b": 1}})",
                             .decoder = R"({"type": "Strip", "content": "-", "start": 1, "stop": 3})"}));
  EXPECT_EQ(strip.token_bytes(0), "-a");
}

// A quadratic algorithm would take minutes here.
TEST(TokenizerJson, DecodingATokenCostsItsLength) {
  constexpr std::size_t kCount = 2'000'000;
  std::string spaces;
  for (std::size_t i = 0; i < kCount; ++i) spaces += "▁";
  const auto refused = [](const std::string& token, const std::string& decoder) {
    const auto info =
        from_text(file({.model = R"({"type": "WordLevel", "vocab": {")" + token + R"(": 0}})", .decoder = decoder}));
    ASSERT_FALSE(info.has_value());
    EXPECT_EQ(info.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(info.error().message.find("1000000 bytes"), std::string::npos) << info.error().message;
  };
  refused(spaces.substr(0, 3 * kCount / 2), R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never"})");
  refused(std::string(kCount, '-'), R"({"type": "Strip", "content": "-", "start": 600000, "stop": 400000})");
}

TEST(TokenizerJson, RefusesBadFiles) {
  const auto error_of = [](const std::string& text) {
    const auto info = from_text(text);
    EXPECT_FALSE(info.has_value()) << text;
    if (info) return Error{};
    EXPECT_EQ(info.error().code, ErrorCode::kInvalidArgument) << info.error().message;
    return info.error();
  };
  EXPECT_NE(error_of(R"({"model": {"vocab": {"a": 0}})").message.find("not valid JSON"), std::string::npos);
  EXPECT_EQ(error_of(R"({"model": nul})").where.start, 10U);
  error_of(R"({"model": 3})");
  error_of(R"({"model": {}})");
  error_of(R"({"model": {"type": "BPE", "vocab": []}})");
  error_of(R"({"model": {"type": "Unigram", "vocab": {}}})");
  error_of(R"({"model": {"type": "WordLevel", "vocab": {}}})");
  error_of(R"({"model": {"vocab": {"a": -1}}})");
  error_of(R"({"model": {"vocab": {"a": 1e3}}})");
  error_of(R"({"model": {"vocab": {"a": 1e2}}})");
  error_of(R"({"model": {"vocab": {"a": 1.0}}})");
  error_of(R"({"model": {"vocab": {"a": 4294967295}}})");
  error_of(R"({"model": {"vocab": {"a": 99999999999999999999}}})");
  error_of(R"({"model": {"vocab": [["a"]]}})");
  error_of(R"({"model": {"vocab": [[1, 2]]}})");
  EXPECT_NE(error_of(R"({"model": {"vocab": {"a": 0, "b": 0}}})").message.find("the same id"), std::string::npos);
  error_of(file({.added = "{}"}).replace(0, 0, ""));
  error_of(file({.added = R"([{"content": "x"}])"}));
  error_of(file({.added = R"([{"id": 1}])"}));
  error_of(file({.added = R"([{"id": 4000000000, "content": "x"}])"}));
  error_of(file({.decoder = "{}"}));
  error_of(file({.decoder = R"({"type": "Replace"})"}));
  error_of(file({.decoder = R"({"type": "Strip", "content": "ab", "start": 1, "stop": 0})"}));
  error_of(file({.decoder = R"({"type": "Metaspace", "replacement": ""})"}));
  const auto unknown = from_text(R"({"model": {"type": "Neural", "vocab": {}}})");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(unknown.error().message.find("`Neural`"), std::string::npos);
}

TEST(TokenizerJson, DeepNestingIsRefusedAtItsPlace) {
  const std::string deep = R"({"model": )" + std::string(1'000'000, '[');
  const auto info = from_text(deep);
  ASSERT_FALSE(info.has_value());
  EXPECT_NE(info.error().message.find("nested deeper"), std::string::npos);
  EXPECT_EQ(info.error().where.start, 10U + 99U);
}

TEST(TokenizerJson, EveryPrefixIsAnError) {
  const std::string whole = file({.model = kByteLevelModel, .decoder = kByteLevel, .pre_tokenizer = kByteLevel});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    ASSERT_FALSE(from_text(whole.substr(0, length)).has_value()) << length;
  }
}

TEST(TokenizerJson, NoChangedByteCrashes) {
  const std::string whole = file({.model = llama_model(), .decoder = kLlamaDecoder, .normalizer = kLlamaNormalizer});
  int accepted = 0;
  for (std::size_t at = 0; at < whole.size(); at += at < 1000 || at + 500 > whole.size() ? 2 : 37) {
    for (const char byte : {'"', '{', ']', '\\', '\0', '\xFF', '9'}) {
      std::string changed = whole;
      changed[at] = byte;
      if (const auto info = from_text(changed)) {
        ++accepted;
        static_cast<void>(info->tokenize("a b\n\u00E9"));
      }
    }
  }
  EXPECT_GT(accepted, 0);
}

TEST(Builtin, IsATokenizer) {
  const TokenizerInfo info = TokenizerInfo::builtin();
  EXPECT_EQ(info.vocab_size(), 8192U);
  EXPECT_EQ(info.kind(), "byte-level BPE");
  EXPECT_FALSE(info.stop_token_ids().empty());
  std::string all_bytes;
  for (int byte = 0; byte < 256; ++byte) all_bytes += static_cast<char>(byte);
  for (const std::string& text :
       {std::string("{\"name\": \"你好\", \"n\": [1, 2.5e-3]}\n"), all_bytes, std::string()}) {
    EXPECT_EQ(info.decode(expect_ids(info, text)), text);
  }
}

}  // namespace
}  // namespace weir::vocab
