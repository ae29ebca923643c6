// The extension module weir._weir.
#include "bindings.h"
#include "plain_errors.h"

namespace nb = nanobind;

namespace weir::python {

std::string_view utf8(const nb::str& text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}

TextToCheck::TextToCheck(const nb::str& text) : owner_(text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) {
    PyErr_Clear();
    owner_ = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
    if (!owner_.is_valid()) throw nb::python_error();
    data = PyBytes_AsString(owner_.ptr());
    size = PyBytes_Size(owner_.ptr());
  }
  view_ = {data, static_cast<std::size_t>(size)};
}

std::string kind_of(nb::handle object) {
  std::string name = nb::type_name(object.type()).c_str();
  constexpr std::string_view kModule = "weir._weir.";
  if (name.starts_with(kModule)) name.replace(0, kModule.size(), "weir.");
  return name;
}

std::string_view text_or_bytes(nb::handle object, const char* name) {
  if (nb::isinstance<nb::str>(object)) return utf8(nb::borrow<nb::str>(object));
  if (nb::isinstance<nb::bytes>(object)) {
    const auto bytes = nb::borrow<nb::bytes>(object);
    return {bytes.c_str(), bytes.size()};
  }
  throw nb::type_error((std::string("`") + name + "` must be str or bytes, not " + kind_of(object)).c_str());
}

}  // namespace weir::python

NB_MODULE(_weir, module) {
  module.doc() = "Weir's C++ core. Import `weir` instead, which contains all of it.";
  module.attr("version") = WEIR_VERSION;
  weir::python::bind_limits(module);
  weir::python::bind_tokenizer_info(module);
  weir::python::bind_compiler(module);
  weir::python::bind_matcher(module);
  weir::python::bind_batch(module);
  weir::python::bind_logits(module);
  weir::python::bind_check(module);
  weir::python::bind_replies(module);
  weir::python::make_errors_plain(module);
}
