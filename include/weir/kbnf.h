// KbnfEngine: a matcher with the calls of Formatron's kbnf, for programs that are written for it.
//
// WHAT   A GrammarMatcher whose output ends as soon as it is complete: no stop token is needed, and none is accepted.
//        As in kbnf, masks are of the last computation: accepting a token makes no new one.
// HOW    try_accept_new_token until kFinished; before each, compute_allowed_token_ids and mask_logits; or
//        update_logits, which is all three.
// THREADS One thread an engine; compiled grammars are shared.
#ifndef WEIR_KBNF_H_
#define WEIR_KBNF_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/compiler.h"
#include "weir/error.h"
#include "weir/export.h"
#include "weir/limits.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace weir {

struct KbnfOptions {
  std::string start = "start";  ///< The rule to begin with.
  bool keep_endless = true;     ///< GrammarTextOptions::keep_endless; kbnf keeps such rules.
};

/// What became of a call. Behind all but the first two the engine is as it was, and so are the logits.
enum class KbnfResult : std::uint8_t {
  kOngoing,        ///< Accepted; more is to come.
  kFinished,       ///< Accepted; the output is complete, and nothing more is accepted.
  kRejected,       ///< The grammar does not allow it here.
  kUnknownToken,   ///< There is no such token.
  kAfterEnd,       ///< The output was complete before.
  kInvalidLength,  ///< Fewer logits than tokens.
  kLimitExceeded,  ///< matcher().limit_message() says which.
};

WEIR_API std::string_view to_string(KbnfResult result) noexcept;

class WEIR_API KbnfEngine {
 public:
  /// Errors   Those of GrammarCompiler::compile_text.
  static Result<KbnfEngine> create(std::string_view grammar, const TokenizerInfo& tokenizer,
                                   const KbnfOptions& options = {}, const Limits& limits = {});
  /// Of a grammar that is compiled already, in whatever language it was written.
  explicit KbnfEngine(CompiledGrammar compiled);

  [[nodiscard]] KbnfResult try_accept_new_token(std::uint32_t token) noexcept;
  /// All of them or none. No bytes are accepted anywhere but behind the end.
  [[nodiscard]] KbnfResult try_accept_new_bytes(std::string_view bytes) noexcept;

  /// Computes the mask of what may come next; empty when finished. Returns kOngoing, kFinished or kLimitExceeded, with
  /// which the last mask stays.
  KbnfResult compute_allowed_token_ids() noexcept;

  /// Of the last computation; none before the first one and behind reset(). Ascending.
  [[nodiscard]] std::vector<std::uint32_t> allowed_token_ids_from_last_computation() const;
  [[nodiscard]] std::vector<std::uint32_t> disallowed_token_ids_from_last_computation() const;
  [[nodiscard]] bool check_if_token_is_allowed(std::uint32_t token) const noexcept;
  /// The same as a bitmask (weir/bitmask.h). Valid until the next computation.
  [[nodiscard]] std::span<const std::uint32_t> allowed_token_bitmask() const noexcept { return allowed_; }

  /// Sets to minus infinity the logits of all tokens that are not allowed by the last computation.
  /// Returns  kOngoing, or kInvalidLength where there are fewer than vocab_size logits. Those behind stand for no token
  ///          and are set, too.
  [[nodiscard]] KbnfResult mask_logits(std::span<float> logits) const noexcept;

  /// Accepts a token, computes what may come next and masks the logits. Behind kFinished the logits are as they were.
  [[nodiscard]] KbnfResult update_logits(std::uint32_t token, std::span<float> logits) noexcept;

  /// Whether something was accepted and the output is complete.
  [[nodiscard]] bool is_finished() const noexcept;

  /// Back to the beginning. What was explored stays.
  void reset() noexcept;

  [[nodiscard]] const GrammarMatcher& matcher() const noexcept { return matcher_; }

 private:
  [[nodiscard]] KbnfResult result_of(Step step) const noexcept;
  [[nodiscard]] bool has_token(std::uint32_t token) const noexcept;

  GrammarMatcher matcher_;
  std::vector<std::uint32_t> allowed_;
  std::vector<std::uint32_t> next_;  // what is being computed, so that a limit leaves `allowed_`
};

}  // namespace weir

#endif  // WEIR_KBNF_H_
