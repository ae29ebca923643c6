// The dialect of ECMA-262: written cases, and a comparison with Node if it is installed.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "unit/regex/syntax_testing.h"

namespace weir::regex {
namespace {

using testing::Pattern;

struct Case {
  std::string_view pattern;
  std::vector<std::string_view> in;
  std::vector<std::string_view> out;
  std::string_view letters = "e";
};

void check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    Pattern pattern(c.pattern, c.letters);
    ASSERT_FALSE(pattern.failed()) << c.pattern << ": " << pattern.error().message;
    for (const std::string_view text : c.in) EXPECT_TRUE(pattern.matches(text)) << c.pattern << " :: " << text;
    for (const std::string_view text : c.out) EXPECT_FALSE(pattern.matches(text)) << c.pattern << " :: " << text;
  }
}

TEST(SyntaxEcma, IdentityEscapes) {
  check({
      {R"(\_\-\@\/\:\~\&)", {"_-@/:~&"}, {}},
      {R"(\a\e\h\i\A\z\Z\Q\g)", {"aehiAzZQg"}, {""}},
      {R"([\a\B\k\-])", {"a", "B", "k", "-"}, {"\\", "\b"}},
      {"\\\u00E9[\\\u4F60]", {"\u00E9\u4F60"}, {"e"}},
      {R"(\k<n>)", {"k<n>"}, {}},
      {R"(\x4\xG\u12\U0041)", {"x4xGu12U0041"}, {}},
      {R"(\x41\u0041\u{41}\u{000041})", {"AAAA"}, {}},
      {R"(\x{3})", {"xxx"}, {"x{3}", "\x03"}},
  });
}

TEST(SyntaxEcma, ControlsAndOctals) {
  check({
      {R"(\cA\ca)", {"\x01\x01"}, {}},
      {R"(\c\c1)", {R"(\c\c1)"}, {"\x11"}},
      {R"([\c1][\c_][\c])",
       {"\x11\x1F\\",
        "\x11\x1F"
        "c"},
       {"111"}},
      {R"(\1\12\101\8)", {"\x01\nA8"}, {}},
      {R"(\400[\18])", {" 0\x01", " 08"}, {}},
      {R"(\377\3771)", {"ÿÿ1"}, {}},
      {R"(\0)", {std::string_view("\0", 1)}, {"0"}},
  });
}

TEST(SyntaxEcma, BracketsAndBraces) {
  check({
      {"^[[a-z]*[-]?[a-z]*]*$", {"", "[", "ab-c]]", "-]"}, {"1", "a1"}, "ef"},
      {"[[:alpha:]]", {"a]", ":]", "[]"}, {"a", "b]"}},
      {"[]a]", {}, {"]", "a", "a]"}},
      {"[^]a]", {"xa]", "]a]"}, {"a]"}},
      {"a{,2}b{1, 2}", {"a{,2}b{1, 2}"}, {"aab"}},
      {"{}]}x{2}", {"{}]}xx"}, {}},
      {"a{2,}b{2}", {"aabb", "aaabb"}, {"abb"}},
      {R"([\d-x][a-\w])", {"1a", "--", "x_"}, {"w.", "aa"}},
  });
}

TEST(SyntaxEcma, CharactersAndProperties) {
  check({
      {R"(\s)", {"\t", "\xEF\xBB\xBF", "\xC2\xA0", "\xE2\x80\xA8", "\xE3\x80\x80"}, {"\xC2\x85", "\xE2\x80\x8B"}},
      {R"(\d\w)", {"1_"}, {"\xD9\xA1_", "1\xC3\xA9"}},
      {".", {"\xC2\x85", "\t"}, {"\n", "\r", "\xE2\x80\xA8", "\xE2\x80\xA9"}},
      {R"(\p{Letter}\p{Lu}\P{gc=Nd}\p{Script=Greek}\p{scx=Grek})", {"aA-\xCE\xB1\xCE\xA9"}, {"aa-\xCE\xB1\xCE\xA9"}},
      {R"(\uD83D\uDE00)", {"\xF0\x9F\x98\x80"}, {}},
      {R"(a|\uD83D)", {"a"}, {"\xF0\x9F\x98\x80"}},
      {"^a$", {"a"}, {"a\n", "b\na"}, "ef"},
      {"(?<year>[0-9]+)(?<=2.)(?!3)", {"21"}, {"12"}, "ef"},
      {"(?<$a09_Z>x)(?<é0>y)", {"xy"}, {}},
  });
}

TEST(SyntaxEcma, ReferencesAreRefusedWhereThereAreSuchGroups) {
  for (const char* pattern : {R"((a)\1)", R"(\2(a)(b))", R"((?<n>a)\k<n>)", R"(\k<n>(?<n>a))", R"([(]((a))\2)"}) {
    Pattern parsed(pattern, "e");
    ASSERT_TRUE(parsed.failed()) << pattern;
    EXPECT_EQ(parsed.error().code, ErrorCode::kUnsupported) << pattern;
  }
  check({{R"((?:a)\1)", {"a\x01"}, {"aa"}}, {R"([(]\1\()", {"(\x01("}, {}}, {R"((?<=a)?\1)", {"\x01"}, {}}});
}

TEST(SyntaxEcma, PatternsThatEnginesReadDifferentlyAreRefused) {
  for (const char* pattern : {R"(\pL)", R"(\u{})", R"(\p{Nope})", "a**", "(", "[b-a]", "a{2,1}", "{1}"}) {
    EXPECT_TRUE(Pattern(pattern, "e").failed()) << pattern;
  }
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    std::array<char, 8> hex{};
    std::snprintf(hex.data(), hex.size(), "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    out += hex.data();
  }
  return out + '"';
}

/// Returns node's results for each pattern: "x" if it is not valid, otherwise a 0 or 1 for each text. Returns an empty
/// vector if node is not installed.
std::vector<std::string> ask_node(const std::vector<std::string>& patterns, const std::vector<std::string>& texts) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("weir_ecma_" + std::to_string(std::random_device{}()) + ".js");
  std::ofstream script(path);
  const auto write = [&](const char* name, const std::vector<std::string>& list) {
    script << "const " << name << " = [";
    for (const std::string& one : list) script << json_string(one) << ",";
    script << "];\n";
  };
  write("patterns", patterns);
  write("texts", texts);
  script << "for (const p of patterns) { let r; try { const e = new RegExp(p); r = texts.map(t => e.test(t) ? 1 : 0)"
            ".join(''); } catch { r = 'x'; } console.log(r); }\n";
  script.close();
  std::vector<std::string> lines;
  if (std::FILE* output = popen(("node " + path.string() + " 2>/dev/null").c_str(), "r"); output != nullptr) {
    std::string line;
    for (int c = std::fgetc(output); c != EOF; c = std::fgetc(output)) {
      if (c != '\n') {
        line += static_cast<char>(c);
        continue;
      }
      lines.push_back(std::exchange(line, {}));
    }
    pclose(output);
  }
  std::filesystem::remove(path);
  return lines;
}

TEST(SyntaxEcma, RandomPatternsMeanWhatNodeSays) {
  constexpr std::array<std::string_view, 48> kParts{
      "a",     "b",      "]",    "{",   "}",   "[",      "^",   "$",    "-",   "\\1",  "\\2",   "\\0",
      "\\8",   "\\x",    "\\x6", "61",  "\\u", "\\u006", "\\c", "\\cA", "\\_", "\\-",  "\\d",   "\\B",
      "\\b",   "\\A",    "\\k",  "\\]", "(",   ")",      "(?:", "|",    "*",   "?",    "{1}",   "{,2}",
      "{1,2}", "{1, 2}", ",",    "1",   "(?=", "(?<!",   "[^",  "[]",   "\\w", "\\12", "\\101", "(?<k>"};
  constexpr std::string_view kAlphabet = "ab]{}-c\\1\x01,8AkxuB[6^\n";
  std::minstd_rand random(7);
  std::vector<std::string> patterns;
  std::vector<std::string> texts{""};
  for (int i = 0; i < 40'000; ++i) {
    std::string pattern;
    for (std::size_t n = 1 + random() % 6; n > 0; --n) pattern += kParts[random() % kParts.size()];
    patterns.push_back(std::move(pattern));
  }
  for (int i = 0; i < 60; ++i) {
    std::string text;
    for (std::size_t n = 1 + random() % 4; n > 0; --n) text += kAlphabet[random() % kAlphabet.size()];
    texts.push_back(std::move(text));
  }
  const std::vector<std::string> answers = ask_node(patterns, texts);
  if (answers.empty()) GTEST_SKIP() << "no node";
  ASSERT_EQ(answers.size(), patterns.size());
  int compared = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    // weir reads `\u{1}` as a code point, like ECMA-262 with the flag u; node reads it without that flag.
    if (answers[i] == "x" || patterns[i].find("\\u{") != std::string::npos) continue;
    Pattern pattern(patterns[i], "ef");
    if (pattern.failed()) {
      ASSERT_EQ(pattern.error().code, ErrorCode::kUnsupported) << patterns[i] << ": " << pattern.error().message;
      continue;
    }
    ++compared;
    for (std::size_t t = 0; t < texts.size(); ++t) {
      ASSERT_EQ(pattern.matches(texts[t]), answers[i][t] == '1') << patterns[i] << " :: " << texts[t];
    }
  }
  EXPECT_GT(compared, 10'000);
}

}  // namespace
}  // namespace weir::regex
