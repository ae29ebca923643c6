#include "errors.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings.h"

namespace nb = nanobind;

namespace weir::python {

namespace {

nb::object error_class(const char* name) { return nb::module_::import_("weir.errors").attr(name); }

[[noreturn]] void raise_object(const nb::object& exception) {
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw nb::python_error();
}

}  // namespace

std::size_t str_index(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  return static_cast<std::size_t>(std::count_if(
      before.begin(), before.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<PlacedNote> placed(const std::vector<ErrorNote>& notes, std::string_view text) {
  std::vector<PlacedNote> out;
  for (const ErrorNote& note : notes) {
    out.push_back({note.message, str_index(text, note.where.start), str_index(text, note.where.end), note.location});
  }
  return out;
}

std::optional<PlacedFix> placed(const std::optional<Fix>& fix, std::string_view text) {
  if (!fix) return std::nullopt;
  return PlacedFix{str_index(text, fix->where.start), str_index(text, fix->where.end), fix->replacement};
}

namespace {

[[noreturn]] void raise_with_picture(const Error& error, std::string_view text, const std::string& picture) {
  using nanobind::literals::operator""_a;
  raise_object(error_class("GrammarError")(
      to_str(picture), "code"_a = to_str(to_string(error.code)), "message"_a = to_str(error.message),
      "start"_a = str_index(text, error.where.start), "end"_a = str_index(text, error.where.end),
      "hint"_a = to_str(error.hint), "limit"_a = to_str(error.limit), "pointer"_a = to_str(error.pointer),
      "text"_a = to_str(text), "notes"_a = nb::cast(placed(error.notes, text)),
      "fix"_a = nb::cast(placed(error.fix, text))));
}

}  // namespace

void raise_grammar_error(const Error& error, std::string_view text, std::string_view name) {
  std::string picture = render(error, text, name);
  picture.pop_back();  // removes the line feed at the end
  raise_with_picture(error, text, picture);
}

void raise_grammar_error(const Error& error) {
  const std::string hint = error.hint.empty() ? "" : "\n  hint: " + error.hint;
  raise_with_picture(error, "", error.message + hint);
}

void raise_tokenizer_error(const Error& error) {
  using nanobind::literals::operator""_a;
  std::string message = error.message;
  if (!error.hint.empty()) message += " (" + error.hint + ")";
  raise_object(error_class("TokenizerError")(to_str(message), "code"_a = to_str(to_string(error.code))));
}

void raise(const char* class_name, const std::string& message) {
  raise_object(error_class(class_name)(to_str(message)));
}

std::uint32_t checked_token(std::int64_t token, std::uint32_t vocab_size) {
  if (token >= 0 && token < static_cast<std::int64_t>(vocab_size)) return static_cast<std::uint32_t>(token);
  throw nb::index_error(("token " + std::to_string(token) + " is out of range: the vocabulary has " +
                         std::to_string(vocab_size) + " tokens")
                            .c_str());
}

}  // namespace weir::python
