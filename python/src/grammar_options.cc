// Converts Python's keyword arguments to options of grammars, and back.
#include <nanobind/stl/string.h>

#include <map>
#include <optional>
#include <string>

#include "bindings.h"
#include "grammar.h"

namespace nb = nanobind;

namespace weir::python {

namespace {

GrammarSyntax to_syntax(std::string_view name) {
  const std::optional<GrammarSyntax> syntax = syntax_named(name);
  if (!syntax) throw nb::value_error("`syntax` must be \"ebnf\", \"gbnf\", \"xgrammar\", \"kbnf\" or \"lark\"");
  return *syntax;
}

}  // namespace

GrammarTextOptions text_options(const std::string& syntax, const std::string& start, bool exact_splits,
                                bool keep_endless, const std::map<std::string, std::string>& grammars,
                                const nb::dict& json_schema) {
  GrammarTextOptions options;
  options.syntax = to_syntax(syntax);
  options.start = start;
  options.exact_splits = exact_splits;
  options.keep_endless = keep_endless;
  for (const auto& [name, text] : grammars) options.grammars.push_back({name, text, GrammarSyntax::kLark});
  for (const auto& [name, value] : json_schema) {
    if (!nb::isinstance<nb::str>(name)) throw nb::type_error("the names of options in `json_schema` must be str");
  }
  options.json_schema = json_schema_options(nb::borrow<nb::kwargs>(json_schema));
  return options;
}

const char* const kTextOptions =
    "*, syntax: typing.Literal['ebnf', 'gbnf', 'xgrammar', 'kbnf', 'lark'] = 'ebnf', start: str = '', exact_splits: "
    "bool "
    "= False, keep_endless: bool = False, grammars: collections.abc.Mapping[str, str] = {}, json_schema: dict[str, "
    "typing.Any] = {}";
const char* const kTextOptionsDoc =
    "syntax: the language in which the grammar is written; docs/ has a page about each.\n"
    "start: the start rule; '': `start` in KBNF and Lark, `root` otherwise.\n"
    "exact_splits: Lark only: terminals may end wherever they match.\n"
    "keep_endless: KBNF only: keeps rules that derive no finite string.\n"
    "grammars: Lark only: the grammars that `@name` refers to, by name.\n"
    "json_schema: Lark only: options of the schemas after `%json`, by name: those of compile_json_schema.\n\n";

nb::dict start_option(const std::string& start) {
  nb::dict out;
  out["start"] = start;
  return out;
}

nb::dict unit_option(const std::string& unit) {
  nb::dict out;
  out["unit"] = unit;
  return out;
}

nb::dict to_dict(const GrammarTextOptions& options, const nb::dict& json_schema) {
  nb::dict out = start_option(options.start);
  nb::dict grammars;
  for (const NamedGrammar& grammar : options.grammars) grammars[to_str(grammar.name)] = to_str(grammar.text);
  out["syntax"] = to_str(to_string(options.syntax));
  out["exact_splits"] = options.exact_splits;
  out["keep_endless"] = options.keep_endless;
  out["grammars"] = grammars;
  out["json_schema"] = nb::module_::import_("copy").attr("deepcopy")(json_schema);
  return out;
}

nb::str schema_text(const nb::object& schema) {
  return nb::borrow<nb::str>(nb::module_::import_("weir._schemas").attr("to_schema_text")(schema));
}

nb::str json_text(const nb::object& document) {
  return nb::borrow<nb::str>(nb::module_::import_("weir._schemas").attr("to_json_text")(document));
}

StructuralTagOptions structural_tag_options(const nb::kwargs& schema_options) {
  return {.json_schema = json_schema_options(schema_options)};
}

const char* const kRegexOptions =
    "*, dialect: typing.Literal['weir', 'ecma262', 'rust', 'python', 'pcre'] = 'weir', match: typing.Literal['full', "
    "'search'] = 'full', "
    "ignore_case: bool = "
    "False, "
    "multi_line: bool = False, dot_all: bool = False, extended: bool = False, operators: bool = False";
const char* const kSchemaOptions =
    "*, default_draft: typing.Literal['4', '6', '7', '2019-09', '2020-12'] = '2020-12', base_uri: str = '', documents: "
    "collections.abc.Mapping[str, "
    "str | bool | dict[str, typing.Any]] = {}, formats: typing.Literal['assert', 'annotate'] = 'assert', "
    "unknown_formats: "
    "typing.Literal['warn', "
    "'refuse'] = 'warn', whitespace: typing.Literal['bounded', 'none', 'compact', 'indented', 'unbounded', 'pattern'] "
    "= "
    "'bounded', "
    "whitespace_limit: int = 40, indent: int = 2, whitespace_pattern: str = '', leading_whitespace: bool = False, "
    "trailing_whitespace: bool = False, order: typing.Literal['any', 'declared'] = 'any', escapes: "
    "typing.Literal['all', 'short', "
    "'required'] = 'all', lone_surrogates: bool = False, exponents: bool = True, scientific_decimals: int = 16, "
    "integers: typing.Literal['any', 'plain'] = 'any', numbers: typing.Literal['any', 'double'] = 'any', "
    "number_digits: int = 0, profile: typing.Literal['exact', 'serving'] = 'exact'";

std::string signature(const std::string& head, const char* options, const std::string& tail) {
  return "def " + head + ", " + options + tail;
}

SubstringUnit substring_unit(const std::string& name) {
  if (name == "word") return SubstringUnit::kWord;
  if (name == "character") return SubstringUnit::kCharacter;
  throw nb::value_error("`unit` must be 'word' or 'character'");
}

}  // namespace weir::python
