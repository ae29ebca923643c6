// weir.Grammar, and what reading a grammar and compiling one have in common: texts, options, errors.
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

/// A Grammar, the text that it was read from, for errors of compiling it, and by which call, for pickling.
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

/// With the places as indices of the text in Python.
std::vector<GrammarWarning> to_python(const std::vector<Warning>& warnings, std::string_view text);

void bind_grammar(nanobind::module_& module);

/// Calls `build`, without Python's lock, and raises its error as one in `text`.
template <typename Build>
auto build_from(std::string_view text, const char* name, const Build& build) {
  auto made = [&] {
    const nanobind::gil_scoped_release released;
    return build();
  }();
  if (!made) raise_grammar_error(made.error(), text, name);
  return *std::move(made);
}

/// Whether the object is one of T's; of one that __new__ alone has made there is nothing inside.
template <typename T>
bool is_made(nanobind::handle object) {
  return nanobind::isinstance<T>(object) && nanobind::inst_ready(object);
}

// What texts are called in messages.
inline constexpr const char* kGrammarName = "<grammar>";
inline constexpr const char* kPatternName = "<pattern>";
inline constexpr const char* kSchemaName = "<schema>";
inline constexpr const char* kTagName = "<structural tag>";

// Options as keyword arguments: as they stand in signatures, as C++ has them, and for pickling.

extern const char* const kTextOptions;
extern const char* const kTextOptionsDoc;
extern const char* const kRegexOptions;
extern const char* const kSchemaOptions;

/// "def " + head + ", " + options + tail.
std::string signature(const std::string& head, const char* options, const std::string& tail);

GrammarTextOptions text_options(const std::string& syntax, const std::string& start, bool exact_splits,
                                bool keep_endless, const std::map<std::string, std::string>& grammars);
StructuralTagOptions structural_tag_options(const nanobind::kwargs& schema_options);
SubstringUnit substring_unit(const std::string& name);

nanobind::dict to_dict(const GrammarTextOptions& options);
nanobind::dict start_option(const std::string& start);
nanobind::dict unit_option(const std::string& unit);

/// The JSON text of a schema, and of a structural tag or response format, in any of the forms in which they are given.
nanobind::str schema_text(const nanobind::object& schema);
nanobind::str json_text(const nanobind::object& document);

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_GRAMMAR_H_
