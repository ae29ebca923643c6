// Functions of the C interface for statuses, errors, warnings, memory that the caller owns, and bitmasks.
#include "c_api/handles.h"

namespace weir::c_api {

weir_status to_status(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kInvalidArgument: return WEIR_INVALID_ARGUMENT;
    case ErrorCode::kSyntax: return WEIR_SYNTAX;
    case ErrorCode::kUnsupported: return WEIR_UNSUPPORTED;
    case ErrorCode::kUnsatisfiable: return WEIR_UNSATISFIABLE;
    case ErrorCode::kLimitExceeded: return WEIR_LIMIT_EXCEEDED;
    case ErrorCode::kInternal: return WEIR_INTERNAL;
  }
  return WEIR_INTERNAL;
}

weir_status to_status(Step step) noexcept {
  switch (step) {
    case Step::kOk: return WEIR_OK;
    case Step::kRefused: return WEIR_REFUSED;
    case Step::kTerminated: return WEIR_TERMINATED;
    case Step::kLimitExceeded: return WEIR_LIMIT_EXCEEDED;
    case Step::kBadArgument: return WEIR_INVALID_ARGUMENT;
  }
  return WEIR_INTERNAL;
}

weir_status warning_at(const std::vector<Warning>& warnings, std::size_t index, weir_warning* out) noexcept {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (index >= warnings.size()) return WEIR_INVALID_ARGUMENT;
  const Warning& warning = warnings[index];
  *out = {to_c(warning.message), to_c(warning.hint), warning.where.start, warning.where.end, to_c(warning.code)};
  return WEIR_OK;
}

}  // namespace weir::c_api

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

const char* weir_status_name(weir_status status) {
  switch (status) {
    case WEIR_OK: return "ok";
    case WEIR_INVALID_ARGUMENT: return "invalid_argument";
    case WEIR_SYNTAX: return "syntax";
    case WEIR_UNSUPPORTED: return "unsupported";
    case WEIR_UNSATISFIABLE: return "unsatisfiable";
    case WEIR_LIMIT_EXCEEDED: return "limit_exceeded";
    case WEIR_INTERNAL: return "internal";
    case WEIR_OUT_OF_MEMORY: return "out_of_memory";
    case WEIR_REFUSED: return "refused";
    case WEIR_TERMINATED: return "terminated";
    case WEIR_NOT_FOUND: return "not_found";
  }
  return "unknown";
}

const char* weir_version() { return WEIR_VERSION; }

void weir_owned_text_free(weir_owned_text* text) {
  if (text == nullptr) return;
  delete[] text->data;
  *text = {};
}

void weir_token_ids_free(weir_token_ids* ids) {
  if (ids == nullptr) return;
  delete[] ids->data;
  *ids = {};
}

weir_status weir_error_status(const weir_error* error) {
  return error != nullptr ? to_status(error->value.code) : WEIR_OK;
}
weir_text weir_error_message(const weir_error* error) {
  return error != nullptr ? to_c(error->value.message) : weir_text{};
}
weir_text weir_error_hint(const weir_error* error) { return error != nullptr ? to_c(error->value.hint) : weir_text{}; }
weir_text weir_error_limit(const weir_error* error) {
  return error != nullptr ? to_c(error->value.limit) : weir_text{};
}
weir_text weir_error_pointer(const weir_error* error) {
  return error != nullptr ? to_c(error->value.pointer) : weir_text{};
}
size_t weir_error_start(const weir_error* error) { return error != nullptr ? error->value.where.start : 0; }
size_t weir_error_end(const weir_error* error) { return error != nullptr ? error->value.where.end : 0; }
weir_text weir_error_text(const weir_error* error) { return error != nullptr ? to_c(error->value.text) : weir_text{}; }
weir_text weir_error_options(const weir_error* error) {
  return error != nullptr ? to_c(error->value.options) : weir_text{};
}

weir_status weir_error_render(const weir_error* error, weir_text text, weir_text name, weir_owned_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (error == nullptr || !is_valid(text) || !is_valid(name)) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    give(weir::render(error->value, to_view(text), to_view(name)), out);
    return WEIR_OK;
  });
}

weir_status weir_line_column(weir_text text, size_t offset, size_t* line, size_t* column) {
  if (line == nullptr || column == nullptr) return WEIR_INVALID_ARGUMENT;
  *line = *column = 0;
  if (!is_valid(text) || offset > text.size) return WEIR_INVALID_ARGUMENT;
  const weir::LineColumn place = weir::line_column(to_view(text), offset);
  *line = place.line;
  *column = place.column;
  return WEIR_OK;
}

void weir_error_free(weir_error* error) { delete error; }

size_t weir_bitmask_count(const uint32_t* bitmask, size_t words) {
  return bitmask != nullptr && is_valid(bitmask, words) ? weir::bitmask_count({bitmask, words}) : 0;
}

weir_status weir_apply_token_bitmask_inplace(void* logits, size_t count, int32_t logit_type, const uint32_t* bitmask,
                                             size_t words) {
  if (!is_valid(static_cast<const std::uint32_t*>(logits), count) || !is_valid(bitmask, words)) {
    return WEIR_INVALID_ARGUMENT;
  }
  if (logit_type < WEIR_FLOAT32 || logit_type > WEIR_BFLOAT16) return WEIR_INVALID_ARGUMENT;
  weir::apply_token_bitmask_inplace(logits, count, static_cast<weir::LogitType>(logit_type), {bitmask, words});
  return WEIR_OK;
}
