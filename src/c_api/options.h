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
#include <type_traits>
#include <vector>

#include "c_api/handles.h"

namespace weir::c_api {

/// Returns true if a struct can have this size. No struct of this interface, in this or a later version, has more than
/// 4,096 bytes: a greater number is a member that was not set, and nothing is read or written there.
inline bool is_struct_size(std::size_t size) noexcept { return size >= sizeof(std::size_t) && size <= 4096; }

/// Copies the members of `given` over the defaults in `out`; a null `given` leaves all defaults. Returns false if
/// `struct_size` is out of bounds or bytes beyond T are not zero.
template <typename T>
bool read_struct(const T* given, T& out) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  if (given == nullptr) return true;
  const std::size_t size = given->struct_size;
  if (!is_struct_size(size)) return false;
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  for (std::size_t i = sizeof(T); i < size; ++i) {
    if (bytes[i] != 0) return false;
  }
  std::memcpy(&out, given, std::min(size, sizeof(T)));
  out.struct_size = sizeof(T);
  return true;
}

/// Copies `value` into the first `struct_size` bytes of `out`, and sets bytes beyond sizeof(T) to zero.
template <typename T>
weir_status write_struct(T value, std::size_t struct_size, T* out) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  if (out == nullptr || !is_struct_size(struct_size)) return WEIR_INVALID_ARGUMENT;
  value.struct_size = struct_size;
  auto* bytes = reinterpret_cast<unsigned char*>(out);
  const std::size_t known = std::min(struct_size, sizeof(T));
  std::memcpy(bytes, &value, known);
  std::memset(bytes + known, 0, struct_size - known);
  return WEIR_OK;
}

weir_limits to_c(const Limits& from) noexcept;

/// Return the C++ options. Errors: kInvalidArgument; the message names the member that cannot be used.
Result<Limits> to_limits(const weir_limits* given);
Result<TokenizerOptions> to_tokenizer_options(const weir_tokenizer_options* given);
Result<VocabSpec> to_vocab_spec(const weir_vocab_spec* given);
Result<EbnfOptions> to_ebnf_options(const weir_ebnf_options* given);
Result<GrammarTextOptions> to_text_options(const weir_text_options* given);
Result<RegexOptions> to_regex_options(const weir_regex_options* given);
Result<JsonSchemaOptions> to_json_schema_options(const weir_json_schema_options* given);
Result<StructuralTagOptions> to_structural_tag_options(const weir_structural_tag_options* given);
Result<ToolOptions> to_tool_options(const weir_tool_options* given);
Result<KbnfOptions> to_kbnf_options(const weir_kbnf_options* given);
Result<WarmUpOptions> to_warm_up_options(const weir_warm_up_options* given);
Result<BatchOptions> to_batch_options(const weir_batch_options* given);
Result<MatcherOptions> to_matcher_options(const weir_matcher_options* given);

/// Returns copies of `count` strings. Errors: kInvalidArgument if a pointer is NULL; kLimitExceeded (text_bytes).
Result<std::vector<std::string>> to_strings(const weir_text* strings, std::size_t count, const Limits& limits);
/// Returns the syntax with this number. Errors: kInvalidArgument if there is none.
Result<GrammarSyntax> to_syntax(std::int32_t number);
/// Returns the unit with this number. Errors: kInvalidArgument if there is none, or if the data of `text` is NULL.
Result<SubstringUnit> to_unit(weir_text text, std::int32_t unit);

}  // namespace weir::c_api

#endif  // WEIR_SRC_C_API_OPTIONS_H_
