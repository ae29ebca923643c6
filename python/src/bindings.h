// The parts of the module, one function a file, and what they share.
#ifndef WEIR_PYTHON_SRC_BINDINGS_H_
#define WEIR_PYTHON_SRC_BINDINGS_H_

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>

#include "weir/weir.h"

namespace weir::python {

void bind_limits(nanobind::module_& module);
void bind_tokenizer_info(nanobind::module_& module);
void bind_compiler(nanobind::module_& module);
void bind_matcher(nanobind::module_& module);
void bind_batch(nanobind::module_& module);
void bind_logits(nanobind::module_& module);
void bind_check(nanobind::module_& module);

/// What a weir.CompiledGrammar holds; TypeError for other objects.
const CompiledGrammar& compiled_grammar_of(nanobind::handle object);

/// How long compiling it took; it is a weir.CompiledGrammar.
double compile_seconds_of(nanobind::handle compiled);

/// The options that Python's keyword arguments name; ValueError lists the choices there are.
RegexOptions regex_options(const nanobind::kwargs& arguments);
JsonSchemaOptions json_schema_options(const nanobind::kwargs& arguments);

/// The UTF-8 text of a str, valid as long as it lives. Raises UnicodeEncodeError for lone surrogates.
std::string_view utf8(const nanobind::str& text);

/// The bytes of a str or bytes object, valid as long as it lives; TypeError for others.
std::string_view text_or_bytes(nanobind::handle object, const char* name);

/// None is the usual limits.
inline Limits to_limits(const std::optional<Limits>& limits) { return limits.value_or(Limits{}); }

inline nanobind::bytes to_bytes(std::string_view text) { return nanobind::bytes(text.data(), text.size()); }
inline nanobind::str to_str(std::string_view text) { return nanobind::str(text.data(), text.size()); }

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_BINDINGS_H_
