#include "base/json/json_value.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <memory_resource>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/byte_blocks.h"
#include "base/escape.h"
#include "base/flat_table.h"
#include "base/hash.h"
#include "base/json/json_text.h"
#include "base/stack.h"
#include "base/utf8.h"
#include "base/work.h"

namespace weir::base {

std::string_view to_string(JsonType type) {
  constexpr std::array<std::string_view, 6> kNames{"null", "boolean", "number", "string", "array", "object"};
  return kNames[static_cast<std::size_t>(type)];
}

namespace {

constexpr std::size_t kFewMembers = 8;                  // larger objects have a KeyIndex
constexpr std::uint64_t kSeed = 0x9216D5D98979FB1BULL;  // arbitrary, but not 0: hash_mix(0, 0) is 0

std::uint64_t hash_text(std::uint64_t seed, std::string_view text) {
  std::uint64_t h = hash_mix(seed, text.size());
  std::uint64_t block = 0;
  for (; text.size() > sizeof(block); text.remove_prefix(sizeof(block))) {
    std::memcpy(&block, text.data(), sizeof(block));
    h = hash_mix(h, block);
  }
  block = 0;
  if (!text.empty()) std::memcpy(&block, text.data(), text.size());
  return hash_mix(h, block);
}

// The hash of a key in a KeyIndex. Its seed is secret: otherwise someone could choose keys that all have the same hash, and
// reading them would take quadratic time.
std::uint32_t hash_key(std::string_view key) {
  static const std::uint64_t kSecret = [] {
    std::random_device random;
    return (std::uint64_t{random()} << 32) | random() | 1;  // not 0
  }();
  return static_cast<std::uint32_t>(hash_text(kSecret, key));
}

using KeyIndex = FlatTable<NumberSlot>;  // members by key

// The next two return the number of the last member with a key, UINT32_MAX if there is none.
std::uint32_t find_key(const JsonMember* members, const KeyIndex& index, std::string_view key, std::uint32_t hash) {
  const auto has_key = [&](const NumberSlot& slot) { return slot.key_hash == hash && members[slot.number].key == key; };
  return index.find(hash, has_key).number;
}
std::uint32_t find_key(const JsonMember* members, std::size_t first, std::size_t end, std::string_view key) {
  while (first < end && members[end - 1].key != key) --end;
  return first < end ? static_cast<std::uint32_t>(end - 1) : UINT32_MAX;
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  if (type_ != JsonType::kObject) return nullptr;
  const std::uint32_t found =
      by_key_ != nullptr ? find_key(members_, *by_key_, key, hash_key(key)) : find_key(members_, 0, size_, key);
  return found == UINT32_MAX ? nullptr : &members_[found].value;
}

bool operator==(const JsonValue& a, const JsonValue& b) {
  if (a.type_ != b.type_) return false;
  switch (a.type_) {
    case JsonType::kNull: return true;
    case JsonType::kBoolean: return a.boolean() == b.boolean();
    case JsonType::kNumber: return a.number() == b.number();
    case JsonType::kString: return a.string() == b.string();
    case JsonType::kArray: return with_stack([&] { return std::ranges::equal(a.items(), b.items()); });
    case JsonType::kObject:
      return a.size_ == b.size_ && with_stack([&] {
               return std::ranges::all_of(a.members(), [&](const JsonMember& member) {
                 const JsonValue* other = b.find(member.key);
                 return other != nullptr && *other == member.value;
               });
             });
  }
  return false;
}

std::uint64_t JsonValue::hash() const {
  std::uint64_t h = hash_mix(kSeed, static_cast<std::uint64_t>(type_));
  switch (type_) {
    case JsonType::kNull: break;
    case JsonType::kBoolean: return hash_mix(h, size_);
    case JsonType::kNumber: return hash_mix(h, number().hash());
    case JsonType::kString: return hash_mix(h, hash_text(kSeed, string()));
    case JsonType::kArray:
      return with_stack([&] {
        for (const JsonValue& item : items()) h = hash_mix(h, item.hash());
        return h;
      });
    case JsonType::kObject:
      return with_stack([&] {
        std::uint64_t sum = 0;  // a sum, because the order of members must not matter
        for (const JsonMember& member : members()) sum += hash_mix(~hash_text(kSeed, member.key), member.value.hash());
        return hash_mix(h, sum);
      });
  }
  return h;
}

// JsonReader: reads a JSON text into a JsonDocument, one value after the other.

struct JsonDocument::Storage {
  std::string text;
  JsonValue root;
  std::deque<Decimal> numbers;
  std::deque<KeyIndex> key_indexes;
  std::deque<std::string> strings;  // strings that had escapes, decoded
  std::pmr::monotonic_buffer_resource arena;
  std::vector<DuplicateKey> duplicate_keys;
  std::optional<std::size_t> lone_surrogate;

  template <typename T>
  T* allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(arena.allocate(count * sizeof(T), alignof(T)));
  }
  template <typename T>
  const T* keep(std::span<const T> values) {
    T* kept = allocate<T>(values.size());
    std::uninitialized_copy(values.begin(), values.end(), kept);
    return kept;
  }
};

JsonDocument::JsonDocument(std::unique_ptr<Storage> storage) : storage_(std::move(storage)) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

const JsonValue& JsonDocument::root() const { return storage_->root; }
std::string_view JsonDocument::text() const { return storage_->text; }
std::span<const DuplicateKey> JsonDocument::duplicate_keys() const { return storage_->duplicate_keys; }
std::optional<std::size_t> JsonDocument::lone_surrogate() const { return storage_->lone_surrogate; }

/// Reads one document. Every read_… and begin_… function returns false after setting `error_`; the caller then stops
/// reading.
class JsonReader {
 public:
  JsonReader(std::string_view text, const Limits& limits) : limits_(limits) { storage_->text = text; }

  Result<JsonDocument> read() {
    const std::string_view text = storage_->text;
    const std::size_t most = std::min<std::size_t>(limits_.text_bytes, UINT32_MAX);
    if (text.size() > most) {
      return tl::unexpected(Error{ErrorCode::kLimitExceeded,
                                  "a JSON text of more than " + std::to_string(most) + " bytes",
                                  {most, text.size()},
                                  "",
                                  "text_bytes"});
    }
    Work::charge(text.size() / Work::kTextBytes);
    const std::size_t invalid = find_invalid_utf8(text);
    if (invalid != std::string_view::npos) {
      return tl::unexpected(Error{ErrorCode::kSyntax, "invalid UTF-8", {invalid, invalid + 1}});
    }
    if (text.starts_with("\xEF\xBB\xBF")) pos_ = 3;
    skip_blanks();
    if (!read_values()) return tl::unexpected(std::move(error_));
    skip_blanks();
    if (pos_ != text.size()) {
      fail("expected the end of the text");
      return tl::unexpected(std::move(error_));
    }
    return JsonDocument(std::move(storage_));
  }

 private:
  [[nodiscard]] std::string_view text() const { return storage_->text; }
  [[nodiscard]] bool at(char c) const { return pos_ < text().size() && text()[pos_] == c; }
  bool skip(char c) {
    if (!at(c)) return false;
    ++pos_;
    return true;
  }
  void skip_blanks() {
    while (at(' ') || at('\t') || at('\n') || at('\r')) ++pos_;
  }

  /// Sets an error at the current position. Its range has `length` bytes; 0 means one character.
  bool fail(std::string message, std::size_t length = 0) {
    if (length == 0 && pos_ < text().size()) length = std::max<std::size_t>(decode_utf8(text(), pos_).length, 1);
    error_ = {ErrorCode::kSyntax, std::move(message), {pos_, pos_ + length}, hint()};
    return false;
  }

  // Returns a hint about text that is often written where JSON is expected.
  [[nodiscard]] std::string hint() const {
    const std::string_view rest = text().substr(pos_);
    if (rest.starts_with('\'')) return "strings and keys of JSON have double quotes";
    for (const std::string_view word : {"True", "False", "None"}) {
      if (rest.starts_with(word)) return "JSON has `true`, `false` and `null`";
    }
    const bool is_name = rest.size() == text().size() && rest.ends_with(".json") && !rest.starts_with('{');
    return is_name ? "this looks like the name of a file; its contents are expected" : "";
  }

  // An array or object that is being read.
  struct Open {
    std::uint32_t start;
    bool is_object;
    std::size_t first;  // of its items in items_, or of its members in members_
  };

  // Reads a value with all that is in it. The stack is open_, not the thread's, which deep texts would overflow.
  bool read_values() {
    for (;;) {
      JsonValue value;
      if (at('{') || at('[')) {
        if (!begin_container()) return false;
        if (!at(closing_bracket())) {
          if (!begin_part()) return false;
          continue;
        }
        value = end_container();
      } else if (!read_scalar(value)) {
        return false;
      }
      for (;;) {  // the value is complete; then the containers that end after it are, too
        if (open_.empty()) {
          storage_->root = value;
          return true;
        }
        if (open_.back().is_object) {
          members_.back().value = value;
        } else {
          items_.push_back(value);
        }
        skip_blanks();
        const char bracket = closing_bracket();
        if (at(bracket)) {
          value = end_container();
          continue;
        }
        if (!read_comma(bracket) || !begin_part()) return false;
        break;
      }
    }
  }

  [[nodiscard]] char closing_bracket() const { return open_.back().is_object ? '}' : ']'; }

  bool begin_container() {
    const std::uint32_t most = most_levels(limits_.nesting);
    if (open_.size() >= most) {
      fail("arrays and objects nested deeper than " + std::to_string(most) + " levels");
      error_.code = ErrorCode::kLimitExceeded;
      error_.limit = "nesting";
      return false;
    }
    const bool is_object = at('{');
    open_.push_back({static_cast<std::uint32_t>(pos_), is_object, is_object ? members_.size() : items_.size()});
    ++pos_;
    skip_blanks();
    return true;
  }

  // Reads what precedes the value of an item or member.
  bool begin_part() {
    if (!open_.back().is_object) return true;
    if (!at('"')) return fail("expected a key in quotes");
    JsonMember& member = members_.emplace_back();
    member.key_where.start = pos_;
    if (!read_string(member.key)) return false;
    member.key_where.end = pos_;
    skip_blanks();
    if (!skip(':')) return fail("expected `:`");
    skip_blanks();
    return true;
  }

  /// Precondition: the next byte is the closing bracket.
  JsonValue end_container() {
    const Open open = open_.back();
    open_.pop_back();
    ++pos_;
    JsonValue value;
    value.start_ = open.start;
    value.end_ = static_cast<std::uint32_t>(pos_);
    if (open.is_object) {
      finish_object(value, std::span(members_).subspan(open.first));
      members_.resize(open.first);
      return value;
    }
    const std::span<const JsonValue> items = std::span(items_).subspan(open.first);
    value.type_ = JsonType::kArray;
    value.size_ = static_cast<std::uint32_t>(items.size());
    value.items_ = storage_->keep(items);
    items_.resize(open.first);
    return value;
  }

  bool read_scalar(JsonValue& value) {
    value.start_ = static_cast<std::uint32_t>(pos_);
    const char c = pos_ < text().size() ? text()[pos_] : '\0';
    bool done = false;
    switch (c) {
      case '"': done = read_string_value(value); break;
      case 't': done = read_word("true", value, JsonType::kBoolean, 1); break;
      case 'f': done = read_word("false", value, JsonType::kBoolean, 0); break;
      case 'n': done = read_word("null", value, JsonType::kNull, 0); break;
      default:
        if (c != '-' && (c < '0' || c > '9')) return fail("expected a JSON value");
        done = read_number(value);
    }
    value.end_ = static_cast<std::uint32_t>(pos_);
    return done;
  }

  bool read_word(std::string_view word, JsonValue& value, JsonType type, std::uint32_t size) {
    if (!text().substr(pos_).starts_with(word)) return fail("expected a JSON value");
    pos_ += word.size();
    value.type_ = type;
    value.size_ = size;
    return true;
  }

  bool read_number(JsonValue& value) {
    const std::size_t end = std::min(text().find_first_not_of("+-.0123456789eE", pos_), text().size());
    const std::string_view written = text().substr(pos_, end - pos_);
    Result<Decimal> number = Decimal::parse(written, limits_);
    if (!number) {
      error_ = std::move(number.error());
      error_.where.start += pos_;
      error_.where.end += pos_;
      return false;
    }
    value.size_ = written.find_first_of("+-.eE") == std::string_view::npos ? 1 : 0;
    pos_ = end;
    storage_->numbers.push_back(std::move(*number));
    value.type_ = JsonType::kNumber;
    value.number_ = &storage_->numbers.back();
    return true;
  }

  bool read_string_value(JsonValue& value) {
    std::string_view string;
    if (!read_string(string)) return false;
    value.type_ = JsonType::kString;
    value.text_ = string.data();
    value.size_ = static_cast<std::uint32_t>(string.size());
    return true;
  }

  /// Precondition: the next byte is a quote.
  bool read_string(std::string_view& string) {
    ++pos_;
    string = skip_plain();
    if (skip('"')) return true;
    std::string decoded(string);
    while (!skip('"')) {
      if (pos_ == text().size()) return fail("a string without its closing quote");
      if (!at('\\')) return fail("a control character in a string must be escaped");
      if (!read_escape(decoded)) return false;
      decoded += skip_plain();
    }
    storage_->strings.push_back(std::move(decoded));
    string = storage_->strings.back();
    return true;
  }

  /// Moves to the end of the string, an escape or a control character, whichever is first. Returns the text up to there.
  std::string_view skip_plain() {
    const std::size_t start = pos_;
    const auto may_end = [](std::uint64_t w) {
      return has_byte_below(w, 0x20) || has_byte(w, '"') || has_byte(w, '\\');
    };
    pos_ = find_byte(text(), pos_, may_end, [](unsigned char c) { return c < 0x20 || c == '"' || c == '\\'; });
    return text().substr(start, pos_ - start);
  }

  /// Precondition: the next byte is a backslash.
  bool read_escape(std::string& decoded) {
    const std::string_view rest = text().substr(pos_);
    const JsonEscape escape = read_json_escape(rest);
    if (escape.length == 0) {
      if (!rest.starts_with("\\u")) {
        return fail("an escape that JSON does not have", std::min<std::size_t>(2, rest.size()));
      }
      std::size_t end = 2;
      while (end < rest.size() && hex_digit(rest[end]) >= 0) ++end;
      return fail("expected four hexadecimal digits after `\\u`", end);
    }
    if (is_surrogate(escape.code_point) && !storage_->lone_surrogate) storage_->lone_surrogate = pos_;
    append_utf8(decoded, escape.code_point);
    pos_ += escape.length;
    return true;
  }

  /// Reads the comma between two items or members. `bracket` is the one that would end the array or the object.
  bool read_comma(char bracket) {
    const std::size_t comma = pos_;
    const std::string name = {'`', bracket, '`'};
    if (!skip(',')) return fail("expected `,` or " + name);
    skip_blanks();
    if (!at(bracket)) return true;
    pos_ = comma;
    fail("a comma before " + name);
    error_.hint = "JSON allows no comma after the last item or member";
    return false;
  }

  void finish_object(JsonValue& value, std::span<JsonMember> members) {
    const std::size_t count = members.size();
    KeyIndex* index = count > kFewMembers ? &storage_->key_indexes.emplace_back(count) : nullptr;
    const auto first_duplicate = static_cast<std::ptrdiff_t>(storage_->duplicate_keys.size());
    for (std::size_t i = count; i-- > 0;) {
      const std::string_view key = members[i].key;
      const std::uint32_t hash = index != nullptr ? hash_key(key) : 0;
      const std::uint32_t later =
          index != nullptr ? find_key(members.data(), *index, key, hash) : find_key(members.data(), i + 1, count, key);
      if (later != UINT32_MAX) {
        storage_->duplicate_keys.push_back({members[i].key_where, members[later].key_where});
      } else if (index != nullptr) {
        index->insert({static_cast<std::uint32_t>(i), hash});
      }
    }
    const auto duplicates = storage_->duplicate_keys.begin() + first_duplicate;
    if (duplicates != storage_->duplicate_keys.end()) {
      std::reverse(duplicates, storage_->duplicate_keys.end());
      auto next = duplicates;  // both lists are in the order of the text
      const auto overridden = std::ranges::remove_if(members, [&](const JsonMember& member) {
        const bool is_overridden =
            next != storage_->duplicate_keys.end() && next->overridden.start == member.key_where.start;
        if (is_overridden) ++next;
        return is_overridden;
      });
      return finish_object(value, members.first(count - overridden.size()));
    }
    value.type_ = JsonType::kObject;
    value.size_ = static_cast<std::uint32_t>(count);
    value.members_ = storage_->keep<JsonMember>(members);
    value.by_key_ = index;
  }

  const Limits& limits_;
  std::unique_ptr<JsonDocument::Storage> storage_ = std::make_unique<JsonDocument::Storage>();
  std::size_t pos_ = 0;
  std::vector<Open> open_;  // inner ones last
  // The items and the members of all of `open_`, those of inner ones last.
  std::vector<JsonValue> items_;
  std::vector<JsonMember> members_;
  Error error_;
};

Result<JsonDocument> JsonDocument::parse(std::string_view text, const Limits& limits) {
  return JsonReader(text, limits).read();
}

}  // namespace weir::base
