#include "array_view.h"

#include <string_view>

namespace nb = nanobind;

namespace weir::python {

namespace {

std::string quoted(const char* name) { return std::string("`") + name + "`"; }

[[noreturn]] void raise_value(const std::string& message) { throw nb::value_error(message.c_str()); }
[[noreturn]] void raise_type(const std::string& message) { throw nb::type_error(message.c_str()); }

[[noreturn]] void raise_not_contiguous(const char* name) {
  raise_value(quoted(name) + " is not contiguous; pass a contiguous array or tensor");
}

[[noreturn]] void raise_dimensions(const char* name, std::size_t dimensions) {
  raise_value(quoted(name) + " has " + std::to_string(dimensions) + " dimensions; 1 or 2 are needed");
}

// A format of Python's struct module, in the machine's byte order.
ElementType type_of_format(std::string_view format, Py_ssize_t item_size) {
  if (format.size() == 2 && (format[0] == '@' || format[0] == '=' || format[0] == '<')) format.remove_prefix(1);
  if (format == "i" || (format == "l" && item_size == 4)) return ElementType::kInt32;
  if (format == "f") return ElementType::kFloat32;
  if (format == "e") return ElementType::kFloat16;
  return ElementType::kOther;
}

ElementType type_of_dlpack(nb::dlpack::dtype type) {
  if (type.lanes != 1) return ElementType::kOther;
  const auto is = [&](nb::dlpack::dtype_code code, unsigned bits) {
    return type.code == static_cast<std::uint8_t>(code) && type.bits == bits;
  };
  if (is(nb::dlpack::dtype_code::Int, 32)) return ElementType::kInt32;
  if (is(nb::dlpack::dtype_code::Float, 32)) return ElementType::kFloat32;
  if (is(nb::dlpack::dtype_code::Float, 16)) return ElementType::kFloat16;
  if (is(nb::dlpack::dtype_code::Bfloat, 16)) return ElementType::kBFloat16;
  return ElementType::kOther;
}

}  // namespace

ArrayView::ArrayView(nb::handle object, const char* name, bool is_written) {
  if (PyObject_CheckBuffer(object.ptr()) != 0) {
    read_buffer(object, name, is_written);
  } else {
    read_tensor(object, name);
  }
  if (type_ == ElementType::kOther && type_name_.empty()) {
    // A handle first: of an attribute itself nb::str would take it for a str.
    const nb::object dtype = nb::getattr(object, "dtype", nb::none());
    type_name_ = dtype.is_none() ? "no number" : nb::str(nb::handle(dtype)).c_str();
  }
}

ArrayView::~ArrayView() {
  if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
}

void ArrayView::read_buffer(nb::handle object, const char* name, bool is_written) {
  if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    raise_type(quoted(name) + " is an array whose memory cannot be read");
  }
  // From here on the destructor does not run where something is raised.
  const auto release = [&] { PyBuffer_Release(&buffer_); };
  if (is_written && buffer_.readonly != 0) {
    release();
    raise_value(quoted(name) + " is read-only");
  }
  if (buffer_.ndim != 1 && buffer_.ndim != 2) {
    const auto dimensions = static_cast<std::size_t>(buffer_.ndim);
    release();
    raise_dimensions(name, dimensions);
  }
  if (PyBuffer_IsContiguous(&buffer_, 'C') == 0) {
    release();
    raise_not_contiguous(name);
  }
  data_ = static_cast<unsigned char*>(buffer_.buf);
  item_size_ = static_cast<std::size_t>(buffer_.itemsize);
  rows_ = buffer_.ndim == 2 ? static_cast<std::size_t>(buffer_.shape[0]) : 1;
  columns_ = static_cast<std::size_t>(buffer_.shape[buffer_.ndim - 1]);
  type_ = type_of_format(buffer_.format != nullptr ? buffer_.format : "B", buffer_.itemsize);
}

void ArrayView::read_tensor(nb::handle object, const char* name) {
  if (!nb::hasattr(object, "__dlpack__") || !nb::try_cast(object, tensor_) || !tensor_.is_valid()) {
    PyErr_Clear();
    raise_type(quoted(name) + " must be a numpy array or a tensor, not " + nb::type_name(object.type()).c_str());
  }
  if (tensor_.device_type() != nb::device::cpu::value) {
    raise_type(quoted(name) + " is not in the CPU's memory");
  }
  if (tensor_.ndim() != 1 && tensor_.ndim() != 2) raise_dimensions(name, tensor_.ndim());
  std::int64_t expected = 1;
  for (std::size_t i = tensor_.ndim(); i-- > 0; expected *= static_cast<std::int64_t>(tensor_.shape(i))) {
    if (tensor_.shape(i) > 1 && tensor_.stride(i) != expected) raise_not_contiguous(name);
  }
  data_ = static_cast<unsigned char*>(tensor_.data());
  item_size_ = tensor_.dtype().bits / 8U;
  rows_ = tensor_.ndim() == 2 ? tensor_.shape(0) : 1;
  columns_ = tensor_.shape(tensor_.ndim() - 1);
  type_ = type_of_dlpack(tensor_.dtype());
}

void check_bitmask_type(const ArrayView& bitmask) {
  if (bitmask.type() == ElementType::kInt32) return;
  const std::string found = bitmask.type() == ElementType::kFloat32    ? "float32"
                            : bitmask.type() == ElementType::kFloat16  ? "float16"
                            : bitmask.type() == ElementType::kBFloat16 ? "bfloat16"
                                                                       : bitmask.type_name();
  raise_type("`bitmask` has elements of type " + found + "; int32 is needed");
}

}  // namespace weir::python
