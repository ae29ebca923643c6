// A small language model of the Llama architecture on the CPU, so that the example can generate text with no other
// dependency than weir.
//
// WHAT   Reads config.json and model.safetensors (float16) of a directory as transformers writes them, and computes the
//        logits after a text token by token, with a cache of keys and values.
// COST   One float32 multiplication for each parameter and token, on one thread: fast enough for a few million
//        parameters, not for large models.
#ifndef WEIR_EXAMPLES_LANGUAGE_MODEL_LLAMA_H_
#define WEIR_EXAMPLES_LANGUAGE_MODEL_LLAMA_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Row i holds the weights of input i, so that products run along rows, for which compilers use vector instructions.
struct Matrix {
  std::size_t inputs = 0, outputs = 0;
  std::vector<float> weights = {};
};

class Llama {
 public:
  // Throws std::runtime_error, whose message names the file and the error.
  explicit Llama(const std::string& directory);

  // Appends a token and returns the logits of the next token, which are valid until the next call. Throws
  // std::length_error if the text exceeds the model's maximum length.
  std::span<const float> append(std::uint32_t token);

  // Removes all tokens except the first `length`, so that several outputs can share the computation of their prompt.
  void truncate(std::size_t length) { length_ = length; }

  [[nodiscard]] std::size_t length() const { return length_; }
  [[nodiscard]] std::size_t vocab_size() const { return embedding_.inputs; }

 private:
  struct Layer {
    std::vector<float> attention_norm, feed_forward_norm;
    Matrix query, key, value, output, gate, up, down;
    std::vector<float> keys, values;  // of all tokens so far, concatenated
  };

  void attend(Layer& layer);
  void feed_forward(const Layer& layer);
  void turn(std::span<float> heads) const;

  std::size_t head_count_ = 0, key_head_count_ = 0, head_size_ = 0, longest_ = 0;
  float epsilon_ = 0, theta_ = 0;
  Matrix embedding_;  // row t belongs to token t
  Matrix head_;       // the same weights (tied), transposed for products
  std::vector<Layer> layers_;
  std::vector<float> norm_;
  std::size_t length_ = 0;
  // The values between layers, and the layers' working memory.
  std::vector<float> stream_, normed_, query_, mixed_, projected_, gate_, up_, scores_, logits_;
};

#endif  // WEIR_EXAMPLES_LANGUAGE_MODEL_LLAMA_H_
