#include "property/harness.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace weir::testing {

TokenizerInfo make_tokenizer(const oracle::Vocabulary& vocabulary) {
  VocabSpec spec;
  spec.tokens = vocabulary.tokens;
  spec.stop_token_ids = vocabulary.stop_tokens;
  for (const std::uint32_t token : vocabulary.stop_tokens) {
    if (!vocabulary.tokens[token].empty()) continue;
    spec.tokens[token] = "<end" + std::to_string(token) + ">";
    spec.special_token_ids.push_back(token);
  }
  Result<TokenizerInfo> tokenizer = TokenizerInfo::from_vocab(spec);
  EXPECT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  return *tokenizer;
}

oracle::Vocabulary vocabulary_of(const TokenizerInfo& tokenizer) {
  oracle::Vocabulary result;
  for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token) {
    result.tokens.emplace_back(tokenizer.token_bytes(token));
  }
  result.stop_tokens.assign(tokenizer.stop_token_ids().begin(), tokenizer.stop_token_ids().end());
  return result;
}

std::vector<bool> mask_of(GrammarMatcher& matcher) {
  const std::size_t size = matcher.compiled_grammar().tokenizer_info().vocab_size();
  std::vector<std::uint32_t> words(bitmask_words(size), 0xA5A5A5A5U);
  const Step step = matcher.fill_next_token_bitmask(words);
  EXPECT_EQ(step, Step::kOk) << to_string(step) << " " << matcher.limit_message();
  std::vector<bool> result(size);
  for (std::uint32_t token = 0; token < size; ++token) result[token] = bitmask_get(words, token);
  for (std::size_t bit = size; bit < words.size() * 32; ++bit) {
    EXPECT_FALSE(bitmask_get(words, static_cast<std::uint32_t>(bit))) << "a bit after the vocabulary is set";
  }
  return result;
}

bool enough_failures() {
  constexpr int kEnough = 12;
  return ::testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count() >= kEnough;
}

std::string shown(std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string result = "'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      result += c;
    } else {
      result += "\\x";
      result += kHex[byte >> 4];
      result += kHex[byte & 15];
    }
  }
  return result + "'";
}

std::string difference(const std::vector<bool>& actual, const std::vector<bool>& expected,
                       const oracle::Vocabulary& vocabulary) {
  std::string result;
  std::size_t more = 0;
  for (std::size_t token = 0; token < expected.size(); ++token) {
    if (actual[token] == expected[token]) continue;
    if (result.size() > 400) {
      ++more;
      continue;
    }
    result += actual[token] ? " +" : " -";
    result += std::to_string(token) + " " + shown(vocabulary.tokens[token]);
  }
  if (more > 0) result += " and " + std::to_string(more) + " more";
  return result;
}

std::vector<std::uint32_t> tokens_of(const std::vector<bool>& mask) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t token = 0; token < mask.size(); ++token) {
    if (mask[token]) result.push_back(token);
  }
  return result;
}

std::vector<WalkStep> random_walk(GrammarMatcher& matcher, std::minstd_rand& random, std::size_t steps) {
  const auto stops = matcher.compiled_grammar().tokenizer_info().stop_token_ids();
  std::vector<WalkStep> walk;
  while (walk.size() < steps) {
    WalkStep step{0, mask_of(matcher), matcher.state_id()};
    std::vector<std::uint32_t> tokens = tokens_of(step.mask_before);
    std::erase_if(tokens, [&](std::uint32_t token) { return std::ranges::find(stops, token) != stops.end(); });
    if (tokens.empty()) break;
    step.token = tokens[random() % tokens.size()];
    EXPECT_EQ(matcher.accept_token(step.token), Step::kOk);
    walk.push_back(std::move(step));
  }
  return walk;
}

}  // namespace weir::testing
