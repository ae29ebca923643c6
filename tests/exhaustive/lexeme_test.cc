// Compares lazy, greedy and exact terminals, and look-aheads of rules, with the lexeme oracle, which tries all splits
// of whole texts.
#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "oracle/lexemes.h"
#include "oracle/random_grammar.h"
#include "property/harness.h"

namespace weir::testing {
namespace {

constexpr int kRandom = 600;        // number of random grammars
constexpr std::size_t kLength = 5;  // longest text whose mask is compared
// Members up to this length prove viability. Longer members are found by following masks.
constexpr std::size_t kBound = 8;
constexpr std::size_t kSearchStates = 500;

const oracle::Vocabulary& vocabulary() {
  static const oracle::Vocabulary v{{"a", "b", "ab", "ba", "aab", "bb", "", "a"}, {6}};
  return v;
}

class LexemeCheck {
 public:
  LexemeCheck() : compiler_(make_tokenizer(vocabulary())), strings_(oracle::all_strings("ab", kBound)) {}

  void check(const oracle::LexGrammar& grammar) {
    const std::string ebnf = oracle::to_ebnf(grammar, "abc");
    SCOPED_TRACE("\n" + ebnf);
    members_.clear();
    viable_.clear();
    for (const std::string& text : strings_) {
      if (!oracle::is_member(grammar, text)) continue;
      members_.insert(text);
      for (std::size_t n = 0; n <= text.size(); ++n) viable_.insert(text.substr(0, n));
    }
    const Result<CompiledGrammar> compiled = compiler_.compile_ebnf(ebnf);
    for (const oracle::LexTerminal& terminal : grammar.terminals) {
      if (terminal.mode != oracle::Mode::kGreedy || !oracle::matches(*terminal.regex, "")) continue;
      ASSERT_FALSE(compiled.has_value()) << "greedy terminals that match the empty text are not supported";
      ASSERT_EQ(compiled.error().code, ErrorCode::kUnsupported) << compiled.error().message;
      return;
    }
    if (oracle::looks_ahead_of_nothing(grammar) && !compiled.has_value()) {
      // The error is kUnsatisfiable if the nullable part is in an alternative that no text satisfies.
      const bool is_right = compiled.error().code == ErrorCode::kUnsupported ||
                            (compiled.error().code == ErrorCode::kUnsatisfiable && members_.empty());
      EXPECT_TRUE(is_right) << compiled.error().message;
      ++unsupported_;
      return;
    }
    if (members_.empty()) {
      // There may be members longer than the bound. So if there is an error, only its code is known.
      if (!compiled.has_value()) {
        EXPECT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable) << compiled.error().message;
      }
      return;
    }
    ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
    for (const std::string& text : strings_) {
      if (text.size() > kLength || enough_failures()) return;
      GrammarMatcher matcher(*compiled);
      const Step step = matcher.accept_bytes(text);
      if (!viable_.contains(text)) {
        if (step == Step::kOk) check_witness(grammar, std::move(matcher), text);
        continue;
      }
      ASSERT_EQ(step, Step::kOk) << "'" << text << "' begins a member";
      ASSERT_EQ(matcher.is_completed(), members_.contains(text)) << "on '" << text << "'";
      ++masks_;
      check_mask(grammar, matcher, text);
    }
  }

  /// Returns the number of grammars that were refused because of a look-ahead after a nullable part.
  [[nodiscard]] std::size_t unsupported() const { return unsupported_; }

  /// Returns the number of masks compared so far.
  [[nodiscard]] std::size_t masks() const { return masks_; }

 private:
  void check_mask(const oracle::LexGrammar& grammar, GrammarMatcher& matcher, const std::string& text) {
    const std::vector<bool> mask = mask_of(matcher);
    for (std::uint32_t token = 0; token < mask.size(); ++token) {
      const std::string after = text + vocabulary().tokens[token];
      if (vocabulary().is_stop(token)) {
        ASSERT_EQ(mask[token], members_.contains(text)) << "stop token after '" << text << "'";
      } else if (viable_.contains(after)) {
        ASSERT_TRUE(mask[token]) << "masked, but '" << after << "' begins a member";
      } else if (mask[token]) {
        GrammarMatcher next = matcher.fork();
        ASSERT_EQ(next.accept_token(token), Step::kOk);
        check_witness(grammar, std::move(next), after);
      }
    }
  }

  // Called for a viable text that no member up to the bound extends: following the masks must lead to a longer member.
  void check_witness(const oracle::LexGrammar& grammar, GrammarMatcher matcher, const std::string& text) {
    std::deque<std::pair<GrammarMatcher, std::string>> work;
    std::set<std::uint32_t> seen{matcher.state_id()};
    work.emplace_back(std::move(matcher), text);
    while (!work.empty() && seen.size() < kSearchStates) {
      auto [current, so_far] = std::move(work.front());
      work.pop_front();
      if (current.is_completed()) {
        ASSERT_TRUE(oracle::is_member(grammar, so_far)) << "'" << so_far << "' is completed, but no member";
        return;
      }
      for (const char c : {'a', 'b', 'c'}) {
        GrammarMatcher next = current.fork();
        if (next.accept_bytes({&c, 1}) != Step::kOk) continue;
        if (seen.insert(next.state_id()).second) work.emplace_back(std::move(next), so_far + c);
      }
    }
    FAIL() << "'" << text << "' is allowed, but begins no member";
  }

  GrammarCompiler compiler_;
  std::vector<std::string> strings_;
  std::set<std::string> members_;
  std::set<std::string> viable_;
  std::size_t masks_ = 0;
  std::size_t unsupported_ = 0;
};

TEST(ExhaustiveLexemes, Random) {
  LexemeCheck check;
  std::minstd_rand random(201);
  for (int i = 0; i < kRandom && !enough_failures(); ++i) check.check(oracle::random_lexeme_grammar(random));
  EXPECT_GT(check.masks(), kRandom * 5U) << "the grammars have too few texts to tell anything";
}

TEST(ExhaustiveLexemes, RandomLookAheads) {
  LexemeCheck check;
  std::minstd_rand random(303);
  for (int i = 0; i < kRandom && !enough_failures(); ++i) check.check(oracle::random_look_ahead_grammar(random));
  EXPECT_GT(check.masks(), kRandom * 3U) << "the grammars have too few texts to tell anything";
  EXPECT_LT(check.unsupported(), kRandom / 3U);
}

// Pairs of terminals such as /a+/ or /a(bab)?/, one followed by the other, on which the modes differ.
TEST(ExhaustiveLexemes, AllPairs) {
  using oracle::concat;
  using oracle::literal;
  using oracle::repeat;
  using oracle::set_of;
  const std::vector<oracle::RegexPtr> regexes{
      set_of("a"),
      literal("ab"),
      repeat(set_of("a"), 1, oracle::kUnbounded),
      repeat(set_of("ab"), 1, oracle::kUnbounded),
      repeat(set_of("a"), 0, 2),
      concat(set_of("a"), repeat(literal("bab"), 0, 1)),
      concat(repeat(set_of("ab"), 0, oracle::kUnbounded), set_of("b")),
      oracle::either(literal("ab"), literal("abba")),
  };
  LexemeCheck check;
  for (const oracle::RegexPtr& first : regexes) {
    for (const oracle::RegexPtr& second : regexes) {
      for (const oracle::Mode first_mode : {oracle::Mode::kExact, oracle::Mode::kLazy, oracle::Mode::kGreedy}) {
        for (const oracle::Mode second_mode : {oracle::Mode::kExact, oracle::Mode::kLazy, oracle::Mode::kGreedy}) {
          // root ::= (A B)+ | B A B
          const oracle::LexSymbol root{true, 0};
          const oracle::LexSymbol a{false, 0};
          const oracle::LexSymbol b{false, 1};
          check.check(
              {1, {{first, first_mode}, {second, second_mode}}, {{0, {a, b}}, {0, {a, b, root}}, {0, {b, a, b}}}});
          if (enough_failures()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace weir::testing
