// The handles of the C interface, and functions that convert between C and C++ values.
//
// WHAT   A handle is a struct that holds the C++ object of the same name, so that C has as many distinct types as C++.
//        Each function of the interface checks its pointers and calls the C++ function. `guarded` stops exceptions,
//        which only failed allocations cause, from crossing into C.
#ifndef WEIR_SRC_C_API_HANDLES_H_
#define WEIR_SRC_C_API_HANDLES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/weir.h"
#include "weir_c.h"

struct weir_error {
  weir::Error value;
};
struct weir_tokenizer_info {
  weir::TokenizerInfo value;
};
struct weir_grammar {
  weir::Grammar value;
};
struct weir_compiler {
  weir::GrammarCompiler value;
};
struct weir_compiled_grammar {
  weir::CompiledGrammar value;
};
struct weir_matcher {
  weir::GrammarMatcher value;
};
struct weir_kbnf_engine {
  weir::KbnfEngine value;
};
struct weir_diagnostics {
  std::vector<weir::Diagnostic> value;
};
struct weir_batch {
  explicit weir_batch(const weir::BatchOptions& options) : value(options) {}
  weir::BatchMatcher value;
};
struct weir_completion {
  std::vector<weir::CompletionPart> value;
};
struct weir_captures {
  std::vector<weir::Capture> value;
};
struct weir_expectation {
  weir::Expectation value;
};
struct weir_explanation {
  weir::TokenExplanation value;
  weir_expectation expected;
};

struct weir_reply_parser {
  explicit weir_reply_parser(weir::ReplyParser parser) : value(std::move(parser)) {}
  weir::ReplyParser value;
  std::vector<weir::ReplyEvent> events = {};  // of the last call
};

namespace weir::c_api {

weir_status to_status(ErrorCode code) noexcept;
weir_status to_status(Step step) noexcept;

inline weir_text to_c(std::string_view text) noexcept { return {text.data(), text.size()}; }

/// Returns true if there can be an array of `size` elements at `data`: it is not NULL unless `size` is 0, and no array
/// has more bytes than PTRDIFF_MAX. Each function checks its sizes with this, or closer, before it reads or writes.
template <typename T>
bool is_valid(const T* data, std::size_t size) noexcept {
  return size == 0 || (data != nullptr && size <= PTRDIFF_MAX / sizeof(T));
}
inline bool is_valid(weir_text text) noexcept { return is_valid(text.data, text.size); }
inline std::string_view to_view(weir_text text) noexcept {
  return text.size == 0 ? std::string_view() : std::string_view(text.data, text.size);
}

/// Returns the status that `body` returns, or WEIR_OUT_OF_MEMORY if an allocation in it fails. In a build without
/// exceptions an allocation that fails ends the program.
template <typename Body>
weir_status guarded(const Body& body) noexcept {
#if defined(__cpp_exceptions)
  try {
    return body();
  } catch (const std::exception&) {  // std::bad_alloc, or std::length_error for a size beyond any memory
    return WEIR_OUT_OF_MEMORY;
  }
#else
  return body();
#endif
}

inline tl::unexpected<Error> bad(std::string_view message) {
  return tl::unexpected(Error{ErrorCode::kInvalidArgument, std::string(message), {}, {}, {}, {}});
}

/// Returns the error of a call in which something, `what`, is NULL.
inline tl::unexpected<Error> is_null(std::string_view what) { return bad(std::string(what) + " is NULL"); }
/// Returns the error of a call in which is_valid is false for something, `what`.
inline tl::unexpected<Error> is_no_array(std::string_view what) {
  return bad(std::string(what) + " is NULL, or larger than memory");
}

/// Returns the status of `error` and, if `out` is not null, stores the error there.
inline weir_status fail(Error error, weir_error** out) {
  const weir_status status = to_status(error.code);
  if (out != nullptr) *out = new weir_error{std::move(error)};
  return status;
}

inline weir_status fail_argument(std::string_view what, weir_error** out) {
  return fail(Error{ErrorCode::kInvalidArgument, std::string(what), {}, {}, {}, {}}, out);
}

/// The body of a function that builds a handle: `make` returns a Result of the object that the handle will hold.
template <typename Handle, typename Make>
weir_status build(Handle** out, weir_error** error, const Make& make) noexcept {
  if (error != nullptr) *error = nullptr;
  if (out != nullptr) *out = nullptr;
  return guarded([&] {
    if (out == nullptr) return fail_argument("`out` is NULL", error);
    auto made = make();
    if (!made) return fail(std::move(made.error()), error);
    *out = new Handle{*std::move(made)};
    return WEIR_OK;
  });
}

/// The body of a function that makes a handle from another one and reports no error except its status.
template <typename Handle, typename From, typename Make>
weir_status derive(const From* from, Handle** out, const Make& make) noexcept {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = nullptr;
  if (from == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    *out = new Handle{make(*from)};
    return WEIR_OK;
  });
}

/// Copies `text` to memory that the caller owns. Precondition: `out` is not null, and `*out` is empty.
inline void give(std::string_view text, weir_owned_text* out) {
  char* data = new char[text.size() + 1];
  if (!text.empty()) std::memcpy(data, text.data(), text.size());
  data[text.size()] = '\0';
  *out = {data, text.size()};
}

/// The body of a function that returns a text in `*out`: `make` returns a Result of the text.
template <typename Make>
weir_status build_text(weir_owned_text* out, weir_error** error, const Make& make) noexcept {
  if (error != nullptr) *error = nullptr;
  if (out != nullptr) *out = {};
  return guarded([&] {
    if (out == nullptr) return fail_argument("`out` is NULL", error);
    Result<std::string> made = make();
    if (!made) return fail(std::move(made.error()), error);
    give(*made, out);
    return WEIR_OK;
  });
}

inline void give(std::span<const std::uint32_t> ids, weir_token_ids* out) {
  if (ids.empty()) return;
  auto* data = new std::uint32_t[ids.size()];
  std::memcpy(data, ids.data(), ids.size_bytes());
  *out = {data, ids.size()};
}

/// Stores a handle that holds `findings` in `*out`. Precondition: `out` is not null.
weir_status give(std::vector<Diagnostic> findings, weir_diagnostics** out);
weir_status give_warnings(const std::vector<Warning>* warnings, weir_diagnostics** out) noexcept;
weir_status warning_at(const std::vector<Warning>& warnings, std::size_t index, weir_warning* out) noexcept;

}  // namespace weir::c_api

#endif  // WEIR_SRC_C_API_HANDLES_H_
