// WEIR_API marks what a shared library exports; everything else is built with hidden visibility. C11 and C++.
#ifndef WEIR_EXPORT_H_
#define WEIR_EXPORT_H_

#if defined(__GNUC__)
#define WEIR_API __attribute__((visibility("default")))
#else
#define WEIR_API
#endif

#endif  // WEIR_EXPORT_H_
