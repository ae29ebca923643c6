// The functions that define the parts of the module, one for each file, and functions that several parts use.
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
void bind_replies(nanobind::module_& module);

/// Returns the grammar that a weir.CompiledGrammar holds. Raises TypeError for other objects.
const CompiledGrammar& compiled_grammar_of(nanobind::handle object);

/// Returns the seconds that compiling took. Precondition: `compiled` is a weir.CompiledGrammar.
double compile_seconds_of(nanobind::handle compiled);

/// Returns the UTF-8 text of a str, valid as long as the str. Raises UnicodeEncodeError for lone surrogates, of which
/// weir/_arguments.py makes the error that users see.
std::string_view utf8(const nanobind::str& text);

/// The UTF-8 text of a str that a check reads. A lone surrogate becomes three bytes that no text in UTF-8 has, so that the
/// check reports them as it reports other errors, with their position.
class TextToCheck {
 public:
  explicit TextToCheck(const nanobind::str& text);
  operator std::string_view() const { return view_; }  // NOLINT(google-explicit-constructor): it is that text
 private:
  nanobind::object owner_;
  std::string_view view_;
};

/// Returns the name of an object's type, for messages: "list", "weir.Grammar".
std::string kind_of(nanobind::handle object);

/// Returns the bytes of a str or bytes object, valid as long as the object. Raises TypeError for other objects.
std::string_view text_or_bytes(nanobind::handle object, const char* name);

/// Raises ValueError if `reasoning` is none of "none", "whole", "begun", "auto".
ToolOptions to_tool_options(const std::string& tool_choice, bool parallel_tool_calls, const std::string& reasoning,
                            std::uint32_t max_reasoning_tokens, const std::string& reasoning_closing,
                            const std::string& response_format, const std::string& on_bad_tool);
// Raises an error of structural_tag_for_tools. One that is not about the text of the tools is not shown in it.
[[noreturn]] void raise_tool_error(Error error, std::string_view tools);

/// Returns the given limits, or the default limits for None.
inline Limits to_limits(const std::optional<Limits>& limits) { return limits.value_or(Limits{}); }

inline nanobind::bytes to_bytes(std::string_view text) { return nanobind::bytes(text.data(), text.size()); }
inline nanobind::str to_str(std::string_view text) { return nanobind::str(text.data(), text.size()); }

}  // namespace weir::python

#endif  // WEIR_PYTHON_SRC_BINDINGS_H_
