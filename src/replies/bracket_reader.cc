#include "replies/bracket_reader.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/json/json_text.h"
#include "replies/json_scanner.h"
#include "replies/python_reader.h"
#include "replies/search_bounds.h"
#include "replies/tool_schemas.h"

namespace weir::replies {

void append_escaped(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && c != '"' && c != '\\') {
    out += c;
    return;
  }
  const std::string quoted = base::json_string({&c, 1});
  out.append(quoted, 1, quoted.size() - 2);
}

namespace {

bool is_key_byte(char c) { return is_python_name(c) || c == '-' || c == '.' || c == '$'; }

// Returns true for a string that the tag may write without quote tokens around it.
bool is_word(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, is_part);
}

// Returns the JSON text of a literal without quotes; empty if it is none.
std::string literal_of(std::string_view word) {
  const std::string_view text = trimmed(word);
  return text.empty() || text.front() == '\'' ? std::string() : literal_as_json(text);
}

}  // namespace

void BracketReader::reset() {
  place_ = Place::kStart;
  open_.clear();
  word_.clear();
}

BracketReader::Step BracketReader::close(char c, std::string& out) {
  if (open_.empty() || c != (open_.back() == '{' ? '}' : ']')) return Step::kBad;
  open_.pop_back();
  out += c;
  place_ = Place::kAfter;
  return open_.empty() ? Step::kDone : Step::kMore;
}

BracketReader::Step BracketReader::value(char c, std::string& out) {
  if (is_blank(c)) {
    if (c == '\n' || !word_.empty()) word_ += c;
    return Step::kMore;
  }
  const std::string lines = std::exchange(word_, {});
  switch (c) {
    case '{':
    case '[':
      open_ += c;
      out += c;
      place_ = Place::kFirst;
      return Step::kMore;
    case '<':
      word_ = c;
      place_ = Place::kMark;
      return Step::kMore;
    case '"':
      out += c;
      place_ = Place::kQuoted;
      return Step::kMore;
    case ',':
    case '}':
    case ']': return Step::kBad;
    default: break;
  }
  word_ = lines + c;
  is_text_ = false;
  word_end_ = 0;
  place_ = Place::kWord;
  return Step::kMore;
}

BracketReader::Step BracketReader::after(char c, std::string& out) {
  if (is_blank(c)) return Step::kMore;
  if (c != ',') return close(c, out);
  out += ", ";
  place_ = Place::kNext;
  return Step::kMore;
}

// A value without quotes: a literal or a text, which may have line ends before it but no blanks.
void BracketReader::end_word(std::string_view word, std::string& out) {
  std::string_view text = trimmed(word);
  // A string whose quote token at its beginning was written wrongly:
  if (text.size() >= quote_.size() && text.ends_with(quote_)) {
    text.remove_suffix(quote_.size());
    if (text.size() > 1 && text.front() == text.back() && is_quote(text.front())) {
      text = text.substr(1, text.size() - 2);
    }
    out += base::json_string(text);
    return;
  }
  const std::string literal = literal_of(text);
  if (literal.empty()) text = word.substr(0, static_cast<std::size_t>(text.data() - word.data()) + text.size());
  out += literal.empty() ? base::json_string(text) : literal;
}

// A colon came. Returns the offset of the comma before the key that the word ends with; npos if it ends with none. If the
// tag allows the text before the comma, any key that it allows counts; otherwise only one like a name.
std::size_t BracketReader::last_comma() const {
  if (!is_text_) return std::string::npos;
  if (word_end_ != 0 && word_end_ + 1 < word_.size()) {
    const std::string_view key = std::string_view(word_).substr(word_end_ + 1);
    // The ends are tested before searching: this runs at each colon, and a search each time would be quadratic.
    const bool is_allowed =
        !is_blank(key.front()) && !is_blank(key.back()) && key.find_first_of("{}[]") == std::string_view::npos;
    if (is_allowed) return word_end_;
  }
  const std::size_t from = word_.size() - std::min(word_.size(), kMaxName);
  const std::size_t comma = std::string_view(word_).substr(from).rfind(',');
  if (comma == std::string::npos) return comma;
  const std::string_view key = trimmed(std::string_view(word_).substr(from + comma + 1));
  const bool is_quoted = key.size() > 1 && is_quote(key.front()) && key.front() == key.back();
  return !key.empty() && (is_quoted || std::ranges::all_of(key, is_key_byte)) ? from + comma : std::string::npos;
}

// Reads a byte of an escape in a JSON string. A backslash that begins no escape is kept as a character.
void BracketReader::escape(char c, std::string& out) {
  word_ += c;
  const std::string_view digits = std::string_view(word_).substr(2);
  const bool is_number =
      word_[1] == 'u' && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  if (is_number && digits.size() < 4) return;
  place_ = Place::kQuoted;
  const std::string text = std::exchange(word_, {});
  if (is_number || base::read_json_escape(text).length != 0) {
    out += text;
    return;
  }
  out += "\\\\";
  for (const char one : text.substr(1)) static_cast<void>(feed(one, out));  // characters of the string
}

void BracketReader::expect(char next, std::string& out) {
  if (place_ != Place::kString) return;
  word_ += next;
  while (word_.size() > 1 && !quote_.starts_with(word_)) {
    append_escaped(out, word_.front());
    word_.erase(0, 1);
  }
  word_.pop_back();
}

BracketReader::Step BracketReader::end(std::string& out) {
  switch (place_) {
    case Place::kString:
      word_.clear();
      out += '"';
      break;
    case Place::kWord: end_word(std::exchange(word_, {}), out); break;
    case Place::kAfter: break;
    default: return Step::kBad;
  }
  for (; !open_.empty(); open_.pop_back()) out += open_.back() == '{' ? '}' : ']';
  place_ = Place::kAfter;
  return Step::kDone;
}

BracketReader::Step BracketReader::feed(char c, std::string& out) {
  switch (place_) {
    case Place::kStart: return is_blank(c) || c == '{' ? value(c, out) : Step::kBad;
    case Place::kFirst:
      if (c == '}' || c == ']') return close(c, out);
      [[fallthrough]];
    case Place::kNext:
      if (is_blank(c)) return Step::kMore;
      if (open_.back() == '[') return value(c, out);
      word_.clear();
      place_ = Place::kKey;
      [[fallthrough]];
    case Place::kKey: {
      if (c != ':') {
        word_ += c;
        return std::string_view("{}[],").find(c) == std::string_view::npos ? Step::kMore : Step::kBad;
      }
      std::string_view key = trimmed(word_);
      if (key.starts_with(quote_) && key.ends_with(quote_) && key.size() >= 2 * quote_.size()) {
        key = key.substr(quote_.size(), key.size() - 2 * quote_.size());
      } else if (key.size() > 1 && key.front() == '"' && key.back() == '"') {
        key = key.substr(1, key.size() - 2);
      }
      if (key.empty()) return Step::kBad;
      out += base::json_string(key) + ": ";
      word_.clear();
      place_ = Place::kValue;
      return Step::kMore;
    }
    case Place::kValue: return value(c, out);
    case Place::kMark:
      word_ += c;
      if (!quote_.starts_with(word_)) return Step::kBad;
      if (word_.size() < quote_.size()) return Step::kMore;
      word_.clear();
      out += '"';
      place_ = Place::kString;
      return Step::kMore;
    case Place::kString:
      expect(c, out);
      word_ += c;
      if (!quote_.starts_with(word_)) {
        append_escaped(out, c);
        word_.clear();
      }
      if (word_.size() < quote_.size()) return Step::kMore;
      word_.clear();
      out += '"';
      place_ = Place::kAfter;
      return Step::kMore;
    case Place::kQuoted:
      if (c == '"') {
        out += c;
        place_ = Place::kAfter;
      } else if (c == '\\') {
        word_ = c;
        place_ = Place::kEscape;
      } else {
        append_escaped(out, c);
      }
      return Step::kMore;
    case Place::kEscape: escape(c, out); return Step::kMore;
    case Place::kWord:
      // In an object a comma is a part of a text, unless a key follows.
      if (const std::size_t comma = c == ':' ? last_comma() : std::string::npos; comma != std::string::npos) {
        const std::string word = std::exchange(word_, {});
        end_word(std::string_view(word).substr(0, comma), out);
        out += ", ";
        word_ = word.substr(comma + 1);
        place_ = Place::kKey;
        return feed(c, out);
      }
      if (c == ',' && open_.back() == '{') {
        word_end_ = !is_text_ && is_word(word_) ? word_.size() : 0;
        is_text_ = is_text_ || literal_of(word_).empty();
      }
      if (c == ',' ? is_text_ : c != '}' && c != ']') {
        word_ += c;
        return Step::kMore;
      }
      end_word(std::exchange(word_, {}), out);
      return after(c, out);
    case Place::kAfter: return after(c, out);
  }
  return Step::kBad;
}

}  // namespace weir::replies
