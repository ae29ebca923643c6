// Compares every small regular expression with the oracle: language, viability, masks. The expressions have
// intersections and complements.
#include <gtest/gtest.h>

#include "oracle/regex.h"
#include "property/harness.h"

namespace weir::testing {
namespace {

// All trees of up to kSmall nodes over four leaves; all trees of kLarge nodes over two leaves; kRandom random trees of
// up to kRandomSize nodes.
constexpr int kSmall = 5;
constexpr int kLarge = 6;
constexpr int kRandom = 3000;
constexpr int kRandomSize = 14;
// Texts over {a, b} have up to this many bytes. Masks are compared after each viable text.
constexpr std::size_t kLength = 5;

// The expressions contain `a` and `b`. `c` represents all other characters, so an automaton over these three characters
// decides about all texts. `é` is one of the other characters. It is also split into two tokens; its first byte is
// viable iff the character is.
constexpr std::string_view kAlphabet = "abc";
constexpr std::string_view kOther = "\xC3\xA9";

const oracle::Vocabulary& vocabulary() {
  static const oracle::Vocabulary v{
      {"a", "b", "c", "ab", "ba", "aab", "bb", "", "\xC3\xA9", "\xC3", "\xA9", "a", "a\xC3", "", "abcab", "\xFF"},
      {13}};
  return v;
}

// Translates `token` to kAlphabet; returns false if its bytes do not occur in the texts here.
bool in_alphabet(std::string token, std::string* text) {
  if (const std::size_t at = token.find(kOther); at != std::string::npos) token.replace(at, kOther.size(), "c");
  if (token.ends_with('\xC3')) token.back() = 'c';
  *text = token;
  return token.find_first_not_of(kAlphabet) == std::string::npos;
}

std::vector<bool> expected_mask(const oracle::Dfa& dfa, oracle::Dfa::State state) {
  std::vector<bool> mask(vocabulary().tokens.size(), false);
  for (std::uint32_t token = 0; token < mask.size(); ++token) {
    std::string text;
    if (vocabulary().is_stop(token)) {
      mask[token] = dfa.accepting(state);
    } else if (!vocabulary().tokens[token].empty() && in_alphabet(vocabulary().tokens[token], &text)) {
      oracle::Dfa::State end = state;
      for (const char c : text) end = dfa.step(end, c);
      mask[token] = dfa.live(end);
    }
  }
  return mask;
}

class RegexCheck {
 public:
  RegexCheck() : compiler_(make_tokenizer(vocabulary())), strings_(oracle::all_strings("ab", kLength)) {}

  void check(const oracle::RegexPtr& regex, oracle::Groups groups) {
    const std::string pattern = oracle::print(*regex, oracle::Syntax::kRegex, groups, kAlphabet);
    SCOPED_TRACE(pattern);
    const oracle::Dfa dfa(regex, kAlphabet);
    const Result<CompiledGrammar> compiled = compiler_.compile_regex(pattern, {.dot_all = true, .operators = true});
    if (!dfa.live(dfa.start())) {
      ASSERT_FALSE(compiled.has_value()) << "compiled, but no text matches";
      ASSERT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable) << compiled.error().message;
      return;
    }
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    GrammarMatcher matcher(*compiled);
    for (const std::string& text : strings_) {
      matcher.reset();
      const oracle::Dfa::State state = dfa.run(text);
      ASSERT_EQ(matcher.accept_bytes(text), dfa.live(state) ? Step::kOk : Step::kRefused) << "on " << text;
      if (!dfa.live(state)) continue;
      ASSERT_EQ(matcher.is_completed(), oracle::matches(*regex, text)) << "on " << text;
      const std::vector<bool> mask = mask_of(matcher);
      const std::vector<bool> expected = expected_mask(dfa, state);
      ASSERT_EQ(mask, expected) << "after '" << text << "':" << difference(mask, expected, vocabulary());
    }
  }

 private:
  GrammarCompiler compiler_;
  std::vector<std::string> strings_;
};

TEST(ExhaustiveRegex, AllSmall) {
  RegexCheck check;
  const std::vector<oracle::RegexPtr> leaves{oracle::set_of("a"), oracle::set_of("b"), oracle::empty(),
                                             oracle::set_of(kAlphabet)};
  for (int size = 1; size <= kSmall; ++size) {
    for (const oracle::RegexPtr& regex : oracle::all_regexes(size, leaves)) {
      check.check(regex, oracle::Groups::kAll);
      if (enough_failures()) return;
    }
  }
}

TEST(ExhaustiveRegex, AllLarger) {
  RegexCheck check;
  for (const oracle::RegexPtr& regex : oracle::all_regexes(kLarge, {oracle::set_of("a"), oracle::set_of("b")})) {
    check.check(regex, oracle::Groups::kNeeded);
    if (enough_failures()) return;
  }
}

TEST(ExhaustiveRegex, Random) {
  RegexCheck check;
  std::minstd_rand random(17);
  const std::vector<oracle::RegexPtr> leaves{oracle::set_of("a"),  oracle::set_of("b"), oracle::set_of("ab"),
                                             oracle::set_of("bc"), oracle::nothing(),   oracle::set_of(kAlphabet)};
  for (int i = 0; i < kRandom; ++i) {
    const int size = 6 + static_cast<int>(random() % static_cast<unsigned>(kRandomSize - 5));
    check.check(oracle::random_regex(random, size, leaves), oracle::Groups::kNeeded);
    if (enough_failures()) return;
  }
}

}  // namespace
}  // namespace weir::testing
