#include "array_view.h"

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "weir/bitmask.h"

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

// Names of attributes, interned once and for as long as the process lives: by a name that is made anew Python looks
// through all base classes of a tensor each time.
struct Names {
  nb::handle torch = PyUnicode_InternFromString("torch");
  nb::handle is_cpu = PyUnicode_InternFromString("is_cpu");
  nb::handle requires_grad = PyUnicode_InternFromString("requires_grad");
  nb::handle shape = PyUnicode_InternFromString("shape");
  nb::handle is_contiguous = PyUnicode_InternFromString("is_contiguous");
  nb::handle data_ptr = PyUnicode_InternFromString("data_ptr");
  nb::handle dtype = PyUnicode_InternFromString("dtype");
};

const Names& names() {
  static const Names all;
  return all;
}

// torch's class of tensors and its types of elements, held for as long as the process lives.
struct Torch {
  explicit Torch(const nb::object& module)
      : tensor(nb::getattr(module, "Tensor").release()),
        types{{nb::getattr(module, "int32").release(), ElementType::kInt32},
              {nb::getattr(module, "float32").release(), ElementType::kFloat32},
              {nb::getattr(module, "bfloat16").release(), ElementType::kBFloat16},
              {nb::getattr(module, "float16").release(), ElementType::kFloat16}} {}

  nb::handle tensor;
  std::pair<nb::handle, ElementType> types[4];
};

// Where torch has been imported; else null, and it is asked again.
const Torch* torch() {
  static std::atomic<const Torch*> found = nullptr;
  if (const Torch* known = found.load(std::memory_order_acquire)) return known;
  const nb::object module = nb::steal(PyImport_GetModule(names().torch.ptr()));
  if (!module.is_valid()) {
    PyErr_Clear();
    return nullptr;
  }
  if (!nb::hasattr(module, "float16")) return nullptr;  // another thread is importing it
  static const Torch made(module);
  found.store(&made, std::memory_order_release);
  return &made;
}

}  // namespace

ArrayView::Buffer::~Buffer() {
  if (view.obj != nullptr) PyBuffer_Release(&view);
}

ArrayView::ArrayView(nb::handle object, const char* name, bool is_written) {
  if (PyObject_CheckBuffer(object.ptr()) != 0) {
    read_buffer(object, name, is_written);
  } else if (const Torch* known = torch(); known != nullptr && nb::isinstance(object, known->tensor)) {
    read_torch(object, name, is_written);
  } else {
    read_tensor(object, name);
  }
  if (type_ == ElementType::kOther && type_name_.empty()) {
    // A handle first: of an attribute itself nb::str would take it for a str.
    const nb::object dtype = nb::getattr(object, "dtype", nb::none());
    type_name_ = dtype.is_none() ? "no number" : nb::str(nb::handle(dtype)).c_str();
  }
}

void ArrayView::read_buffer(nb::handle object, const char* name, bool is_written) {
  Py_buffer& view = buffer_.view;
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_RECORDS_RO) != 0) {
    PyErr_Clear();
    raise_type(quoted(name) + " is an array whose memory cannot be read");
  }
  if (is_written && view.readonly != 0) raise_value(quoted(name) + " is read-only");
  if (view.ndim != 1 && view.ndim != 2) raise_dimensions(name, static_cast<std::size_t>(view.ndim));
  if (PyBuffer_IsContiguous(&view, 'C') == 0) raise_not_contiguous(name);
  data_ = static_cast<unsigned char*>(view.buf);
  item_size_ = static_cast<std::size_t>(view.itemsize);
  rows_ = view.ndim == 2 ? static_cast<std::size_t>(view.shape[0]) : 1;
  columns_ = static_cast<std::size_t>(view.shape[view.ndim - 1]);
  type_ = type_of_format(view.format != nullptr ? view.format : "B", view.itemsize);
}

void ArrayView::read_torch(nb::handle tensor, const char* name, bool is_written) {
  if (!nb::cast<bool>(nb::getattr(tensor, names().is_cpu))) raise_type(quoted(name) + " is not in the CPU's memory");
  if (is_written && nb::cast<bool>(nb::getattr(tensor, names().requires_grad))) {
    raise_value(quoted(name) + " requires a gradient, which writing into it would make wrong; pass detach() of it");
  }
  const nb::object shape = nb::getattr(tensor, names().shape);
  const std::size_t dimensions = nb::len(shape);
  if (dimensions != 1 && dimensions != 2) raise_dimensions(name, dimensions);
  if (!nb::cast<bool>(nb::getattr(tensor, names().is_contiguous)())) raise_not_contiguous(name);
  data_ = reinterpret_cast<unsigned char*>(nb::cast<std::uintptr_t>(nb::getattr(tensor, names().data_ptr)()));
  rows_ = dimensions == 2 ? nb::cast<std::size_t>(shape[0]) : 1;
  columns_ = nb::cast<std::size_t>(shape[dimensions - 1]);
  const nb::object dtype = nb::getattr(tensor, names().dtype);
  for (const auto& [known, type] : torch()->types) {
    if (!dtype.is(known)) continue;
    type_ = type;
    item_size_ = type == ElementType::kInt32 || type == ElementType::kFloat32 ? 4 : 2;
    break;
  }
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

void check_bitmask_words(const ArrayView& bitmask, std::uint32_t vocab_size) {
  const std::size_t words = bitmask_words(vocab_size);
  if (bitmask.columns() == words) return;
  raise_value("`bitmask` has " + std::to_string(bitmask.columns()) + " words a row; for the " +
              std::to_string(vocab_size) + " tokens of the matcher's tokenizer it needs " + std::to_string(words));
}

}  // namespace weir::python
