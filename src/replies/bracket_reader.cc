#include "replies/bracket_reader.h"

#include <string_view>

#include "base/json/json_text.h"
#include "replies/json_scanner.h"
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
  if (is_blank(c)) return Step::kMore;
  word_.clear();
  switch (c) {
    case '{':
    case '[':
      if (open_.size() >= kMaxNesting) return Step::kBad;
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
  word_ = c;
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
      word_ += c;
      while (!quote_.starts_with(word_)) {
        append_escaped(out, word_.front());
        word_.erase(0, 1);
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
        place_ = Place::kEscape;
      } else {
        append_escaped(out, c);
      }
      return Step::kMore;
    case Place::kEscape:
      if (std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos) {
        out += "\\\\";
        append_escaped(out, c);
      } else {
        out += '\\';
        out += c;
      }
      place_ = Place::kQuoted;
      return Step::kMore;
    case Place::kWord:
      if (c != ',' && c != '}' && c != ']') {
        word_ += c;
        return Step::kMore;
      }
      {
        const std::string_view text = trimmed(word_);
        const std::string literal = text.front() == '\'' ? std::string() : literal_as_json(text);
        out += literal.empty() ? base::json_string(text) : literal;
      }
      return after(c, out);
    case Place::kAfter: return after(c, out);
  }
  return Step::kBad;
}

}  // namespace weir::replies
