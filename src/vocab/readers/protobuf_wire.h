// The wire format of protocol buffers: iterates over the fields of a message.
//
// WHAT   A message is a sequence of (field number, wire type, value). ProtobufReader returns them in the order of the
//        file; the caller interprets the numbers. A nested message is a field of wire type kBytes, which another
//        ProtobufReader can read.
// HOW    Every length is checked against the number of bytes available. Nothing is copied.
// ERRORS On a malformed message next() returns false and error() is set: kInvalidArgument with the byte offset.
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
  std::uint64_t value = 0;      ///< The value of kVarint, kFixed64 and kFixed32.
  std::string_view bytes = {};  ///< The value of kBytes.
  std::size_t offset = 0;       ///< File offset of the first byte of the value; for kBytes, after its length.
};

class ProtobufReader {
 public:
  /// Makes a reader of `data`. `base` is the offset of `data` in the file, for error messages.
  explicit ProtobufReader(std::string_view data, std::size_t base = 0) : data_(data), base_(base) {}

  /// Reads the next field into `field`. Returns false at the end and after an error.
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
