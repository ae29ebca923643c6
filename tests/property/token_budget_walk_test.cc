// Random outputs within a budget of tokens (MatcherOptions::max_tokens), with schemas and a vocabulary of 8,192 tokens:
// each ends within its budget, and matchers that know nothing of it accept the same tokens.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>

#include "property/harness.h"
#include "rounds.h"
#include "weir/bitmask.h"

namespace weir::testing {
namespace {

constexpr std::string_view kSchemas[] = {
    R"({"type": "object", "additionalProperties": false, "required": ["name", "size"],
        "properties": {"name": {"type": "string"}, "size": {"enum": ["small", "medium", "large"]},
                       "description": {"type": "string", "maxLength": 20}, "tags": {"items": {"type": "string"}}}})",
    R"({"type": "array", "minItems": 1, "items": {"type": "object", "additionalProperties": false,
        "required": ["latitude", "longitude"], "properties": {"latitude": {"type": "number"},
        "longitude": {"type": "number"}, "note": {"type": "string", "minLength": 3}}}})",
    R"({"anyOf": [{"type": "integer", "minimum": 100}, {"type": "string", "format": "date"},
                  {"type": "array", "items": {"enum": ["international", "a-b-c-d-e"]}, "minItems": 2}]})",
    R"({"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "object", "additionalProperties": false,
        "required": ["value"], "properties": {"value": {"type": "boolean"},
        "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}}})",
    R"({"type": "string", "pattern": "^[a-z]{2,9}( and [A-Z][a-z]+){1,3}$"})",
};

Result<GrammarMatcher> matcher_within(const CompiledGrammar& compiled, std::uint32_t most, Tokenization tokenization) {
  MatcherOptions within;
  within.max_tokens = most;
  within.tokenization = tokenization;
  return GrammarMatcher::create(compiled, within);
}

Result<GrammarMatcher> matcher_within(std::string_view schema, std::uint32_t most, Tokenization tokenization,
                                      Limits limits = {}) {
  JsonSchemaOptions options;
  options.whitespace = JsonSchemaOptions::Whitespace::kCompact;
  const GrammarCompiler compiler(TokenizerInfo::builtin(), limits);
  Result<CompiledGrammar> compiled = compiler.compile_json_schema(schema, options);
  if (!compiled) return tl::unexpected(compiled.error());
  return matcher_within(*compiled, most, tokenization);
}

// Walks at random until a stop token, which is taken only where nothing else is allowed. Returns the tokens before it.
std::vector<std::uint32_t> walk_to_the_end(GrammarMatcher& matcher, std::minstd_rand& random) {
  std::vector<std::uint32_t> tokens;
  const auto& stops = matcher.compiled_grammar().tokenizer_info().stop_token_ids();
  while (true) {
    std::vector<std::uint32_t> allowed = tokens_of(mask_of(matcher));
    if (allowed.empty()) {
      ADD_FAILURE() << "no token is left after " << shown(matcher.text());
      return tokens;
    }
    if (allowed.size() > 1)
      std::erase_if(allowed, [&](auto token) { return std::ranges::find(stops, token) != stops.end(); });
    const std::uint32_t token = allowed[random() % allowed.size()];
    EXPECT_EQ(matcher.accept_token(token), Step::kOk);
    if (matcher.is_terminated() || ::testing::Test::HasFailure()) return tokens;
    tokens.push_back(token);
  }
}

void check_walks(Tokenization tokenization, int walks_of_schema) {
  std::minstd_rand random(1);
  std::size_t walks = 0;
  for (const std::string_view schema : kSchemas) {
    SCOPED_TRACE(schema);
    std::uint32_t least = 0;  // the smallest budget
    while (!matcher_within(schema, least, tokenization)) ASSERT_LT(++least, 60U);
    for (int i = 0; i < tests::rounds(walks_of_schema); ++i) {
      const auto most = least + static_cast<std::uint32_t>(random() % 16);
      Result<GrammarMatcher> matcher = matcher_within(schema, most, tokenization);
      ASSERT_TRUE(matcher.has_value()) << matcher.error().message;
      const std::vector<std::uint32_t> tokens = walk_to_the_end(*matcher, random);
      ASSERT_LE(tokens.size(), most);
      ASSERT_FALSE(::testing::Test::HasFailure()) << "within " << most << ": " << shown(matcher->text());
      if (tokenization == Tokenization::kCanonical) {
        EXPECT_EQ(*TokenizerInfo::builtin().tokenize(matcher->text()), tokens) << shown(matcher->text());
      }
      Limits small;
      small.state_memory = 1;  // every call explores again
      for (const Limits& limits : {Limits(), small}) {
        Result<GrammarMatcher> other = matcher_within(schema, most, tokenization, limits);
        ASSERT_TRUE(other.has_value());
        for (const std::uint32_t token : tokens) {
          ASSERT_EQ(other->accept_token(token), Step::kOk)
              << "within " << most << ": " << shown(matcher->text()) << " after " << shown(other->text());
        }
        EXPECT_TRUE(other->is_completed());
      }
      ++walks;
    }
  }
  EXPECT_GT(walks, tests::rounds(static_cast<std::uint32_t>(4 * walks_of_schema)));
}

TEST(TokenBudgetWalk, EndsInTimeAndOtherMatchersAcceptIt) { check_walks(Tokenization::kAny, 24); }

TEST(TokenBudgetWalk, EndsInTimeInCanonicalTokens) { check_walks(Tokenization::kCanonical, 8); }

constexpr std::string_view kShape = R"({"type": "object", "required": ["shape", "dimensions"], "properties": {
    "shape": {"type": "string"}, "dimensions": {"type": "object", "required": ["length", "width", "radius"],
    "properties": {"length": {"type": "number"}, "radius": {"type": "number"}, "width": {"type": "number"}}}}})";

CompiledGrammar shape_in_yaml(Limits limits = {}) {
  JsonSchemaOptions options;
  options.notation = JsonSchemaOptions::Notation::kYaml;
  return *GrammarCompiler(TokenizerInfo::builtin(), limits).compile_json_schema(kShape, options);
}

// Here the text decides what may follow a key, so an output reaches other states than a search for a way to the end.
TEST(TokenBudgetWalk, EndsInTimeInYaml) {
  const CompiledGrammar compiled = shape_in_yaml();
  for (const Tokenization tokenization : {Tokenization::kAny, Tokenization::kCanonical}) {
    SCOPED_TRACE(tokenization == Tokenization::kAny ? "any tokens" : "canonical tokens");
    std::uint32_t least = 0;  // the smallest budget
    while (!matcher_within(compiled, least, tokenization)) ASSERT_LT(++least, 60U);
    std::minstd_rand random(1);
    for (std::uint32_t walk = 0; walk < tests::rounds(18U); ++walk) {
      const std::uint32_t most = least + walk % 6;
      Result<GrammarMatcher> matcher = matcher_within(compiled, most, tokenization);
      ASSERT_TRUE(matcher.has_value()) << matcher.error().message;
      const std::vector<std::uint32_t> tokens = walk_to_the_end(*matcher, random);
      ASSERT_FALSE(::testing::Test::HasFailure()) << "walk " << walk << " within " << most;
      EXPECT_LE(tokens.size(), most);
    }
  }
}

// A call that meets its limit while the shortest texts of rules are being measured leaves a part of them unmeasured. The
// next call, often after a move to a fresh automaton, measures again.
TEST(TokenBudgetWalk, CallsThatMeetTheirLimitsGoOnInYaml) {
  Limits limits;
  limits.call_work = 300'000;
  limits.lookahead_threads = 5'000;
  limits.state_memory = std::size_t{8} << 20U;
  const CompiledGrammar compiled = shape_in_yaml(limits);
  std::minstd_rand random(1);
  std::vector<std::uint32_t> bitmask(bitmask_words(TokenizerInfo::builtin().vocab_size()));
  std::size_t met = 0;
  for (int walk = 0; walk < 2; ++walk) {
    GrammarMatcher matcher = *matcher_within(compiled, 34, Tokenization::kCanonical);
    while (!matcher.is_terminated()) {
      while (matcher.fill_next_token_bitmask(bitmask) == Step::kLimitExceeded) ASSERT_LT(++met, 200U);
      std::vector<std::uint32_t> allowed;
      for (std::uint32_t t = 0; t < TokenizerInfo::builtin().vocab_size(); ++t) {
        if (bitmask_get(bitmask, t)) allowed.push_back(t);
      }
      ASSERT_FALSE(allowed.empty()) << shown(matcher.text());
      const std::uint32_t token = allowed[random() % allowed.size()];
      Step step = matcher.accept_token(token);
      for (; step == Step::kLimitExceeded; step = matcher.accept_token(token)) ASSERT_LT(++met, 200U);
      ASSERT_EQ(step, Step::kOk);
      ASSERT_LE(compiled.stats().memory_bytes, 8 * limits.state_memory) << shown(matcher.text());
    }
  }
  EXPECT_GT(met, 0U);
  EXPECT_GT(compiled.stats().cache_flushes, 0U);
}

}  // namespace
}  // namespace weir::testing
