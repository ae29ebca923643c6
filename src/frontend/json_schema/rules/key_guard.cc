#include "frontend/json_schema/rules/key_guard.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/utf8.h"

namespace weir::frontend::json_schema {

bool KeyGuard::read(char byte) {
  if (phase() == Phase::kKey && byte == '"' && place_.escape == kNoEscape) {
    flush_surrogate();
    if (!containers_[place_.container].keys.insert(partial_).second) return false;
    const bool is_quoted_by_token = is_quoted(partial_);
    if (is_quoted_by_token) ++quoted_keys_;
    key_log_.push_back({position_ + 1, place_.container, is_quoted_by_token, std::exchange(partial_, {})});
    set_phase(Phase::kOther);
    ++position_;
    return true;
  }
  ++position_;
  if (phase() == Phase::kKey) {
    read_key_byte(byte);
  } else if (phase() == Phase::kString) {
    read_in_string(byte);
  } else if (byte == '{' || byte == '[') {
    containers_.push_back({position_ - 1, place_.container, byte == '{', {}});
    place_.container = static_cast<std::uint32_t>(containers_.size() - 1);
    set_phase(byte == '{' ? Phase::kKeyExpected : Phase::kOther);
  } else if (byte == '}' || byte == ']') {
    place_.container = containers_[place_.container].parent;
    set_phase(Phase::kOther);
  } else if (byte == ',') {
    set_phase(containers_[place_.container].is_object ? Phase::kKeyExpected : Phase::kOther);
  } else if (byte == '"') {
    set_phase(phase() == Phase::kKeyExpected ? Phase::kKey : Phase::kString);
  }
  return true;
}

void KeyGuard::read_in_string(char byte) {
  if (place_.escape == kBackslash) {
    place_.escape = kNoEscape;
  } else if (byte == '\\') {
    place_.escape = kBackslash;
  } else if (byte == '"') {
    set_phase(Phase::kOther);
  }
}

// Appends a character to partial_ when it is complete. The first half of a surrogate pair is stored until the second
// half or another character follows.
void KeyGuard::read_key_byte(char byte) {
  if (place_.escape == kDigits) {
    const auto lower = static_cast<std::uint32_t>(static_cast<unsigned char>(byte) | 0x20U);
    place_.unit = place_.unit * 16 + (byte <= '9' ? static_cast<std::uint32_t>(byte - '0') : lower - 'a' + 10);
    if (++place_.digits < 4) return;
    place_.escape = kNoEscape;
    append_code_unit(place_.unit);
    return;
  }
  if (place_.escape == kBackslash) {
    if (byte == 'u') {
      place_.escape = kDigits;
      place_.digits = 0;
      place_.unit = 0;
      return;
    }
    place_.escape = kNoEscape;
    static constexpr std::string_view kLetters = "bfnrt";
    static constexpr std::string_view kMeanings = "\b\f\n\r\t";
    const std::size_t letter = kLetters.find(byte);
    append_code_unit(static_cast<unsigned char>(letter == std::string_view::npos ? byte : kMeanings[letter]));
    return;
  }
  if (byte == '\\') {
    place_.escape = kBackslash;
    return;
  }
  flush_surrogate();
  partial_.push_back(byte);
}

void KeyGuard::append_code_unit(std::uint32_t unit) {
  if (place_.surrogate != 0 && unit >= 0xDC00 && unit < 0xE000) {
    const std::uint32_t high = std::exchange(place_.surrogate, 0);
    base::append_utf8(partial_, static_cast<char32_t>(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00)));
    return;
  }
  flush_surrogate();
  if (unit >= 0xD800 && unit < 0xDC00) {
    place_.surrogate = unit;
  } else {
    base::append_utf8(partial_, static_cast<char32_t>(unit));
  }
}

void KeyGuard::flush_surrogate() {
  if (place_.surrogate != 0) base::append_utf8(partial_, static_cast<char32_t>(std::exchange(place_.surrogate, 0)));
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
  if (phase() != Phase::kKey) {
    refusals.fewest_quotes = phase() == Phase::kString ? 3 : 2;  // a key has 2; in a string, its end comes first
    refusals.plain = quoted_keys_ != 0;
    return refusals;
  }
  if (place_.escape != kNoEscape || place_.surrogate != 0) {
    refusals.fewest_quotes = 1;
    return refusals;
  }
  refusals.fewest_quotes = 3;  // the end of this key, which `texts` covers, and another whole key
  const std::set<std::string>& keys = containers_[place_.container].keys;
  for (auto key = keys.lower_bound(partial_); key != keys.end() && key->starts_with(partial_); ++key) {
    const std::string_view rest = std::string_view(*key).substr(partial_.size());
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
