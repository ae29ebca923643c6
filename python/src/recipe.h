// Recipes: the method, the arguments and the options that made an object. Pickling stores the recipe, and unpickling
// calls the method again (weir/_pickling.py).
#ifndef WEIR_PYTHON_SRC_RECIPE_H_
#define WEIR_PYTHON_SRC_RECIPE_H_

#include <nanobind/nanobind.h>

#include <string>
#include <utility>

#include "weir/limits.h"

namespace weir::python {

/// Returns (method, arguments, options). Options whose values are mappings, which the caller may change later, are copied;
/// the others are names and numbers.
inline nanobind::tuple recipe(const char* method, const nanobind::object& argument,
                              nanobind::dict options = nanobind::dict()) {
  for (const char* mapping : {"documents", "grammars", "json_schema"}) {
    if (!options.contains(mapping)) continue;
    options = nanobind::borrow<nanobind::dict>(nanobind::module_::import_("copy").attr("deepcopy")(options));
    break;
  }
  return nanobind::make_tuple(method, nanobind::make_tuple(argument), std::move(options));
}

/// Returns what made an object, for its repr: "from_regex, 12 characters", of a recipe and the text that was read.
inline std::string made_in_words(const nanobind::tuple& recipe, const nanobind::str& text) {
  const std::size_t length = nanobind::len(text);
  return nanobind::cast<std::string>(recipe[0]) +
         (length == 0 ? "" : ", " + std::to_string(length) + (length == 1 ? " character" : " characters"));
}

/// Returns the options of a recipe that has one.
inline nanobind::dict one_option(const char* name, const std::string& value) {
  nanobind::dict out;
  out[name] = nanobind::str(value.data(), value.size());
  return out;
}

inline constexpr const char* kReduceSignature = "def __reduce__(self) -> tuple[typing.Any, ...]";

/// Returns the result of __reduce__: weir._pickling.`function` makes the object from `arguments`.
template <typename... Arguments>
nanobind::tuple reduced(const char* function, const Arguments&... arguments) {
  return nanobind::make_tuple(nanobind::module_::import_("weir._pickling").attr(function),
                              nanobind::make_tuple(arguments...));
}

/// Defines __copy__ and __deepcopy__ of an immutable class: both return the object itself.
template <typename Class>
void def_immutable_copy(Class& bound) {
  bound.def("__copy__", [](nanobind::object self) { return self; });
  bound.def("__deepcopy__", [](nanobind::object self, const nanobind::object&) { return self; });
}

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_RECIPE_H_
