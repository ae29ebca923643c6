// Masks whose walks take whole subtrees of the vocabulary's trie, or share what they find within lexemes
// (lexical_facts.h), compared with accepting each token.
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "weir/bitmask.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir {
namespace {

struct WalkedGrammar {
  GrammarSyntax syntax;
  std::string_view grammar;
  std::string_view text;
};

class StateRuns : public ::testing::TestWithParam<WalkedGrammar> {};

// Accepting a token steps its bytes one by one, and knows nothing of subtrees.
TEST_P(StateRuns, MasksAreTheTokensThatAreAccepted) {
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  const Result<CompiledGrammar> compiled =
      GrammarCompiler(tokenizer).compile(*Grammar::from_text(GetParam().grammar, {.syntax = GetParam().syntax}));
  ASSERT_TRUE(compiled.has_value()) << compiled.error().message;
  GrammarMatcher matcher(*compiled);
  std::vector<std::uint32_t> mask(bitmask_words(tokenizer.vocab_size()));
  const std::vector<std::uint32_t> tokens = *tokenizer.tokenize(GetParam().text);
  for (const std::uint32_t next : tokens) {
    ASSERT_EQ(matcher.fill_next_token_bitmask(mask), Step::kOk);
    for (std::uint32_t token = 0; token < tokenizer.vocab_size(); ++token) {
      const bool is_accepted = matcher.accept_token(token) == Step::kOk;
      if (is_accepted) {
        ASSERT_EQ(matcher.rollback(1), Step::kOk);
      }
      ASSERT_EQ(bitmask_get(mask, token), is_accepted) << tokenizer.token_bytes(token);
    }
    ASSERT_EQ(matcher.accept_token(next), Step::kOk);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Grammars, StateRuns,
    ::testing::Values(
        WalkedGrammar{GrammarSyntax::kLark,
                      "start: (\"let\" NAME \"=\" value \";\")+\nvalue: NAME | STRING\nNAME: /\\w+/\n"
                      "STRING: /\"[^\"…]*\"/\n%ignore /\\s+/\n%ignore /#[^\\n]*/\n",
                      "let größe = \"aé b"},
        // Keywords and names compete, operators begin alike, and one row expects what another does not.
        WalkedGrammar{
            GrammarSyntax::kLark,
            "start: statement+\nstatement: \"int\" NAME \"=\" value \";\" | \"in\" NAME \";\" | NAME OP value \";\"\n"
            "value: NAME | INT | \"(\" value (OP value)* \")\"\nNAME: /[a-z]\\w*/\nINT: /[0-9]+/\n"
            "OP: \"=\" | \"==\" | \"/\" | \"//=\"\n%ignore /[ \\n]+/\n%ignore /\\/\\*([^*]|\\*+[^*\\/])*\\*+\\//\n",
            "int inner = (index / 12);\nin x; /* a */ into == inside;"},
        WalkedGrammar{GrammarSyntax::kEbnf,
                      "root ::= (@greedy([a-z]+) [0-9]* (\" \" | \", \" | \"and \") | @greedy([a-z ]+) \".\")+",
                      "the andes12 a, b and c."},
        WalkedGrammar{GrammarSyntax::kEbnf,
                      "root ::= \"- \" text \"</\"\ntext ::= char text | char\nchar ::= [^<\\n] | \"<\" [^/\\n]\n",
                      "- a < b, é"},
        WalkedGrammar{GrammarSyntax::kEbnf, "root ::= ([一-鿿]+ \", \" | [^…]+ \"…\\n\" | [а-я]+ \"!\")+",
                      "你好, aß…\nда!"},
        WalkedGrammar{GrammarSyntax::kEbnf, "root ::= @greedy([a-z]+) \" \" @greedy([^0-9。]+) [0-9]", "ab cd ó1"}));

}  // namespace
}  // namespace weir
