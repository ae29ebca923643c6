// What commands about tools share: their options, and errors of tools and of their options.
#ifndef WEIR_APPS_SUPPORT_TOOL_INPUT_H_
#define WEIR_APPS_SUPPORT_TOOL_INPUT_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command.h"
#include "weir/error.h"
#include "weir/tools.h"

namespace weir::cli {

/// Adds the options of a struct ToolOptions, from their description in its header, which the parse sets; `options` must
/// outlive it. --response-format is left out: commands that read grammars have it. Returns the options.
std::vector<const CLI::Option*> add_tool_options(CLI::App& app, ToolOptions& options);

/// Adds --style, which the parse sets; `style` must outlive it.
CLI::Option* add_style_option(CLI::App& app, std::string& style);

/// Returns the name of a style, or the text of a response template: what was given, or what is in the file of that name.
std::string style_text(const std::string& given);

/// Returns a choice as JSON: adds quotes to a single word, as users may write it.
std::string choice_json(const std::string& choice);

/// Returns a response format: what was given, if it is JSON, else what is in the file of that name, which becomes `path`.
std::string response_format_text(const std::string& given, std::string& path);

/// Returns an error of the tools or of the response format, which is shown in its text, or of an option, which it names.
/// `path` and `format_path` are the files of the tools and of the response format; empty if there is none.
InputError tools_error(const Error& error, const std::string& text, const std::string& path,
                       const std::string& format_path);

}  // namespace weir::cli

#endif  // WEIR_APPS_SUPPORT_TOOL_INPUT_H_
