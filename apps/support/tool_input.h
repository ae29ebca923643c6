// What commands about tools share: the choice of a tool, and errors of tools and of their options.
#ifndef WEIR_APPS_SUPPORT_TOOL_INPUT_H_
#define WEIR_APPS_SUPPORT_TOOL_INPUT_H_

#include <string>

#include "command.h"
#include "weir/error.h"

namespace weir::cli {

/// Returns a choice as JSON: adds quotes to a single word, as users may write it.
std::string choice_json(const std::string& choice);

/// Returns an error of the tools or of the response format, which is shown in its text, or of an option, which it names.
/// `path` and `format_path` are the files of the tools and of the response format; empty if there is none.
InputError tools_error(const Error& error, const std::string& text, const std::string& path,
                       const std::string& format_path);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_TOOL_INPUT_H_
