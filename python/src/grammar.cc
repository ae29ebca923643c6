#include "grammar.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bindings.h"
#include "kinds.h"
#include "options.h"
#include "recipe.h"
#include "weir/convert.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace weir::python {

std::vector<GrammarWarning> to_python(const std::vector<Warning>& warnings, std::string_view text) {
  std::vector<GrammarWarning> out;
  out.reserve(warnings.size());
  std::map<const std::string*, nb::str> texts;  // warnings share them
  for (const Warning& warning : warnings) {
    const std::string_view own = warning.text != nullptr ? std::string_view(*warning.text) : text;
    auto known = texts.find(warning.text.get());
    if (known == texts.end()) known = texts.emplace(warning.text.get(), to_str(own)).first;
    out.push_back({warning.message, str_index(own, warning.where.start), str_index(own, warning.where.end),
                   warning.hint, warning.code, warning.pointer, known->second});
  }
  return out;
}

nb::str schema_text(const nb::object& schema) {
  return nb::borrow<nb::str>(nb::module_::import_("weir._schemas").attr("to_schema_text")(schema));
}

nb::str tag_text(const nb::object& tag) {
  return nb::borrow<nb::str>(nb::module_::import_("weir._schemas").attr("to_json_text")(tag, "tag"));
}

nb::str response_format_text(const nb::object& format) {
  return nb::borrow<nb::str>(nb::module_::import_("weir._schemas").attr("to_json_text")(format, "response_format"));
}

namespace {

// Defines the static method `name`, which reads a grammar of this kind.
template <typename Options, typename Argument, typename Read>
void def_read(nb::class_<GrammarWithText>& grammar, const char* name, const Kind<Options, Argument>& kind, Read read,
              const std::string& doc) {
  const std::string sig = kind.signature(std::string(name) + "(", ", limits: Limits | None = None) -> Grammar");
  grammar.def_static(
      name,
      [=](const Argument& argument, const std::optional<Limits>& limits, const nb::kwargs& options) {
        const nb::str text = kind.to_text(argument);
        const std::string_view view = utf8(text);
        const Options given = kind.to_options(options);
        return GrammarWithText{build_from(view, kind.text_name, [&] { return read(view, given, to_limits(limits)); }),
                               text, kind.text_name, recipe(name, text, options)};
      },
      nb::arg(kind.argument), nb::kw_only(), "limits"_a = nb::none(), "options"_a, nb::sig(sig.c_str()), doc.c_str());
}

// Defines the static method `name`, which makes a grammar of a list of strings.
template <typename Read>
void def_read_strings(nb::class_<GrammarWithText>& grammar, const char* name, const char* argument, Read read,
                      const char* doc) {
  grammar.def_static(
      name,
      [=](const std::vector<std::string>& strings, const std::optional<Limits>& limits) {
        return GrammarWithText{build_from("", kGrammarName, [&] { return read(strings, to_limits(limits)); }),
                               nb::str(""), kGrammarName, recipe(name, nb::cast(strings))};
      },
      nb::arg(argument), nb::kw_only(), "limits"_a = nb::none(), doc);
}

}  // namespace

void bind_grammar(nb::module_& module) {
  auto grammar = nb::class_<GrammarWithText>(module, "Grammar",
                                             R"(A grammar that was read and checked, not yet compiled for a tokenizer.

For grammars that are compiled for several tokenizers; otherwise GrammarCompiler reads and compiles in one call.
Immutable; safe to share between threads.)");
  grammar.def("__repr__", [](const GrammarWithText& self) {
    return "<weir.Grammar: " + made_in_words(self.made_by, self.text) + ">";
  });
  grammar.def_static(
      "from_ebnf",
      [](const nb::str& text, const std::string& start, const std::optional<Limits>& limits) {
        const std::string_view view = utf8(text);
        return GrammarWithText{
            build_from(view, kGrammarName, [&] { return Grammar::from_ebnf(view, {start}, to_limits(limits)); }), text,
            kGrammarName, recipe("from_ebnf", text, one_option("start", start))};
      },
      "text"_a, nb::kw_only(), "start"_a = "root", "limits"_a = nb::none(),
      "Reads EBNF (docs/ebnf.md).\n\nstart: the start rule.\nRaises GrammarError.\nCost: linear in the text.");
  def_read(grammar, "from_text", kTextKind, Grammar::from_text,
           std::string("Reads a grammar.\n\n") + docs<GrammarTextOptions>() +
               "Raises GrammarError; ValueError: another syntax.");
  def_read(grammar, "from_regex", kRegexKind, Grammar::from_regex,
           "Reads a regular expression (docs/regex.md). Raises GrammarError.");
  def_read(grammar, "from_json_schema", kSchemaKind, Grammar::from_json_schema,
           "Reads a JSON Schema; arguments as for GrammarCompiler.compile_json_schema. Raises GrammarError.");
  def_read(grammar, "from_structural_tag", kTagKind, Grammar::from_structural_tag,
           "Reads a structural tag (docs/structural_tags.md). Raises GrammarError.");
  def_read(grammar, "from_response_format", kResponseFormatKind, Grammar::from_response_format,
           "Reads a response_format (docs/structural_tags.md). Raises GrammarError.");
  def_read_strings(grammar, "from_choice", "strings", Grammar::from_choice,
                   "Makes a grammar whose texts are these strings. Raises GrammarError: there are no strings.");
  grammar.def_static(
      "from_substring",
      [](const nb::str& text, const std::string& unit, const std::optional<Limits>& limits) {
        const std::string_view view = utf8(text);
        const SubstringUnit given = substring_unit(unit);
        return GrammarWithText{
            build_from(view, kGrammarName, [&] { return Grammar::from_substring(view, given, to_limits(limits)); }),
            text, kGrammarName, recipe("from_substring", text, one_option("unit", unit))};
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
  Words targets = syntax_names();
  targets.emplace_back("regex");
  const std::string convert = "def convert(self, to: " + literal_type(targets) + ") -> str";
  grammar.def(
      "convert",
      [](const GrammarWithText& self, const std::string& to) {
        const std::optional<GrammarSyntax> syntax = syntax_named(to);
        if (to != "regex" && !syntax) throw nb::value_error("`to` must be a language of grammars, or 'regex'");
        return build_from(utf8(self.text), self.name, [&] {
          return syntax ? convert_grammar(self.grammar, *syntax) : convert_to_regex(self.grammar);
        });
      },
      "to"_a, nb::sig(convert.c_str()),
      "Returns the grammar's text in another language (docs/convert.md). Raises GrammarError: the grammar cannot be "
      "expressed in that language. ValueError: no such language.");
  def_read_strings(grammar, "from_substring_chunks", "chunks", Grammar::from_substring_chunks,
                   "Makes a grammar whose texts are the concatenations of consecutive chunks, and the empty string. "
                   "Raises GrammarError.");
  grammar.def_prop_ro(
      "warnings", [](const GrammarWithText& self) { return to_python(self.grammar.warnings(), utf8(self.text)); },
      "Warnings about what is probably not intended, such as unused rules.");
  grammar.def(
      "__reduce__",
      [](nb::handle self) { return nb::module_::import_("weir._pickling").attr("reduced_grammar")(self); },
      nb::sig(kReduceSignature));
  grammar.def_prop_ro(
      "_made_by", [](const GrammarWithText& self) { return nb::make_tuple(self.made_by, self.grammar.limits()); },
      nb::sig("def _made_by(self) -> tuple[tuple[str, tuple[typing.Any, ...], dict[str, typing.Any]], Limits]"));
  def_immutable_copy(grammar);
}

}  // namespace weir::python
