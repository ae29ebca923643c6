// llama.cpp's example grammars as GBNF, with texts that each accepts and rejects. Small grammars are in
// tests/data/gbnf.toml.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "shared_data.h"
#include "weir/weir.h"

namespace weir {
namespace {

struct Example {
  const char* file;
  std::vector<std::string> accepts;
  std::vector<std::string> rejects;
};

void PrintTo(const Example& example, std::ostream* out) { *out << example.file; }

TokenizerInfo bytes_and_think() {
  VocabSpec spec;
  for (unsigned b = 0; b < 256; ++b) spec.tokens.push_back(std::string(1, static_cast<char>(b)));
  for (const char* special : {"<think>", "</think>", "<eos>"}) spec.tokens.emplace_back(special);
  spec.special_token_ids = {256, 257, 258};
  spec.stop_token_ids = {258};
  return TokenizerInfo::from_vocab(std::move(spec)).value();
}

class LlamaCppExample : public testing::TestWithParam<Example> {};

TEST_P(LlamaCppExample, Texts) {
  const std::filesystem::path path = tests::shared_data() / "grammars/llama.cpp" / GetParam().file;
  std::ifstream file(path, std::ios::binary);
  if (!file) GTEST_SKIP() << path << " is not there; WEIR_SHARED_DATA names the directory with grammars/llama.cpp";
  std::stringstream contents;
  contents << file.rdbuf();
  const GrammarCompiler compiler(bytes_and_think());
  const auto compiled = compiler.compile_text(contents.str(), {.syntax = GrammarSyntax::kGbnf});
  ASSERT_TRUE(compiled) << render(compiled.error(), contents.str(), GetParam().file);
  EXPECT_TRUE(compiled->warnings().empty());
  const auto accepts = [&](const std::string& text) {
    GrammarMatcher matcher(*compiled);
    return matcher.accept_bytes(text) == Step::kOk && matcher.is_completed();
  };
  for (const std::string& text : GetParam().accepts) EXPECT_TRUE(accepts(text)) << text;
  for (const std::string& text : GetParam().rejects) EXPECT_FALSE(accepts(text)) << text;
}

const Example kExamples[] = {
    {"arithmetic.gbnf", {"1= 2\n", "x +(1 *y)=y1 \n3=3\n"}, {"", "1=2", "1+=2\n", "(1=2\n", "X=1\n"}},
    {"c.gbnf",
     {"", "int main(int x){return 0;}", "float f(){while(x<10){x = x+1;}// end\n}", "char g(){/* a*b */h (1, y);}"},
     {"int main", "int main(){return 0}", "double f(){}", "int f(){x= 1;}"}},
    {"chess.gbnf",
     {"1. e4 e5\n2. Nf3 Nc6\n", "1. d4 O-O-O\n12. exd8=Q+ Rh1#\n"},
     {"", "1. e4 e5\n", "2. e4 e5\n3. e4 e5\n"}},
    {"english.gbnf", {"Hello", "What's up,\n[doc]?"}, {"", " a", "a  b", "é"}},
    {"japanese.gbnf", {"ひらがな", "カタカナ 漢字、。"}, {"", "a", "漢 "}},
    {"json.gbnf",
     {"{}", R"({"a": [1, -2.5e+3, true], "b" :{"c": "\u00e9\n"}})", "{\n\t\"a\":null}\n"},
     {"", "[]", R"({"a": 01})", R"({'a': 1})", R"({"a": 1,})", "{  }"}},
    {"json_arr.gbnf", {"[\n]", "[\n1,\n{\"a\":\"b\"}]"}, {"[]", "[\n1]\n", "{}"}},
    {"list.gbnf", {"- a\n", "- one, two\n- zwölf\n"}, {"", "- \n", "-a\n", "- a", "- a\u2028\n"}},
};

INSTANTIATE_TEST_SUITE_P(Files, LlamaCppExample, testing::ValuesIn(kExamples), [](const auto& example) {
  const std::string name = example.param.file;
  return name.substr(0, name.find('.'));
});

// Returns the first example of the syntax's page: the code block that is marked with the syntax's name.
std::string example_of(const std::string& syntax) {
  std::ifstream page(tests::repository() + "/docs/" + syntax + ".md");
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (inside && line == "```") break;
    if (inside) text += line + "\n";
    inside = inside || line == "```" + syntax;
  }
  return text;
}

TEST(DialectDocs, ExamplesCompileWithoutWarnings) {
  const GrammarCompiler compiler(bytes_and_think());
  for (const GrammarSyntax syntax : {GrammarSyntax::kGbnf, GrammarSyntax::kXgrammar}) {
    const std::string text = example_of(std::string(to_string(syntax)));
    EXPECT_GT(text.size(), 50U);
    const auto compiled = compiler.compile_text(text, {.syntax = syntax});
    ASSERT_TRUE(compiled) << render(compiled.error(), text, "example");
    EXPECT_TRUE(compiled->warnings().empty()) << text;
  }
}

TEST(GbnfTokens, ByNameAndById) {
  const GrammarCompiler compiler(bytes_and_think());
  const auto compiled =
      compiler.compile_text("root ::= <think> !</think>* <[257]> \"ab\" ![97]\n", {.syntax = GrammarSyntax::kGbnf});
  ASSERT_FALSE(compiled);  // `!` must be followed by `<`
  const std::string grammar = "root ::= <think> !</think>* <[257]> \"ab\" !<[97]>\n";
  const auto right = compiler.compile_text(grammar, {.syntax = GrammarSyntax::kGbnf});
  ASSERT_TRUE(right) << render(right.error(), grammar, "grammar");
  GrammarMatcher matcher(*right);
  EXPECT_EQ(matcher.accept_token('x'), Step::kRefused);
  for (const std::uint32_t token : {256U, 120U, 256U, 257U, 97U, 98U}) {
    ASSERT_EQ(matcher.accept_token(token), Step::kOk) << token;
  }
  EXPECT_EQ(matcher.accept_token('a'), Step::kRefused);
  EXPECT_EQ(matcher.accept_token(256), Step::kOk);
  EXPECT_TRUE(matcher.is_completed());
}

}  // namespace
}  // namespace weir
