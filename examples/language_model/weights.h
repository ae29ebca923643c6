// Reads the files of a model: numbers from config.json, tensors from model.safetensors.
#ifndef WEIR_EXAMPLES_LANGUAGE_MODEL_WEIGHTS_H_
#define WEIR_EXAMPLES_LANGUAGE_MODEL_WEIGHTS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Returns the content of a file. Throws std::runtime_error.
std::string read_file(const std::string& path);

// Returns the number after `"name":` in a JSON text. Throws std::runtime_error if there is none.
double number_in(std::string_view json, std::string_view name);

// A file of tensors: the size of the header (eight bytes), a JSON header with the position of each tensor, and the
// tensors. Only float16 is supported. Members throw std::runtime_error.
class Weights {
 public:
  explicit Weights(const std::string& path);

  [[nodiscard]] bool contains(std::string_view name) const { return header_of(name) != std::string_view::npos; }

  // Returns the numbers of a tensor, of which there must be `count`.
  [[nodiscard]] std::vector<float> read(std::string_view name, std::size_t count) const;

 private:
  [[nodiscard]] std::size_t header_of(std::string_view name) const;

  std::string file_;
  std::string_view header_, data_;
};

#endif  // WEIR_EXAMPLES_LANGUAGE_MODEL_WEIGHTS_H_
