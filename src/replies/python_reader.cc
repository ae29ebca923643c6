#include "replies/python_reader.h"

#include <charconv>
#include <string_view>
#include <utility>

#include "base/json/json_text.h"
#include "base/utf8.h"
#include "replies/json_scanner.h"
#include "replies/search_bounds.h"
#include "replies/tool_schemas.h"

namespace weir::replies {

bool is_python_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

PythonReader::Step PythonReader::close(char c, std::string& out) {
  const char open = open_.back();
  const char wanted = open == '{' ? '}' : open == '[' ? ']' : ')';
  if (c != wanted) return Step::kBad;
  open_.pop_back();
  if (open_.empty() && place_ == Place::kFirst) out += '{';
  out += open == '{' || open_.empty() ? '}' : ']';
  place_ = Place::kAfter;
  return open_.empty() ? Step::kDone : Step::kMore;
}

// A member, an item, or the end of what is open.
PythonReader::Step PythonReader::begin(char c, std::string& out) {
  if (is_blank(c)) return Step::kMore;
  if (c == ')' || c == ']' || c == '}') return close(c, out);  // also after a comma
  const bool is_first = place_ == Place::kFirst;
  if (open_.size() == 1) {
    if (!is_python_name(c)) return Step::kBad;
    word_ = (is_first ? "{" : ", ");
    word_ += '"';
    word_ += c;
    place_ = Place::kKey;
    return Step::kMore;
  }
  if (!is_first) out += ", ";
  if (open_.back() != '{') return value(c, out);
  if (c != '"' && c != '\'') return Step::kBad;
  is_key_ = true;
  return value(c, out);
}

PythonReader::Step PythonReader::value(char c, std::string& out) {
  if (is_blank(c)) return Step::kMore;
  switch (c) {
    case '{':
    case '[':
    case '(':
      open_ += c == '(' ? 't' : c;
      out += c == '{' ? '{' : '[';
      place_ = Place::kFirst;
      return Step::kMore;
    case '"':
    case '\'':
      quote_ = c;
      out += '"';
      place_ = Place::kString;
      return Step::kMore;
    case ',':
    case '}':
    case ']':
    case ')': return Step::kBad;
    default: break;
  }
  word_ = c;
  place_ = Place::kWord;
  return Step::kMore;
}

PythonReader::Step PythonReader::string(char c, std::string& out) {
  if (c == '\\') {
    place_ = Place::kEscape;
  } else if (c == quote_) {
    out += '"';
    place_ = std::exchange(is_key_, false) ? Place::kColon : Place::kAfter;
  } else {
    append_escaped(out, c);
  }
  return Step::kMore;
}

PythonReader::Step PythonReader::escape(char c, std::string& out) {
  place_ = Place::kString;
  switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      out += '\\';
      out += c;
      return Step::kMore;
    case '\'': out += c; return Step::kMore;
    case '\n': return Step::kMore;
    case 'a': append_escaped(out, '\a'); return Step::kMore;
    case 'v': append_escaped(out, '\v'); return Step::kMore;
    case '0': append_escaped(out, '\0'); return Step::kMore;
    case 'x':
    case 'u':
    case 'U':
      hex_left_ = c == 'x' ? 2 : c == 'u' ? 4 : 8;
      word_.clear();
      place_ = Place::kHex;
      return Step::kMore;
    default: break;
  }
  out += "\\\\";  // Python keeps the backslash of what is no escape
  append_escaped(out, c);
  return Step::kMore;
}

PythonReader::Step PythonReader::hex(char c, std::string& out) {
  word_ += c;
  if (--hex_left_ > 0) return Step::kMore;
  place_ = Place::kString;
  std::uint32_t point = 0;
  const auto [end, error] = std::from_chars(word_.data(), word_.data() + word_.size(), point, 16);
  if (error != std::errc() || end != word_.data() + word_.size() || point > 0x10FFFF) return Step::kBad;
  if (word_.size() < 8) {
    out += word_.size() == 2 ? "\\u00" : "\\u";
    out += word_;
  } else {
    if (point >= 0xD800 && point < 0xE000) return Step::kBad;
    std::string text;
    base::append_utf8(text, static_cast<char32_t>(point));
    for (const char byte : text) append_escaped(out, byte);
  }
  return Step::kMore;
}

PythonReader::Step PythonReader::after(char c, std::string& out) {
  if (is_blank(c)) return Step::kMore;
  if (c != ',') return close(c, out);
  place_ = Place::kNext;
  return Step::kMore;
}

PythonReader::Step PythonReader::feed(char c, std::string& out) {
  switch (place_) {
    case Place::kFirst:
    case Place::kNext: return begin(c, out);
    case Place::kKey:
      if (is_python_name(c)) {
        word_ += c;
        return word_.size() > max_key_ ? Step::kBad : Step::kMore;
      }
      [[fallthrough]];
    case Place::kAfterKey:
      place_ = Place::kAfterKey;
      if (is_blank(c)) return Step::kMore;
      if (c != '=') return Step::kBad;
      out += word_ + "\": ";
      place_ = Place::kValue;
      return Step::kMore;
    case Place::kColon:
      if (is_blank(c)) return Step::kMore;
      if (c != ':') return Step::kBad;
      out += ": ";
      place_ = Place::kValue;
      return Step::kMore;
    case Place::kValue: return value(c, out);
    case Place::kWord: {
      if (c != ',' && c != '}' && c != ']' && c != ')') {
        word_ += c;
        return Step::kMore;
      }
      const std::string literal = literal_as_json(trimmed(word_));
      if (literal.empty()) return Step::kBad;
      out += literal;
      return after(c, out);
    }
    case Place::kString: return string(c, out);
    case Place::kEscape: return escape(c, out);
    case Place::kHex: return hex(c, out);
    case Place::kAfter: return after(c, out);
  }
  return Step::kBad;
}

}  // namespace weir::replies
