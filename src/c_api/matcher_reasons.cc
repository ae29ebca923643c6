// Functions of the C interface that report about a matcher: completions, captures, expectations, explanations, counts.
#include "c_api/options.h"

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

weir_status weir_matcher_state_stats(weir_matcher* matcher, weir_state_stats* out) {
  if (matcher == nullptr || out == nullptr) return WEIR_INVALID_ARGUMENT;
  return store(matcher->value.state_stats(), out);
}

weir_status weir_matcher_shortest_completion_parts(weir_matcher* matcher, weir_completion** out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = nullptr;
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    auto parts = matcher->value.shortest_completion_parts();
    if (!parts) return matcher->value.limit_message().empty() ? WEIR_NOT_FOUND : WEIR_LIMIT_EXCEEDED;
    *out = new weir_completion{*std::move(parts)};
    return WEIR_OK;
  });
}

size_t weir_completion_part_count(const weir_completion* completion) {
  return completion != nullptr ? completion->value.size() : 0;
}

weir_status weir_completion_part_at(const weir_completion* completion, size_t index, weir_completion_part* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (index >= weir_completion_part_count(completion)) return WEIR_INVALID_ARGUMENT;
  const weir::CompletionPart& part = completion->value[index];
  *out = {to_c(part.text), part.token.has_value(), part.token.value_or(0)};
  return WEIR_OK;
}

void weir_completion_free(weir_completion* completion) { delete completion; }

weir_status weir_matcher_text(const weir_matcher* matcher, weir_owned_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    give(matcher->value.text(), out);
    return WEIR_OK;
  });
}

weir_status weir_matcher_captures(weir_matcher* matcher, weir_captures** out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = nullptr;
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    auto captures = matcher->value.captures();
    if (!matcher->value.limit_message().empty()) return WEIR_LIMIT_EXCEEDED;
    *out = new weir_captures{std::move(captures)};
    return WEIR_OK;
  });
}

size_t weir_captures_count(const weir_captures* captures) { return captures != nullptr ? captures->value.size() : 0; }

weir_status weir_captures_at(const weir_captures* captures, size_t index, weir_capture* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (index >= weir_captures_count(captures)) return WEIR_INVALID_ARGUMENT;
  const weir::Capture& capture = captures->value[index];
  *out = {to_c(capture.name), capture.begin, capture.end, capture.complete};
  return WEIR_OK;
}

void weir_captures_free(weir_captures* captures) { delete captures; }

weir_status weir_matcher_temperature(weir_matcher* matcher, float* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = 0;
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    const std::optional<float> temperature = matcher->value.temperature();
    if (!temperature) return WEIR_NOT_FOUND;
    *out = *temperature;
    return WEIR_OK;
  });
}

weir_status weir_matcher_expected(weir_matcher* matcher, weir_expectation** out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = nullptr;
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    *out = new weir_expectation{matcher->value.expected()};
    return WEIR_OK;
  });
}

size_t weir_expectation_terminal_count(const weir_expectation* expectation) {
  return expectation != nullptr ? expectation->value.terminals.size() : 0;
}

weir_status weir_expectation_terminal(const weir_expectation* expectation, size_t index, weir_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (index >= weir_expectation_terminal_count(expectation)) return WEIR_INVALID_ARGUMENT;
  *out = to_c(expectation->value.terminals[index]);
  return WEIR_OK;
}

weir_text weir_expectation_bytes(const weir_expectation* expectation) {
  if (expectation == nullptr) return {};
  const std::vector<std::uint8_t>& bytes = expectation->value.bytes;
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool weir_expectation_end(const weir_expectation* expectation) {
  return expectation != nullptr && expectation->value.end;
}

void weir_expectation_free(weir_expectation* expectation) { delete expectation; }

weir_status weir_matcher_explain(weir_matcher* matcher, uint32_t token, weir_explanation** out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = nullptr;
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    weir::TokenExplanation explanation = matcher->value.explain(token);
    weir_expectation expected{std::move(explanation.expected)};
    *out = new weir_explanation{std::move(explanation), std::move(expected)};
    return WEIR_OK;
  });
}

bool weir_explanation_allowed(const weir_explanation* explanation) {
  return explanation != nullptr && explanation->value.allowed;
}

size_t weir_explanation_bytes_matched(const weir_explanation* explanation) {
  return explanation != nullptr ? explanation->value.bytes_matched : 0;
}

weir_text weir_explanation_reason(const weir_explanation* explanation) {
  return explanation != nullptr ? to_c(explanation->value.reason) : weir_text{};
}

const weir_expectation* weir_explanation_expected(const weir_explanation* explanation) {
  return explanation != nullptr ? &explanation->expected : nullptr;
}

void weir_explanation_free(weir_explanation* explanation) { delete explanation; }
