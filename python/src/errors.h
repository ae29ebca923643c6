// Functions that raise Python exceptions for C++ errors. The classes are defined in Python, in weir/errors.py.
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

/// Raises weir.GrammarError for an error in `text`; messages call the text `name`.
[[noreturn]] void raise_grammar_error(Error error, std::string_view text, std::string_view name);

/// Raises weir.GrammarError for an error that is not at a place of a text, but for example in a matcher's options.
[[noreturn]] void raise_grammar_error(Error error);

/// Raises weir.TokenizerError.
[[noreturn]] void raise_tokenizer_error(const Error& error);

/// Raises weir.LimitExceededError for what GrammarMatcher::limit_message says.
[[noreturn]] void raise_limit(const std::string& message);

/// Returns a message in which `Limits::nesting` is `Limits(nesting=...)`, as Python sets it.
std::string in_python_words(std::string message);

/// Raises an exception of a class in weir/errors.py whose only argument is a message.
[[noreturn]] void raise(const char* class_name, const std::string& message);

/// weir.DiagnosticNote and weir.Fix: an ErrorNote and a Fix whose ranges are indices of the str in Python.
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

/// Returns the index in a Python str that corresponds to the byte `offset` of its UTF-8 text.
std::size_t str_index(std::string_view text, std::size_t offset);

/// Returns `token` as an id. Raises IndexError if the vocabulary has no such id.
std::uint32_t checked_token(std::int64_t token, std::uint32_t vocab_size);

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_ERRORS_H_
