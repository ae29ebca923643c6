// Cases in which other engines have failed, with the results that follow from the definitions.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "oracle/regex.h"
#include "property/harness.h"

namespace weir::testing {
namespace {

using oracle::Vocabulary;

// Returns a vocabulary of the bytes 0 .. 255, then `more`, then a stop token.
Vocabulary bytes_and(const std::vector<std::string>& more = {}) {
  Vocabulary v;
  for (int byte = 0; byte < 256; ++byte) v.tokens.emplace_back(1, static_cast<char>(byte));
  v.tokens.insert(v.tokens.end(), more.begin(), more.end());
  v.stop_tokens = {static_cast<std::uint32_t>(v.tokens.size())};
  v.tokens.emplace_back();
  return v;
}

CompiledGrammar compile(const Vocabulary& vocabulary, std::string_view ebnf, const Limits& limits = {}) {
  Result<CompiledGrammar> compiled = GrammarCompiler(make_tokenizer(vocabulary), limits).compile_ebnf(ebnf);
  if (!compiled.has_value()) {
    ADD_FAILURE() << render(compiled.error(), ebnf.substr(0, 2000), "g.ebnf");
    std::abort();
  }
  return *compiled;
}

bool accepts(const CompiledGrammar& compiled, std::string_view text) {
  GrammarMatcher matcher(compiled);
  return matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
}

bool viable(const CompiledGrammar& compiled, std::string_view text) {
  GrammarMatcher matcher(compiled);
  return matcher.accept_bytes(text) == Step::kOk;
}

/// Returns the set of the strings of the tokens that are allowed after `text`; "<end>" for stop tokens.
std::set<std::string> allowed(const CompiledGrammar& compiled, const Vocabulary& vocabulary, std::string_view text) {
  GrammarMatcher matcher(compiled);
  EXPECT_EQ(matcher.accept_bytes(text), Step::kOk) << text;
  std::set<std::string> result;
  for (const std::uint32_t token : tokens_of(mask_of(matcher))) {
    result.insert(vocabulary.is_stop(token) ? "<end>" : vocabulary.tokens[token]);
  }
  return result;
}

using Strings = std::set<std::string>;

// Maximal munch would reject `aab`, because A would match both a's.
TEST(KnownCases, AllSplitsAreFollowed) {
  const Vocabulary v = bytes_and({"aa", "ab", "aab"});
  const CompiledGrammar g = compile(v, "root ::= A B\nA ::= /a+/\nB ::= /ab/");
  EXPECT_TRUE(accepts(g, "aab"));
  EXPECT_TRUE(accepts(g, "aaaaab"));
  EXPECT_FALSE(viable(g, "ab"));
  EXPECT_EQ(allowed(g, v, ""), (Strings{"a", "aa", "aab"}));
  EXPECT_EQ(allowed(g, v, "a"), (Strings{"a", "aa", "ab", "aab"}));
  EXPECT_EQ(allowed(g, v, "aab"), (Strings{"<end>"}));
}

TEST(KnownCases, MaskAfterRollbackIsFresh) {
  const Vocabulary v = bytes_and();
  GrammarMatcher matcher(compile(v, "root ::= \"a\" \"b\" \"c\" | \"x\""));
  const std::vector<bool> first = mask_of(matcher);
  ASSERT_EQ(matcher.accept_bytes("a"), Step::kOk);
  const std::vector<bool> second = mask_of(matcher);
  ASSERT_EQ(matcher.accept_bytes("b"), Step::kOk);
  mask_of(matcher);
  ASSERT_EQ(matcher.rollback(1), Step::kOk);
  EXPECT_EQ(mask_of(matcher), second);
  ASSERT_EQ(matcher.rollback(1), Step::kOk);
  EXPECT_EQ(mask_of(matcher), first);
}

// A literal may be spelled with any tokens whose concatenated bytes are the literal.
TEST(KnownCases, LiteralInAllItsPieces) {
  const Vocabulary v = bytes_and({"lilik", "li", "lik", "ilik", "k!", "lilika"});
  const CompiledGrammar g = compile(v, "root ::= \"lilik\"");
  EXPECT_EQ(allowed(g, v, ""), (Strings{"l", "li", "lilik"}));
  EXPECT_EQ(allowed(g, v, "l"), (Strings{"i", "ilik"}));
  EXPECT_EQ(allowed(g, v, "li"), (Strings{"l", "li", "lik"}));
  EXPECT_EQ(allowed(g, v, "lili"), (Strings{"k"}));
  EXPECT_EQ(allowed(g, v, "lilik"), (Strings{"<end>"}));
}

TEST(KnownCases, CountsAreExact) {
  const std::string twenty(20, 'q');
  const Vocabulary v = bytes_and({"aa", "aaa", "aaaaaaaa", twenty});
  const CompiledGrammar g = compile(v, "root ::= [a-z]{0,250}");
  for (const std::size_t n : {0U, 1U, 100U, 229U, 230U, 231U, 241U, 242U, 243U, 246U, 247U, 248U, 249U, 250U}) {
    const Strings tokens = allowed(g, v, std::string(n, 'x'));
    const auto fits = [&](std::size_t size) { return n + size <= 250; };
    EXPECT_EQ(tokens.contains("z"), fits(1)) << n;
    EXPECT_EQ(tokens.contains("aa"), fits(2)) << n;
    EXPECT_EQ(tokens.contains("aaa"), fits(3)) << n;
    EXPECT_EQ(tokens.contains("aaaaaaaa"), fits(8)) << n;
    EXPECT_EQ(tokens.contains(twenty), fits(20)) << n;
    EXPECT_TRUE(tokens.contains("<end>")) << n;
    EXPECT_FALSE(tokens.contains("A")) << n;
  }
  EXPECT_FALSE(viable(g, std::string(251, 'x')));
  const CompiledGrammar least = compile(v, "root ::= [a-z]{3,5} \"!\"");
  EXPECT_FALSE(viable(least, "ab!"));
  EXPECT_TRUE(accepts(least, "abc!"));
  EXPECT_TRUE(accepts(least, "abcde!"));
  EXPECT_FALSE(viable(least, "abcdef"));
}

// Counted repetitions of expressions of several lengths, or of nullable ones.
TEST(KnownCases, CountsOfAmbiguousItems) {
  const Vocabulary v = bytes_and();
  const CompiledGrammar g = compile(v, "root ::= (\"a\" | \"aa\"){2,3} \"b\"");
  for (std::size_t n = 0; n <= 8; ++n) EXPECT_EQ(accepts(g, std::string(n, 'a') + "b"), n >= 2 && n <= 6) << n;
  const CompiledGrammar empty_items = compile(v, "root ::= (\"a\"?){3,4} \"b\"");
  for (std::size_t n = 0; n <= 6; ++n) EXPECT_EQ(accepts(empty_items, std::string(n, 'a') + "b"), n <= 4) << n;
  const CompiledGrammar rules = compile(v, "root ::= x{2,2} \"b\"\nx ::= \"a\" x | \"\"");
  for (std::size_t n = 0; n <= 6; ++n) EXPECT_TRUE(accepts(rules, std::string(n, 'a') + "b")) << n;
}

TEST(KnownCases, TenThousandAlternatives) {
  constexpr int kAlternatives = 10000;
  std::vector<std::string> words;
  std::minstd_rand random(31);
  std::string ebnf = "root ::= ";
  for (int i = 0; i < kAlternatives; ++i) {
    std::string word;
    for (std::size_t n = 1 + random() % 9; n > 0; --n) word += static_cast<char>('a' + random() % 6);
    ebnf += (i > 0 ? " | \"" : "\"") + word + "\"";
    words.push_back(word);
  }
  const Vocabulary v = bytes_and({"ab", "abc", "fade", "decade", "ff", "cafe", "bad"});
  const CompiledGrammar g = compile(v, ebnf);
  for (int i = 0; i < 60; ++i) {
    const std::string& word = words[random() % words.size()];
    const std::string prefix = word.substr(0, random() % (word.size() + 1));
    Strings expected;
    for (const std::string& w : words) {
      if (!w.starts_with(prefix)) continue;
      if (w == prefix) expected.insert("<end>");
      for (const std::string& token : v.tokens) {
        if (!token.empty() && w.substr(prefix.size()).starts_with(token)) expected.insert(token);
      }
    }
    ASSERT_EQ(allowed(g, v, prefix), expected) << "after " << prefix;
  }
}

TEST(KnownCases, TextNestedTenThousandDeep) {
  constexpr std::size_t kDepth = 10000;
  const Vocabulary v = bytes_and();
  const CompiledGrammar g = compile(v, "root ::= \"(\" root \")\" | \"x\"");
  const std::string open(kDepth, '(');
  const std::string close(kDepth, ')');
  EXPECT_TRUE(accepts(g, open + "x" + close));
  EXPECT_FALSE(viable(g, open + "x" + close + ")"));
  GrammarMatcher matcher(g);
  ASSERT_EQ(matcher.accept_bytes(open + "x"), Step::kOk);
  EXPECT_EQ(matcher.find_jump_forward_string(), close);
  const Vocabulary closing = bytes_and({"))))", "))", ")x"});
  EXPECT_EQ(allowed(compile(closing, "root ::= \"(\" root \")\" | \"x\""), closing, "(((x"), (Strings{")", "))"}));
}

TEST(KnownCases, GrammarNestedTenThousandDeep) {
  constexpr std::size_t kDepth = 10000;
  const Vocabulary v = bytes_and();
  const std::string nested = "root ::= " + std::string(kDepth, '(') + "\"x\"" + std::string(kDepth, ')');
  const Result<CompiledGrammar> refused = GrammarCompiler(make_tokenizer(v)).compile_ebnf(nested);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kLimitExceeded);
  EXPECT_EQ(refused.error().limit, "nesting");

  // References between rules may be arbitrarily deep.
  std::string chain = "root ::= r0\n";
  for (std::size_t i = 0; i < kDepth; ++i) {
    chain += "r" + std::to_string(i) + " ::= \"(\" r" + std::to_string(i + 1) + " \")\"\n";
  }
  chain += "r" + std::to_string(kDepth) + " ::= \"x\"\n";
  EXPECT_TRUE(accepts(compile(v, chain), std::string(kDepth, '(') + "x" + std::string(kDepth, ')')));
}

// One astral code point, and its four bytes in any tokens.
TEST(KnownCases, ClassOfOneAstralCodePoint) {
  const std::string clef = "\xF0\x9D\x84\x9E";
  const Vocabulary v = bytes_and({clef, "\xF0\x9D", "\x84\x9E", "\x9D\x84", "\xF0\x9D\x85"});
  const CompiledGrammar g = compile(v, "root ::= [\xF0\x9D\x84\x9E]");
  EXPECT_EQ(allowed(g, v, ""), (Strings{"\xF0", "\xF0\x9D", clef}));
  EXPECT_EQ(allowed(g, v, "\xF0"), (Strings{"\x9D", "\x9D\x84"}));
  EXPECT_EQ(allowed(g, v, "\xF0\x9D"), (Strings{"\x84", "\x84\x9E"}));
  EXPECT_EQ(allowed(g, v, "\xF0\x9D\x84"), (Strings{"\x9E"}));
  EXPECT_EQ(allowed(g, v, clef), (Strings{"<end>"}));
}

std::string utf8(char32_t c) {
  std::string s;
  const auto add = [&](char32_t byte) { s += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xC0 | (c >> 6)), add(0x80 | (c & 63));
  } else if (c < 0x10000) {
    add(0xE0 | (c >> 12)), add(0x80 | ((c >> 6) & 63)), add(0x80 | (c & 63));
  } else {
    add(0xF0 | (c >> 18)), add(0x80 | ((c >> 12) & 63)), add(0x80 | ((c >> 6) & 63)), add(0x80 | (c & 63));
  }
  return s;
}

// Every range with bounds at and next to the limits of UTF-8 lengths: checks which code points match, and for each
// prefix of a character the bytes that may follow.
TEST(KnownCases, RangesOfCodePointsOverByteTokens) {
  struct Range {
    char32_t first, last;
  };
  const Vocabulary v = bytes_and();
  for (const Range range :
       {Range{U'你', U'我'}, Range{0x7F, 0x80}, Range{0x7FF, 0x800}, Range{0xD7FF, 0xE000}, Range{0xFFFF, 0x10000},
        Range{0x1F600, 0x1F64F}, Range{0x10FFFF, 0x10FFFF}, Range{0x61, 0x10FFFF}}) {
    const std::string ebnf = "root ::= [" + utf8(range.first) + "-" + utf8(range.last) + "]";
    SCOPED_TRACE(shown(ebnf));
    const CompiledGrammar g = compile(v, ebnf);
    std::set<char32_t> probes{0x61, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF};
    for (const char32_t border : {range.first, range.last, static_cast<char32_t>((range.first + range.last) / 2)}) {
      for (const unsigned delta : {0U, 1U, 2U, 63U, 64U, 65U}) {
        probes.insert(static_cast<char32_t>(border + delta));
        if (border > delta) probes.insert(static_cast<char32_t>(border - delta));
      }
    }
    for (const char32_t c : probes) {
      if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) continue;
      EXPECT_EQ(accepts(g, utf8(c)), c >= range.first && c <= range.last) << std::hex << static_cast<std::uint32_t>(c);
    }
    // No surrogates, no overlong spellings, nothing out of range.
    for (const char* bad :
         {"\xED\xA0\x80", "\xED\xBF\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80",
          "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80", "\xFF"}) {
      EXPECT_FALSE(viable(g, bad)) << shown(bad);
    }
  }
}

// Checks the tokens that are allowed after prefixes of characters of [你-我]. The expected ones are computed from all
// code points of the range.
TEST(KnownCases, BytesInsideARangeAreExact) {
  const Vocabulary v = bytes_and(
      {"\xE4\xBD", "\xBD\xA0", "\xA0\xE4", "\xE5\x8F\x8B", "\xE6\x88\x91", "\xE6\x88\x92", "\x88\x91\xE4\xBD\xA0"});
  const CompiledGrammar g = compile(v, "root ::= [你-我]+");
  Strings viable_prefixes;
  for (char32_t c = U'你'; c <= U'我'; ++c) {
    const std::string s = utf8(c);
    for (std::size_t n = 1; n <= s.size(); ++n) viable_prefixes.insert(s.substr(0, n));
  }
  // After a prefix of a character, whole characters and then a prefix of a character are viable.
  const auto is_viable = [&](std::string text) {
    while (text.size() > 3 && viable_prefixes.contains(text.substr(0, 3))) text.erase(0, 3);
    return viable_prefixes.contains(text);
  };
  for (const std::string prefix : {"", "\xE4", "\xE4\xBD", "\xE5", "\xE5\x8F", "\xE6", "\xE6\x88", "\xE4\xBD\xA0"}) {
    Strings expected;
    for (const std::string& token : v.tokens) {
      if (!token.empty() && is_viable(prefix + token)) expected.insert(token);
    }
    if (prefix.size() == 3) expected.insert("<end>");
    EXPECT_EQ(allowed(g, v, prefix), expected) << shown(prefix);
  }
}

TEST(KnownCases, AmbiguousRecursion) {
  const Vocabulary v = bytes_and({"aa", "ab"});
  const CompiledGrammar g = compile(v, "root ::= E\nE ::= E E | \"a\"");
  EXPECT_FALSE(accepts(g, ""));
  EXPECT_TRUE(accepts(g, std::string(3000, 'a')));
  EXPECT_EQ(allowed(g, v, "a"), (Strings{"a", "aa", "<end>"}));
  // All ways to read the text lead to one state.
  GrammarMatcher matcher(g);
  ASSERT_EQ(matcher.accept_bytes("aaaa"), Step::kOk);
  const std::uint32_t state = matcher.state_id();
  ASSERT_EQ(matcher.accept_bytes(std::string(500, 'a')), Step::kOk);
  EXPECT_EQ(matcher.state_id(), state);
}

TEST(KnownCases, CyclesNullablesAndHiddenLeftRecursion) {
  const Vocabulary v = bytes_and();
  const CompiledGrammar cycle = compile(v, "root ::= A\nA ::= A | \"a\"");
  EXPECT_TRUE(accepts(cycle, "a"));
  EXPECT_FALSE(viable(cycle, "aa"));
  const CompiledGrammar long_cycle = compile(v, "root ::= A\nA ::= B | \"a\"\nB ::= C\nC ::= A | \"c\" A");
  EXPECT_TRUE(accepts(long_cycle, "cca"));
  const CompiledGrammar hidden = compile(v, "root ::= N root \"b\" | \"a\"\nN ::= \"\" | \"n\"");
  EXPECT_TRUE(accepts(hidden, "abbb"));
  EXPECT_TRUE(accepts(hidden, "nnabb"));
  EXPECT_FALSE(viable(hidden, "nabbn"));
  EXPECT_EQ(allowed(hidden, v, "na"), (Strings{"b"}));
  EXPECT_EQ(allowed(hidden, v, "nab"), (Strings{"b", "<end>"}));
  std::string chain = "root ::= n0 \"x\"\n";
  for (int i = 0; i < 200; ++i)
    chain += "n" + std::to_string(i) + " ::= n" + std::to_string(i + 1) + " n" + std::to_string(i + 1) + "\n";
  chain += "n200 ::= \"\" | \"a\"\n";
  const CompiledGrammar nullable = compile(v, chain);
  EXPECT_TRUE(accepts(nullable, "x"));
  EXPECT_TRUE(accepts(nullable, std::string(300, 'a') + "x"));
  const CompiledGrammar only_empty = compile(v, "root ::= A B\nA ::= \"\"\nB ::= A A | B A");
  EXPECT_TRUE(accepts(only_empty, ""));
  EXPECT_EQ(allowed(only_empty, v, ""), (Strings{"<end>"}));
}

// Readings that split the text so far in different ways have the same continuations, so their number must not grow with
// each byte.
TEST(KnownCases, AmbiguousSplitsShareTheirFuture) {
  constexpr std::size_t kDepth = 60;
  const Vocabulary v = bytes_and();
  {
    const CompiledGrammar g = compile(v, "root ::= \"(\" root \")\" | \"((\" root \"]\" | \"x\"");
    GrammarMatcher matcher(g);
    ASSERT_EQ(matcher.accept_bytes(std::string(kDepth, '(') + "x"), Step::kOk);
    EXPECT_EQ(tokens_of(mask_of(matcher)), (std::vector<std::uint32_t>{')', ']'}));
    ASSERT_EQ(matcher.accept_bytes(std::string(kDepth / 2 - 1, ']')), Step::kOk);
    EXPECT_EQ(tokens_of(mask_of(matcher)), (std::vector<std::uint32_t>{')', ']'}));
    ASSERT_EQ(matcher.accept_bytes("]"), Step::kOk);
    EXPECT_TRUE(matcher.is_completed());
    EXPECT_LT(g.stats().rows, 50 * kDepth);
  }
  {
    const CompiledGrammar g = compile(v, "root ::= \"a\"? \"a\"? x | \"a\"\nx ::= (\"a\"? root)* \"b\"");
    GrammarMatcher matcher(g);
    ASSERT_EQ(matcher.accept_bytes(std::string(kDepth, 'a')), Step::kOk);
    EXPECT_EQ(tokens_of(mask_of(matcher)), (std::vector<std::uint32_t>{'a', 'b'}));
    EXPECT_LT(g.stats().rows, 50 * kDepth);
  }
}

// A right-recursive list needs no further states: the states after the third and after the ten thousandth element are
// equal.
TEST(KnownCases, RightRecursionIsConstant) {
  const Vocabulary v = bytes_and({"aaaa"});
  for (const char* ebnf : {"root ::= \"a\" root | \"a\"", "root ::= \"a\" root | \"\"", "root ::= root \"a\" | \"a\"",
                           "root ::= x | x root\nx ::= \"a\"", "root ::= \"a\" tail\ntail ::= \"\" | root"}) {
    SCOPED_TRACE(ebnf);
    const CompiledGrammar g = compile(v, ebnf);
    GrammarMatcher matcher(g);
    ASSERT_EQ(matcher.accept_bytes("aaa"), Step::kOk);
    const std::uint32_t state = matcher.state_id();
    for (int i = 0; i < 10000; ++i) ASSERT_EQ(matcher.accept_token('a'), Step::kOk);
    EXPECT_EQ(matcher.state_id(), state);
    EXPECT_LT(g.stats().states, 20U);
    EXPECT_LT(g.stats().rows, 40U);
    EXPECT_TRUE(matcher.is_completed());
    ASSERT_EQ(matcher.rollback(10000), Step::kOk);
    EXPECT_EQ(matcher.state_id(), state);
  }
}

TEST(KnownCases, TokenTerminals) {
  Vocabulary v = bytes_and({"ab", "tool", "<|x|>"});
  const std::uint32_t ab = 256;
  const std::uint32_t tool = 257;
  const std::uint32_t end = v.stop_tokens[0];
  {
    const CompiledGrammar g = compile(v, "root ::= \"a\" <[257]> \"b\"");
    GrammarMatcher matcher(g);
    ASSERT_EQ(matcher.accept_token(tool), Step::kRefused);
    ASSERT_EQ(matcher.accept_token('a'), Step::kOk);
    EXPECT_EQ(tokens_of(mask_of(matcher)), (std::vector<std::uint32_t>{tool}));
    EXPECT_EQ(matcher.accept_bytes("tool"), Step::kRefused) << "a token terminal is not its text";
    ASSERT_EQ(matcher.accept_token(tool), Step::kOk);
    EXPECT_EQ(tokens_of(mask_of(matcher)), (std::vector<std::uint32_t>{'b'}));
    ASSERT_EQ(matcher.accept_token('b'), Step::kOk);
    EXPECT_TRUE(matcher.is_completed());
    EXPECT_EQ(tokens_of(mask_of(matcher)), (std::vector<std::uint32_t>{end}));
  }
  {
    // Text and token terminals in one grammar: token 256 may be used as a token terminal or spell the text "ab".
    const CompiledGrammar g = compile(v, "root ::= \"abc\" | <[256, 257]> \"d\"");
    GrammarMatcher matcher(g);
    EXPECT_EQ(tokens_of(mask_of(matcher)), (std::vector<std::uint32_t>{'a', ab, tool}));
    ASSERT_EQ(matcher.accept_token(ab), Step::kOk);
    EXPECT_EQ(tokens_of(mask_of(matcher)), (std::vector<std::uint32_t>{'c', 'd'}));
    ASSERT_EQ(matcher.rollback(1), Step::kOk);
    ASSERT_EQ(matcher.accept_token(tool), Step::kOk);
    EXPECT_EQ(tokens_of(mask_of(matcher)), (std::vector<std::uint32_t>{'d'}));
  }
  {
    const CompiledGrammar g = compile(v, "root ::= !<[256]> \"!\"");
    GrammarMatcher matcher(g);
    const std::vector<bool> mask = mask_of(matcher);
    EXPECT_FALSE(mask[ab]);
    EXPECT_TRUE(mask[tool]);
    EXPECT_TRUE(mask['z']);
    EXPECT_FALSE(mask[end]) << "the output is not complete";
  }
  const Result<CompiledGrammar> unknown = GrammarCompiler(make_tokenizer(v)).compile_ebnf("root ::= <[99999]>");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace weir::testing
