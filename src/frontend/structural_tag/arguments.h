// The styles in which models write the arguments of a call one by one, between tags.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENTS_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json_value.h"

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
    kTypedTags,  ///< As tags within tags, which state the key and the kind: nested_arguments.cc.
    kNamedTags,  ///< As tags within tags, which are named by the key: nested_arguments.cc.
    kBrackets,   ///< In brackets, with bare keys: bracket_arguments.cc.
  };
  Nesting nesting = Nesting::kJson;
};

/// The URI of the arguments' schema; references to its parts add `#` and a fragment.
inline constexpr std::string_view kArgumentsDocument = "urn:weir:arguments";

/// The URI of the schema that is valid for values without excluded strings.
inline constexpr std::string_view kExclusionDocument = "urn:weir:excludes";

/// A pattern, as a JSON string, for the keys of arguments that `properties` does not list: no ASCII control
/// characters and blanks, no quotes, `&`, `<` and `>`, so that no key is taken for another part of the tag.
inline constexpr std::string_view kWritableKeys = R"("^[^\\u0000-\\u0020\\u007f\"&<>]+$")";

/// Returns the text as a JSON string, with its quotes. A surrogate by itself, which base/json/json_value.h keeps in three
/// bytes, is written as \uXXXX.
std::string json_string(std::string_view text);

/// Returns the text of a schema for the values that are valid under all schemas with these URIs, at least one.
std::string all_of(const std::vector<std::string>& references);

/// Returns a JSON Pointer as the fragment of a URI: all characters but letters, digits and slashes become %XX (RFC
/// 3986, section 2.1).
std::string as_fragment(std::string_view pointer);

/// Returns true if the schema has no `type` of its own, or `type` includes this type.
bool may_be(const base::JsonValue& schema, std::string_view type);

/// Returns the schema of all arguments if references within it lead to its parts; else null.
const base::JsonValue* reference_root(const base::JsonValue& schema);

/// Returns the style with this name, if there is one.
std::optional<ArgumentStyle> argument_style(std::string_view name);
/// Returns the names of all styles, each after a comma.
std::string argument_style_names();

}  // namespace weir::frontend::structural_tag

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENTS_H_
