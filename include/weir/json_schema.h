// JsonSchemaOptions: options for turning a JSON Schema into a grammar of JSON texts, or of YAML. docs/json_schema.md is
// the reference.
//
//     weir::JsonSchemaOptions options;
//     options.whitespace = weir::JsonSchemaOptions::Whitespace::kCompact;
//     weir::Result<weir::Grammar> grammar = weir::Grammar::from_json_schema(schema, options);
#ifndef WEIR_JSON_SCHEMA_H_
#define WEIR_JSON_SCHEMA_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"
#include "weir/export.h"

namespace weir {

/// A document that `$ref` may refer to. The network is never used.
struct SchemaDocument {
  std::string uri;   ///< Absolute, without a fragment; or relative, for schemas without a base.
  std::string text;  ///< JSON.
  friend bool operator==(const SchemaDocument&, const SchemaDocument&) = default;
};

/// How a schema is read, and which texts of a value are in the language.
struct JsonSchemaOptions {
  /// The draft that applies to a schema without `$schema`.
  enum class Draft : std::uint8_t {
    k4,        ///< Draft 4.
    k6,        ///< Draft 6.
    k7,        ///< Draft 7.
    k2019_09,  ///< Draft 2019-09.
    k2020_12,  ///< Draft 2020-12.
  };
  Draft default_draft = Draft::k2020_12;
  /// What counts of keywords that a schema's draft says nothing about.
  enum class Reading : std::uint8_t {
    kSpecification,  ///< Nothing: `const` has no effect in draft 4, nor has `minLength` beside `$ref` up to draft 7.
    kPractice,       ///< Both count, as in most validators: keywords of later drafts, and siblings of `$ref`.
  };
  Reading reading = Reading::kSpecification;
  std::string base_uri = {};                   ///< The URI of the schema itself. May be empty.
  std::vector<SchemaDocument> documents = {};  ///< Documents that references may refer to.

  /// Whether `format` constrains strings.
  enum class Formats : std::uint8_t {
    kAssert,    ///< `format` is asserted, as far as docs/json_schema_formats.md says.
    kAnnotate,  ///< `format` has no effect, which is the default of the specification since 2019-09.
  };
  Formats formats = Formats::kAssert;
  /// What happens to a `format` that weir does not know.
  enum class UnknownFormats : std::uint8_t {
    kWarn,    ///< An unknown format has no effect and gives a warning.
    kRefuse,  ///< An unknown format is an error.
  };
  UnknownFormats unknown_formats = UnknownFormats::kWarn;
  /// What happens to a member of a schema that is a keyword of no draft, such as `minLenght`.
  enum class UnknownKeywords : std::uint8_t {
    kIgnore,  ///< It has no effect, as the specification says.
    kRefuse,  ///< It is an error, unless its name begins with `x-`.
  };
  UnknownKeywords unknown_keywords = UnknownKeywords::kIgnore;

  // The rest is about the texts of a value. Each valid value has a text, unless `numbers` or `number_digits` leaves it out.

  /// The language in which values are written.
  enum class Notation : std::uint8_t {
    kJson,  ///< JSON.
    kYaml,  ///< YAML 1.2, in texts that readers of YAML 1.1 read alike. `whitespace` and `escapes` have no effect.
  };
  Notation notation = Notation::kJson;

  /// Which blanks (space, tab, line ends) a text may have between its parts.
  enum class Whitespace : std::uint8_t {
    kBounded,    ///< Up to `whitespace_limit` blanks (space, tab, line ends) wherever JSON allows them.
    kNone,       ///< None: `{"a":[1,2]}`.
    kCompact,    ///< One space after each comma and colon: `{"a": [1, 2]}`.
    kIndented,   ///< Each item and member on a line of its own, `indent` spaces per level, as pretty printers write.
    kUnbounded,  ///< Any number of blanks wherever JSON allows them. A model may then write blanks forever.
    kPattern,    ///< Text that `whitespace_pattern` matches, wherever JSON allows blanks.
  };
  Whitespace whitespace = Whitespace::kBounded;
  std::uint32_t whitespace_limit = 40;  ///< With kBounded: the most blanks in one place.
  std::uint32_t indent = 2;             ///< With kIndented: the spaces of each level.
  /// With kPattern: a regular expression that matches nothing but blanks, in any number.
  std::string whitespace_pattern = {};
  bool leading_whitespace = false;   ///< True if blanks are also allowed before the value.
  bool trailing_whitespace = false;  ///< True if blanks are also allowed after the value.

  /// The order of an object's members.
  enum class Order : std::uint8_t {
    kAny,       ///< Members come in any order.
    kDeclared,  ///< The members that `properties` lists come in its order, all others after them.
  };
  Order order = Order::kAny;

  /// The spellings of a character that are allowed in a string.
  enum class Escapes : std::uint8_t {
    kAll,       ///< All spellings of RFC 8259: raw, `\n`, `\u00e9` with digits in either case.
    kShort,     ///< Raw, and short escapes such as `\n`; `\uXXXX` only for control characters without a short escape.
    kRequired,  ///< One spelling each: raw wherever that is allowed.
  };
  Escapes escapes = Escapes::kAll;
  bool lone_surrogates = false;  ///< True if a surrogate escape without its other half is allowed: `"\ud800"`.
  /// The characters of strings: `ascii`, or a regular expression that matches one of them, such as `[ -~\n]`; empty: any.
  /// Strings that the schema lists, and names of `properties`, may have others.
  std::string characters = {};

  bool exponents = true;  ///< True if numbers may be written with an exponent.
  /// The most digits after the point in scientific notation, for numbers that the schema restricts: `1.25e3` has two.
  std::uint32_t scientific_decimals = 16;

  // The next three leave out texts of numbers, or numbers. Where a schema allows no other number, they leave out nothing:
  // `{"const": 1e30}` is written with 31 digits whatever `number_digits` says.

  /// How a value is written where the schema allows only integers.
  enum class Integers : std::uint8_t {
    kAny,    ///< As other numbers: `12`, `12.00`, `1.2e1`.
    kPlain,  ///< In one way, with digits alone: `12`, and `0` for 0.
  };
  Integers integers = Integers::kAny;
  /// Which numbers are allowed.
  enum class Numbers : std::uint8_t {
    kAny,     ///< Numbers of any size.
    kDouble,  ///< In the range of a double: 0, and magnitudes from 2.2250738585072014e-308 to 1.7976931348623157e308.
  };
  Numbers numbers = Numbers::kAny;
  std::uint32_t number_digits = 0;  ///< The most digits that a number is written with, all counted; 0: any number.

  friend bool operator==(const JsonSchemaOptions&, const JsonSchemaOptions&) = default;
};

/// Returns the options of a profile, which may then be changed one by one. There are two:
///     exact     The defaults: every value has a text, in nearly every form that JSON allows.
///     serving   What clients of a server read well and models write well: members in the declared order, at most 8
///               blanks in a place, escapes only where they are required, no exponents, integers with digits alone,
///               numbers of the range of a double, with at most 20 digits (as many as the largest 64-bit integer has).
///               Texts with another order of members, and longer numbers, are then refused; docs/json_schema.md says
///               more.
/// Errors   kInvalidArgument: there is no profile of that name.
/// Example
///     weir::JsonSchemaOptions options = *weir::schema_profile("serving");
///     options.order = weir::JsonSchemaOptions::Order::kAny;
WEIR_API Result<JsonSchemaOptions> schema_profile(std::string_view name);

}  // namespace weir

#endif  // WEIR_JSON_SCHEMA_H_
