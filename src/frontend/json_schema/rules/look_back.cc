#include "frontend/json_schema/rules/look_back.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/blanks.h"
#include "base/json/json_value.h"
#include "base/work.h"

namespace weir::frontend::json_schema {

using base::is_blank;
using base::JsonDocument;
using base::JsonType;

namespace {

void drop_blanks(std::string_view& text) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
}

// Removes a comma or colon at the end, and the blanks around it.
void drop_mark(std::string_view& text) {
  drop_blanks(text);
  if (!text.empty()) text.remove_suffix(1);
  drop_blanks(text);
}

// Returns where the string begins whose closing quote ends the text.
std::size_t string_begin(std::string_view text) {
  std::size_t begin = text.size() - 1;
  while (begin > 0) {
    if (text[--begin] != '"') continue;
    std::size_t slashes = 0;
    while (slashes < begin && text[begin - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) break;
  }
  return begin;
}

// Returns where the value begins that ends with the text.
std::size_t value_begin(std::string_view text) {
  std::size_t begin = text.size();
  for (std::size_t depth = 0; begin > 0;) {
    const char c = text[begin - 1];
    if (c == '"') {
      begin = string_begin(text.substr(0, begin));
      if (depth == 0) break;
      continue;
    }
    if (depth == 0 && (is_blank(c) || c == ',' || c == ':' || c == '[' || c == '{')) break;
    --begin;
    if (c == ']' || c == '}') ++depth;
    if ((c == '[' || c == '{') && --depth == 0) break;
  }
  return begin;
}

}  // namespace

std::string_view value_before_comma(std::string_view text) {
  drop_mark(text);
  return text.substr(value_begin(text));
}

bool is_comma_of_object(std::string_view text) {
  drop_mark(text);
  text = text.substr(0, value_begin(text));
  drop_blanks(text);
  return !text.empty() && text.back() == ':';
}

MemberBefore member_before_comma(std::string_view text) {
  drop_mark(text);  // the comma
  text = text.substr(0, value_begin(text));
  drop_mark(text);  // the colon
  if (text.empty()) return {};
  const std::size_t begin = string_begin(text);
  const std::string_view key = text.substr(begin);
  text = text.substr(0, begin);
  drop_blanks(text);
  return {key, text};
}

std::string_view KeyReader::keys(std::string_view text) {
  const auto [key, before] = member_before_comma(text);
  base::Work::charge(1 + static_cast<std::uint64_t>(text.size() - before.size()) / base::Work::kTextBytes);
  const Known* object = before.ends_with(',') ? &object_before(before) : nullptr;
  if (found_.has_value() && object == of_object_ && key == of_key_) return *found_;
  of_object_ = object;
  of_key_ = key;
  if (!found_.has_value()) found_.emplace();
  merge_keys(object == nullptr ? std::string_view() : object->keys, decoded({&key, 1}), *found_);
  return *found_;
}

// Returns the object that `text`, which ends with a comma, is within.
const KeyReader::Known& KeyReader::object_before(std::string_view text) {
  std::vector<std::string_view> written;
  Known* known = nullptr;
  std::string_view before = text;
  const auto find = [&]() -> Known* {
    const auto it =
        std::ranges::find_if(known_, [&](const Known& one) { return !one.text.empty() && before.ends_with(one.text); });
    return it == known_.end() ? nullptr : &*it;
  };
  while (before.ends_with(',') && (known = find()) == nullptr) {
    const MemberBefore member = member_before_comma(before);
    written.push_back(member.key);
    before = member.before;
  }
  if (known == nullptr) {
    known = &known_[next_++ % known_.size()];
    *known = {};
    // Without its bracket it is not recognised again: it may be a part of an object.
    before = before.ends_with('{') ? before.substr(0, before.size() - 1) : text;
  }
  const std::string_view added = text.substr(before.size());
  if (written.empty()) return *known;
  base::Work::charge(written.size() + added.size() / base::Work::kTextBytes);
  known->text += added;
  std::string keys;
  merge_keys(known->keys, decoded(written), keys);
  known->keys = std::move(keys);
  found_.reset();
  return *known;
}

std::vector<std::string> KeyReader::decoded(std::span<const std::string_view> written) const {
  std::vector<std::string> keys;
  for (const std::string_view key : written) {
    const Result<JsonDocument> read = JsonDocument::parse(key, limits_);
    if (read && read->root().is(JsonType::kString)) keys.emplace_back(read->root().string());
  }
  std::ranges::sort(keys);
  return keys;
}

void KeyReader::merge_keys(std::string_view some, std::span<const std::string> others, std::string& out) {
  out.clear();
  for (const std::string& one : others) {
    std::size_t end = 0;  // of the keys that come before it
    while (end < some.size()) {
      const std::string_view next = some.substr(end, some.find(kKeyEnd, end) - end);
      if (next > one) break;
      end += next.size() + 1;
    }
    out += some.substr(0, end);
    out += one + kKeyEnd;
    some.remove_prefix(end);
  }
  out += some;
}

}  // namespace weir::frontend::json_schema
