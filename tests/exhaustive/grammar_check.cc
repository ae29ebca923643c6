#include "exhaustive/grammar_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace weir::testing {
namespace {

// For completions up to this length, the test also checks that no shorter one exists.
constexpr std::size_t kShorter = 3;
constexpr std::size_t kForcedLimit = 200;
// Stands for all characters other than `a` and `b`, which complements match.
constexpr char kOther = 'c';

}  // namespace

GrammarCheck::GrammarCheck(oracle::Vocabulary vocabulary, const Limits& limits, std::size_t length)
    : vocabulary_(std::move(vocabulary)), compiler_(make_tokenizer(vocabulary_), limits), length_(length) {}

void GrammarCheck::check(const oracle::GrammarCase& grammar) {
  SCOPED_TRACE("\n" + grammar.ebnf);
  ++counts_.grammars;
  const Result<CompiledGrammar> compiled = compiler_.compile_ebnf(grammar.ebnf);
  if (!oracle::productive_rules(grammar.cfg)[grammar.cfg.start]) {
    ++counts_.unsatisfiable;
    ASSERT_FALSE(compiled.has_value()) << "compiled, but the language is empty";
    ASSERT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable) << compiled.error().message;
    return;
  }
  ASSERT_TRUE(compiled.has_value()) << to_string(compiled.error().code) << ": " << compiled.error().message;
  check_warnings(grammar, *compiled);
  earley_ = std::make_unique<oracle::Earley>(grammar.cfg);
  visited_.clear();
  GrammarMatcher matcher(*compiled);
  visit(matcher, "");
  counts_.texts += visited_.size();
  counts_.flushes += compiled->stats().cache_flushes;
}

// Checks that a warning names each rule of the user that is unreachable or unproductive.
void GrammarCheck::check_warnings(const oracle::GrammarCase& grammar, const CompiledGrammar& compiled) {
  const std::vector<bool> productive = oracle::productive_rules(grammar.cfg);
  const std::vector<bool> reachable = oracle::reachable_rules(grammar.cfg);
  for (std::size_t rule = 0; rule < grammar.cfg.names.size(); ++rule) {
    const std::string& name = grammar.cfg.names[rule];
    if (name.starts_with("group") || name.starts_with("state")) continue;
    // A rule in a part that is repeated zero times occurs in the grammar, but no derivation reaches it. A warning is
    // optional.
    if (grammar.ebnf.find("{0,0}") != std::string::npos) continue;
    const bool named = std::ranges::any_of(
        compiled.warnings(), [&](const Warning& w) { return w.message.find("`" + name + "`") != std::string::npos; });
    if (!productive[rule] || !reachable[rule]) {
      EXPECT_TRUE(named) << "no warning names `" << name << "`";
    }
  }
}

void GrammarCheck::visit(GrammarMatcher& matcher, const std::string& text) {
  const std::vector<bool> mask = mask_of(matcher);
  // After a flush, states have new ids.
  const auto no_flush = [&] { return matcher.compiled_grammar().stats().cache_flushes == 0; };
  const auto [it, is_new] = visited_.try_emplace(text, matcher.state_id());
  if (!is_new) {
    const std::uint32_t state = matcher.state_id();
    if (no_flush()) {
      EXPECT_EQ(state, it->second) << "two states for '" << text << "'";
    }
    return;
  }
  check_state(matcher, text, mask);
  if (::testing::Test::HasFatalFailure()) return;
  for (std::uint32_t token = 0; token < mask.size(); ++token) {
    if (enough_failures()) return;
    const std::string& bytes = vocabulary_.tokens[token];
    const bool follow = mask[token] && !vocabulary_.is_stop(token) && text.size() + bytes.size() <= length_;
    ASSERT_EQ(matcher.is_token_allowed(token), mask[token]) << "token " << token << " after '" << text << "'";
    if (mask[token] && !follow && token % 4 != 0) continue;  // trying all allowed tokens would be too slow
    ASSERT_EQ(matcher.accept_token(token), mask[token] ? Step::kOk : Step::kRefused)
        << "token " << token << " after '" << text << "'";
    if (!mask[token]) {
      const std::uint32_t state = matcher.state_id();
      if (no_flush()) {
        ASSERT_EQ(state, it->second) << "a refusal changed the state";
      }
      continue;
    }
    ASSERT_EQ(matcher.is_terminated(), vocabulary_.is_stop(token));
    if (follow) visit(matcher, text + bytes);
    ASSERT_EQ(matcher.rollback(1), Step::kOk);
    ASSERT_FALSE(matcher.is_terminated());
  }
  ASSERT_EQ(mask_of(matcher), mask) << "another mask after rollbacks to '" << text << "'";
}

void GrammarCheck::check_state(GrammarMatcher& matcher, const std::string& text, const std::vector<bool>& mask) {
  earley_->restart(text);
  ASSERT_TRUE(earley_->viable()) << "'" << text << "' was accepted";
  const std::vector<bool> expected = oracle::mask(*earley_, vocabulary_);
  ASSERT_EQ(mask, expected) << "after '" << text << "':" << difference(mask, expected, vocabulary_);
  ASSERT_EQ(matcher.is_completed(), earley_->member()) << "after '" << text << "'";
  ASSERT_TRUE(std::ranges::find(mask, true) != mask.end()) << "a dead end after '" << text << "'";
  ASSERT_EQ(matcher.find_jump_forward_string(),
            oracle::forced_bytes(*earley_, kForcedLimit, oracle::bytes_of({&kOther, 1})))
      << "after '" << text << "'";
  check_way_out(matcher, text);
  ASSERT_EQ(mask_of(matcher), mask) << "asking changed the mask after '" << text << "'";
}

// A completion proves that the state is not a dead end. Short completions are also checked to be shortest.
void GrammarCheck::check_way_out(GrammarMatcher& matcher, const std::string& text) {
  const std::optional<std::string> completion = matcher.shortest_completion();
  ASSERT_TRUE(completion.has_value()) << "no completion after '" << text << "'";
  std::string in_alphabet = *completion;
  for (char& c : in_alphabet) c = c == 'a' || c == 'b' ? c : kOther;
  earley_->push(in_alphabet);
  EXPECT_TRUE(earley_->member()) << "'" << *completion << "' does not complete '" << text << "'";
  earley_->pop(completion->size());
  if (completion->empty()) return;
  GrammarMatcher ahead = matcher.fork();
  EXPECT_EQ(ahead.accept_bytes(*completion), Step::kOk) << "'" << *completion << "' after '" << text << "'";
  EXPECT_TRUE(ahead.is_completed());
  for (const std::string& shorter : oracle::all_strings("abc", std::min(completion->size() - 1, kShorter))) {
    earley_->push(shorter);
    EXPECT_FALSE(earley_->member()) << "'" << shorter << "' completes '" << text << "' and is shorter than '"
                                    << *completion << "'";
    earley_->pop(shorter.size());
  }
}

}  // namespace weir::testing
