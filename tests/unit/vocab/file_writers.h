// Writers of the binary tokenizer files, for tests: GGUF, protocol buffers, SentencePiece's table of replacements.
#ifndef WEIR_TESTS_UNIT_VOCAB_FILE_WRITERS_H_
#define WEIR_TESTS_UNIT_VOCAB_FILE_WRITERS_H_

#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::vocab {

/// Returns a number as `bytes` bytes, little-endian.
inline std::string little_endian(std::uint64_t value, unsigned bytes) {
  std::string out;
  for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
  return out;
}

/// Writes GGUF metadata. Types are given by their numbers in the file, so that tests can also write invalid types.
class GgufWriter {
 public:
  explicit GgufWriter(std::uint32_t version = 3) : version_(version) {}

  GgufWriter& raw(std::string_view key, std::uint32_t type, std::string_view payload) {
    pairs_ += text(key) + little_endian(type, 4) + std::string(payload);
    ++count_;
    return *this;
  }
  GgufWriter& u32(std::string_view key, std::uint32_t value) { return raw(key, 4, little_endian(value, 4)); }
  GgufWriter& boolean(std::string_view key, bool value) { return raw(key, 7, little_endian(value ? 1 : 0, 1)); }
  GgufWriter& string(std::string_view key, std::string_view value) { return raw(key, 8, text(value)); }
  GgufWriter& strings(std::string_view key, const std::vector<std::string>& values) {
    std::string payload = little_endian(8, 4) + little_endian(values.size(), 8);
    for (const std::string& value : values) payload += text(value);
    return raw(key, 9, payload);
  }
  GgufWriter& i32s(std::string_view key, const std::vector<int>& values) {
    std::string payload = little_endian(5, 4) + little_endian(values.size(), 8);
    for (const int value : values) payload += little_endian(static_cast<std::uint32_t>(value), 4);
    return raw(key, 9, payload);
  }
  GgufWriter& f32s(std::string_view key, const std::vector<float>& values) {
    std::string payload = little_endian(6, 4) + little_endian(values.size(), 8);
    for (const float value : values) payload += little_endian(std::bit_cast<std::uint32_t>(value), 4);
    return raw(key, 9, payload);
  }
  GgufWriter& bytes(std::string_view key, std::string_view value) {
    return raw(key, 9, little_endian(0, 4) + little_endian(value.size(), 8) + std::string(value));
  }

  [[nodiscard]] std::string file() const {
    return "GGUF" + little_endian(version_, 4) + little_endian(0, 8) + little_endian(count_, 8) + pairs_;
  }
  static std::string text(std::string_view value) { return little_endian(value.size(), 8) + std::string(value); }

 private:
  std::uint32_t version_;
  std::uint64_t count_ = 0;
  std::string pairs_;
};

/// Writes one message of a protocol buffer.
class ProtobufWriter {
 public:
  ProtobufWriter& varint(std::uint32_t field, std::uint64_t value) {
    out_ += number(field << 3U) + number(value);
    return *this;
  }
  ProtobufWriter& bytes(std::uint32_t field, std::string_view value) {
    out_ += number((field << 3U) | 2U) + number(value.size()) + std::string(value);
    return *this;
  }
  ProtobufWriter& f32(std::uint32_t field, float value) {
    out_ += number((field << 3U) | 5U) + little_endian(std::bit_cast<std::uint32_t>(value), 4);
    return *this;
  }
  ProtobufWriter& message(std::uint32_t field, const ProtobufWriter& value) { return bytes(field, value.out_); }

  [[nodiscard]] const std::string& data() const { return out_; }

  static std::string number(std::uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7U) out += static_cast<char>((value & 0x7FU) | 0x80U);
    return out + static_cast<char>(value);
  }

 private:
  std::string out_;
};

using Replacements = std::map<std::string, std::string>;

/// Returns a `precompiled_charsmap` of these replacements: a double array whose offsets are found by trying all in
/// turn.
class CharsmapWriter {
 public:
  explicit CharsmapWriter(const Replacements& replacements) {
    std::map<std::string, std::uint32_t> keys;
    for (const auto& [key, replacement] : replacements) {
      keys[key] = static_cast<std::uint32_t>(strings_.size());
      strings_ += replacement + '\0';
    }
    place(0, keys, 0);
  }

  [[nodiscard]] std::string blob() const {
    std::string array;
    for (const std::uint32_t unit : units_) array += little_endian(unit, 4);
    return little_endian(array.size(), 4) + array + strings_;
  }

 private:
  using Keys = std::map<std::string, std::uint32_t>;

  // Adds the children of the node at `index` for all keys, which agree in their first `depth` bytes.
  void place(std::uint32_t index, const Keys& keys, std::size_t depth) {
    std::map<std::uint8_t, Keys> children;  // by byte; 0 for the key that ends here
    for (const auto& [key, value] : keys) {
      const std::uint8_t label = key.size() == depth ? 0 : static_cast<std::uint8_t>(key[depth]);
      children[label][key] = value;
    }
    std::uint32_t base = 1;
    // Children are identified only by their labels, so no two nodes may have the same base.
    const auto fits = [&] {
      if (bases_.contains(base)) return false;
      for (const auto& child : children) {
        if (is_taken(base ^ child.first)) return false;
      }
      return true;
    };
    while (!fits()) ++base;
    bases_.insert(base);
    units_[index] |= (base ^ index) << 10U;
    for (const auto& [label, below] : children) {
      const std::uint32_t at = base ^ label;
      taken_[at] = true;
      units_[at] = label;
      if (label == 0) {
        units_[at] = below.begin()->second | 0x80000000U;
        units_[index] |= 0x100U;
      }
    }
    for (const auto& [label, below] : children) {
      if (label != 0) place(base ^ label, below, depth + 1);
    }
  }

  bool is_taken(std::uint32_t at) {
    if (at >= units_.size()) {
      units_.resize(at + 256);
      taken_.resize(units_.size());
    }
    return taken_[at];
  }

  std::vector<std::uint32_t> units_ = {0};
  std::vector<bool> taken_ = {true};
  std::set<std::uint32_t> bases_;
  std::string strings_;
};

}  // namespace weir::vocab

#endif  // WEIR_TESTS_UNIT_VOCAB_FILE_WRITERS_H_
