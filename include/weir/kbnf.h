// KbnfEngine: a matcher with the calls of Formatron's kbnf, for programs that were written for it.
//
// WHAT   A GrammarMatcher whose output ends as soon as it is complete: no stop token is needed, and none is accepted.
//        As in kbnf, the allowed tokens are those of the last computation: accepting a token does not compute new ones.
// HOW    Before each token call compute_allowed_token_ids and mask_logits, then try_accept_new_token, until it returns
//        kFinished. update_logits does all three.
// THREADS One thread at a time on each engine. Compiled grammars are shared.
//
//     weir::Result<weir::KbnfEngine> engine = weir::KbnfEngine::create("start ::= \"yes\" | \"no\";", tokenizer);
//     if (!engine) return fail(engine.error());
//     engine->compute_allowed_token_ids();
//     while (!engine->is_finished()) {
//       if (engine->mask_logits(logits) != weir::KbnfResult::kOngoing) break;
//       if (engine->try_accept_new_token(sample(logits)) != weir::KbnfResult::kOngoing) break;
//       engine->compute_allowed_token_ids();
//     }
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

/// Options of a KbnfEngine.
struct KbnfOptions {
  std::string start = "start";  ///< The start rule.
  bool keep_endless = true;     ///< True if rules that derive no finite string are kept, as kbnf does.
};

/// The outcome of a call. With all but kOngoing and kFinished the engine and the logits are unchanged.
enum class KbnfResult : std::uint8_t {
  kOngoing,        ///< Accepted; the output is not complete yet.
  kFinished,       ///< Accepted; the output is complete, and nothing more is accepted.
  kRejected,       ///< The grammar does not allow it here.
  kUnknownToken,   ///< The vocabulary has no such token.
  kAfterEnd,       ///< The output was already complete.
  kInvalidLength,  ///< There are fewer logits than tokens.
  kLimitExceeded,  ///< A limit was met; matcher().limit_message() names it.
};

/// Returns the result's name: "ongoing", "finished", ...
WEIR_API std::string_view to_string(KbnfResult result) noexcept;

class WEIR_API KbnfEngine {
 public:
  /// Compiles a KBNF grammar and makes an engine for it. Errors: those of GrammarCompiler::compile_text.
  static Result<KbnfEngine> create(std::string_view grammar, const TokenizerInfo& tokenizer,
                                   const KbnfOptions& options = {}, const Limits& limits = {});
  /// Makes an engine for a compiled grammar, in whichever language it was written.
  explicit KbnfEngine(CompiledGrammar compiled);

  /// Appends a token. Returns kOngoing, kFinished, kRejected (also for a stop token), kUnknownToken, kAfterEnd or
  /// kLimitExceeded.
  [[nodiscard]] KbnfResult try_accept_new_token(std::uint32_t token) noexcept;
  /// Appends all bytes or none of them. Returns as try_accept_new_token. An empty string changes nothing and returns
  /// kOngoing, or kAfterEnd if the output is complete.
  [[nodiscard]] KbnfResult try_accept_new_bytes(std::string_view bytes) noexcept;

  /// Computes the set of allowed tokens; it is empty when the engine is finished. Returns kOngoing, kFinished, or
  /// kLimitExceeded; on kLimitExceeded the previous set stays.
  KbnfResult compute_allowed_token_ids() noexcept;

  /// The allowed tokens of the last computation, and the others, both ascending. Before the first computation and after
  /// reset() no token is allowed. Cost: linear in the vocabulary.
  [[nodiscard]] std::vector<std::uint32_t> allowed_token_ids_from_last_computation() const;
  [[nodiscard]] std::vector<std::uint32_t> disallowed_token_ids_from_last_computation() const;
  [[nodiscard]] bool check_if_token_is_allowed(std::uint32_t token) const noexcept;
  /// Returns the allowed tokens of the last computation as a bitmask (weir/bitmask.h). Valid until the next
  /// computation.
  [[nodiscard]] std::span<const std::uint32_t> allowed_token_bitmask() const noexcept { return allowed_; }

  /// Sets the logits of all tokens that the last computation does not allow to minus infinity. Logits beyond vocab_size
  /// stand for no token and are set, too.
  /// Returns  kOngoing; kInvalidLength if there are fewer than vocab_size logits.
  [[nodiscard]] KbnfResult mask_logits(std::span<float> logits) const noexcept;

  /// Accepts a token, computes the allowed tokens and masks the logits. On kFinished the logits are unchanged.
  /// Example
  ///     if (engine.update_logits(token, logits) == weir::KbnfResult::kFinished) return;  // the output is complete
  [[nodiscard]] KbnfResult update_logits(std::uint32_t token, std::span<float> logits) noexcept;

  /// Returns true if something was accepted and the output is complete.
  [[nodiscard]] bool is_finished() const noexcept;

  /// Returns to the beginning. States that were explored are kept.
  void reset() noexcept;

  [[nodiscard]] const GrammarMatcher& matcher() const noexcept { return matcher_; }

 private:
  [[nodiscard]] KbnfResult result_of(Step step) const noexcept;
  [[nodiscard]] bool has_token(std::uint32_t token) const noexcept;

  GrammarMatcher matcher_;
  std::vector<std::uint32_t> allowed_;
  std::vector<std::uint32_t> next_;  // the mask that is being computed; on a limit `allowed_` stays as it was
};

}  // namespace weir

#endif  // WEIR_KBNF_H_
