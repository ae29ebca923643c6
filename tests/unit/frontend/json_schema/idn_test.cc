// Compares idn-hostname and idn-email with the rules of RFC 5891 to RFC 5893, applied one after the other to code
// points.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/json_schema/formats/formats.h"
#include "frontend/json_schema/formats/idna_tables.h"
#include "regex/analysis/members.h"
#include "regex/atoms/json_string.h"
#include "regex/unicode/unicode.h"

namespace weir::frontend::json_schema {
namespace {

using regex::CodePointSet;
using regex::Emptiness;
using regex::ExprId;
using regex::ExprSet;

std::string utf8(char32_t c) {
  const auto byte = [](unsigned b) { return static_cast<char>(b); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 63))};
  if (c < 0x10000) return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63))};
  return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 63)), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63))};
}
std::string utf8(const std::u32string& text) {
  std::string bytes;
  for (const char32_t c : text) bytes += utf8(c);
  return bytes;
}

bool is(char32_t c, IdnaTables::Ranges ranges) {
  return std::ranges::any_of(ranges, [&](const regex::CodePointRange& r) { return r.first <= c && c <= r.last; });
}
bool has_property(char32_t c, std::string_view name) { return regex::unicode_property(name)->contains(c); }

// The names in these tests consist of these characters, all of which may occur in labels.
const std::u32string kCharacters =
    U"ablnx019-éßüжçαω\u0375אבג\u05F3\u05F4\u05B0عرب\u0628\u064B\u0660\u0669\u06F0\u06F9\u0915\u094D\u093F\u0902"
    U"\u200C\u200D\u00B7\u30FB\u3042\u30A2\u4E00\uAC00\u0E01\u0E31\u0301\u0710\u07CA\u10D0\U00010A00\U0001E922\uA840"
    U"\u1820";

bool obeys_context(const std::u32string& label, std::size_t i) {
  const IdnaTables& tables = idna_tables();
  const char32_t before = i > 0 ? label[i - 1] : 0;
  const char32_t after = i + 1 < label.size() ? label[i + 1] : 0;
  const auto has = [&](char32_t first, char32_t last) {
    return std::ranges::any_of(label, [&](char32_t c) { return first <= c && c <= last; });
  };
  switch (label[i]) {
    case 0x200C: {
      if (is(before, tables.viramas)) return true;
      std::size_t left = i;
      while (left > 0 && is(label[left - 1], tables.transparent)) --left;
      std::size_t right = i + 1;
      while (right < label.size() && is(label[right], tables.transparent)) ++right;
      return left > 0 && is(label[left - 1], tables.left_joining) && right < label.size() &&
             is(label[right], tables.right_joining);
    }
    case 0x200D: return is(before, tables.viramas);
    case 0xB7: return before == 'l' && after == 'l';
    case 0x375: return has_property(after, "Script=Greek");
    case 0x5F3:
    case 0x5F4: return has_property(before, "Script=Hebrew");
    case 0x30FB:
      return std::ranges::any_of(label, [](char32_t c) {
        return has_property(c, "Script=Hiragana") || has_property(c, "Script=Katakana") ||
               has_property(c, "Script=Han");
      });
    default: break;
  }
  if (0x660 <= label[i] && label[i] <= 0x669) return !has(0x6F0, 0x6F9);
  return true;
}

bool is_ascii(const std::u32string& label) {
  return std::ranges::all_of(label, [](char32_t c) { return c < 0x80; });
}

bool is_label(const std::u32string& label) {
  if (label.empty() || label.front() == '-' || label.back() == '-') return false;
  if (is_ascii(label)) return label.size() <= 63 && !label.starts_with(U"xn--");
  if (label.size() > 57 || (label.size() >= 4 && label[2] == '-' && label[3] == '-')) return false;
  if (has_property(label.front(), "M")) return false;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (!obeys_context(label, i)) return false;
  }
  return true;
}

bool is_reversed(char32_t c) { return is(c, idna_tables().right_to_left) || is(c, idna_tables().arabic_number); }

// RFC 5893, section 2.
bool obeys_bidi_rule(const std::u32string& label) {
  const IdnaTables& t = idna_tables();
  const auto is_left = [&](char32_t c) {
    return !is_reversed(c) && !is(c, t.european_number) && !is(c, t.neutral) && !is(c, t.non_spacing);
  };
  std::size_t last = label.size() - 1;
  while (last > 0 && is(label[last], t.non_spacing)) --last;
  const auto any = [&](IdnaTables::Ranges ranges) {
    return std::ranges::any_of(label, [&](char32_t c) { return is(c, ranges); });
  };
  if (is(label.front(), t.right_to_left)) {
    if (std::ranges::any_of(label, is_left) || (any(t.european_number) && any(t.arabic_number))) return false;
    return is_reversed(label[last]) || is(label[last], t.european_number);
  }
  if (!is_left(label.front()) || std::ranges::any_of(label, is_reversed)) return false;
  return is_left(label[last]) || is(label[last], t.european_number);
}

bool is_name(const std::u32string& name) {
  std::vector<std::u32string> labels(1);
  for (const char32_t c : name) {
    const bool separates = c == '.' || c == 0x3002;
    if (separates) labels.emplace_back();
    if (!separates) labels.back() += c;
  }
  if (name.size() > 253 || !std::ranges::all_of(labels, is_label)) return false;
  const bool is_bidi = std::ranges::any_of(name, is_reversed);
  return !is_bidi || std::ranges::all_of(labels, obeys_bidi_rule);
}

class InternationalNames : public testing::Test {
 protected:
  ExprId format(std::string_view name) {
    const auto e = string_format(exprs_, name, Dialect::k2020_12);
    EXPECT_TRUE(e.has_value() && e->has_value()) << name;
    return e && *e ? **e : ExprId::kNothing;
  }
  ExprSet exprs_{1 << 22};
};

TEST_F(InternationalNames, OfAFewCharacters) {
  const ExprId e = format("idn-hostname");
  std::size_t members = 0;
  for (const char32_t a : kCharacters) {
    for (const char32_t b : kCharacters) {
      for (const std::u32string& name : {std::u32string{a}, std::u32string{a, b}, std::u32string{U'l', a, b, U'l'},
                                         std::u32string{a, U'.', b}, std::u32string{U'\u0628', a, b, U'\u0628'}}) {
        const bool is_member = is_name(name);
        members += is_member ? 1 : 0;
        ASSERT_EQ(exprs_.matches(e, utf8(name)), is_member) << utf8(name);
      }
    }
  }
  EXPECT_GT(members, 1'000U);
}

// Names of few different characters each, so that many are members. Some are long enough to reach the length limits.
TEST_F(InternationalNames, OfAnyLength) {
  const ExprId e = format("idn-hostname");
  std::mt19937 random(17);
  const auto below = [&](std::size_t n) { return random() % n; };
  std::size_t members = 0;
  for (int round = 0; round < 3'000; ++round) {
    std::u32string name;
    std::u32string few;
    for (int i = 0; i < 3; ++i) few += kCharacters[below(kCharacters.size())];
    for (std::size_t label = below(6) + 1; label > 0; --label) {
      const std::size_t length = below(3) == 0 ? 55 + below(11) : 1 + below(8);
      for (std::size_t i = 0; i < length; ++i) name += below(4) != 0 ? few[0] : few[below(few.size())];
      if (label > 1) name += below(4) == 0 ? U'\u3002' : U'.';
    }
    const bool is_member = is_name(name);
    members += is_member ? 1 : 0;
    ASSERT_EQ(exprs_.matches(e, utf8(name)), is_member) << utf8(name);
  }
  EXPECT_GT(members, 300U);
}

TEST_F(InternationalNames, HaveLimits) {
  const ExprId host = format("idn-hostname");
  const ExprId mail = format("idn-email");
  const auto repeated = [](std::size_t count, std::string_view text) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
  };
  const std::string sixty = std::string(60, 'a') + ".";
  EXPECT_TRUE(exprs_.matches(host, std::string(63, 'a')));
  EXPECT_FALSE(exprs_.matches(host, std::string(64, 'a')));
  EXPECT_TRUE(exprs_.matches(host, repeated(57, "ü") + "." + repeated(57, "字")));
  EXPECT_FALSE(exprs_.matches(host, repeated(58, "ü")));
  EXPECT_FALSE(exprs_.matches(host, std::string(57, 'a') + "ü"));
  EXPECT_TRUE(exprs_.matches(host, repeated(4, sixty) + std::string(8, 'a') + "ü"));   // 253 characters
  EXPECT_FALSE(exprs_.matches(host, repeated(4, sixty) + std::string(9, 'a') + "ü"));  // 254
  EXPECT_TRUE(exprs_.matches(mail, "a@" + repeated(4, sixty) + std::string(8, 'a') + "ü"));
  EXPECT_TRUE(exprs_.matches(mail, "a@" + repeated(4, sixty) + "aaaa" + "字字"));  // 254 octets
  EXPECT_TRUE(exprs_.matches(mail, "a@" + repeated(4, sixty) + "aaaaa" + "字字"));
  EXPECT_FALSE(exprs_.matches(mail, "a@" + repeated(4, sixty) + "aaaaaa" + "字字"));  // 256
  EXPECT_TRUE(exprs_.matches(host, repeated(4, sixty) + "aaaaaa" + "字字"));
}

// After every prefix and every next byte, little fuel suffices to decide whether the text can continue. New expressions
// differ from known ones only in their counts.
TEST_F(InternationalNames, AreReadInFewSteps) {
  const std::vector<std::string> names = {"grüße.example", "例え.テスト", "παράδειγμα.gr", "אבג.דוגמה",    "عربي.مثال",
                                          "मराठी.भारत",    "l·l.cat",     "xn--bcher-kva", "中国・日本.jp"};
  for (const std::string_view kind : {"idn-hostname", "idn-email"}) {
    const ExprId texts = regex::json_string(exprs_, format(kind), {});
    const std::size_t before = exprs_.node_count();
    std::size_t places = 0;
    for (const std::string& name : names) {
      ExprId e = texts;
      for (const char c : (kind == "idn-email" ? "\"ü@" : "\"") + name) {
        e = exprs_.derivative(e, static_cast<std::uint8_t>(c));
        ASSERT_NE(e, ExprId::kNothing) << name;
        ++places;
        for (unsigned byte = 0; byte < 256; ++byte) {
          const ExprId next = exprs_.derivative(e, static_cast<std::uint8_t>(byte));
          ASSERT_NE(regex::emptiness(exprs_, next, 1'000), Emptiness::kUnknown) << name << " " << byte;
        }
      }
    }
    EXPECT_LT(exprs_.node_count() - before, places * 200) << kind;
  }
}

}  // namespace
}  // namespace weir::frontend::json_schema
