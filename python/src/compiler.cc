// weir.Grammar, weir.GrammarCompiler, weir.CompiledGrammar
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bindings.h"
#include "errors.h"
#include "recipe.h"
#include "weir/compiler.h"
#include "weir/convert.h"
#include "weir/tools.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace weir::python {

namespace {

// A Grammar, the text that it was read from, for errors of compiling it, and by which call, for pickling.
struct GrammarWithText {
  Grammar grammar;
  nb::str text;
  const char* name;
  nb::tuple made_by;
};

struct GrammarWarning {
  std::string message;
  std::size_t start = 0;
  std::size_t end = 0;
  std::string hint;
};

std::vector<GrammarWarning> to_python(const std::vector<Warning>& warnings, std::string_view text) {
  std::vector<GrammarWarning> out;
  out.reserve(warnings.size());
  for (const Warning& warning : warnings) {
    out.push_back(
        {warning.message, str_index(text, warning.where.start), str_index(text, warning.where.end), warning.hint});
  }
  return out;
}

// A GrammarCompiler and its tokenizer's object, so that there is one object of it in Python.
struct Compiler {
  GrammarCompiler compiler;
  nb::object tokenizer;
};

// A CompiledGrammar, its warnings, whose places are those of the text in Python, what it was made by and on, and how
// long that took.
struct Compiled {
  CompiledGrammar grammar;
  std::vector<GrammarWarning> warnings;
  nb::object tokenizer;
  Limits limits;
  nb::tuple made_by;
  double seconds;
};

// Calls `build`, without Python's lock, and raises its error as one in `text`.
template <typename Build>
auto build_from(std::string_view text, const char* name, const Build& build) {
  auto made = [&] {
    const nb::gil_scoped_release released;
    return build();
  }();
  if (!made) raise_grammar_error(made.error(), text, name);
  return *std::move(made);
}

template <typename Build>
Compiled compile_from(const Compiler& self, std::string_view text, const char* name, nb::tuple made_by,
                      const Build& build) {
  const auto start = std::chrono::steady_clock::now();
  CompiledGrammar compiled = build_from(text, name, [&] { return build(self.compiler); });
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  std::vector<GrammarWarning> warnings = to_python(compiled.warnings(), text);
  return {std::move(compiled),    std::move(warnings), self.tokenizer,
          self.compiler.limits(), std::move(made_by),  taken.count()};
}

// Whether the object is one of T's; of one that __new__ alone has made there is nothing inside.
template <typename T>
bool is_made(nb::handle object) {
  return nb::isinstance<T>(object) && nb::inst_ready(object);
}

constexpr const char* kGrammarName = "<grammar>";
constexpr const char* kPatternName = "<pattern>";
constexpr const char* kSchemaName = "<schema>";
constexpr const char* kTagName = "<structural tag>";

Limits to_limits(const std::optional<Limits>& limits) { return limits.value_or(Limits{}); }

GrammarSyntax to_syntax(std::string_view name) {
  const std::optional<GrammarSyntax> syntax = syntax_named(name);
  if (!syntax) throw nb::value_error("`syntax` must be \"ebnf\", \"gbnf\", \"xgrammar\", \"kbnf\" or \"lark\"");
  return *syntax;
}

GrammarTextOptions text_options(const std::string& syntax, const std::string& start, bool exact_splits,
                                bool keep_endless, const std::map<std::string, std::string>& grammars) {
  GrammarTextOptions options;
  options.syntax = to_syntax(syntax);
  options.start = start;
  options.exact_splits = exact_splits;
  options.keep_endless = keep_endless;
  for (const auto& [name, text] : grammars) options.grammars.push_back({name, text, GrammarSyntax::kLark});
  return options;
}

const char* const kTextOptions =
    "*, syntax: typing.Literal['ebnf', 'gbnf', 'xgrammar', 'kbnf', 'lark'] = 'ebnf', start: str = '', exact_splits: "
    "bool "
    "= False, keep_endless: bool = False, grammars: collections.abc.Mapping[str, str] = {}";
const char* const kTextOptionsDoc =
    "`syntax` says in which language the grammar is written: each stands on a page of its own in docs/. `start` is the "
    "rule to\nbegin with; '' is `start` in KBNF and Lark, else `root`. `exact_splits` (Lark): terminals end wherever "
    "they match.\n`keep_endless` (KBNF): keep rules that derive no finite string. `grammars` (Lark): what `@name` "
    "refers "
    "to.\n\n";

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

nb::dict to_dict(const GrammarTextOptions& options) {
  nb::dict out = start_option(options.start);
  nb::dict grammars;
  for (const NamedGrammar& grammar : options.grammars) grammars[to_str(grammar.name)] = to_str(grammar.text);
  out["syntax"] = to_str(to_string(options.syntax));
  out["exact_splits"] = options.exact_splits;
  out["keep_endless"] = options.keep_endless;
  out["grammars"] = grammars;
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
    "'required'] = 'all', lone_surrogates: bool = False, exponents: bool = True, scientific_decimals: int = 16";

std::string signature(const std::string& head, const char* options, const std::string& tail) {
  return "def " + head + ", " + options + tail;
}

SubstringUnit substring_unit(const std::string& name) {
  if (name == "word") return SubstringUnit::kWord;
  if (name == "character") return SubstringUnit::kCharacter;
  throw nb::value_error("`unit` must be 'word' or 'character'");
}

void bind_grammar(nb::module_& module) {
  auto grammar = nb::class_<GrammarWithText>(module, "Grammar",
                                             R"(A grammar that was read and checked, not yet joined to a tokenizer.

For a grammar that several tokenizers need; GrammarCompiler reads and compiles in one call. Immutable, safe to share
between threads.)");
  grammar.def_static(
      "from_ebnf",
      [](const nb::str& text, const std::string& start, const std::optional<Limits>& limits) {
        const std::string_view view = utf8(text);
        return GrammarWithText{
            build_from(view, kGrammarName, [&] { return Grammar::from_ebnf(view, {start}, to_limits(limits)); }), text,
            kGrammarName, recipe("from_ebnf", text, start_option(start))};
      },
      "text"_a, nb::kw_only(), "start"_a = "root", "limits"_a = nb::none(),
      "Reads EBNF (docs/ebnf.md). `start` is the rule to begin with.\n\nRaises GrammarError. Cost: linear in the "
      "text.");
  const std::string text = signature("from_text(text: str", kTextOptions, ", limits: Limits | None = None) -> Grammar");
  const std::string text_doc =
      std::string("Reads a grammar.\n\n") + kTextOptionsDoc + "Raises GrammarError; ValueError: another syntax.";
  grammar.def_static(
      "from_text",
      [](const nb::str& text, const std::string& syntax, const std::string& start, bool exact_splits, bool keep_endless,
         const std::map<std::string, std::string>& grammars, const std::optional<Limits>& limits) {
        const std::string_view view = utf8(text);
        const GrammarTextOptions options = text_options(syntax, start, exact_splits, keep_endless, grammars);
        return GrammarWithText{
            build_from(view, kGrammarName, [&] { return Grammar::from_text(view, options, to_limits(limits)); }), text,
            kGrammarName, recipe("from_text", text, to_dict(options))};
      },
      "text"_a, nb::kw_only(), "syntax"_a = "ebnf", "start"_a = "", "exact_splits"_a = false, "keep_endless"_a = false,
      "grammars"_a = std::map<std::string, std::string>(), "limits"_a = nb::none(), nb::sig(text.c_str()),
      text_doc.c_str());
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
      "Reads a JSON Schema; GrammarCompiler.compile_json_schema says which. Raises GrammarError.");
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
      "One of these strings. Raises GrammarError: there are none.");
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
      "Any stretch of `text` made of whole units; GrammarCompiler.compile_substring says which. Raises GrammarError.");
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
           "A text of each part, one behind the other. Raises GrammarError: there are no parts, or one that keeps "
           "endless rules.\n\nThe parts become rules of one grammar: greedy terminals, look-ahead and the competition "
           "of Lark's terminals reach beyond\na part. Cost: reading their texts again.");
  def_join("any_of", Grammar::any_of, "A text of one of the parts. Otherwise as concat.");
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
      "The grammar's text in another language (docs/convert.md). Raises GrammarError: what cannot be said in it.");
  grammar.def_static(
      "from_substring_chunks",
      [](const std::vector<std::string>& chunks, const std::optional<Limits>& limits) {
        return GrammarWithText{
            build_from("", kGrammarName, [&] { return Grammar::from_substring_chunks(chunks, to_limits(limits)); }),
            nb::str(""), kGrammarName, recipe("from_substring_chunks", nb::cast(chunks))};
      },
      "chunks"_a, nb::kw_only(), "limits"_a = nb::none(),
      "Any run of these chunks as they follow one another, and the empty string. Raises GrammarError.");
  grammar.def_prop_ro(
      "warnings", [](const GrammarWithText& self) { return to_python(self.grammar.warnings(), utf8(self.text)); },
      "What looks unintended: rules never used, say.");
  grammar.def(
      "__reduce__",
      [](const GrammarWithText& self) { return reduced("load_grammar", self.made_by, self.grammar.limits()); },
      nb::sig(kReduceSignature));
  def_immutable_copy(grammar);
}

void bind_compiled(nb::module_& module) {
  nb::class_<GrammarWarning>(
      module, "GrammarWarning",
      "Something in a grammar that is allowed but probably not meant. `start` and `end` are indices of its text.")
      .def_ro("message", &GrammarWarning::message)
      .def_ro("start", &GrammarWarning::start)
      .def_ro("end", &GrammarWarning::end)
      .def_ro("hint", &GrammarWarning::hint)
      .def("__repr__", [](const GrammarWarning& self) {
        return "<weir.GrammarWarning at " + std::to_string(self.start) + ": " + self.message + ">";
      });
  auto compiled = nb::class_<Compiled>(module, "CompiledGrammar",
                                       R"(A grammar joined to a tokenizer; what matchers run on.

States are explored as matchers reach them, once for all matchers of the compiled grammar. Safe to share between
threads. Pickled by what it was made from: text, options, limits and tokenizer, not what was explored.)");
  def_immutable_copy(compiled);
  compiled
      .def_prop_ro(
          "tokenizer_info", [](const Compiled& self) { return self.tokenizer; },
          nb::sig("def tokenizer_info(self) -> TokenizerInfo"))
      .def(
          "__reduce__",
          [](const Compiled& self) { return reduced("load_compiled", self.tokenizer, self.limits, self.made_by); },
          nb::sig(kReduceSignature))
      .def_ro("warnings", &Compiled::warnings, "The grammar's warnings and what compiling added, each once.")
      .def(
          "stats",
          [](const Compiled& self) {
            const nb::gil_scoped_release released;
            return self.grammar.stats();
          },
          "What all matchers together have explored.");
}

void bind_grammar_compiler(nb::module_& module) {
  auto compiler = nb::class_<Compiler>(module, "GrammarCompiler", R"(Joins grammars to a tokenizer.

GrammarCompiler(tokenizer_info, limits=None): `limits` hold for everything compiled here. Every method may be called
from several threads at once; Python's lock is not held while it compiles.

What compiles raises GrammarError: a text that is wrong, and where.)");
  compiler.def(
      "__init__",
      [](Compiler* self, const nb::typed<nb::object, TokenizerInfo>& tokenizer, const std::optional<Limits>& limits) {
        if (!is_made<TokenizerInfo>(tokenizer)) throw nb::type_error("`tokenizer_info` must be a TokenizerInfo");
        new (self) Compiler{GrammarCompiler(nb::cast<const TokenizerInfo&>(tokenizer), to_limits(limits)), tokenizer};
      },
      "tokenizer_info"_a, nb::kw_only(), "limits"_a = nb::none(),
      nb::sig("def __init__(self, tokenizer_info: TokenizerInfo, *, limits: Limits | None = None) -> None"));
  compiler.def_prop_ro(
      "tokenizer_info", [](const Compiler& self) { return self.tokenizer; },
      nb::sig("def tokenizer_info(self) -> TokenizerInfo"));
  compiler.def(
      "compile",
      [](const Compiler& self, const GrammarWithText& grammar) {
        return compile_from(self, utf8(grammar.text), grammar.name, recipe("compile", nb::find(grammar)),
                            [&](const GrammarCompiler& c) { return c.compile(grammar.grammar); });
      },
      "grammar"_a, "Joins a grammar that was read before. Raises GrammarError.");
  const std::string text = signature("compile_grammar(self, text: str", kTextOptions, ") -> CompiledGrammar");
  const std::string text_doc = std::string("Compiles a grammar.\n\n") + kTextOptionsDoc +
                               "Raises GrammarError; ValueError: another syntax. Cost: linear in the grammar.";
  compiler.def(
      "compile_grammar",
      [](const Compiler& self, const nb::str& text, const std::string& syntax, const std::string& start,
         bool exact_splits, bool keep_endless, const std::map<std::string, std::string>& grammars) {
        const std::string_view view = utf8(text);
        const GrammarTextOptions options = text_options(syntax, start, exact_splits, keep_endless, grammars);
        return compile_from(self, view, kGrammarName, recipe("compile_grammar", text, to_dict(options)),
                            [&](const GrammarCompiler& c) { return c.compile_text(view, options); });
      },
      "text"_a, nb::kw_only(), "syntax"_a = "ebnf", "start"_a = "", "exact_splits"_a = false, "keep_endless"_a = false,
      "grammars"_a = std::map<std::string, std::string>(), nb::sig(text.c_str()), text_doc.c_str());
  compiler.def(
      "cache_stats", [](const Compiler& self) { return self.compiler.cache_stats(); },
      "What the cache holds: a text compiled again with the same options is the same grammar, with all that was "
      "explored for it\n(Limits.cache_memory).");
  compiler.def(
      "clear_cache", [](const Compiler& self) { self.compiler.clear_cache(); },
      "Forgets all grammars in the cache; those in use live on.");
  const std::string regex = signature("compile_regex(self, pattern: str", kRegexOptions, ") -> CompiledGrammar");
  compiler.def(
      "compile_regex",
      [](const Compiler& self, const nb::str& pattern, const nb::kwargs& options) {
        const std::string_view view = utf8(pattern);
        const RegexOptions given = regex_options(options);
        return compile_from(self, view, kPatternName, recipe("compile_regex", pattern, options),
                            [&](const GrammarCompiler& c) { return c.compile_regex(view, given); });
      },
      "pattern"_a, "options"_a, nb::sig(regex.c_str()),
      "Compiles a regular expression, which the whole output matches (docs/regex.md).\n\nRaises GrammarError.");
  const std::string json = signature("compile_json_schema(self, schema: str | bool | dict[str, typing.Any] | object",
                                     kSchemaOptions, ") -> CompiledGrammar");
  compiler.def(
      "compile_json_schema",
      [](const Compiler& self, const nb::object& schema, const nb::kwargs& options) {
        const nb::str text = schema_text(schema);
        const std::string_view view = utf8(text);
        const JsonSchemaOptions given = json_schema_options(options);
        return compile_from(self, view, kSchemaName, recipe("compile_json_schema", text, options),
                            [&](const GrammarCompiler& c) { return c.compile_json_schema(view, given); });
      },
      "schema"_a, "options"_a, nb::sig(json.c_str()),
      R"(Compiles a JSON Schema; outputs are the JSON texts that are valid under it.

schema: its JSON text, the dict (or bool) that the text stands for, a pydantic model, or anything with a method
    `model_json_schema` or `json_schema`.
The options, about dialect, references, blanks, order of members and spellings, are those of docs/json_schema.md.
Raises GrammarError, with `pointer`, the JSON Pointer of the place. ValueError: an option's value. TypeError: no
    schema, or no such option.)");
  const auto def_tag = [&](const char* name, const char* argument, auto compile, const char* doc) {
    const std::string sig = signature(std::string(name) + "(self, " + argument +
                                          ": str | collections.abc.Mapping[str, typing.Any] | list[typing.Any]",
                                      kSchemaOptions, ") -> CompiledGrammar");
    compiler.def(
        name,
        [compile, name](const Compiler& self, const nb::object& tag, const nb::kwargs& options) {
          const nb::str text = json_text(tag);
          const std::string_view view = utf8(text);
          const StructuralTagOptions given = structural_tag_options(options);
          return compile_from(self, view, kTagName, recipe(name, text, options),
                              [&](const GrammarCompiler& c) { return (c.*compile)(view, given); });
        },
        nb::arg(argument), "options"_a, nb::sig(sig.c_str()), doc);
  };
  def_tag("compile_structural_tag", "tag", &GrammarCompiler::compile_structural_tag,
          R"(Compiles a structural tag: which parts of the output follow which format (docs/structural_tags.md).

tag: its JSON text, or the dict (or list) that the text stands for.
The options, for the schemas in it, are those of compile_json_schema.
Names of special tokens in it are those tokens. Raises GrammarError, with `pointer`.)");
  def_tag("compile_response_format", "response_format", &GrammarCompiler::compile_response_format,
          R"(Compiles a response_format as OpenAI-compatible servers take it (docs/structural_tags.md).

Otherwise as compile_structural_tag.)");
  compiler.def(
      "compile_choice",
      [](const Compiler& self, const std::vector<std::string>& strings) {
        return compile_from(self, "", kGrammarName, recipe("compile_choice", nb::cast(strings)),
                            [&](const GrammarCompiler& c) { return c.compile_choice(strings); });
      },
      "strings"_a, "One of these strings. Raises GrammarError: there are none.");
  compiler.def(
      "compile_substring",
      [](const Compiler& self, const nb::str& text, const std::string& unit) {
        const std::string_view view = utf8(text);
        const SubstringUnit given = substring_unit(unit);
        return compile_from(self, view, kGrammarName, recipe("compile_substring", text, unit_option(unit)),
                            [&](const GrammarCompiler& c) { return c.compile_substring(view, given); });
      },
      "text"_a, nb::kw_only(), "unit"_a = "word",
      nb::sig("def compile_substring(self, text: str, *, unit: typing.Literal['word', 'character'] = 'word') -> "
              "CompiledGrammar"),
      "Any stretch of `text` made of whole units, and the empty string. Raises GrammarError; ValueError: another "
      "unit.");
  compiler.def(
      "compile_substring_chunks",
      [](const Compiler& self, const std::vector<std::string>& chunks) {
        return compile_from(self, "", kGrammarName, recipe("compile_substring_chunks", nb::cast(chunks)),
                            [&](const GrammarCompiler& c) { return c.compile_substring_chunks(chunks); });
      },
      "chunks"_a, "Any run of these chunks as they follow one another, and the empty string. Raises GrammarError.");
  compiler.def(
      "compile_json",
      [](const Compiler& self) {
        return compile_from(self, "true", kSchemaName, recipe("compile_json_schema", nb::str("true")),
                            [&](const GrammarCompiler& c) { return c.compile_json_schema("true"); });
      },
      "Any JSON value.");
  compiler.def(
      "compile_json_object",
      [](const Compiler& self) {
        constexpr std::string_view kObject = R"({"type": "object"})";
        return compile_from(self, kObject, kSchemaName, recipe("compile_json_schema", to_str(kObject)),
                            [&](const GrammarCompiler& c) { return c.compile_json_schema(kObject); });
      },
      "Any JSON object.");
}

// Adds `name`, which calls the method `compiles` on a thread of weir._background.
template <typename Class>
void def_submit(Class& compiler, const char* name, const char* compiles, const char* parameter, const char* options) {
  const std::string head = std::string(name) + "(self, " + parameter;
  const char* const future = ") -> concurrent.futures.Future[CompiledGrammar]";
  const std::string signed_as = *options != 0 ? signature(head, options, future) : "def " + head + future;
  const std::string doc = std::string(compiles) + " on another thread, beside what the caller does: a future of it.";
  compiler.def(
      name,
      [compiles](const nb::object& self, const nb::args& arguments, const nb::kwargs& given) {
        const nb::object submit = nb::module_::import_("weir._background").attr("submit");
        return submit(self.attr(compiles), *arguments, **given);
      },
      nb::sig(signed_as.c_str()), doc.c_str());
}

void bind_submitting(nb::module_& module) {
  auto compiler = nb::borrow<nb::class_<Compiler>>(module.attr("GrammarCompiler"));
  def_submit(compiler, "submit", "compile", "grammar: Grammar", "");
  def_submit(compiler, "submit_grammar", "compile_grammar", "text: str", kTextOptions);
  def_submit(compiler, "submit_regex", "compile_regex", "pattern: str", kRegexOptions);
  def_submit(compiler, "submit_json_schema", "compile_json_schema",
             "schema: str | bool | dict[str, typing.Any] | object", kSchemaOptions);
}

}  // namespace

double compile_seconds_of(nb::handle compiled) { return nb::cast<const Compiled&>(compiled).seconds; }

const CompiledGrammar& compiled_grammar_of(nb::handle object) {
  if (!is_made<Compiled>(object)) {
    const std::string found = nb::type_name(object.type()).c_str();
    throw nb::type_error(("`compiled_grammar` must be a CompiledGrammar, not " + found).c_str());
  }
  return nb::cast<const Compiled&>(object).grammar;
}

void bind_compiler(nb::module_& module) {
  module.def(
      "structural_tag_for_tools",
      [](const std::string& style, const nb::str& tools, const std::string& tool_choice, bool parallel_tool_calls,
         const std::string& reasoning) {
        ToolOptions options{.tool_choice = tool_choice, .parallel_tool_calls = parallel_tool_calls};
        if (reasoning == "whole") {
          options.reasoning = ToolOptions::Reasoning::kWhole;
        } else if (reasoning == "begun") {
          options.reasoning = ToolOptions::Reasoning::kBegun;
        } else if (reasoning != "none") {
          throw nb::value_error("`reasoning` must be \"none\", \"whole\" or \"begun\"");
        }
        const std::string_view view = utf8(tools);
        return build_from(view, "<tools>", [&] { return structural_tag_for_tools(style, view, options); });
      },
      "style"_a, "tools"_a, "tool_choice"_a, "parallel_tool_calls"_a, "reasoning"_a);
  module.def("tool_styles", [] {
    std::vector<std::string> names;
    for (const std::string_view name : tool_styles()) names.emplace_back(name);
    return names;
  });
  bind_grammar(module);
  bind_compiled(module);
  bind_grammar_compiler(module);
  bind_submitting(module);
}

}  // namespace weir::python
