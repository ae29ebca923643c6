// JsonDocument and JsonValue: a JSON text as a tree.
//
// WHAT   A JsonDocument owns a tree of JsonValues. Objects keep the order of their members, numbers are exact
//        (decimal.h), strings are decoded, and every value and every key stores its range in the text.
// WHY    The trees of general JSON libraries read numbers as doubles and drop ranges, which error messages need.
// HOW    One pass over the text; arrays and objects that are open are on a stack (Limits::nesting). Values are stored
//        in an arena that the document owns; strings without escapes are views of the text. An object with more than
//        eight members has a hash table of its keys.
// WHICH  RFC 8259 exactly, except that a byte order mark at the beginning is skipped (section 8.1 allows it).
//        - If a key occurs twice in an object, the last member counts, as in most JSON readers; duplicate_keys() lists
//          the others.
//        - An escaped lone surrogate, such as "\uD800", becomes the three bytes that UTF-8 would use for it (WTF-8), so
//          different texts stay different; lone_surrogate() says where.
// COST   32 bytes a value, 64 a member. Strings with escapes are copied.
// THREADS Const access is thread-safe. A document may be moved; its values keep their addresses.
#ifndef WEIR_SRC_BASE_JSON_JSON_VALUE_H_
#define WEIR_SRC_BASE_JSON_JSON_VALUE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/flat_table.h"
#include "base/json/decimal.h"
#include "weir/error.h"
#include "weir/limits.h"

namespace weir::base {

enum class JsonType : std::uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

/// "null", "boolean", "number", "string", "array", "object".
std::string_view to_string(JsonType type);

struct JsonMember;

/// A value in a document, valid as long as the document. Two values are the same value iff they have the same address.
class JsonValue {
 public:
  [[nodiscard]] JsonType type() const { return type_; }
  [[nodiscard]] bool is(JsonType type) const { return type_ == type; }
  /// The value's bytes in the document's text.
  [[nodiscard]] SourceRange where() const { return {start_, end_}; }

  /// Precondition of the next four: the value has that type.
  [[nodiscard]] bool boolean() const { return size_ != 0; }
  [[nodiscard]] const Decimal& number() const { return *number_; }
  /// Returns true if the number is written in digits alone, without a sign, a fraction or an exponent.
  [[nodiscard]] bool is_written_in_digits() const { return size_ != 0; }
  [[nodiscard]] std::string_view string() const { return {text_, size_}; }
  /// The elements of an array; none for other types.
  [[nodiscard]] std::span<const JsonValue> items() const;
  /// The members of an object, each key once; none for other types.
  [[nodiscard]] std::span<const JsonMember> members() const;
  /// Returns the value of the member `key`; null if there is none or this is not an object. Cost: O(1).
  [[nodiscard]] const JsonValue* find(std::string_view key) const;

  /// Equality as in JSON Schema: numbers are compared by value, objects without regard to the order of members.
  friend bool operator==(const JsonValue& a, const JsonValue& b);
  /// Equal values have equal hashes.
  [[nodiscard]] std::uint64_t hash() const;

 private:
  friend class JsonReader;
  JsonType type_ = JsonType::kNull;
  std::uint32_t start_ = 0;
  std::uint32_t end_ = 0;
  std::uint32_t size_ = 0;
  union {
    const char* text_ = nullptr;
    const Decimal* number_;
    const JsonValue* items_;
    const JsonMember* members_;
  };
  const FlatTable<NumberSlot>* by_key_ = nullptr;  // numbers of members; null if there are few
};

struct JsonMember {
  std::string_view key;
  SourceRange key_where;  ///< Includes the quotes.
  JsonValue value;
};

inline std::span<const JsonValue> JsonValue::items() const {
  return type_ == JsonType::kArray ? std::span(items_, size_) : std::span<const JsonValue>();
}
inline std::span<const JsonMember> JsonValue::members() const {
  return type_ == JsonType::kObject ? std::span(members_, size_) : std::span<const JsonMember>();
}

/// A key that occurs again in its object: its range, and that of the last equal key, whose member counts instead.
struct DuplicateKey {
  SourceRange overridden;
  SourceRange overriding;
};

class JsonDocument {
 public:
  /// Reads one JSON text; `text` is copied.
  /// Errors: kSyntax, kUnsupported (an exponent that Decimal cannot hold), kLimitExceeded (text_bytes, nesting,
  /// number_digits).
  static Result<JsonDocument> parse(std::string_view text, const Limits& limits);

  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;
  ~JsonDocument();

  [[nodiscard]] const JsonValue& root() const;
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] std::span<const DuplicateKey> duplicate_keys() const;
  /// Returns the offset of the first escaped lone surrogate; nullopt if there is none.
  [[nodiscard]] std::optional<std::size_t> lone_surrogate() const;

 private:
  friend class JsonReader;
  struct Storage;
  explicit JsonDocument(std::unique_ptr<Storage> storage);
  std::unique_ptr<Storage> storage_;
};

}  // namespace weir::base

#endif  // WEIR_SRC_BASE_JSON_JSON_VALUE_H_
