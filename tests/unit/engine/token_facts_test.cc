// Compares masks of wide strings, counted strings and searches with each token tried individually. Masks of such
// strings are computed from differences to other masks, by whole subtrees, or ahead of time; a single token is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/accelerators.h"
#include "engine/facts/vocabulary_store.h"
#include "rounds.h"
#include "shared_data.h"
#include "weir/bitmask.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir::token_facts_test {
namespace {

constexpr const char* kSchemas[] = {
    R"({"type":"string","maxLength":3})",
    R"({"type":"string","maxLength":15})",
    R"({"type":"string","maxLength":16})",
    R"({"type":"string","minLength":1,"maxLength":9})",
    R"({"type":"string","minLength":1,"maxLength":33})",
    R"({"type":"string","minLength":5,"maxLength":60})",
    R"({"type":"string","minLength":12,"maxLength":12})",
    R"({"type":"string","minLength":7})",
    R"({"type":"string","pattern":"^(?:\\S+\\s+){0,9}\\S+$","maxLength":100})",
    R"({"type":"string","pattern":"^(?:ab|c\"d?){2,20}$"})",
    R"({"type":"string","pattern":"^[^a-y]{18,}$"})",
    R"({"type":"string","pattern":"^[a-z0-9]{1,63}$","maxLength":40})",
    R"({"type":"string","maxLength":150})",
    R"({"type":"string","pattern":"^[a-z]{1,40}$"})",
    R"({"type":"string","pattern":"^([a-z]{1,20}-){0,20}[0-9]{2,18}$"})",
    R"({"type":"string","pattern":"[0-9]{4}-[0-9]{4}-[0-9]{4}"})",
    R"({"type":"string","pattern":"the.*end|[é-ü]{2}"})",
    R"({"allOf":[{"type":"string","pattern":"a"},{"pattern":"b"},{"not":{"pattern":"c"}}]})",
    R"({"type":"string","maxLength":30,"pattern":"x"})",
    R"({"type":"string","minLength":3,"maxLength":3})",
    R"({"type":"string","minLength":2,"maxLength":50})",
    R"({"type":"string","pattern":"^.*\\.ya?ml$"})",
    R"({"type":"string","pattern":"^\\S+$"})",
    R"({"type":"string","pattern":"^[^\\s/]{2,90}$"})",
    R"({"type":"string","pattern":"^[\\w.-]{1,80}$"})",
    R"({"type":"string","pattern":"^[0-9a-z]{8}-[0-9a-z]{4}$"})",
    R"({"type":"string","pattern":"^[A-Za-z0-9]{10}$"})",
    R"({"type":"string","pattern":"^[\\w-]*/[0-9]+-[0-9]+$"})",
    R"({"type":"string","pattern":"^[\\s\\w-]+$"})",
    R"({"type":"string","pattern":"^[^a-z\\u3000]{1,6}$"})",
    R"({"type":"string","pattern":"^[a-zA-Z_][\\w/é-ü]*$"})",
    R"({"type":"string","pattern":"^[^\\u2028a]{1,9}$"})",
    R"({"type":"string","pattern":"^[\\u00A0-\\u2030]{2,20}$"})",
    R"({"type":"string","pattern":"^(?:\\S+\\s+){0,29}\\S+$","minLength":1,"maxLength":200})",
    R"({"type":"string","pattern":"^(\\S+ ){0,18}\\S+$","maxLength":90})",
    R"({"type":"string","pattern":"^(\\S+ ){16,20}\\S*$","maxLength":45})",
    R"({"type":"string","pattern":"^[a-z ]*$","maxLength":40})",
    R"({"type":"string","pattern":"^([a-z]{20}|[0-9]{40}).*$","maxLength":30})",
    R"({"type":"string","pattern":"^[a-z]{0,30}([0-9]{30}|end)$","maxLength":36})",
    R"({"type":"string","not":{"pattern":"^[a-z]{2,30}$"},"maxLength":50})",
    R"({"type":"string","format":"hostname","maxLength":70})",
    R"({"type":"string","format":"email"})",
    R"({"type":"object","propertyNames":{"pattern":"^([a-z]+_){0,20}[a-z]+$","maxLength":40}})",
    R"({"type":"object","propertyNames":{"minLength":1,"maxLength":20},"additionalProperties":{"type":"string","maxLength":18}})",
    R"({"type":"object","patternProperties":{"dir_(work|home)s?":{"type":"null"},"drv_[a-z]+":{"type":"null"},"net_[a-z]+[0-9]+":true}})",
    R"({"type":"string","not":{"pattern":"the_[a-z]+[0-9]"},"pattern":"word-[a-z]"})",
    R"({"type":"string","pattern":"^[A-Za-z0-9]{15}$"})",
    R"({"type":"string","pattern":"^[A-Za-z0-9 &'()*,./@é-]{1,32}$"})",
    R"({"type":"string","pattern":"^(?:\\S+\\s+){0,99}\\S+$","minLength":1})",
    R"({"type":"string","pattern":"[^a-z]"})",
    R"({"type":"string","not":{"pattern":"ab"}})",
    R"({"type":"string","pattern":"^[a-z]*[^a-z]","not":{"pattern":"[0-9]_"}})",
    R"({"type":"string","pattern":"^[a-z ]+([0-9][a-z ]+)*(\\.[a-z]{2,4})?$"})",
    R"({"type":"string","pattern":"^([a-z]|[A-Z][0-9]|\\u00A0[\\u00A0-\\uFFFF])*$"})",
    R"({"type":"string","pattern":"^[^\\u2028\\u3000]{0,12}$"})",
};
// Patterns that refuse certain first characters, each of which may be a whole token.
constexpr const char* kFirstCharacters[] = {
    R"({"type":"string","pattern":"^[^\\u4f60][^,]{0,30}.*$"})",
    R"({"type":"string","pattern":"^(\\S+\\s+){0,49}\\S+$|^$"})",
    R"({"type":"string","pattern":"^[^\\u2014][^,]*(,[^,]+){0,30}$"})",
};
constexpr const char* kPrefixes[] = {"",           "\"",         "\"a",        "\"the ",      "\"1234-12",    "\"\xC3",
                                     "\"b\\u00",   "\"\xE2\x80", "\"\xE3\x80", "\"word-word", "{\"a\": \"in", "{\"key",
                                     "\"abcdefgh", "\"\\",       "{\"net",     "{\"net_ab"};

constexpr const char* kPatterns[] = {
    "(.|\\n)*</end>",  "[^\"]{2,30}\"", "[ -~\\t\\n]{2,40}",
    "\\S+( \\S+){3,}", "[^,]*,[^,]*",   "[^\\x{2028}\\x{3000}]{1,12}",
    "[\\t-\\r]*x",     "[a-z]{0,6}",
};
constexpr const char* kPatternPrefixes[] = {"", "a", "abcd", "\t\n", "word ", "word, \xE2\x80", "<", "ab\xE3"};

// White space that is allowed anywhere, also after other white space, before words and marks.
constexpr const char* kGrammar = R"ebnf(
root ::= WS statement+
statement ::= (WS WS) (";" WS | sum WS ";" WS | "{" WS statement* WS "}" WS)
sum ::= value WS ("+" WS value WS)*
value ::= NAME | NUMBER | "'" [^']* "'" | "(" WS sum WS ")"
NAME ::= [a-zA-Z_] [a-zA-Z0-9_]*
NUMBER ::= [0-9]+ ("." [0-9]*)?
WS ::= [ \t\n]*
)ebnf";
constexpr const char* kGrammarPrefixes[] = {"",  " ",    "ab", "ab ",  "ab \n",  "ab + (",
                                            "{", "{ 1 ", "'x", "{ab;", "{ab; \t"};

// Counted letters: a count may end after each letter, and the text after it may begin with some of the letters.
constexpr const char* kManyEnds = R"ebnf(
root ::= FEW (MORE | "'" root "'")
FEW ::= [a-e]+
MORE ::= [d-g] [a-k]* ";"
)ebnf";
constexpr const char* kManyEndsPrefixes[] = {"", "a", "abd", "b'", "b'cd", "bcf"};

// Returns the number of masks that were compared.
std::uint32_t compare(const CompiledGrammar& compiled, std::span<const char* const> prefixes, const char* what) {
  const TokenizerInfo& tokenizer = compiled.tokenizer_info();
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  std::uint32_t looked_at = 0;
  for (const char* prefix : prefixes) {
    GrammarMatcher matcher(compiled);
    if (matcher.accept_bytes(prefix) != Step::kOk) continue;
    ++looked_at;
    EXPECT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
    for (std::uint32_t token = looked_at % tests::one_in(); token < tokenizer.vocab_size(); token += tests::one_in()) {
      if (bitmask_get(mask, token) == matcher.is_token_allowed(token)) continue;
      ADD_FAILURE() << what << " after " << prefix << ", token " << token << ": " << tokenizer.token_bytes(token);
      break;
    }
  }
  return looked_at;
}

void compare(const TokenizerInfo& tokenizer) {
  const GrammarCompiler compiler(tokenizer);
  std::size_t looked_at = 0;
  for (const char* schema : kSchemas) {
    const Result<CompiledGrammar> compiled = compiler.compile_json_schema(schema);
    ASSERT_TRUE(compiled.has_value()) << schema << compiled.error().message;
    looked_at += compare(*compiled, kPrefixes, schema);
  }
  for (const char* pattern : kPatterns) {
    const Result<CompiledGrammar> compiled = compiler.compile_regex(pattern);
    ASSERT_TRUE(compiled.has_value()) << pattern << compiled.error().message;
    looked_at += compare(*compiled, kPatternPrefixes, pattern);
  }
  const Result<CompiledGrammar> compiled = compiler.compile_ebnf(kGrammar);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  EXPECT_EQ(compare(*compiled, kGrammarPrefixes, "the grammar"), std::size(kGrammarPrefixes));
  EXPECT_GT(looked_at, std::size(kSchemas) * 3);
}

TEST(WideStrings, MasksEqualTryingEachToken) { compare(TokenizerInfo::builtin()); }

TEST(WideStrings, MasksEqualTryingEachTokenOfALargeVocabulary) {
  const std::filesystem::path path = tests::shared_data() / "tokenizers" / "o200k_base.tiktoken";
  if (!std::filesystem::exists(path)) {
    GTEST_SKIP() << "no vocabulary file " << path << "; WEIR_SHARED_DATA names the directory with tokenizers/";
  }
  const Result<TokenizerInfo> tokenizer = TokenizerInfo::from_file(path.string());
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  compare(*tokenizer);
}

// Words of four letters, with a space before them. Nearly all are too long for the remaining count, and they exceed it
// at many nodes; the subtree of the space is larger than what is walked.
TEST(WideStrings, MasksOfVeryManyWordsEqualTryingEachToken) {
  VocabSpec spec;
  spec.tokens = {
      "</s>",         " ",       "a", "b", "c", "'", ";", "+", "1", "\"", "\xE4\xBD\xA0", "\xE2\x80\x94", "\xC2\xA0",
      "\xE3\x80\x80", "\xE3\x80"};
  spec.stop_token_ids = {0};
  constexpr std::size_t kWords = 12'000;
  for (std::size_t i = 0; i < kWords; ++i) {
    std::string word(4, 'a');
    for (std::size_t left = i, at = 4; at-- > 0; left /= 11) word[at] = static_cast<char>('a' + left % 11);
    spec.tokens.push_back((i % 3 == 0 ? " " : "") + word);
  }
  const Result<TokenizerInfo> tokenizer = TokenizerInfo::from_vocab(std::move(spec));
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  const GrammarCompiler compiler(*tokenizer);
  for (const char* pattern : {"[a-z]{0,3}", "[a-z]{0,6} [a-z]{0,3}"}) {
    const Result<CompiledGrammar> compiled = compiler.compile_regex(pattern);
    ASSERT_TRUE(compiled.has_value()) << pattern << compiled.error().message;
    EXPECT_GT(compare(*compiled, kPatternPrefixes, pattern), 1U);
  }
  for (const char* schema : kFirstCharacters) {
    const Result<CompiledGrammar> compiled = compiler.compile_json_schema(schema);
    ASSERT_TRUE(compiled.has_value()) << schema << compiled.error().message;
    EXPECT_GT(compare(*compiled, kPrefixes, schema), 3U);
  }
  const Result<CompiledGrammar> compiled = compiler.compile_ebnf(kGrammar);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  EXPECT_GT(compare(*compiled, kGrammarPrefixes, "the grammar"), 8U);
  const Result<CompiledGrammar> many_ends = compiler.compile_ebnf(kManyEnds);
  ASSERT_TRUE(many_ends.has_value()) << many_ends.error().message;
  EXPECT_EQ(compare(*many_ends, kManyEndsPrefixes, "many ends"), std::size(kManyEndsPrefixes));
}

// Tokens of up to 60 characters, most of which are runs, with patterns whose counts such a token may exceed, also after
// some characters.
class ManyCounts {
 public:
  std::string pattern() {
    std::string all = below(4) == 0 ? "" : "^";
    for (std::size_t parts = 1 + below(3); parts > 0; --parts) all += counted(below(2) == 0 ? unit() : group());
    return all + (below(4) == 0 ? "" : "$");
  }
  std::string schema() {
    std::string all = "{\"type\":\"string\"";
    if (below(5) != 0) all += ",\"pattern\":\"" + pattern() + "\"";
    if (below(3) != 0) all += ",\"maxLength\":" + std::to_string(20 + below(60));
    if (below(4) == 0) all += ",\"minLength\":" + std::to_string(1 + below(20));
    return all + "}";
  }
  std::string token() {
    std::string all;
    for (const std::size_t longest = 1 + below(60); all.size() < longest;) {
      const std::string letter = pick({"a", "b", " ", "-", "\xC3\xA9", "\xE4\xBD\xA0", "ab", "a ", "\"", "\\"});
      for (std::size_t run = below(6) == 0 ? 1 + below(20) : 1; run > 0; --run) all += letter;
    }
    return all;
  }
  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  std::string pick(std::vector<std::string> of) { return of[below(of.size())]; }
  std::string unit() { return pick({"a", "[^\\u4f60]", "[ab]", "\\\\S", ".", "[^-]", "\u00e9", "[a\u4f60 ]"}); }
  std::string group() {
    const std::string end = pick({" ", "-", "b?", "\\\\s+"});
    const std::string alternative = below(3) == 0 ? "|" + counted(unit()) : "";
    return "(" + unit() + pick({"", "+", "*"}) + end + alternative + ")";
  }
  std::string counted(const std::string& part) {
    const std::size_t least = below(3) == 0 ? below(30) : 0;
    return part + "{" + std::to_string(least) + "," + std::to_string(least + 8 + below(40)) + "}";
  }
  std::mt19937 random_{20261122};
};

// Such tokens, some of which end a string after many characters, and a longer stop token that contains a quote.
Result<TokenizerInfo> tokenizer_of(ManyCounts& random, std::size_t size = 600) {
  VocabSpec spec;
  spec.tokens = {"<" + std::string(90, 'a') + "\">",
                 "\"",
                 "a",
                 "b",
                 " ",
                 "-",
                 "\xC3",
                 "\xA9",
                 "\xE4\xBD",
                 "\xA0",
                 "\xC3\xA9",
                 "\xE4\xBD\xA0",
                 "\xE2\x80\x94",
                 "\xC2\xA0",
                 "\xC2\x85",
                 "\xE3\x80\x80",
                 "\xE2\x80\xA8",
                 "\\ud",
                 "\\udc",
                 "\\udc00",
                 "\\uD83D\\uDE00",
                 "\\u0022"};
  spec.stop_token_ids = {0};
  for (const std::size_t length : {17U, 25U, 45U, 70U}) {
    for (const char* before : {"", "\\\""}) spec.tokens.push_back(before + std::string(length, 'b') + '"');
  }
  while (spec.tokens.size() < size) spec.tokens.push_back(random.token());
  return TokenizerInfo::from_vocab(std::move(spec));
}

// If lone surrogates are allowed, a text need not be valid UTF-8, and an alternative of a search may match that.
TEST(WideStrings, MasksOfLongTokensWithQuotesEqualTryingEachToken) {
  ManyCounts random;
  const Result<TokenizerInfo> tokenizer = tokenizer_of(random);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  const GrammarCompiler compiler(*tokenizer);
  JsonSchemaOptions options;
  for (const bool lone_surrogates : {true, false}) {
    options.lone_surrogates = lone_surrogates;
    for (const char* schema :
         {R"({"anyOf":[{"type":"string","pattern":"a"},{"type":"string","not":{"pattern":"b"}}]})",
          R"({"anyOf":[{"type":"string","pattern":"ab"},{"type":"string","minLength":20}]})",
          R"({"type":"string","minLength":18})", R"({"type":"string","maxLength":20})",
          R"({"type":"string","minLength":5,"maxLength":30})", R"({"type":"string","pattern":"[ab]"})"}) {
      const Result<CompiledGrammar> compiled = compiler.compile_json_schema(schema, options);
      ASSERT_TRUE(compiled.has_value()) << schema << compiled.error().message;
      EXPECT_GT(compare(*compiled, kPrefixes, schema), 4U);
    }
  }
}

void compare_within_counts(std::size_t vocab_size, int rounds) {
  ManyCounts random;
  const Result<TokenizerInfo> tokenizer = tokenizer_of(random, vocab_size);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  const GrammarCompiler compiler(*tokenizer);
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer->vocab_size()));
  std::size_t masks = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string schema = random.schema();
    const Result<CompiledGrammar> compiled = compiler.compile_json_schema(schema);
    if (!compiled.has_value()) continue;  // no text has the required length
    GrammarMatcher matcher(*compiled);
    ASSERT_EQ(matcher.accept_bytes("\""), Step::kOk) << schema;
    for (int step = 0; step < 4; ++step, ++masks) {
      if (matcher.fill_next_token_bitmask(mask) == Step::kLimitExceeded) break;  // sums of counts need many states
      std::vector<std::uint32_t> allowed;
      for (std::uint32_t token = 0; token < tokenizer->vocab_size(); ++token) {
        ASSERT_EQ(bitmask_get(mask, token), matcher.is_token_allowed(token))
            << schema << " after " << matcher.text() << ", token " << token << ": " << tokenizer->token_bytes(token);
        if (bitmask_get(mask, token) && tokenizer->token_bytes(token).size() < 20) allowed.push_back(token);
      }
      if (allowed.empty()) break;
      ASSERT_EQ(matcher.accept_token(allowed[random.below(allowed.size())]), Step::kOk);
      if (matcher.is_terminated()) break;
    }
  }
  EXPECT_GT(masks, static_cast<std::size_t>(rounds) * 3 / 2);
}

TEST(WideStrings, MasksWithinManyCountsEqualTryingEachToken) { compare_within_counts(600, tests::rounds(40)); }

// For so many tokens there are bitmasks of kinds of characters (FactsStore::prepare).
TEST(WideStrings, MasksWithinManyCountsOfALargeVocabulary) { compare_within_counts(8'192, tests::rounds(8)); }

using Masks = std::vector<std::vector<std::uint32_t>>;

void append_masks(const Result<CompiledGrammar>& compiled, std::span<const char* const> prefixes, Masks& masks) {
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  for (const char* prefix : prefixes) {
    GrammarMatcher matcher(*compiled);
    if (matcher.accept_bytes(prefix) != Step::kOk) continue;
    masks.emplace_back(bitmask_words(compiled->tokenizer_info().vocab_size()));
    EXPECT_EQ(matcher.fill_next_token_bitmask(masks.back()), Step::kOk) << prefix;
  }
}

// Appends the masks of all grammars of this file, with a new vocabulary, in whose store one accelerator is left out.
void append_masks_without(std::optional<engine::Accelerator> left_out, Masks& masks) {
  ManyCounts random;
  const Result<TokenizerInfo> tokenizer = tokenizer_of(random, 8'192);
  ASSERT_TRUE(tokenizer.has_value()) << tokenizer.error().message;
  if (left_out) tokenizer->vocabulary().extension<engine::VocabularyStore>().facts.leave_out(*left_out);
  const GrammarCompiler compiler(*tokenizer);
  for (std::size_t i = 0; i < std::size(kSchemas); i += tests::one_in()) {
    append_masks(compiler.compile_json_schema(kSchemas[i]), kPrefixes, masks);
  }
  for (const char* schema : kFirstCharacters) append_masks(compiler.compile_json_schema(schema), kPrefixes, masks);
  for (const char* pattern : kPatterns) append_masks(compiler.compile_regex(pattern), kPatternPrefixes, masks);
  append_masks(compiler.compile_ebnf(kGrammar), kGrammarPrefixes, masks);
  append_masks(compiler.compile_ebnf(kManyEnds), kManyEndsPrefixes, masks);
}

TEST(Accelerators, NoMaskDependsOnThem) {
  Masks all;
  append_masks_without(std::nullopt, all);
  ASSERT_GT(all.size(), std::size(kSchemas) * 3 / tests::one_in());
  for (const engine::NamedAccelerator& accelerator : engine::kAccelerators) {
    Masks without;
    append_masks_without(accelerator.id, without);
    EXPECT_TRUE(without == all) << "without " << accelerator.name;
  }
}

// In a list of YAML, `"]` begins a string where an item may begin, and ends the list within a plain text. The facts of the
// first place are those of the second with a difference, so both must tell these apart.
void expect_last_tokens_to_end(const Result<CompiledGrammar>& compiled, std::string_view text) {
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  const TokenizerInfo& tokenizer = compiled->tokenizer_info();
  const std::vector<std::uint32_t> tokens = *tokenizer.tokenize(text);
  MatcherOptions options;
  options.max_tokens = static_cast<std::uint32_t>(tokens.size() + 1);
  Result<GrammarMatcher> matcher = GrammarMatcher::create(*compiled, options);
  ASSERT_TRUE(matcher.has_value()) << matcher.error().message;
  for (const std::uint32_t token : tokens) ASSERT_EQ(matcher->accept_token(token), Step::kOk) << text;
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  ASSERT_EQ(matcher->fill_next_token_bitmask(mask), Step::kOk);
  std::size_t last = 0;
  for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token) {
    if (!bitmask_get(mask, token)) continue;
    ASSERT_EQ(matcher->accept_token(token), Step::kOk);
    EXPECT_TRUE(matcher->is_completed()) << text << tokenizer.token_bytes(token);
    ASSERT_EQ(matcher->rollback(1), Step::kOk);
    ++last;
  }
  EXPECT_GT(last, 0U) << text;
}

TEST(Differences, ATokenThatBeginsAStringEndsNothing) {
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  JsonSchemaOptions yaml;
  yaml.notation = JsonSchemaOptions::Notation::kYaml;
  const auto strings =
      compiler.compile_json_schema(R"({"type": "array", "minItems": 2, "items": {"type": "string"}})", yaml);
  for (const char* text : {"[a,", "[\"a\",", "['b c',"}) expect_last_tokens_to_end(strings, text);
}

}  // namespace
}  // namespace weir::token_facts_test
