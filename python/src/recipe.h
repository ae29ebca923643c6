// Recipes: the method, the arguments and the options that made an object. Pickling stores the recipe, and unpickling
// calls the method again (weir/_pickling.py).
#ifndef WEIR_PYTHON_SRC_RECIPE_H_
#define WEIR_PYTHON_SRC_RECIPE_H_

#include <nanobind/nanobind.h>

#include <utility>

#include "weir/limits.h"

namespace weir::python {

/// Returns (method, arguments, options). If the options contain documents, which the caller may change later, they are
/// copied; all other options are names and numbers.
inline nanobind::tuple recipe(const char* method, const nanobind::object& argument,
                              nanobind::dict options = nanobind::dict()) {
  if (options.contains("documents")) {
    options = nanobind::borrow<nanobind::dict>(nanobind::module_::import_("copy").attr("deepcopy")(options));
  }
  return nanobind::make_tuple(method, nanobind::make_tuple(argument), std::move(options));
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
