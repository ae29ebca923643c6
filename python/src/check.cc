// Checks, which return all findings about a text as data.
#include "weir/check.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

#include "bindings.h"
#include "kinds.h"
#include "options.h"
#include "recipe.h"
#include "weir/explain.h"

namespace nb = nanobind;
using namespace nanobind::literals;  // NOLINT(google-build-using-namespace): "name"_a

namespace weir::python {

namespace {

// A diagnostic whose ranges are indices of the str in Python.
struct Finding {
  Diagnostic found;
  nb::str text;
  std::size_t start;
  std::size_t end;
  std::vector<PlacedNote> notes;
  std::optional<PlacedFix> fix;
  std::string picture;
};

Finding finding_of(Diagnostic found, const nb::str& read, const char* name) {
  const nb::str text = found.text != nullptr ? to_str(*found.text) : read;
  const TextToCheck view(text);
  Finding out{std::move(found), text, 0, 0, {}, {}, {}};
  out.start = str_index(view, out.found.where.start);
  out.end = str_index(view, out.found.where.end);
  out.notes = placed(out.found.notes, view);
  out.fix = placed(out.found.fix, view);
  out.found.hint = in_python_words(std::move(out.found.hint));
  out.picture = render(out.found, view, name);
  out.picture.pop_back();  // removes the line feed at the end
  return out;
}

template <typename Find>
std::vector<Finding> check(const nb::str& text, const char* name, const std::optional<Limits>& limits,
                           const Find& find) {
  const TextToCheck view(text);
  std::vector<Diagnostic> found = [&] {
    const nb::gil_scoped_release released;
    return find(view, limits.value_or(Limits{}));
  }();
  std::vector<Finding> out;
  for (Diagnostic& one : found) out.push_back(finding_of(std::move(one), text, name));
  return out;
}

constexpr const char* kEqualsSignature = "def __eq__(self, other: object, /) -> bool";

template <typename T>
bool equals(const T& one, const T& other) {
  return one == other;
}

void bind_findings(nb::module_& module) {
  nb::class_<PlacedNote>(module, "DiagnosticNote",
                         "A position that is related to an error or a warning: text[start:end], empty if it is in "
                         "another\ndocument. `location` is a position in a JSON Schema, such as '#/a/minLength'.")
      .def(
          "__init__",
          [](PlacedNote* self, std::string message, std::size_t start, std::size_t end, std::string location) {
            new (self) PlacedNote{std::move(message), start, end, std::move(location)};
          },
          "message"_a, "start"_a, "end"_a, "location"_a = "")
      .def_ro("message", &PlacedNote::message)
      .def_ro("start", &PlacedNote::start)
      .def_ro("end", &PlacedNote::end)
      .def_ro("location", &PlacedNote::location)
      .def("__eq__", equals<PlacedNote>, nb::is_operator(), nb::sig(kEqualsSignature))
      .def("__repr__",
           [](const PlacedNote& self) {
             return nb::str("DiagnosticNote({!r}, {}, {}{})")
                 .format(self.message, self.start, self.end,
                         self.location.empty() ? nb::str("") : nb::str(", location={!r}").format(self.location));
           })
      .def(
          "__reduce__",
          [](const PlacedNote& self) {
            return nb::make_tuple(nb::type<PlacedNote>(),
                                  nb::make_tuple(self.message, self.start, self.end, self.location));
          },
          nb::sig(kReduceSignature));
  nb::class_<PlacedFix>(module, "Fix",
                        "A change that fixes a text: the fixed text is text[:start] + replacement + text[end:].")
      .def(
          "__init__",
          [](PlacedFix* self, std::size_t start, std::size_t end, std::string replacement) {
            new (self) PlacedFix{start, end, std::move(replacement)};
          },
          "start"_a, "end"_a, "replacement"_a)
      .def_ro("start", &PlacedFix::start)
      .def_ro("end", &PlacedFix::end)
      .def_ro("replacement", &PlacedFix::replacement)
      .def("__eq__", equals<PlacedFix>, nb::is_operator(), nb::sig(kEqualsSignature))
      .def("__repr__",
           [](const PlacedFix& self) {
             return nb::str("Fix({}, {}, {!r})").format(self.start, self.end, self.replacement);
           })
      .def(
          "__reduce__",
          [](const PlacedFix& self) {
            return nb::make_tuple(nb::type<PlacedFix>(), nb::make_tuple(self.start, self.end, self.replacement));
          },
          nb::sig(kReduceSignature));
  const auto text_of = [](auto member) { return [member](const Finding& self) { return self.found.*member; }; };
  nb::class_<Finding>(module, "Diagnostic",
                      R"(An error or a warning about a text. str() shows the line, with a caret under the range.

`severity` is "error" or "warning"; `code` names the kind (docs/diagnostics.md). `start` and `end` are indices of
`text`; if a schema was given as a dict, `text` is its JSON, and of tools that a structural tag was made of, their list.
`hint`, `limit`, `options` and `pointer` are as in GrammarError.)")
      .def_prop_ro("severity", [](const Finding& self) { return to_str(to_string(self.found.severity)); })
      .def_prop_ro("code", text_of(&Diagnostic::code))
      .def_prop_ro("message", text_of(&Diagnostic::message))
      .def_prop_ro("hint", text_of(&Diagnostic::hint))
      .def_prop_ro("limit", text_of(&Diagnostic::limit))
      .def_prop_ro(
          "options", [](const Finding& self) { return to_str(self.found.options).attr("split")(); },
          nb::sig("def options(self) -> list[str]"))
      .def_prop_ro("pointer", text_of(&Diagnostic::pointer))
      .def_ro("text", &Finding::text)
      .def_ro("start", &Finding::start)
      .def_ro("end", &Finding::end)
      .def_ro("notes", &Finding::notes)
      .def_ro("fix", &Finding::fix, "The change that carries out the hint, or None.")
      .def("__str__", [](const Finding& self) { return self.picture; })
      .def("__repr__", [](const Finding& self) {
        return "<weir.Diagnostic at " + std::to_string(self.start) + ": " +
               std::string(to_string(self.found.severity)) + ": " + self.found.message + ">";
      });
}

constexpr const char* kTail = ", limits: Limits | None = None) -> list[Diagnostic]";

// Defines the function `name`, which returns the findings about an input of this kind.
template <typename Options, typename Argument, typename Find>
void def_check(nb::module_& module, const char* name, const Kind<Options, Argument>& kind, Find find,
               const std::string& doc) {
  const std::string sig = kind.signature(std::string(name) + "(", kTail);
  module.def(
      name,
      [=](const Argument& argument, const std::optional<Limits>& limits, const nb::kwargs& options) {
        const Options given = kind.to_options(options);
        return check(kind.to_text(argument), kind.text_name, limits,
                     [&](std::string_view text, const Limits& under) { return find(text, given, under); });
      },
      nb::arg(kind.argument), nb::kw_only(), "limits"_a = nb::none(), "options"_a, nb::sig(sig.c_str()), doc.c_str());
}

}  // namespace

void bind_check(nb::module_& module) {
  bind_findings(module);
  def_check(module, "check_grammar", kTextKind, weir::check_grammar,
            std::string("Returns all errors of a grammar, or all warnings if there are no errors, in the order of the "
                        "text.\n\n") +
                docs<GrammarTextOptions>() +
                "Errors in the grammar do not raise exceptions.\nCost: as building the grammar, and a bounded search "
                "for redundant alternatives.");
  def_check(module, "check_regex", kRegexKind, weir::check_regex, "As check_grammar, for a regular expression.");
  def_check(module, "check_schema", kSchemaKind, weir::check_schema, "As check_grammar, for a JSON Schema.");
  const std::string refusal = std::string("def explain_refusal(schema: ") + kSchemaKind.type + ", text: str | bytes, " +
                              signature<JsonSchemaOptions>() + kTail;
  module.def(
      "explain_refusal",
      [](const nb::object& schema, const nb::object& text, const std::optional<Limits>& limits,
         const nb::kwargs& options) {
        const JsonSchemaOptions given = json_schema_options(options);
        const std::string refused(text_or_bytes(text, "text"));
        return check(schema_text(schema), kSchemaName, limits, [&](std::string_view view, const Limits& under) {
          return weir::explain_refusal(view, refused, given, under);
        });
      },
      "schema"_a, "text"_a, nb::kw_only(), "limits"_a = nb::none(), "options"_a, nb::sig(refusal.c_str()),
      "Returns the keywords of a JSON Schema that refuse a text at its first refused byte, as findings about the "
      "schema's "
      "text;\nan empty list if the text, or a continuation of it, is in the schema's language.");
  def_check(module, "check_structural_tag", kTagKind, weir::check_structural_tag,
            "As check_grammar, for a structural tag and the schemas, grammars and patterns in it.");
  def_check(module, "check_response_format", kResponseFormatKind, weir::check_response_format,
            "As check_grammar, for a response_format.");
}

}  // namespace weir::python
