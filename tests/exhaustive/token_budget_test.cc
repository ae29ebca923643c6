// Compares random small grammars with MatcherOptions::max_tokens with all members that have at most that many tokens.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "exhaustive/budget_cases.h"
#include "oracle/bounded.h"
#include "property/harness.h"
#include "rounds.h"

namespace weir::testing {
namespace {

using oracle::Tokens;

constexpr std::size_t kMost = 5;  // the largest budget

struct BudgetWorld {
  std::vector<std::string> tokens;
  TokenizerInfo tokenizer;
};

// With a token for every byte, the engine has an upper bound for completions without a search.
BudgetWorld budget_world(bool has_bytes, bool has_both_letters) {
  std::vector<std::string> tokens{"a", "ab", "ba", "aab", "abba"};
  if (has_both_letters) tokens.push_back("b");
  VocabSpec spec;
  spec.tokens = tokens;
  spec.tokens.push_back("<end>");
  spec.special_token_ids = spec.stop_token_ids = {static_cast<std::uint32_t>(tokens.size())};
  for (unsigned byte = 0; byte < 256 && has_bytes; ++byte) {
    const char c = static_cast<char>(byte);
    if (c != 'a' && c != 'b') spec.tokens.emplace_back(1, c);
  }
  return {tokens, *TokenizerInfo::from_vocab(spec)};
}

// Compares masks with the members within the budget, after each prefix of a member. `prefix` has the tokens so far.
void compare_within(GrammarMatcher& matcher, const std::set<Tokens>& members, Tokens& prefix, std::uint32_t stop,
                    std::size_t& masks) {
  std::set<std::uint32_t> expected;
  for (auto member = members.lower_bound(prefix); member != members.end(); ++member) {
    if (member->size() < prefix.size() || !std::equal(prefix.begin(), prefix.end(), member->begin())) break;
    expected.insert(member->size() == prefix.size() ? stop : (*member)[prefix.size()]);
  }
  const std::vector<std::uint32_t> allowed = tokens_of(mask_of(matcher));
  ASSERT_EQ(std::set<std::uint32_t>(allowed.begin(), allowed.end()), expected) << ::testing::PrintToString(prefix);
  ++masks;
  for (std::uint32_t token = 0; token <= stop; ++token) {
    const bool is_expected = expected.contains(token);
    ASSERT_EQ(matcher.is_token_allowed(token), is_expected) << token;
    ASSERT_EQ(matcher.explain(token).allowed, is_expected) << token;
    if (!is_expected) {
      ASSERT_EQ(matcher.accept_token(token), Step::kRefused);
    }
    if (!is_expected || token == stop) continue;
    ASSERT_EQ(matcher.accept_token(token), Step::kOk);
    prefix.push_back(token);
    compare_within(matcher, members, prefix, stop, masks);
    if (::testing::Test::HasFatalFailure()) return;
    prefix.pop_back();
    ASSERT_EQ(matcher.rollback(1), Step::kOk);
  }
}

void check_world(bool has_bytes, bool has_both_letters, int grammars, bool has_words = false) {
  const BudgetWorld world = budget_world(has_bytes, has_both_letters);
  const auto stop = static_cast<std::uint32_t>(world.tokens.size());
  GrammarCompiler compiler(world.tokenizer);
  std::minstd_rand random(has_bytes ? 1 : 2);
  std::size_t masks = 0;
  std::size_t refused = 0;
  for (int i = 0; i < tests::rounds(grammars); ++i) {
    const BudgetCase one = budget_case(random, has_words);
    SCOPED_TRACE(one.ebnf);
    const Result<CompiledGrammar> compiled = compiler.compile_ebnf(one.ebnf);
    if (!compiled.has_value()) continue;  // an empty language
    const std::set<Tokens> members = oracle::BoundedLanguage(one.grammar, world.tokens).members(kMost);
    for (std::uint32_t budget = 0; budget <= kMost; ++budget) {
      std::set<Tokens> within;
      for (const Tokens& member : members) {
        if (member.size() <= budget) within.insert(member);
      }
      MatcherOptions options;
      options.max_tokens = budget;
      Result<GrammarMatcher> matcher = GrammarMatcher::create(*compiled, options);
      ASSERT_EQ(matcher.has_value(), !within.empty()) << budget;
      if (!matcher.has_value()) {
        EXPECT_EQ(matcher.error().code, ErrorCode::kUnsatisfiable) << matcher.error().message;
        ++refused;
        continue;
      }
      Tokens prefix;
      compare_within(*matcher, within, prefix, stop, masks);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(masks, tests::rounds(100U));
  EXPECT_GT(refused, 0U);
}

TEST(TokenBudget, IsThatOfAllMembers) { check_world(true, true, 25); }

// A token may stay inside a word, or the word ends within it and other symbols read the rest.
TEST(TokenBudget, WhereATokenHasSeveralReadings) { check_world(true, true, 12, true); }

TEST(TokenBudget, WithoutATokenForEachByte) { check_world(false, true, 15); }

// Some members cannot be spelled with the tokens; the budget then counts the shortest member that can be spelled.
TEST(TokenBudget, WithoutATokenForSomeLetters) { check_world(false, false, 25); }

// Tokens that drop the leading space of a text, and one that is special.
constexpr std::array<std::string_view, 6> kFirstTokens = {" ", " a", "a", "b", "ab", "<s>"};
constexpr std::size_t kTextTokens = 5;

// Returns true if the tokens are a member: with each of them either its text, or, taken as a whole by a token terminal,
// its digit, `pattern` matches. A space that begins the text is dropped; "<s>" is always a whole token.
bool is_member(const Tokens& tokens, const std::regex& pattern) {
  std::set<std::string> readings{""};
  bool is_first = true;
  for (const std::uint32_t token : tokens) {
    const bool is_text = token < kTextTokens;
    std::string text(is_text ? kFirstTokens[token] : "");
    if (is_text && is_first && text.front() == ' ') text.erase(0, 1);
    const bool adds_nothing = is_text && text.empty();
    std::set<std::string> next;
    for (const std::string& reading : readings) {
      if (is_text) next.insert(reading + text);
      if (!adds_nothing) next.insert(reading + std::to_string(token));
    }
    readings = std::move(next);
    is_first = is_first && !is_text;
  }
  return std::any_of(readings.begin(), readings.end(),
                     [&](const std::string& reading) { return std::regex_match(reading, pattern); });
}

// A special token does not begin the text, so a space after it is dropped, too.
TEST(TokenBudget, AtTheBeginningOfAText) {
  VocabSpec spec;
  spec.tokens.assign(kFirstTokens.begin(), kFirstTokens.end());
  spec.tokens.emplace_back("<end>");
  spec.special_token_ids = {5, 6};
  spec.stop_token_ids = {6};
  spec.drops_leading_space = true;
  const TokenizerInfo tokenizer = *TokenizerInfo::from_vocab(spec);
  GrammarCompiler compiler(tokenizer);
  struct FirstCase {
    const char* ebnf;
    const char* pattern;  // with a digit for a whole token
  };
  constexpr FirstCase kCases[] = {
      {"root ::= <[5]>* \"a\" \"b\"", "5*ab"},
      {"root ::= <[5]> \" \"? \"ab\"", "5 ?ab"},
      {"root ::= <[5]> (\"aa\" | \" ab\" <[5]>)", "5(aa| ab5)"},
      {"root ::= <[1,5]> \"a\"* \"b\"", "[15]a*b"},
      {"root ::= (<[5]> | <[2]>) \" a\" | \"b\" root", "b*[25] a"},
      {"root ::= \"\" | <[5]> <[5]> \"a\" | \" ab\"", "|55a| ab"},
      {"root ::= !<[6]> \"b\" | <[5]> \"  a\"", "[0-5]b|5  a"},
  };
  std::size_t masks = 0;
  for (const FirstCase& one : kCases) {
    SCOPED_TRACE(one.ebnf);
    const Result<CompiledGrammar> compiled = compiler.compile_ebnf(one.ebnf);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    const std::regex pattern(one.pattern);
    std::vector<Tokens> all{{}};
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::uint32_t token = 0; token < kFirstTokens.size() && all[i].size() < kMost; ++token) {
        Tokens longer = all[i];
        longer.push_back(token);
        all.push_back(std::move(longer));
      }
    }
    std::set<Tokens> members;
    for (const Tokens& tokens : all) {
      if (is_member(tokens, pattern)) members.insert(tokens);
    }
    for (std::uint32_t budget = 0; budget <= kMost; ++budget) {
      SCOPED_TRACE(budget);
      std::set<Tokens> within;
      for (const Tokens& member : members) {
        if (member.size() <= budget) within.insert(member);
      }
      MatcherOptions options;
      options.max_tokens = budget;
      Result<GrammarMatcher> matcher = GrammarMatcher::create(*compiled, options);
      ASSERT_EQ(matcher.has_value(), !within.empty());
      if (!matcher.has_value()) continue;
      Tokens prefix;
      compare_within(*matcher, within, prefix, 6, masks);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  EXPECT_GT(masks, 100U);
}

// The least length of an expression with escapes, intersections or complements is only a lower bound: budgets from there
// to the shortest text are too small, and larger ones lead to an end whatever token is taken.
TEST(TokenBudget, StringsWhoseLeastLengthIsALowerBound) {
  VocabSpec spec;
  for (unsigned byte = 0; byte < 256; ++byte) spec.tokens.emplace_back(1, static_cast<char>(byte));
  spec.tokens.push_back("<end>");
  spec.special_token_ids = spec.stop_token_ids = {256};
  const TokenizerInfo tokenizer = *TokenizerInfo::from_vocab(spec);
  GrammarCompiler compiler(tokenizer);
  struct SchemaCase {
    std::string schema;
    std::uint32_t shortest;  // bytes
  };
  const SchemaCase cases[] = {
      {R"({"type":"string","pattern":"^\\n{4}$"})", 10},
      {R"({"type":"string","pattern":"^\\u0001{3}$"})", 20},
      {R"({"type":"string","allOf":[{"pattern":"ab"},{"pattern":"cd"}]})", 6},
      {R"({"type":"string","allOf":[{"pattern":"^a"},{"not":{"pattern":"^.{0,4}$"}}]})", 5},  // a line end, escaped
      {R"({"type":"array","items":{"type":"string","pattern":"^\\n{2}$"},"minItems":2})", 15},
  };
  for (const auto& [schema, shortest] : cases) {
    SCOPED_TRACE(schema);
    const Result<CompiledGrammar> compiled = compiler.compile_json_schema(schema);
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    for (std::uint32_t budget = 1; budget <= shortest + 3; ++budget) {
      SCOPED_TRACE(budget);
      MatcherOptions within;
      within.max_tokens = budget;
      Result<GrammarMatcher> matcher = GrammarMatcher::create(*compiled, within);
      ASSERT_EQ(matcher.has_value(), budget >= shortest);
      if (!matcher.has_value()) continue;
      std::minstd_rand random(budget);
      for (std::uint32_t step = 0; !matcher->is_terminated(); ++step) {
        ASSERT_LE(step, budget);
        std::vector<std::uint32_t> bitmask(bitmask_words(tokenizer.vocab_size()));
        ASSERT_EQ(matcher->fill_next_token_bitmask(bitmask), Step::kOk);
        std::vector<std::uint32_t> allowed;
        for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token) {
          if (bitmask_get(bitmask, token)) allowed.push_back(token);
        }
        ASSERT_FALSE(allowed.empty());
        ASSERT_EQ(matcher->accept_token(allowed[random() % allowed.size()]), Step::kOk);
      }
    }
  }
}

}  // namespace
}  // namespace weir::testing
