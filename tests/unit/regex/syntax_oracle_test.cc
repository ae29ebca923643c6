// Compares random small patterns on all short texts with other engines: with std::regex for the core of ECMA-262, and
// with PCRE2 for all constructs that both have, especially assertions.
#include <gtest/gtest.h>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // In libstdc++'s <regex>, with sanitizers.
#endif
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <memory>
#include <optional>
#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "regex/syntax/parser.h"
#include "rounds.h"
#include "unit/regex/syntax_testing.h"
#include "unit/regex/syntax_tree_matcher.h"

namespace weir::regex {
namespace {

using testing::Pattern;

/// Returns all texts of up to `length` characters of `alphabet`.
std::vector<std::string> all_texts(const std::vector<std::string>& alphabet, int length) {
  std::vector<std::string> out = {""};
  for (std::size_t begin = 0; length > 0; --length) {
    const std::size_t end = out.size();
    for (std::size_t i = begin; i < end; ++i) {
      for (const std::string& c : alphabet) out.push_back(out[i] + c);
    }
    begin = end;
  }
  return out;
}

/// The constructs that a generated pattern may contain.
struct World {
  std::vector<std::string> atoms = {};       ///< Each matches one character.
  std::vector<std::string> assertions = {};  ///< Each matches at most the empty text.
  bool look_ahead = false;
  bool look_behind = false;
};

class Generator {
 public:
  Generator(const World& world, std::uint32_t seed) : world_(world), random_(seed) {}

  /// Returns a pattern of about `size` atoms.
  std::string pattern(int size) {
    if (size <= 1) return leaf();
    switch (below(world_.look_ahead || world_.look_behind ? 8 : 5)) {
      case 0: {
        const int left = 1 + below(size - 1);
        return "(?:" + pattern(left) + "|" + pattern(size - left) + ")";
      }
      case 1: return "(?:" + pattern(size - 1) + ")" + quantifier();
      case 5:
      case 6:
        if (world_.look_behind && below(2) == 0) {
          // PCRE2 supports only look-behind in which each branch has a fixed length.
          std::string body = fixed(1 + below(2));
          if (below(3) == 0) body += "|" + fixed(below(3));
          return (below(2) == 0 ? "(?<=" : "(?<!") + body + ")" + pattern(size - 1);
        }
        return (below(2) == 0 ? "(?=" : "(?!") + pattern(1 + below(size - 1)) + ")" + pattern(size - 1);
      default: {
        const int left = 1 + below(size - 1);
        return pattern(left) + pattern(size - left);
      }
    }
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint32_t>(n)); }
  std::string one_of(const std::vector<std::string>& list) { return list[random_() % list.size()]; }
  std::string atom() { return one_of(world_.atoms); }
  std::string leaf() {
    if (!world_.assertions.empty() && below(4) == 0) return one_of(world_.assertions);
    return below(3) == 0 ? atom() + quantifier() : atom();
  }
  std::string fixed(int length) {
    std::string out;
    for (; length > 0; --length) {
      if (!world_.assertions.empty() && below(4) == 0) out += one_of(world_.assertions);
      out += atom();
    }
    return out;
  }
  std::string quantifier() { return one_of({"*", "+", "?", "*?", "{2}", "{1,2}", "{0,1}?", "{2,}", "{0}"}); }

  const World& world_;
  std::mt19937 random_;
};

// --- std::regex ---

void compare_with_std_regex(const World& world) {
  const std::vector<std::string> texts = all_texts({"a", "b"}, 4);
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const std::string text = Generator(world, seed).pattern(1 + static_cast<int>(seed % 6));
    const std::regex theirs(text, std::regex::ECMAScript);
    for (const char* options : {"", "f"}) {
      Pattern ours(text, options);
      ASSERT_FALSE(ours.failed()) << text << ": " << ours.error().message;
      for (const std::string& subject : texts) {
        const bool expected = *options == '\0' ? std::regex_match(subject, theirs) : std::regex_search(subject, theirs);
        ASSERT_EQ(ours.matches(subject), expected) << text << " on `" << subject << "`, options `" << options << "`";
      }
    }
  }
}

/// Anchors and look-ahead are tested separately, because libstdc++ treats the position of a look-ahead as the beginning
/// of the text inside it.
TEST(SyntaxOracle, AgreesWithStdRegexOnTheCoreOfEcma) {
  World world = {.atoms = {"a", "b", "[ab]", "[^a]", ".", "\\w", "(a)", "[^b]", "\\x61"},
                 .assertions = {"^", "$", "\\b", "\\B"}};
  compare_with_std_regex(world);
  world.assertions.clear();
  world.look_ahead = true;
  compare_with_std_regex(world);
}

// --- PCRE2 ---

class Pcre {
 public:
  Pcre(const std::string& pattern, std::string_view letters) {
    std::uint32_t options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_ALT_CIRCUMFLEX | PCRE2_ALLOW_EMPTY_CLASS;
    for (char c : letters) {
      if (c == 'i') options |= PCRE2_CASELESS;
      if (c == 'm') options |= PCRE2_MULTILINE;
      if (c == 's') options |= PCRE2_DOTALL;
      if (c == 'x') options |= PCRE2_EXTENDED;
      if (c == 'f') anchors_ = 0;
    }
    int error = 0;
    PCRE2_SIZE offset = 0;
    code_.reset(pcre2_compile(bytes(pattern), pattern.size(), options, &error, &offset, nullptr));
    if (code_) data_.reset(pcre2_match_data_create_from_pattern(code_.get(), nullptr));
  }
  [[nodiscard]] bool valid() const { return code_ != nullptr; }
  /// Returns true if `text` matches, or nullopt if PCRE2 meets a limit or the text is not valid UTF-8.
  [[nodiscard]] std::optional<bool> matches(const std::string& text) const {
    const int rc = pcre2_match(code_.get(), bytes(text), text.size(), 0, anchors_, data_.get(), nullptr);
    if (rc > 0) return true;
    if (rc == PCRE2_ERROR_NOMATCH) return false;
    return std::nullopt;
  }

 private:
  static PCRE2_SPTR bytes(const std::string& text) { return reinterpret_cast<PCRE2_SPTR>(text.data()); }
  struct FreeCode {
    void operator()(pcre2_code* code) const { pcre2_code_free(code); }
  };
  struct FreeData {
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  };
  std::uint32_t anchors_ = PCRE2_ANCHORED | PCRE2_ENDANCHORED;
  std::unique_ptr<pcre2_code, FreeCode> code_;
  std::unique_ptr<pcre2_match_data, FreeData> data_;
};

bool matches_by_tree(const SyntaxTree& tree, const std::string& subject, std::string_view options) {
  testing::TreeMatcher matcher(tree, subject);
  return options.find('f') == std::string_view::npos ? matcher.matches() : matcher.contains_match();
}

/// Compares `patterns` patterns of `world` with PCRE2 on all `texts`, with each of `option_sets`.
void compare_with_pcre(const World& world, const std::vector<std::string>& texts, std::uint32_t patterns,
                       const std::vector<std::string>& option_sets, std::uint32_t largest) {
  std::size_t compared = 0;
  const std::uint32_t rounds = tests::rounds(patterns);
  for (std::uint32_t seed = 0; seed < rounds; ++seed) {
    const std::string text = Generator(world, seed).pattern(1 + static_cast<int>(seed % largest));
    for (const std::string& options : option_sets) {
      const Pcre theirs(text, options);
      ASSERT_TRUE(theirs.valid()) << text;
      const Result<SyntaxTree> tree = parse_pattern(text, testing::options_of(options), Limits());
      ASSERT_TRUE(tree) << text;
      Pattern ours(text, options);
      ASSERT_FALSE(ours.failed()) << text << ": " << ours.error().message;
      for (const std::string& subject : texts) {
        const std::optional<bool> expected = theirs.matches(subject);
        if (!expected) continue;
        ++compared;
        ASSERT_EQ(matches_by_tree(*tree, subject, options), *expected)
            << text << " on `" << ::testing::PrintToString(subject) << "`, options `" << options << "`, by its tree";
        ASSERT_EQ(ours.matches(subject), *expected)
            << text << " on `" << ::testing::PrintToString(subject) << "`, options `" << options << "`";
      }
    }
  }
  EXPECT_GT(compared, rounds * texts.size());  // PCRE2 does not give up on these.
}

TEST(SyntaxOracle, AgreesWithPcreWithoutAssertions) {
  const World world = {.atoms = {"a", "b", "[ab]", "[^a]", ".", "é", "[é-ü]", "\\D", "[^\\w]", "(b)", "\\x{e9}"}};
  compare_with_pcre(world, all_texts({"a", "b", "é", "\n"}, 3), 1500, {"", "f", "s", "i"}, 8);
}

TEST(SyntaxOracle, AgreesWithPcreOnAnchorsAndBoundaries) {
  const World world = {.atoms = {"a", "-", "[^a]", ".", "\\n", "\\w", "\\W", "[a\\n]"},
                       .assertions = {"^", "$", "\\b", "\\B", "\\A", "\\z", "\\Z"}};
  compare_with_pcre(world, all_texts({"a", "-", "\n"}, 4), 1200, {"", "f", "m", "mf"}, 6);
}

TEST(SyntaxOracle, AgreesWithPcreOnLookAround) {
  const World world = {.atoms = {"a", "b", "[ab]", "[^a]", "."}, .look_ahead = true, .look_behind = true};
  compare_with_pcre(world, all_texts({"a", "b"}, 5), 1500, {"", "f"}, 7);
}

TEST(SyntaxOracle, AgreesWithPcreOnEverythingTogether) {
  const World world = {.atoms = {"a", "-", "é", "[^a]", ".", "\\n", "\\w"},
                       .assertions = {"^", "$", "\\b", "\\B", "\\Z", "(?:^|-)", "(?:\\b|a)"},
                       .look_ahead = true,
                       .look_behind = false};
  const World after = {.atoms = {"a", "-", "[^a]", ".", "\\n"},
                       .assertions = {"^", "$", "\\b", "\\B"},
                       .look_ahead = true,
                       .look_behind = true};
  compare_with_pcre(world, all_texts({"a", "-", "\n", "é"}, 3), 800, {"", "f", "mf", "si"}, 6);
  compare_with_pcre(after, all_texts({"a", "-", "\n"}, 4), 800, {"", "f", "mf"}, 6);
}

// --- Only the slow matcher: constructs that PCRE2 lacks ---

/// Operators and look-behind of any length.
TEST(SyntaxOracle, AgreesWithTheSlowMatcherOnOperatorsAndFreeLookBehind) {
  const World operators = {
      .atoms = {"a", "b", "~a", "[^a]", ".", "~(?:a|bb)", "(?:a*&.b*)", "(?:~(a*)&.{2})", "(?:~.?)"}};
  const World free = {
      .atoms = {"a", "b", "[^a]", "."},
      .assertions = {"(?<=a+b*)", "(?<!b.*)", "(?<=^|a{2,})", "(?<=(?<!a)b)", "(?<=a(?=b))", "(?=.*(?<=b)$)"},
      .look_ahead = true};
  const World top = {.atoms = {"a", "b", "[^a]", "."}, .assertions = {"\\b", "$", "^"}, .look_ahead = true};
  const std::vector<std::string> texts = all_texts({"a", "b"}, 5);
  for (std::uint32_t seed = 0; seed < tests::rounds(1500U); ++seed) {
    Generator first(operators, seed);
    Generator second(free, seed);
    Generator third(top, seed);
    const int size = 1 + static_cast<int>(seed % 6);
    const std::string whole = third.pattern(size) + "&~(" + third.pattern(size) + ")|" + third.pattern(1);
    for (const std::string& text : {first.pattern(size), second.pattern(size), whole}) {
      for (const char* options : {"o", "of"}) {
        if (text == whole && options[1] == 'f') continue;
        const Result<SyntaxTree> tree = parse_pattern(text, testing::options_of(options), Limits());
        ASSERT_TRUE(tree) << text;
        Pattern ours(text, options);
        ASSERT_FALSE(ours.failed()) << text << ": " << ours.error().message;
        for (const std::string& subject : texts) {
          ASSERT_EQ(ours.matches(subject), matches_by_tree(*tree, subject, options))
              << text << " on `" << subject << "`, options `" << options << "`";
        }
      }
    }
  }
}

/// Written patterns with constructs that the generator does not make.
TEST(SyntaxOracle, AgreesWithPcreOnWrittenPatterns) {
  const std::vector<std::string> texts = all_texts(
      {"a", "B", "1", "_", " ", ".", "-", "k", "\xE2\x84\xAA" /* Kelvin sign */, "\xC5\xBF" /* long s */, "]"}, 2);
  for (const char* pattern : {"[[:alpha:]]+",
                              "[^[:alnum:]_]",
                              "[[:^digit:]]",
                              "[[:punct:]]",
                              "(?i)[j-l]",
                              "(?i)s|k",
                              "(?i)[^k]",
                              "(?i:b)a",
                              "a(?i)b|K",
                              "(?x) a # c\n b",
                              "\\p{L}+",
                              "\\P{Lu}",
                              "\\p{^Nd}",
                              "[\\p{L}\\d]",
                              "[\\w.-]",
                              "[+-\\-.]",
                              "\\x41|\\x61",
                              "[\\]a]",
                              "[^\\]]",
                              "[a^]",
                              "[-a]",
                              "[a-]",
                              "a{",
                              "a{1",
                              "a{x}",
                              "a{,",
                              "{",
                              "}",
                              "]",
                              "a{1,2",
                              "\\.\\-\\_\\ ",
                              "(?#c)a",
                              "(?<n>a)(?P<m>B)",
                              "(?s).",
                              "(?-s).",
                              "\\cA|a",
                              "\\x{61}|\\x6B",
                              "(?=.*\\d)(?=.*[a-z]).*",
                              "\\ba\\b",
                              "(?!a|B).*"}) {
    for (const char* options : {"", "f", "i"}) {
      // If case is ignored, weir folds named classes, like Rust. PCRE2 does not.
      const std::string_view text = pattern;
      const bool has_named = text.find("[:") != text.npos || text.find_first_of("pPwW", text.find('\\')) != text.npos;
      if (*options == 'i' && has_named) continue;
      const Pcre theirs(pattern, options);
      ASSERT_TRUE(theirs.valid()) << pattern;
      Pattern ours(pattern, options);
      ASSERT_FALSE(ours.failed()) << pattern << ": " << ours.error().message;
      for (const std::string& subject : texts) {
        const std::optional<bool> expected = theirs.matches(subject);
        ASSERT_TRUE(expected) << pattern;
        EXPECT_EQ(ours.matches(subject), *expected)
            << pattern << " on `" << subject << "`, options `" << options << "`";
      }
    }
  }
}

/// Random pieces of syntax, most of which are no valid pattern. Patterns that both accept must have the same meaning.
TEST(SyntaxOracle, AgreesWithPcreOnRandomText) {
  const std::vector<std::string> pieces = {
      "a",    "b",    "1",    "_",    "-",     "^",    "$",    "\\b",   "\\B",       "(",          "(",
      ")",    ")",    "(?:",  "(?=",  "(?!",   "(?<=", "(?<!", "|",     "|",         "*",          "+",
      "?",    "{",    "}",    "{2}",  "{1,2}", "{1",   "[",    "]",     "[^",        "[a-b]",      "[^a]",
      "\\d",  "\\W",  "\\s",  "\\n",  "\\x61", "\\",   "\\Z",  "\\A",   "\\z",       ".",          "(?i)",
      "(?i:", "(?s)", "(?m)", "(?x)", " ",     "#",    "\n",   "(?#c)", "[:alpha:]", "[:^digit:]", "A",
      "\\pN", "é",    "\\.",  "\\-",  ",",     "&",    "~",    "(?<n>", "\\cA",      "\\0"};
  const std::vector<std::string> texts = {"",    "a",   "b",   "A",   "1",    "_", "-",  "\n", "ab", "ba", "aa",  "a1",
                                          "a-b", "-a",  "a\n", "\na", "a\nb", "é", "aé", " a", "]",  "a]", "{",   "a{",
                                          "{a}", "a{1", "aaa", "b#",  "#",    ",", "&",  "~a", "::", "[a", "\x01"};
  std::mt19937 random(11);
  int both = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (auto n = 1 + random() % 7; n > 0; --n) text += pieces[random() % pieces.size()];
    const Pcre theirs(text, "");
    if (!theirs.valid()) continue;
    Pattern ours(text);
    if (ours.failed()) {
      EXPECT_NE(ours.error().code, ErrorCode::kInternal) << text;
      continue;
    }
    // PCRE2 fails to match an empty class with a quantifier, whatever follows it.
    if (text.find("[]") != std::string::npos) continue;
    ++both;
    for (const std::string& subject : texts) {
      const std::optional<bool> expected = theirs.matches(subject);
      if (!expected) continue;
      ASSERT_EQ(ours.matches(subject), *expected) << text << " on `" << ::testing::PrintToString(subject) << "`";
    }
  }
  EXPECT_GT(both, 4'000);
}

/// PCRE2 folds case with its own tables.
TEST(SyntaxOracle, AgreesWithPcreOnCaseOfEveryLetter) {
  for (char32_t c = 0x41; c < 0x2FFF; ++c) {
    const std::string letter = [&] {
      std::string text;
      base::append_utf8(text, c);
      return text;
    }();
    if (c < 0x80 && !((c | 0x20U) >= 'a' && (c | 0x20U) <= 'z')) continue;
    Pattern ours(letter, "i");
    ASSERT_FALSE(ours.failed());
    const Pcre theirs(letter, "i");
    ASSERT_TRUE(theirs.valid());
    for (std::int32_t delta : {0, 1, -1, 32, -32, 80, -80}) {
      const auto other = static_cast<char32_t>(static_cast<std::int32_t>(c) + delta);
      if (other > base::kMaxCodePoint) continue;
      std::string subject;
      base::append_utf8(subject, other);
      EXPECT_EQ(ours.matches(subject), theirs.matches(subject)) << letter << " on " << subject;
    }
  }
}

}  // namespace
}  // namespace weir::regex
