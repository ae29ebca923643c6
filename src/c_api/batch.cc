// Functions of the C interface for serving many outputs and drafts: batches, draft trees, mask ids, cache statistics.
#include <algorithm>

#include "c_api/options.h"

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

namespace {

// Stores the status of each step in `out`.
void store(const std::vector<weir::Step>& steps, weir_status* out) {
  for (std::size_t i = 0; i < steps.size(); ++i) out[i] = to_status(steps[i]);
}

// Returns the C++ matchers that the handles hold; null for a null handle.
std::vector<weir::GrammarMatcher*> to_matchers(weir_matcher* const* matchers, size_t count) {
  std::vector<weir::GrammarMatcher*> out;
  out.reserve(count);
  for (size_t i = 0; i < count; ++i) out.push_back(matchers[i] != nullptr ? &matchers[i]->value : nullptr);
  return out;
}

}  // namespace

weir_status weir_compiler_cache_stats(const weir_compiler* compiler, weir_cache_stats* out) {
  if (compiler == nullptr || out == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] { return store(compiler->value.cache_stats(), out); });
}

weir_status weir_compiler_clear_cache(const weir_compiler* compiler) {
  if (compiler == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    compiler->value.clear_cache();
    return WEIR_OK;
  });
}

weir_status weir_matcher_next_token_mask_id(weir_matcher* matcher, uint64_t* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = 0;
  if (matcher == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    const auto id = matcher->value.next_token_mask_id();
    if (!id) {
      const bool has_ended = matcher->value.is_terminated();
      return has_ended || matcher->value.limit_message().empty() ? WEIR_NOT_FOUND : WEIR_LIMIT_EXCEEDED;
    }
    *out = *id;
    return WEIR_OK;
  });
}

weir_status weir_matcher_fill_draft_tree_bitmasks(weir_matcher* matcher, const uint32_t* tokens, const int32_t* parents,
                                                  size_t count, uint32_t* bitmasks, size_t words, weir_status* steps) {
  if (matcher == nullptr || !is_valid(tokens, count) || !is_valid(parents, count) || !is_valid(bitmasks, words) ||
      !is_valid(steps, count)) {
    return WEIR_INVALID_ARGUMENT;
  }
  return guarded([&] {
    std::vector<weir::Step> taken(count, weir::Step::kOk);
    const weir::Step step =
        matcher->value.fill_draft_tree_bitmasks({tokens, count}, {parents, count}, {bitmasks, words}, taken);
    if (step == weir::Step::kOk) store(taken, steps);
    return to_status(step);
  });
}

weir_status weir_batch_create(uint32_t threads, weir_batch** out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = nullptr;
  return guarded([&] {
    *out = new weir_batch({.threads = threads});
    return WEIR_OK;
  });
}

weir_status weir_batch_create_with_options(const weir_batch_options* options, weir_batch** out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = nullptr;
  return guarded([&] {
    const weir::Result<weir::BatchOptions> given = to_cpp(options);
    if (!given) return to_status(given.error().code);
    *out = new weir_batch(*given);
    return WEIR_OK;
  });
}

void weir_batch_free(weir_batch* batch) { delete batch; }

weir_status weir_batch_fill_next_token_bitmasks(weir_batch* batch, weir_matcher* const* matchers, size_t count,
                                                uint32_t* bitmasks, size_t words, weir_status* steps) {
  if (batch == nullptr || !is_valid(matchers, count) || !is_valid(bitmasks, words) || !is_valid(steps, count)) {
    return WEIR_INVALID_ARGUMENT;
  }
  // A length that no matcher's vocabulary needs, such as one in bytes, could reach beyond the bitmasks.
  const auto needs_all = [&](const weir_matcher* matcher) {
    if (matcher == nullptr) return false;
    return words / count == weir::bitmask_words(matcher->value.compiled_grammar().tokenizer_info().vocab_size());
  };
  if (count != 0 && (words % count != 0 || std::none_of(matchers, matchers + count, needs_all))) {
    return WEIR_INVALID_ARGUMENT;
  }
  return guarded([&] {
    std::vector<weir::Step> taken(count, weir::Step::kOk);
    const weir::Step step =
        batch->value.fill_next_token_bitmasks(to_matchers(matchers, count), {bitmasks, words}, taken);
    if (step == weir::Step::kOk) store(taken, steps);
    return to_status(step);
  });
}

weir_status weir_batch_next_token_bitmasks(weir_batch* batch, weir_matcher* const* matchers, size_t count,
                                           weir_status* steps, const uint32_t** bitmasks, size_t* words) {
  if (bitmasks == nullptr || words == nullptr) return WEIR_INVALID_ARGUMENT;
  *bitmasks = nullptr;
  *words = 0;
  if (batch == nullptr || !is_valid(matchers, count) || !is_valid(steps, count)) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    std::vector<weir::Step> taken(count, weir::Step::kOk);
    std::span<const std::uint32_t> found;
    const weir::Step step = batch->value.next_token_bitmasks(to_matchers(matchers, count), taken, found);
    if (step == weir::Step::kOk) store(taken, steps);
    *bitmasks = found.empty() ? nullptr : found.data();
    *words = found.size();
    return to_status(step);
  });
}

weir_status weir_batch_accept_tokens(weir_batch* batch, weir_matcher* const* matchers, const uint32_t* tokens,
                                     size_t count, weir_status* steps) {
  if (batch == nullptr || !is_valid(matchers, count) || !is_valid(tokens, count) || !is_valid(steps, count)) {
    return WEIR_INVALID_ARGUMENT;
  }
  return guarded([&] {
    std::vector<weir::Step> taken(count, weir::Step::kOk);
    const weir::Step step = batch->value.accept_tokens(to_matchers(matchers, count), {tokens, count}, taken);
    if (step == weir::Step::kOk) store(taken, steps);
    return to_status(step);
  });
}
