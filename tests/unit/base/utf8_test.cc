#include "base/utf8.h"

#include <gtest/gtest.h>

namespace weir::base {
namespace {

TEST(Utf8, RoundTripsEveryScalarValue) {
  for (char32_t c = 0; c <= kMaxCodePoint; ++c) {
    std::string text;
    append_utf8(text, c);
    const Decoded d = decode_utf8(text, 0);
    if (c >= 0xD800 && c <= 0xDFFF) {
      ASSERT_EQ(d.length, 0) << static_cast<std::uint32_t>(c);
    } else {
      ASSERT_EQ(d.length, text.size());
      ASSERT_EQ(d.code_point, c);
    }
  }
}

TEST(Utf8, RefusesOverlongTruncatedAndOutOfRange) {
  for (const char* bad : {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\x80",
                          "\xE4\xBD", "\xFF", "\xE4\x41\x41"}) {
    EXPECT_EQ(decode_utf8(bad, 0).length, 0) << bad;
  }
  EXPECT_EQ(find_invalid_utf8("a你\xFF"), 4U);
  EXPECT_EQ(find_invalid_utf8("a你"), std::string_view::npos);
}

TEST(Utf8, EscapesForDisplay) {
  EXPECT_EQ(escape_for_display("a\n\x01你\xFF"), "a\\n\\x01你\\xFF");
  EXPECT_EQ(escape_for_display("abcdef", 3), "abc…");
}

}  // namespace
}  // namespace weir::base
