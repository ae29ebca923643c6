#include "replies/json_scanner.h"

namespace weir::replies {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

}  // namespace

void JsonScanner::reset() {
  place_ = Place::kValue;
  is_key_ = false;
  open_.clear();
}

bool JsonScanner::may_end() const {
  return open_.empty() && (place_ == Place::kZero || place_ == Place::kDigits || place_ == Place::kFraction ||
                           place_ == Place::kExponentDigits || place_ == Place::kEnd);
}

JsonScanner::Step JsonScanner::end_value() {
  place_ = open_.empty() ? Place::kEnd : Place::kAfterItem;
  return open_.empty() ? Step::kDone : Step::kMore;
}

void JsonScanner::open(char bracket, Place next) {
  open_ += bracket;
  place_ = next;
}

JsonScanner::Step JsonScanner::value(char c) {
  is_key_ = false;
  switch (c) {
    case '{': open(c, Place::kFirstKey); return Step::kMore;
    case '[': open(c, Place::kFirstItem); return Step::kMore;
    case '"': place_ = Place::kString; return Step::kMore;
    case '-': place_ = Place::kMinus; return Step::kMore;
    case '0': place_ = Place::kZero; return Step::kMore;
    case 't': word_ = "rue"; break;
    case 'f': word_ = "alse"; break;
    case 'n': word_ = "ull"; break;
    default:
      if (!is_digit(c)) return Step::kBad;
      place_ = Place::kDigits;
      return Step::kMore;
  }
  place_ = Place::kWord;
  return Step::kMore;
}

JsonScanner::Step JsonScanner::number(char c) {
  const bool digit = is_digit(c);
  const bool e = c == 'e' || c == 'E';
  Place next = place_;
  switch (place_) {
    case Place::kMinus: next = c == '0' ? Place::kZero : Place::kDigits; break;
    case Place::kZero:
    case Place::kDigits:
      if (digit && place_ == Place::kDigits) return Step::kMore;
      if (!e && c != '.') return Step::kAfter;
      place_ = e ? Place::kExponent : Place::kPoint;
      return Step::kMore;
    case Place::kPoint: next = Place::kFraction; break;
    case Place::kFraction:
      if (digit) return Step::kMore;
      if (!e) return Step::kAfter;
      place_ = Place::kExponent;
      return Step::kMore;
    case Place::kExponent:
      if (c == '+' || c == '-') {
        place_ = Place::kExponentSign;
        return Step::kMore;
      }
      next = Place::kExponentDigits;
      break;
    case Place::kExponentSign: next = Place::kExponentDigits; break;
    default: return digit ? Step::kMore : Step::kAfter;
  }
  if (!digit) return Step::kBad;
  place_ = next;
  return Step::kMore;
}

JsonScanner::Step JsonScanner::after_item(char c) {
  if (is_blank(c)) return Step::kMore;
  const bool in_object = open_.back() == '{';
  if (c == ',') {
    place_ = in_object ? Place::kKey : Place::kValue;
    return Step::kMore;
  }
  if (c != (in_object ? '}' : ']')) return Step::kBad;
  open_.pop_back();
  return end_value();
}

JsonScanner::Step JsonScanner::feed(char c) {
  switch (place_) {
    case Place::kString:
      if (static_cast<unsigned char>(c) < 0x20) return Step::kBad;
      if (c == '\\') place_ = Place::kEscape;
      if (c != '"') return Step::kMore;
      if (!is_key_) return end_value();
      place_ = Place::kColon;
      return Step::kMore;
    case Place::kEscape:
      if (c == 'u') {
        place_ = Place::kHex;
        hex_left_ = 4;
        return Step::kMore;
      }
      place_ = Place::kString;
      return std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos ? Step::kBad : Step::kMore;
    case Place::kHex:
      if (!is_hex(c)) return Step::kBad;
      if (--hex_left_ == 0) place_ = Place::kString;
      return Step::kMore;
    case Place::kWord:
      if (c != word_.front()) return Step::kBad;
      word_.remove_prefix(1);
      return word_.empty() ? end_value() : Step::kMore;
    case Place::kFirstItem:
      if (is_blank(c)) return Step::kMore;
      if (c != ']') return value(c);
      open_.pop_back();
      return end_value();
    case Place::kFirstKey:
    case Place::kKey:
      if (is_blank(c)) return Step::kMore;
      if (c == '}' && place_ == Place::kFirstKey) {
        open_.pop_back();
        return end_value();
      }
      is_key_ = true;
      place_ = Place::kString;
      return c == '"' ? Step::kMore : Step::kBad;
    case Place::kColon:
      if (c == ':') place_ = Place::kValue;
      return c == ':' || is_blank(c) ? Step::kMore : Step::kBad;
    case Place::kAfterItem: return after_item(c);
    case Place::kValue: return is_blank(c) ? Step::kMore : value(c);
    case Place::kEnd: return Step::kAfter;
    default: break;
  }
  const Step step = number(c);
  if (step != Step::kAfter || open_.empty()) return step;
  place_ = Place::kAfterItem;
  return after_item(c);
}

bool is_json(std::string_view text) {
  JsonScanner scanner;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const JsonScanner::Step step = scanner.feed(text[i]);
    if (step == JsonScanner::Step::kBad) return false;
    if (step == JsonScanner::Step::kMore) continue;
    if (step == JsonScanner::Step::kDone) ++i;
    return text.find_first_not_of(base::kBlanks, i) == std::string_view::npos;
  }
  return scanner.may_end();
}

}  // namespace weir::replies
