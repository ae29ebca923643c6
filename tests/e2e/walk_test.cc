// Runs the end-to-end test on real documents with every available tokenizer. e2e/walk.h describes the checks.
#include "e2e/walk.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "e2e/documents.h"
#include "oracle/plain_expression.h"
#include "oracle/plain_json.h"
#include "shared_data.h"
#include "weir/compiler.h"

namespace weir::e2e {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string shared(const std::string& path) { return (tests::shared_data() / path).string(); }

// Returns the tokenizer "builtin", or one of a file in the shared data; nullopt if the file is missing. Each tokenizer
// is read only once, because large files are slow to read.
const std::optional<TokenizerInfo>& tokenizer(const std::string& name) {
  static std::map<std::string, std::optional<TokenizerInfo>> known;
  const auto [entry, is_new] = known.try_emplace(name);
  if (!is_new) return entry->second;
  const std::string path = shared("tokenizers/" + name + ".tiktoken");
  if (name == "builtin") {
    entry->second = TokenizerInfo::builtin();
  } else if (std::filesystem::exists(path)) {
    const Result<TokenizerInfo> info = TokenizerInfo::from_file(path);
    EXPECT_TRUE(info.has_value()) << info.error().message;
    if (info) entry->second = *info;
  }
  return entry->second;
}

CompiledGrammar compile(const TokenizerInfo& info, const std::string& file) {
  const Result<CompiledGrammar> compiled =
      GrammarCompiler(info).compile_ebnf(read(tests::repository() + "/examples/" + file));
  if (!compiled) ADD_FAILURE() << compiled.error().message;
  return *compiled;
}

void expect_clean(const WalkReport& report) {
  for (const std::string& failure : report.failures) ADD_FAILURE() << failure;
  EXPECT_EQ(report.failure_count, 0U);
  EXPECT_GT(report.documents, 0U);
  EXPECT_GT(report.refused, 0U);
  EXPECT_GT(report.still_viable, 0U);
  EXPECT_GT(report.full_masks, 0U);
}

class Walk : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!tokenizer(GetParam())) GTEST_SKIP() << "no " << GetParam() << ".tiktoken in the shared data's tokenizers/";
  }
  WalkReport walk_all(const std::string& grammar, const oracle::PlainChecker& plain,
                      const std::vector<Document>& documents, const WalkOptions& options) {
    Walker walker(compile(*tokenizer(GetParam()), grammar), plain.clone(), options);
    for (const Document& document : documents) walker.walk(document.name, document.text);
    return walker.report();
  }
};

TEST_P(Walk, JsonDocumentsOfTheExamples) {
  WalkOptions options;
  options.corruptions = 50;
  const std::vector<Document> documents = files_in(tests::repository() + "/examples/documents", ".json");
  EXPECT_GE(documents.size(), 6U);
  expect_clean(walk_all("json.ebnf", oracle::PlainJson(), documents, options));
}

TEST_P(Walk, JsonDocumentsOfTheSchemaTestSuite) {
  const std::vector<Document> documents = files_in(shared("json-schema-test-suite/tests"), ".json", 12);
  if (documents.empty()) GTEST_SKIP() << "no json-schema-test-suite in the shared data";
  WalkOptions options;
  options.corruptions = 4;
  options.full_masks = 0.005;
  expect_clean(walk_all("json.ebnf", oracle::PlainJson(), documents, options));
}

TEST_P(Walk, JsonInstancesOfMaskBench) {
  const std::vector<Document> documents = maskbench_instances(shared("maskbench-dev.jsonl.xz"), 40);
  if (documents.empty()) GTEST_SKIP() << "no maskbench-dev.jsonl.xz in the shared data, or no xz";
  WalkOptions options;
  options.corruptions = 4;
  options.full_masks = 0.005;
  expect_clean(walk_all("json.ebnf", oracle::PlainJson(), documents, options));
}

TEST_P(Walk, Expressions) {
  std::vector<Document> documents = files_in(tests::repository() + "/examples/documents", ".expr");
  EXPECT_GE(documents.size(), 4U);
  for (Document& document : random_expressions(100, 7)) documents.push_back(std::move(document));
  expect_clean(walk_all("expression.ebnf", oracle::PlainExpression(), documents, {}));
}

INSTANTIATE_TEST_SUITE_P(Tokenizers, Walk, ::testing::Values("builtin", "gpt2", "cl100k_base", "o200k_base"),
                         [](const auto& param_info) { return std::string(param_info.param); });

std::size_t viable(oracle::PlainChecker&& checker, std::string_view text) { return checker.push_all(text); }

TEST(PlainJson, StopsWhereNoContinuationExists) {
  const std::map<std::string, std::size_t> cases = {
      {"{\"a\": 1,}", 8}, {"[1,,2]", 3}, {"01", 1},   {"-x", 1},      {"1.e", 2},        {"nul1", 3}, {"\"\x01", 1},
      {"\"\\x", 2},       {"[}", 1},     {"{1", 1},   {"\"\xC3(", 2}, {"\"\xED\xA0", 2}, {"1 2", 2},  {" \n\t [ ] ", 8},
      {"\"\\u00g", 5},    {"]", 0},      {"[1]]", 3}, {"{\"a\"}", 4}, {"\"\xF4\x90", 2}, {"1e+", 3}};
  for (const auto& [text, prefix] : cases) EXPECT_EQ(viable(oracle::PlainJson(), text), prefix) << text;
}

TEST(PlainExpression, StopsWhereNoContinuationExists) {
  const std::map<std::string, std::size_t> cases = {{"1+*2", 2}, {"a = b = c", 6}, {"(a) = 1", 4}, {"f(,", 2},
                                                    {"f()(", 4}, {"1.a", 2},       {"12 3", 3},    {"a b", 2},
                                                    {"a;;", 2},  {"(a;", 2},       {"(1,", 2},     {"2e5.", 3}};
  for (const auto& [text, prefix] : cases) EXPECT_EQ(viable(oracle::PlainExpression(), text), prefix) << text;
}

}  // namespace
}  // namespace weir::e2e
