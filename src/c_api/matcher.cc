// Functions of the C interface that an inference loop calls on a matcher. Functions that report about a matcher to
// people are in matcher_reasons.cc.
#include "c_api/options.h"

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

namespace {

// Returns WEIR_LIMIT_EXCEEDED if a limit cut the last result short, else WEIR_OK. A terminated matcher explores
// nothing, so its limit message is from an earlier call.
weir_status limit_status(const weir_matcher& matcher) {
  const bool met_limit = !matcher.value.is_terminated() && !matcher.value.limit_message().empty();
  return met_limit ? WEIR_LIMIT_EXCEEDED : WEIR_OK;
}

}  // namespace

weir_status weir_matcher_create(const weir_compiled_grammar* compiled, const weir_matcher_options* options,
                                weir_matcher** out) {
  return weir_matcher_create_with_error(compiled, options, out, nullptr);
}

weir_status weir_matcher_create_with_error(const weir_compiled_grammar* compiled, const weir_matcher_options* options,
                                           weir_matcher** out, weir_error** error) {
  return build(out, error, [&]() -> weir::Result<weir::GrammarMatcher> {
    if (compiled == nullptr) return is_null("`compiled`");
    return to_cpp(options).and_then(
        [&](const weir::MatcherOptions& given) { return weir::GrammarMatcher::create(compiled->value, given); });
  });
}

weir_status weir_matcher_fork(const weir_matcher* matcher, weir_matcher** out) {
  return derive(matcher, out, [](const weir_matcher& from) { return from.value.fork(); });
}

void weir_matcher_free(weir_matcher* matcher) { delete matcher; }

size_t weir_matcher_stop_token_ids(const weir_matcher* matcher, const uint32_t** ids) {
  const auto found = matcher != nullptr ? matcher->value.stop_token_ids() : std::span<const std::uint32_t>();
  if (ids != nullptr) *ids = found.empty() ? nullptr : found.data();
  return found.size();
}

weir_status weir_matcher_compiled_grammar(const weir_matcher* matcher, weir_compiled_grammar** out) {
  return derive(matcher, out, [](const weir_matcher& from) { return from.value.compiled_grammar(); });
}

weir_status weir_matcher_fill_next_token_bitmask(weir_matcher* matcher, uint32_t* bitmask, size_t words) {
  if (matcher == nullptr || bitmask == nullptr) return WEIR_INVALID_ARGUMENT;
  const std::uint32_t vocab_size = matcher->value.compiled_grammar().tokenizer_info().vocab_size();
  if (words != weir::bitmask_words(vocab_size)) return WEIR_INVALID_ARGUMENT;
  return to_status(matcher->value.fill_next_token_bitmask({bitmask, words}));
}

weir_status weir_matcher_is_token_allowed(weir_matcher* matcher, uint32_t token, bool* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = false;
  if (matcher == nullptr || token >= matcher->value.compiled_grammar().tokenizer_info().vocab_size()) {
    return WEIR_INVALID_ARGUMENT;
  }
  *out = matcher->value.is_token_allowed(token);
  return *out ? WEIR_OK : guarded([&] { return limit_status(*matcher); });
}

weir_status weir_matcher_accept_token(weir_matcher* matcher, uint32_t token) {
  return matcher != nullptr ? to_status(matcher->value.accept_token(token)) : WEIR_INVALID_ARGUMENT;
}

weir_status weir_matcher_accept_bytes(weir_matcher* matcher, weir_text bytes) {
  if (matcher == nullptr || !is_valid(bytes)) return WEIR_INVALID_ARGUMENT;
  return to_status(matcher->value.accept_bytes(to_view(bytes)));
}

weir_status weir_matcher_accept_text(weir_matcher* matcher, weir_text text) {
  if (matcher == nullptr || !is_valid(text)) return WEIR_INVALID_ARGUMENT;
  return guarded([&] { return to_status(matcher->value.accept_text(to_view(text))); });
}

weir_status weir_matcher_longest_viable_prefix(weir_matcher* matcher, weir_text bytes, size_t* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = 0;
  if (matcher == nullptr || !is_valid(bytes)) return WEIR_INVALID_ARGUMENT;
  *out = matcher->value.longest_viable_prefix(to_view(bytes));
  return *out == bytes.size ? WEIR_OK : guarded([&] { return limit_status(*matcher); });
}

weir_status weir_matcher_rollback(weir_matcher* matcher, size_t steps) {
  return matcher != nullptr ? to_status(matcher->value.rollback(steps)) : WEIR_INVALID_ARGUMENT;
}

weir_status weir_matcher_reset(weir_matcher* matcher) {
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  matcher->value.reset();
  return WEIR_OK;
}

size_t weir_matcher_step_count(const weir_matcher* matcher) {
  return matcher != nullptr ? matcher->value.step_count() : 0;
}

bool weir_matcher_is_terminated(const weir_matcher* matcher) {
  return matcher != nullptr && matcher->value.is_terminated();
}

bool weir_matcher_is_completed(const weir_matcher* matcher) {
  return matcher != nullptr && matcher->value.is_completed();
}

weir_status weir_matcher_find_jump_forward_string(weir_matcher* matcher, weir_owned_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    give(matcher->value.find_jump_forward_string(), out);
    return limit_status(*matcher);
  });
}

weir_status weir_matcher_forced_tokens(weir_matcher* matcher, weir_token_ids* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    give(matcher->value.forced_tokens(), out);
    return limit_status(*matcher);
  });
}

weir_status weir_matcher_shortest_completion(weir_matcher* matcher, weir_owned_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    const auto text = matcher->value.shortest_completion();
    if (text) {
      give(*text, out);
      return WEIR_OK;
    }
    const weir_status limit = limit_status(*matcher);
    return limit != WEIR_OK ? limit : WEIR_NOT_FOUND;
  });
}

uint32_t weir_matcher_state_id(weir_matcher* matcher) { return matcher != nullptr ? matcher->value.state_id() : 0; }

weir_status weir_matcher_limit_message(const weir_matcher* matcher, weir_owned_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    give(matcher->value.limit_message(), out);
    return WEIR_OK;
  });
}
