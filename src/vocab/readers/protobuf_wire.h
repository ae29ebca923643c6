// The wire format of protocol buffers: the fields of a message, one after the other.
//
// WHAT   A message is a sequence of (field number, wire type, value). ProtobufReader yields them in the order of the
//        file; what the numbers mean is the caller's business. Nested messages are values of bytes, read by another
//        reader over them.
// HOW    Every length is checked against the bytes that are there. Nothing is copied.
// ERRORS A malformed message ends next() with false and sets error(): kInvalidArgument with the byte offset.
// REFERENCES "Protocol Buffers: Encoding", protobuf.dev/programming-guides/encoding.
#ifndef WEIR_SRC_VOCAB_READERS_PROTOBUF_WIRE_H_
#define WEIR_SRC_VOCAB_READERS_PROTOBUF_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "weir/error.h"

namespace weir::vocab {

struct ProtobufField {
  enum class Wire : std::uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  std::uint32_t number = 0;
  Wire wire = Wire::kVarint;
  std::uint64_t value = 0;      ///< Of kVarint, kFixed64, kFixed32.
  std::string_view bytes = {};  ///< Of kBytes.
  std::size_t offset = 0;       ///< Of the value's first byte in the file; of kBytes, behind the length.
};

class ProtobufReader {
 public:
  /// `base` is the offset of `data` in the file, for messages.
  explicit ProtobufReader(std::string_view data, std::size_t base = 0) : data_(data), base_(base) {}

  /// Reads the next field. False at the end and after an error.
  bool next(ProtobufField& field);

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  bool varint(std::uint64_t& out);
  bool fixed(std::size_t size, std::uint64_t& out);
  bool fail(std::string message, std::size_t pos);

  std::string_view data_;
  std::size_t base_;
  std::size_t pos_ = 0;
  std::optional<Error> error_;
};

}  // namespace weir::vocab

#endif  // WEIR_SRC_VOCAB_READERS_PROTOBUF_WIRE_H_
