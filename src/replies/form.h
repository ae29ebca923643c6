// Form: what the reader needs of a style's entry (frontend/tools/tool_styles.h), taken apart.
#ifndef WEIR_SRC_REPLIES_FORM_H_
#define WEIR_SRC_REPLIES_FORM_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir::frontend::tools {
struct ToolStyle;
}

namespace weir::replies {

/// A tag whose parts are attributes: `begin`, then `KEY="VALUE"` any number of times, then `end`.
struct AttributeTag {
  std::string begin = {};
  std::string end = {};
  std::string name_key = {};  ///< The attribute that is the name; empty if the tag has no attributes.
};

struct Form {
  enum class Call : std::uint8_t {
    kObject,   ///< A JSON object with the name and the arguments.
    kNamed,    ///< The name, then the arguments.
    kMessage,  ///< Harmony: the name is in the header of a message.
  };
  enum class Arguments : std::uint8_t {
    kJson,
    kTags,       ///< Each argument between tags.
    kTypedTags,  ///< Likewise, and so are objects and lists (Cohere).
    kNamedTags,  ///< Likewise, in tags that the key names (MiniMax-M3).
    kBrackets,   ///< Gemma's brackets.
    kPython,     ///< `key=value`, and literals of Python.
  };

  Call call = Call::kNamed;
  std::vector<std::string> sections = {};        ///< Texts that begin a section with calls.
  std::vector<std::string> other_sections = {};  ///< Likewise, of which the tag knows nothing.
  /// In the strict mode, of styles whose calls or sections begin with a bare bracket (is_bare_list, needs_arguments): what
  /// begins one. These texts the tag keeps out of an answer, which may have such brackets.
  std::vector<std::string> triggers = {};
  std::string section_end = {};
  bool is_list = false;                      ///< A section is a JSON list.
  std::vector<std::string> open = {};        ///< The texts before a call's name or object, blanks between them.
  AttributeTag name_tag = {};                ///< The tag with the name, if it is an attribute.
  std::string name_prefix = {};              ///< May precede the name, of which it is no part.
  std::string id_mark = {};                  ///< Between a name and its id.
  std::string name_ends = {};                ///< Characters that end a name.
  std::vector<std::string> after_name = {};  ///< A reader can do without all but the first.
  std::vector<std::string> end = {};         ///< A reader can do without any.
  std::string bare = {};                     ///< ToolStyle::bare
  std::string glued = {};                    ///< The beginning of `name_tag` without its last blank.
  std::string other_open = {};               ///< In the place of the first of `open`.
  /// A section begins with `[` alone, which is text unless the name of a function follows.
  bool is_bare_list = false;
  std::string again = {};
  std::string name_key = {};  ///< For an object, beside the usual ones.
  std::string arguments_key = {};
  bool needs_arguments = false;  ///< An object is a call only if it has arguments, and no other members.

  Arguments arguments = Arguments::kJson;
  std::string before_key = {};
  AttributeTag key_tag = {};
  std::string after_key = {};
  std::string to_value = {};
  std::string end_value = {};
  std::string raw_begin = {};  ///< ToolStyle::raw_begin
  std::string raw_end = {};
  bool on_lines = false;
  std::string quote = {};     ///< Around strings in brackets.
  bool decodes_keys = false;  ///< `&amp;` in names and keys is `&`.

  bool guesses_types = false;           ///< ToolStyle::guesses_types
  bool has_calls_in_reasoning = false;  ///< ToolStyle::has_calls_in_reasoning
  std::string think_begin = {};
  std::string think_label = {};
  std::string think_end = {};
  std::vector<std::string> answer_tags = {};      ///< Around answers and messages.
  std::string message_begin = {};                 ///< ToolStyle::message_begin
  std::vector<std::string> message_borders = {};  ///< If there is one: that text, and those that end messages.
  std::string note_begin = {};                    ///< ToolStyle::note_begin
  std::string note_end = {};
  std::vector<std::string> ignored = {};  ///< Special tokens that say nothing.
  std::vector<std::string> stops = {};    ///< Special tokens that may end a reply.
};

/// Returns the form of a style, null for harmony. `names` are those of the tools.
Form form_of(const frontend::tools::ToolStyle* style, bool is_strict, std::span<const std::string_view> names);

/// Returns the text with `&amp;`, `&quot;`, `&lt;` and `&gt;` replaced.
std::string decoded_attribute(std::string_view text);

}  // namespace weir::replies

#endif  // WEIR_SRC_REPLIES_FORM_H_
