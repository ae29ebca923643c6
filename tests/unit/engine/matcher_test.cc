#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "unit/engine/engine_testing.h"
#include "vocab/recipe.h"
#include "vocab/vocabulary.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::compile;
using engine_testing::mask_of;
using engine_testing::token;

TEST(Matcher, MasksFollowBytesNotCharacters) {
  const TokenizerInfo tokenizer = byte_vocabulary({"\xE4\xBD", "\xE4\xBD\xA0", "\xA0\xE6", "ab"});
  GrammarMatcher matcher(compile(tokenizer, "root ::= [你-我]"));
  ASSERT_EQ(matcher.accept_token(0xE4), Step::kOk);
  ASSERT_EQ(matcher.accept_token(0xBD), Step::kOk);
  EXPECT_TRUE(matcher.is_token_allowed(0xA0));
  EXPECT_FALSE(matcher.is_token_allowed(0x9F)) << "one code point below the range";
  EXPECT_FALSE(matcher.is_token_allowed(token(tokenizer, "\xA0\xE6"))) << "a second character begins";
  ASSERT_EQ(matcher.accept_token(0xA0), Step::kOk);
  EXPECT_EQ(mask_of(matcher), "<eos>");
}

TEST(Matcher, SplitsAreExact) {
  const TokenizerInfo tokenizer = byte_vocabulary({"aa", "aab", "ab"});
  GrammarMatcher matcher(compile(tokenizer, "root ::= /a+/ /ab/"));
  EXPECT_EQ(mask_of(matcher), "a aa aab");
  ASSERT_EQ(matcher.accept_bytes("a"), Step::kOk);
  EXPECT_EQ(mask_of(matcher), "a aa aab ab");
  ASSERT_EQ(matcher.accept_bytes("a"), Step::kOk);
  EXPECT_EQ(mask_of(matcher), "a b aa aab ab");
  ASSERT_EQ(matcher.accept_bytes("b"), Step::kOk);
  EXPECT_TRUE(matcher.is_completed());
}

TEST(Matcher, LazyEndsAtTheFirstMatch) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  GrammarMatcher matcher(compile(tokenizer, "root ::= @lazy(/[a-z]*;/) \"!\""));
  ASSERT_EQ(matcher.accept_bytes("ab;"), Step::kOk);
  EXPECT_EQ(mask_of(matcher), "!");
  EXPECT_EQ(matcher.accept_bytes("c;!"), Step::kRefused);
}

TEST(Matcher, GreedyKeepsLongerMatchesTogetherWithoutDeadEnds) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  {
    GrammarMatcher matcher(compile(tokenizer, "root ::= @greedy(/[ab]+/) (\"b\" | \"-\")"));
    ASSERT_EQ(matcher.accept_bytes("a"), Step::kOk);
    EXPECT_EQ(mask_of(matcher), "- a b");
    ASSERT_EQ(matcher.accept_bytes("b"), Step::kOk);
    EXPECT_FALSE(matcher.is_completed()) << "`ab` would be a lexeme `a` that could have been longer";
    ASSERT_EQ(matcher.accept_bytes("-"), Step::kOk);
    EXPECT_TRUE(matcher.is_completed());
  }
  // The `a` of `ab` would always belong to the lexeme before it, so this alternative has no string and `a` is refused.
  EXPECT_EQ(mask_of(*std::make_unique<GrammarMatcher>(compile(tokenizer, "root ::= \"x\" | @greedy(/a+/) \"ab\""))),
            "x");
}

TEST(Matcher, GreedyLexemesMayBeFollowedByTokens) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  GrammarMatcher matcher(compile(tokenizer, "root ::= @greedy(/a+/) <tool>"));
  ASSERT_EQ(matcher.accept_bytes("aa"), Step::kOk);
  EXPECT_EQ(mask_of(matcher), "a <tool>");
}

// Two greedy terminals of the same letters cannot be adjacent, so there is no continuation after `<tool>`.
TEST(Matcher, TokensAfterWhichGreedyTerminalsLeaveNoTextAreRefused) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  GrammarMatcher matcher(compile(tokenizer, "root ::= \"a\" | root <tool> @greedy(/x+/) @greedy(/x+/)"));
  ASSERT_EQ(matcher.accept_bytes("a"), Step::kOk);
  EXPECT_EQ(mask_of(matcher), "<eos>");
}

TEST(Matcher, TokenTerminalsMatchWholeTokensAndNeverText) {
  const TokenizerInfo tokenizer = byte_vocabulary({"<tool>x"});
  const std::uint32_t tool = token(tokenizer, "<tool>");
  GrammarMatcher matcher(compile(tokenizer, "root ::= \"a\" (<tool> \"b\" | \"<tool>x\")"));
  ASSERT_EQ(matcher.accept_bytes("a"), Step::kOk);
  EXPECT_EQ(mask_of(matcher), "< <tool>x <tool>");
  EXPECT_TRUE(matcher.find_jump_forward_string().empty()) << "two ways on: the token, or its name as text";
  GrammarMatcher other = matcher.fork();
  ASSERT_EQ(matcher.accept_token(tool), Step::kOk);
  EXPECT_EQ(mask_of(matcher), "b");
  ASSERT_EQ(other.accept_bytes("<tool>x"), Step::kOk);
  EXPECT_EQ(mask_of(other), "<eos>");
}

TEST(Matcher, ComplementTokenSetsLeaveOutStopTokens) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  GrammarMatcher matcher(compile(tokenizer, "root ::= !<[0-254]>* <eos>"));
  EXPECT_EQ(mask_of(matcher), "\xFF <eos> <tool>");
  ASSERT_EQ(matcher.accept_token(token(tokenizer, "<tool>")), Step::kOk);
  ASSERT_EQ(matcher.accept_token(token(tokenizer, "<eos>")), Step::kOk);
  EXPECT_TRUE(matcher.is_terminated()) << "the grammar asks for the stop token itself, and is complete with it";
}

TEST(Matcher, TheFirstTokenLosesItsLeadingSpace) {
  const TokenizerInfo tokenizer = byte_vocabulary({" yes", "yes"}, true);
  const CompiledGrammar compiled = compile(tokenizer, "root ::= \"yes\" \" yes\"?");
  GrammarMatcher matcher(compiled);
  EXPECT_EQ(mask_of(matcher), "  y  yes yes") << "a lone space adds nothing where it stands first";
  ASSERT_EQ(matcher.accept_token(token(tokenizer, " yes")), Step::kOk);
  EXPECT_TRUE(matcher.is_completed());
  EXPECT_EQ(mask_of(matcher), "   yes <eos>");
  GrammarMatcher nothing_yet(compiled);
  ASSERT_EQ(nothing_yet.accept_bytes(""), Step::kOk);
  EXPECT_EQ(mask_of(nothing_yet), "  y  yes yes") << "after an empty text the next token is still the first";
  GrammarMatcher inside(compiled, {.at_text_start = false});
  EXPECT_EQ(mask_of(inside), "y yes");
}

TEST(Matcher, TheFirstTokensBytesAreNotRememberedForLaterOnes) {
  // Where token sets are expected, steps by tokens are cached; elsewhere the same token is a step by bytes.
  const TokenizerInfo tokenizer = byte_vocabulary({" yes"}, true);
  const CompiledGrammar compiled = compile(tokenizer, "root ::= \"yes\" | \" yes!\" | <tool>");
  GrammarMatcher first(compiled);
  GrammarMatcher inside(compiled, {.at_text_start = false});
  ASSERT_EQ(first.accept_token(token(tokenizer, " yes")), Step::kOk);
  ASSERT_EQ(inside.accept_token(token(tokenizer, " yes")), Step::kOk);
  EXPECT_EQ(mask_of(first), "<eos>");
  EXPECT_EQ(mask_of(inside), "!");
}

TEST(Matcher, SpecialTokensLeaveTheNextTokenTheFirst) {
  const TokenizerInfo tokenizer = byte_vocabulary({" yes", "yes"}, true);
  GrammarMatcher matcher(compile(tokenizer, "root ::= <tool> \"yes\""));
  ASSERT_EQ(matcher.accept_token(token(tokenizer, "<tool>")), Step::kOk);
  EXPECT_EQ(mask_of(matcher), "  y  yes yes");
}

TEST(Matcher, AFirstTokenThatAddsNothingMayLeaveTheNextTheFirst) {
  using FirstToken = vocab::VocabularySource::FirstToken;
  for (const FirstToken rule : {FirstToken::kDropLeadingSpace, FirstToken::kDropLeadingSpaceUntilText}) {
    vocab::VocabularySource source;
    source.kind = "test";
    source.token_bytes = {" ", " yes", "yes", ""};
    source.token_kinds = {TokenKind::kNormal, TokenKind::kNormal, TokenKind::kNormal, TokenKind::kSpecial};
    source.stop_token_ids = {3};
    source.first_token = rule;
    const TokenizerInfo tokenizer(*vocab::Vocabulary::create(std::move(source), {}));
    GrammarMatcher matcher(compile(tokenizer, "root ::= \"yes\""));
    const bool repeats = rule == FirstToken::kDropLeadingSpaceUntilText;
    ASSERT_EQ(matcher.accept_token(0), Step::kOk);
    EXPECT_EQ(matcher.is_token_allowed(0), repeats);
    EXPECT_EQ(matcher.is_token_allowed(1), repeats);
    EXPECT_TRUE(matcher.is_token_allowed(2));
    ASSERT_EQ(matcher.accept_token(2), Step::kOk);
    EXPECT_TRUE(matcher.is_completed());
    EXPECT_EQ(tokenizer.decode(std::array<std::uint32_t, 3>{0, 0, 1}), repeats ? "yes" : "  yes");
  }
}

// Writes token 0 for each "a", and the unknown token 1 for each other character.
class LettersA final : public vocab::Segmenter {
 public:
  Result<std::vector<std::uint32_t>> tokenize(std::string_view text) const override {
    std::vector<std::uint32_t> ids;
    for (const char c : text) ids.push_back(c == 'a' ? 0 : 1);
    return ids;
  }
  // Every byte is a token, independently of what follows.
  std::vector<std::uint32_t> settled_tokens(std::string_view text) const override { return *tokenize(text); }
  vocab::Recipe recipe() const override { return {}; }
};

TEST(Matcher, UnknownTokensAreNotForced) {
  vocab::VocabularySource source;
  source.kind = "test";
  source.token_bytes = {"a", "", "b", ""};
  source.token_kinds = {TokenKind::kNormal, TokenKind::kSpecial, TokenKind::kNormal, TokenKind::kSpecial};
  source.stop_token_ids = {3};
  source.segmenter = std::make_shared<const LettersA>();
  const TokenizerInfo tokenizer(*vocab::Vocabulary::create(std::move(source), {}));
  GrammarMatcher matcher(compile(tokenizer, "root ::= \"aabaa\" [ab]"));
  EXPECT_EQ(matcher.find_jump_forward_string(), "aabaa");
  EXPECT_EQ(matcher.forced_tokens(), (std::vector<std::uint32_t>{0, 0}));
}

TEST(Matcher, StopTokensEndAndRollBack) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  const std::uint32_t eos = token(tokenizer, "<eos>");
  GrammarMatcher matcher(compile(tokenizer, "root ::= \"ab\"*"));
  EXPECT_EQ(mask_of(matcher), "a <eos>");
  ASSERT_EQ(matcher.accept_token('a'), Step::kOk);
  EXPECT_EQ(matcher.accept_token(eos), Step::kRefused);
  ASSERT_EQ(matcher.accept_token('b'), Step::kOk);
  ASSERT_EQ(matcher.accept_token(eos), Step::kOk);
  EXPECT_TRUE(matcher.is_terminated());
  EXPECT_TRUE(matcher.expected().end && matcher.expected().bytes.empty()) << "the output has ended";
  EXPECT_EQ(mask_of(matcher), "[terminated]");
  EXPECT_EQ(matcher.accept_token('a'), Step::kTerminated);
  EXPECT_EQ(matcher.rollback(5), Step::kBadArgument);
  ASSERT_EQ(matcher.rollback(2), Step::kOk);
  EXPECT_FALSE(matcher.is_terminated());
  EXPECT_EQ(mask_of(matcher), "b");
  matcher.reset();
  EXPECT_EQ(matcher.step_count(), 0U);
  EXPECT_EQ(mask_of(matcher), "a <eos>");
}

TEST(Matcher, BadArgumentsChangeNothing) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  GrammarMatcher matcher(compile(tokenizer, "root ::= \"ab\""));
  std::vector<std::uint32_t> wrong(bitmask_words(tokenizer.vocab_size()) + 1, 7);
  EXPECT_EQ(matcher.fill_next_token_bitmask(wrong), Step::kBadArgument);
  EXPECT_EQ(bitmask_count(wrong), 0U);
  EXPECT_EQ(matcher.accept_token(tokenizer.vocab_size()), Step::kBadArgument);
  EXPECT_EQ(matcher.accept_bytes("ax"), Step::kRefused);
  EXPECT_EQ(matcher.longest_viable_prefix("ax"), 1U);
  EXPECT_EQ(mask_of(matcher), "a");
}

TEST(Matcher, JumpForwardStopsAtChoicesAndEnds) {
  const TokenizerInfo tokenizer = byte_vocabulary({"na", "name", "\":", "\""});
  GrammarMatcher matcher(compile(tokenizer, "root ::= \"{\\\"name\\\":\" (\"1\" | \"2\") \"}\""));
  EXPECT_EQ(matcher.find_jump_forward_string(), "{\"name\":");
  ASSERT_EQ(matcher.accept_bytes("{\"name\":1"), Step::kOk);
  EXPECT_EQ(matcher.find_jump_forward_string(), "}");
  ASSERT_EQ(matcher.accept_bytes("}"), Step::kOk);
  EXPECT_EQ(matcher.find_jump_forward_string(), "");
}

TEST(Matcher, ForcedTokensKeepClearOfMerges) {
  const TokenizerInfo tokenizer = byte_vocabulary({"he", "hello", "lo"});
  GrammarMatcher matcher(compile(tokenizer, "root ::= \"xhel\" (\"lo\" | \"p\")"));
  EXPECT_EQ(matcher.find_jump_forward_string(), "xhel");
  EXPECT_EQ(matcher.forced_tokens(), (std::vector<std::uint32_t>{'x'})) << "`hel` may still become `hello`";
}

TEST(Matcher, ForcedTokensAreThoseOfEveryOutput) {
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  GrammarMatcher matcher(compile(tokenizer, "root ::= \"{\\\"first name\\\": \\\"\" [A-Za-z ']* \"\\\"}\""));
  const std::string forced = matcher.find_jump_forward_string();
  EXPECT_EQ(forced, "{\"first name\": \"");
  const std::vector<std::uint32_t> tokens = matcher.forced_tokens();
  EXPECT_EQ(tokenizer.decode(tokens), "{\"first name\":") << "the quote may be one token with what follows";
  for (const char* name : {"", "Ann", " Ann", "'s", "   ", "\"}"}) {
    const auto whole = tokenizer.tokenize(forced + name);
    ASSERT_TRUE(whole.has_value());
    EXPECT_TRUE(std::equal(tokens.begin(), tokens.end(), whole->begin())) << name;
  }
  for (const std::uint32_t token : tokens) EXPECT_EQ(matcher.accept_token(token), Step::kOk);
}

TEST(Matcher, ShortestCompletionCompletes) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  GrammarMatcher matcher(
      compile(tokenizer, "root ::= \"[\" (item (\",\" item)*)? \"]\"\nitem ::= root | \"word\" | /[0-9]{2,}/"));
  EXPECT_EQ(matcher.shortest_completion(), "[]");
  ASSERT_EQ(matcher.accept_bytes("[[12,[w"), Step::kOk);
  EXPECT_EQ(matcher.shortest_completion(), "ord]]]");
  ASSERT_EQ(matcher.accept_bytes("ord],3"), Step::kOk);
  EXPECT_EQ(matcher.shortest_completion(), "0]]");
  ASSERT_EQ(matcher.accept_bytes("3]]"), Step::kOk);
  EXPECT_EQ(matcher.shortest_completion(), "");
  GrammarMatcher greedy(compile(tokenizer, "root ::= @greedy(/a+/) (\"a\" | \"bc\")"));
  ASSERT_EQ(greedy.accept_bytes("a"), Step::kOk);
  EXPECT_EQ(greedy.shortest_completion(), "bc") << "`aa` is shorter, but one lexeme";
}

// Returns a completion as one text, with the names of tokens in brackets.
std::string parts_text(const TokenizerInfo& tokenizer, const std::optional<std::vector<CompletionPart>>& parts) {
  if (!parts) return "none";
  std::string out;
  for (const CompletionPart& part : *parts) {
    out += part.token ? "[" + std::string(tokenizer.token_name(*part.token)) + "]" : part.text;
  }
  return out;
}

TEST(Matcher, CompletionsGoThroughTokenTerminals) {
  const TokenizerInfo tokenizer = byte_vocabulary({"word"});
  const auto completion = [&](std::string_view grammar, std::string_view after) {
    GrammarMatcher matcher(compile(tokenizer, grammar));
    EXPECT_EQ(matcher.accept_bytes(after), Step::kOk);
    const auto parts = matcher.shortest_completion_parts();
    for (const CompletionPart& part : parts.value_or(std::vector<CompletionPart>())) {
      EXPECT_EQ(part.token ? matcher.accept_token(*part.token) : matcher.accept_bytes(part.text), Step::kOk);
    }
    EXPECT_TRUE(matcher.is_completed()) << grammar;
    return parts_text(tokenizer, parts);
  };
  EXPECT_EQ(completion("root ::= \"a\" <tool> \"bc\" <tool>", ""), "a[<tool>]bc[<tool>]");
  EXPECT_EQ(completion("root ::= \"a\" <tool> \"bc\" <tool>", "a"), "[<tool>]bc[<tool>]");
  EXPECT_EQ(completion("root ::= \"a\" | \"b\" <[65-70]>", "b"), "[A]");
  EXPECT_EQ(completion("root ::= \"b\" (item <tool> | \"long\" item)\nitem ::= \"x\" | <tool> item", "b"), "longx")
      << "no token where text will do";
  EXPECT_EQ(completion("root ::= <[257, 5]>", ""), "[" + std::string(tokenizer.token_name(5)) + "]")
      << "257 is the stop token";
  EXPECT_EQ(completion("root ::= \"a\" <eos>", ""), "a[<eos>]");
  // By the grammar alone `a` is a shorter completion, but it would belong to the greedy lexeme.
  EXPECT_EQ(completion("root ::= @greedy(/a+/) (\"a\" | <tool> \"c\")", "a"), "[<tool>]c");
  GrammarMatcher needs_a_token(compile(tokenizer, "root ::= <tool>"));
  EXPECT_EQ(needs_a_token.shortest_completion(), std::nullopt);
  EXPECT_EQ(needs_a_token.limit_message(), "");
}

TEST(Matcher, CompletionsOfGrammarsThatAreOneLongChain) {
  // The cheapest derivation of each rule uses the next rule, so rounds over all rules would settle one rule per round.
  const TokenizerInfo tokenizer = byte_vocabulary({});
  std::string grammar = "root ::= r0\n";
  constexpr int kRules = 20'000;
  for (int i = 0; i < kRules; ++i) {
    const std::string rule = "r" + std::to_string(i);
    grammar +=
        rule + " ::= \"a\" " + rule + " \"b\" | \"" + std::string(3, 'c') + "\" r" + std::to_string(i + 1) + "\n";
  }
  grammar += "r" + std::to_string(kRules) + " ::= \"z\"\n";
  GrammarMatcher matcher(compile(tokenizer, grammar));
  const auto text = matcher.shortest_completion();
  ASSERT_TRUE(text.has_value());
  EXPECT_EQ(text->size(), 3U * kRules + 1);
}

TEST(Matcher, StateStatsCountWhatIsKnown) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  GrammarMatcher matcher(compile(tokenizer, "root ::= /a+/ (\"ab\" | root)"));
  ASSERT_EQ(matcher.accept_bytes("aa"), Step::kOk);
  StateStats stats = matcher.state_stats();
  EXPECT_EQ(stats.state, matcher.state_id());
  EXPECT_FALSE(stats.mask_known);
  EXPECT_GE(stats.threads, 1U);
  EXPECT_GE(stats.terminals_in_progress, stats.threads);
  EXPECT_GE(stats.byte_classes, 3U);
  const std::uint32_t before = stats.known_transitions;
  (void)mask_of(matcher);
  stats = matcher.state_stats();
  EXPECT_TRUE(stats.mask_known);
  EXPECT_GT(stats.known_transitions, before);
}

TEST(Matcher, ExplainsWhereATokenFails) {
  const TokenizerInfo tokenizer = byte_vocabulary({"abx"});
  GrammarMatcher matcher(compile(tokenizer, "root ::= \"ab\" number\nnumber ::= [0-9]+"));
  const TokenExplanation why = matcher.explain(token(tokenizer, "abx"));
  EXPECT_FALSE(why.allowed);
  EXPECT_EQ(why.bytes_matched, 2U);
  EXPECT_EQ(why.reason, "`x` cannot follow `ab` here");
  EXPECT_EQ(why.expected.bytes.size(), 10U);
  EXPECT_FALSE(why.expected.end);
  EXPECT_EQ(matcher.explain(token(tokenizer, "<eos>")).reason, "a stop token, and the output is not complete here");
  EXPECT_TRUE(matcher.explain('a').allowed);
}

// Conditions also apply across token terminals: a token is allowed if there is a completion after it.
TEST(Matcher, TokensAfterWhichConditionsLeaveNoTextAreRefused) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  GrammarMatcher greedy(compile(tokenizer, R"g(root ::= "x" | <tool> @greedy("a"+) "a")g"));
  EXPECT_EQ(mask_of(greedy), "x");
  GrammarMatcher ahead(compile(tokenizer, R"g(root ::= t ("a" | "b") | "x" t
      t ::= <tool> (= "a"))g"));
  EXPECT_EQ(mask_of(ahead), "<tool>");
  ASSERT_EQ(ahead.accept_token(token(tokenizer, "<tool>")), Step::kOk);
  EXPECT_EQ(mask_of(ahead), "a");
}

TEST(Matcher, CompilingLosesNoWarningAndRepeatsNone) {
  const TokenizerInfo tokenizer = byte_vocabulary({});
  // The first two are found when the grammar is read, and again when it is compiled; the others only then.
  for (const auto& [text, message] : {
           std::pair("root ::= \"x\" | bad\nbad ::= \"y\" bad", "rule `bad` derives no finite string"),
           std::pair("root ::= \"x\" | (\"a\" & \"b\")", "\"a\" & \"b\" matches no text"),
           std::pair("root ::= a\na ::= a | \"x\"", "rule `a` can derive itself"),
           std::pair("root ::= @lazy([a-z]*) \"x\"",
                     "lazy terminal @lazy([a-z]*) matches the empty string, so it never takes any text"),
       }) {
    const Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer).compile_ebnf(text);
    ASSERT_TRUE(compiled.has_value()) << text;
    ASSERT_EQ(compiled->warnings().size(), 1U) << text;
    EXPECT_EQ(compiled->warnings()[0].message, message);
  }
}

// The names of special tokens in literals are text. Who writes them there mostly means the tokens.
TEST(Matcher, LiteralsThatSpellASpecialTokenAreWarnedOf) {
  const GrammarCompiler compiler(byte_vocabulary({}));
  const auto names = [](const Result<CompiledGrammar>& compiled) {
    std::string found;
    for (const Warning& warning : compiled.value().warnings()) {
      if (warning.code == "special-token-text") found += warning.message.substr(0, warning.message.find(' '));
    }
    return found;
  };
  const auto text = [&](GrammarSyntax syntax, std::string_view grammar) {
    GrammarTextOptions options;
    options.syntax = syntax;
    return names(compiler.compile_text(grammar, options));
  };
  EXPECT_EQ(text(GrammarSyntax::kEbnf, "root ::= \"a<tool>b\" [x]"), "`<tool>`");
  EXPECT_EQ(text(GrammarSyntax::kGbnf, "root ::= \"<tool>\" | \"<eos>\""), "`<tool>``<eos>`");
  EXPECT_EQ(text(GrammarSyntax::kLark, "start: \"<tool>\" /x<eos>?/"), "`<eos>``<tool>`");
  EXPECT_EQ(text(GrammarSyntax::kKbnf, "start ::= '<tool>';"), "`<tool>`");
  EXPECT_EQ(names(compiler.compile_regex("a?(<tool>)+")), "`<tool>`");
  EXPECT_EQ(names(compiler.compile_choice(std::vector<std::string>{"<tool>", "<tail>", "x"})), "`<tool>`");
  EXPECT_EQ(names(compiler.compile_structural_tag(R"({"format": {"type": "regex", "pattern": "<tool>"}})")),
            "`<tool>`");
  // The tokens themselves, texts that only may contain a name, and other texts.
  EXPECT_EQ(text(GrammarSyntax::kEbnf, "root ::= <tool> | \"<tool\" [>x] | [^x]* | \"tool>\""), "");
  EXPECT_EQ(names(compiler.compile_structural_tag(R"({"format": {"type": "tag", "begin": "<tool>",
    "content": {"type": "any_text", "excludes": ["<eos>"]}, "end": "<tool>x"}})")),
            "");
  EXPECT_EQ(names(compiler.compile_json_schema(R"({"type": "object"})")), "");
}

TEST(Matcher, IdsOfPaddingAreRefused) {
  VocabSpec spec;
  spec.tokens = {"a", "b", "<tool>"};
  spec.special_token_ids = {2};
  TokenizerOptions options;
  options.padded_vocab_size = 8;
  const auto tokenizer = TokenizerInfo::from_vocab(std::move(spec), options);
  ASSERT_TRUE(tokenizer.has_value());
  const GrammarCompiler compiler(*tokenizer);
  EXPECT_TRUE(compiler.compile_ebnf("root ::= <[1]> <[2]>").has_value());
  EXPECT_TRUE(compiler.compile_ebnf("root ::= !<[7]>").has_value());
  for (const char* set : {"<[3]>", "<[7]>", "<[1-3]>", "<[0,7]>"}) {
    const auto compiled = compiler.compile_ebnf(std::string("root ::= ") + set);
    ASSERT_FALSE(compiled.has_value()) << set;
    EXPECT_EQ(compiled.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(compiled.error().message.find("padding"), std::string::npos) << compiled.error().message;
  }
}

}  // namespace
}  // namespace weir
