// Enumerates all outputs of a finite language with their probabilities under a language model.
//
// WHAT   Computes three distributions over the texts of a language:
//          - the model's own: the probability of all token sequences that spell the text, given that some text of the
//            language is spelled;
//          - with plain masks, and with canonical masks: the probability of sampling the text token by token from the
//            allowed tokens.
//        It also computes the model's distribution over the canonical sequences, given that one of them is written.
//        Canonical masks would give this distribution if masking step by step did not shift any probability.
// HOW    Each node is a partial output. Partial outputs that neither the model nor the masks distinguish are one node:
//        with a model that sees only the last token, those with the same text and last token.
// NEEDS  No text of the language is a prefix of another, so that the probability of ending does not matter.
#ifndef WEIR_BENCH_EXPERIMENTS_FIDELITY_ENUMERATION_H_
#define WEIR_BENCH_EXPERIMENTS_FIDELITY_ENUMERATION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fidelity_models.h"
#include "weir/compiler.h"

namespace weir::cli::bench_fidelity {

/// Returns half the sum of the absolute differences: 0 for equal distributions, 1 for disjoint ones.
double total_variation(const std::vector<double>& a, const std::vector<double>& b);

struct Masked {
  std::vector<double> texts = {};  ///< Probability of each text.
  double steps = 0;                ///< Tokens of an output, on average.
  double single = 0;               ///< How many of them were the only allowed token, on average.
};

struct Enumeration {
  std::vector<std::string> texts = {};  ///< Parallel to each distribution.
  std::vector<double> own = {};
  std::vector<double> canonical_only = {};
  Masked plain = {}, canonical = {};
  double other_mass = 0;        ///< With plain masks: probability of sequences that the tokenizer does not write.
  double own_other_mass = 0;    ///< The same in the model's own distribution.
  bool is_exact = false;        ///< Canonical masks gave exactly the sequences that the tokenizer writes.
  std::uint64_t sequences = 0;  ///< Token sequences that spell a text of the language.
};

struct EnumerationInput {
  CompiledGrammar compiled;
  std::vector<std::uint32_t> context;  ///< Tokens between the last special token and the output.
  std::string context_text;
  std::uint64_t max_nodes = 0;
};

enum class Refusal : std::uint8_t {
  kNone,
  kTooLarge,       ///< More than max_nodes partial outputs, or more tokens than the model can read.
  kMergesContext,  ///< The context has other tokens when a text follows it.
  kNotCanonical,   ///< Canonical masks refuse the grammar or the context, or reached a limit.
};

/// Returns nullopt on failure and sets `refusal` to the reason. Precondition: the model has begun with a prompt that
/// ends with the context.
std::optional<Enumeration> enumerate(const EnumerationInput& input, Model& model, Refusal& refusal);

}  // namespace weir::cli::bench_fidelity

#endif  // WEIR_BENCH_EXPERIMENTS_FIDELITY_ENUMERATION_H_
