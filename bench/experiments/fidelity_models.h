// Language models for `weir bench fidelity`: their probabilities of the next token.
#ifndef WEIR_BENCH_EXPERIMENTS_FIDELITY_MODELS_H_
#define WEIR_BENCH_EXPERIMENTS_FIDELITY_MODELS_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "llama.h"

namespace weir::cli::bench_fidelity {

class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  /// Sets the tokens before all outputs. Returns false if there are none, or more than the model can read.
  virtual bool begin(std::span<const std::uint32_t> prompt) = 0;
  /// Returns the probability of each token of `next` after the prompt and `output`.
  virtual std::vector<double> probabilities(std::span<const std::uint32_t> output,
                                            std::span<const std::uint32_t> next) = 0;
  /// Returns true if the probabilities depend on the last token alone.
  [[nodiscard]] virtual bool sees_last_token_only() const = 0;
};

/// A bigram model, smoothed by Witten and Bell's method with the frequencies of single tokens.
class BigramModel final : public Model {
 public:
  explicit BigramModel(std::uint32_t vocab_size) : vocab_size_(vocab_size) {}
  void train(std::span<const std::uint32_t> text);
  [[nodiscard]] std::uint64_t trained_tokens() const { return total_; }

  bool begin(std::span<const std::uint32_t> prompt) override;
  std::vector<double> probabilities(std::span<const std::uint32_t> output,
                                    std::span<const std::uint32_t> next) override;
  [[nodiscard]] bool sees_last_token_only() const override { return true; }

 private:
  struct Successors {
    std::uint64_t total = 0;
    std::unordered_map<std::uint32_t, std::uint64_t> counts = {};
  };
  std::uint32_t vocab_size_;
  std::uint64_t total_ = 0;
  std::unordered_map<std::uint32_t, std::uint64_t> counts_;
  std::unordered_map<std::uint32_t, Successors> successors_;  // by the preceding token
  std::uint32_t last_ = 0;                                    // token of the prompt
};

/// A model of the Llama architecture, at temperature 1 (examples/language_model).
class LlamaModel final : public Model {
 public:
  /// Throws std::runtime_error if the files cannot be read.
  explicit LlamaModel(const std::string& directory) : llama_(directory) {}

  bool begin(std::span<const std::uint32_t> prompt) override;
  std::vector<double> probabilities(std::span<const std::uint32_t> output,
                                    std::span<const std::uint32_t> next) override;
  [[nodiscard]] bool sees_last_token_only() const override { return false; }

 private:
  Llama llama_;
  std::vector<std::uint32_t> prompt_;
  std::vector<std::uint32_t> output_;  // the tokens that the model has read after the prompt
};

}  // namespace weir::cli::bench_fidelity

#endif  // WEIR_BENCH_EXPERIMENTS_FIDELITY_MODELS_H_
