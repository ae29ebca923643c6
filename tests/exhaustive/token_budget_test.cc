// Compares random small grammars with MatcherOptions::max_tokens with all members that have at most that many tokens.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "oracle/bounded.h"
#include "property/harness.h"
#include "rounds.h"

namespace weir::testing {
namespace {

using oracle::Tokens;

constexpr std::size_t kMost = 5;  // the largest budget

struct BudgetCase {
  oracle::BoundedCfg grammar;
  std::string ebnf;
};

// Returns a grammar of one to three rules, each with one to three alternatives of up to four symbols. A symbol is "a",
// "b" or a rule.
BudgetCase budget_case(std::minstd_rand& random) {
  static constexpr const char* kNames[] = {"root", "x", "y"};
  BudgetCase out;
  const std::size_t rules = 1 + random() % 3;
  for (std::size_t rule = 0; rule < rules; ++rule) out.grammar.cfg.add_rule(kNames[rule]);
  for (std::size_t rule = 0; rule < rules; ++rule) {
    out.grammar.bounds.emplace_back(std::nullopt);
    out.ebnf += std::string(kNames[rule]) + " ::= ";
    for (std::size_t alternatives = 1 + random() % 3, i = 0; i < alternatives; ++i) {
      if (i > 0) out.ebnf += " | ";
      std::vector<oracle::Symbol> symbols;
      std::string text;
      for (std::size_t count = random() % 5; count > 0; --count) {
        const std::size_t drawn = random() % (3 + rules);
        symbols.push_back(drawn < 3 ? oracle::Cfg::bytes(drawn == 0 ? "b" : "a") : oracle::Cfg::rule(drawn - 3));
        text += drawn < 3 ? (drawn == 0 ? "\"b\" " : "\"a\" ") : std::string(kNames[drawn - 3]) + " ";
      }
      out.ebnf += text.empty() ? "\"\"" : text;
      out.grammar.cfg.add(rule, std::move(symbols));
    }
    out.ebnf += "\n";
  }
  return out;
}

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

void check_world(bool has_bytes, bool has_both_letters, int grammars) {
  const BudgetWorld world = budget_world(has_bytes, has_both_letters);
  const auto stop = static_cast<std::uint32_t>(world.tokens.size());
  GrammarCompiler compiler(world.tokenizer);
  std::minstd_rand random(has_bytes ? 1 : 2);
  std::size_t masks = 0;
  std::size_t refused = 0;
  for (int i = 0; i < tests::rounds(grammars); ++i) {
    const BudgetCase one = budget_case(random);
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

TEST(TokenBudget, WithoutATokenForEachByte) { check_world(false, true, 15); }

// Some members cannot be spelled with the tokens; the budget then counts the shortest member that can be spelled.
TEST(TokenBudget, WithoutATokenForSomeLetters) { check_world(false, false, 25); }

// The least length of an expression with escapes, intersections or complements is only a lower bound: budgets from there
// to the shortest text are too small, and larger ones lead to an end whatever token is taken.
TEST(TokenBudget, OfStringsWhoseLeastLengthIsALowerBound) {
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
