// Functions of the C interface for the engine that has kbnf's calls.
#include "c_api/options.h"

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

namespace {

weir_kbnf_result to_c(weir::KbnfResult result) {
  switch (result) {
    case weir::KbnfResult::kOngoing: return WEIR_KBNF_ONGOING;
    case weir::KbnfResult::kFinished: return WEIR_KBNF_FINISHED;
    case weir::KbnfResult::kRejected: return WEIR_KBNF_REJECTED;
    case weir::KbnfResult::kUnknownToken: return WEIR_KBNF_UNKNOWN_TOKEN;
    case weir::KbnfResult::kAfterEnd: return WEIR_KBNF_AFTER_END;
    case weir::KbnfResult::kInvalidLength: return WEIR_KBNF_INVALID_LENGTH;
    case weir::KbnfResult::kLimitExceeded: return WEIR_KBNF_LIMIT_EXCEEDED;
  }
  return WEIR_KBNF_REJECTED;
}

// Stores the result of `answer(engine)` in `*out`, unless a pointer is null.
template <typename Answer>
weir_status ask(weir_kbnf_engine* engine, weir_kbnf_result* out, const Answer& answer) {
  if (engine == nullptr || out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = to_c(answer(engine->value));
  return WEIR_OK;
}

// The body of the functions that return token ids, which `list(engine)` returns.
template <typename List>
weir_status give_ids(const weir_kbnf_engine* engine, weir_token_ids* out, const List& list) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {nullptr, 0};
  if (engine == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    give(std::span<const std::uint32_t>(list(engine->value)), out);
    return WEIR_OK;
  });
}

}  // namespace

const char* weir_kbnf_result_name(weir_kbnf_result result) {
  if (result < WEIR_KBNF_ONGOING || result > WEIR_KBNF_LIMIT_EXCEEDED) return "unknown";
  return weir::to_string(static_cast<weir::KbnfResult>(result)).data();
}

weir_status weir_kbnf_engine_create(const weir_tokenizer_info* tokenizer, weir_text grammar,
                                    const weir_kbnf_options* options, const weir_limits* limits, weir_kbnf_engine** out,
                                    weir_error** error) {
  return build(out, error, [&]() -> weir::Result<weir::KbnfEngine> {
    if (tokenizer == nullptr) return is_null("`tokenizer`");
    if (!is_valid(grammar)) return is_no_array("`grammar`");
    return to_cpp(limits).and_then([&](const weir::Limits& under) {
      return to_cpp(options).and_then([&](const weir::KbnfOptions& given) {
        return weir::KbnfEngine::create(to_view(grammar), tokenizer->value, given, under);
      });
    });
  });
}

weir_status weir_kbnf_engine_of(const weir_compiled_grammar* compiled, weir_kbnf_engine** out) {
  return derive(compiled, out, [](const weir_compiled_grammar& from) { return weir::KbnfEngine(from.value); });
}

void weir_kbnf_engine_free(weir_kbnf_engine* engine) { delete engine; }

weir_status weir_kbnf_engine_try_accept_new_token(weir_kbnf_engine* engine, uint32_t token, weir_kbnf_result* out) {
  return ask(engine, out, [&](weir::KbnfEngine& value) { return value.try_accept_new_token(token); });
}

weir_status weir_kbnf_engine_try_accept_new_bytes(weir_kbnf_engine* engine, weir_text bytes, weir_kbnf_result* out) {
  if (!is_valid(bytes)) return WEIR_INVALID_ARGUMENT;
  return ask(engine, out, [&](weir::KbnfEngine& value) { return value.try_accept_new_bytes(to_view(bytes)); });
}

weir_status weir_kbnf_engine_compute_allowed_token_ids(weir_kbnf_engine* engine, weir_kbnf_result* out) {
  return ask(engine, out, [](weir::KbnfEngine& value) { return value.compute_allowed_token_ids(); });
}

weir_status weir_kbnf_engine_allowed_token_ids(const weir_kbnf_engine* engine, weir_token_ids* out) {
  return give_ids(engine, out, [](const auto& value) { return value.allowed_token_ids_from_last_computation(); });
}

weir_status weir_kbnf_engine_disallowed_token_ids(const weir_kbnf_engine* engine, weir_token_ids* out) {
  return give_ids(engine, out, [](const auto& value) { return value.disallowed_token_ids_from_last_computation(); });
}

bool weir_kbnf_engine_check_if_token_is_allowed(const weir_kbnf_engine* engine, uint32_t token) {
  return engine != nullptr && engine->value.check_if_token_is_allowed(token);
}

size_t weir_kbnf_engine_allowed_token_bitmask(const weir_kbnf_engine* engine, const uint32_t** words) {
  const std::span<const std::uint32_t> mask =
      engine != nullptr ? engine->value.allowed_token_bitmask() : std::span<const std::uint32_t>();
  if (words != nullptr) *words = mask.data();
  return mask.size();
}

weir_status weir_kbnf_engine_mask_logits(const weir_kbnf_engine* engine, float* logits, size_t count,
                                         weir_kbnf_result* out) {
  if (engine == nullptr || out == nullptr || !is_valid(logits, count)) return WEIR_INVALID_ARGUMENT;
  *out = to_c(engine->value.mask_logits({logits, count}));
  return WEIR_OK;
}

weir_status weir_kbnf_engine_update_logits(weir_kbnf_engine* engine, uint32_t token, float* logits, size_t count,
                                           weir_kbnf_result* out) {
  if (!is_valid(logits, count)) return WEIR_INVALID_ARGUMENT;
  return ask(engine, out, [&](weir::KbnfEngine& value) { return value.update_logits(token, {logits, count}); });
}

bool weir_kbnf_engine_is_finished(const weir_kbnf_engine* engine) {
  return engine != nullptr && engine->value.is_finished();
}

weir_status weir_kbnf_engine_matcher(const weir_kbnf_engine* engine, weir_matcher** out) {
  return derive(engine, out, [](const weir_kbnf_engine& from) { return from.value.matcher(); });
}

weir_status weir_kbnf_engine_reset(weir_kbnf_engine* engine) {
  if (engine == nullptr) return WEIR_INVALID_ARGUMENT;
  engine->value.reset();
  return WEIR_OK;
}
