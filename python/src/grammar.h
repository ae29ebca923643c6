// weir.Grammar, and functions for reading and for compiling grammars: texts, options, errors.
#ifndef WEIR_PYTHON_SRC_GRAMMAR_H_
#define WEIR_PYTHON_SRC_GRAMMAR_H_

#include <nanobind/nanobind.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "errors.h"
#include "weir/grammar.h"

namespace weir::python {

/// A Grammar, the text that it was read from (for compile errors), and the call that made it (for pickling).
struct GrammarWithText {
  Grammar grammar;
  nanobind::str text;
  const char* name;
  nanobind::tuple made_by;
};

struct GrammarWarning {
  std::string message;
  std::size_t start = 0;
  std::size_t end = 0;
  std::string hint;
  std::string code;
};

/// Returns the warnings with ranges that are indices of the str in Python.
std::vector<GrammarWarning> to_python(const std::vector<Warning>& warnings, std::string_view text);

void bind_grammar(nanobind::module_& module);

/// Calls `build` without Python's lock (GIL) and returns its value; raises its error as a GrammarError in `text`.
template <typename Build>
auto build_from(std::string_view text, const char* name, const Build& build) {
  auto made = [&] {
    const nanobind::gil_scoped_release released;
    return build();
  }();
  if (!made) raise_grammar_error(made.error(), text, name);
  return *std::move(made);
}

/// Returns true if the object is a T that was initialized. An object that was made by __new__ alone holds no value.
template <typename T>
bool is_made(nanobind::handle object) {
  return nanobind::isinstance<T>(object) && nanobind::inst_ready(object);
}

// The names of texts in messages.
inline constexpr const char* kGrammarName = "<grammar>";
inline constexpr const char* kPatternName = "<pattern>";
inline constexpr const char* kSchemaName = "<schema>";
inline constexpr const char* kTagName = "<structural tag>";

// Options as keyword arguments: their text in signatures, their conversion to C++ options, and to a dict for pickling.

extern const char* const kTextOptions;
extern const char* const kTextOptionsDoc;
extern const char* const kRegexOptions;
extern const char* const kSchemaOptions;

/// Returns "def " + head + ", " + options + tail.
std::string signature(const std::string& head, const char* options, const std::string& tail);

GrammarTextOptions text_options(const std::string& syntax, const std::string& start, bool exact_splits,
                                bool keep_endless, const std::map<std::string, std::string>& grammars,
                                const nanobind::dict& json_schema);
StructuralTagOptions structural_tag_options(const nanobind::kwargs& schema_options);
SubstringUnit substring_unit(const std::string& name);

/// json_schema: the argument from which options.json_schema was made; it is copied.
nanobind::dict to_dict(const GrammarTextOptions& options, const nanobind::dict& json_schema);
nanobind::dict start_option(const std::string& start);
nanobind::dict unit_option(const std::string& unit);

/// Return the JSON text of a schema, and of a structural tag or response format, from any form that the API accepts.
nanobind::str schema_text(const nanobind::object& schema);
nanobind::str json_text(const nanobind::object& document);

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_GRAMMAR_H_
