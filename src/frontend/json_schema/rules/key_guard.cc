#include "frontend/json_schema/rules/key_guard.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/json/json_text.h"

namespace weir::frontend::json_schema {

using base::JsonPlace;

bool KeyGuard::read(char byte) {
  const JsonPlace where = place_.where;
  const JsonPlace next = base::place_after(where, byte);
  if (where == JsonPlace::kOutside) {
    read_outside(byte);
  } else if (place_.is_key && next != JsonPlace::kOutside) {
    partial_.push_back(byte);
  } else if (place_.is_key) {
    std::string key;
    base::append_json_string(partial_, key);
    if (!containers_[place_.container].keys.insert(key).second) return false;
    const bool is_quoted_by_token = is_quoted(key);
    if (is_quoted_by_token) ++quoted_keys_;
    key_log_.push_back({position_ + 1, place_.container, is_quoted_by_token, std::move(key)});
    partial_.clear();
    place_.is_key = false;
  }
  place_.where = next;
  ++position_;
  return true;
}

void KeyGuard::read_outside(char byte) {
  if (byte == '{' || byte == '[') {
    containers_.push_back({position_, place_.container, byte == '{', {}});
    place_.container = static_cast<std::uint32_t>(containers_.size() - 1);
    place_.is_key = byte == '{';
  } else if (byte == '}' || byte == ']') {
    place_.container = containers_[place_.container].parent;
    place_.is_key = false;
  } else if (byte == ',') {
    place_.is_key = containers_[place_.container].is_object;
  }
}

void KeyGuard::rewind(const Mark& mark) {
  for (; !key_log_.empty() && key_log_.back().end > mark.position; key_log_.pop_back()) {
    containers_[key_log_.back().container].keys.erase(key_log_.back().key);
    if (key_log_.back().is_quoted) --quoted_keys_;
  }
  while (containers_.size() > 1 && containers_.back().open >= mark.position) containers_.pop_back();
  position_ = mark.position;
  place_ = mark.place;
  partial_ = mark.partial;
}

KeyGuard::Refusals KeyGuard::refusals() const {
  Refusals refusals;
  const bool is_outside = place_.where == JsonPlace::kOutside;
  if (is_outside || !place_.is_key) {
    refusals.fewest_quotes = is_outside ? 2 : 3;  // a key has 2; in a string, its end comes first
    refusals.plain = quoted_keys_ != 0;
    return refusals;
  }
  std::string partial;
  if (base::append_json_string(partial_, partial)) {
    refusals.fewest_quotes = 1;
    return refusals;
  }
  refusals.fewest_quotes = 3;  // the end of this key, which `texts` covers, and another whole key
  const std::set<std::string>& keys = containers_[place_.container].keys;
  for (auto key = keys.lower_bound(partial); key != keys.end() && key->starts_with(partial); ++key) {
    const std::string_view rest = std::string_view(*key).substr(partial.size());
    if (may_be_raw(rest)) refusals.texts.push_back(std::string(rest) + '"');
    refusals.escapes = refusals.escapes || may_be_escaped(rest);
  }
  return refusals;
}

bool KeyGuard::is_quoted(std::string_view key) const { return std::ranges::binary_search(quotes_.texts, key); }

// Returns true if the text needs no escapes in a JSON string.
bool KeyGuard::may_be_raw(std::string_view text) {
  return std::ranges::none_of(text,
                              [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; });
}

// Returns true if some token may contain an escape for one of the text's characters.
bool KeyGuard::may_be_escaped(std::string_view text) const {
  static constexpr std::string_view kWithShortEscapes = "\"\\/\b\f\n\r\t";
  return quotes_.has_numeric_escapes || text.find_first_of(kWithShortEscapes) != std::string_view::npos;
}

}  // namespace weir::frontend::json_schema
