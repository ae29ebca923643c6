// How models write calls: the texts around names and arguments, from the models' own chat templates (docs/tools.md).
#ifndef WEIR_SRC_FRONTEND_TOOLS_TOOL_STYLES_H_
#define WEIR_SRC_FRONTEND_TOOLS_TOOL_STYLES_H_

#include <span>
#include <string_view>

namespace weir::frontend::tools {

struct ToolStyle {
  std::string_view name;
  /// A call is `before_name`, the name, `behind_name`, its arguments, `end`.
  std::string_view before_name;
  std::string_view behind_name;
  std::string_view end;
  /// What a call begins with, and no answer does. Where calls stand in a section it is the section's begin.
  std::string_view trigger;
  std::string_view section_end = {};          ///< Not empty: calls stand in a section, one behind the other.
  std::string_view separator = {};            ///< Between calls.
  std::string_view arguments = "json";        ///< The style of the arguments (structural_tag/arguments.h).
  std::string_view id_pattern = {};           ///< A regular expression between `before_name` and `behind_id`: a number.
  std::string_view behind_id = {};            ///< Before the name.
  std::string_view behind_name_pattern = {};  ///< A regular expression between the name and `behind_name`: a number.
  std::string_view behind_arguments_pattern = {};  ///< One between the arguments and `end`.
  std::string_view think_begin = "<think>";        ///< Around reasoning; empty: the model has none.
  std::string_view think_end = "</think>";
  bool is_single = false;  ///< One call an output.
  /// Not empty: the answer stands between these; without calls beside it, or before them where messages have an end.
  std::string_view answer_begin = {};
  std::string_view answer_end = {};
  /// Not empty: what ends a message. The answer is always there, and without reasoning the prompt has begun it.
  std::string_view message_end = {};
};

/// In the order of the documentation; Harmony, which is of another kind, is not among them.
std::span<const ToolStyle> tool_styles();

}  // namespace weir::frontend::tools

#endif  // WEIR_SRC_FRONTEND_TOOLS_TOOL_STYLES_H_
