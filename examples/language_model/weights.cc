#include "weights.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace {

// Returns the little-endian unsigned integer of `size` bytes.
std::uint64_t little_endian(std::string_view bytes, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = size; i-- > 0;) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

float from_half(std::uint32_t half) {
  const std::uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
  const float sign = (half & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::bit_cast<float>((exponent + 112) << 23 | fraction << 13);
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) throw std::runtime_error(path + ": cannot be read");
  return text;
}

double number_in(std::string_view json, std::string_view name) {
  const std::string key = '"' + std::string(name) + "\":";
  const std::size_t place = json.find(key);
  if (place == std::string_view::npos) throw std::runtime_error("no " + std::string(name) + " in config.json");
  return std::strtod(std::string(json.substr(place + key.size(), 32)).c_str(), nullptr);
}

Weights::Weights(const std::string& path) : file_(read_file(path)) {
  const std::uint64_t size = file_.size() < 8 ? 0 : little_endian(file_, 8);
  if (size == 0 || size > file_.size() - 8) throw std::runtime_error(path + ": no file of tensors");
  header_ = std::string_view(file_).substr(8, size);
  data_ = std::string_view(file_).substr(8 + size);
}

std::size_t Weights::header_of(std::string_view name) const { return header_.find('"' + std::string(name) + "\":{"); }

std::vector<float> Weights::read(std::string_view name, std::size_t count) const {
  const std::size_t begin = header_of(name);
  if (begin == std::string_view::npos) throw std::runtime_error("no tensor " + std::string(name));
  const std::string entry(header_.substr(begin, header_.find('}', begin) - begin));
  const std::string_view kOffsets = "\"data_offsets\":[";
  const std::size_t place = entry.find(kOffsets);
  char* comma = nullptr;
  const std::uint64_t first =
      place == std::string::npos ? 0 : std::strtoull(entry.c_str() + place + kOffsets.size(), &comma, 10);
  const std::uint64_t last = comma == nullptr || *comma != ',' ? 0 : std::strtoull(comma + 1, nullptr, 10);
  if (entry.find("\"F16\"") == std::string::npos || last > data_.size() || first > last || last - first != 2 * count) {
    throw std::runtime_error("tensor " + std::string(name) + " is not float16 or has another size");
  }
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = from_half(static_cast<std::uint32_t>(little_endian(data_.substr(first + 2 * i, 2), 2)));
  }
  return numbers;
}
