// The styles in which models write the arguments of a call one by one, between tags.
#ifndef WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENTS_H_
#define WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/json_schema/source/json_value.h"

namespace weir::frontend::structural_tag {

struct ArgumentStyle {
  std::string_view before_key = {};
  std::string_view behind_key = {};
  std::string_view end = {};
  /// Behind a key that a string follows, where that makes a difference; then `behind_key` is for all other values.
  std::string_view behind_key_of_string = {};
  bool on_lines = false;           ///< A line end may stand before and behind a string.
  std::string_view to_value = {};  ///< Behind `behind_key` and, it may be, blanks.
  /// Not empty: the JSON type of the value stands behind `behind_key`, and this behind the type. `&` and `"` in keys
  /// are then `&amp;` and `&quot;`.
  std::string_view behind_type = {};
  /// How objects and lists are written that stand in values; other than kJson nothing else here is of meaning.
  enum class Nesting : std::uint8_t {
    kJson,
    kTags,      ///< As tags within tags: nested_arguments.cc.
    kBrackets,  ///< In brackets, with bare keys: bracket_arguments.cc.
  };
  Nesting nesting = Nesting::kJson;
};

/// What references to a part of the arguments' schema begin with: before `#` and the way to it.
inline constexpr std::string_view kArgumentsDocument = "urn:weir:arguments";

/// A JSON Pointer as a URI's fragment: everything but letters, digits and slashes as %XX (RFC 3986, section 2.1).
std::string as_fragment(std::string_view pointer);

/// The way to the property `key` of an object's schema, as a part of a URI's fragment.
std::string fragment_of(std::string_view key);

/// Whether the schema's own `type`, if it has one, has this among others.
bool may_be(const json_schema::JsonValue& schema, std::string_view type);

/// The schema of all arguments where the references in it lead to its parts; else null.
const json_schema::JsonValue* reference_root(const json_schema::JsonValue& schema);

/// The style of this name.
std::optional<ArgumentStyle> argument_style(std::string_view name);

}  // namespace weir::frontend::structural_tag

#endif  // WEIR_SRC_FRONTEND_STRUCTURAL_TAG_ARGUMENTS_H_
