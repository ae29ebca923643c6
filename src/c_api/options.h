// Reads and writes structs that begin with `struct_size`, which may come from older and from newer headers.
//
// HOW    New members are added at the end of a struct only. Members that an older caller's struct lacks have their
//        defaults. Bytes that only a newer caller's struct has must be zero; otherwise the caller uses an option that
//        this library does not support.
#ifndef WEIR_SRC_C_API_OPTIONS_H_
#define WEIR_SRC_C_API_OPTIONS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "c_api/handles.h"
#include "c_api/members.h"

namespace weir::c_api {

/// Returns true if a struct can have this size. No struct of this interface, in this or a later version, has more than
/// 4,096 bytes: a greater number is a member that was not set, and nothing is read or written there.
inline bool is_struct_size(std::size_t size) noexcept { return size >= sizeof(std::size_t) && size <= 4096; }

/// Sets the members of the C++ struct that the C struct at `given` has; a null `given` sets none.
/// Errors   kInvalidArgument: the message names the member that cannot be used.
Result<void> read_struct(const Table& table, const void* given, void* cpp);
/// Writes numbers, flags, words and texts into the first `struct_size` bytes at `out`, and sets all others to zero. The
/// texts are those of the C++ struct.
weir_status write_struct(const Table& table, const void* cpp, std::size_t struct_size, void* out) noexcept;

/// Returns the C++ struct that `given` stands for.
template <typename C>
Result<typename Of<C>::Cpp> to_cpp(const C* given) {
  typename Of<C>::Cpp out;
  return read_struct(Of<C>::table, given, &out).map([&] { return std::move(out); });
}

/// Writes counts into the struct of a caller, as far as it has them.
template <typename C>
weir_status store(const typename Of<C>::Cpp& counts, C* out) noexcept {
  return write_struct(Of<C>::table, &counts, out->struct_size, out);
}

/// Writes the defaults. Their texts live as long as the program.
template <typename C>
weir_status init(C* out, std::size_t struct_size) noexcept {
  static const typename Of<C>::Cpp& defaults = *new typename Of<C>::Cpp();
  return write_struct(Of<C>::table, &defaults, struct_size, out);
}

/// Returns copies of `count` strings. Errors: kInvalidArgument if a pointer is NULL; kLimitExceeded (text_bytes).
Result<std::vector<std::string>> to_strings(const weir_text* strings, std::size_t count, const Limits& limits);
/// Returns the syntax with this number. Errors: kInvalidArgument if there is none.
Result<GrammarSyntax> to_syntax(std::int32_t number);
/// Returns the unit with this number. Errors: kInvalidArgument if there is none, or if the data of `text` is NULL.
Result<SubstringUnit> to_unit(weir_text text, std::int32_t unit);

}  // namespace weir::c_api

#endif  // WEIR_SRC_C_API_OPTIONS_H_
