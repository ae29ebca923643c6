#include "replies/value_reader.h"

#include <algorithm>
#include <utility>

#include "base/escape.h"
#include "base/utf8.h"
#include "replies/search_bounds.h"

namespace weir::replies {

namespace {

constexpr char32_t kReplacement = 0xFFFD;

void add(ReplyEventKind kind, std::string key, std::size_t depth, std::string text, const ReplyEvent& pattern,
         std::vector<ReplyEvent>& out) {
  ReplyEvent event = pattern;
  event.kind = kind;
  event.key = std::move(key);
  event.depth = static_cast<std::uint32_t>(depth);
  event.text = std::move(text);
  out.push_back(std::move(event));
}

}  // namespace

std::string ValueReader::key_here() const {
  if (open_.empty()) return {};
  return open_.back().is_object ? key_ : std::to_string(open_.back().index);
}

void ValueReader::feed(std::string_view text, const ReplyEvent& pattern, std::vector<ReplyEvent>& out) {
  for (const char c : text) {
    if (state_ == State::kDead) return;
    const JsonScanner::Step step = scanner_.feed(c);
    if (step == JsonScanner::Step::kBad || (step == JsonScanner::Step::kAfter && !is_blank(c))) {
      state_ = State::kDead;
      return;
    }
    read(c, pattern, out);
  }
  const bool is_in_string = state_ == State::kString || state_ == State::kEscape || state_ == State::kHex;
  if (is_in_string && !is_key_) continue_string(pattern, out);
}

// Gives the text of the string that has been read since the last event.
void ValueReader::continue_string(const ReplyEvent& pattern, std::vector<ReplyEvent>& out) {
  if (text_.empty()) return;
  const bool is_long = !open_.empty() && open_.back().is_object && key_.size() > kMaxName;
  add(ReplyEventKind::kString, is_long ? std::string() : key_here(), open_.size(), std::exchange(text_, {}), pattern,
      out);
}

void ValueReader::feed_event(ReplyEvent event, std::vector<ReplyEvent>& out) {
  ReplyEvent pattern;
  pattern.start = pattern.end = event.end;
  pattern.call = event.call;
  std::string text = std::exchange(event.text, {});  // `out` may move while it is read
  const std::size_t index = out.size();
  out.push_back(std::move(event));
  feed(text, pattern, out);
  out[index].text = std::move(text);
}

void ValueReader::finish(const ReplyEvent& pattern, std::vector<ReplyEvent>& out) {
  if (state_ == State::kWord && scanner_.may_end()) end_word(pattern, out);
  state_ = State::kDead;
}

void ValueReader::read(char c, const ReplyEvent& pattern, std::vector<ReplyEvent>& out) {
  switch (state_) {
    case State::kWord:
      if (!is_blank(c) && c != ',' && c != ']' && c != '}') {
        text_ += c;
        return;
      }
      end_word(pattern, out);
      [[fallthrough]];
    case State::kBetween: begin_or_end(c, pattern, out); return;
    case State::kString:
      if (c == '\\') {
        state_ = State::kEscape;
        return;
      }
      end_half();
      if (c == '"') {
        end_string(pattern, out);
      } else {
        text_ += c;
      }
      return;
    case State::kEscape: escape(c); return;
    case State::kHex: hex_digit(c); return;
    case State::kDead: return;
  }
}

void ValueReader::begin_or_end(char c, const ReplyEvent& pattern, std::vector<ReplyEvent>& out) {
  if (is_blank(c) || c == ':') return;
  if (c == ',') {
    ++open_.back().index;
    expects_key_ = open_.back().is_object;
  } else if (c == '{' || c == '[') {
    const bool is_object = c == '{';
    std::string key = key_here();
    add(is_object ? ReplyEventKind::kObjectBegins : ReplyEventKind::kArrayBegins, key, open_.size(), {}, pattern, out);
    open_.push_back({is_object, std::move(key)});
    expects_key_ = is_object;
  } else if (c == '}' || c == ']') {
    const auto kind = c == '}' ? ReplyEventKind::kObjectEnds : ReplyEventKind::kArrayEnds;
    std::string key = std::move(open_.back().key);
    open_.pop_back();
    expects_key_ = false;
    add(kind, std::move(key), open_.size(), {}, pattern, out);
  } else if (c == '"') {
    is_key_ = std::exchange(expects_key_, false);
    state_ = State::kString;
    if (!is_key_) add(ReplyEventKind::kString, key_here(), open_.size(), {}, pattern, out);
  } else {
    state_ = State::kWord;
    text_ += c;
  }
}

void ValueReader::end_string(const ReplyEvent& pattern, std::vector<ReplyEvent>& out) {
  state_ = State::kBetween;
  if (is_key_) {
    key_ = std::exchange(text_, {});
    return;
  }
  continue_string(pattern, out);
  add(ReplyEventKind::kStringEnds, key_here(), open_.size(), {}, pattern, out);
}

void ValueReader::end_word(const ReplyEvent& pattern, std::vector<ReplyEvent>& out) {
  state_ = State::kBetween;
  const bool is_boolean = text_ == "true" || text_ == "false";
  const auto kind = is_boolean        ? ReplyEventKind::kBoolean
                    : text_ == "null" ? ReplyEventKind::kNull
                                      : ReplyEventKind::kNumber;
  add(kind, key_here(), open_.size(), std::exchange(text_, {}), pattern, out);
}

// Appends U+FFFD for a first half of a surrogate pair that has no second half.
void ValueReader::end_half() {
  if (std::exchange(half_, 0) != 0) base::append_utf8(text_, kReplacement);
}

void ValueReader::escape(char c) {
  if (c == 'u') {
    state_ = State::kHex;
    hex_left_ = 4;
    hex_ = 0;
    return;
  }
  end_half();
  state_ = State::kString;
  switch (c) {
    case 'b': text_ += '\b'; return;
    case 'f': text_ += '\f'; return;
    case 'n': text_ += '\n'; return;
    case 'r': text_ += '\r'; return;
    case 't': text_ += '\t'; return;
    default: text_ += c; return;
  }
}

void ValueReader::hex_digit(char c) {
  hex_ = hex_ * 16 + static_cast<char32_t>(base::hex_digit(c));
  if (--hex_left_ > 0) return;
  state_ = State::kString;
  const bool is_second_half = base::is_low_surrogate(hex_);
  if (half_ != 0 && is_second_half) {
    base::append_utf8(text_, base::join_surrogates(std::exchange(half_, 0), hex_));
    return;
  }
  end_half();
  if (base::is_high_surrogate(hex_)) {
    half_ = hex_;
  } else {
    base::append_utf8(text_, is_second_half ? kReplacement : hex_);
  }
}

std::optional<std::string> string_member(std::string_view object, std::string_view key) {
  ValueReader reader;
  std::vector<ReplyEvent> events;
  reader.feed(object, {}, events);
  std::optional<std::string> found;
  for (ReplyEvent& event : events) {
    if (event.kind != ReplyEventKind::kString || event.depth != 1 || event.key != key) continue;
    found = found.value_or("") + event.text;
  }
  return found;
}

namespace {

bool begins_value(const ReplyEvent& event) {
  switch (event.kind) {
    case ReplyEventKind::kObjectBegins:
    case ReplyEventKind::kArrayBegins:
    case ReplyEventKind::kNumber:
    case ReplyEventKind::kBoolean:
    case ReplyEventKind::kNull: return true;
    case ReplyEventKind::kString: return event.text.empty();  // the first
    default: return false;
  }
}

}  // namespace

bool has_twice(std::string_view object, std::string_view key) {
  ValueReader reader;
  std::vector<ReplyEvent> events;
  reader.feed(object, {}, events);
  return std::ranges::count_if(events, [&](const ReplyEvent& event) {
           return event.depth == 1 && event.key == key && begins_value(event);
         }) > 1;
}

}  // namespace weir::replies
