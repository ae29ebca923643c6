// Plain messages for calls with wrong arguments.
//
// WHY    nanobind reports every wrong argument with all signatures of the function, hundreds of characters in several
//        lines, without the name of the argument. Here one line says which argument is wrong, what is expected and what
//        came.
// HOW    Each function object of the module gets another entry point, which calls nanobind's. Only if that has raised
//        nanobind's error, weir/_arguments.py looks for the wrong argument: it compares the arguments of the call with
//        the types in the function's signature. So this holds for every function, without a line in its definition.
// COST   One indirect call, some nanoseconds, for each call of a function.
#ifndef WEIR_PYTHON_SRC_PLAIN_ERRORS_H_
#define WEIR_PYTHON_SRC_PLAIN_ERRORS_H_

#include <nanobind/nanobind.h>

namespace weir::python {

/// Does so for all functions of the module and all methods of its classes. Call it when everything is defined.
void make_errors_plain(const nanobind::module_& module);

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_PLAIN_ERRORS_H_
