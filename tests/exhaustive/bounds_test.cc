// Compares random small grammars with token bounds, over a vocabulary of overlapping tokens, with the oracle.
#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>

#include "oracle/bounded.h"
#include "property/harness.h"

namespace weir::testing {
namespace {

using oracle::BoundedCfg;
using oracle::Tokens;

constexpr int kGrammars = 250;
constexpr std::size_t kMembers = 5;  // the most tokens of the members that are listed
constexpr std::size_t kWalk = 3;     // the most tokens of the prefixes that are compared

const std::vector<std::string> kTokens{"a", "b", "ab", "ba", "aab"};

struct Case {
  BoundedCfg grammar;
  std::string ebnf;
};

// Returns a grammar of one to three rules, each with one to three alternatives of up to three symbols. A symbol is "a",
// "b" or a rule. Two thirds of the rules are bounded.
Case random_case(std::minstd_rand& random) {
  static constexpr const char* kNames[] = {"root", "x", "y"};
  Case out;
  const std::size_t rules = 1 + random() % 3;
  for (std::size_t rule = 0; rule < rules; ++rule) out.grammar.cfg.add_rule(kNames[rule]);
  for (std::size_t rule = 0; rule < rules; ++rule) {
    const bool is_bounded = random() % 3 != 0;
    out.grammar.bounds.push_back(is_bounded ? std::optional<std::size_t>(1 + random() % 4) : std::nullopt);
    out.ebnf += std::string(kNames[rule]) + " ::= ";
    if (is_bounded) out.ebnf += "@max_tokens(" + std::to_string(*out.grammar.bounds.back()) + ": ";
    for (std::size_t alternatives = 1 + random() % 3, i = 0; i < alternatives; ++i) {
      if (i > 0) out.ebnf += " | ";
      std::vector<oracle::Symbol> symbols;
      std::string text;
      for (std::size_t count = random() % 4; count > 0; --count) {
        const std::size_t drawn = random() % (2 + rules);
        symbols.push_back(drawn < 2 ? oracle::Cfg::bytes(drawn == 0 ? "a" : "b") : oracle::Cfg::rule(drawn - 2));
        text += drawn < 2 ? (drawn == 0 ? "\"a\" " : "\"b\" ") : std::string(kNames[drawn - 2]) + " ";
      }
      out.ebnf += text.empty() ? "\"\"" : text;
      out.grammar.cfg.add(rule, std::move(symbols));
    }
    out.ebnf += is_bounded ? ")\n" : "\n";
  }
  return out;
}

enum class Bytes : std::uint8_t { kSome, kAll };

// If every byte is a token, the engine often knows without a search that a completion is within the bound.
TokenizerInfo tokenizer(Bytes bytes) {
  oracle::Vocabulary vocabulary{kTokens, {}};
  for (int byte = 0; byte < 256 && bytes == Bytes::kAll; ++byte) {
    if (byte != 'a' && byte != 'b') vocabulary.tokens.emplace_back(1, static_cast<char>(byte));
  }
  vocabulary.stop_tokens = {static_cast<std::uint32_t>(vocabulary.tokens.size())};
  vocabulary.tokens.emplace_back();
  return make_tokenizer(vocabulary);
}

class BoundsCheck {
 public:
  explicit BoundsCheck(Bytes bytes) : tokenizer_(tokenizer(bytes)) {}

  void check(const Case& bounded, const Limits& limits) {
    SCOPED_TRACE(bounded.ebnf);
    language_.emplace(bounded.grammar, kTokens);
    GrammarCompiler compiler(tokenizer_, limits);
    const Result<CompiledGrammar> compiled = compiler.compile_ebnf(bounded.ebnf);
    const bool satisfiable = can_be_met(bounded.grammar);
    ASSERT_EQ(compiled.has_value(), satisfiable) << (compiled ? "" : compiled.error().message);
    if (!compiled) {
      EXPECT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable);
      return;
    }
    ++compiled_;
    members_ = language_->members(kMembers);
    viable_.clear();
    for (const Tokens& member : members_) {
      for (std::size_t size = 0; size <= member.size(); ++size) {
        viable_.insert(Tokens(member.begin(), member.begin() + static_cast<std::ptrdiff_t>(size)));
      }
    }
    GrammarMatcher matcher(*compiled);
    Tokens tokens;
    visit(matcher, tokens);
  }
  [[nodiscard]] int compiled() const { return compiled_; }
  [[nodiscard]] int compared() const { return compared_; }

 private:
  // Returns true if every rule that the grammar can use has a text within its bound.
  bool can_be_met(const BoundedCfg& grammar) {
    if (!oracle::productive_rules(grammar.cfg)[grammar.cfg.start]) return false;
    const oracle::Cfg productive = oracle::productive_part(grammar.cfg);
    const std::vector<bool> reachable = oracle::reachable_rules(productive);
    for (std::size_t rule = 0; rule < grammar.bounds.size(); ++rule) {
      if (reachable[rule] && grammar.bounds[rule] && !language_->has_text(rule, *grammar.bounds[rule])) return false;
    }
    return true;
  }

  void visit(GrammarMatcher& matcher, Tokens& tokens) {
    const std::vector<bool> mask = mask_of(matcher);
    EXPECT_EQ(matcher.is_completed(), language_->is_member(tokens)) << shown(tokens);
    EXPECT_EQ(mask.back(), matcher.is_completed()) << shown(tokens);
    for (std::uint32_t t = 0; t < kTokens.size() && !enough_failures(); ++t) {
      tokens.push_back(t);
      ++compared_;
      EXPECT_EQ(matcher.is_token_allowed(t), mask[t]) << shown(tokens);
      if (viable_.contains(tokens)) {
        EXPECT_TRUE(mask[t]) << "masked, though it leads on: " << shown(tokens);
      } else if (mask[t]) {
        EXPECT_TRUE(can_end(matcher, tokens)) << "allowed, though it does not lead to an end: " << shown(tokens);
      }
      if (mask[t] && tokens.size() < kWalk) {
        EXPECT_EQ(matcher.accept_token(t), Step::kOk);
        visit(matcher, tokens);
        EXPECT_EQ(matcher.rollback(1), Step::kOk);
      }
      tokens.pop_back();
    }
  }

  // Returns true if a walk along masks from `tokens` reaches a member. `matcher` has accepted all tokens but the last.
  bool can_end(const GrammarMatcher& matcher, const Tokens& tokens) {
    constexpr std::size_t kMax = 4000;
    std::deque<std::pair<GrammarMatcher, Tokens>> open{{matcher.fork(), tokens}};
    for (std::size_t visited = 0; visited < kMax && !open.empty(); ++visited) {
      auto [at, way] = std::move(open.front());
      open.pop_front();
      if (at.accept_token(way.back()) != Step::kOk) return false;
      if (at.is_completed()) return language_->is_member(way);
      const std::vector<bool> mask = mask_of(at);
      for (std::uint32_t t = 0; t < kTokens.size(); ++t) {
        if (!mask[t]) continue;
        way.push_back(t);
        open.emplace_back(at.fork(), way);
        way.pop_back();
      }
    }
    return false;
  }

  static std::string shown(const Tokens& tokens) {
    std::string out;
    for (const std::uint32_t t : tokens) out += (out.empty() ? "" : " ") + kTokens[t];
    return out;
  }

  TokenizerInfo tokenizer_;
  std::optional<oracle::BoundedLanguage> language_;
  std::set<Tokens> members_;
  std::set<Tokens> viable_;
  int compiled_ = 0;
  int compared_ = 0;
};

TEST(ExhaustiveBounds, RandomGrammars) {
  BoundsCheck check(Bytes::kSome);
  std::minstd_rand random(501);
  for (int i = 0; i < kGrammars && !enough_failures(); ++i) check.check(random_case(random), {});
  EXPECT_GT(check.compiled(), kGrammars / 4) << "too few of the grammars can be met to tell anything";
  RecordProperty("compared", check.compared());
}

TEST(ExhaustiveBounds, EveryByteIsAToken) {
  BoundsCheck check(Bytes::kAll);
  std::minstd_rand random(503);
  for (int i = 0; i < kGrammars / 2 && !enough_failures(); ++i) check.check(random_case(random), {});
  EXPECT_GT(check.compiled(), kGrammars / 8) << "too few of the grammars can be met to tell anything";
}

// Masks do not change if states are dropped and rebuilt from the tokens so far.
TEST(ExhaustiveBounds, TinyCache) {
  BoundsCheck check(Bytes::kSome);
  std::minstd_rand random(502);
  for (int i = 0; i < kGrammars / 10 && !enough_failures(); ++i) check.check(random_case(random), {.state_memory = 1});
}

}  // namespace
}  // namespace weir::testing
