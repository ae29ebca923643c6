#include "replies/python_reader.h"

#include <algorithm>
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

PythonEscape read_python_escape(std::string_view text) {
  using Is = PythonEscape::Is;
  if (text.size() < 2) return {Is::kBeginning};
  const char c = text[1];
  constexpr std::string_view kLetters = "\\'\"abfnrtv";
  constexpr std::string_view kDenoted = "\\'\"\a\b\f\n\r\t\v";
  if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) {
    return {Is::kWhole, 2, std::string(1, kDenoted[letter])};
  }
  if (c == '\n') return {Is::kWhole, 2};
  if (c == '\r') {
    if (text.size() == 2) return {Is::kBeginning};
    return {Is::kWhole, text[2] == '\n' ? std::size_t{3} : std::size_t{2}};
  }
  const bool is_octal = c >= '0' && c <= '7';
  const std::size_t most = is_octal ? 3 : c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (most == 0) return c == 'N' ? PythonEscape{Is::kBad} : PythonEscape{Is::kWhole, 1, "\\"};
  const std::string_view digits = text.substr(is_octal ? 1 : 2, most);
  const std::string_view of_base = is_octal ? "01234567" : "0123456789abcdefABCDEF";
  const std::size_t count = std::min(digits.find_first_not_of(of_base), digits.size());
  if (count < most && count == digits.size()) return {Is::kBeginning};
  if (count < most && !is_octal) return {Is::kBad};
  std::uint32_t point = 0;
  std::from_chars(digits.data(), digits.data() + count, point, is_octal ? 8 : 16);
  if (point > 0x10FFFF) return {Is::kBad};
  PythonEscape escape{Is::kWhole, (is_octal ? 1 : 2) + count};
  base::append_utf8(escape.text, static_cast<char32_t>(point));
  return escape;
}

PythonReader::Step PythonReader::close(char c, std::string& out) {
  const char open = open_.back();
  const char wanted = open == '{' ? '}' : open == '[' ? ']' : ')';
  const bool is_in_brackets =
      open == '(' && open_.size() > 1 && place_ != Place::kFirst;  // (5) is no tuple: values in brackets are not read
  if (c != wanted || is_in_brackets) return Step::kBad;
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
      open_ += c;
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
    word_ = c;
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
  word_ += c;
  const PythonEscape escape = read_python_escape(word_);
  if (escape.is == PythonEscape::Is::kBad) return Step::kBad;
  if (escape.is == PythonEscape::Is::kBeginning) return Step::kMore;
  const std::string json = base::json_string(escape.text);
  out.append(json, 1, json.size() - 2);
  const bool has_all = escape.length == word_.size();
  word_.clear();
  place_ = Place::kString;
  return has_all ? Step::kMore : string(c, out);
}

PythonReader::Step PythonReader::after(char c, std::string& out) {
  if (is_blank(c)) return Step::kMore;
  if (c != ',') return close(c, out);
  if (open_.size() > 1 && open_.back() == '(') open_.back() = 't';
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
    case Place::kAfter: return after(c, out);
  }
  return Step::kBad;
}

}  // namespace weir::replies
