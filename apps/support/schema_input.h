// JSON schemas as the command takes them: their options, and the JSON that lines of a cases file hold.
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

/// The options of the front end, as given; files of documents are read by schema_options().
struct SchemaInput {
  JsonSchemaOptions options;
  std::vector<std::string> documents;  ///< URI=FILE
  CLI::Option_group* group = nullptr;
};
void add_schema_options(CLI::App& app, SchemaInput& input);
/// Throws InputError.
JsonSchemaOptions schema_options(const SchemaInput& input);

/// The text of a member of a JSON object, as it stands there; numbers keep their digits. Nullopt if there is none.
/// Precondition: `object` is well-formed.
std::optional<std::string_view> member_text(std::string_view object, std::string_view key);
/// The texts of an array's elements.
std::vector<std::string_view> element_texts(std::string_view array);

/// A JSON text as Python's json.dumps(value, ensure_ascii=False) writes its value. Precondition: `json` is well-formed.
std::string python_text(std::string_view json);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_SCHEMA_INPUT_H_
