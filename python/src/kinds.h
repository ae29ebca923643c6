// The kinds of input that have options: grammars with rules, patterns, schemas, structural tags, response_formats.
//
// WHY    weir.Grammar reads each kind, weir.GrammarCompiler compiles it, and a function of the module checks it. A Kind
//        says what these have in common; grammar.cc, compiler.cc and check.cc define a method for each Kind.
#ifndef WEIR_PYTHON_SRC_KINDS_H_
#define WEIR_PYTHON_SRC_KINDS_H_

#include <nanobind/nanobind.h>

#include <string>

#include "grammar.h"
#include "options.h"

namespace weir::python {

template <typename Options, typename Argument>
struct Kind {
  const char* argument;   ///< The name of the argument that holds the input.
  const char* type;       ///< The type of that argument in signatures.
  const char* text_name;  ///< The name of the input's text in messages.
  nanobind::str (*to_text)(const Argument&);
  Options (*to_options)(const nanobind::dict&);
  std::string (*options_signature)();

  /// Returns a signature. `begin` goes as far as the opening parenthesis or the comma before the argument.
  [[nodiscard]] std::string signature(const std::string& begin, const char* end) const {
    return "def " + begin + argument + ": " + type + ", " + options_signature() + end;
  }
};

inline nanobind::str same_text(const nanobind::str& text) { return text; }
/// Return the JSON text of a schema, and of a structural tag or response_format, from any form that the API accepts.
nanobind::str schema_text(const nanobind::object& schema);
nanobind::str tag_text(const nanobind::object& tag);
nanobind::str response_format_text(const nanobind::object& format);

inline constexpr Kind<GrammarTextOptions, nanobind::str> kTextKind{
    "text", "str", kGrammarName, same_text, text_options, signature<GrammarTextOptions>};
inline constexpr Kind<RegexOptions, nanobind::str> kRegexKind{"pattern", "str",         kPatternName,
                                                              same_text, regex_options, signature<RegexOptions>};
inline constexpr Kind<JsonSchemaOptions, nanobind::object> kSchemaKind{"schema",
                                                                       "str | bool | dict[str, typing.Any] | object",
                                                                       kSchemaName,
                                                                       schema_text,
                                                                       json_schema_options,
                                                                       signature<JsonSchemaOptions>};
inline constexpr const char* kTagType = "str | collections.abc.Mapping[str, typing.Any] | list[typing.Any]";
inline constexpr Kind<StructuralTagOptions, nanobind::object> kTagKind{
    "tag", kTagType, kTagName, tag_text, structural_tag_options, signature<JsonSchemaOptions>};
inline constexpr Kind<StructuralTagOptions, nanobind::object> kResponseFormatKind{
    "response_format",           kTagType, kResponseFormatName, response_format_text, structural_tag_options,
    signature<JsonSchemaOptions>};

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_KINDS_H_
