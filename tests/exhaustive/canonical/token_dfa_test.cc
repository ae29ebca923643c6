// Compares the algorithms of weir/token_dfa.h on small vocabularies with tokenizing all short texts merge by merge.
#include "weir/token_dfa.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "oracle/merge_by_merge.h"
#include "rounds.h"
#include "unit/canonical/small_table.h"

namespace weir {
namespace {

using oracle::StringMerges;
using oracle::Tokens;
using tests::sequences_of;
using tests::SmallTable;

std::string spelled(const StringMerges& merges) {
  std::string out = merges.alphabet + ":";
  for (const auto& [a, b] : merges.merges) out += " (" + a + "," + b + ")";
  return out;
}

// Returns vocabularies of at most 12 tokens. One in five has shuffled merges, so it may be improper (weir/token_dfa.h).
std::vector<StringMerges> small_worlds(std::uint32_t seed, std::uint32_t count) {
  std::mt19937 random(seed);
  std::vector<StringMerges> worlds;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string alphabet = i % 3 == 0 ? "a" : i % 3 == 1 ? "ab" : "abc";
    const bool repeats = i % 2 == 1;
    worlds.push_back(oracle::random_merges(random, alphabet, 1 + random() % 9, 6, repeats));
    if (i % 5 == 4) std::shuffle(worlds.back().merges.begin(), worlds.back().merges.end(), random);
  }
  return worlds;
}

// For each pair of tokens, Algorithm 3 allows what Algorithm 4 (StringMerges::allows) does, also after states are
// fused.
TEST(AlgorithmThree, AllowsThePairsOfAlgorithmFour) {
  std::size_t pairs = 0, forbidden = 0;
  for (const StringMerges& world : small_worlds(1, tests::rounds(600U))) {
    const SmallTable small(world);
    const TokenizerDfa literal = build_tokenizer_dfa(small.table).value();
    const TokenizerDfa fused = fuse_states(literal);
    ASSERT_LE(fused.state_count(), literal.state_count());
    std::size_t forbidden_here = 0;
    for (std::uint32_t l = 0; l < small.tokens.size(); ++l) {
      ASSERT_EQ(literal.is_made(l), world.is_made(small.tokens[l])) << spelled(world) << " " << small.tokens[l];
      for (std::uint32_t r = 0; r < small.tokens.size(); ++r) {
        const bool both = world.is_made(small.tokens[l]) && world.is_made(small.tokens[r]);
        const bool allowed = world.allows(small.tokens[l], small.tokens[r]);
        ASSERT_EQ(literal.allows(l, r), allowed) << spelled(world) << " " << small.tokens[l] << " " << small.tokens[r];
        ASSERT_EQ(fused.allows(l, r), allowed);
        forbidden_here += both && !allowed ? 1 : 0;
        ++pairs;
      }
    }
    ASSERT_EQ(literal.forbidden_pairs(), forbidden_here);
    ASSERT_EQ(fused.forbidden_pairs(), forbidden_here);
    forbidden += forbidden_here;
  }
  EXPECT_GT(pairs, tests::rounds(20'000U));
  EXPECT_GT(forbidden, tests::rounds(5'000U));
}

// The sequences in which every pair is allowed are the tokenizations of all texts, compared up to seven characters.
TEST(AlgorithmThree, AcceptsExactlyTheTokenizations) {
  for (const StringMerges& world : small_worlds(2, tests::rounds(300U))) {
    const SmallTable small(world);
    const TokenizerDfa tokenizer = build_tokenizer_dfa(small.table).value();
    std::set<Tokens> want;
    for (const std::string& text : oracle::all_texts(world.alphabet, 7)) want.insert(world.tokenize(text));
    const TokenDfa all = written_out(fuse_states(tokenizer)).value();
    ASSERT_EQ(sequences_of(all, small.tokens, 7), want) << spelled(world);
    for (const Tokens& sequence : want) {
      std::vector<std::uint32_t> ids;
      for (const std::string& token : sequence) ids.push_back(small.id_of(token));
      ASSERT_TRUE(tokenizer.matches(ids)) << spelled(world);
    }
  }
}

// Checks that each state of a product accepts or has a transition.
void check_no_dead_end(const CartesianMerge& product, const TokenDfa& written) {
  ASSERT_EQ(product.product_states(), written.state_count());
  for (std::uint32_t s = 0; s < written.state_count(); ++s) {
    ASSERT_TRUE(written.accepts(DfaState{s}) || !written.transitions(DfaState{s}).empty());
  }
}

// Compares Algorithm 6 with the written-out product state by state: same tokens, same acceptance.
void check_steps(const CartesianMerge& product, const TokenDfa& written) {
  std::vector<std::optional<CartesianMerge::State>> states(written.state_count());
  states[0] = product.start();
  std::vector<std::uint32_t> open{0}, next;
  while (!open.empty()) {
    const std::uint32_t s = open.back();
    open.pop_back();
    ASSERT_EQ(product.accepts(*states[s]), written.accepts(DfaState{s}));
    next.clear();
    product.append_next_tokens(*states[s], next);
    const auto transitions = written.transitions(DfaState{s});
    ASSERT_EQ(next.size(), transitions.size());
    for (std::size_t i = 0; i < next.size(); ++i) {
      ASSERT_EQ(next[i], transitions[i].token);
      auto& to = states[static_cast<std::size_t>(transitions[i].target)];
      const auto stepped = product.step(*states[s], next[i]);
      ASSERT_TRUE(stepped);
      if (to) {
        ASSERT_EQ(*to, *stepped);
      } else {
        to = stepped;
        open.push_back(static_cast<std::uint32_t>(transitions[i].target));
      }
    }
  }
}

TEST(DirectAndCartesianMerge, AcceptTheTokenizationsOfTheLanguage) {
  constexpr std::size_t kLongest = 8;
  std::mt19937 random(3);
  std::size_t languages = 0, sequences = 0;
  for (const StringMerges& world : small_worlds(4, tests::rounds(900U))) {
    const SmallTable small(world);
    const ByteDfa language = tests::random_language(random, world.alphabet, 1 + random() % 6);
    std::set<Tokens> want;
    for (const std::string& text : oracle::all_texts(world.alphabet, kLongest)) {
      if (tests::matches(language, text)) want.insert(world.tokenize(text));
    }
    const TokenDfa paths = token_paths(language, small.unit_views()).value();
    const TokenDfa direct = direct_merge(paths, small.table.merges).value();
    ASSERT_EQ(sequences_of(direct, small.tokens, kLongest), want) << spelled(world);
    // Applying one merge at a time gives the same result.
    TokenDfa steps = paths;
    for (const TokenMerge& merge : small.table.merges) steps = direct_merge(steps, merge).value();
    ASSERT_EQ(sequences_of(steps, small.tokens, kLongest), want) << spelled(world);

    const TokenizerDfa tokenizer = fuse_states(build_tokenizer_dfa(small.table).value());
    const Result<CartesianMerge> product = cartesian_merge(language, small.views(), tokenizer);
    if (!product) {
      ASSERT_EQ(product.error().code, ErrorCode::kUnsatisfiable);
      ASSERT_TRUE(want.empty());
      ASSERT_EQ(direct, TokenDfa());
      continue;
    }
    const TokenDfa written = product->written_out().value();
    ASSERT_EQ(sequences_of(written, small.tokens, kLongest), want) << spelled(world);
    check_no_dead_end(*product, written);
    check_steps(*product, written);
    ++languages;
    sequences += want.size();
  }
  EXPECT_GT(languages, tests::rounds(500U));
  EXPECT_GT(sequences, tests::rounds(50'000U));
}

// The token paths of a language are all ways to write its texts in tokens.
TEST(TokenPaths, AreAllSegmentations) {
  std::mt19937 random(5);
  for (const StringMerges& world : small_worlds(6, tests::rounds(100U))) {
    const SmallTable small(world);
    const ByteDfa language = tests::random_language(random, world.alphabet, 1 + random() % 4);
    std::set<Tokens> want;
    std::vector<Tokens> open{{}};
    while (!open.empty()) {
      const Tokens sequence = open.back();
      open.pop_back();
      std::string text;
      for (const std::string& token : sequence) text += token;
      if (tests::matches(language, text)) want.insert(sequence);
      for (const std::string& token : small.tokens) {
        if (text.size() + token.size() > 5) continue;
        open.push_back(sequence);
        open.back().push_back(token);
      }
    }
    ASSERT_EQ(sequences_of(token_paths(language, small.views()).value(), small.tokens, 5), want);
  }
}

}  // namespace
}  // namespace weir
