// Options of JSON Schemas, and functions that read JSON in lines of a cases file.
#ifndef WEIR_APPS_SUPPORT_SCHEMA_INPUT_H_
#define WEIR_APPS_SUPPORT_SCHEMA_INPUT_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/json_schema.h"

namespace CLI {
class App;
class Option_group;
}  // namespace CLI

namespace weir::cli {

/// The options as given on the command line; schema_options() reads the files of documents.
struct SchemaInput {
  JsonSchemaOptions options;
  std::vector<std::string> documents;  ///< URI=FILE
  std::string profile = "exact";       ///< weir::schema_profile
  CLI::Option_group* group = nullptr;
};
void add_schema_options(CLI::App& app, SchemaInput& input);
/// Throws InputError.
JsonSchemaOptions schema_options(const SchemaInput& input);

/// Returns the unchanged text of a member's value in a JSON object, so that numbers keep their digits; nullopt if there
/// is no such member.
/// Precondition: `object` is well-formed.
std::optional<std::string_view> member_text(std::string_view object, std::string_view key);
/// Returns the unchanged texts of an array's elements.
std::vector<std::string_view> element_texts(std::string_view array);

/// Returns the text that Python's json.dumps(value, ensure_ascii=False) writes for the value of a JSON text.
/// Precondition: `json` is well-formed.
std::string python_text(std::string_view json);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_SCHEMA_INPUT_H_
