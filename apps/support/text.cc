#include "text.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/utf8.h"

namespace weir::cli {

namespace {

std::string byte_name(unsigned byte) {
  if (byte == ' ') return "blank";
  if (byte == '\n') return "line feed";
  if (byte == '\r') return "carriage return";
  if (byte == '\t') return "tab";
  if (byte > 0x20 && byte < 0x7F) return fmt::format("`{}`", static_cast<char>(byte));
  return fmt::format("0x{:02X}", byte);
}

std::string list_ranges(const std::bitset<256>& set) {
  std::string out;
  for (unsigned first = 0; first < 256;) {
    if (!set[first]) {
      ++first;
      continue;
    }
    unsigned last = first;
    while (last < 255 && set[last + 1]) ++last;
    if (!out.empty()) out += ", ";
    out += byte_name(first);
    if (last > first) out += (last == first + 1 ? ", " : "–") + byte_name(last);
    first = last + 1;
  }
  return out;
}

}  // namespace

std::string escape(std::string_view bytes, std::size_t max_bytes) { return base::escape_for_display(bytes, max_bytes); }

std::size_t find_invalid_utf8(std::string_view bytes) { return base::find_invalid_utf8(bytes); }

bool is_valid_utf8(std::string_view bytes) { return find_invalid_utf8(bytes) == std::string_view::npos; }

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return out;
}

Json text_or_null(std::string_view bytes) { return is_valid_utf8(bytes) ? Json(bytes) : Json(nullptr); }

std::string json_text(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json error_json(const Error& error) {
  Json out;
  out["code"] = to_string(error.code);
  out["message"] = error.message;
  out["start"] = error.where.start;
  out["end"] = error.where.end;
  if (!error.hint.empty()) out["hint"] = error.hint;
  for (const ErrorNote& note : error.notes) {
    out["notes"].push_back(
        {{"message", note.message}, {"start", note.where.start}, {"end", note.where.end}, {"location", note.location}});
  }
  if (!error.limit.empty()) out["limit"] = error.limit;
  return out;
}

std::string describe_bytes(std::span<const std::uint8_t> bytes) {
  std::bitset<256> set;
  for (const std::uint8_t byte : bytes) set.set(byte);
  if (set.none()) return "no byte";
  if (set.all()) return "any byte";
  std::string listed = list_ranges(set);
  std::string excluded = "any byte but " + list_ranges(~set);
  return excluded.size() < listed.size() ? excluded : listed;
}

Json expectation_json(const Expectation& expectation) {
  Json out;
  out["terminals"] = expectation.terminals;
  out["bytes"] = expectation.bytes;
  out["end"] = expectation.end;
  return out;
}

std::string describe_expectation(const Expectation& expectation, std::size_t max_terminals) {
  std::string out;
  const std::size_t shown = std::min(max_terminals, expectation.terminals.size());
  for (std::size_t i = 0; i < shown; ++i) {
    if (i != 0) out += ", ";
    out += expectation.terminals[i];
  }
  if (shown < expectation.terminals.size()) out += fmt::format(" and {} more", expectation.terminals.size() - shown);
  if (!expectation.bytes.empty()) {
    if (!out.empty()) out += "; ";
    out += "next " + describe_bytes(expectation.bytes);
  }
  if (expectation.end) out += out.empty() ? "the end" : "; or the end";
  return out.empty() ? "nothing" : out;
}

SourceRange character_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return {text.size(), text.size()};
  std::size_t start = offset;
  while (start > 0 && offset - start < 3 && (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U) --start;
  const base::Decoded decoded = base::decode_utf8(text, start);
  if (decoded.length == 0 || start + decoded.length <= offset) return {offset, offset + 1};
  return {start, start + decoded.length};
}

}  // namespace weir::cli
