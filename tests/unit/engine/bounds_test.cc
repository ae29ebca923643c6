// Token bounds: masks allow only tokens after which the rule can still end within its bound.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "unit/engine/engine_testing.h"

namespace weir {
namespace {

using engine_testing::byte_vocabulary;
using engine_testing::compile;
using engine_testing::mask_of;
using engine_testing::token;

class Walk {
 public:
  Walk(const std::vector<std::string>& words, std::string_view ebnf, const Limits& limits = {})
      : tokenizer_(byte_vocabulary(words)), matcher_(compile(tokenizer_, ebnf, limits)) {}

  /// Accepts the tokens; returns the first that is refused, or "".
  std::string take(const std::vector<std::string>& tokens) {
    for (const std::string& name : tokens) {
      if (matcher_.accept_token(token(tokenizer_, name)) != Step::kOk) return name;
    }
    return {};
  }
  bool allows(std::string_view name) {
    const std::uint32_t id = token(tokenizer_, name);
    std::vector<std::uint32_t> mask(bitmask_words(tokenizer_.vocab_size()));
    EXPECT_EQ(matcher_.fill_next_token_bitmask(mask), Step::kOk) << matcher_.limit_message();
    EXPECT_EQ(matcher_.is_token_allowed(id), bitmask_get(mask, id)) << name;
    return bitmask_get(mask, id);
  }
  std::uint32_t id(std::string_view name) { return token(tokenizer_, name); }
  GrammarMatcher& matcher() { return matcher_; }

 private:
  TokenizerInfo tokenizer_;
  GrammarMatcher matcher_;
};

constexpr std::string_view kQuotation = R"_(root ::= @max_tokens(3: "\"" [a-z]* "\"") "!")_";

TEST(Bounds, AStringGetsItsQuoteInTime) {
  Walk walk({"abc", "abc\"", "\"!", "\"a"}, kQuotation);
  EXPECT_EQ(walk.take({"\"", "abc"}), "");
  // One token remains: all tokens that end the string are allowed, and no others.
  EXPECT_EQ(mask_of(walk.matcher()), "\" abc\" \"!");
  EXPECT_EQ(walk.take({"\"", "!"}), "");
  EXPECT_TRUE(walk.matcher().is_completed());
}

TEST(Bounds, ATerminalOfManyStatesEndsInTime) {
  const std::string thirty(30, 'a');
  Walk walk({thirty}, R"_(root ::= @max_tokens(4: "\"" [a-z]{60} "\"") "!")_");
  EXPECT_EQ(walk.take({"\""}), "");
  EXPECT_EQ(mask_of(walk.matcher()), thirty);
  EXPECT_EQ(walk.take({thirty, thirty, "\"", "!"}), "");
}

TEST(Bounds, TokensThatCrossTheEdgeOfARuleCount) {
  Walk walk({">\"a", "b\"!"}, R"_(root ::= ">" @max_tokens(2: "\"" [a-z]* "\"") "!")_");
  EXPECT_EQ(walk.take({">\"a"}), "");
  EXPECT_EQ(mask_of(walk.matcher()), "\" b\"!");
  EXPECT_EQ(walk.take({"b\"!"}), "");
  EXPECT_TRUE(walk.matcher().is_completed());
}

TEST(Bounds, BracketsThatMustFollowCount) {
  const std::string_view lists = R"_(root ::= @max_tokens(6: list)
list ::= "[" (item ("," item)*)? "]"
item ::= list | "x")_";
  Walk bytes({}, lists);
  EXPECT_EQ(bytes.take({"[", "["}), "");
  EXPECT_TRUE(bytes.allows("["));
  EXPECT_EQ(bytes.take({"["}), "");
  EXPECT_FALSE(bytes.allows("["));  // three brackets are open, and three tokens remain
  EXPECT_FALSE(bytes.allows("x"));
  EXPECT_EQ(bytes.take({"]", "]"}), "");
  EXPECT_EQ(bytes.take({"]"}), "");
  EXPECT_TRUE(bytes.matcher().is_completed());
  // With longer tokens, more text fits.
  Walk words({"]]", "]]]", "[[["}, lists);
  EXPECT_EQ(words.take({"[[[", "["}), "");
  EXPECT_TRUE(words.allows("["));
  EXPECT_TRUE(words.allows("[[["));
}

TEST(Bounds, EachUseIsCountedByItself) {
  Walk walk({"ab", "b "}, R"_(root ::= (@max_tokens(2: [a-z]+) " ")+)_");
  EXPECT_EQ(walk.take({"ab", "ab"}), "");
  EXPECT_FALSE(walk.allows("a"));
  EXPECT_FALSE(walk.allows("b "));  // its first byte would belong to a third token
  EXPECT_EQ(walk.take({" ", "a", "b ", "a", "a"}), "");
  EXPECT_FALSE(walk.allows("a"));
}

TEST(Bounds, NestedBounds) {
  Walk walk({}, R"_(root ::= @max_tokens(5: "(" @max_tokens(3: [a-z]*) ")") [a-z]*)_");
  EXPECT_EQ(walk.take({"(", "a", "a"}), "");
  EXPECT_TRUE(walk.allows("a"));
  EXPECT_EQ(walk.take({"a"}), "");
  EXPECT_FALSE(walk.allows("a"));
  EXPECT_EQ(walk.take({")", "a", "a", "a"}), "");
}

TEST(Bounds, ABoundOnOneAlternative) {
  Walk walk({}, R"_(root ::= @max_tokens(2: [a-z]+) "." | "a"+ ";")_");
  EXPECT_EQ(walk.take({"a", "a"}), "");
  EXPECT_TRUE(walk.allows("."));
  EXPECT_FALSE(walk.allows("b"));
  EXPECT_EQ(walk.take({"a"}), "");
  EXPECT_FALSE(walk.allows("."));
  EXPECT_TRUE(walk.allows(";"));
}

TEST(Bounds, RecursionThroughABoundedRule) {
  Walk right({}, "root ::= list \"!\"\nlist ::= @max_tokens(4: \"a\" list?)");
  EXPECT_EQ(right.take({"a", "a", "a", "a"}), "");
  EXPECT_EQ(mask_of(right.matcher()), "!");
  Walk left({}, "root ::= list \"!\"\nlist ::= @max_tokens(4: list? \"a\")");
  EXPECT_EQ(left.take({"a", "a", "a", "a"}), "");
  EXPECT_EQ(mask_of(left.matcher()), "!");
  EXPECT_EQ(left.matcher().rollback(2), Step::kOk);
  EXPECT_EQ(mask_of(left.matcher()), "! a");
}

TEST(Bounds, TokensTakenAsAWholeCount) {
  Walk walk({}, R"_(root ::= @max_tokens(3: ("a" | <tool>)* "x"))_");
  EXPECT_EQ(walk.take({"<tool>", "a"}), "");
  EXPECT_EQ(mask_of(walk.matcher()), "x");
  Walk end({}, R"_(root ::= @max_tokens(2: "a"* <tool>) "b")_");
  EXPECT_EQ(end.take({"a"}), "");
  EXPECT_EQ(mask_of(end.matcher()), "<tool>");
}

TEST(Bounds, RollbackForkAndReset) {
  Walk walk({}, kQuotation);
  EXPECT_EQ(walk.take({"\"", "a"}), "");
  GrammarMatcher fork = walk.matcher().fork();
  EXPECT_EQ(mask_of(fork), "\"");
  EXPECT_EQ(walk.matcher().rollback(1), Step::kOk);
  EXPECT_TRUE(walk.allows("a"));
  EXPECT_EQ(mask_of(fork), "\"");
  walk.matcher().reset();
  EXPECT_EQ(walk.take({"\"", "a", "a"}), "a");
}

TEST(Bounds, StatesAreRebuiltFromTokens) {
  Walk walk({"abc"}, kQuotation, {.state_memory = 1});
  EXPECT_EQ(walk.take({"\"", "abc"}), "");
  EXPECT_EQ(mask_of(walk.matcher()), "\"");
  EXPECT_EQ(walk.take({"\"", "!"}), "");
}

TEST(Bounds, BytesBelongToTheTokenBeforeThem) {
  Walk walk({}, kQuotation);
  EXPECT_EQ(walk.take({"\""}), "");
  EXPECT_EQ(walk.matcher().accept_bytes("abcdefgh"), Step::kOk);
  EXPECT_EQ(walk.take({"a"}), "");
  EXPECT_EQ(mask_of(walk.matcher()), "\"");
  EXPECT_EQ(walk.matcher().accept_bytes("abc"), Step::kOk);
  EXPECT_EQ(mask_of(walk.matcher()), "\"");
  EXPECT_EQ(walk.take({"\""}), "");
}

TEST(Bounds, BytesMustLeaveRoom) {
  Walk walk({}, R"_(root ::= @max_tokens(3: list)
list ::= "[" list? "]")_");
  EXPECT_EQ(walk.take({"["}), "");
  EXPECT_EQ(walk.matcher().longest_viable_prefix("[["), 1U);
  EXPECT_EQ(walk.matcher().accept_bytes("[["), Step::kRefused);
  EXPECT_EQ(walk.matcher().accept_bytes("[]"), Step::kOk);
}

TEST(Bounds, ForcedTextIsCommonToAllReadings) {
  Walk walk({}, R"_(root ::= @max_tokens(4: "abab") "!")_");
  EXPECT_EQ(walk.matcher().find_jump_forward_string(), "abab!");
  EXPECT_EQ(walk.take({"a", "b", "a", "b"}), "");
  EXPECT_EQ(walk.matcher().expected().bytes, std::vector<std::uint8_t>{'!'});
}

TEST(Bounds, NothingIsExpectedBeyondABound) {
  Walk walk({}, R"_(root ::= @max_tokens(2: [a-z]+) "!")_");
  EXPECT_EQ(walk.take({"a", "a"}), "");
  EXPECT_EQ(walk.matcher().expected().bytes, std::vector<std::uint8_t>{'!'});
}

// In Lark, terminals compete, so a mask is computed by one walk with conditions.
TEST(Bounds, InLark) {
  const TokenizerInfo tokenizer = byte_vocabulary({"abc", "bc>", " >"});
  const auto compiled = GrammarCompiler(tokenizer, {})
                            .compile_text(R"_(start: "<" text ">"
text[max_tokens=3]: word+
word: /[a-z]+/ | list
list: "(" word* ")"
%ignore " "
)_",
                                          {.syntax = GrammarSyntax::kLark});
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  const auto take = [&](std::string_view name) { return matcher.accept_token(token(tokenizer, name)); };
  EXPECT_EQ(take("<"), Step::kOk);
  EXPECT_EQ(take("abc"), Step::kOk);
  EXPECT_EQ(take("("), Step::kOk);
  EXPECT_EQ(mask_of(matcher), ")");
  EXPECT_EQ(take(")"), Step::kOk);
  // A space would be a fourth token of the rule: ignored text after a lexeme belongs to the rule.
  EXPECT_EQ(mask_of(matcher), ">");
  EXPECT_EQ(take(">"), Step::kOk);
  EXPECT_TRUE(matcher.is_completed());
}

TEST(Bounds, DraftTrees) {
  Walk walk({}, kQuotation);
  EXPECT_EQ(walk.take({"\""}), "");
  const std::vector<std::uint32_t> tokens{walk.id("a"), walk.id("a"), walk.id("\"")};
  const std::vector<std::int32_t> parents{-1, 0, 0};
  const std::size_t words = bitmask_words(walk.matcher().compiled_grammar().tokenizer_info().vocab_size());
  std::vector<std::uint32_t> masks(3 * words);
  std::vector<Step> steps(3);
  ASSERT_EQ(walk.matcher().fill_draft_tree_bitmasks(tokens, parents, masks, steps), Step::kOk);
  EXPECT_EQ(steps, (std::vector<Step>{Step::kOk, Step::kRefused, Step::kOk}));
  EXPECT_FALSE(bitmask_get(std::span(masks).first(words), walk.id("a")));
  EXPECT_TRUE(bitmask_get(std::span(masks).first(words), walk.id("\"")));
}

TEST(Bounds, ExplainNamesTheRule) {
  Walk walk({}, R"_(root ::= "<" text ">"
text ::= @max_tokens(2: "\"" [a-z]* "\""))_");
  EXPECT_EQ(walk.take({"<", "\""}), "");
  const TokenExplanation why = walk.matcher().explain(walk.id("a"));
  EXPECT_FALSE(why.allowed);
  EXPECT_EQ(why.reason, "`max_tokens` 2 of `text.max_tokens` leaves no room to end after it");
  EXPECT_EQ(walk.matcher().explain(walk.id("7")).reason, "`7` cannot follow here");
}

TEST(Bounds, ExplainNamesAllRulesAroundTheToken) {
  Walk walk({}, R"_(root ::= "<" @max_tokens(7: "(" list ")") ">"
list ::= "[" (list ("," list)*)? inner? "]"
inner ::= @max_tokens(2: "{" inner? "}"))_");
  EXPECT_EQ(walk.take({"<", "(", "[", "["}), "");
  EXPECT_EQ(walk.matcher().explain(walk.id("[")).reason,
            "`max_tokens` 7 of `root.max_tokens` leaves no room to end after it");
  EXPECT_EQ(walk.take({"]"}), "");  // the closing of the outer list and of the parenthesis remain, and one token more
  EXPECT_EQ(walk.matcher().explain(walk.id("{")).reason,
            "`max_tokens` 2 of `inner.max_tokens`, `max_tokens` 7 of `root.max_tokens` leaves no room to end after it");
  EXPECT_EQ(walk.take({"]", ")", ">"}), "");
}

TEST(Bounds, CapturesInsideAndAroundABoundedRule) {
  Walk walk({"bc"}, R"_(root ::= "<" @capture(all: @max_tokens(2: "a" @capture(rest: [a-z]+))) ">")_");
  EXPECT_EQ(walk.take({"<", "a", "bc"}), "");
  EXPECT_EQ(mask_of(walk.matcher()), ">");
  EXPECT_EQ(walk.matcher().captures(), (std::vector<Capture>{{"all", 1, 4, false}, {"rest", 2, 4, false}}));
}

TEST(Bounds, ABoundThatCannotBeMetIsAnError) {
  const TokenizerInfo tokenizer = byte_vocabulary({"ab"});
  const auto error_of = [&](std::string_view ebnf) {
    const auto compiled = GrammarCompiler(tokenizer, {}).compile_ebnf(ebnf);
    return compiled ? std::string() : compiled.error().message;
  };
  EXPECT_EQ(error_of(R"_(root ::= @max_tokens(2: "abab"))_"), "");
  EXPECT_EQ(error_of(R"_(root ::= @max_tokens(2: "ababa") "x")_"),
            "rule `root.max_tokens` has no text within its `max_tokens` of 2: the shortest text found takes 3");
  EXPECT_EQ(error_of(R"_(root ::= @max_tokens(0: "a"))_"),
            "rule `root.max_tokens` has no text within its `max_tokens` of 0: the shortest text found takes 1");
  EXPECT_EQ(error_of(R"_(root ::= @max_tokens(0: "a"?) "b")_"), "");
}

// That no token ends with a text is found by trying all tokens.
TEST(Bounds, LongerTextsInFewerTokens) {
  Walk walk({"hello"}, R"_(root ::= @max_tokens(1: "xy" | "hello") "!")_");
  EXPECT_EQ(mask_of(walk.matcher()), "hello");
}

// Rules that can end only with a token that a search through a large vocabulary finds late.
constexpr std::string_view kBesideOneAnother = R"_(
root ::= "." (r | q) "!"
r ::= @max_tokens(2: /#[a-f][a-z]*Q|#s[a-z]*tring/)
q ::= @max_tokens(2: /#[g-o][a-z]*Q|#s[a-z]*tring/)
)_";

TEST(Bounds, ARuleThatCanEndAloneCanEndBesideOthers) {
  Limits limits;
  for (const std::uint32_t threads : {1'000U, 4'000U, 20'000U, 60'000U}) {
    limits.lookahead_threads = threads;
    const GrammarCompiler compiler(TokenizerInfo::builtin(), limits);
    const Result<CompiledGrammar> compiled = compiler.compile_ebnf(kBesideOneAnother);
    if (!compiled.has_value()) {
      EXPECT_EQ(compiled.error().code, ErrorCode::kLimitExceeded) << compiled.error().message;
      EXPECT_EQ(compiled.error().limit, "lookahead_threads");
      continue;
    }
    GrammarMatcher matcher(*compiled);
    ASSERT_EQ(matcher.accept_bytes("."), Step::kOk);
    EXPECT_NE(mask_of(matcher), "") << threads;
  }
}

TEST(Bounds, ASearchThatWasCutProvesNothing) {
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  const Result<CompiledGrammar> compiled =
      compiler.compile_ebnf(R"_(root ::= @max_tokens(1: /[a-z]*(xq|tring)/) "!")_");
  if (!compiled.has_value()) {
    EXPECT_EQ(compiled.error().code, ErrorCode::kLimitExceeded) << compiled.error().message;
  }
  Limits more;
  more.lookahead_threads = 1'000'000;
  EXPECT_TRUE(GrammarCompiler(TokenizerInfo::builtin(), more)
                  .compile_ebnf(R"_(root ::= @max_tokens(1: /[a-z]*(xq|tring)/) "!")_")
                  .has_value());
}

// The shortest text takes four tokens, and so do the tokens that are taken as a whole. The other text takes four if each
// is the longest that fits, but three in another way.
TEST(Bounds, ALongerTextInFewerTokensBesideTokensTakenAsAWhole) {
  Walk walk({"def", "gh", "ghi", "ijk"},
            R"_(root ::= @max_tokens(3: /abcd|defghijk/ | <tool> <tool> <tool> <tool>) "!")_");
  EXPECT_EQ(mask_of(walk.matcher()), "def");
  EXPECT_EQ(walk.take({"def", "gh", "ijk", "!"}), "");
  EXPECT_TRUE(walk.matcher().is_completed());
}

// A search for an end in time that meets a limit neither allows nor refuses a token.
TEST(Bounds, ASearchThatMeetsALimitNamesIt) {
  constexpr std::string_view kGrammar = R"_(root ::= "." @max_tokens(3: /a[b-f]{12}|defghi[j-z]{20}x/) "!")_";
  const TokenizerInfo tokenizer = byte_vocabulary({"bcdefb", "defghi", "jklmnopqrs"});
  GrammarMatcher expected(compile(tokenizer, kGrammar));
  ASSERT_EQ(expected.accept_bytes("."), Step::kOk);
  const std::string mask = mask_of(expected);
  EXPECT_EQ(mask, "a");
  bool is_met = false;
  for (std::uint32_t states = 2; states < 60; ++states) {
    Limits limits;
    limits.lexer_states = states;
    const auto compiled = GrammarCompiler(tokenizer, limits).compile_ebnf(kGrammar);
    if (!compiled.has_value()) {
      EXPECT_EQ(compiled.error().limit, "lexer_states") << compiled.error().message;
      is_met = true;
      continue;
    }
    GrammarMatcher matcher(*compiled);
    if (matcher.accept_bytes(".") == Step::kLimitExceeded) continue;
    const std::string found = mask_of(matcher);
    if (found == "[limit_exceeded]") continue;
    EXPECT_EQ(found, mask) << states;
  }
  EXPECT_TRUE(is_met);
}

TEST(Bounds, LongTextsAreRefusedByTheirLength) {
  const GrammarCompiler compiler(TokenizerInfo::builtin());
  std::string doubling = "root ::= @max_tokens(3: a0) \"b\"\n";
  for (int i = 0; i < 45; ++i) {
    doubling += "a" + std::to_string(i) + " ::= a" + std::to_string(i + 1) + " a" + std::to_string(i + 1) + "\n";
  }
  doubling += "a45 ::= \"x\" | \"y\" a45\n";
  for (const std::string& grammar : {std::string("root ::= @max_tokens(3: [a-z]{100000}) \"b\""), doubling}) {
    const Result<CompiledGrammar> compiled = compiler.compile_ebnf(grammar);
    ASSERT_FALSE(compiled.has_value());
    EXPECT_EQ(compiled.error().code, ErrorCode::kUnsatisfiable);
    EXPECT_NE(compiled.error().message.find("it takes at least "), std::string::npos) << compiled.error().message;
  }
}

// The text that is known of a schema is short, but no shortest one, and its length may be an estimate from above.
TEST(Bounds, ALongTextOfASchemaDoesNotRefuseShorterOnes) {
  const GrammarCompiler compiler(byte_vocabulary({}));
  const auto compile = [&](std::string_view schema) {
    return compiler.compile_text("start: a \".\"\na[max_tokens=5]: b\nb: %json " + std::string(schema),
                                 {.syntax = GrammarSyntax::kLark});
  };
  const auto compiled =
      compile(R"({"anyOf": [{"type": "string", "minLength": 100000}, {"type": "array", "maxItems": 0}]})");
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  EXPECT_EQ(matcher.accept_bytes("[]"), Step::kOk);
  EXPECT_EQ(matcher.accept_bytes("."), Step::kOk);
  const auto refused = compile(R"({"type": "string", "minLength": 100000})");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message.find("it takes at least "), std::string::npos) << refused.error().message;
}

TEST(Bounds, BytesOfOneCallCountAsOneToken) {
  const CompiledGrammar compiled = compile(byte_vocabulary({"ax"}), R"_(root ::= @max_tokens(2: "a" [xyz] "c") "!")_");
  GrammarMatcher whole(compiled);
  EXPECT_EQ(whole.accept_bytes("axc!"), Step::kOk);
  EXPECT_TRUE(whole.is_completed());
  GrammarMatcher matcher(compiled);
  EXPECT_EQ(matcher.accept_bytes(matcher.find_jump_forward_string()), Step::kOk);
}

}  // namespace
}  // namespace weir
