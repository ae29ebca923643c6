// The metadata of a GGUF file: typed values by key.
//
// WHAT   GGUF is llama.cpp's file format for models: a header, key-value pairs (the metadata), then descriptions of
//        tensors and their data. The tokenizer is in the metadata. Nothing after it is read, so the start of a file is
//        enough.
// HOW    parse() walks the pairs once, checks every length and count against the number of bytes available, and stores
//        the offset of each value. The getters then read the values from the file's bytes. So no count in a damaged
//        file makes parse() allocate more than a small multiple of the file's size.
// ERRORS kInvalidArgument with the byte offset: not GGUF, truncated, or an invalid type, count or length.
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

/// Types of values. The numbers are those in the file.
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
  /// The greatest depth of arrays in arrays. Existing files have none.
  static constexpr std::uint32_t kMaxNesting = 8;

  /// Parses the start of a file. `data` must outlive the result.
  static Result<GgufMetadata> parse(std::string_view data);

  // The getters return nullopt if there is no such key, and kInvalidArgument if its value has another type.

  [[nodiscard]] Result<std::optional<std::string_view>> string(std::string_view key) const;
  /// Reads any integer type; a negative value is an error.
  [[nodiscard]] Result<std::optional<std::uint64_t>> integer(std::string_view key) const;
  [[nodiscard]] Result<std::optional<bool>> boolean(std::string_view key) const;
  [[nodiscard]] Result<std::optional<std::vector<std::string_view>>> strings(std::string_view key) const;
  /// Reads arrays of either float type.
  [[nodiscard]] Result<std::optional<std::vector<double>>> floats(std::string_view key) const;
  /// Reads arrays of any integer type; a negative value is an error.
  [[nodiscard]] Result<std::optional<std::vector<std::uint64_t>>> integers(std::string_view key) const;
  /// Returns an array of 8-bit integers as a view of the file's bytes.
  [[nodiscard]] Result<std::optional<std::string_view>> bytes(std::string_view key) const;

  /// Returns the number of bytes from the start of the file to the end of the metadata.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Returns the offset of the value of `key` in the file; 0 if there is no such key.
  [[nodiscard]] std::size_t offset_of(std::string_view key) const;

 private:
  struct Value {
    GgufType type = GgufType::kU8;
    GgufType element = GgufType::kU8;  ///< The element type of an array.
    std::uint64_t count = 1;           ///< The number of elements of an array.
    std::size_t offset = 0;  ///< Offset of the payload, which follows the type and an array's element type and count.
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
