// How C++ errors become Python exceptions. The classes are written in Python, weir/errors.py.
#ifndef WEIR_PYTHON_SRC_ERRORS_H_
#define WEIR_PYTHON_SRC_ERRORS_H_

#include <nanobind/nanobind.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"

namespace weir::python {

/// Raises weir.GrammarError for an error in `text`, shown under `name`.
[[noreturn]] void raise_grammar_error(const Error& error, std::string_view text, std::string_view name);

/// Raises weir.TokenizerError.
[[noreturn]] void raise_tokenizer_error(const Error& error);

/// Raises one of weir/errors.py's classes that takes a message alone.
[[noreturn]] void raise(const char* class_name, const std::string& message);

/// weir.DiagnosticNote and weir.Fix: an ErrorNote and a Fix with the places as indices of the text in Python.
struct PlacedNote {
  std::string message;
  std::size_t start;
  std::size_t end;
  std::string location;
  friend bool operator==(const PlacedNote&, const PlacedNote&) = default;
};
struct PlacedFix {
  std::size_t start;
  std::size_t end;
  std::string replacement;
  friend bool operator==(const PlacedFix&, const PlacedFix&) = default;
};

std::vector<PlacedNote> placed(const std::vector<ErrorNote>& notes, std::string_view text);
std::optional<PlacedFix> placed(const std::optional<Fix>& fix, std::string_view text);

/// The index in a Python str of the byte `offset` of its UTF-8 text.
std::size_t str_index(std::string_view text, std::size_t offset);

/// The token id, or IndexError where the vocabulary has none of that number.
std::uint32_t checked_token(std::int64_t token, std::uint32_t vocab_size);

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_ERRORS_H_
