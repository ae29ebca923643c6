// How models write tool calls: the texts around names and arguments, from the models' chat templates (docs/tools.md).
#ifndef WEIR_SRC_FRONTEND_TOOLS_TOOL_STYLES_H_
#define WEIR_SRC_FRONTEND_TOOLS_TOOL_STYLES_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "frontend/structural_tag/arguments.h"
#include "frontend/tools/style_text.h"

namespace weir::frontend::tools {

/// How the name of a function is written.
enum class NameForm : std::uint8_t {
  kJson,       ///< Within quotes, with JSON's escapes, as templates write them.
  kAttribute,  ///< `&` and `"` are `&amp;` and `&quot;`.
  kEscaped,    ///< Likewise; `<` and `>` are `&lt;` and `&gt;`, too.
  kPlain,      ///< As it is. A name with a control character, or one of ToolStyle::name_ends, cannot be written.
};

/// Characters that no name of a function of Python has.
inline constexpr std::string_view kNoNameOfPython = " !\"#$%&'()*+,/:;<=>?@[\\]^`{|}~";

/// A style gives the tag that constrains an output (tools.cc) and the reader of a reply (src/replies/form.h).
/// All texts but `name_ends` and those around reasoning and answers are in the notation of style_text.h.
struct ToolStyle {
  std::string_view name;
  /// A call is `before_name`, the name, `after_name`, the arguments, `end`.
  std::string_view before_name;
  std::string_view after_name;
  std::string_view end;
  /// The beginning of a call, which never occurs in an answer. If calls are in a section, the beginning of the section.
  std::string_view trigger;
  NameForm name_form = NameForm::kJson;
  std::string_view name_ends = {};           ///< With kPlain: characters that a reader may take for the name's end.
  std::string_view section_end = {};         ///< If not empty, calls are in a section that ends with this text.
  std::string_view separator = kBlank;       ///< Between calls.
  std::string_view arguments = "json";       ///< The style of the arguments (structural_tag/arguments.h).
  std::string_view id_pattern = {};          ///< A regular expression for a number, then `after_id`.
  std::string_view after_id = {};            ///< Precedes the name.
  std::string_view after_name_pattern = {};  ///< A regular expression between the name and `after_name`.
  std::string_view after_arguments_pattern = {};  ///< A regular expression between the arguments and `end`.
  std::string_view think_begin = "<think>";       ///< Around reasoning; empty if the model has none.
  std::string_view think_label = {};              ///< Follows `think_begin`; a reader can do without it.
  std::string_view think_end = "</think>";
  bool is_single = false;  ///< At most one call in an output.
  /// If not empty, these enclose the answer. Calls replace the answer or, if `message_end` is set, follow it.
  std::string_view answer_begin = {};
  std::string_view answer_end = {};
  /// If not empty, ends a message. Every message then has an answer; without reasoning, the prompt contains its
  /// beginning.
  std::string_view message_end = {};
  /// If not empty, begins each message but the first, whose beginning the prompt contains. A message is a reasoning, an
  /// answer or a call. The name of the called function may stand between this text and the call.
  std::string_view message_begin = {};
  /// A text that a call may begin with instead of the first text of `before_name`. Precondition: blanks or an id follow
  /// that one.
  std::string_view other_open = {};
  /// Calls are in a list without a tag before it. The trigger is the list's bracket and what precedes the first name. It
  /// begins a call only if the name of a tool follows; without one it may stand in an answer.
  bool name_is_of_trigger = false;
  std::string_view other_trigger = {};  ///< Another text before a call; before a section, readers alone know it.
  bool takes_json = false;  ///< A call may be a JSON object with name and arguments, too, if the prompt asks for it.
  bool takes_json_arguments = false;  ///< Arguments may be a JSON object, too.
  std::string_view empty_call = {};   ///< In the place of all that follows the name of a call without arguments.
  // For readers alone.
  std::string_view other_section_end = {};  ///< Ends a section that `other_trigger` began.
  bool guesses_types = false;               ///< In a call of an unknown tool a value is JSON if it may be.
  bool has_calls_in_reasoning = false;      ///< A call in reasoning is part of it; else it ends the reasoning.
  std::string_view name_prefix = {};        ///< The end of `before_name`, which may be missing.
  std::string_view bare = {};               ///< Begins a call whose wrapper, the text before it, is missing.
  bool has_glued_names = false;  ///< The blank before the first attribute of a tag may be missing or another character.
  std::string_view raw_begin = {};  ///< Around a value, or its beginning: between these texts no tag ends the value.
  std::string_view raw_end = {};
  std::string_view id_mark = {};                 ///< Between a name and its id.
  std::string_view again = {};                   ///< Begins another call in the wrapper of the one before.
  std::array<std::string_view, 4> ignored = {};  ///< Special tokens that say nothing.
  std::string_view note_begin = {};  ///< Markup within text: this text, and `note_end` with what follows up to `>`.
  std::string_view note_end = {};
  std::string_view other_answer_begin = {};
  std::string_view other_answer_end = {};
  // For styles that a response template describes (response_template.h).
  const structural_tag::ArgumentStyle* own_arguments = nullptr;  ///< What `arguments`, an object in JSON, says.
  std::string_view name_pattern = {};  ///< A regular expression of Python for the names of functions. Empty: any.
  std::string_view key_pattern = {};   ///< Likewise, for the keys of arguments.
  bool text_is_first = false;          ///< No text follows a call.
  std::string_view name_key = {};      ///< For a call that is a JSON object.
  std::string_view arguments_key = {};
  std::span<const std::string_view> stops = {};  ///< Texts that may end a reply.
};

/// Returns the form of arguments of the style; nullopt if they are JSON.
std::optional<structural_tag::ArgumentStyle> arguments_of(const ToolStyle& style);

/// In the order of the documentation. Harmony is not included, because it works differently.
std::span<const ToolStyle> tool_styles();

}  // namespace weir::frontend::tools

#endif  // WEIR_SRC_FRONTEND_TOOLS_TOOL_STYLES_H_
