#include "vocab/normalizers/normalizers.h"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"

namespace weir::vocab {
namespace {

using Form = NormalizationForm;

std::string utf8(char32_t c) {
  std::string text;
  base::append_utf8(text, c);
  return text;
}

std::string normalized(const NormalizerPtr& normalizer, std::string text) {
  normalizer->normalize(text);
  return text;
}

TEST(UnicodeNormalization, KnownCases) {
  EXPECT_EQ(normalize_unicode("A\u030A", Form::kNfc), "\u00C5");
  EXPECT_EQ(normalize_unicode("\u212B", Form::kNfc), "\u00C5");
  EXPECT_EQ(normalize_unicode("\u1E9B\u0323", Form::kNfd), "\u017F\u0323\u0307");
  EXPECT_EQ(normalize_unicode("\u1E9B\u0323", Form::kNfc), "\u1E9B\u0323");
  EXPECT_EQ(normalize_unicode("\u1E9B\u0323", Form::kNfkc), "\u1E69");
  EXPECT_EQ(normalize_unicode("\u1E9B\u0323", Form::kNfkd), "s\u0323\u0307");
  EXPECT_EQ(normalize_unicode("\uFB01 \u2460 \u00BD", Form::kNfkc), "fi 1 1\u20442");
  EXPECT_EQ(normalize_unicode("\uFB01", Form::kNfc), "\uFB01");
  EXPECT_EQ(normalize_unicode("\u1112\u1161\u11AB", Form::kNfc), "\uD55C");
  EXPECT_EQ(normalize_unicode("\uD55C", Form::kNfd), "\u1112\u1161\u11AB");
  EXPECT_EQ(normalize_unicode("\uAC00\u11A7", Form::kNfc), "\uAC00\u11A7") << "no trailing consonant";
  EXPECT_EQ(normalize_unicode("\u0958", Form::kNfc), "\u0915\u093C") << "excluded from composition";
  EXPECT_EQ(normalize_unicode("", Form::kNfkc), "");
}

TEST(UnicodeNormalization, BlockedMarksStay) {
  // A cedilla and an acute have different classes, so the acute reaches the letter; a second acute does not.
  EXPECT_EQ(normalize_unicode("e\u0327\u0301", Form::kNfc), "\u0229\u0301");
  EXPECT_EQ(normalize_unicode("e\u0301\u0301", Form::kNfc), "\u00E9\u0301");
  EXPECT_EQ(normalize_unicode("e\u200B\u0301", Form::kNfc), "e\u200B\u0301");
}

TEST(UnicodeNormalization, FormsAgreeForEveryCharacter) {
  for (char32_t c = 0; c <= 0xE01FF; ++c) {
    if (c == 0xD800) c = 0xE000;
    if (c == 0x33480) c = 0xE0000;  // the planes between are not in use
    const std::string text = utf8(c);
    const std::string nfd = normalize_unicode(text, Form::kNfd);
    const std::string nfc = normalize_unicode(text, Form::kNfc);
    const std::string nfkd = normalize_unicode(text, Form::kNfkd);
    const std::string nfkc = normalize_unicode(text, Form::kNfkc);
    ASSERT_EQ(normalize_unicode(nfd, Form::kNfd), nfd) << std::hex << static_cast<std::uint32_t>(c);
    ASSERT_EQ(normalize_unicode(nfd, Form::kNfc), nfc) << std::hex << static_cast<std::uint32_t>(c);
    ASSERT_EQ(normalize_unicode(nfc, Form::kNfd), nfd) << std::hex << static_cast<std::uint32_t>(c);
    ASSERT_EQ(normalize_unicode(nfkd, Form::kNfkc), nfkc) << std::hex << static_cast<std::uint32_t>(c);
    ASSERT_EQ(normalize_unicode(nfkc, Form::kNfkd), nfkd) << std::hex << static_cast<std::uint32_t>(c);
    ASSERT_EQ(normalize_unicode(nfc, Form::kNfkc), nfkc) << std::hex << static_cast<std::uint32_t>(c);
    // The characters around a character must not affect the fast path.
    ASSERT_EQ(normalize_unicode("ab" + text + "z", Form::kNfkd), "ab" + nfkd + "z")
        << std::hex << static_cast<std::uint32_t>(c);
  }
}

TEST(UnicodeNormalization, InvalidBytesPassThroughAndSeparate) {
  EXPECT_EQ(normalize_unicode("e\xFF\u0301", Form::kNfc), "e\xFF\u0301");
  EXPECT_EQ(normalize_unicode("\xC3", Form::kNfkd), "\xC3");
  EXPECT_EQ(normalize_unicode("\xED\xA0\x80\u00E9", Form::kNfd),
            "\xED\xA0\x80"
            "e\u0301");
}

TEST(UnicodeNormalization, SurvivesManyMarks) {
  std::string marks = "a";
  for (int i = 0; i < 100'000; ++i) marks += i % 2 == 0 ? "\u0301" : "\u0327";
  const std::string nfd = normalize_unicode(marks, Form::kNfd);
  EXPECT_EQ(nfd.size(), marks.size());
  EXPECT_EQ(nfd.substr(1, 4), "\u0327\u0327");
}

TEST(Normalizers, Lowercase) {
  EXPECT_EQ(normalized(make_lowercase(), "ABC xyz ÀÉ ΑΣ Ǆ ẞ \U00010400"), "abc xyz àé ασ ǆ ß \U00010428");
  EXPECT_EQ(normalized(make_lowercase(), "\u0130"), "i\u0307");
  EXPECT_EQ(normalized(make_lowercase(),
                       "A\xFF"
                       "B"),
            "a\xFF"
            "b");
}

TEST(Normalizers, StripAccentsDropsMarksOnly) {
  EXPECT_EQ(normalized(make_strip_accents(), "e\u0301\u00E9\u0903"), "e\u00E9");
}

TEST(Normalizers, PrependReplaceStrip) {
  EXPECT_EQ(normalized(make_prepend("_"), "a"), "_a");
  EXPECT_EQ(normalized(make_prepend("_"), ""), "");
  EXPECT_EQ(normalized(make_replace(" ", "▁"), " a  b"), "▁a▁▁b");
  EXPECT_EQ(normalized(make_replace("aa", "a"), "aaaaa"), "aaa");
  EXPECT_EQ(normalized(make_replace("", "x"), "ab"), "ab");
  EXPECT_EQ(normalized(make_strip(true, true), "\u3000 a b\n"), "a b");
  EXPECT_EQ(normalized(make_strip(true, false), " a "), "a ");
  EXPECT_EQ(normalized(make_strip(false, true), " a "), " a");
  EXPECT_EQ(normalized(make_strip(false, false), " a "), " a ");
  EXPECT_EQ(normalized(make_strip(true, true), "  "), "");
  EXPECT_EQ(normalized(make_strip(false, true), "  "), "");
  EXPECT_EQ(normalized(make_strip(true, false), "  "), "");
}

TEST(Normalizers, ReplacePattern) {
  const auto blanks = make_replace_pattern(" {2,}", " ");
  ASSERT_TRUE(blanks.has_value());
  EXPECT_EQ(normalized(*blanks, "a   b c  "), "a b c ");
  EXPECT_EQ(normalized(*blanks, "  \xFF   x\xFE"), " \xFF x\xFE");
  const auto bad = make_replace_pattern("(", "");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().code, ErrorCode::kUnsupported);
}

TEST(Normalizers, Bert) {
  EXPECT_EQ(normalized(make_bert({}), std::string("H\u00C9llo\tW\u4E2D\0x\u00AD\uFFFD", 18)), "hello w \u4E2D x");
  EXPECT_EQ(normalized(make_bert({.strip_accents = false, .lowercase = false}), "H\u00C9"), "H\u00C9");
  EXPECT_EQ(normalized(make_bert({.clean_text = false, .handle_chinese_chars = false, .lowercase = false}),
                       "\u4E2D\tE\u0301"),
            "\u4E2D\tE");
}

TEST(Normalizers, Nmt) { EXPECT_EQ(normalized(make_nmt(), "a\u0001\u200Bb\tc\u007F"), "a b c"); }

TEST(Normalizers, ByteLevelWritesBytes) { EXPECT_EQ(normalized(make_byte_level(), "a b\n\xFF"), "aĠbĊÿ"); }

}  // namespace
}  // namespace weir::vocab
