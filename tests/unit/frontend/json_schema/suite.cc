#include "unit/frontend/json_schema/suite.h"

#include <fstream>
#include <sstream>

#include "shared_data.h"

namespace weir::frontend::json_schema {

std::optional<std::filesystem::path> suite_directory() {
  const std::filesystem::path suite = tests::shared_data() / "json-schema-test-suite";
  return std::filesystem::is_directory(suite) ? std::optional(suite) : std::nullopt;
}

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::stringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

std::optional<SuiteFile> read_suite_file(std::string_view dialect_directory, std::string_view name) {
  const auto suite = suite_directory();
  if (!suite) return std::nullopt;
  const auto text = read_file(*suite / "tests" / dialect_directory / (std::string(name) + ".json"));
  if (!text) return std::nullopt;
  Result<JsonDocument> document = JsonDocument::parse(*text, Limits{});
  if (!document) return std::nullopt;
  SuiteFile file{std::move(*document), {}};
  for (const JsonValue& group : file.document.root().items()) {
    const SourceRange schema = group.find("schema")->where();
    SuiteGroup read{std::string(group.find("description")->string()),
                    file.document.text().substr(schema.start, schema.end - schema.start),
                    {}};
    for (const JsonValue& test : group.find("tests")->items()) {
      read.tests.push_back(
          {std::string(test.find("description")->string()), test.find("data"), test.find("valid")->boolean()});
    }
    file.groups.push_back(std::move(read));
  }
  return file;
}

SchemaRegistry suite_registry() {
  SchemaRegistry registry;
  const auto suite = suite_directory();
  if (!suite) return registry;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*suite / "remotes")) {
    if (entry.path().extension() != ".json") continue;
    const std::string uri =
        "http://localhost:1234/" + entry.path().lexically_relative(*suite / "remotes").generic_string();
    // Schemas of drafts that weir does not support are ignored; no test refers to them.
    static_cast<void>(registry.add(uri, read_file(entry.path()).value_or(""), Limits{}));
  }
  return registry;
}

}  // namespace weir::frontend::json_schema
