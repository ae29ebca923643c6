// weir.GrammarCompiler, weir.CompiledGrammar
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "bindings.h"
#include "errors.h"
#include "grammar.h"
#include "kinds.h"
#include "options.h"
#include "recipe.h"
#include "weir/compiler.h"
#include "weir/languages.h"
#include "weir/strict_schema.h"
#include "weir/tools.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace weir::python {

namespace {

// A GrammarCompiler and the Python object of its tokenizer, so that all users share one object.
struct Compiler {
  GrammarCompiler compiler;
  nb::object tokenizer;
};

// A CompiledGrammar, its warnings (with ranges as indices of the str in Python), its tokenizer, the recipe that made
// it, and the time that it took.
struct Compiled {
  CompiledGrammar grammar;
  std::vector<GrammarWarning> warnings;
  nb::object tokenizer;
  Limits limits;
  nb::tuple made_by;
  double seconds;
};

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

// Defines the method `name`, which compiles an input of this kind.
template <typename Options, typename Argument, typename Compile>
void def_compile(nb::class_<Compiler>& compiler, const char* name, const Kind<Options, Argument>& kind, Compile compile,
                 const std::string& doc) {
  const std::string sig = kind.signature(std::string(name) + "(self, ", ") -> CompiledGrammar");
  compiler.def(
      name,
      [=](const Compiler& self, const Argument& argument, const nb::kwargs& options) {
        const nb::str text = kind.to_text(argument);
        const std::string_view view = utf8(text);
        const Options given = kind.to_options(options);
        return compile_from(self, view, kind.text_name, recipe(name, text, options),
                            [&](const GrammarCompiler& c) { return (c.*compile)(view, given); });
      },
      nb::arg(kind.argument), "options"_a, nb::sig(sig.c_str()), doc.c_str());
}

// Defines the method `name`, which compiles a grammar of a list of strings.
template <typename Compile>
void def_compile_strings(nb::class_<Compiler>& compiler, const char* name, const char* argument, Compile compile,
                         const char* doc) {
  compiler.def(
      name,
      [=](const Compiler& self, const std::vector<std::string>& strings) {
        return compile_from(self, "", kGrammarName, recipe(name, nb::cast(strings)),
                            [&](const GrammarCompiler& c) { return (c.*compile)(strings); });
      },
      nb::arg(argument), doc);
}

void bind_compiled(nb::module_& module) {
  nb::class_<GrammarWarning>(
      module, "GrammarWarning",
      "Something in a grammar that is allowed but probably not intended. `start` and `end` are "
      "indices of `text`, which is that of the\ngrammar or, if a structural tag was made of tools, "
      "their list; `pointer` is as in GrammarError, and `code` names the kind (docs/diagnostics.md).")
      .def_ro("message", &GrammarWarning::message)
      .def_ro("start", &GrammarWarning::start)
      .def_ro("end", &GrammarWarning::end)
      .def_ro("hint", &GrammarWarning::hint)
      .def_ro("code", &GrammarWarning::code)
      .def_ro("pointer", &GrammarWarning::pointer)
      .def_ro("text", &GrammarWarning::text)
      .def("__repr__", [](const GrammarWarning& self) {
        return "<weir.GrammarWarning at " + std::to_string(self.start) + ": " + self.message + ">";
      });
  auto compiled = nb::class_<Compiled>(module, "CompiledGrammar",
                                       R"(A grammar compiled for a tokenizer. Matchers are made from it.

States are explored when a matcher first reaches them, and all matchers of the grammar share them. Safe to share between
threads. A pickle contains the text, options, limits and tokenizer, but not the explored states.)");
  def_immutable_copy(compiled);
  compiled
      .def("__repr__",
           [](const Compiled& self) {
             return "<weir.CompiledGrammar: " + nb::cast<std::string>(self.made_by[0]) + ", for " +
                    std::to_string(self.grammar.tokenizer_info().vocab_size()) + " tokens>";
           })
      .def_prop_ro(
          "tokenizer_info", [](const Compiled& self) { return self.tokenizer; },
          nb::sig("def tokenizer_info(self) -> TokenizerInfo"))
      .def(
          "__reduce__",
          [](const Compiled& self) { return reduced("load_compiled", self.tokenizer, self.limits, self.made_by); },
          nb::sig(kReduceSignature))
      .def_ro("warnings", &Compiled::warnings, "The warnings of the grammar and of compiling it, without duplicates.")
      .def(
          "stats",
          [](const Compiled& self) {
            const nb::gil_scoped_release released;
            return self.grammar.stats();
          },
          "Returns counts of what all matchers together have explored.")
      .def(
          "warm_up",
          [](const Compiled& self, std::int64_t work) {
            if (work < 0) throw nb::value_error("`work` must be a count of steps that is not negative");
            const nb::gil_scoped_release released;
            return self.grammar.warm_up({.work = static_cast<std::uint64_t>(work)});
          },
          nb::kw_only(), "work"_a = static_cast<std::int64_t>(WarmUpOptions().work),
          R"(Explores the states that outputs are likely to meet, so that their masks are known when a matcher asks for them.

work: steps, as Limits.call_work counts them, of 0.03 to 0.1 microseconds; those of earlier calls for the same grammar
    count too, so a server may make the same call for each request.
Call it while the model reads its prompt, on a thread of its own; or give the `submit` methods `warm_up=True`. Python's
lock (GIL) is released, and matchers of the grammar may ask meanwhile. No result changes by it.
Raises ValueError: `work` is negative.)")
      .def(
          "stop_warm_up", [](const Compiled& self) { self.grammar.stop_warm_up(); },
          R"(Ends the calls of `warm_up` for this grammar that are running now in other threads, whoever has made them.

Each returns within some tenths of a millisecond; this method does not wait for them. What they have explored is kept.)");
}

void bind_grammar_compiler(nb::module_& module) {
  auto compiler = nb::class_<Compiler>(module, "GrammarCompiler", R"(Compiles grammars for a tokenizer.

limits: the limits of everything that this object compiles; None: the defaults.
All methods may be called from several threads at once. Python's lock (GIL) is released while a grammar is compiled.

The methods that compile raise GrammarError for an error in a text, with its position.)");
  compiler.def("__repr__", [](const Compiler& self) {
    return "<weir.GrammarCompiler: for " + std::to_string(self.compiler.tokenizer_info().vocab_size()) + " tokens>";
  });
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
      "grammar"_a, "Compiles a grammar that was read before. Raises GrammarError.");
  def_compile(compiler, "compile_grammar", kTextKind, &GrammarCompiler::compile_text,
              std::string("Compiles a grammar.\n\n") + docs<GrammarTextOptions>() +
                  "Raises GrammarError. ValueError: no such syntax.\nCost: linear in the grammar.");
  compiler.def(
      "cache_stats", [](const Compiler& self) { return self.compiler.cache_stats(); },
      "Returns counts of the cache. Compiling a text again with the same options returns the cached grammar with its "
      "explored states\n(see Limits.cache_memory).");
  compiler.def(
      "clear_cache", [](const Compiler& self) { self.compiler.clear_cache(); },
      "Removes all grammars from the cache; those in use stay valid.");
  def_compile(compiler, "compile_regex", kRegexKind, &GrammarCompiler::compile_regex,
              "Compiles a regular expression, which the whole output must match (docs/regex.md).\n\nRaises "
              "GrammarError.");
  def_compile(compiler, "compile_json_schema", kSchemaKind, &GrammarCompiler::compile_json_schema,
              R"(Compiles a JSON Schema; outputs are the JSON texts that are valid under it.

schema: its JSON text, the dict (or bool) that the text denotes, a pydantic model, or any object with a method
    `model_json_schema` or `json_schema`.
docs/json_schema.md describes the options: dialect, references, white space, order of members, alternative spellings.
Raises GrammarError; its `pointer` is the JSON Pointer of the error. ValueError: an invalid value of an option.
    TypeError: not a schema, or no such option.)");
  def_compile(
      compiler, "compile_structural_tag", kTagKind, &GrammarCompiler::compile_structural_tag,
      R"(Compiles a structural tag, which says what parts of the output have which format (docs/structural_tags.md).

tag: its JSON text, or the dict (or list) that the text denotes.
The options apply to the schemas in it and are those of compile_json_schema.
Names of special tokens in it denote those tokens.
Raises GrammarError; its `pointer` is the JSON Pointer of the error.)");
  def_compile(compiler, "compile_response_format", kResponseFormatKind, &GrammarCompiler::compile_response_format,
              R"(Compiles a response_format of OpenAI-compatible servers (docs/structural_tags.md).

Otherwise as compile_structural_tag.)");
  def_compile_strings(compiler, "compile_choice", "strings", &GrammarCompiler::compile_choice,
                      "Compiles a grammar whose texts are these strings. Raises GrammarError: there are no strings.");
  compiler.def(
      "compile_substring",
      [](const Compiler& self, const nb::str& text, const std::string& unit) {
        const std::string_view view = utf8(text);
        const SubstringUnit given = substring_unit(unit);
        return compile_from(self, view, kGrammarName, recipe("compile_substring", text, one_option("unit", unit)),
                            [&](const GrammarCompiler& c) { return c.compile_substring(view, given); });
      },
      "text"_a, nb::kw_only(), "unit"_a = "word",
      nb::sig("def compile_substring(self, text: str, *, unit: typing.Literal['word', 'character'] = 'word') -> "
              "CompiledGrammar"),
      "Compiles a grammar whose texts are the substrings of `text` that consist of whole units, and the empty string."
      "\n\nRaises GrammarError. ValueError: no such unit.");
  def_compile_strings(compiler, "compile_substring_chunks", "chunks", &GrammarCompiler::compile_substring_chunks,
                      "Compiles a grammar whose texts are the concatenations of consecutive chunks, and the empty "
                      "string.\n\nRaises GrammarError.");
  compiler.def(
      "compile_json",
      [](const Compiler& self) {
        return compile_from(self, "true", kSchemaName, recipe("compile_json_schema", nb::str("true")),
                            [&](const GrammarCompiler& c) { return c.compile_json_schema("true"); });
      },
      "Compiles a grammar whose texts are all JSON values.");
  compiler.def(
      "compile_json_object",
      [](const Compiler& self) {
        constexpr std::string_view kObject = R"({"type": "object"})";
        return compile_from(self, kObject, kSchemaName, recipe("compile_json_schema", to_str(kObject)),
                            [&](const GrammarCompiler& c) { return c.compile_json_schema(kObject); });
      },
      "Compiles a grammar whose texts are all JSON objects.");
}

// Defines the method `name`, which calls the method `compiles` on a thread of weir._background.
void def_submit(nb::class_<Compiler>& compiler, const char* name, const char* compiles, const std::string& signed_as) {
  const std::string doc = "Calls " + std::string(compiles) +
                          " on another thread and returns a future of its result.\n\nwarm_up: True: "
                          "CompiledGrammar.warm_up then follows in the background; a number: with so much work.\n"
                          "    The future does not wait for it; the exit of the interpreter does.";
  compiler.def(
      name,
      [compiles](const nb::object& self, const nb::args& arguments, const nb::kwargs& given) {
        if (!is_made<Compiler>(self)) throw nb::type_error("`self` must be a GrammarCompiler");
        const nb::object submit = nb::module_::import_("weir._background").attr("submit");
        const nb::object method = self.attr(compiles);  // nanobind ends the process if this fails inside the call
        return submit(method, *arguments, **given);
      },
      nb::sig(signed_as.c_str()), doc.c_str());
}

void bind_submitting(nb::module_& module) {
  auto compiler = nb::borrow<nb::class_<Compiler>>(module.attr("GrammarCompiler"));
  constexpr const char* kEnd = ", warm_up: bool | int = False) -> concurrent.futures.Future[CompiledGrammar]";
  def_submit(compiler, "submit", "compile", std::string("def submit(self, grammar: Grammar, *") + kEnd);
  const auto def = [&](const char* name, const char* compiles, const auto& kind) {
    def_submit(compiler, name, compiles, kind.signature(std::string(name) + "(self, ", kEnd));
  };
  def("submit_grammar", "compile_grammar", kTextKind);
  def("submit_regex", "compile_regex", kRegexKind);
  def("submit_json_schema", "compile_json_schema", kSchemaKind);
}

}  // namespace

double compile_seconds_of(nb::handle compiled) { return nb::cast<const Compiled&>(compiled).seconds; }

const CompiledGrammar& compiled_grammar_of(nb::handle object) {
  if (!is_made<Compiled>(object)) {
    throw nb::type_error(("`compiled_grammar` must be a CompiledGrammar, not " + kind_of(object)).c_str());
  }
  return nb::cast<const Compiled&>(object).grammar;
}

void bind_compiler(nb::module_& module) {
  module.def(
      "strict_json_schema",
      [](const nb::object& schema, const std::optional<Limits>& limits) {
        const nb::str as_json = schema_text(schema);
        const std::string_view text = utf8(as_json);
        return build_from(text, kSchemaName, [&] { return strict_json_schema(text, to_limits(limits)); });
      },
      "schema"_a, nb::kw_only(), "limits"_a = nb::none(),
      nb::sig("def strict_json_schema(schema: str | bool | dict[str, typing.Any] | object, *, limits: Limits | None = "
              "None) "
              "-> str"),
      "Returns the text of a JSON Schema in strict mode: no other members and items than those that it lists. "
      "docs/json_schema.md says when a schema is closed.\n\n"
      "    weir.strict_json_schema('{\"properties\": {\"a\": {}}}')\n\n"
      "Raises GrammarError: the text is not JSON, or exceeds a limit.");
  module.def(
      "structural_tag_for_tools",
      [](const std::string& style, const nb::str& tools, const std::string& tool_choice, bool parallel_tool_calls,
         const std::string& reasoning, std::uint32_t max_reasoning_tokens, const std::string& reasoning_closing,
         const std::string& response_format, const std::string& on_bad_tool) {
        const ToolOptions options = to_tool_options(tool_choice, parallel_tool_calls, reasoning, max_reasoning_tokens,
                                                    reasoning_closing, response_format, on_bad_tool);
        const std::string_view view = utf8(tools);
        auto made = [&] {
          const nb::gil_scoped_release released;
          return structural_tag_for_tools(style, view, options);
        }();
        if (!made) raise_tool_error(std::move(made.error()), view);
        return *std::move(made);
      },
      "style"_a, "tools"_a, "tool_choice"_a, "parallel_tool_calls"_a, "reasoning"_a, "max_reasoning_tokens"_a,
      "reasoning_closing"_a, "response_format"_a, "on_bad_tool"_a);
  module.def("language_names", [] {
    std::vector<std::string> names;
    for (const std::string_view name : language_names()) names.emplace_back(name);
    return names;
  });
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

ToolOptions to_tool_options(const std::string& tool_choice, bool parallel_tool_calls, const std::string& reasoning,
                            std::uint32_t max_reasoning_tokens, const std::string& reasoning_closing,
                            const std::string& response_format, const std::string& on_bad_tool) {
  ToolOptions options{.tool_choice = tool_choice,
                      .parallel_tool_calls = parallel_tool_calls,
                      .max_reasoning_tokens = max_reasoning_tokens,
                      .reasoning_closing = reasoning_closing,
                      .response_format = response_format};
  if (reasoning == "whole") {
    options.reasoning = ToolOptions::Reasoning::kWhole;
  } else if (reasoning == "begun") {
    options.reasoning = ToolOptions::Reasoning::kBegun;
  } else if (reasoning == "auto") {
    options.reasoning = ToolOptions::Reasoning::kAuto;
  } else if (reasoning != "none") {
    throw nb::value_error("`reasoning` must be \"none\", \"whole\", \"begun\" or \"auto\"");
  }
  if (on_bad_tool == "loosen") {
    options.on_bad_tool = ToolOptions::OnBadTool::kLoosen;
  } else if (on_bad_tool == "drop") {
    options.on_bad_tool = ToolOptions::OnBadTool::kDrop;
  } else if (on_bad_tool != "refuse") {
    const nb::str message =
        nb::str("`on_bad_tool` must be \"refuse\", \"loosen\" or \"drop\", not {!r:.40}").format(on_bad_tool);
    throw nb::value_error(message.c_str());
  }
  return options;
}

void raise_tool_error(Error error, std::string_view tools) {
  const bool has_place = error.code == ErrorCode::kSyntax || error.where != SourceRange{} || !error.pointer.empty();
  if (!has_place) raise_grammar_error(std::move(error));
  raise_grammar_error(std::move(error), tools, "<tools>");
}

}  // namespace weir::python
