#include "frontend/json_schema/json_value.h"

#include <algorithm>
#include <array>

#include "base/hash.h"

namespace weir::frontend::json_schema {

std::string_view to_string(JsonType type) {
  constexpr std::array<std::string_view, 6> kNames{"null", "boolean", "number", "string", "array", "object"};
  return kNames[static_cast<std::size_t>(type)];
}

const JsonValue* JsonValue::find(std::string_view key) const {
  if (type_ != JsonType::kObject) return nullptr;
  if (by_key_ == nullptr) {
    for (const JsonMember& member : members()) {
      if (member.key == key) return &member.value;
    }
    return nullptr;
  }
  const std::uint32_t* end = by_key_ + size_;
  const std::uint32_t* found = std::lower_bound(
      by_key_, end, key, [&](std::uint32_t member, std::string_view k) { return members_[member].key < k; });
  return found != end && members_[*found].key == key ? &members_[*found].value : nullptr;
}

bool operator==(const JsonValue& a, const JsonValue& b) {
  if (a.type_ != b.type_) return false;
  switch (a.type_) {
    case JsonType::kNull: return true;
    case JsonType::kBoolean: return a.boolean() == b.boolean();
    case JsonType::kNumber: return a.number() == b.number();
    case JsonType::kString: return a.string() == b.string();
    case JsonType::kArray: return std::ranges::equal(a.items(), b.items());
    case JsonType::kObject:
      return a.size_ == b.size_ && std::ranges::all_of(a.members(), [&](const JsonMember& member) {
               const JsonValue* other = b.find(member.key);
               return other != nullptr && *other == member.value;
             });
  }
  return false;
}

namespace {

constexpr std::uint64_t kSeed = 0x9216D5D98979FB1BULL;  // Any number; hash_mix(0, 0) is 0.

std::uint64_t hash_text(std::string_view text) {
  std::uint64_t h = base::hash_mix(kSeed, text.size());
  for (const char c : text) h = base::hash_mix(h, static_cast<unsigned char>(c));
  return h;
}

}  // namespace

std::uint64_t JsonValue::hash() const {
  std::uint64_t h = base::hash_mix(kSeed, static_cast<std::uint64_t>(type_));
  switch (type_) {
    case JsonType::kNull: break;
    case JsonType::kBoolean: return base::hash_mix(h, size_);
    case JsonType::kNumber: return base::hash_mix(h, number().hash());
    case JsonType::kString: return base::hash_mix(h, hash_text(string()));
    case JsonType::kArray:
      for (const JsonValue& item : items()) h = base::hash_mix(h, item.hash());
      break;
    case JsonType::kObject: {
      std::uint64_t sum = 0;  // The order of the members must not matter.
      for (const JsonMember& member : members()) sum += base::hash_mix(~hash_text(member.key), member.value.hash());
      return base::hash_mix(h, sum);
    }
  }
  return h;
}

}  // namespace weir::frontend::json_schema
