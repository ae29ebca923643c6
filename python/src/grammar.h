// weir.Grammar, and what reading, compiling and checking a grammar have in common.
#ifndef WEIR_PYTHON_SRC_GRAMMAR_H_
#define WEIR_PYTHON_SRC_GRAMMAR_H_

#include <nanobind/nanobind.h>

#include <cstddef>
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
  std::string pointer;
  nanobind::str text;  // what start and end are indices of
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
inline constexpr const char* kResponseFormatName = "<response format>";

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_GRAMMAR_H_
