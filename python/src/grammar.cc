#include "grammar.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bindings.h"
#include "recipe.h"
#include "weir/convert.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace weir::python {

std::vector<GrammarWarning> to_python(const std::vector<Warning>& warnings, std::string_view text) {
  std::vector<GrammarWarning> out;
  out.reserve(warnings.size());
  for (const Warning& warning : warnings) {
    out.push_back({warning.message, str_index(text, warning.where.start), str_index(text, warning.where.end),
                   warning.hint, warning.code});
  }
  return out;
}

void bind_grammar(nb::module_& module) {
  auto grammar = nb::class_<GrammarWithText>(module, "Grammar",
                                             R"(A grammar that was read and checked, not yet compiled for a tokenizer.

For grammars that are compiled for several tokenizers; otherwise GrammarCompiler reads and compiles in one call.
Immutable; safe to share between threads.)");
  grammar.def_static(
      "from_ebnf",
      [](const nb::str& text, const std::string& start, const std::optional<Limits>& limits) {
        const std::string_view view = utf8(text);
        return GrammarWithText{
            build_from(view, kGrammarName, [&] { return Grammar::from_ebnf(view, {start}, to_limits(limits)); }), text,
            kGrammarName, recipe("from_ebnf", text, start_option(start))};
      },
      "text"_a, nb::kw_only(), "start"_a = "root", "limits"_a = nb::none(),
      "Reads EBNF (docs/ebnf.md).\n\nstart: the start rule.\nRaises GrammarError.\nCost: linear in the text.");
  const std::string text = signature("from_text(text: str", kTextOptions, ", limits: Limits | None = None) -> Grammar");
  const std::string text_doc =
      std::string("Reads a grammar.\n\n") + kTextOptionsDoc + "Raises GrammarError; ValueError: another syntax.";
  grammar.def_static(
      "from_text",
      [](const nb::str& text, const std::string& syntax, const std::string& start, bool exact_splits, bool keep_endless,
         const std::map<std::string, std::string>& grammars, const nb::dict& json_schema,
         const std::optional<Limits>& limits) {
        const std::string_view view = utf8(text);
        const GrammarTextOptions options =
            text_options(syntax, start, exact_splits, keep_endless, grammars, json_schema);
        return GrammarWithText{
            build_from(view, kGrammarName, [&] { return Grammar::from_text(view, options, to_limits(limits)); }), text,
            kGrammarName, recipe("from_text", text, to_dict(options, json_schema))};
      },
      "text"_a, nb::kw_only(), "syntax"_a = "ebnf", "start"_a = "", "exact_splits"_a = false, "keep_endless"_a = false,
      "grammars"_a = std::map<std::string, std::string>(), "json_schema"_a = nb::dict(), "limits"_a = nb::none(),
      nb::sig(text.c_str()), text_doc.c_str());
  const std::string regex =
      signature("from_regex(pattern: str", kRegexOptions, ", limits: Limits | None = None) -> Grammar");
  grammar.def_static(
      "from_regex",
      [](const nb::str& pattern, const std::optional<Limits>& limits, const nb::kwargs& options) {
        const std::string_view view = utf8(pattern);
        const RegexOptions given = regex_options(options);
        return GrammarWithText{
            build_from(view, kPatternName, [&] { return Grammar::from_regex(view, given, to_limits(limits)); }),
            pattern, kPatternName, recipe("from_regex", pattern, options)};
      },
      "pattern"_a, nb::kw_only(), "limits"_a = nb::none(), "options"_a, nb::sig(regex.c_str()),
      "Reads a regular expression (docs/regex.md). Raises GrammarError.");
  const std::string json = signature("from_json_schema(schema: str | bool | dict[str, typing.Any] | object",
                                     kSchemaOptions, ", limits: Limits | None = None) -> Grammar");
  grammar.def_static(
      "from_json_schema",
      [](const nb::object& schema, const std::optional<Limits>& limits, const nb::kwargs& options) {
        const nb::str text = schema_text(schema);
        const std::string_view view = utf8(text);
        const JsonSchemaOptions given = json_schema_options(options);
        return GrammarWithText{
            build_from(view, kSchemaName, [&] { return Grammar::from_json_schema(view, given, to_limits(limits)); }),
            text, kSchemaName, recipe("from_json_schema", text, options)};
      },
      "schema"_a, nb::kw_only(), "limits"_a = nb::none(), "options"_a, nb::sig(json.c_str()),
      "Reads a JSON Schema; arguments as for GrammarCompiler.compile_json_schema. Raises GrammarError.");
  const auto def_tag = [&](const char* name, const char* argument, const auto& read, const char* doc) {
    const std::string sig = signature(
        std::string(name) + "(" + argument + ": str | collections.abc.Mapping[str, typing.Any] | list[typing.Any]",
        kSchemaOptions, ", limits: Limits | None = None) -> Grammar");
    grammar.def_static(
        name,
        [read, name](const nb::object& tag, const std::optional<Limits>& limits, const nb::kwargs& options) {
          const nb::str text = json_text(tag);
          const std::string_view view = utf8(text);
          const StructuralTagOptions given = structural_tag_options(options);
          return GrammarWithText{build_from(view, kTagName, [&] { return read(view, given, to_limits(limits)); }), text,
                                 kTagName, recipe(name, text, options)};
        },
        nb::arg(argument), nb::kw_only(), "limits"_a = nb::none(), "options"_a, nb::sig(sig.c_str()), doc);
  };
  def_tag("from_structural_tag", "tag", Grammar::from_structural_tag,
          "Reads a structural tag (docs/structural_tags.md). Raises GrammarError.");
  def_tag("from_response_format", "response_format", Grammar::from_response_format,
          "Reads a response_format (docs/structural_tags.md). Raises GrammarError.");
  grammar.def_static(
      "from_choice",
      [](const std::vector<std::string>& strings, const std::optional<Limits>& limits) {
        return GrammarWithText{
            build_from("", kGrammarName, [&] { return Grammar::from_choice(strings, to_limits(limits)); }), nb::str(""),
            kGrammarName, recipe("from_choice", nb::cast(strings))};
      },
      "strings"_a, nb::kw_only(), "limits"_a = nb::none(),
      "Makes a grammar whose texts are these strings. Raises GrammarError: there are no strings.");
  grammar.def_static(
      "from_substring",
      [](const nb::str& text, const std::string& unit, const std::optional<Limits>& limits) {
        const std::string_view view = utf8(text);
        const SubstringUnit given = substring_unit(unit);
        return GrammarWithText{
            build_from(view, kGrammarName, [&] { return Grammar::from_substring(view, given, to_limits(limits)); }),
            text, kGrammarName, recipe("from_substring", text, unit_option(unit))};
      },
      "text"_a, nb::kw_only(), "unit"_a = "word", "limits"_a = nb::none(),
      "Makes a grammar whose texts are the substrings of `text` that consist of whole units, as "
      "GrammarCompiler.compile_substring does. Raises GrammarError.");
  const auto def_join = [&](const char* name, auto join, const char* doc) {
    const std::string sig = std::string("def ") + name + "(*parts: Grammar, limits: Limits | None = None) -> Grammar";
    grammar.def_static(
        name,
        [join, name](const nb::args& parts, const std::optional<Limits>& limits) {
          std::vector<Grammar> given;
          for (const nb::handle part : parts) {
            if (!is_made<GrammarWithText>(part)) throw nb::type_error("the parts must be of type Grammar");
            given.push_back(nb::cast<const GrammarWithText&>(part).grammar);
          }
          return GrammarWithText{build_from("", kGrammarName, [&] { return join(given, to_limits(limits)); }),
                                 nb::str(""), kGrammarName,
                                 nb::make_tuple(name, nb::borrow<nb::tuple>(parts), nb::dict())};
        },
        "parts"_a, "limits"_a = nb::none(), nb::sig(sig.c_str()), doc);
  };
  def_join("concat", Grammar::concat,
           "Makes a grammar whose texts are a text of each part, concatenated.\n\nThe parts become rules of one "
           "grammar, so greedy terminals, look-ahead and the competition of Lark's terminals reach beyond\na part.\n"
           "Raises GrammarError: there are no parts, or a part keeps endless rules.\nCost: the parts' texts are read "
           "again.");
  def_join("any_of", Grammar::any_of, "Makes a grammar whose texts are the texts of all parts. Otherwise as concat.");
  grammar.def(
      "convert",
      [](const GrammarWithText& self, const std::string& to) {
        const std::optional<GrammarSyntax> syntax = syntax_named(to);
        if (to != "regex" && !syntax) throw nb::value_error("`to` must be a language of grammars, or 'regex'");
        return build_from(utf8(self.text), self.name, [&] {
          return syntax ? convert_grammar(self.grammar, *syntax) : convert_to_regex(self.grammar);
        });
      },
      "to"_a,
      nb::sig("def convert(self, to: typing.Literal['ebnf', 'gbnf', 'xgrammar', 'kbnf', 'lark', 'regex']) -> str"),
      "Returns the grammar's text in another language (docs/convert.md). Raises GrammarError: the grammar cannot be "
      "expressed in that language. ValueError: no such language.");
  grammar.def_static(
      "from_substring_chunks",
      [](const std::vector<std::string>& chunks, const std::optional<Limits>& limits) {
        return GrammarWithText{
            build_from("", kGrammarName, [&] { return Grammar::from_substring_chunks(chunks, to_limits(limits)); }),
            nb::str(""), kGrammarName, recipe("from_substring_chunks", nb::cast(chunks))};
      },
      "chunks"_a, nb::kw_only(), "limits"_a = nb::none(),
      "Makes a grammar whose texts are the concatenations of consecutive chunks, and the empty string. Raises "
      "GrammarError.");
  grammar.def_prop_ro(
      "warnings", [](const GrammarWithText& self) { return to_python(self.grammar.warnings(), utf8(self.text)); },
      "Warnings about what is probably not intended, such as unused rules.");
  grammar.def(
      "__reduce__",
      [](const GrammarWithText& self) { return reduced("load_grammar", self.made_by, self.grammar.limits()); },
      nb::sig(kReduceSignature));
  def_immutable_copy(grammar);
}

}  // namespace weir::python
