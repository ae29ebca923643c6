#include "array_view.h"

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "bindings.h"
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

// Returns the type of a format string of Python's struct module, in the machine's byte order.
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

// Names of attributes, interned once for the lifetime of the process. With a newly made name, Python would search all
// base classes of a tensor on each access.
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

// Returns element `i` of a tensor's shape, which is a tuple, without the lookups of Python's own indexing.
std::size_t extent(nb::handle shape, Py_ssize_t i) {
  PyObject* length = PyTuple_GetItem(shape.ptr(), i);  // borrowed
  const std::size_t value = length != nullptr ? PyLong_AsSize_t(length) : 0;
  if (PyErr_Occurred() != nullptr) nb::raise_python_error();
  return value;
}

// The first members of DLPack's table of exchange functions for C, DLPackExchangeAPI, of major version 1.
struct DlpackExchange {
  std::uint32_t major, minor;
  void* of_older_version;
  void* allocate;
  void* managed_from_object;
  void* managed_to_object;
  int (*describe)(void* object, nb::dlpack::dltensor* out);  // returns 0, or sets an exception
};

// Returns the table of a class, which is held for the lifetime of the process, or null if there is none.
const DlpackExchange* exchange_of(nb::handle type) {
  constexpr const char* kName = "dlpack_exchange_api";
  nb::object capsule = nb::getattr(type, "__dlpack_c_exchange_api__", nb::none());
  if (PyCapsule_IsValid(capsule.ptr(), kName) == 0) return nullptr;
  const auto* exchange = static_cast<const DlpackExchange*>(PyCapsule_GetPointer(capsule.release().ptr(), kName));
  return exchange->major == 1 && exchange->describe != nullptr ? exchange : nullptr;
}

bool is_contiguous(std::size_t dimensions, const std::int64_t* shape, const std::int64_t* strides) {
  std::int64_t expected = 1;
  for (std::size_t i = dimensions; i-- > 0; expected *= shape[i]) {
    if (shape[i] > 1 && strides[i] != expected) return false;
  }
  return true;
}

// torch's class of tensors and its element types, held for the lifetime of the process.
struct Torch {
  explicit Torch(const nb::object& module)
      : tensor(nb::getattr(module, "Tensor").release()),
        exchange(exchange_of(tensor)),
        types{{nb::getattr(module, "int32").release(), ElementType::kInt32},
              {nb::getattr(module, "float32").release(), ElementType::kFloat32},
              {nb::getattr(module, "bfloat16").release(), ElementType::kBFloat16},
              {nb::getattr(module, "float16").release(), ElementType::kFloat16}} {}

  nb::handle tensor;
  const DlpackExchange* exchange;  // null in older versions
  std::pair<nb::handle, ElementType> types[4];
};

// Returns null while torch has not been imported; the next call checks again.
const Torch* torch() {
  static std::atomic<const Torch*> found = nullptr;
  if (const Torch* known = found.load(std::memory_order_acquire)) return known;
  const nb::object module = nb::steal(PyImport_GetModule(names().torch.ptr()));
  if (!module.is_valid()) {
    PyErr_Clear();
    return nullptr;
  }
  if (!nb::hasattr(module, "float16")) return nullptr;  // another thread is importing torch right now
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
    if (is_written && nb::cast<bool>(nb::getattr(object, names().requires_grad))) {
      raise_value(quoted(name) + " requires a gradient, which writing into it would make wrong; pass detach() of it");
    }
    if (!read_exchange(object)) read_torch(object, name);
  } else {
    read_tensor(object, name);
  }
  if (type_ == ElementType::kOther && type_name_.empty()) {
    // The conversion to nb::handle is needed: nb::str(dtype) would assume that `dtype` is a str already.
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

bool ArrayView::read_exchange(nb::handle tensor) {
  // Only torch.Tensor itself: a subclass may not be an array.
  const DlpackExchange* exchange = tensor.type().is(torch()->tensor) ? torch()->exchange : nullptr;
  if (exchange == nullptr) return false;
  nb::dlpack::dltensor found;
  if (exchange->describe(tensor.ptr(), &found) != 0) {
    PyErr_Clear();
    return false;
  }
  const auto dimensions = static_cast<std::size_t>(found.ndim);
  if (found.device.device_type != nb::device::cpu::value || (dimensions != 1 && dimensions != 2) ||
      found.strides == nullptr || !is_contiguous(dimensions, found.shape, found.strides)) {
    return false;
  }
  data_ = static_cast<unsigned char*>(found.data) + found.byte_offset;
  item_size_ = found.dtype.bits / 8U;
  rows_ = dimensions == 2 ? static_cast<std::size_t>(found.shape[0]) : 1;
  columns_ = static_cast<std::size_t>(found.shape[dimensions - 1]);
  type_ = type_of_dlpack(found.dtype);
  return true;
}

void ArrayView::read_torch(nb::handle tensor, const char* name) {
  if (!nb::cast<bool>(nb::getattr(tensor, names().is_cpu))) raise_type(quoted(name) + " is not in the CPU's memory");
  const nb::object shape = nb::getattr(tensor, names().shape);
  const Py_ssize_t dimensions = PyTuple_Size(shape.ptr());
  if (dimensions < 0) nb::raise_python_error();
  if (dimensions != 1 && dimensions != 2) raise_dimensions(name, static_cast<std::size_t>(dimensions));
  // With attr() the method is called without making a bound-method object, unlike with getattr.
  if (!nb::cast<bool>(tensor.attr(names().is_contiguous)())) raise_not_contiguous(name);
  data_ = reinterpret_cast<unsigned char*>(nb::cast<std::uintptr_t>(tensor.attr(names().data_ptr)()));
  rows_ = dimensions == 2 ? extent(shape, 0) : 1;
  columns_ = extent(shape, dimensions - 1);
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
    raise_type(quoted(name) + " must be a numpy array or a tensor, not " + kind_of(object));
  }
  if (tensor_.device_type() != nb::device::cpu::value) {
    raise_type(quoted(name) + " is not in the CPU's memory");
  }
  if (tensor_.ndim() != 1 && tensor_.ndim() != 2) raise_dimensions(name, tensor_.ndim());
  if (!is_contiguous(tensor_.ndim(), tensor_.shape_ptr(), tensor_.stride_ptr())) raise_not_contiguous(name);
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
