// The command-line options for JSON Schemas, and functions that read the JSON of a line of a case file.
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

/// The options as given on the command line. The files of `documents` are not read yet: schema_options() does that.
struct SchemaInput {
  JsonSchemaOptions options;
  std::vector<std::string> documents;  ///< URI=FILE
  std::string profile = "exact";       ///< A name that weir::schema_profile() knows.
  CLI::Option_group* group = nullptr;
};
void add_schema_options(CLI::App& app, SchemaInput& input);
/// Returns the options with the documents, which it reads. Throws InputError if an option is invalid or a file cannot
/// be read.
JsonSchemaOptions schema_options(const SchemaInput& input);

/// Returns the unchanged text of a member's value in a JSON object, so that numbers keep their digits; nullopt if there
/// is no such member.
/// Precondition: `object` is well-formed.
std::optional<std::string_view> member_text(std::string_view object, std::string_view key);
/// Returns the unchanged texts of an array's elements. Precondition: `array` is well-formed.
std::vector<std::string_view> element_texts(std::string_view array);

/// Returns the text that Python's json.dumps(value, ensure_ascii=False) writes for the value of a JSON text.
/// Precondition: `json` is well-formed.
std::string python_text(std::string_view json);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_SCHEMA_INPUT_H_
