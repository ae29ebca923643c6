// Finds the subschemas that apply at the end of an incomplete JSON text.
//
// WHAT   At its end, a prefix of a JSON text is inside nested values, such as a string in an object in an array. For
//        each of these values, the innermost first, places_in_text() lists the subschemas that apply to it: those of
//        `properties`, `items` and similar keywords, and those that they include by `$ref`, `allOf`, `anyOf` and the
//        like.
// WHY    To explain why a text is rejected. The rules of a grammar do not tell: they are made from sets of values, and
//        one set may come from several subschemas, and one subschema may be part of many sets. So the schema is read
//        again.
// WHICH  The schema alone decides. All alternatives are listed, even if the text so far has excluded some. `not` and
//        `if` are not listed.
// COST   Linear in the schemas on the path. Results are not memoised: the function is called only to explain a refusal.
// THREADS A pure function.
#ifndef WEIR_SRC_LINT_SCHEMA_PLACES_H_
#define WEIR_SRC_LINT_SCHEMA_PLACES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

struct SchemaOfPlace {
  std::string location;    ///< "#/properties/age"; in another document "https://example.com/x#/a".
  std::string types;       ///< "integer", "string or null"; empty without `type`.
  SourceRange where = {};  ///< Range in the schema's text; empty in another document.
  struct Assertion {
    std::string keyword;
    SourceRange key = {};  ///< Includes the quotes.
    SourceRange value = {};
    enum class Role : std::uint8_t {
      kOwn,        ///< The keyword restricts the value itself.
      kInPlace,    ///< It applies other schemas to the value, which are listed too: `allOf`, `anyOf`, `then`; or `if`.
      kReference,  ///< The same by a reference: `$ref`.
      kBelow,      ///< It applies schemas to members or items: `properties`, `prefixItems`.
      kRemaining,  ///< It applies a schema to all other members or items: `additionalProperties`, `items`.
    };
    Role role = Role::kOwn;
  };
  /// Its keywords that restrict values; empty in another document. A reference beside which other keywords are ignored is
  /// not one of them: without it they would count.
  std::vector<Assertion> assertions = {};
};

struct PlaceInText {
  std::string pointer;  ///< The value's JSON pointer (RFC 6901) in the text: "/tags/0"; "" is the whole text.
  bool is_open = true;  ///< It is an array or object that has begun.
  std::vector<SchemaOfPlace> schemas = {};
};

/// Returns the values that the end of `read` is in, the innermost first, with their subschemas. `read` is a prefix of a
/// JSON text that the schema allows. `next` is the byte after it, which may be rejected; '\0' if there is none. It
/// decides which value is meant: a closing bracket belongs to the container, not to a number before it. Errors: those
/// of reading the schema.
Result<std::vector<PlaceInText>> places_in_text(std::string_view schema, const JsonSchemaOptions& options,
                                                const Limits& limits, std::string_view read, char next);

/// What the functions of YamlReader (frontend/json_schema/rules/yaml_reader.h) say of a document in YAML: json_of(),
/// open_json_of() and earlier_key().
std::string json_of_yaml(std::string_view document);
std::string open_json_of_yaml(std::string_view beginning);
std::optional<SourceRange> earlier_key_in_yaml(std::string_view beginning);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_LINT_SCHEMA_PLACES_H_
