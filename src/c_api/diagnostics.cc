// Functions of the C interface for lists of findings: those of checks, warnings, and an error with its notes.
#include "c_api/options.h"

#include <cstring>

namespace weir::c_api {

weir_status give(std::vector<Diagnostic> findings, weir_diagnostics** out) {
  *out = new weir_diagnostics{std::move(findings)};
  return WEIR_OK;
}

weir_status give_warnings(const std::vector<Warning>* warnings, weir_diagnostics** out) noexcept {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = nullptr;
  if (warnings == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    std::vector<Diagnostic> findings;
    for (const Warning& warning : *warnings) findings.push_back(to_diagnostic(warning));
    return give(std::move(findings), out);
  });
}

namespace {

weir_diagnostic described(const Diagnostic& from) {
  weir_diagnostic out{};
  out.code = to_c(from.code);
  out.message = to_c(from.message);
  out.hint = to_c(from.hint);
  out.limit = to_c(from.limit);
  out.pointer = to_c(from.pointer);
  out.options = to_c(from.options);
  if (from.text != nullptr) out.text = to_c(*from.text);
  out.start = from.where.start;
  out.end = from.where.end;
  out.note_count = from.notes.size();
  out.severity = from.severity == Severity::kError ? WEIR_SEVERITY_ERROR : WEIR_SEVERITY_WARNING;
  out.has_fix = from.fix.has_value();
  if (from.fix) {
    out.replacement = to_c(from.fix->replacement);
    out.fix_start = from.fix->where.start;
    out.fix_end = from.fix->where.end;
  }
  return out;
}

// Returns the finding with this index, or null if there is none.
const Diagnostic* finding(const weir_diagnostics* diagnostics, std::size_t index) {
  return index < weir_diagnostics_count(diagnostics) ? &diagnostics->value[index] : nullptr;
}

}  // namespace

}  // namespace weir::c_api

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

const char* weir_severity_name(weir_severity severity) {
  return severity == WEIR_SEVERITY_ERROR ? "error" : severity == WEIR_SEVERITY_WARNING ? "warning" : "unknown";
}

size_t weir_diagnostics_count(const weir_diagnostics* diagnostics) {
  return diagnostics != nullptr ? diagnostics->value.size() : 0;
}

weir_status weir_diagnostics_at(const weir_diagnostics* diagnostics, size_t index, weir_diagnostic* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  const weir::Diagnostic* found = finding(diagnostics, index);
  const std::size_t size = out->struct_size;
  if (!is_struct_size(size)) return WEIR_INVALID_ARGUMENT;
  weir_diagnostic written = found != nullptr ? described(*found) : weir_diagnostic{};
  written.struct_size = size;
  std::memset(out, 0, size);
  std::memcpy(out, &written, std::min(size, sizeof written));
  return found != nullptr ? WEIR_OK : WEIR_INVALID_ARGUMENT;
}

weir_status weir_diagnostics_note(const weir_diagnostics* diagnostics, size_t index, size_t note, weir_note* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  const weir::Diagnostic* found = finding(diagnostics, index);
  if (found == nullptr || note >= found->notes.size()) return WEIR_INVALID_ARGUMENT;
  const weir::ErrorNote& from = found->notes[note];
  *out = {to_c(from.message), to_c(from.location), from.where.start, from.where.end};
  return WEIR_OK;
}

void weir_diagnostics_free(weir_diagnostics* diagnostics) { delete diagnostics; }

weir_status weir_diagnostics_render(const weir_diagnostics* diagnostics, size_t index, weir_text text, weir_text name,
                                    const weir_render_options* options, weir_owned_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  const weir::Diagnostic* found = finding(diagnostics, index);
  if (found == nullptr || !is_valid(text) || !is_valid(name)) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    const weir::Result<weir::RenderOptions> given = to_cpp(options);
    if (!given) return WEIR_INVALID_ARGUMENT;
    give(weir::render(*found, to_view(text), to_view(name), *given), out);
    return WEIR_OK;
  });
}

weir_status weir_error_diagnostics(const weir_error* error, weir_diagnostics** out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = nullptr;
  if (error == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] { return give({weir::to_diagnostic(error->value)}, out); });
}
