// The official JSON Schema test suite, if json-schema-test-suite/ exists in the shared data (shared_data.h).
#ifndef WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_SUITE_H_
#define WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_SUITE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/json_schema/source/schema_store.h"

namespace weir::frontend::json_schema {

struct SuiteDialect {
  std::string_view directory;
  Dialect dialect;
};
inline constexpr SuiteDialect kSuiteDialects[] = {{"draft4", Dialect::kDraft4},
                                                  {"draft6", Dialect::kDraft6},
                                                  {"draft7", Dialect::kDraft7},
                                                  {"draft2019-09", Dialect::k2019_09},
                                                  {"draft2020-12", Dialect::k2020_12}};

/// Returns the suite's directory, or nullopt if it does not exist.
std::optional<std::filesystem::path> suite_directory();

/// Returns a file's text, or nullopt if there is no such file.
std::optional<std::string> read_file(const std::filesystem::path& path);

struct SuiteTest {
  std::string description;
  const JsonValue* data;
  bool valid;
};
struct SuiteGroup {
  std::string description;
  std::string_view schema;  ///< Its text.
  std::vector<SuiteTest> tests;
};
/// One file of tests. Values and views refer to `document`.
struct SuiteFile {
  JsonDocument document;
  std::vector<SuiteGroup> groups;
};
/// Reads the file `name`, for example "optional/id". Returns nullopt if the dialect has no such file.
std::optional<SuiteFile> read_suite_file(std::string_view dialect_directory, std::string_view name);

/// Returns the suite's remote schemas by the URIs that its tests use.
SchemaRegistry suite_registry();

}  // namespace weir::frontend::json_schema

#endif  // WEIR_TESTS_UNIT_FRONTEND_JSON_SCHEMA_SUITE_H_
