// The styles in which models write the arguments of a call one by one, between tags.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENTS_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_value.h"
#include "grammar/ir.h"

namespace weir::frontend::structural_tag {

struct ArgumentStyle {
  std::string_view before_key = {};
  std::string_view after_key = {};
  std::string_view end = {};
  /// If not empty: follows a key whose value is a string; `after_key` then follows the keys of all other values.
  std::string_view after_string_key = {};
  bool on_lines = false;           ///< A line end may precede and follow a string.
  std::string_view to_value = {};  ///< Follows `after_key`, possibly after blanks.
  /// If not empty: the JSON type of the value follows `after_key`, and this text follows the type. `&` and `"` in keys
  /// are then written `&amp;` and `&quot;`.
  std::string_view after_type = {};
  /// How objects and lists within values are written. If not kJson, the other members have no meaning.
  enum class Nesting : std::uint8_t {
    kJson,
    kTypedTags,  ///< As tags within tags, which state the key and the kind, as Cohere's Command writes them.
    kNamedTags,  ///< As tags within tags, which are named by the key, as MiniMax-M3 writes them.
    kBrackets,   ///< In brackets, with bare keys and without blanks, as Gemma 4 writes them.
    kPython,     ///< As the arguments of a call in Python: `key=value`, and literals.
  };
  Nesting nesting = Nesting::kJson;
  std::string_view quote = {};  ///< Around strings of Nesting::kBrackets.
  /// What may stand between arguments.
  enum class Blanks : std::uint8_t { kAny, kLineEnd, kNone };
  Blanks blanks = Blanks::kAny;
  /// In brackets all strings have marks, in Python a backslash in a string begins one of JSON's escapes, and between tags
  /// no blanks precede `to_value`.
  bool is_strict = false;
};

/// Begins every tag of Nesting::kNamedTags. No string contains it.
inline constexpr std::string_view kNamedTagMark = "]<]minimax[>[";
/// The name of these tags of a list's items.
inline constexpr std::string_view kItemTag = "item";
/// Ends every value of Nesting::kTypedTags. No string contains it.
inline constexpr std::string_view kTypedTagEnd = "</cofl:value>";

/// The URI of the arguments' schema; references to its parts add `#` and a fragment.
inline constexpr std::string_view kArgumentsDocument = "urn:weir:arguments";

/// The URI of the schema that is valid for values without excluded strings.
inline constexpr std::string_view kExclusionDocument = "urn:weir:excludes";

/// Returns the text of a schema for the values that are valid under all schemas with these URIs, at least one.
std::string all_of(const std::vector<std::string>& references);

/// Returns a node for up to a few blanks, which models write between parts.
grammar::NodeId add_blanks(grammar::Grammar& grammar, SourceRange where,
                           ArgumentStyle::Blanks which = ArgumentStyle::Blanks::kAny);

/// Returns the style with this name, if there is one.
std::optional<ArgumentStyle> argument_style(std::string_view name);
/// Returns the names of all styles, each after a comma.
std::string argument_style_names();
/// Returns the style as the JSON object that the member `style` of a format takes: the name of the style that it is like,
/// unless empty, and what is different. Precondition: the object can say all of that.
std::string to_json(const ArgumentStyle& style, std::string_view like);

}  // namespace weir::frontend::structural_tag

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENTS_H_
