#include "llama.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "weights.h"

namespace {

// Reads a matrix, which has a row for each output in the file, and transposes it.
Matrix transposed(const Weights& weights, const std::string& name, std::size_t outputs, std::size_t inputs) {
  const std::vector<float> rows = weights.read(name, outputs * inputs);
  Matrix matrix{inputs, outputs, std::vector<float>(inputs * outputs)};
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; i < inputs; ++i) matrix.weights[i * outputs + o] = rows[o * inputs + i];
  }
  return matrix;
}

void multiply(const Matrix& matrix, std::span<const float> input, std::span<float> output) {
  std::fill(output.begin(), output.end(), 0.0F);
  for (std::size_t i = 0; i < matrix.inputs; ++i) {
    const float factor = input[i];
    const float* row = matrix.weights.data() + i * matrix.outputs;
    for (std::size_t o = 0; o < matrix.outputs; ++o) output[o] += factor * row[o];
  }
}

float dot(const float* a, const float* b, std::size_t size) {
  float sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

void normalize(std::span<const float> input, std::span<const float> weights, float epsilon, std::span<float> output) {
  const float square = dot(input.data(), input.data(), input.size()) / static_cast<float>(input.size());
  const float scale = 1.0F / std::sqrt(square + epsilon);
  for (std::size_t i = 0; i < input.size(); ++i) output[i] = input[i] * scale * weights[i];
}

void add(std::span<float> to, std::span<const float> what) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += what[i];
}

// Normalizes scores so that they sum to one.
void softmax(std::span<float> scores) {
  const float most = *std::max_element(scores.begin(), scores.end());
  float sum = 0;
  for (float& score : scores) sum += score = std::exp(score - most);
  for (float& score : scores) score /= sum;
}

}  // namespace

Llama::Llama(const std::string& directory) {
  const std::string config = read_file(directory + "/config.json");
  const auto size = [&](const char* name) { return static_cast<std::size_t>(number_in(config, name)); };
  const std::size_t width = size("hidden_size"), inner = size("intermediate_size"), vocab = size("vocab_size");
  head_count_ = size("num_attention_heads");
  key_head_count_ = size("num_key_value_heads");
  longest_ = size("max_position_embeddings");
  if (key_head_count_ == 0 || head_count_ % key_head_count_ != 0 || width % (2 * head_count_) != 0) {
    throw std::runtime_error("the heads of config.json do not fit together");
  }
  head_size_ = width / head_count_;
  epsilon_ = static_cast<float>(number_in(config, "rms_norm_eps"));
  theta_ = static_cast<float>(number_in(config, "rope_theta"));
  const std::size_t key_width = key_head_count_ * head_size_;

  const Weights weights(directory + "/model.safetensors");
  if (weights.contains("lm_head.weight")) throw std::runtime_error("only models with tied embeddings are read");
  embedding_ = {vocab, width, weights.read("model.embed_tokens.weight", vocab * width)};
  head_ = transposed(weights, "model.embed_tokens.weight", vocab, width);
  norm_ = weights.read("model.norm.weight", width);
  for (std::size_t i = 0; i < size("num_hidden_layers"); ++i) {
    const std::string at = "model.layers." + std::to_string(i) + ".";
    layers_.push_back({.attention_norm = weights.read(at + "input_layernorm.weight", width),
                       .feed_forward_norm = weights.read(at + "post_attention_layernorm.weight", width),
                       .query = transposed(weights, at + "self_attn.q_proj.weight", width, width),
                       .key = transposed(weights, at + "self_attn.k_proj.weight", key_width, width),
                       .value = transposed(weights, at + "self_attn.v_proj.weight", key_width, width),
                       .output = transposed(weights, at + "self_attn.o_proj.weight", width, width),
                       .gate = transposed(weights, at + "mlp.gate_proj.weight", inner, width),
                       .up = transposed(weights, at + "mlp.up_proj.weight", inner, width),
                       .down = transposed(weights, at + "mlp.down_proj.weight", width, inner),
                       .keys = std::vector<float>(longest_ * key_width),
                       .values = std::vector<float>(longest_ * key_width)});
  }
  for (std::vector<float>* room : {&stream_, &normed_, &query_, &mixed_, &projected_}) room->resize(width);
  gate_.resize(inner);
  up_.resize(inner);
  scores_.resize(longest_);
  logits_.resize(vocab);
}

std::span<const float> Llama::append(std::uint32_t token) {
  if (token >= vocab_size()) throw std::out_of_range("no such token");
  if (length_ >= longest_) throw std::length_error("the text is longer than the model reads");
  const std::size_t width = embedding_.outputs;
  std::copy_n(embedding_.weights.begin() + static_cast<std::ptrdiff_t>(token * width), width, stream_.begin());
  for (Layer& layer : layers_) {
    attend(layer);
    feed_forward(layer);
  }
  ++length_;
  normalize(stream_, norm_, epsilon_, normed_);
  multiply(head_, normed_, logits_);
  return logits_;
}

// Rotary positions: rotates pairs of numbers, half a head apart, by an angle that grows with the position in the text.
void Llama::turn(std::span<float> heads) const {
  const std::size_t half = head_size_ / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const float exponent = static_cast<float>(2 * i) / static_cast<float>(head_size_);
    const float angle = static_cast<float>(length_) / std::pow(theta_, exponent);
    const float c = std::cos(angle), s = std::sin(angle);
    for (std::size_t head = 0; head < heads.size(); head += head_size_) {
      const float a = heads[head + i], b = heads[head + half + i];
      heads[head + i] = a * c - b * s;
      heads[head + half + i] = b * c + a * s;
    }
  }
}

void Llama::attend(Layer& layer) {
  const std::size_t key_width = key_head_count_ * head_size_;
  const std::span<float> key = std::span(layer.keys).subspan(length_ * key_width, key_width);
  normalize(stream_, layer.attention_norm, epsilon_, normed_);
  multiply(layer.query, normed_, query_);
  multiply(layer.key, normed_, key);
  multiply(layer.value, normed_, std::span(layer.values).subspan(length_ * key_width, key_width));
  turn(query_);
  turn(key);
  std::fill(mixed_.begin(), mixed_.end(), 0.0F);
  const float scale = 1.0F / std::sqrt(static_cast<float>(head_size_));
  const std::span<float> scores = std::span(scores_).first(length_ + 1);
  for (std::size_t head = 0; head < head_count_; ++head) {
    const std::size_t key_head = head / (head_count_ / key_head_count_) * head_size_;
    const float* query = query_.data() + head * head_size_;
    for (std::size_t i = 0; i <= length_; ++i) {
      scores[i] = scale * dot(query, layer.keys.data() + i * key_width + key_head, head_size_);
    }
    softmax(scores);
    for (std::size_t i = 0; i <= length_; ++i) {
      const float* value = layer.values.data() + i * key_width + key_head;
      for (std::size_t j = 0; j < head_size_; ++j) mixed_[head * head_size_ + j] += scores[i] * value[j];
    }
  }
  multiply(layer.output, mixed_, projected_);
  add(stream_, projected_);
}

void Llama::feed_forward(const Layer& layer) {
  normalize(stream_, layer.feed_forward_norm, epsilon_, normed_);
  multiply(layer.gate, normed_, gate_);
  multiply(layer.up, normed_, up_);
  for (std::size_t i = 0; i < gate_.size(); ++i) gate_[i] = gate_[i] / (1.0F + std::exp(-gate_[i])) * up_[i];
  multiply(layer.down, gate_, projected_);
  add(stream_, projected_);
}
