// What an object was made by: the method, its arguments, its options. Pickling hands that on, and the other process
// makes the object again (weir/_pickling.py).
#ifndef WEIR_PYTHON_SRC_RECIPE_H_
#define WEIR_PYTHON_SRC_RECIPE_H_

#include <nanobind/nanobind.h>

#include <utility>

#include "weir/limits.h"

namespace weir::python {

/// (method, arguments, options). The options are the caller's own where a call has no more than names and numbers in
/// them, else a copy.
inline nanobind::tuple recipe(const char* method, const nanobind::object& argument,
                              nanobind::dict options = nanobind::dict()) {
  if (options.contains("documents")) {
    options = nanobind::borrow<nanobind::dict>(nanobind::module_::import_("copy").attr("deepcopy")(options));
  }
  return nanobind::make_tuple(method, nanobind::make_tuple(argument), std::move(options));
}

inline constexpr const char* kReduceSignature = "def __reduce__(self) -> tuple[typing.Any, ...]";

/// What __reduce__ answers: weir._pickling.`function` makes the object of `arguments`.
template <typename... Arguments>
nanobind::tuple reduced(const char* function, const Arguments&... arguments) {
  return nanobind::make_tuple(nanobind::module_::import_("weir._pickling").attr(function),
                              nanobind::make_tuple(arguments...));
}

/// Copies of what nobody can change are that object.
template <typename Class>
void def_immutable_copy(Class& bound) {
  bound.def("__copy__", [](nanobind::object self) { return self; });
  bound.def("__deepcopy__", [](nanobind::object self, const nanobind::object&) { return self; });
}

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_RECIPE_H_
