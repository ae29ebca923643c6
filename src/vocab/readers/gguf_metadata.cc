#include "vocab/readers/gguf_metadata.h"

#include <bit>
#include <utility>

#include "base/utf8.h"

namespace weir::vocab {

namespace {

constexpr std::string_view kMagic = "GGUF";
constexpr std::uint32_t kOldestVersion = 2;
constexpr std::uint32_t kNewestVersion = 3;
// The smallest size of a pair: the length of its key (8 bytes), a type (4), a value of one byte.
constexpr std::uint64_t kLeastPairBytes = 13;

Error error_at(ErrorCode code, std::string message, std::size_t offset) {
  return Error{code, std::move(message) + " at byte " + std::to_string(offset), {offset, offset}};
}

// Reads a little-endian number. Precondition: it is within `data`.
template <typename Unsigned>
Unsigned load(std::string_view data, std::size_t offset) {
  std::uint64_t value = 0;
  for (std::size_t i = sizeof(Unsigned); i-- > 0;) value = (value << 8) | static_cast<std::uint8_t>(data[offset + i]);
  return static_cast<Unsigned>(value);
}

// Returns the number of bytes of a value of fixed size; 0 for strings and arrays.
std::size_t scalar_size(GgufType type) {
  switch (type) {
    case GgufType::kU8:
    case GgufType::kI8:
    case GgufType::kBool: return 1;
    case GgufType::kU16:
    case GgufType::kI16: return 2;
    case GgufType::kU32:
    case GgufType::kI32:
    case GgufType::kF32: return 4;
    case GgufType::kU64:
    case GgufType::kI64:
    case GgufType::kF64: return 8;
    case GgufType::kString:
    case GgufType::kArray: return 0;
  }
  return 0;
}

// Returns the smallest number of bytes of an array element.
std::size_t least_size(GgufType type) {
  constexpr std::size_t kEmptyString = 8;
  constexpr std::size_t kEmptyArray = 12;
  if (type == GgufType::kString) return kEmptyString;
  return type == GgufType::kArray ? kEmptyArray : scalar_size(type);
}

}  // namespace

class GgufMetadata::Parser {
 public:
  explicit Parser(std::string_view data) : data_(data) {}

  Result<GgufMetadata> parse() {
    GgufMetadata metadata;
    metadata.data_ = data_;
    std::uint64_t pairs = 0;
    if (!header(pairs)) return tl::unexpected(std::move(error_));
    for (std::uint64_t i = 0; i < pairs; ++i) {
      const std::size_t start = pos_;
      std::string_view key;
      Value value;
      if (!string(key) || !type(value.type) || !payload(value, 0)) return tl::unexpected(std::move(error_));
      if (!metadata.values_.emplace(key, value).second) {
        fail("the key `" + base::escape_for_display(key) + "` comes twice: again", start);
        return tl::unexpected(std::move(error_));
      }
    }
    metadata.size_ = pos_;
    return metadata;
  }

 private:
  bool header(std::uint64_t& pairs) {
    if (!data_.starts_with(kMagic)) return fail("not a GGUF file: the magic number is missing", 0);
    pos_ = kMagic.size();
    std::uint32_t version = 0;
    std::uint64_t tensors = 0;
    if (!number(version)) return false;
    if (version < kOldestVersion || version > kNewestVersion) {
      // A small number in the other byte order looks large.
      const bool swapped = version != 0 && (version & 0xFFFFU) == 0;
      return fail(swapped ? "the file is in big-endian order, which is not supported: version"
                          : "GGUF version " + std::to_string(version) + " is not supported: version",
                  kMagic.size(), ErrorCode::kUnsupported);
    }
    if (!number(tensors) || !number(pairs)) return false;
    if (pairs > left() / kLeastPairBytes) {
      return fail("the file is truncated: it announces " + std::to_string(pairs) + " metadata pairs", pos_ - 8);
    }
    return true;
  }

  // Reads the part of a value after its type, which the caller has read into `value.type`.
  bool payload(Value& value, std::uint32_t depth) {
    if (value.type == GgufType::kArray) return array(value, depth);
    value.offset = pos_;
    if (value.type == GgufType::kString) {
      std::string_view ignored;
      return string(ignored);
    }
    return skip(scalar_size(value.type));
  }

  bool array(Value& value, std::uint32_t depth) {
    if (depth == kMaxNesting) return fail("arrays are nested more than " + std::to_string(kMaxNesting) + " deep", pos_);
    if (!type(value.element)) return false;
    const std::size_t count_at = pos_;
    if (!number(value.count)) return false;
    value.offset = pos_;
    if (value.count > left() / least_size(value.element)) {
      return fail("the file is truncated: an array announces " + std::to_string(value.count) + " elements", count_at);
    }
    const std::size_t size = scalar_size(value.element);
    if (size != 0) return skip(size * static_cast<std::size_t>(value.count));
    for (std::uint64_t i = 0; i < value.count; ++i) {
      Value element;
      element.type = value.element;
      if (!payload(element, depth + 1)) return false;
    }
    return true;
  }

  bool type(GgufType& out) {
    const std::size_t start = pos_;
    std::uint32_t number_read = 0;
    if (!number(number_read)) return false;
    if (number_read > static_cast<std::uint32_t>(GgufType::kF64)) {
      return fail("there is no value type " + std::to_string(number_read), start);
    }
    out = static_cast<GgufType>(number_read);
    return true;
  }

  bool string(std::string_view& out) {
    const std::size_t start = pos_;
    std::uint64_t length = 0;
    if (!number(length)) return false;
    if (length > left()) {
      return fail("the file is truncated: a string announces " + std::to_string(length) + " bytes", start);
    }
    out = data_.substr(pos_, static_cast<std::size_t>(length));
    pos_ += static_cast<std::size_t>(length);
    return true;
  }

  template <typename Unsigned>
  bool number(Unsigned& out) {
    if (left() < sizeof(Unsigned)) return fail("the file is truncated", data_.size());
    out = load<Unsigned>(data_, pos_);
    pos_ += sizeof(Unsigned);
    return true;
  }

  bool skip(std::size_t bytes) {
    if (bytes > left()) return fail("the file is truncated", data_.size());
    pos_ += bytes;
    return true;
  }

  bool fail(std::string message, std::size_t offset, ErrorCode code = ErrorCode::kInvalidArgument) {
    error_ = error_at(code, std::move(message), offset);
    return false;
  }

  [[nodiscard]] std::size_t left() const { return data_.size() - pos_; }

  std::string_view data_;
  std::size_t pos_ = 0;
  Error error_;
};

Result<GgufMetadata> GgufMetadata::parse(std::string_view data) { return Parser(data).parse(); }

const GgufMetadata::Value* GgufMetadata::find(std::string_view key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : &found->second;
}

std::size_t GgufMetadata::offset_of(std::string_view key) const {
  const Value* value = find(key);
  return value == nullptr ? 0 : value->offset;
}

Error GgufMetadata::wrong_type(std::string_view key, const Value& value, std::string_view wanted) const {
  return error_at(ErrorCode::kInvalidArgument, "`" + std::string(key) + "` is not " + std::string(wanted),
                  value.offset);
}

// Returns nullopt if the number is negative or `type` is not an integer type.
std::optional<std::uint64_t> GgufMetadata::integer_at(GgufType type, std::size_t offset) const {
  std::uint64_t bits = 0;
  bool is_signed = false;
  switch (type) {
    case GgufType::kI8: is_signed = true; [[fallthrough]];
    case GgufType::kU8: bits = load<std::uint8_t>(data_, offset); break;
    case GgufType::kI16: is_signed = true; [[fallthrough]];
    case GgufType::kU16: bits = load<std::uint16_t>(data_, offset); break;
    case GgufType::kI32: is_signed = true; [[fallthrough]];
    case GgufType::kU32: bits = load<std::uint32_t>(data_, offset); break;
    case GgufType::kI64: is_signed = true; [[fallthrough]];
    case GgufType::kU64: bits = load<std::uint64_t>(data_, offset); break;
    case GgufType::kF32:
    case GgufType::kF64:
    case GgufType::kBool:
    case GgufType::kString:
    case GgufType::kArray: return std::nullopt;
  }
  const bool negative = is_signed && (bits >> (8 * scalar_size(type) - 1)) != 0;
  if (negative) return std::nullopt;
  return bits;
}

Result<std::optional<std::string_view>> GgufMetadata::string(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->type != GgufType::kString) return tl::unexpected(wrong_type(key, *value, "a string"));
  const auto length = static_cast<std::size_t>(load<std::uint64_t>(data_, value->offset));
  return data_.substr(value->offset + 8, length);
}

Result<std::optional<std::uint64_t>> GgufMetadata::integer(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::uint64_t> number = integer_at(value->type, value->offset);
  if (!number) return tl::unexpected(wrong_type(key, *value, "an integer of 0 or more"));
  return number;
}

Result<std::optional<bool>> GgufMetadata::boolean(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->type != GgufType::kBool) return tl::unexpected(wrong_type(key, *value, "a boolean"));
  return data_[value->offset] != '\0';
}

Result<std::optional<std::vector<std::string_view>>> GgufMetadata::strings(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (value->type != GgufType::kArray || value->element != GgufType::kString) {
    return tl::unexpected(wrong_type(key, *value, "an array of strings"));
  }
  std::vector<std::string_view> strings;
  strings.reserve(static_cast<std::size_t>(value->count));
  std::size_t pos = value->offset;
  for (std::uint64_t i = 0; i < value->count; ++i) {
    const auto length = static_cast<std::size_t>(load<std::uint64_t>(data_, pos));
    strings.push_back(data_.substr(pos + 8, length));
    pos += 8 + length;
  }
  return strings;
}

Result<std::optional<std::vector<double>>> GgufMetadata::floats(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const bool is_float = value->element == GgufType::kF32 || value->element == GgufType::kF64;
  if (value->type != GgufType::kArray || !is_float) {
    return tl::unexpected(wrong_type(key, *value, "an array of floats"));
  }
  std::vector<double> floats;
  floats.reserve(static_cast<std::size_t>(value->count));
  for (std::size_t i = 0; i < value->count; ++i) {
    floats.push_back(value->element == GgufType::kF32
                         ? static_cast<double>(std::bit_cast<float>(load<std::uint32_t>(data_, value->offset + 4 * i)))
                         : std::bit_cast<double>(load<std::uint64_t>(data_, value->offset + 8 * i)));
  }
  return floats;
}

Result<std::optional<std::vector<std::uint64_t>>> GgufMetadata::integers(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  std::vector<std::uint64_t> integers;
  if (value->type != GgufType::kArray) return tl::unexpected(wrong_type(key, *value, "an array of integers"));
  integers.reserve(static_cast<std::size_t>(value->count));
  for (std::size_t i = 0; i < value->count; ++i) {
    const auto number = integer_at(value->element, value->offset + i * scalar_size(value->element));
    if (!number) return tl::unexpected(wrong_type(key, *value, "an array of integers of 0 or more"));
    integers.push_back(*number);
  }
  return integers;
}

Result<std::optional<std::string_view>> GgufMetadata::bytes(std::string_view key) const {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const bool is_byte = value->element == GgufType::kU8 || value->element == GgufType::kI8;
  if (value->type != GgufType::kArray || !is_byte) {
    return tl::unexpected(wrong_type(key, *value, "an array of bytes"));
  }
  return data_.substr(value->offset, static_cast<std::size_t>(value->count));
}

}  // namespace weir::vocab
