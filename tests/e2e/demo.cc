// The program of `make demo`: walks real and corrupted documents of two languages with masks and the embedded
// tokenizer, and prints a report. walk_test.cc makes the same walk with more tokenizers.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "e2e/documents.h"
#include "e2e/walk.h"
#include "oracle/plain_expression.h"
#include "oracle/plain_json.h"
#include "shared_data.h"
#include "weir/compiler.h"

namespace {

using weir::e2e::Document;

std::string shared(const std::string& path) { return (weir::tests::shared_data() / path).string(); }

std::string example(const std::string& name) { return weir::tests::repository() + "/examples/" + name; }

void append(std::vector<Document>& documents, std::vector<Document> more) {
  for (Document& document : more) documents.push_back(std::move(document));
}

// Returns true if there was no failure.
bool walk(const char* title, const std::string& grammar_file, const weir::oracle::PlainChecker& plain,
          const std::vector<Document>& documents, const weir::e2e::WalkOptions& options) {
  std::ifstream file(example(grammar_file), std::ios::binary);
  const std::string grammar{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto compiled = weir::GrammarCompiler(weir::TokenizerInfo::builtin()).compile_ebnf(grammar);
  if (!compiled) {
    std::fputs(render(compiled.error(), grammar, grammar_file).c_str(), stderr);
    return false;
  }
  const auto start = std::chrono::steady_clock::now();
  weir::e2e::Walker walker(*compiled, plain.clone(), options);
  for (const Document& document : documents) walker.walk(document.name, document.text);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const weir::e2e::WalkReport& report = walker.report();
  const auto n = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
  std::printf("%s (%s)\n", title, grammar_file.c_str());
  std::printf("  %llu documents, %llu bytes: every token in the mask before it, the stop token at the end\n",
              n(report.documents), n(report.bytes));
  std::printf("  %llu corrupted copies: %llu refused exactly where the plain parser stops, %llu still viable\n",
              n(report.corrupted), n(report.refused), n(report.still_viable));
  std::printf("  %llu masks; %llu of them compared in full, %llu verdicts on single tokens\n", n(report.masks),
              n(report.full_masks), n(report.tokens_checked));
  std::printf("  %llu disagreements, %.1f s\n\n", n(report.failure_count), seconds);
  for (const std::string& failure : report.failures) std::printf("  DISAGREEMENT: %s\n", failure.c_str());
  return report.failure_count == 0 && report.documents != 0;
}

}  // namespace

int main() {
  using namespace weir::e2e;
  const std::string suite = shared("json-schema-test-suite/tests");
  std::vector<Document> json = files_in(example("documents"), ".json");
  append(json, files_in(suite, ".json", 3));
  append(json, maskbench_instances(shared("maskbench-dev.jsonl.xz"), 20));
  std::vector<Document> expressions = files_in(example("documents"), ".expr");
  append(expressions, random_expressions(300, 2024));
  WalkOptions options;
  options.corruptions = 20;
  options.full_masks = 0.002;
  const bool json_ok = walk("JSON", "json.ebnf", weir::oracle::PlainJson(), json, options);
  const bool expressions_ok =
      walk("Expressions", "expression.ebnf", weir::oracle::PlainExpression(), expressions, options);
  return json_ok && expressions_ok ? 0 : 1;
}
