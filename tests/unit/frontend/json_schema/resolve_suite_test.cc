// Tests the resolution of references with the official suite and a small validator in place of the algebra.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "unit/frontend/json_schema/mini_validator.h"
#include "unit/frontend/json_schema/suite.h"

namespace weir::frontend::json_schema {
namespace {

struct Tally {
  std::size_t tests = 0;
  std::vector<std::string> wrong;
};

void run_file(const SuiteDialect& dialect, std::string_view name, const SchemaRegistry& registry, Tally& tally) {
  const auto file = read_suite_file(dialect.directory, name);
  if (!file) return;
  for (const SuiteGroup& group : file->groups) {
    SchemaStore store(registry, Limits{});
    const Result<SchemaId> root = store.load(group.schema, {"", dialect.dialect});
    for (const SuiteTest& test : group.tests) {
      ++tally.tests;
      const std::string label =
          std::string(dialect.directory) + "/" + std::string(name) + ": " + group.description + ": " + test.description;
      if (!root) {
        tally.wrong.push_back(label + ": " + root.error().message);
        continue;
      }
      MiniValidator validator(store);
      const bool valid = validator.is_valid(*root, *test.data);
      if (valid != test.valid || !validator.error().empty()) tally.wrong.push_back(label + ": " + validator.error());
    }
  }
}

TEST(ResolveSuite, ReferencesAndIdentifiersOfAllDialects) {
  if (!suite_directory()) GTEST_SKIP() << "json-schema-test-suite is not there; WEIR_SHARED_DATA names its directory";
  SchemaRegistry registry = suite_registry();
  Tally tally;
  for (const SuiteDialect& dialect : kSuiteDialects) {
    for (const char* name : {"ref",
                             "refRemote",
                             "id",
                             "anchor",
                             "dynamicRef",
                             "recursiveRef",
                             "vocabulary",
                             "defs",
                             "definitions",
                             "unknownKeyword",
                             "infinite-loop-detection",
                             "unevaluatedProperties",
                             "unevaluatedItems",
                             "optional/id",
                             "optional/anchor",
                             "optional/cross-draft",
                             "optional/refOfUnknownKeyword",
                             "optional/unknownKeyword",
                             "optional/dynamicRef",
                             "optional/no-schema",
                             "optional/dependencies-compatibility"}) {
      run_file(dialect, name, registry, tally);
    }
  }
  for (const std::string& wrong : tally.wrong) ADD_FAILURE() << wrong;
  EXPECT_GT(tally.tests, 800U);
  RecordProperty("tests", static_cast<int>(tally.tests));
}

// These files are not about references, but they look up each keyword of each dialect through the store.
TEST(ResolveSuite, KeywordsOfAllDialects) {
  if (!suite_directory()) GTEST_SKIP() << "json-schema-test-suite is not there; WEIR_SHARED_DATA names its directory";
  const SchemaRegistry registry = suite_registry();
  Tally tally;
  for (const SuiteDialect& dialect : kSuiteDialects) {
    for (const char* name : {"additionalItems",
                             "additionalProperties",
                             "allOf",
                             "anyOf",
                             "boolean_schema",
                             "const",
                             "contains",
                             "content",
                             "default",
                             "dependencies",
                             "dependentRequired",
                             "dependentSchemas",
                             "enum",
                             "exclusiveMaximum",
                             "exclusiveMinimum",
                             "if-then-else",
                             "items",
                             "maxContains",
                             "maxItems",
                             "maxLength",
                             "maxProperties",
                             "maximum",
                             "minContains",
                             "minItems",
                             "minLength",
                             "minProperties",
                             "minimum",
                             "multipleOf",
                             "not",
                             "oneOf",
                             "pattern",
                             "patternProperties",
                             "prefixItems",
                             "properties",
                             "propertyNames",
                             "required",
                             "type",
                             "uniqueItems",
                             "optional/bignum",
                             "optional/float-overflow"}) {
      run_file(dialect, name, registry, tally);
    }
  }
  for (const std::string& wrong : tally.wrong) ADD_FAILURE() << wrong;
  EXPECT_GT(tally.tests, 3000U);
}

}  // namespace
}  // namespace weir::frontend::json_schema
