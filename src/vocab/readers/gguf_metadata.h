// The metadata of a GGUF file: typed values by key.
//
// WHAT   GGUF is llama.cpp's file of a model: a header, key-value pairs, then descriptions of tensors and their data.
//        The tokenizer is in the pairs, and nothing behind them is looked at: the start of a file is enough.
// HOW    parse() walks the pairs once, checks every length and count against the bytes that are there before it takes
//        them, and notes where each value lies. The getters then read values where they lie; none is copied before it
//        is asked for, and no count in the file makes anything grow beyond a small multiple of the file's own size.
// ERRORS kInvalidArgument with the byte offset: not GGUF, truncated, a type, count or length that cannot be.
//        kUnsupported: version 1, or bytes in big-endian order.
// REFERENCES The format's description, docs/gguf.md in the repository ggml-org/ggml.
#ifndef WEIR_SRC_VOCAB_READERS_GGUF_METADATA_H_
#define WEIR_SRC_VOCAB_READERS_GGUF_METADATA_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/error.h"

namespace weir::vocab {

/// Types of values; the numbers are the file's.
enum class GgufType : std::uint8_t {
  kU8 = 0,
  kI8 = 1,
  kU16 = 2,
  kI16 = 3,
  kU32 = 4,
  kI32 = 5,
  kF32 = 6,
  kBool = 7,
  kString = 8,
  kArray = 9,
  kU64 = 10,
  kI64 = 11,
  kF64 = 12,
};

class GgufMetadata {
 public:
  /// Arrays in arrays that are followed; the files of today have none at all.
  static constexpr std::uint32_t kMaxNesting = 8;

  /// `data` must outlive the result.
  static Result<GgufMetadata> parse(std::string_view data);

  /// The getters answer nullopt where there is no such key, and an error where its value has another type.
  [[nodiscard]] Result<std::optional<std::string_view>> string(std::string_view key) const;
  /// Any integer type, not negative.
  [[nodiscard]] Result<std::optional<std::uint64_t>> integer(std::string_view key) const;
  [[nodiscard]] Result<std::optional<bool>> boolean(std::string_view key) const;
  [[nodiscard]] Result<std::optional<std::vector<std::string_view>>> strings(std::string_view key) const;
  /// Either float type.
  [[nodiscard]] Result<std::optional<std::vector<double>>> floats(std::string_view key) const;
  /// Any integer type, none negative.
  [[nodiscard]] Result<std::optional<std::vector<std::uint64_t>>> integers(std::string_view key) const;
  /// An array of 8-bit integers as it lies in the file.
  [[nodiscard]] Result<std::optional<std::string_view>> bytes(std::string_view key) const;

  /// Bytes of the file up to the end of the metadata.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Offset of the value of `key` in the file; 0 if there is none.
  [[nodiscard]] std::size_t offset_of(std::string_view key) const;

 private:
  struct Value {
    GgufType type = GgufType::kU8;
    GgufType element = GgufType::kU8;  ///< Of an array.
    std::uint64_t count = 1;           ///< Elements of an array.
    std::size_t offset = 0;  ///< Of the payload: behind the type, and behind an array's element type and count.
  };
  class Parser;

  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] Error wrong_type(std::string_view key, const Value& value, std::string_view wanted) const;
  [[nodiscard]] std::optional<std::uint64_t> integer_at(GgufType type, std::size_t offset) const;

  std::string_view data_;
  std::size_t size_ = 0;
  std::map<std::string_view, Value> values_;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_GGUF_METADATA_H_
