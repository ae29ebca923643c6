// A small language model of the Llama architecture on the CPU, so that an example can generate for real and needs
// nothing but this directory and weir.
//
// WHAT   Reads config.json and model.safetensors (float16) of a directory as transformers writes them, and computes the
//        logits behind a text token by token, with a cache of keys and values.
// COST   A multiplication a parameter and token, in float32, on one thread: right for some million parameters, not for
//        large models.
#ifndef WEIR_EXAMPLES_LANGUAGE_MODEL_LLAMA_H_
#define WEIR_EXAMPLES_LANGUAGE_MODEL_LLAMA_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

// Row i holds the weights of input i: products then run along rows, which compilers turn into vector instructions.
struct Matrix {
  std::size_t inputs = 0, outputs = 0;
  std::vector<float> weights = {};
};

class Llama {
 public:
  // Throws std::runtime_error, which says what is wrong with which file.
  explicit Llama(const std::string& directory);

  // Appends a token. The logits of the token behind it are valid until the next call. Throws std::length_error behind
  // the longest text that the model was made for.
  std::span<const float> append(std::uint32_t token);

  // Takes back all but the first `length` tokens, so that several outputs share the work of their prompt.
  void truncate(std::size_t length) { length_ = length; }

  [[nodiscard]] std::size_t length() const { return length_; }
  [[nodiscard]] std::size_t vocab_size() const { return embedding_.inputs; }

 private:
  struct Layer {
    std::vector<float> attention_norm, feed_forward_norm;
    Matrix query, key, value, output, gate, up, down;
    std::vector<float> keys, values;  // Of all tokens so far, one behind the other.
  };

  void attend(Layer& layer);
  void feed_forward(const Layer& layer);
  void turn(std::span<float> heads) const;

  std::size_t head_count_ = 0, key_head_count_ = 0, head_size_ = 0, longest_ = 0;
  float epsilon_ = 0, theta_ = 0;
  Matrix embedding_;  // Row t is token t's.
  Matrix head_;       // The same (tied), turned for products.
  std::vector<Layer> layers_;
  std::vector<float> norm_;
  std::size_t length_ = 0;
  // What passes between layers, and the room that they work in.
  std::vector<float> stream_, normed_, query_, mixed_, projected_, gate_, up_, scores_, logits_;
};

#endif  // WEIR_EXAMPLES_LANGUAGE_MODEL_LLAMA_H_
