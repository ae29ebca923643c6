// JsonSchemaOptions: how a JSON Schema becomes a grammar of JSON texts. docs/json_schema.md is the reference.
#ifndef WEIR_JSON_SCHEMA_H_
#define WEIR_JSON_SCHEMA_H_

#include <cstdint>
#include <string>
#include <vector>

namespace weir {

/// A document that `$ref` may lead to, in place of the network, which is never asked.
struct SchemaDocument {
  std::string uri;   ///< Absolute, without a fragment; or relative, for schemas without a base.
  std::string text;  ///< JSON.
  friend bool operator==(const SchemaDocument&, const SchemaDocument&) = default;
};

struct JsonSchemaOptions {
  /// Of a schema without `$schema`.
  enum class Draft : std::uint8_t { k4, k6, k7, k2019_09, k2020_12 };
  Draft default_draft = Draft::k2020_12;
  std::string base_uri = {};                   ///< Where the schema came from. May be empty.
  std::vector<SchemaDocument> documents = {};  ///< That references may lead to.

  enum class Formats : std::uint8_t {
    kAssert,    ///< `format` is asserted, as far as docs/json_schema_formats.md goes.
    kAnnotate,  ///< `format` says nothing, which is the default of the specification since 2019-09.
  };
  Formats formats = Formats::kAssert;
  enum class UnknownFormats : std::uint8_t {
    kWarn,    ///< An unknown format says nothing, and there is a warning.
    kRefuse,  ///< It is an error.
  };
  UnknownFormats unknown_formats = UnknownFormats::kWarn;

  // The rest is about the texts; every value stays reachable whatever is chosen.

  enum class Whitespace : std::uint8_t {
    kBounded,    ///< Up to `whitespace_limit` blanks (space, tab, line ends) wherever JSON allows them.
    kNone,       ///< None: `{"a":[1,2]}`.
    kCompact,    ///< One space behind each comma and colon: `{"a": [1, 2]}`.
    kIndented,   ///< Each item and member on a line of its own, `indent` spaces a level, as pretty printers do it.
    kUnbounded,  ///< Any number of blanks wherever JSON allows them. A model may then write blanks for ever.
    kPattern,    ///< What `whitespace_pattern` matches, wherever JSON allows blanks.
  };
  Whitespace whitespace = Whitespace::kBounded;
  std::uint32_t whitespace_limit = 40;
  std::uint32_t indent = 2;
  std::string whitespace_pattern = {};  ///< A regular expression; blanks alone may match it, in any number.
  bool leading_whitespace = false;      ///< Whether blanks may stand before the value, as within it.
  bool trailing_whitespace = false;     ///< The same behind it.

  enum class Order : std::uint8_t {
    kAny,       ///< Members come in any order.
    kDeclared,  ///< Those that `properties` lists come in its order, all others behind them.
  };
  Order order = Order::kAny;

  /// Which spellings of characters in strings are offered.
  enum class Escapes : std::uint8_t {
    kAll,       ///< All that RFC 8259 has: raw, `\n`, `\u00e9` in any case.
    kShort,     ///< Raw, `\n` and its like; `\uXXXX` for control characters without a short escape only.
    kRequired,  ///< Raw wherever that is allowed: one spelling each.
  };
  Escapes escapes = Escapes::kAll;
  bool lone_surrogates = false;  ///< Whether escapes of surrogates without their other half may stand: `"\ud800"`.

  bool exponents = true;                   ///< Whether numbers may be written with an exponent.
  std::uint32_t scientific_decimals = 16;  ///< Decimals of numbers with an exponent, where something is asked of them.
  friend bool operator==(const JsonSchemaOptions&, const JsonSchemaOptions&) = default;
};

}  // namespace weir

#endif  // WEIR_JSON_SCHEMA_H_
