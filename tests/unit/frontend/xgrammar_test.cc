// Cases that need a vocabulary or inspect the IR. The other cases are in tests/data/xgrammar.toml.
#include "frontend/xgrammar/xgrammar.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "weir/weir.h"

namespace weir::frontend {
namespace {

// Returns a vocabulary in which tokens 0 to 3 are single characters, 4 and 5 are special, and 6 ends the sequence.
TokenizerInfo small_vocabulary() {
  VocabSpec spec;
  spec.tokens = {"a", "b", "c", "{", "<x>", "<y>", "<eos>"};
  spec.special_token_ids = {4, 5, 6};
  spec.stop_token_ids = {6};
  return TokenizerInfo::from_vocab(std::move(spec)).value();
}

using Tokens = std::vector<std::uint32_t>;

// Returns the tokens that are allowed after the tokens `history`.
Tokens allowed(std::string_view grammar, const Tokens& history) {
  const GrammarCompiler compiler(small_vocabulary());
  const auto compiled = compiler.compile_text(grammar, {.syntax = GrammarSyntax::kXgrammar});
  if (!compiled) {
    ADD_FAILURE() << render(compiled.error(), grammar, "grammar");
    return {};
  }
  GrammarMatcher matcher(*compiled);
  for (const std::uint32_t token : history) EXPECT_EQ(matcher.accept_token(token), Step::kOk) << token;
  std::vector<std::uint32_t> mask(bitmask_words(7));
  EXPECT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
  Tokens tokens;
  for (std::uint32_t token = 0; token < 7; ++token) {
    if (bitmask_get(mask, token)) tokens.push_back(token);
  }
  return tokens;
}

TEST(XgrammarTokens, TokenAndExcludeToken) {
  const std::string_view grammar = "root ::= Token(0, 4) ExcludeToken(1, 4, 1) \"c\"";
  EXPECT_EQ(allowed(grammar, {}), (Tokens{0, 4}));
  EXPECT_EQ(allowed(grammar, {4}), (Tokens{0, 2, 3, 5}));
  EXPECT_EQ(allowed(grammar, {0, 5}), (Tokens{2}));
}

TEST(XgrammarTokens, Dispatch) {
  const std::string_view grammar =
      "root ::= TokenTagDispatch((4, call), (2, other), excludes=(5, 1,))\n"
      "call ::= \"{\"\nother ::= \"bb\"";
  EXPECT_EQ(allowed(grammar, {}), (Tokens{0, 2, 3, 4, 6}));
  EXPECT_EQ(allowed(grammar, {0, 3, 4}), (Tokens{3}));
  EXPECT_EQ(allowed(grammar, {2, 1}), (Tokens{1}));
  EXPECT_EQ(allowed(grammar, {4, 3, 2, 1, 1}), (Tokens{0, 2, 3, 4, 6}));
}

TEST(XgrammarTokens, DispatchOnce) {
  const std::string_view grammar =
      "root ::= TokenTagDispatch((4, call), loop_after_dispatch=false) \"a\"\n"
      "call ::= \"{\"";
  EXPECT_EQ(allowed(grammar, {1, 4}), (Tokens{3}));
  EXPECT_EQ(allowed(grammar, {1, 4, 3}), (Tokens{0}));
}

TEST(XgrammarOptions, CapturesAreNamed) {
  grammar::Grammar grammar(Limits{}.regex_nodes);
  const Limits limits;
  Reading reading{grammar, limits};
  const auto root =
      read_xgrammar("root ::= a b\na[capture] ::= \"x\"\nb[lazy, capture=\"n m\"] ::= \"y\"+", "root", reading);
  ASSERT_TRUE(root);
  EXPECT_EQ(grammar.rule(*root).capture, "");
  EXPECT_EQ(grammar.rules[1].capture, "a");
  EXPECT_EQ(grammar.rules[2].capture, "n m");
}

TEST(XgrammarErrors, SeveralInOneText) {
  grammar::Grammar grammar(Limits{}.regex_nodes);
  const Limits limits;
  Reading reading{grammar, limits};
  const std::string_view text = "root ::= Token(\"a\") a\na[lasy] ::= \"x\"\nb ::= Regex(\"(\")\nc ::= d\n";
  EXPECT_FALSE(read_xgrammar(text, "root", reading));
  std::vector<std::size_t> places;
  for (const Error& error : reading.errors) places.push_back(error.where.start);
  EXPECT_EQ(places, (std::vector<std::size_t>{15, 24, 51, 61}));
}

}  // namespace
}  // namespace weir::frontend
