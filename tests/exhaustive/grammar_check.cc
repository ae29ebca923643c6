#include "exhaustive/grammar_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

namespace weir::testing {
namespace {

// States visited in the search for a way to acceptance before it is called undecided. Grammars of this size end within
// a few dozen bytes.
constexpr std::size_t kSearchStates = 3000;
// Longest texts from which a way to acceptance is searched, for each grammar.
constexpr std::size_t kSearches = 3;
constexpr std::size_t kForcedLimit = 200;

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

  std::size_t searches = 0;
  for (auto it = visited_.rbegin(); it != visited_.rend() && searches < kSearches; ++it) {
    if (it->first.size() < length_ && it != std::prev(visited_.rend())) continue;
    matcher.reset();
    ASSERT_EQ(matcher.accept_bytes(it->first), Step::kOk);
    check_way_out(matcher);
    ++searches;
  }
  counts_.flushes += compiled->stats().cache_flushes;
}

// Rules that the user wrote and that the start does not reach, or that have no string, must be named; the other way
// round, such a warning must be true.
void GrammarCheck::check_warnings(const oracle::GrammarCase& grammar, const CompiledGrammar& compiled) {
  const std::vector<bool> productive = oracle::productive_rules(grammar.cfg);
  const std::vector<bool> reachable = oracle::reachable_rules(grammar.cfg);
  for (std::size_t rule = 0; rule < grammar.cfg.names.size(); ++rule) {
    const std::string& name = grammar.cfg.names[rule];
    if (name.starts_with("group") || name.starts_with("state")) continue;
    const bool named = std::ranges::any_of(
        compiled.warnings(), [&](const Warning& w) { return w.message.find("`" + name + "`") != std::string::npos; });
    if (!productive[rule] || !reachable[rule]) {
      EXPECT_TRUE(named) << "no warning names `" << name << "`";
    }
  }
}

void GrammarCheck::visit(GrammarMatcher& matcher, const std::string& text) {
  const std::vector<bool> mask = mask_of(matcher);
  const bool no_flush = matcher.compiled_grammar().stats().cache_flushes == 0;
  const auto [it, is_new] = visited_.try_emplace(text, matcher.state_id());
  if (!is_new) {
    if (no_flush) {
      EXPECT_EQ(matcher.state_id(), it->second) << "two states for '" << text << "'";
    }
    return;
  }
  check_state(matcher, text, mask);
  for (std::uint32_t token = 0; token < mask.size(); ++token) {
    if (enough_failures()) return;
    const std::string& bytes = vocabulary_.tokens[token];
    const bool follow = mask[token] && !vocabulary_.is_stop(token) && text.size() + bytes.size() <= length_;
    ASSERT_EQ(matcher.is_token_allowed(token), mask[token]) << "token " << token << " after '" << text << "'";
    if (mask[token] && !follow && token % 4 != 0) continue;  // too long: accepted for some tokens only
    ASSERT_EQ(matcher.accept_token(token), mask[token] ? Step::kOk : Step::kRefused)
        << "token " << token << " after '" << text << "'";
    if (!mask[token]) {
      if (no_flush) {
        ASSERT_EQ(matcher.state_id(), it->second) << "a refusal changed the state";
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
  ASSERT_EQ(matcher.find_jump_forward_string(), oracle::forced_bytes(*earley_, kForcedLimit))
      << "after '" << text << "'";
  ASSERT_EQ(mask_of(matcher), mask) << "asking changed the mask after '" << text << "'";
}

void GrammarCheck::check_way_out(GrammarMatcher matcher) {
  ++counts_.searches;
  std::deque<GrammarMatcher> work{std::move(matcher)};
  std::set<std::uint32_t> seen{work.front().state_id()};
  while (!work.empty() && seen.size() < kSearchStates) {
    GrammarMatcher current = std::move(work.front());
    work.pop_front();
    if (current.is_completed()) return;
    for (const std::uint32_t token : tokens_of(mask_of(current))) {
      if (vocabulary_.is_stop(token) || vocabulary_.tokens[token].size() > 1) continue;
      GrammarMatcher next = current.fork();
      ASSERT_EQ(next.accept_token(token), Step::kOk);
      if (seen.insert(next.state_id()).second) work.push_back(std::move(next));
    }
  }
  ASSERT_FALSE(work.empty()) << "following the masks never leads to acceptance";
  ++counts_.undecided_searches;
}

}  // namespace weir::testing
