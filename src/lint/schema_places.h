// Which subschemas speak of the place in a JSON text where it breaks off.
//
// WHAT   A text that a schema's grammar allows as a beginning stands within values: a string in an object in an array.
//        For each of them, the innermost first, the subschemas that speak of it: by `properties`, `items` and their
//        like, and in place by `$ref`, `allOf`, `anyOf` and theirs.
// WHY    A grammar's rules are sets of values, of which nobody knows from where in the schema they come: several
//        subschemas make one set, and one stands in many. So where a text is refused the schema is read again.
// WHICH  By the schema alone: of alternatives all are listed, also those that the text before has excluded; `not` and
//        `if` are not.
// COST   The schemas in place on the way. Asked for by people, so nothing is kept.
// THREADS A function of its arguments alone.
#ifndef WEIR_SRC_LINT_SCHEMA_PLACES_H_
#define WEIR_SRC_LINT_SCHEMA_PLACES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/json_schema.h"
#include "weir/limits.h"

namespace weir::frontend::json_schema {

struct SchemaOfPlace {
  std::string location;    ///< "#/properties/age"; of another document "https://example.com/x#/a".
  std::string types;       ///< "integer", "string or null"; empty where `type` says nothing.
  SourceRange where = {};  ///< Into the schema's text; empty where it is another document.
  struct Assertion {
    std::string keyword;
    SourceRange key = {};  ///< With its quotes.
    SourceRange value = {};
    enum class Role : std::uint8_t {
      kOwn,        ///< It says something itself.
      kInPlace,    ///< Of the value what other schemas say, which are listed: `$ref`, `allOf`, `anyOf`, `then`.
      kBelow,      ///< Of members or items.
      kOfTheRest,  ///< Of those that other keywords leave: `additionalProperties`, `items` behind `prefixItems`.
    };
    Role role = Role::kOwn;
  };
  std::vector<Assertion> assertions = {};  ///< What it says of the value; none for another document.
};

struct PlaceInText {
  std::string pointer;  ///< Of the value in the text, as RFC 6901 has it: "/tags/0"; "" is the whole text.
  std::vector<SchemaOfPlace> schemas = {};
};

/// `read`: a beginning of a text that the schema allows. `next`: what comes behind it, which may be refused: a bracket
/// that ends an object is about the object. Errors: those of reading the schema.
Result<std::vector<PlaceInText>> places_in_text(std::string_view schema, const JsonSchemaOptions& options,
                                                const Limits& limits, std::string_view read, char next);

}  // namespace weir::frontend::json_schema

#endif  // WEIR_SRC_LINT_SCHEMA_PLACES_H_
