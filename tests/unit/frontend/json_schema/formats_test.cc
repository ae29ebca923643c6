#include "frontend/json_schema/formats/formats.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "regex/analysis/members.h"
#include "regex/atoms/json_string.h"

namespace weir::frontend::json_schema {
namespace {

using regex::Emptiness;
using regex::ExprId;
using regex::ExprSet;

class Formats : public testing::Test {
 protected:
  ExprId format(std::string_view name, Dialect dialect = Dialect::k2020_12) {
    const auto e = string_format(exprs_, name, dialect);
    EXPECT_TRUE(e.has_value() && e->has_value()) << name;
    return e && *e ? **e : ExprId::kNothing;
  }
  void check(std::string_view name, const std::vector<std::string>& valid, const std::vector<std::string>& invalid) {
    const ExprId e = format(name);
    for (const std::string& text : valid) EXPECT_TRUE(exprs_.matches(e, text)) << name << ": " << text;
    for (const std::string& text : invalid) EXPECT_FALSE(exprs_.matches(e, text)) << name << ": " << text;
  }

  Limits limits_;
  ExprSet exprs_{limits_.regex_nodes};
};

std::string two(int number) {
  return std::string{static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
}
std::string four(int number) { return two(number / 100) + two(number % 100); }

TEST_F(Formats, KnownNames) {
  EXPECT_TRUE(std::ranges::is_sorted(known_formats()));
  for (const std::string_view name : known_formats()) {
    const auto strings = string_format(exprs_, name, Dialect::k2020_12);
    ASSERT_TRUE(strings.has_value());
    EXPECT_NE(strings->has_value(), numeric_format(name).has_value()) << name;
    if (!*strings) continue;
    EXPECT_EQ(regex::emptiness(exprs_, **strings, limits_.regex_fuel), Emptiness::kNonEmpty) << name;
  }
  for (const char* name : {"", "unknown", "Date", "date ", "datetime", "color"}) {
    EXPECT_FALSE(string_format(exprs_, name, Dialect::k2020_12)->has_value()) << name;
    EXPECT_FALSE(numeric_format(name).has_value()) << name;
  }
  ExprSet few(50);
  const auto none = string_format(few, "uri", Dialect::k2020_12);
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().limit, "regex_nodes");
}

TEST_F(Formats, DatesAreThoseOfTheCalendar) {
  const ExprId date = format("date");
  const auto days_of = [](int year, int month) {
    if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
  };
  for (int year = 0; year < 10'000; ++year) {
    ASSERT_EQ(exprs_.matches(date, four(year) + "-02-29"), days_of(year, 2) == 29) << year;
  }
  for (const int year : {0, 1, 1600, 1900, 1999, 2000, 2004, 2023, 2024, 2100, 9999}) {
    for (int month = 0; month < 20; ++month) {
      for (int day = 0; day < 40; ++day) {
        const bool exists = month >= 1 && month <= 12 && day >= 1 && day <= days_of(year, month);
        ASSERT_EQ(exprs_.matches(date, four(year) + "-" + two(month) + "-" + two(day)), exists);
      }
    }
  }
}

TEST_F(Formats, LeapSecondsAreAtTheEndOfTheDayInUtc) {
  const ExprId time = format("time");
  const ExprId date_time = format("date-time");
  for (int local = 0; local < 24 * 60; ++local) {
    const std::string text = two(local / 60) + ":" + two(local % 60) + ":60";
    // Tries all offsets for every 97th minute and every 37th offset for the others.
    for (int offset = local % 60 == 0 ? -1439 : local % 37 - 1439; offset < 24 * 60;
         offset += local % 97 == 0 ? 1 : 37) {
      const int absolute = offset < 0 ? -offset : offset;
      const std::string zone = (offset < 0 ? "-" : "+") + two(absolute / 60) + ":" + two(absolute % 60);
      const bool is_last_minute = (local - offset + 48 * 60) % (24 * 60) == 24 * 60 - 1;
      ASSERT_EQ(exprs_.matches(time, text + zone), is_last_minute) << text << zone;
    }
    ASSERT_EQ(exprs_.matches(time, text + ".5Z"), local == 24 * 60 - 1);
    ASSERT_EQ(exprs_.matches(time, text + "-00:00"), local == 24 * 60 - 1);
    // The positive and the negative offset with which this time is the last minute of a day in UTC.
    const int ahead = (local + 1) % (24 * 60);
    const int back = (24 * 60 - 1 - local) % (24 * 60);
    ASSERT_TRUE(exprs_.matches(time, text + "+" + two(ahead / 60) + ":" + two(ahead % 60))) << text;
    ASSERT_TRUE(exprs_.matches(date_time, "2016-12-31T" + text + "-" + two(back / 60) + ":" + two(back % 60))) << text;
  }
}

TEST_F(Formats, TimesAndDurations) {
  check("time", {"00:00:00Z", "23:59:59.123456789012345678901z", "12:34:56-23:59"},
        {"24:00:00Z", "12:60:00Z", "12:34:61Z", "12:34:56", "12:34Z", "12:34:56.Z", "12:34:56+24:00", "12:34:56+1:00",
         ""});
  check("date-time", {"2024-02-29t12:00:00+05:30", "1985-04-12T23:20:50.52Z", "1937-01-01T12:00:27.87+00:20"},
        {"2023-02-29T12:00:00Z", "2024-02-29 12:00:00Z", "2024-02-29T12:00:00", "2024-02-29"});
  check("duration", {"P1Y2M3DT4H5M6S", "P3W", "PT5M", "P1DT1S"},
        {"P", "PT", "P1Y1D", "PT1H1S", "P1W1D", "P1.5D", "p1D"});
}

TEST_F(Formats, AddressesAsTheSystemReadsThem) {
  const ExprId ipv4 = format("ipv4");
  const ExprId ipv6 = format("ipv6");
  for (int i = 0; i < 1100; ++i) {
    const std::string n = std::to_string(i);
    ASSERT_EQ(exprs_.matches(ipv4, "1." + n + ".3.4"), i < 256) << i;
    ASSERT_EQ(exprs_.matches(ipv6, "::" + n + ".2.3.4"), i < 256) << i;
  }
  std::mt19937 random(17);
  const std::vector<std::string> pieces = {"::",    ":",       "1",         "ab",       "ffff", "0",
                                           "12345", "1.2.3.4", "255.0.0.1", "01.2.3.4", ":::"};
  std::size_t valid = 0;
  for (int i = 0; i < 60'000; ++i) {
    std::string text;
    const std::size_t groups = random() % 9;
    const std::size_t gap = random() % 12;
    for (std::size_t g = 0; g <= groups; ++g) {
      if (g == gap) text += "::";
      if (g > 0 && g != gap) text += ':';
      text += g == groups && random() % 4 == 0 ? "10.0.0.1" : pieces[2 + random() % 4];
    }
    if (random() % 4 == 0) text.insert(random() % (text.size() + 1), pieces[random() % pieces.size()]);
    if (random() % 8 == 0) text.erase(random() % text.size(), 1);
    in6_addr address;
    const bool expected = inet_pton(AF_INET6, text.c_str(), &address) == 1;
    ASSERT_EQ(exprs_.matches(ipv6, text), expected) << text;
    valid += expected ? 1 : 0;
  }
  EXPECT_GT(valid, 5'000U);
}

TEST_F(Formats, HostNames) {
  const std::string long_label(63, 'a');
  const std::string longest = long_label + "." + long_label + "." + long_label + "." + std::string(61, 'a');
  check("hostname",
        {"localhost", "a.b.c", "3com.com", "a-b", "A--B", longest, "xn--9n2bp8q", "XN--BCHER-KVA.example", "ab--cd"},
        {"", "a.", ".a", "a..b", "-a", "a-", "a_b", "a b", long_label + "a", longest + "a", "xn--", "xn--a", "xn--abc-",
         "xn--9n2bp8"});
  // Punycode is not decoded. This label decodes to a name with a middle dot between a and l, which IDNA forbids.
  check("hostname", {"xn--al-0ea"}, {});
}

TEST_F(Formats, Mail) {
  check("email",
        {"a@b", "a.b+c@d-e.fg", "\"a b\\\"c\"@d.e", "!#$%&'*+-/=?^_`{|}~@x.y", "a@[1.2.3.4]", "a@[001.002.003.004]",
         "a@[IPv6:2001:db8::1]", std::string(64, 'a') + "@b.c"},
        {"a", "@b", "a@", "a@b@c", ".a@b", "a.@b", "a..b@c", "a@-b", "a@b.", "\"a@b", "a b@c", "a@[1.2.3]",
         "a@[IPv6:1.2.3.4]", "a@[x]", std::string(65, 'a') + "@b.c", "ü@b", "a@ü"});
  check("idn-email", {"ü@b", "用户@例え.jp", "\"ü ü\"@b", "a@ü.example", "a@[1.2.3.4]", std::string(64, 'a') + "@ü"},
        {"ü", "ü@", "ü..ü@b", "a@ü-", std::string(63, 'a') + "ü@b"});
}

TEST_F(Formats, InternationalHostNames) {
  check("idn-hostname",
        {"bücher.example", "例え。テスト", "παράδειγμα", "אבג", "عربي.مثال", "मराठी", "xn--bcher-kva", "l·l", "faß"},
        {"", "Bücher", "ü_", "-ü", "ü-", "ab--ü", "ü..ü", "\u0301a", "a\u00B7a", "𝕩", "ﬁ", "™", "\u200Dü", "אa", "1א",
         "a.1א"});
  // 57 characters fit into the 63 octets of a label if each after the first costs one digit of Punycode; 58 never fit.
  std::string label;
  for (int i = 0; i < 57; ++i) label += "ü";
  check("idn-hostname", {label}, {label + "ü"});
}

// A Katakana middle dot requires a Japanese letter in the label, and a right-to-left label cannot have one. So these
// prefixes are rejected immediately, without a search through all labels.
TEST_F(Formats, LabelsFromRightToLeftAreDecidedSoon) {
  const ExprId texts = regex::json_string(exprs_, format("idn-hostname"), {});
  const std::string dot = "\u30FB";
  for (const std::string_view name : {"א", "א-", "א0", "א.א", "א.א-", "א0.א"}) {
    ExprId e = texts;
    for (const char c : "\"" + std::string(name) + dot.substr(0, 2)) {
      e = exprs_.derivative(e, static_cast<std::uint8_t>(c));
    }
    EXPECT_NE(regex::emptiness(exprs_, e, 5'000), Emptiness::kUnknown) << name;
    EXPECT_EQ(regex::emptiness(exprs_, exprs_.derivative(e, static_cast<std::uint8_t>(dot[2])), 5'000),
              Emptiness::kEmpty);
  }
}

TEST_F(Formats, Uris) {
  // RFC 3986, section 1.1.2.
  const std::vector<std::string> examples = {"ftp://ftp.is.co.za/rfc/rfc1808.txt",
                                             "http://www.ietf.org/rfc/rfc2396.txt",
                                             "ldap://[2001:db8::7]/c=GB?objectClass?one",
                                             "mailto:John.Doe@example.com",
                                             "news:comp.infosystems.www.servers.unix",
                                             "tel:+1-816-555-1212",
                                             "telnet://192.0.2.16:80/",
                                             "urn:oasis:names:specification:docbook:dtd:xml:4.1.2"};
  check("uri", examples,
        {"", "a", "/a", "//a", "http://a b", "http://a/%", "http://a/%zz", "1a:b", "a:[", "http://[::1", "http://[g]",
         "http://a:b/", "http://a@b@c", "a:b#c#d", "a:\\b", "a:{b}", "a:ü", "http://[v.a]"});
  check("uri",
        {"a:", "a:/", "a://", "a:///b", "a:b?", "a:b#", "a:?/?#/?", "http://a:/", "http://[vF.a:b]/", "http://@/",
         "a:b:c@d/e//f"},
        {});
  check("url", examples, {"/a"});
  check("uri-reference", {"", "a", "a/b:c", "./a:b", "/a", "//a/b", "?q", "#f", "a?b#c", "http://a/b", "..", "//"},
        {"a b", ":a", "1:a", "a\\b", "#a#b", "%", "ü"});
  check("iri", {"http://ü.example/ä?ö#é", "a:你", "a:?\uE000", "http://[::1]/é"},
        {"ü", "ü:a", "a:\uE000", "a:#\uE000", "a:\u00A0 "});
  check("iri-reference", {"ü", "ä/ö", "#ü", "?\uE000"}, {"a b", "\uE000", "\uFFFE"});
}

TEST_F(Formats, UriTemplates) {
  // RFC 6570, sections 1.2 and 2.4.
  check("uri-template",
        {"http://www.example.com/foo{?query,number}", "{var:3}", "{/list*}", "{&x,y,empty}", "{;x:1000,y*}", "{a.b.c}",
         "x%20y", "{%20}", "é", "{=future}"},
        {"{", "}", "{}", "{a", "{a b}", "{a:}", "{a:0}", "{a:10000}", "{a*:1}", "{.}", "{a..b}", "{é}", "a%2", "a\"b",
         "<a>", "{?}"});
}

TEST_F(Formats, PointersAndIdentifiers) {
  check("json-pointer", {"", "/", "/a/b", "/~0~1", "//", "/\xF0\x9F\x98\x80", std::string("/\0", 2)},
        {"a", "/~", "/~2", "#/a"});
  check("relative-json-pointer", {"0", "1/a", "10#", "0+1/a", "2-3#", "0"},
        {"", "01", "-1", "0+0", "0+", "1#/a", "/a", "0a"});
  const ExprId older = format("relative-json-pointer", Dialect::kDraft7);
  EXPECT_TRUE(exprs_.matches(older, "1/a"));
  EXPECT_FALSE(exprs_.matches(older, "0+1/a"));
  check("uuid", {"00000000-0000-0000-0000-000000000000", "F81d4fae-7dec-11d0-a765-00A0c91e6bf6"},
        {"", "f81d4fae7dec11d0a76500a0c91e6bf6", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
         "g81d4fae-7dec-11d0-a765-00a0c91e6bf6"});
  check("byte", {"", "QUJD", "QUI=", "QQ==", "Q+/="}, {"Q", "QQ", "QQ=", "QUJD=", "Q U=", "Q-_=", "QQ==QQ=="});
}

TEST_F(Formats, Patterns) {
  check("regex",
        {"",
         "a|b||",
         "(a(?:b)c)*",
         "^\\d{2,3}?$",
         "[^\\]\\-\\b]",
         "[a-z-]",
         "[-a]",
         "[a-]",
         "[a-z-9]",
         "[\\d-]",
         "[-\\d]",
         "[]",
         "[^]",
         "[^-a]",
         "\\u{1F600}\\uD83D\\uDE00\\x41\\cA\\0",
         "(?<=a+)b(?<!c)",
         "(?<n>a)\\k<n>\\1",
         "\\p{L}\\P{Script=Greek}",
         "\\/",
         "/",
         "a-b",
         "é.*你",
         "[\\p{L}a-f]",
         "(?<\\u0061b>x)",
         "[--a]",
         "[a-c-e]",
         "[\\0]",
         "[a^]",
         "\\\\0",
         "\\u{000010FFFF}",
         "x{1}y{2,}",
         "(?=a)(?!b)c",
         "[[a]",
         "((((((((((((((((((((a))))))))))))))))))))"},
        {"(",      ")",       "a)",      "(a",      "[",      "a]",    "]",      "{",           "a{1",
         "{1}",    "a{,2}",   "a**",     "a{1}{2}", "+",      "(?a)",  "(?<>a)", "(?<1>a)",     "(?P<n>a)",
         "(?i)a",  "\\",      "\\a",     "\\-",     "\\8\\_", "\\x4",  "\\u12",  "\\u{110000}", "\\c1",
         "\\p{}",  "\\p",     "[\\d-x]", "[a-\\d]", "[\\B]",  "[\\1]", "(?=a)*", "^*",          "\\01",
         "[\\07]", "(?<=a)+", "a{1,2",   "(?:",     "*a",     "\\k",   "(?#a)"});
  // Errors that need a comparison of two parts, such as a range in reverse order, are not detected.
  check("regex", {"[z-a]", "a{3,2}", "\\9", "\\k<none>", "(?<n>a)(?<n>b)", "\\p{Nothing}"}, {});
  check("regex", {std::string(20, '(') + "a" + std::string(20, ')')},
        {std::string(21, '(') + "a" + std::string(21, ')')});
}

TEST_F(Formats, NumbersAsTheirNamesSay) {
  const auto contains = [](std::string_view name, std::string_view text) {
    const NumericFormat format = *numeric_format(name);
    const Decimal number = *Decimal::parse(text, Limits{});
    return (!format.is_integer || number.is_integer()) && number >= format.minimum->value &&
           number <= format.maximum->value;
  };
  EXPECT_TRUE(contains("int32", "2147483647"));
  EXPECT_FALSE(contains("int32", "2147483648"));
  EXPECT_FALSE(contains("int32", "1.5"));
  EXPECT_TRUE(contains("int64", "-9223372036854775808"));
  EXPECT_FALSE(contains("int64", "-9223372036854775809"));
  EXPECT_TRUE(contains("uint8", "255"));
  EXPECT_FALSE(contains("uint8", "-1"));
  EXPECT_TRUE(contains("float", "1.5"));
  EXPECT_FALSE(contains("float", "1e39"));
  EXPECT_TRUE(contains("double", "1e308"));
  EXPECT_FALSE(contains("double", "1e309"));
}

}  // namespace
}  // namespace weir::frontend::json_schema
