#include "frontend/json_schema/source/json_pointer.h"

#include <algorithm>

#include "base/byte_blocks.h"
#include "base/escape.h"

namespace weir::frontend::json_schema {

void append_to_pointer(std::string& pointer, std::string_view key) {
  pointer.push_back('/');
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer.push_back(c);
    }
  }
}

void append_to_pointer(std::string& pointer, std::size_t index) {
  pointer.push_back('/');
  pointer += std::to_string(index);
}

Result<std::vector<std::string>> parse_pointer(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (!pointer.empty() && pointer.front() != '/') {
    return tl::unexpected(Error{ErrorCode::kSyntax, "a JSON pointer begins with `/`", {0, 1}});
  }
  for (std::size_t i = 0; i < pointer.size();) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
      ++i;
    } else if (pointer[i] != '~') {
      const std::size_t end = base::find_byte(
          pointer, i, [](std::uint64_t w) { return base::has_byte(w, '/') || base::has_byte(w, '~'); },
          [](unsigned char c) { return c == '/' || c == '~'; });
      tokens.back() += pointer.substr(i, end - i);
      i = end;
    } else {
      const char code = i + 1 < pointer.size() ? pointer[i + 1] : '\0';
      if (code != '0' && code != '1') {
        return tl::unexpected(Error{
            ErrorCode::kSyntax, "`~` in a JSON pointer must be `~0` or `~1`", {i, std::min(i + 2, pointer.size())}});
      }
      tokens.back().push_back(code == '0' ? '~' : '/');
      i += 2;
    }
  }
  return tokens;
}

Result<std::string> percent_decode(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded.push_back(text[i]);
      continue;
    }
    const int high = i + 2 < text.size() ? base::hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? base::hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      return tl::unexpected(
          Error{ErrorCode::kSyntax, "expected two hexadecimal digits after `%`", {i, std::min(i + 3, text.size())}});
    }
    decoded.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return decoded;
}

std::string as_fragment(std::string_view pointer) {
  std::string out;
  for (const char c : pointer) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/';
    if (is_plain) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', "0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
    }
  }
  return out;
}

const JsonValue* step_pointer(const JsonValue& value, std::string_view token) {
  if (value.is(JsonType::kObject)) return value.find(token);
  if (token.empty() || (token.size() > 1 && token.front() == '0')) return nullptr;
  std::size_t index = 0;
  for (const char c : token) {
    if (c < '0' || c > '9') return nullptr;
    index = index * 10 + static_cast<std::size_t>(c - '0');
    if (index >= value.items().size()) return nullptr;
  }
  return &value.items()[index];
}

const JsonValue* find_pointer(const JsonValue& root, std::span<const std::string> tokens) {
  const JsonValue* value = &root;
  for (const std::string& token : tokens) {
    value = step_pointer(*value, token);
    if (value == nullptr) return nullptr;
  }
  return value;
}

std::string pointer_to(const JsonValue& root, const JsonValue& value) {
  std::string pointer;
  const JsonValue* at = &root;
  const std::size_t target = value.where().start;
  while (at != &value) {
    // Continue with the last child that begins at or before `value`: no other child can contain it.
    const auto starts_after = [&](const auto& child_start) { return child_start > target; };
    if (const auto members = at->members(); !members.empty()) {
      const auto next = std::ranges::partition_point(
          members, [&](const JsonMember& m) { return !starts_after(m.value.where().start); });
      if (next == members.begin()) return "";
      append_to_pointer(pointer, (next - 1)->key);
      at = &(next - 1)->value;
    } else if (const auto items = at->items(); !items.empty()) {
      const auto next =
          std::ranges::partition_point(items, [&](const JsonValue& v) { return !starts_after(v.where().start); });
      if (next == items.begin()) return "";
      append_to_pointer(pointer, static_cast<std::size_t>(next - 1 - items.begin()));
      at = &*(next - 1);
    } else {
      return "";
    }
  }
  return pointer;
}

std::string pointer_at(const JsonValue& root, SourceRange where) {
  std::string pointer;
  for (const JsonValue* at = &root;;) {
    // The last child that begins at or before the range: no other child can contain it.
    const auto members = at->members();
    const auto member =
        std::ranges::partition_point(members, [&](const JsonMember& m) { return m.key_where.start <= where.start; });
    const auto items = at->items();
    const auto item =
        std::ranges::partition_point(items, [&](const JsonValue& v) { return v.where().start <= where.start; });
    if (member != members.begin() && where.end <= (member - 1)->value.where().end) {
      append_to_pointer(pointer, (member - 1)->key);
      at = &(member - 1)->value;
    } else if (item != items.begin() && where.end <= (item - 1)->where().end) {
      append_to_pointer(pointer, static_cast<std::size_t>(item - 1 - items.begin()));
      at = &*(item - 1);
    } else {
      return pointer;
    }
  }
}

}  // namespace weir::frontend::json_schema
