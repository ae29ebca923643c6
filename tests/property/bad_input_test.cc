// For any input weir returns a documented error or Step: it does not crash, hang or ignore an error.
#include <gtest/gtest.h>

#include <array>

#include "property/grammars.h"
#include "property/harness.h"

namespace weir::testing {
namespace {

constexpr int kMutations = 6000;

oracle::Vocabulary small() { return {{"a", "b", "ab", "", "(", ")", "\xFF", "0", "\"", "{", " "}, {3}}; }

const GrammarCompiler& compiler() {
  static const GrammarCompiler c(make_tokenizer(small()));
  return c;
}

// Checks an error: it has a message and a range inside the text; it names a limit iff its code is kLimitExceeded.
void expect_sane(const Error& error, std::string_view text) {
  EXPECT_NE(error.code, ErrorCode::kInternal) << error.message;
  EXPECT_FALSE(error.message.empty());
  EXPECT_LE(error.where.start, error.where.end) << error.message;
  EXPECT_LE(error.where.end, text.size()) << error.message;
  EXPECT_EQ(error.code == ErrorCode::kLimitExceeded, !error.limit.empty()) << error.message;
  EXPECT_FALSE(render(error, text, "g").empty());
}

// Checks that a grammar that was accepted can be used, by some steps along its masks.
void use(const CompiledGrammar& compiled) {
  GrammarMatcher matcher(compiled);
  std::vector<std::uint32_t> words(bitmask_words(compiled.tokenizer_info().vocab_size()));
  for (int i = 0; i < 6; ++i) {
    const Step step = matcher.fill_next_token_bitmask(words);
    if (step != Step::kOk) {
      EXPECT_EQ(step, Step::kLimitExceeded);
      EXPECT_FALSE(matcher.limit_message().empty());
      EXPECT_EQ(bitmask_count(words), 0U);
      return;
    }
    std::uint32_t token = 0;
    while (token < compiled.tokenizer_info().vocab_size() && (token == 3 || !bitmask_get(words, token))) ++token;
    if (token == compiled.tokenizer_info().vocab_size()) return;
    EXPECT_EQ(matcher.accept_token(token), Step::kOk);
  }
}

void try_ebnf(const std::string& text, const Limits& limits = {}) {
  const Result<CompiledGrammar> compiled = GrammarCompiler(compiler().tokenizer_info(), limits).compile_ebnf(text);
  if (compiled.has_value()) {
    use(*compiled);
  } else {
    expect_sane(compiled.error(), text);
  }
}

void try_regex(const std::string& text, const RegexOptions& options = {}) {
  const Result<CompiledGrammar> compiled = compiler().compile_regex(text, options);
  if (compiled.has_value()) {
    use(*compiled);
  } else {
    expect_sane(compiled.error(), text);
  }
}

std::string mutate(std::string text, std::minstd_rand& random) {
  static constexpr std::string_view kPieces[] = {
      "(",   ")",         "[",        "]", "{",           "}",   "{3,1}", "{9999999999}", "::=", "|",  "/",
      "\"",  "\\",        "&",        "~", "*",           "?",   "+",     "<[",           "]>",  "!<", "root",
      "\n",  "@lazy(",    "@greedy(", "#", "\\u{110000}", "\\x", "\xFF",  "\xE4\xBD",     "-",   "^",  "{,}",
      "{2,", "root ::= ", ".",        "$", "(?:",         "(?=", "\\p{"};
  for (std::size_t n = 1 + random() % 4; n > 0; --n) {
    const std::size_t at = random() % (text.size() + 1);
    switch (random() % 5) {
      case 0: text.erase(at, 1 + random() % 8); break;
      case 1: text.insert(at, kPieces[random() % std::size(kPieces)]); break;
      case 2: text.insert(at, text.substr(random() % (text.size() + 1), random() % 20)); break;
      case 3: text.insert(at, 1, static_cast<char>(random() % 256)); break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random() % 128);
    }
  }
  return text;
}

TEST(BadInput, MutatedGrammars) {
  std::minstd_rand random(301);
  // Limits as in a service, so that an expensive mutation is refused early.
  const Limits limits{.grammar_symbols = 20000, .regex_nodes = 20000, .lexer_states = 2000, .row_items = 5000};
  for (int i = 0; i < kMutations && !enough_failures(); ++i) {
    const std::string text = mutate(kGrammars[random() % std::size(kGrammars)].ebnf, random);
    SCOPED_TRACE(shown(text));
    try_ebnf(text, limits);
  }
}

TEST(BadInput, MutatedRegexes) {
  std::minstd_rand random(302);
  static constexpr std::string_view kPatterns[] = {
      "^(?:[a-z0-9._%+-]+)@[a-z0-9.-]+\\.[a-z]{2,}$", "(a|b)*c{2,5}?\\d\\w\\s\\D", "(?i)x(?=y)(?!z)(?<=a)b\\b",
      "[^\\x00-\\x1f\\u00e9]\\p{L}+\\P{Lu}",          "a&~(b|.*c.*)&[\\s\\S]{3}",  "(?<name>a)(?:b)\\/\\.\\n"};
  for (int i = 0; i < kMutations && !enough_failures(); ++i) {
    const std::string text = mutate(std::string(kPatterns[random() % std::size(kPatterns)]), random);
    SCOPED_TRACE(shown(text));
    try_regex(text, {.match = random() % 2 == 0 ? RegexMatch::kFull : RegexMatch::kSearch,
                     .ignore_case = random() % 2 == 0,
                     .extended = random() % 4 == 0,
                     .operators = random() % 2 == 0});
  }
}

TEST(BadInput, Noise) {
  std::minstd_rand random(303);
  for (int i = 0; i < 2000 && !enough_failures(); ++i) {
    std::string text;
    for (std::size_t n = random() % 60; n > 0; --n) text += static_cast<char>(random() % (i % 2 == 0 ? 256 : 128));
    SCOPED_TRACE(shown(text));
    try_ebnf(text);
    try_ebnf("root ::= " + text);
    try_regex(text);
  }
}

TEST(BadInput, NulBytes) {
  using namespace std::string_literals;
  for (const std::string& text : {"\0"s, "root ::= \"a\0b\""s, "root\0 ::= \"a\""s, "root ::= [\0-\x05]"s,
                                  "root ::= /\0/"s, "root ::= \"a\" # \0\n"s, "root ::= \"a\"\0"s}) {
    try_ebnf(text);
    try_regex(text);
  }
  // A NUL inside a literal is an ordinary byte, if it is accepted.
  const std::string text = "root ::= \"a\0b\""s;
  const Result<CompiledGrammar> compiled = compiler().compile_ebnf(text);
  if (compiled.has_value()) {
    GrammarMatcher matcher(*compiled);
    EXPECT_EQ(matcher.accept_bytes("a\0b"s), Step::kOk);
    EXPECT_TRUE(matcher.is_completed());
  }
}

TEST(BadInput, EmptyTextsAndMissingRules) {
  for (const char* text : {"", " ", "\n\n", "# comment", "root", "root ::=", "root ::= |", "::= \"a\"", "root ::= x",
                           "x ::= \"a\"", "root ::= \"a\"\nroot ::= \"b\"", "root ::= root", "root ::= \"a\" root"}) {
    SCOPED_TRACE(text);
    try_ebnf(text);
  }
  const auto code = [](const char* text) {
    const Result<CompiledGrammar> compiled = compiler().compile_ebnf(text);
    return compiled.has_value() ? std::string("ok") : std::string(to_string(compiled.error().code));
  };
  EXPECT_EQ(code("root ::= undefined"), to_string(ErrorCode::kInvalidArgument));
  EXPECT_EQ(code("x ::= \"a\""), to_string(ErrorCode::kInvalidArgument));
  EXPECT_EQ(code("root ::= root"), to_string(ErrorCode::kUnsatisfiable));
  EXPECT_EQ(code("root ::= \"a\" root"), to_string(ErrorCode::kUnsatisfiable));
  EXPECT_EQ(code("root ::= (\"a\""), to_string(ErrorCode::kSyntax));
  EXPECT_EQ(code("root ::= \"a"), to_string(ErrorCode::kSyntax));
  EXPECT_EQ(code("root ::= [a"), to_string(ErrorCode::kSyntax));
  EXPECT_EQ(code("root ::= /a(/"), to_string(ErrorCode::kSyntax));
}

TEST(BadInput, HugeCounts) {
  // Terminals count without unrolling, so the cost depends on the length of the text, not on the bound.
  const Result<CompiledGrammar> many = compiler().compile_ebnf("root ::= \"a\"{100000000}");
  if (many.has_value()) {
    GrammarMatcher matcher(*many);
    EXPECT_EQ(matcher.accept_bytes("aaaa"), Step::kOk);
    EXPECT_FALSE(matcher.is_completed());
  } else {
    EXPECT_EQ(many.error().code, ErrorCode::kLimitExceeded) << many.error().message;
  }
  for (const char* text :
       {"root ::= /(a{1000}){1000}/", "root ::= /((a{1000}){1000}){1000}/", "root ::= (\"a\"{1000}){1000}",
        "root ::= x{100000000}\nx ::= \"a\" x \"b\" | \"\"", "root ::= (x{1000}){1000}\nx ::= \"a\" x \"b\" | \"\"",
        "root ::= \"a\"{99999999999999999999}", "root ::= \"a\"{5,2}", "root ::= [ab]{0,1000000000}",
        "root ::= /(a|b){500000000,}/", "root ::= ((((\"a\"*)*)*)*)*", "root ::= /((((a*)*)*)*)*/",
        "root ::= /(a?){10000}/", "root ::= (\"a\"?){10000}"}) {
    SCOPED_TRACE(text);
    try_ebnf(text);
  }
  const Result<CompiledGrammar> over = compiler().compile_ebnf("root ::= \"a\"{1000000001}");
  ASSERT_FALSE(over.has_value());
  EXPECT_EQ(over.error().limit, "repeat_count");
  const Result<CompiledGrammar> backwards = compiler().compile_ebnf("root ::= \"a\"{5,2}");
  EXPECT_FALSE(backwards.has_value());
}

TEST(BadInput, DeepParentheses) {
  constexpr std::size_t kDepth = 100000;
  const std::string open(kDepth, '(');
  const std::string close(kDepth, ')');
  for (const std::string& text : {open + "\"a\"" + close, open, open + "\"a\"", std::string(kDepth, '~') + "\"a\"",
                                  "@lazy" + open + "/a/" + close}) {
    SCOPED_TRACE(text.substr(0, 20));
    const std::string ebnf = "root ::= " + text;
    const Result<CompiledGrammar> compiled = compiler().compile_ebnf(ebnf);
    if (text[0] == '(') {
      ASSERT_FALSE(compiled.has_value());
      EXPECT_EQ(compiled.error().limit, "nesting");
    }
    if (!compiled.has_value()) expect_sane(compiled.error(), ebnf);
  }
  for (const std::string& text :
       {open + "a" + close, open, std::string(kDepth, '[') + "a", "a" + std::string(kDepth, '*'),
        std::string(kDepth, '~') + "a", std::string(kDepth, '|')}) {
    SCOPED_TRACE(text.substr(0, 20));
    try_regex(text, {.operators = true});
  }
  std::string groups;
  for (std::size_t i = 0; i < kDepth; ++i) groups += "(?:a|";
  try_regex(groups + "b" + std::string(kDepth, ')'));
}

TEST(BadInput, LongLiteralsAndTexts) {
  const std::string million(std::size_t{1} << 20, 'a');
  const std::string text = "root ::= \"" + million + "\"";
  const Result<CompiledGrammar> compiled = compiler().compile_ebnf(text);
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  EXPECT_EQ(matcher.accept_bytes(std::string_view(million).substr(0, 1000)), Step::kOk);
  EXPECT_EQ(tokens_of(mask_of(matcher)), (std::vector<std::uint32_t>{0}));
  try_regex(million);
  const Result<CompiledGrammar> too_long =
      GrammarCompiler(compiler().tokenizer_info(), {.text_bytes = 1000}).compile_ebnf(text);
  ASSERT_FALSE(too_long.has_value());
  EXPECT_EQ(too_long.error().limit, "text_bytes");
}

// If a limit is exceeded, the message names it, the matcher does not change, and the mask is all zero.
TEST(BadInput, ExploringLimits) {
  struct Case {
    const char* field;
    Limits limits;
    const char* ebnf;
    const char* text;
  };
  const std::array<Case, 3> cases{{
      {"row_items",
       {.row_items = 8},
       "root ::= a b c d e\na ::= \"a\"? b\nb ::= \"b\"? c\nc ::= \"a\"? d\nd ::= \"b\"? e\ne ::= \"a\" root \"b\" | "
       "\"a\"",
       "aaaa"},
      {"lexer_states", {.lexer_states = 4}, "root ::= /[ab]*a[ab]{12}/", "abababab"},
      {"regex_nodes", {.regex_nodes = 60}, "root ::= /[ab]*a[ab]{12}/", "abbabaabbb"},
  }};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.field);
    const Result<CompiledGrammar> compiled =
        GrammarCompiler(compiler().tokenizer_info(), c.limits).compile_ebnf(c.ebnf);
    if (!compiled.has_value()) {
      EXPECT_EQ(compiled.error().code, ErrorCode::kLimitExceeded) << compiled.error().message;
      EXPECT_EQ(compiled.error().limit, c.field);
      continue;
    }
    GrammarMatcher matcher(*compiled);
    Step step = Step::kOk;
    for (const char* at = c.text; *at != 0 && step == Step::kOk; ++at) step = matcher.accept_bytes({at, 1});
    std::vector<std::uint32_t> words(bitmask_words(small().tokens.size()), 0xFFFFFFFFU);
    if (step == Step::kOk) step = matcher.fill_next_token_bitmask(words);
    EXPECT_EQ(step, Step::kLimitExceeded);
    EXPECT_NE(matcher.limit_message().find(c.field), std::string::npos) << matcher.limit_message();
    const std::size_t steps = matcher.step_count();
    if (matcher.fill_next_token_bitmask(words) != Step::kOk) {
      EXPECT_EQ(bitmask_count(words), 0U);
    }
    EXPECT_EQ(matcher.step_count(), steps);
  }
}

TEST(BadInput, MatcherArguments) {
  const Result<CompiledGrammar> compiled = compiler().compile_ebnf("root ::= \"ab\"* \"b\"");
  ASSERT_TRUE(compiled.has_value());
  const std::uint32_t size = compiled->tokenizer_info().vocab_size();
  GrammarMatcher matcher(*compiled);
  const std::uint32_t state = matcher.state_id();

  for (const std::size_t words : {std::size_t{0}, bitmask_words(size) + 1, std::size_t{1000}}) {
    std::vector<std::uint32_t> mask(words, 0xFFFFFFFFU);
    EXPECT_EQ(matcher.fill_next_token_bitmask(mask), Step::kBadArgument);
    EXPECT_EQ(bitmask_count(mask), 0U);
  }
  for (const std::uint32_t token : {size, size + 1, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    EXPECT_EQ(matcher.accept_token(token), Step::kBadArgument);
    EXPECT_FALSE(matcher.is_token_allowed(token));
    const TokenExplanation explanation = matcher.explain(token);
    EXPECT_FALSE(explanation.allowed);
    EXPECT_FALSE(explanation.reason.empty());
  }
  EXPECT_EQ(matcher.rollback(1), Step::kBadArgument);
  EXPECT_EQ(matcher.rollback(SIZE_MAX), Step::kBadArgument);
  EXPECT_EQ(matcher.rollback(0), Step::kOk);
  EXPECT_EQ(matcher.accept_token(3), Step::kRefused) << "the stop token before the end";
  EXPECT_EQ(matcher.accept_bytes("abx"), Step::kRefused) << "all or nothing";
  EXPECT_EQ(matcher.accept_bytes(std::string_view("\0", 1)), Step::kRefused);
  EXPECT_EQ(matcher.state_id(), state);
  EXPECT_EQ(matcher.step_count(), 0U);

  ASSERT_EQ(matcher.accept_token(2), Step::kOk);
  ASSERT_EQ(matcher.accept_token(1), Step::kOk);
  EXPECT_EQ(matcher.rollback(3), Step::kBadArgument);
  EXPECT_EQ(matcher.step_count(), 2U);
  ASSERT_EQ(matcher.accept_token(3), Step::kOk);
  EXPECT_EQ(matcher.accept_token(0), Step::kTerminated);
  EXPECT_EQ(matcher.rollback(4), Step::kBadArgument);
  EXPECT_TRUE(matcher.is_terminated());
  EXPECT_EQ(matcher.rollback(3), Step::kOk);
  EXPECT_EQ(matcher.state_id(), state);
}

TEST(BadInput, VocabularyArguments) {
  EXPECT_FALSE(TokenizerInfo::from_vocab({{"a"}, {1}, {}, false}).has_value());
  EXPECT_FALSE(TokenizerInfo::from_vocab({{"a"}, {}, {7}, false}).has_value());
  // A vocabulary may have no stop token, or no token; masks are as defined.
  const Result<TokenizerInfo> no_stop = TokenizerInfo::from_vocab({{"a"}, {}, {}, false});
  ASSERT_TRUE(no_stop.has_value()) << no_stop.error().message;
  const Result<CompiledGrammar> compiled = GrammarCompiler(*no_stop).compile_ebnf("root ::= \"a\"");
  ASSERT_TRUE(compiled.has_value());
  GrammarMatcher matcher(*compiled);
  ASSERT_EQ(matcher.accept_token(0), Step::kOk);
  EXPECT_EQ(tokens_of(mask_of(matcher)).size(), 0U);
  EXPECT_TRUE(matcher.is_completed());
  const Result<TokenizerInfo> none = TokenizerInfo::from_vocab({});
  if (none.has_value()) {
    const Result<CompiledGrammar> over_none = GrammarCompiler(*none).compile_ebnf("root ::= \"a\"");
    ASSERT_TRUE(over_none.has_value());
    GrammarMatcher nothing(*over_none);
    EXPECT_EQ(mask_of(nothing).size(), 0U);
    EXPECT_EQ(nothing.accept_token(0), Step::kBadArgument);
  }
}

}  // namespace
}  // namespace weir::testing
