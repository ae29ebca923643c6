// WEIR_API marks what a shared library exports; everything else is built with hidden visibility. C11 and C++.
// WEIR_EXPORT_C_ALONE is for a library that exports the functions of weir_c.h and nothing else.
#ifndef WEIR_EXPORT_H_
#define WEIR_EXPORT_H_

// weir_c.h is for C++ of any year.
#if defined(__cplusplus) && __cplusplus < 202002L && !defined(WEIR_C_H_) && !defined(_MSVC_LANG)
#error "weir's C++ headers need C++20: compile with -std=c++20 or later, or use the C interface, weir_c.h"
#endif

#if defined(__GNUC__) && !defined(WEIR_EXPORT_C_ALONE)
#define WEIR_API __attribute__((visibility("default")))
#else
#define WEIR_API
#endif

#endif  // WEIR_EXPORT_H_
