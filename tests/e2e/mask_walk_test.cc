// Random walks through the grammars of tests/bench/cases.jsonl with the embedded tokenizer. The masks of a walk are
// reduced to one hash, which is compared with mask_walks.txt. js/test/masks.test.mjs makes the same walks in
// WebAssembly and compares with the same file, so its masks equal those of this build bit for bit.
//
// `WEIR_UPDATE=1 test_mask_walks` writes the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "shared_data.h"
#include "weir/weir.h"

namespace weir {
namespace {

constexpr std::uint32_t kMasks = 400;   // for each grammar
constexpr std::uint32_t kLongest = 80;  // tokens; then the walk starts again

// A walk's random numbers and hash. Both have 32 bits, so that JavaScript computes them exactly.
struct Walk {
  std::uint32_t first = 1;
  std::uint32_t second = 2;
  std::uint32_t seed = 12345;

  void add(std::uint32_t word) {
    first = (first ^ word) * 0x85EBCA6BU;
    first ^= first >> 13;
    second = (second + word) * 0xC2B2AE35U;
    second ^= second >> 16;
  }
  std::uint32_t draw() {
    seed = seed * 1664525U + 1013904223U;
    return seed >> 8;
  }
};

std::uint32_t token_at(const std::vector<std::uint32_t>& bitmask, std::uint32_t rank) {
  for (std::uint32_t i = 0; i < bitmask.size(); ++i) {
    const auto here = static_cast<std::uint32_t>(std::popcount(bitmask[i]));
    if (rank >= here) {
      rank -= here;
      continue;
    }
    std::uint32_t word = bitmask[i];
    for (; rank > 0; --rank) word &= word - 1;
    return 32 * i + static_cast<std::uint32_t>(std::countr_zero(word));
  }
  return UINT32_MAX;
}

Result<CompiledGrammar> compile(const GrammarCompiler& compiler, const nlohmann::json& c) {
  if (c.contains("schema")) return compiler.compile_json_schema(c["schema"].dump());
  if (c.contains("response_format")) return compiler.compile_response_format(c["response_format"].dump());
  if (c.contains("choice")) return compiler.compile_choice(c["choice"].get<std::vector<std::string>>());
  if (c.contains("substring"))
    return compiler.compile_substring(c["substring"].get<std::string>(), SubstringUnit::kWord);
  if (c.contains("tools")) {
    return structural_tag_for_tools(c["style"].get<std::string>(), c["tools"].dump())
        .and_then([&](const std::string& tag) { return compiler.compile_structural_tag(tag); });
  }
  if (c.contains("regex")) {
    RegexOptions options;
    if (c.contains("dialect")) options.dialect = RegexDialect::kPython;
    return compiler.compile_regex(c["regex"].get<std::string>(), options);
  }
  for (const auto& [name, syntax] :
       {std::pair("grammar", GrammarSyntax::kEbnf), std::pair("gbnf", GrammarSyntax::kGbnf),
        std::pair("xgrammar", GrammarSyntax::kXgrammar), std::pair("kbnf", GrammarSyntax::kKbnf),
        std::pair("lark", GrammarSyntax::kLark)}) {
    if (!c.contains(name)) continue;
    GrammarTextOptions options;
    options.syntax = syntax;
    return compiler.compile_text(c[name].get<std::string>(), options);
  }
  return tl::unexpected(Error{ErrorCode::kInvalidArgument, "a case of an unknown kind", {}, {}, {}, {}});
}

std::string walk(const CompiledGrammar& compiled, const std::string& id, std::uint32_t vocab_size) {
  GrammarMatcher matcher(compiled);
  std::vector<std::uint32_t> bitmask(bitmask_words(vocab_size));
  Walk walk;
  std::uint32_t tokens = 0;
  for (std::uint32_t i = 0; i < kMasks; ++i) {
    EXPECT_EQ(matcher.fill_next_token_bitmask(bitmask), Step::kOk) << id;
    std::uint32_t count = 0;
    for (const std::uint32_t word : bitmask) {
      walk.add(word);
      count += static_cast<std::uint32_t>(std::popcount(word));
    }
    walk.add(count);
    EXPECT_GT(count, 0U) << id;
    const std::uint32_t token = token_at(bitmask, walk.draw() % std::max(count, 1U));
    EXPECT_EQ(matcher.accept_token(token), Step::kOk) << id;
    if (++tokens == kLongest || matcher.is_terminated()) {
      matcher.reset();
      tokens = 0;
    }
  }
  char line[64];
  std::snprintf(line, sizeof line, "%u %08x%08x ", kMasks, static_cast<unsigned>(walk.first),
                static_cast<unsigned>(walk.second));
  return line + id + "\n";
}

TEST(MaskWalks, AreThoseOfTheFile) {
  const std::string folder = tests::repository() + "/tests/";
  const TokenizerInfo tokenizer = TokenizerInfo::builtin();
  const GrammarCompiler compiler(tokenizer);
  std::ifstream cases(folder + "bench/cases.jsonl");
  std::string found;
  for (std::string line; std::getline(cases, line);) {
    const nlohmann::json c = nlohmann::json::parse(line);
    const auto compiled = compile(compiler, c);
    ASSERT_TRUE(compiled.has_value()) << c["id"] << ": " << compiled.error().message;
    found += walk(*compiled, c["id"].get<std::string>(), tokenizer.vocab_size());
  }
  const std::string path = folder + "e2e/mask_walks.txt";
  if (std::getenv("WEIR_UPDATE") != nullptr) {
    std::ofstream(path) << found;
    return;
  }
  std::ifstream file(path);
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(found, expected.str());
}

}  // namespace
}  // namespace weir
