#include "regex/atoms/json_string.h"
#include "regex/analysis/members.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "regex/expr/print.h"
#include "unit/regex/pattern_test.h"

namespace weir::regex {
namespace {

constexpr char32_t kMax = base::kMaxCodePoint;

std::string utf8(char32_t c) {
  std::string text;
  base::append_utf8(text, c);
  return text;
}

bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

std::string hex4(unsigned unit, bool upper) {
  const char* digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
  std::string text = "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) text += digits[(unit >> shift) & 15];
  return text;
}

std::string unicode_escape(char32_t c, bool upper) {
  if (c < 0x10000) return hex4(c, upper);
  return hex4(0xD800 + ((c - 0x10000) >> 10), upper) + hex4(0xDC00 + ((c - 0x10000) & 0x3FF), upper);
}

std::optional<std::string> short_escape(char32_t c) {
  const std::string_view characters = "\"\\/\b\f\n\r\t";
  const std::string_view letters = "\"\\/bfnrt";
  const std::size_t i = c < 0x80 ? characters.find(static_cast<char>(c)) : std::string_view::npos;
  if (i == std::string_view::npos) return std::nullopt;
  return std::string{'\\', letters[i]};
}

std::optional<std::string> raw(char32_t c) {
  if (c < 0x20 || c == '"' || c == '\\' || is_surrogate(c)) return std::nullopt;
  return utf8(c);
}

/// Returns the contents that the transducer decodes from `text`, which includes the closing quote, or nullopt if `text`
/// is not a complete string. Follows all moves and expects that at most one path leads to the end.
std::optional<std::string> decode(std::string_view text, const JsonStringOptions& options) {
  struct Way {
    JsonState state;
    std::string fed;
  };
  std::vector<Way> ways = {{json_initial_state(options), ""}};
  std::optional<std::string> decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::vector<Way> next;
    for (const Way& way : ways) {
      const JsonMoves moves = json_moves(way.state, static_cast<std::uint8_t>(text[i]));
      for (std::size_t m = 0; m < moves.count; ++m) {
        const JsonMove& move = moves.moves[m];
        if (move.closes) {
          if (i + 1 != text.size()) continue;
          EXPECT_FALSE(decoded.has_value()) << text;
          decoded = way.fed;
        } else {
          next.push_back({move.next, way.fed + (move.feeds ? std::string(1, static_cast<char>(move.fed)) : "")});
        }
      }
    }
    ways = std::move(next);
  }
  return decoded;
}

/// The same for the default options, with which there is at most one move for each byte.
std::optional<std::string> decode(std::string_view text) {
  JsonState state = json_initial_state({});
  std::string fed;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const JsonMoves moves = json_moves(state, static_cast<std::uint8_t>(text[i]));
    if (moves.count != 1) return std::nullopt;
    if (moves.moves[0].closes) return i + 1 == text.size() ? std::optional(fed) : std::nullopt;
    if (moves.moves[0].feeds) fed += static_cast<char>(moves.moves[0].fed);
    state = moves.moves[0].next;
  }
  return std::nullopt;
}

/// The textbook decoder: reads the whole string into UTF-16 units, then decodes these.
std::optional<std::string> decode_slowly(std::string_view text, LoneSurrogates lone = LoneSurrogates::kForbidden) {
  std::vector<char32_t> units;
  std::size_t i = 0;
  while (i < text.size() && text[i] != '"') {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20) return std::nullopt;
    if (byte != '\\') {
      const base::Decoded d = base::decode_utf8(text, i);
      if (d.length == 0) return std::nullopt;
      units.push_back(d.code_point | 0x80000000);  // The flag marks a unit that cannot be half of a pair.
      i += d.length;
      continue;
    }
    if (i + 1 >= text.size()) return std::nullopt;
    const std::string_view letters = "\"\\/bfnrt";
    const std::string_view meanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t k = letters.find(text[i + 1]); k != std::string_view::npos) {
      units.push_back(static_cast<unsigned char>(meanings[k]));
      i += 2;
      continue;
    }
    if (text[i + 1] != 'u' || i + 6 > text.size()) return std::nullopt;
    char32_t unit = 0;
    for (std::size_t k = i + 2; k < i + 6; ++k) {
      const std::size_t digit = std::string_view("0123456789abcdef0123456789ABCDEF").find(text[k]);
      if (digit == std::string_view::npos) return std::nullopt;
      unit = unit * 16 + digit % 16;
    }
    units.push_back(unit);
    i += 6;
  }
  if (i + 1 != text.size()) return std::nullopt;
  std::string decoded;
  for (std::size_t k = 0; k < units.size(); ++k) {
    char32_t c = units[k];
    if (c >= 0xD800 && c < 0xDC00 && k + 1 < units.size() && units[k + 1] >= 0xDC00 && units[k + 1] < 0xE000) {
      c = 0x10000 + ((c - 0xD800) << 10) + (units[++k] - 0xDC00);
    } else if (is_surrogate(c) && lone == LoneSurrogates::kForbidden) {
      return std::nullopt;
    }
    base::append_utf8(decoded, c & 0x7FFFFFFF);
  }
  return decoded;
}

TEST(JsonDecoder, DecodesEveryCharacterInEverySpelling) {
  for (char32_t c = 0; c <= kMax; ++c) {
    if (is_surrogate(c)) continue;
    const std::string expected = utf8(c);
    if (const auto text = raw(c)) {
      ASSERT_EQ(decode(*text + "\""), expected) << static_cast<std::uint32_t>(c);
    }
    if (const auto text = short_escape(c)) {
      ASSERT_EQ(decode(*text + "\""), expected) << static_cast<std::uint32_t>(c);
    }
    ASSERT_EQ(decode(unicode_escape(c, false) + "\""), expected) << static_cast<std::uint32_t>(c);
    ASSERT_EQ(decode(unicode_escape(c, true) + "\""), expected) << static_cast<std::uint32_t>(c);
  }
}

TEST(JsonDecoder, LoneSurrogatesOnlyIfAskedForAndOnlyEscaped) {
  const JsonStringOptions lone{JsonEscapes::kAll, LoneSurrogates::kEscaped};
  for (char32_t c = 0xD800; c <= 0xDFFF; ++c) {
    ASSERT_EQ(decode(hex4(c, false) + "\""), std::nullopt);
    ASSERT_EQ(decode(hex4(c, true) + "\"", lone), utf8(c));
    ASSERT_EQ(decode(utf8(c) + "\"", lone), std::nullopt) << "raw";
  }
  EXPECT_EQ(decode("\\ud83d\\ude00\"", lone), "😀");
  EXPECT_EQ(decode("\\ud83d\\ud83d\\ude00\\ude00\"", lone), "\xED\xA0\xBD😀\xED\xB8\x80");
  EXPECT_EQ(decode("\\ude00\\ud83d\"", lone), "\xED\xB8\x80\xED\xA0\xBD");
  EXPECT_EQ(decode("\\ud83dx\\ude00\"", lone), "\xED\xA0\xBDx\xED\xB8\x80");
  EXPECT_EQ(decode("\\ud83d\\n\\ude00\"", lone), "\xED\xA0\xBD\n\xED\xB8\x80");
  EXPECT_EQ(decode("\\ud83d\\u0041\\ude00\"", lone),
            "\xED\xA0\xBD"
            "A\xED\xB8\x80");
}

// A lone surrogate has only the spelling `\uXXXX`, so all options for escapes allow it. kShort and kRequired do not
// allow this spelling for a pair, or for a character that can be written raw.
TEST(JsonDecoder, LoneSurrogatesUnderEachOption) {
  for (const JsonEscapes escapes : {JsonEscapes::kShort, JsonEscapes::kRequired}) {
    const JsonStringOptions lone{escapes, LoneSurrogates::kEscaped};
    for (char32_t c = 0xD000; c <= 0xDFFF; ++c) {
      const std::optional<std::string> expected = is_surrogate(c) ? std::optional(utf8(c)) : std::nullopt;
      ASSERT_EQ(decode(hex4(c, false) + "\"", lone), expected);
      ASSERT_EQ(decode(hex4(c, false) + "\"", {escapes, LoneSurrogates::kForbidden}), std::nullopt);
    }
    EXPECT_EQ(decode("\\ud83d\\ude00\"", lone), std::nullopt);
    EXPECT_EQ(decode("\\ude00\\ud83d\"", lone), "\xED\xB8\x80\xED\xA0\xBD");
  }
}

TEST(JsonDecoder, AgreesWithTheTextbookOnEveryShortText) {
  // Parts of escapes and of raw characters, and bytes that a string must not contain.
  const std::vector<std::string> letters = {"\"", "\\",   "u",    "0",    "8",    "d", "C",
                                            "n",  "\x01", "\xC3", "\xA9", "\xED", "/", "x"};
  const JsonStringOptions lone{JsonEscapes::kAll, LoneSurrogates::kEscaped};
  std::size_t strings = 0;
  std::vector<std::size_t> pick;
  const auto visit = [&](auto& self, const std::string& text, std::size_t left) -> void {
    const auto expected = decode_slowly(text);
    strings += expected.has_value() ? 1 : 0;
    ASSERT_EQ(decode(text), expected) << text;
    ASSERT_EQ(decode(text, lone), decode_slowly(text, LoneSurrogates::kEscaped)) << text;
    if (left == 0) return;
    for (const std::string& letter : letters) self(self, text + letter, left - 1);
  };
  visit(visit, "", 5);
  for (const char* prefix :
       {"\\u", "\\ud", "\\ud8", "\\u00", "\\ud800\\ud", "\\uDBFF\\u", "\\ud83d\\u00", "\\u0", "\xF0\x90", "\xE0"}) {
    visit(visit, prefix, 4);
  }
  EXPECT_GT(strings, 1000U);
}

TEST(JsonDecoder, OptionsRestrictTheSpellings) {
  const JsonStringOptions all{};
  const JsonStringOptions some{JsonEscapes::kShort};
  const JsonStringOptions required{JsonEscapes::kRequired};
  for (char32_t c = 0; c <= kMax; c += c < 0x3000 ? 1 : 97) {
    if (is_surrogate(c)) continue;
    const auto spellings = [&](const JsonStringOptions& options) {
      std::set<std::string> offered;
      const std::set<std::string> candidates = {raw(c).value_or("\\u"), short_escape(c).value_or("\\u"),
                                                unicode_escape(c, false), unicode_escape(c, true)};
      for (const std::string& text : candidates) {
        if (decode(text + "\"", options) == utf8(c)) offered.insert(text);
      }
      return offered;
    };
    std::set<std::string> expected;
    if (const auto text = raw(c)) expected.insert(*text);
    if (const auto text = short_escape(c)) expected.insert(*text);
    if (expected.empty()) expected = {unicode_escape(c, false), unicode_escape(c, true)};
    ASSERT_EQ(spellings(some), expected) << static_cast<std::uint32_t>(c);
    const std::string only = raw(c) ? *raw(c) : short_escape(c) ? *short_escape(c) : unicode_escape(c, false);
    ASSERT_EQ(spellings(required), std::set<std::string>{only}) << static_cast<std::uint32_t>(c);
    ASSERT_GE(spellings(all).size(), expected.size());
  }
}

TEST(JsonDecoder, ClassesDistinguishWhatMovesDistinguish) {
  // Tests every reachable state, for every combination of options.
  for (const JsonEscapes escapes : {JsonEscapes::kAll, JsonEscapes::kShort, JsonEscapes::kRequired}) {
    for (const LoneSurrogates lone : {LoneSurrogates::kForbidden, LoneSurrogates::kEscaped}) {
      std::vector<JsonState> states = {json_initial_state({escapes, lone})};
      std::set<JsonState> seen(states.begin(), states.end());
      for (std::size_t i = 0; i < states.size(); ++i) {
        ByteClasses classes;
        for (const ByteSet& set : json_classes(states[i])) classes.refine(set);
        std::map<std::uint8_t, std::vector<JsonState>> by_class;
        for (unsigned b = 0; b < 256; ++b) {
          const auto byte = static_cast<std::uint8_t>(b);
          const JsonMoves moves = json_moves(states[i], byte);
          std::vector<JsonState> next;
          for (std::size_t m = 0; m < moves.count; ++m) {
            const JsonMove& move = moves.moves[m];
            if (!move.closes && seen.insert(move.next).second) states.push_back(move.next);
            next.push_back(move.next);
            if (move.feeds && json_is_raw(states[i])) {
              ASSERT_EQ(move.fed, byte);
            }
            // Inside an escape, the fed byte must also be the same for all bytes of a class.
            if (move.feeds && !json_is_raw(states[i])) next.push_back(JsonState{move.fed});
          }
          const auto [known, is_new] = by_class.emplace(classes.class_of(byte), next);
          ASSERT_TRUE(is_new || known->second == next) << json_state_name(states[i]) << " " << b;
        }
      }
      EXPECT_GT(states.size(), 10U);
    }
  }
}

// json_fed_next() has each byte that the text can feed next, however many bytes of text that takes.
TEST(JsonDecoder, FedBytesAreKnownInAdvance) {
  for (const JsonEscapes escapes : {JsonEscapes::kAll, JsonEscapes::kShort, JsonEscapes::kRequired}) {
    for (const LoneSurrogates lone : {LoneSurrogates::kForbidden, LoneSurrogates::kEscaped}) {
      std::vector<JsonState> states = {json_initial_state({escapes, lone})};
      std::set<JsonState> seen(states.begin(), states.end());
      std::size_t narrow = 0;
      for (std::size_t i = 0; i < states.size(); ++i) {
        std::vector<JsonState> silent = {states[i]};  // reached without feeding
        for (std::size_t s = 0; s < silent.size(); ++s) {
          for (unsigned byte = 0; byte < 256; ++byte) {
            const JsonMoves moves = json_moves(silent[s], static_cast<std::uint8_t>(byte));
            for (std::size_t m = 0; m < moves.count; ++m) {
              const JsonMove& move = moves.moves[m];
              if (!move.closes && seen.insert(move.next).second) states.push_back(move.next);
              if (!move.closes && !move.feeds) silent.push_back(move.next);
              const std::optional<ByteSet> fed = move.feeds ? json_fed_next(states[i]) : std::nullopt;
              ASSERT_TRUE(!fed || fed->contains(move.fed)) << json_state_name(states[i]) << " " << int{move.fed};
            }
          }
        }
        narrow += json_fed_next(states[i]).has_value() ? 1 : 0;
      }
      EXPECT_GE(narrow, escapes == JsonEscapes::kAll ? 1U : 5U);
    }
  }
}

class JsonString : public PatternTest {
 protected:
  std::size_t count_states(ExprId e) {
    std::vector<ExprId> states = {e};
    std::set<ExprId> seen = {e, ExprId::kNothing};
    for (std::size_t i = 0; i < states.size(); ++i) {
      for (unsigned b = 0; b < 256; ++b) {
        const ExprId d = exprs_.derivative(states[i], static_cast<std::uint8_t>(b));
        if (seen.insert(d).second) states.push_back(d);
      }
    }
    return states.size();
  }
};

// Where few characters have escapes, a backslash before any other character is refused without a search.
TEST_F(JsonString, EscapesThatCannotComeAreRefused) {
  for (const char* const text : {"property", "x/y", "\xC3\xA9"}) {
    const ExprId e = json_string_tail(exprs_, exprs_.literal(text), {JsonEscapes::kRequired});
    EXPECT_EQ(exprs_.derivative(e, '\\'), ExprId::kNothing) << text;
  }
  const ExprId quoted = json_string_tail(exprs_, exprs_.literal("\"x"), {JsonEscapes::kRequired});
  EXPECT_NE(exprs_.derivative(quoted, '\\'), ExprId::kNothing);
}

TEST_F(JsonString, AnyStringHasFewStates) {
  const ExprId any = json_string(exprs_, ExprId::kAllStrings);
  EXPECT_EQ(any, json_string(exprs_, exprs_.complement(ExprId::kNothing)));
  // One state before the opening quote, one after the closing quote, one between characters, 7 inside raw characters
  // and 20 inside escapes.
  EXPECT_EQ(count_states(any), 30U);
  EXPECT_LT(exprs_.node_count(), 60U);
  EXPECT_EQ(count_states(json_string(exprs_, ExprId::kAllStrings, {JsonEscapes::kRequired})), 16U);
}

TEST_F(JsonString, StatesOfSomeLanguages) {
  // The numbers of states show the cost of the product with the decoder: `contents` for the pattern alone, `texts` for
  // the JSON strings with these contents.
  struct Case {
    const char* pattern;
    std::size_t contents;
    std::size_t texts;
  };
  for (const Case& c :
       {Case{".*", 8, 34}, Case{"[a-z]+", 2, 26}, Case{".{0,3}", 25, 108}, Case{"(true|false|null)", 11, 123}}) {
    const ExprId e = regex(c.pattern);
    EXPECT_LE(count_states(e), c.contents) << c.pattern;
    EXPECT_LE(count_states(json_string(exprs_, e)), c.texts) << c.pattern;
  }
}

TEST_F(JsonString, OperationsOnContentsAreOperationsOnTexts) {
  const std::vector<const char*> patterns = {"",      "a*",       "[a-c]{2,5}", "(ab|ba)*",
                                             ".*é.*", "~(.*b.*)", "😀+|x",       "[^a]*&.{1,3}"};
  const ExprId any = json_string_tail(exprs_, ExprId::kAllStrings);
  for (const char* p : patterns) {
    const ExprId a = regex(p);
    const ExprId text_a = json_string_tail(exprs_, a);
    EXPECT_EQ(exprs_.intersection(any, exprs_.complement(text_a)), json_string_tail(exprs_, exprs_.complement(a))) << p;
    EXPECT_EQ(exprs_.alternation(any, text_a), any) << p;
    for (const char* q : patterns) {
      const ExprId b = regex(q);
      const ExprId text_b = json_string_tail(exprs_, b);
      EXPECT_EQ(exprs_.intersection(text_a, text_b), json_string_tail(exprs_, exprs_.intersection(a, b)))
          << p << " " << q;
      EXPECT_EQ(exprs_.alternation(text_a, text_b), json_string_tail(exprs_, exprs_.alternation(a, b)))
          << p << " " << q;
    }
  }
}

/// Returns a random string of characters that occur in the patterns below and of others, with all lengths in UTF-8.
std::u32string random_string(std::mt19937& random) {
  const std::u32string alphabet = U"aab\"\\/\n\t\x01 0é\u07FF\u0800你\uFFFF😀\U0010FFFF";
  std::u32string s;
  for (std::size_t n = random() % 6; n > 0; --n) s += alphabet[random() % alphabet.size()];
  return s;
}

std::string random_spelling(char32_t c, std::mt19937& random) {
  std::vector<std::string> spellings = {unicode_escape(c, random() % 2 == 0)};
  for (char& digit : spellings[0]) {  // Each letter digit has a random case.
    if (digit >= 'a' && digit <= 'f' && random() % 2 == 0) digit = static_cast<char>(digit - 'a' + 'A');
  }
  if (const auto text = raw(c)) spellings.insert(spellings.end(), 3, *text);
  if (const auto text = short_escape(c)) spellings.push_back(*text);
  return spellings[random() % spellings.size()];
}

TEST_F(JsonString, RandomSpellingsOfRandomStrings) {
  std::mt19937 random(11);
  const std::vector<const char*> patterns = {".*",
                                             "a*",
                                             ".{3}",
                                             ".{2,4}",
                                             "[^a]*",
                                             "a.*b|.*a",
                                             "~(.*a.*)",
                                             "(.*a.*)&(.*b.*)",
                                             "~(a|b)",
                                             ".*[\"\\\\].*",
                                             "(a|aa|é)*",
                                             "[\\u4E00-\\u9FFF]+",
                                             ".*😀.*&.{1,3}",
                                             "[^\\x00-\\x1F]*",
                                             "(?=.*a)(?!.*b).*",
                                             "~(.{2}).*",
                                             "\\p{L}*",
                                             "[^\\p{L}]+",
                                             "(.{0,2}a){1,2}",
                                             "\\x{10FFFF}|\\x{FFFF}|\\x{7FF}",
                                             "~(.*(aa|bb|\\n).*)",
                                             ".*\\x{800}~(.*a)"};
  std::size_t members = 0;
  std::size_t all = 0;
  for (const char* pattern : patterns) {
    const ExprId e = regex(pattern);
    const ExprId texts = json_string(exprs_, e);
    const ExprId others = json_string(exprs_, exprs_.complement(e));
    for (int i = 0; i < 2000; ++i) {
      const std::u32string s = random_string(random);
      std::string decoded;
      std::string text = "\"";
      for (const char32_t c : s) {
        decoded += utf8(c);
        text += random_spelling(c, random);
      }
      text += '"';
      const bool member = exprs_.matches(e, decoded);
      ASSERT_EQ(exprs_.matches(texts, text), member) << pattern << " " << text;
      ASSERT_EQ(exprs_.matches(others, text), !member) << pattern << " " << text;
      // With one byte replaced, it is a string with other contents, or no string. It is never in both sets.
      std::string damaged = text;
      damaged[random() % damaged.size()] = static_cast<char>("\"\\u0dx\x01\xC3\xBF"[random() % 9]);
      const auto other = damaged.front() == '"' ? decode_slowly(damaged.substr(1)) : std::nullopt;
      ASSERT_EQ(exprs_.matches(texts, damaged), other && exprs_.matches(e, *other)) << pattern << " " << damaged;
      ASSERT_EQ(exprs_.matches(others, damaged), other && !exprs_.matches(e, *other)) << pattern << " " << damaged;
      members += member ? 1 : 0;
      ++all;
    }
  }
  EXPECT_GT(members, all / 10);
  EXPECT_LT(members, all * 9 / 10);
}

TEST_F(JsonString, LoneSurrogatesInExpressions) {
  const JsonStringOptions lone{JsonEscapes::kAll, LoneSurrogates::kEscaped};
  const ExprId high = exprs_.literal("\xED\xA0\xBD");
  EXPECT_TRUE(exprs_.matches(json_string(exprs_, high, lone), "\"\\ud83d\""));
  EXPECT_FALSE(exprs_.matches(json_string(exprs_, high), "\"\\ud83d\""));
  EXPECT_EQ(emptiness(exprs_, json_string(exprs_, high), 1000), Emptiness::kEmpty);
  const ExprId pair = exprs_.literal("😀");
  EXPECT_TRUE(exprs_.matches(json_string(exprs_, pair, lone), "\"\\ud83d\\ude00\""));
  const ExprId any = json_string(exprs_, ExprId::kAllStrings, lone);
  for (const char* text : {R"("\ud83d")", R"("\ud83d\ud83d\ude00\ude00")", R"("\ud83d\u0041")", R"("a\udc00")"}) {
    EXPECT_TRUE(exprs_.matches(any, text)) << text;
    EXPECT_FALSE(exprs_.matches(json_string(exprs_, ExprId::kAllStrings), text)) << text;
  }
  EXPECT_LT(count_states(any), 60U);
}

TEST_F(JsonString, EmptinessAndMembers) {
  EXPECT_EQ(json_string(exprs_, ExprId::kNothing), ExprId::kNothing);
  EXPECT_EQ(emptiness(exprs_, json_string(exprs_, exprs_.byte_set(ByteSet::of(0x80))), 1000), Emptiness::kEmpty);
  EXPECT_EQ(emptiness(exprs_, json_string(exprs_, regex("a{1000}")), 100'000), Emptiness::kNonEmpty);
  EXPECT_EQ(emptiness(exprs_, json_string(exprs_, regex("(.*a.*)&~(.*a.*)")), 1000), Emptiness::kEmpty);
  EXPECT_EQ(shortest_member(exprs_, json_string(exprs_, regex("\\n|aaa")), 1000), "\"\\n\"");
  EXPECT_EQ(shortest_member(exprs_, json_string(exprs_, regex("\\x01")), 10'000), "\"\\u0001\"");
  // If two sets of contents have no common member, their JSON strings have none.
  const ExprId both = exprs_.intersection(json_string(exprs_, regex("(aa)+")), json_string(exprs_, regex("a(aa)*")));
  EXPECT_EQ(emptiness(exprs_, both, 1000), Emptiness::kEmpty);
}

TEST_F(JsonString, ClassesHoldForEveryResidual) {
  for (const char* pattern : {".*", "[a-f]*\"?", "é|你|😀", "~(a|\\n)", ".{1,2}"}) {
    const ExprId e = json_string(exprs_, regex(pattern));
    ByteClasses classes;
    exprs_.refine_classes(e, classes);
    EXPECT_LT(classes.count(), 80U);
    std::vector<ExprId> states = {e};
    std::set<ExprId> seen = {e};
    for (std::size_t i = 0; i < states.size(); ++i) {
      std::map<std::uint8_t, ExprId> by_class;
      for (unsigned b = 0; b < 256; ++b) {
        const ExprId d = exprs_.derivative(states[i], static_cast<std::uint8_t>(b));
        if (seen.insert(d).second) states.push_back(d);
        const auto [known, is_new] = by_class.emplace(classes.class_of(static_cast<std::uint8_t>(b)), d);
        ASSERT_EQ(known->second, d) << pattern << " byte " << b << " of " << to_string(exprs_, states[i]);
      }
    }
  }
}

TEST_F(JsonString, WithinLargerExpressions) {
  const ExprId key = json_string(exprs_, regex("a|b"));
  const ExprId any = json_string(exprs_, ExprId::kAllStrings);
  const std::vector<ExprId> parts = {exprs_.literal("{"), key, exprs_.literal(":"), any, exprs_.literal("}")};
  const ExprId object = exprs_.concat(parts);
  EXPECT_TRUE(exprs_.matches(object, R"({"\u0061":"}\""})"));
  EXPECT_FALSE(exprs_.matches(object, R"({"c":""})"));
  const ExprId list = exprs_.repeat(exprs_.concat(any, exprs_.literal(",")), 2, 3);
  EXPECT_TRUE(exprs_.matches(list, R"("a","\"",)"));
  EXPECT_FALSE(exprs_.matches(list, R"("a",)"));
  // A string of JSON text inside a string.
  const ExprId nested = json_string(exprs_, json_string(exprs_, regex("a\"")));
  EXPECT_TRUE(exprs_.matches(nested, R"("\"a\\\"\"")"));
  EXPECT_FALSE(exprs_.matches(nested, R"("\"a\"\"")"));
  EXPECT_FALSE(to_string(exprs_, nested).empty());
  ExprSet small(10);
  EXPECT_EQ(json_string(small, small.literal("abcdefghijkl")), ExprId::kOverflow);
}

// A mask asks of each residual whether it has a member: for words beyond ASCII no search answers that.
TEST_F(JsonString, TextsBeyondAsciiAreKnownToHaveMembers) {
  const ExprId words = exprs_.alternation(std::vector{exprs_.literal("漢字"), exprs_.literal("漠河"), exprs_.literal("é"),
                                                      exprs_.literal("жук"), exprs_.literal("🌀x"), exprs_.literal("🌷")});
  ExprId in_text = json_string_tail(exprs_, words);
  for (const char byte : std::string("漠河\"")) {
    EXPECT_EQ(exprs_.emptiness_if_known(in_text), Emptiness::kNonEmpty);
    EXPECT_EQ(exprs_.emptiness_if_known(exprs_.derivative(words, 0xF0)), Emptiness::kNonEmpty);
    in_text = exprs_.derivative(in_text, static_cast<std::uint8_t>(byte));
  }
  EXPECT_EQ(in_text, ExprId::kEpsilon);
}

// Bytes that no text has are not taken for a text.
TEST_F(JsonString, BytesThatAreNoTextAreNotKnownAsOne) {
  for (const char* bytes : {"\x80", "\xC3", "\xC3z", "\xC1\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xE4\xB8", "\xE4\xB8z",
                            "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE4\xB8\xAD\xFF"}) {
    EXPECT_FALSE(exprs_.has_plain_text(exprs_.literal(bytes)));
    EXPECT_NE(emptiness(exprs_, json_string_tail(exprs_, exprs_.literal(bytes)), 1'000), Emptiness::kNonEmpty);
  }
  for (const char* text : {"\xC3\xA9", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "\xE4\xB8\xAD z"})
    EXPECT_TRUE(exprs_.has_plain_text(exprs_.literal(text)));
}

}  // namespace
}  // namespace weir::regex
