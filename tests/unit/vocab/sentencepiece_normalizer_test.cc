#include "vocab/normalizers/sentencepiece_normalizer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "unit/vocab/file_writers.h"

namespace weir::vocab {
namespace {

CharsMap charsmap(const Replacements& replacements) {
  auto map = CharsMap::from_blob(CharsmapWriter(replacements).blob());
  EXPECT_TRUE(map.has_value()) << map.error().message;
  return *std::move(map);
}

TEST(CharsMap, FindsTheLongestKey) {
  const CharsMap map = charsmap({{"ﬁ", "fi"}, {"e\u0301", "é"}, {"e\u0301\u0323", "ẹ́"}, {"\t", " "}, {"x", ""}});
  EXPECT_EQ(map.longest_match("aﬁ", 1).replacement, "fi");
  EXPECT_EQ(map.longest_match("aﬁ", 1).length, 3U);
  EXPECT_EQ(map.longest_match("aﬁ", 0).length, 0U);
  EXPECT_EQ(map.longest_match("e\u0301x", 0).replacement, "é");
  EXPECT_EQ(map.longest_match("e\u0301\u0323", 0).length, 5U);
  EXPECT_EQ(map.longest_match("e", 0).length, 0U);
  EXPECT_EQ(map.longest_match("x", 0).length, 1U) << "replaced by nothing";
  EXPECT_EQ(map.longest_match("x", 0).replacement, "");
  EXPECT_EQ(map.longest_match(std::string(1, '\0'), 0).length, 0U);
}

TEST(CharsMap, AgreesWithTheMapItWasMadeFrom) {
  std::mt19937 random(4);
  const auto random_text = [&](std::size_t longest) {
    std::string text;
    for (std::size_t n = 1 + random() % longest; n > 0; --n) text += "abc\xC3\xA9"[random() % 5];
    return text;
  };
  for (int round = 0; round < 100; ++round) {
    Replacements replacements;
    for (int i = 0; i < 20; ++i) replacements[random_text(4)] = random_text(3);
    const CharsMap map = charsmap(replacements);
    const std::string text = random_text(10);
    for (std::size_t pos = 0; pos < text.size(); ++pos) {
      std::size_t longest = 0;
      for (const auto& entry : replacements) {
        if (std::string_view(text).substr(pos).starts_with(entry.first))
          longest = std::max(longest, entry.first.size());
      }
      const CharsMap::Match match = map.longest_match(text, pos);
      EXPECT_EQ(match.length, longest);
      if (longest != 0) {
        EXPECT_EQ(match.replacement, replacements[text.substr(pos, longest)]);
      }
    }
  }
}

TEST(CharsMap, DamagedBlobsAreErrorsOrHarmless) {
  const std::string blob = CharsmapWriter(Replacements{{"a", "b"}, {"ab", "cd"}, {"é", "e"}}).blob();
  for (std::size_t size = 1; size < blob.size(); ++size) {
    const std::vector<char> copy(blob.begin(), blob.begin() + static_cast<std::ptrdiff_t>(size));
    const auto map = CharsMap::from_blob({copy.data(), copy.size()});
    const std::size_t array_end = blob.size() - 7;  // Where "b", "cd" and "e" begin, with their zero bytes.
    if (size < array_end) {
      EXPECT_FALSE(map.has_value()) << size;
    }
  }
  for (std::size_t at = 0; at < blob.size(); ++at) {
    for (const int change : {0x01, 0x80, 0xFF, 0x55}) {
      std::string damaged = blob;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      const std::vector<char> copy(damaged.begin(), damaged.end());
      const auto map = CharsMap::from_blob({copy.data(), copy.size()});
      if (!map) continue;
      for (const std::string_view text : {"abab", "é", "b\xC3\xA9\xFF", "\x01\x55zzzz"}) {
        for (std::size_t pos = 0; pos < text.size(); ++pos) {
          EXPECT_LE(pos + map->longest_match(text, pos).length, text.size());
        }
      }
    }
  }
  EXPECT_TRUE(CharsMap::from_blob("")->empty());
  EXPECT_FALSE(CharsMap::from_blob(std::string(4, '\0')).has_value());
  EXPECT_FALSE(CharsMap::from_blob(std::string("\x03\0\0\0abc\0", 8)).has_value()) << "no whole number of units";
}

TEST(CharsMap, AsANormalizingStep) {
  const auto step = make_charsmap_normalizer(CharsmapWriter(Replacements{{"ﬁ", "fi"}, {"x", ""}}).blob());
  ASSERT_TRUE(step.has_value());
  std::string text = "ﬁxn\xFFﬁ";
  (*step)->normalize(text);
  EXPECT_EQ(text,
            "fin\xFF"
            "fi");
  EXPECT_FALSE(make_charsmap_normalizer("?").has_value());
}

struct RuleCase {
  SentencePieceRules rules;
  std::string text;
  std::string expected;
};

TEST(SentencePieceNormalizer, WhiteSpaceRules) {
  constexpr SentencePieceRules kLlama = {.remove_extra_whitespaces = false};
  constexpr SentencePieceRules kT5 = {};
  constexpr SentencePieceRules kNone = {.add_dummy_prefix = false, .remove_extra_whitespaces = false};
  constexpr SentencePieceRules kSuffix = {.treat_whitespace_as_suffix = true};
  constexpr SentencePieceRules kPlain = {.escape_whitespaces = false};
  const std::vector<RuleCase> cases = {
      {kLlama, "", ""},
      {kLlama, "a", "▁a"},
      {kLlama, " ", "▁▁"},
      {kLlama, " a  b ", "▁▁a▁▁b▁"},
      {kT5, "", ""},
      {kT5, "   ", ""},
      {kT5, "a", "▁a"},
      {kT5, "  a   b  ", "▁a▁b"},
      {kNone, " a ", "▁a▁"},
      {kNone, "", ""},
      {kSuffix, "  a  b ", "a▁b▁"},
      {kPlain, " a  b ", " a b"},
      {kLlama, "a\xFF b", "▁a\xFF▁b"},
      {kLlama, "a\tb", "▁a\tb"},
  };
  for (const RuleCase& c : cases) {
    EXPECT_EQ(SentencePieceNormalizer(CharsMap(), c.rules).normalize(c.text), c.expected) << "`" << c.text << "`";
  }
}

TEST(SentencePieceNormalizer, ReplacementsCountAsSpaces) {
  const Replacements replacements = {{"\t", " "}, {"\u00A0", "  "}, {"ﬁ", "fi"}, {"´", " \u0301"}};
  const auto normalize = [&](const SentencePieceRules& rules, std::string_view text) {
    return SentencePieceNormalizer(charsmap(replacements), rules).normalize(text);
  };
  EXPECT_EQ(normalize({}, "\ta\t ﬁ\t"), "▁a▁fi");
  EXPECT_EQ(normalize({}, "a\u00A0 b"), "▁a▁▁b") << "spaces of one replacement are not made one";
  EXPECT_EQ(normalize({}, "a ´"), "▁a▁\u0301") << "a space that a replacement begins with goes, too";
  EXPECT_EQ(normalize({.remove_extra_whitespaces = false}, "\ta\u00A0"), "▁▁a▁▁");
}

TEST(SentencePieceNormalizer, ProtectedTextsAreTakenAsTheyStand) {
  const SentencePieceNormalizer normalizer(charsmap({{"ﬁ", "fi"}}), {}, PrefixTrie({{"<ﬁ>", 0}}));
  EXPECT_EQ(normalizer.normalize("ﬁ<ﬁ>ﬁ"), "▁fi<ﬁ>fi");
}

TEST(SentencePieceNormalizer, Origins) {
  const SentencePieceNormalizer normalizer(charsmap({{"ﬁ", "fi"}}), {});
  std::vector<std::size_t> origins;
  EXPECT_EQ(normalizer.normalize("  aﬁ  b  ", &origins), "▁afi▁b");
  //                                                 ▁        a  f  i  ▁        b  end
  EXPECT_EQ(origins, (std::vector<std::size_t>{2, 2, 2, 2, 3, 3, 6, 6, 6, 8, 11}));
  EXPECT_EQ(normalizer.normalize("  ", &origins), "");
  EXPECT_EQ(origins, (std::vector<std::size_t>{2}));
}

}  // namespace
}  // namespace weir::vocab
