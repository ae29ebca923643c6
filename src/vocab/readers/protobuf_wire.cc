#include "vocab/readers/protobuf_wire.h"

#include <utility>

namespace weir::vocab {

bool ProtobufReader::next(ProtobufField& field) {
  if (error_ || pos_ == data_.size()) return false;
  const std::size_t start = pos_;
  std::uint64_t tag = 0;
  if (!varint(tag)) return false;
  field = {};
  if (tag >> 3 == 0 || tag >> 32 != 0) return fail("no field has such a number", start);
  field.number = static_cast<std::uint32_t>(tag >> 3);
  switch (tag & 7U) {
    case 0: field.wire = ProtobufField::Wire::kVarint; break;
    case 1: field.wire = ProtobufField::Wire::kFixed64; break;
    case 2: field.wire = ProtobufField::Wire::kBytes; break;
    case 5: field.wire = ProtobufField::Wire::kFixed32; break;
    default: return fail("field " + std::to_string(field.number) + " has a wire type that is not in use", start);
  }
  field.offset = base_ + pos_;
  switch (field.wire) {
    case ProtobufField::Wire::kVarint: return varint(field.value);
    case ProtobufField::Wire::kFixed64: return fixed(8, field.value);
    case ProtobufField::Wire::kFixed32: return fixed(4, field.value);
    case ProtobufField::Wire::kBytes: break;
  }
  std::uint64_t length = 0;
  const std::size_t length_at = pos_;
  if (!varint(length)) return false;
  if (length > data_.size() - pos_) {
    return fail("the message is truncated: field " + std::to_string(field.number) + " announces " +
                    std::to_string(length) + " bytes",
                length_at);
  }
  field.offset = base_ + pos_;
  field.bytes = data_.substr(pos_, static_cast<std::size_t>(length));
  pos_ += static_cast<std::size_t>(length);
  return true;
}

bool ProtobufReader::varint(std::uint64_t& out) {
  constexpr std::uint32_t kMaxBits = 70;  // Ten bytes with 7 bits each; only one bit of the last byte may be set.
  const std::size_t start = pos_;
  out = 0;
  for (std::uint32_t shift = 0; shift < kMaxBits; shift += 7) {
    if (pos_ == data_.size()) return fail("the message is truncated in a number", pos_);
    const auto byte = static_cast<std::uint8_t>(data_[pos_++]);
    if (shift == 63 && byte > 1) break;
    out |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return true;
  }
  return fail("a number has more than 64 bits", start);
}

bool ProtobufReader::fixed(std::size_t size, std::uint64_t& out) {
  if (size > data_.size() - pos_) return fail("the message is truncated in a number", data_.size());
  out = 0;
  for (std::size_t i = size; i-- > 0;) out = (out << 8) | static_cast<std::uint8_t>(data_[pos_ + i]);
  pos_ += size;
  return true;
}

bool ProtobufReader::fail(std::string message, std::size_t pos) {
  const std::size_t offset = base_ + pos;
  error_ =
      Error{ErrorCode::kInvalidArgument, std::move(message) + " at byte " + std::to_string(offset), {offset, offset}};
  return false;
}

}  // namespace weir::vocab
