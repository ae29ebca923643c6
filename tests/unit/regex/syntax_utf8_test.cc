// Compares sets of code points as byte expressions with the decoder of base/utf8.h.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "regex/syntax/syntax.h"
#include "regex/unicode/unicode.h"
#include "regex/unicode/utf8_ranges.h"

namespace weir::regex {
namespace {

std::string encoded(char32_t code_point) {
  std::string text;
  base::append_utf8(text, code_point);
  return text;
}

/// Returns the code points on both sides of every boundary where the form of the encoding changes.
std::vector<char32_t> boundaries() {
  std::vector<char32_t> out;
  for (char32_t edge : {0x0U,     0x40U,    0x80U,    0xC0U,    0x100U,   0x7C0U,   0x800U,    0xFC0U,
                        0x1000U,  0xCFC0U,  0xD000U,  0xD7C0U,  0xD800U,  0xDC00U,  0xE000U,   0xF000U,
                        0x10000U, 0x10FC0U, 0x11000U, 0x3F000U, 0x40000U, 0xFFFC0U, 0x100000U, 0x10F000U}) {
    if (edge > 0) out.push_back(edge - 1);
    out.push_back(edge);
    out.push_back(edge + 1);
  }
  out.push_back(0x10FFFE);
  out.push_back(0x10FFFF);
  return out;
}

TEST(Utf8Set, IsMadeOnceForASetAndItsCopies) {
  ExprSet exprs(1U << 20);
  const CodePointSet others = ~(CodePointSet::range('a', 'z') | CodePointSet::of(0xE9));
  const ExprId made = utf8_set(exprs, others);
  ExprSet copy = exprs;
  const std::size_t before = copy.node_count();
  EXPECT_EQ(utf8_set(copy, others), made);
  EXPECT_NE(utf8_set(copy, ~CodePointSet::of('a')), made);
  EXPECT_GT(copy.node_count(), before);
  EXPECT_EQ(copy.memo().utf8_sets.size(), exprs.memo().utf8_sets.size() + 1);
  ExprSet few(20);
  EXPECT_EQ(utf8_set(few, others), ExprId::kOverflow);
  few.set_node_limit(1U << 20);
  EXPECT_NE(utf8_set(few, others), ExprId::kOverflow) << "a limit is not remembered";
}

TEST(Utf8Set, HoldsExactlyItsCodePointsForAllRangesBetweenBoundaries) {
  const std::vector<char32_t> edges = boundaries();
  for (char32_t first : edges) {
    ExprSet exprs(1'000'000);
    for (char32_t last : edges) {
      if (last < first) continue;
      const ExprId range = utf8_set(exprs, CodePointSet::range(first, last));
      for (char32_t c : edges) {
        const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
        ASSERT_EQ(exprs.matches(range, encoded(c)), first <= c && c <= last && !surrogate)
            << std::hex << static_cast<std::uint32_t>(first) << ".." << static_cast<std::uint32_t>(last) << " on "
            << static_cast<std::uint32_t>(c);
      }
      ASSERT_FALSE(exprs.nullable(range));
    }
  }
}

TEST(Utf8Set, EveryCodePointOfSomeRanges) {
  ExprSet exprs(1'000'000);
  struct Range {
    char32_t first, last;
  };
  for (const Range r : {Range{0x7F, 0x800}, Range{0x3456, 0x2ABCD}, Range{0xE000, 0x10FFFF}, Range{0x12345, 0x12345}}) {
    const ExprId range = utf8_set(exprs, CodePointSet::range(r.first, r.last));
    for (char32_t c = 0; c <= base::kMaxCodePoint; ++c) {
      const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
      ASSERT_EQ(exprs.matches(range, encoded(c)), r.first <= c && c <= r.last && !surrogate)
          << static_cast<std::uint32_t>(c);
    }
  }
}

bool is_one_character(std::string_view text) {
  const base::Decoded decoded = base::decode_utf8(text, 0);
  return decoded.length != 0 && decoded.length == text.size();
}

TEST(AnyCodePoint, IsWhatTheDecoderTakes) {
  ExprSet exprs(1'000'000);
  const ExprId any = any_code_point(exprs);
  EXPECT_FALSE(exprs.matches(any, ""));
  std::string text(1, '\0');
  for (unsigned a = 0; a < 256; ++a) {
    text.resize(1);
    text[0] = static_cast<char>(a);
    EXPECT_EQ(exprs.matches(any, text), is_one_character(text));
    text.resize(2);
    for (unsigned b = 0; b < 256; ++b) {
      text[1] = static_cast<char>(b);
      EXPECT_EQ(exprs.matches(any, text), is_one_character(text));
    }
  }
  // Three and four bytes, each one at which the decoder's decision changes.
  constexpr std::array<unsigned char, 22> kEdges = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2,
                                                    0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5};
  for (unsigned char a : kEdges) {
    for (unsigned char b : kEdges) {
      for (unsigned char c : kEdges) {
        text = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(c)};
        EXPECT_EQ(exprs.matches(any, text), is_one_character(text));
        text.push_back('\0');
        for (unsigned char d : kEdges) {
          text[3] = static_cast<char>(d);
          EXPECT_EQ(exprs.matches(any, text), is_one_character(text));
        }
      }
    }
  }
}

TEST(Utf8Set, PropertiesHoldExactlyTheirCodePoints) {
  for (std::string_view name : {"L", "Lu", "Nd", "Cn", "scx=Latin", "Emoji", "Assigned"}) {
    ExprSet exprs(1'000'000);
    const Result<CodePointSet> set = unicode_property(name);
    ASSERT_TRUE(set);
    const ExprId expression = utf8_set(exprs, *set);
    for (char32_t c = 0; c <= base::kMaxCodePoint; ++c) {
      const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
      ASSERT_EQ(exprs.matches(expression, encoded(c)), set->contains(c) && !surrogate) << static_cast<std::uint32_t>(c);
    }
  }
}

TEST(Utf8Set, IsCompactAndDeterministic) {
  ExprSet exprs(1'000'000);
  const std::size_t before = exprs.node_count();
  const ExprId letters = utf8_set(exprs, *unicode_property("L"));
  EXPECT_LE(exprs.node_count() - before, 800U);
  // Derivatives by all pairs of bytes make almost no new expressions, because tails are shared.
  const std::size_t built = exprs.node_count();
  for (unsigned a = 0; a < 256; ++a) {
    const ExprId first = exprs.derivative(letters, static_cast<std::uint8_t>(a));
    for (unsigned b = 0; b < 256; ++b) exprs.derivative(first, static_cast<std::uint8_t>(b));
  }
  EXPECT_LE(exprs.node_count(), built + 8);
  EXPECT_LE(any_code_point(exprs), ExprId{2000});
  ExprSet fresh(1'000'000);
  any_code_point(fresh);
  EXPECT_LE(fresh.node_count(), 40U);
}

TEST(Utf8Set, CharactersOfAsciiAreOneByteSet) {
  ExprSet exprs(1'000);
  EXPECT_EQ(utf8_set(exprs, CodePointSet::range('a', 0x7F)), exprs.byte_set(ByteSet::range('a', 0x7F)));
  const ExprId beyond = utf8_set(exprs, CodePointSet::range('y', 0x81));
  for (const char* member : {"y", "\x7F", "\xC2\x80", "\xC2\x81"}) EXPECT_TRUE(exprs.matches(beyond, member)) << member;
  for (const char* other : {"x", "\xC2\x82", "\xC2", "\x80"}) EXPECT_FALSE(exprs.matches(beyond, other)) << other;
}

TEST(Utf8Set, AnyCodePointIsBuiltOnce) {
  ExprSet exprs(1'000);
  const ExprId any = any_code_point(exprs);
  const std::size_t built = exprs.node_count();
  EXPECT_EQ(any_code_point(exprs), any);
  EXPECT_EQ(utf8_set(exprs, CodePointSet::all()), any);
  EXPECT_EQ(exprs.node_count(), built);
  ExprSet full(5);
  EXPECT_EQ(any_code_point(full), ExprId::kOverflow);
  full.set_node_limit(1'000);
  EXPECT_NE(any_code_point(full), ExprId::kOverflow);  // a failure is not remembered
}

TEST(Utf8Set, SurrogatesAloneAreNothing) {
  ExprSet exprs(1'000);
  EXPECT_EQ(utf8_set(exprs, CodePointSet::range(0xD800, 0xDFFF)), ExprId::kNothing);
  EXPECT_EQ(utf8_set(exprs, CodePointSet()), ExprId::kNothing);
}

TEST(Utf8Set, ReportsTheNodeLimit) {
  ExprSet exprs(50);
  EXPECT_EQ(utf8_set(exprs, *unicode_property("L")), ExprId::kOverflow);
}

}  // namespace
}  // namespace weir::regex
