#include "errors.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

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
  if (!error.text.empty()) text = error.text;
  raise_object(error_class("GrammarError")(
      to_str(picture), "code"_a = to_str(to_string(error.code)), "message"_a = to_str(error.message),
      "start"_a = str_index(text, error.where.start), "end"_a = str_index(text, error.where.end),
      "hint"_a = to_str(error.hint), "limit"_a = to_str(error.limit), "pointer"_a = to_str(error.pointer),
      "text"_a = to_str(text), "notes"_a = nb::cast(placed(error.notes, text)),
      "fix"_a = nb::cast(placed(error.fix, text)), "options"_a = to_str(error.options).attr("split")()));
}

// Returns the field of Limits that a message names in backquotes; empty if there is none.
std::string limit_in(std::string_view message) {
  std::string found;
  std::size_t first = std::string_view::npos;
  for_each_member<Limits>([&](const char* name, auto, const char*) {
    const std::size_t at = message.find("`" + std::string(name) + "`");
    if (at >= first) return;
    first = at;
    found = name;
  });
  return found;
}

}  // namespace

std::string in_python_words(std::string message) {
  constexpr std::string_view kField = "Limits::";
  for (std::size_t at = message.find(kField); at != std::string::npos; at = message.find(kField, at + 1)) {
    message.replace(at, kField.size(), "Limits(");
    const std::size_t end = message.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + kField.size() - 1);
    message.insert(std::min(end, message.size()), "=...)");
  }
  return message;
}

void raise_grammar_error(Error error, std::string_view text, std::string_view name) {
  error.hint = in_python_words(std::move(error.hint));
  std::string picture = render(error, text, name);
  picture.pop_back();  // removes the line feed at the end
  raise_with_picture(error, text, picture);
}

void raise_grammar_error(Error error) {
  error.hint = in_python_words(std::move(error.hint));
  const std::string hint = error.hint.empty() ? "" : "\n  hint: " + error.hint;
  raise_with_picture(error, "", error.message + hint);
}

void raise_limit(const std::string& message) {
  using nanobind::literals::operator""_a;
  raise_object(
      error_class("LimitExceededError")(to_str(in_python_words(message)), "limit"_a = limit_in(message).c_str()));
}

void raise_tokenizer_error(const Error& error) {
  using nanobind::literals::operator""_a;
  std::string message = error.message;
  if (!error.hint.empty()) message += " (" + in_python_words(error.hint) + ")";
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
