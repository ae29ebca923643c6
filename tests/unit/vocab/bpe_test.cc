#include "vocab/segmenters/bpe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "vocab/byte_level.h"
#include "vocab/string_index.h"

namespace weir::vocab {
namespace {

using Ids = std::vector<std::uint32_t>;

Ids ids_of(const PieceModel& model, std::string_view piece) {
  Ids ids;
  const auto done = model.tokenize_piece(piece, ids);
  EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().message);
  return ids;
}

// Implements the definition directly: merges the leftmost of the best pairs until there is none.
template <typename Rank>
std::vector<std::string> textbook_bpe(std::string_view piece, const Rank& rank_of) {
  std::vector<std::string> parts;
  for (const char c : piece) parts.emplace_back(1, c);
  for (;;) {
    std::optional<std::pair<std::size_t, std::size_t>> best;  // rank, place
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const std::optional<std::size_t> rank = rank_of(parts[i], parts[i + 1]);
      if (rank && (!best || *rank < best->first)) best = {*rank, i};
    }
    if (!best) return parts;
    parts[best->second] += parts[best->second + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best->second) + 1);
  }
}

std::string random_text(std::mt19937& random, std::size_t length, std::size_t letters) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += static_cast<char>('a' + random() % letters);
  return text;
}

TEST(RankBpe, AgreesWithTheTextbook) {
  std::mt19937 random(3);
  for (int round = 0; round < 60; ++round) {
    const std::size_t letters = 1 + random() % 3;
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < letters; ++i) tokens.emplace_back(1, static_cast<char>('a' + i));
    std::set<std::string> seen(tokens.begin(), tokens.end());
    for (int i = 0; i < 20; ++i) {
      std::string token = random_text(random, 2 + random() % 5, letters);
      if (seen.insert(token).second) tokens.push_back(std::move(token));
    }
    std::shuffle(tokens.begin() + static_cast<std::ptrdiff_t>(letters), tokens.end(), random);
    const auto model = make_rank_bpe(tokens);
    const auto rank = [&](const std::string& a, const std::string& b) -> std::optional<std::size_t> {
      const auto it = std::find(tokens.begin(), tokens.end(), a + b);
      return it == tokens.end() ? std::nullopt : std::optional<std::size_t>(it - tokens.begin());
    };
    // Lengths below and above the length from which on a heap is used.
    for (const std::size_t length : {0U, 1U, 2U, 7U, 30U, 47U, 48U, 49U, 90U}) {
      const std::string text = random_text(random, length, letters);
      Ids expected;
      const auto whole = std::find(tokens.begin(), tokens.end(), text);
      if (whole != tokens.end()) {  // in tiktoken a piece that is a token becomes that token
        expected.push_back(static_cast<std::uint32_t>(whole - tokens.begin()));
      } else {
        for (const std::string& part : textbook_bpe(text, rank)) {
          expected.push_back(
              static_cast<std::uint32_t>(std::find(tokens.begin(), tokens.end(), part) - tokens.begin()));
        }
      }
      ASSERT_EQ(ids_of(*model, text), expected) << text;
    }
  }
}

TEST(RankBpe, SaysWhatHasNoToken) {
  const std::vector<std::string> tokens = {"a", "b", "", "ab"};
  const auto model = make_rank_bpe(tokens);
  EXPECT_EQ(ids_of(*model, "aab"), (Ids{0, 3}));
  Ids ids;
  const auto done = model->tokenize_piece("abx", ids);
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().where, (SourceRange{2, 3}));
  EXPECT_EQ(done.error().code, ErrorCode::kInvalidArgument);
}

TEST(MergeBpe, AgreesWithTheTextbook) {
  std::mt19937 random(4);
  for (int round = 0; round < 60; ++round) {
    const std::size_t letters = 1 + random() % 3;
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < letters; ++i) tokens.emplace_back(1, static_cast<char>('a' + i));
    std::vector<std::pair<std::string, std::string>> pairs;
    for (int i = 0; i < 25; ++i) {
      const std::string left = tokens[random() % tokens.size()];
      const std::string right = tokens[random() % tokens.size()];
      if (left.size() + right.size() > 8 ||
          std::find(pairs.begin(), pairs.end(), std::pair(left, right)) != pairs.end())
        continue;
      pairs.emplace_back(left, right);
      if (std::find(tokens.begin(), tokens.end(), left + right) == tokens.end()) tokens.push_back(left + right);
    }
    std::shuffle(pairs.begin(), pairs.end(), random);
    std::vector<MergeText> merges;
    for (const auto& [left, right] : pairs) merges.push_back({left, right});
    const auto rank = [&](const std::string& a, const std::string& b) -> std::optional<std::size_t> {
      const auto it = std::find(pairs.begin(), pairs.end(), std::pair(a, b));
      return it == pairs.end() ? std::nullopt : std::optional<std::size_t>(it - pairs.begin());
    };
    for (const auto unit : {MergeBpeSpec::Unit::kByte, MergeBpeSpec::Unit::kCharacter}) {
      MergeBpeSpec spec;
      spec.unit = unit;
      spec.tokens = tokens;
      spec.merges = merges;
      const auto model = make_merge_bpe(spec);
      ASSERT_TRUE(model.has_value());
      for (const std::size_t length : {0U, 1U, 2U, 7U, 30U, 47U, 48U, 49U, 90U}) {
        const std::string text = random_text(random, length, letters);
        Ids expected;
        for (const std::string& part : textbook_bpe(text, rank)) {
          expected.push_back(
              static_cast<std::uint32_t>(std::find(tokens.begin(), tokens.end(), part) - tokens.begin()));
        }
        ASSERT_EQ(ids_of(**model, text), expected) << text;
      }
    }
  }
}

TEST(MergeBpe, IgnoreMergesTakesWholePieces) {
  const std::vector<std::string> tokens = {"a", "b", "aba"};
  MergeBpeSpec spec;
  spec.tokens = tokens;
  EXPECT_EQ(ids_of(**make_merge_bpe(spec), "aba"), (Ids{0, 1, 0}));
  spec.ignore_merges = true;
  EXPECT_EQ(ids_of(**make_merge_bpe(spec), "aba"), (Ids{2}));
}

TEST(MergeBpe, BytesAreWrittenInTheByteLevelAlphabet) {
  const std::vector<std::string> tokens = {"Ġ", "a", "Ġa", "Ã", "©", "Ã©"};
  const std::vector<MergeText> merges = {{"Ġ", "a"}, {"Ã", "©"}};
  MergeBpeSpec spec;
  spec.tokens = tokens;
  spec.merges = merges;
  EXPECT_EQ(ids_of(**make_merge_bpe(spec), " aé"), (Ids{2, 5}));
  EXPECT_EQ(ids_of(**make_merge_bpe(spec), "\xC3"), (Ids{3})) << "half a character is bytes like any";
}

TEST(MergeBpe, UnknownCharacters) {
  const std::vector<std::string> tokens = {"<unk>", "a", "aa"};
  const std::vector<MergeText> merges = {{"a", "a"}, {"a", "nothing"}};
  MergeBpeSpec spec;
  spec.unit = MergeBpeSpec::Unit::kCharacter;
  spec.tokens = std::span(tokens);
  spec.merges = merges;
  Ids ids;
  const auto done = (*make_merge_bpe(spec))->tokenize_piece("aé", ids);
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().where, (SourceRange{1, 3}));
  spec.unknown_token = 0;
  EXPECT_EQ(ids_of(**make_merge_bpe(spec), "aaéüa\xFF"), (Ids{2, 0, 0, 1, 0}));
  spec.fuse_unknown = true;
  EXPECT_EQ(ids_of(**make_merge_bpe(spec), "aaéüa\xFF"), (Ids{2, 0, 1, 0}));
}

TEST(MergeBpe, ByteFallbackMerges) {
  std::vector<std::string> tokens = {"a"};
  std::vector<std::uint32_t> bytes;
  for (int byte = 0; byte < 256; ++byte) {
    bytes.push_back(static_cast<std::uint32_t>(tokens.size()));
    std::string name = "<0x00>";
    name[3] = "0123456789ABCDEF"[byte / 16];
    name[4] = "0123456789ABCDEF"[byte % 16];
    tokens.push_back(std::move(name));
  }
  MergeBpeSpec spec;
  spec.unit = MergeBpeSpec::Unit::kCharacter;
  spec.tokens = tokens;
  spec.byte_tokens = bytes;
  EXPECT_EQ(ids_of(**make_merge_bpe(spec),
                   "é\xFF"
                   "a"),
            (Ids{1 + 0xC3, 1 + 0xA9, 1 + 0xFF, 0}));
}

TEST(MergeBpe, RefusesIdsOutOfRange) {
  const std::vector<std::string> tokens = {"a"};
  const std::vector<std::uint32_t> few = {0, 0};
  const std::vector<std::uint32_t> far(256, 7);
  MergeBpeSpec spec;
  spec.tokens = tokens;
  spec.byte_tokens = few;
  EXPECT_FALSE(make_merge_bpe(spec).has_value());
  spec.byte_tokens = far;
  EXPECT_FALSE(make_merge_bpe(spec).has_value());
  spec.byte_tokens = {};
  spec.unknown_token = 1;
  EXPECT_FALSE(make_merge_bpe(spec).has_value());
}

TEST(Bpe, AMegabyteOfOneLetterIsTokenized) {
  std::vector<std::string> tokens = {"a"};
  std::vector<std::string> halves;
  for (int i = 0; i < 6; ++i) {
    halves.push_back(tokens.back());
    tokens.push_back(tokens.back() + tokens.back());
  }
  std::vector<MergeText> merges;
  for (const std::string& half : halves) merges.push_back({half, half});
  const std::string text((1 << 20) + 1, 'a');
  Ids expected((1 << 20) / 64, 6);
  expected.push_back(0);
  EXPECT_EQ(ids_of(*make_rank_bpe(tokens), text), expected);
  MergeBpeSpec spec;
  spec.tokens = tokens;
  spec.merges = merges;
  EXPECT_EQ(ids_of(**make_merge_bpe(spec), text), expected);
}

TEST(ByteLevel, RoundTripsAllBytes) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string spelled = encode_byte_level(all);
  EXPECT_EQ(decode_byte_level(spelled), all);
  EXPECT_EQ(encode_byte_level(" \n!"), "ĠĊ!");
  EXPECT_EQ(decode_byte_level(" "), std::nullopt) << "a space is not in the alphabet";
  EXPECT_EQ(decode_byte_level("\xFF"), std::nullopt);
  EXPECT_EQ(decode_byte_level("你"), std::nullopt);
}

TEST(StringIndex, FindsWhatWasPutIn) {
  StringIndex index;
  for (std::uint32_t i = 0; i < 5000; ++i) EXPECT_TRUE(index.insert("key" + std::to_string(i), i));
  EXPECT_FALSE(index.insert("key7", 9999));
  EXPECT_TRUE(index.insert("", 6000));
  for (std::uint32_t i = 0; i < 5000; ++i) EXPECT_EQ(index.find("key" + std::to_string(i)), i);
  EXPECT_EQ(index.find("key5000"), StringIndex::kNone);
  EXPECT_EQ(index.find(""), 6000U);
  EXPECT_EQ(index.find(std::string_view("key\0", 4)), StringIndex::kNone);
  EXPECT_EQ(index.size(), 5001U);
}

}  // namespace
}  // namespace weir::vocab
