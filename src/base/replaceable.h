// WEIR_REPLACEABLE: a function of which a WebAssembly module may have another definition.
//
// WHY    Pages load less if a module lacks what they do not use. cmake/wasm/core.cc says that these parts are missing.
//        Other builds have one definition, and the macro means nothing.
#ifndef WEIR_SRC_BASE_REPLACEABLE_H_
#define WEIR_SRC_BASE_REPLACEABLE_H_

#ifdef __wasm__
#define WEIR_REPLACEABLE __attribute__((weak))
#else
#define WEIR_REPLACEABLE
#endif

#endif  // WEIR_SRC_BASE_REPLACEABLE_H_
