#include "tool_input.h"

#include "inputs.h"
#include "limit_option.h"

namespace weir::cli {

std::string choice_json(const std::string& choice) {
  return choice.find_first_of("{\"") == std::string::npos ? "\"" + choice + "\"" : choice;
}

InputError tools_error(const Error& error, const std::string& text, const std::string& path,
                       const std::string& format_path) {
  if (error.options == "response_format" && !error.text.empty()) {
    Error in_file = error;
    in_file.text.clear();
    return text_error(in_file, error.text, format_path.empty() ? "<response_format>" : format_path);
  }
  const bool is_in_tools = error.options.empty() || error.where != SourceRange{};
  if (!is_in_tools) return option_error(error);
  return text_error(error, text, path.empty() ? "<tools>" : path == "-" ? "<stdin>" : path);
}

}  // namespace weir::cli
