// Reads the files of a model: numbers of config.json, tensors of model.safetensors.
#ifndef WEIR_EXAMPLES_LANGUAGE_MODEL_WEIGHTS_H_
#define WEIR_EXAMPLES_LANGUAGE_MODEL_WEIGHTS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Throws std::runtime_error.
std::string read_file(const std::string& path);

// The number that `"name":` stands before in a JSON text. Throws std::runtime_error where there is none.
double number_in(std::string_view json, std::string_view name);

// A file of tensors: eight bytes of size, a header of JSON that says where each tensor is, and the tensors. Only
// float16 is read. Members throw std::runtime_error.
class Weights {
 public:
  explicit Weights(const std::string& path);

  [[nodiscard]] bool contains(std::string_view name) const { return header_of(name) != std::string_view::npos; }

  // The tensor, which must have `count` numbers.
  [[nodiscard]] std::vector<float> read(std::string_view name, std::size_t count) const;

 private:
  [[nodiscard]] std::size_t header_of(std::string_view name) const;

  std::string file_;
  std::string_view header_, data_;
};

#endif  // WEIR_EXAMPLES_LANGUAGE_MODEL_WEIGHTS_H_
