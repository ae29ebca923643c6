// How C++ errors become Python exceptions. The classes are written in Python, weir/errors.py.
#ifndef WEIR_PYTHON_SRC_ERRORS_H_
#define WEIR_PYTHON_SRC_ERRORS_H_

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "weir/error.h"

namespace weir::python {

/// Raises weir.GrammarError for an error in `text`, shown under `name`.
[[noreturn]] void raise_grammar_error(const Error& error, std::string_view text, std::string_view name);

/// Raises weir.TokenizerError.
[[noreturn]] void raise_tokenizer_error(const Error& error);

/// Raises one of weir/errors.py's classes that takes a message alone.
[[noreturn]] void raise(const char* class_name, const std::string& message);

/// The index in a Python str of the byte `offset` of its UTF-8 text.
std::size_t str_index(std::string_view text, std::size_t offset);

/// The token id, or IndexError where the vocabulary has none of that number.
std::uint32_t checked_token(std::int64_t token, std::uint32_t vocab_size);

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_ERRORS_H_
