#include "plain_errors.h"

#include <nb_internals.h>  // nanobind's own: `nb_func`, the layout of a function object

#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

namespace nb = nanobind;

namespace weir::python {

namespace {

using EntryPoint = PyObject* (*)(PyObject*, PyObject* const*, std::size_t, PyObject*);

constexpr std::size_t kMostEntryPoints = 8;               // nanobind 2.15 has six
std::array<EntryPoint, kMostEntryPoints> entry_points{};  // nanobind's, set when the module is made

// Replaces the current exception by the one that a function of weir/_arguments.py makes of the call: nanobind's error
// about the arguments, and Python's about a str that has no text in UTF-8.
void explain_arguments(PyObject* function, PyObject* const* given, std::size_t count, PyObject* names) noexcept {
  const bool is_encoding = PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) != 0;
  if (!is_encoding && PyErr_ExceptionMatches(PyExc_TypeError) == 0) return;
  try {
    nb::python_error error;  // takes the exception
    if (!is_encoding && std::strstr(error.what(), "(): incompatible function arguments.") == nullptr) {
      error.restore();
      return;
    }
    nb::list positional;
    nb::dict named;
    for (std::size_t i = 0; i < count; ++i) positional.append(nb::handle(given[i]));
    const Py_ssize_t named_count = names == nullptr ? 0 : PyTuple_Size(names);
    for (Py_ssize_t i = 0; i < named_count; ++i) {
      named[nb::handle(PyTuple_GetItem(names, i))] = nb::handle(given[count + static_cast<std::size_t>(i)]);
    }
    const nb::object arguments = nb::module_::import_("weir._arguments");
    const nb::object made =
        is_encoding ? arguments.attr("no_text")(nb::handle(function), positional, named, nb::handle(error.value()))
                    : arguments.attr("wrong_argument")(nb::handle(function), positional, named);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  } catch (nb::python_error& other) {
    other.restore();
  } catch (...) {
    PyErr_SetString(PyExc_TypeError, "the arguments of the call cannot be read");
  }
}

// The entry point of functions whose entry point was entry_points[number].
template <std::size_t number>
PyObject* call(PyObject* function, PyObject* const* given, std::size_t flags, PyObject* names) {
  PyObject* const result = entry_points[number](function, given, flags, names);
  if (result == nullptr) [[unlikely]] {
    explain_arguments(function, given, NB_VECTORCALL_NARGS(flags), names);
  }
  return result;
}

template <std::size_t... numbers>
constexpr std::array<EntryPoint, kMostEntryPoints> calls(std::index_sequence<numbers...>) {
  return {&call<numbers>...};
}

void make_plain(nb::handle function) {
  static constexpr std::array<EntryPoint, kMostEntryPoints> kCalls =
      calls(std::make_index_sequence<kMostEntryPoints>());
  auto* const own = reinterpret_cast<nb::detail::nb_func*>(function.ptr());
  for (std::size_t i = 0; i < kMostEntryPoints; ++i) {
    if (own->vectorcall == kCalls[i]) return;  // an alias
    if (entry_points[i] == nullptr) entry_points[i] = own->vectorcall;
    if (entry_points[i] != own->vectorcall) continue;
    own->vectorcall = kCalls[i];
    return;
  }
}

bool is_function(nb::handle object) {
  const nb::str type = nb::type_name(object.type());
  return std::strstr(type.c_str(), "nb_func") != nullptr || std::strstr(type.c_str(), "nb_method") != nullptr;
}

void make_members_plain(nb::handle owner) {
  for (const nb::handle member : nb::borrow<nb::object>(owner.attr("__dict__").attr("values")())) {
    if (is_function(member)) make_plain(member);
    if (PyType_Check(member.ptr()) != 0) make_members_plain(member);
  }
}

}  // namespace

void make_errors_plain(const nb::module_& module) { make_members_plain(module); }

}  // namespace weir::python
