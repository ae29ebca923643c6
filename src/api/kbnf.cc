#include "weir/kbnf.h"

#include <algorithm>
#include <utility>

#include "vocab/token_set.h"
#include "weir/bitmask.h"
#include "weir/logits.h"

namespace weir {

namespace {

std::vector<std::uint32_t> tokens_of(std::span<const std::uint32_t> bitmask, std::size_t vocab_size, bool allowed) {
  std::vector<std::uint32_t> tokens;
  for (std::size_t w = 0; w < bitmask.size(); ++w) {
    vocab::for_each_bit(w, allowed ? bitmask[w] : ~bitmask[w], [&](std::uint32_t token) {
      if (token < vocab_size) tokens.push_back(token);
    });
  }
  return tokens;
}

}  // namespace

std::string_view to_string(KbnfResult result) noexcept {
  switch (result) {
    case KbnfResult::kOngoing: return "ongoing";
    case KbnfResult::kFinished: return "finished";
    case KbnfResult::kRejected: return "rejected";
    case KbnfResult::kUnknownToken: return "unknown_token";
    case KbnfResult::kAfterEnd: return "after_end";
    case KbnfResult::kInvalidLength: return "invalid_length";
    case KbnfResult::kLimitExceeded: return "limit_exceeded";
  }
  return {};
}

Result<KbnfEngine> KbnfEngine::create(std::string_view grammar, const TokenizerInfo& tokenizer,
                                      const KbnfOptions& options, const Limits& limits) {
  GrammarTextOptions text;
  text.syntax = GrammarSyntax::kKbnf;
  text.start = options.start;
  text.keep_endless = options.keep_endless;
  Result<CompiledGrammar> compiled = GrammarCompiler(tokenizer, limits).compile_text(grammar, text);
  if (!compiled) return tl::unexpected(std::move(compiled.error()));
  return KbnfEngine(*std::move(compiled));
}

KbnfEngine::KbnfEngine(CompiledGrammar compiled)
    : matcher_(std::move(compiled)),
      allowed_(bitmask_words(matcher_.compiled_grammar().tokenizer_info().vocab_size())),
      next_(allowed_.size()) {}

bool KbnfEngine::is_finished() const noexcept {
  return matcher_.is_terminated() || (matcher_.step_count() > 0 && matcher_.is_completed());
}

bool KbnfEngine::has_token(std::uint32_t token) const noexcept {
  return token < matcher_.compiled_grammar().tokenizer_info().vocab_size();
}

KbnfResult KbnfEngine::result_of(Step step) const noexcept {
  switch (step) {
    case Step::kOk: return is_finished() ? KbnfResult::kFinished : KbnfResult::kOngoing;
    case Step::kTerminated: return KbnfResult::kAfterEnd;
    case Step::kLimitExceeded: return KbnfResult::kLimitExceeded;
    default: return KbnfResult::kRejected;
  }
}

KbnfResult KbnfEngine::try_accept_new_token(std::uint32_t token) noexcept {
  if (is_finished()) return KbnfResult::kAfterEnd;
  if (!has_token(token)) return KbnfResult::kUnknownToken;
  const std::size_t before = matcher_.step_count();
  const KbnfResult result = result_of(matcher_.accept_token(token));
  if (!matcher_.is_terminated()) return result;
  // A stop token was accepted, so the output is complete but not finished. It is empty then, which kbnf does not
  // accept.
  (void)matcher_.rollback(matcher_.step_count() - before);
  return KbnfResult::kRejected;
}

KbnfResult KbnfEngine::try_accept_new_bytes(std::string_view bytes) noexcept {
  if (is_finished()) return KbnfResult::kAfterEnd;
  if (bytes.empty()) return KbnfResult::kOngoing;
  return result_of(matcher_.accept_bytes(bytes));
}

KbnfResult KbnfEngine::compute_allowed_token_ids() noexcept {
  if (is_finished()) {
    std::fill(allowed_.begin(), allowed_.end(), 0U);
    return KbnfResult::kFinished;
  }
  const Step step = matcher_.fill_next_token_bitmask(next_);
  if (step != Step::kOk) return result_of(step);
  for (const std::uint32_t stop : matcher_.compiled_grammar().tokenizer_info().stop_token_ids()) {
    bitmask_clear(next_, stop);
  }
  std::swap(allowed_, next_);
  return KbnfResult::kOngoing;
}

std::vector<std::uint32_t> KbnfEngine::allowed_token_ids_from_last_computation() const {
  return tokens_of(allowed_, matcher_.compiled_grammar().tokenizer_info().vocab_size(), true);
}

std::vector<std::uint32_t> KbnfEngine::disallowed_token_ids_from_last_computation() const {
  return tokens_of(allowed_, matcher_.compiled_grammar().tokenizer_info().vocab_size(), false);
}

bool KbnfEngine::check_if_token_is_allowed(std::uint32_t token) const noexcept {
  return has_token(token) && bitmask_get(allowed_, token);
}

KbnfResult KbnfEngine::mask_logits(std::span<float> logits) const noexcept {
  if (logits.size() < matcher_.compiled_grammar().tokenizer_info().vocab_size()) return KbnfResult::kInvalidLength;
  apply_token_bitmask_inplace(logits.data(), logits.size(), LogitType::kFloat32, allowed_);
  return KbnfResult::kOngoing;
}

KbnfResult KbnfEngine::update_logits(std::uint32_t token, std::span<float> logits) noexcept {
  if (logits.size() < matcher_.compiled_grammar().tokenizer_info().vocab_size()) return KbnfResult::kInvalidLength;
  const std::size_t before = matcher_.step_count();
  const KbnfResult accepted = try_accept_new_token(token);
  if (accepted != KbnfResult::kOngoing) return accepted;
  const KbnfResult computed = compute_allowed_token_ids();
  if (computed != KbnfResult::kOngoing) {
    (void)matcher_.rollback(matcher_.step_count() - before);
    return computed;
  }
  return mask_logits(logits);
}

void KbnfEngine::reset() noexcept {
  matcher_.reset();
  std::fill(allowed_.begin(), allowed_.end(), 0U);
}

}  // namespace weir
