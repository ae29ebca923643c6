// A complete decoding loop, with a random generator in place of a model: compiles a grammar, then computes a mask,
// draws a token and accepts it until the text is complete. Usage: weir_example [SEED]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "weir/weir.h"

namespace {

// In place of a model and its sampler: returns one of the tokens whose bits are set, all equally likely.
std::uint32_t draw(const std::vector<std::uint32_t>& bitmask, std::uint32_t vocab_size, std::mt19937& random) {
  std::vector<std::uint32_t> allowed;
  for (std::uint32_t token = 0; token < vocab_size; ++token) {
    if (weir::bitmask_get(bitmask, token)) allowed.push_back(token);
  }
  return allowed[random() % allowed.size()];
}

}  // namespace

int main(int argc, char** argv) {
  const std::string grammar = R"(
root ::= greeting ", " name "!"
greeting ::= "hello" | "good " ("morning" | "evening")
name ::= [A-Z] [a-z]{2,7}
)";
  const weir::TokenizerInfo tokenizer = weir::TokenizerInfo::builtin();
  const weir::GrammarCompiler compiler(tokenizer);
  const weir::Result<weir::CompiledGrammar> compiled = compiler.compile_ebnf(grammar);
  if (!compiled) {
    std::cerr << weir::render(compiled.error(), grammar, "<grammar>");
    return EXIT_FAILURE;
  }
  std::mt19937 random(argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 1);
  weir::GrammarMatcher matcher(*compiled);
  std::vector<std::uint32_t> bitmask(weir::bitmask_words(tokenizer.vocab_size()));
  std::vector<std::uint32_t> output;
  while (!matcher.is_terminated()) {
    if (matcher.fill_next_token_bitmask(bitmask) != weir::Step::kOk) return EXIT_FAILURE;
    const std::uint32_t token = draw(bitmask, tokenizer.vocab_size(), random);
    if (matcher.accept_token(token) != weir::Step::kOk) return EXIT_FAILURE;
    output.push_back(token);
  }
  std::cout << tokenizer.decode(output) << "\n";
  return EXIT_SUCCESS;
}
