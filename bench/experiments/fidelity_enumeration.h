// All outputs of a finite language under a language model, enumerated with their probabilities.
//
// WHAT   Three distributions over the texts of a language:
//          - the model's own: the probability of all token sequences that spell the text, given that some text of the
//            language is spelled;
//          - with plain masks, and with canonical masks: that of sampling token by token from the allowed tokens.
//        Beside them the distribution of the canonical sequences alone, given that one of them is written: what
//        canonical masks would give if masking step by step did not move any probability.
// HOW    Each node is an output begun. Outputs begun that the model and the masks do not tell apart are one node: with a
//        model that sees the last token only, those of the same text and last token.
// NEEDS  No text of the language is a prefix of another one, so that the probability of ending plays no part.
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
  double single = 0;               ///< How many of them were the only one allowed.
};

struct Enumeration {
  std::vector<std::string> texts = {};  ///< In the order of the probabilities.
  std::vector<double> own = {};
  std::vector<double> canonical_only = {};
  Masked plain = {}, canonical = {};
  double other_mass = 0;        ///< With plain masks: probability of sequences that the tokenizer does not write.
  double own_other_mass = 0;    ///< The same in the model's own distribution.
  bool is_exact = false;        ///< Canonical masks gave the sequences that the tokenizer writes, and no other ones.
  std::uint64_t sequences = 0;  ///< Token sequences that spell a text of the language.
};

struct EnumerationInput {
  CompiledGrammar compiled;
  std::vector<std::uint32_t> context;  ///< Tokens before the output since the last special token.
  std::string context_text;
  std::uint64_t max_nodes = 0;
};

enum class Refusal : std::uint8_t {
  kNone,
  kTooLarge,       ///< More than max_nodes outputs begun, or more tokens than the model reads.
  kMergesContext,  ///< The tokenizer writes other tokens for the context with a text after it.
  kNotCanonical,   ///< Canonical masks refuse the grammar or the context, or met a limit.
};

/// Returns nullopt with a reason. Precondition: the model has begun with a prompt that ends with the context.
std::optional<Enumeration> enumerate(const EnumerationInput& input, Model& model, Refusal& refusal);

}  // namespace weir::cli::bench_fidelity

#endif  // WEIR_BENCH_EXPERIMENTS_FIDELITY_ENUMERATION_H_
