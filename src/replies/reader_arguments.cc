// Arguments that stand between tags, and those in notations of their own.
#include <algorithm>
#include <utility>

#include "base/json/json_text.h"
#include "replies/reader.h"
#include "replies/search_bounds.h"
#include "replies/tag_values.h"

namespace weir::replies {

namespace {

bool is_close(char c) { return c == '}' || c == ']'; }

}  // namespace

// Where an argument or the end of the call may come.
void Reader::arguments_step(char c) {
  if (held_.empty()) {
    if (is_blank(c)) return;
    if (c == '{' && keys_ == 0) {  // some models write JSON there
      again({&c, 1});
      if (!is_announced_) announce();
      scanner_.reset();
      state_ = State::kJson;
      return;
    }
  }
  held_ += c;
  std::size_t index = 0;
  switch (match(held_, after_value(), index)) {
    case Found::kPrefix: return;
    case Found::kNone: return fail(unit_.size() - held_.size(), "an argument or the end of the call is missing");
    case Found::kWhole: break;
  }
  if (!is_announced_) {  // the text that has been found is read again, as a part of the call
    again(std::exchange(held_, {}));
    return announce();
  }
  if (index == 0) {
    if (std::exchange(may_unwrap_, false)) {
      add_arguments("{" + base::json_string(key_) + ": " + value_as_json(mended(value_), allowed_));
    }
    held_.clear();
    word_.clear();
    quote_ = 0;
    state_ = form_.key_tag.begin.empty() ? State::kKey : State::kKeyTag;
    return;
  }
  const std::string found = std::exchange(held_, {});
  end_arguments();
  part_ = index;
  if (part_ > form_.end.size()) {  // the end of the section or another call: that of this one is missing
    again(found);
    return end_call();
  }
  if (part_ == form_.end.size()) return end_call();
  word_.clear();
  state_ = State::kEnd;
}

// The texts that may follow a value's end: another argument, the texts at the call's end, the section's end.
std::vector<std::string_view> Reader::after_value() const {
  std::vector<std::string_view> ways{form_.before_key};
  ways.insert(ways.end(), form_.end.begin(), form_.end.end());
  ways.emplace_back(form_.section_end);
  ways.emplace_back(form_.again);
  return ways;
}

void Reader::end_arguments() {
  if (!std::exchange(may_unwrap_, false)) return add_arguments(keys_ > 0 ? "}" : "{}");
  const std::string inside = value_as_json(mended(value_), {type_bit(base::JsonType::kObject)});
  if (inside.starts_with('{')) return add_arguments(inside);
  add_arguments("{" + base::json_string(key_) + ": " + value_as_json(mended(value_), allowed_) + "}");
}

void Reader::key_tag_step(char c) {
  word_ += c;
  if (c == '"') quote_ = quote_ == 0 ? '"' : 0;
  if (is_too_long(word_) || c == '\n') return fail(unit_.size(), "the tag of an argument has no end");
  const std::string& end = form_.key_tag.end;
  if (quote_ != 0 || !word_.ends_with(end)) return;
  word_.resize(word_.size() - end.size());
  key_ = key_of(attribute(form_.key_tag.name_key));
  begin_value();
}

void Reader::key_step(char c) {
  word_ += c;
  if (is_too_long(word_) || c == '\n') return fail(unit_.size(), "the key of an argument has no end");
  if (!word_.ends_with(form_.after_key)) return;
  key_ = key_of(std::string_view(word_).substr(0, word_.size() - form_.after_key.size()));
  if (form_.to_value.empty()) return begin_value();
  state_ = State::kToValue;
}

void Reader::to_value_step(char c) {
  if (held_.empty() && is_blank(c)) return;
  held_ += c;
  if (held_ == "\\" && !start_.is_strict) return;
  if (held_ == "\\n") {  // as in a name
    held_.clear();
    return;
  }
  if (!std::string_view(form_.to_value).starts_with(held_)) {  // the value may do without
    const std::string rest = std::exchange(held_, {});
    again(rest);
    return begin_value();
  }
  if (held_.size() == form_.to_value.size()) begin_value();
}

// The tag of an argument has been read: decides how its value is read.
void Reader::begin_value() {
  held_.clear();
  value_.clear();
  follow_at_ = 0;
  line_held_ = in_raw_ = may_have_ended_ = false;
  at_value_start_ = true;
  state_ = State::kValue;
  if (!start_.is_strict) given_.insert(key_);
  allowed_ = next_value(rest_, key_, schemas_.member_types(schema_, key_));
  Types& types = allowed_.types;
  if (form_.guesses_types && !schemas_.has(name_)) types = kAnyType;
  if (!form_.key_tag.begin.empty()) {  // the tag may say what it is; the schema decides
    const std::string_view is_string = attribute("string");
    const std::string_view type = attribute("type");
    constexpr auto kOthers = static_cast<Types>(kAnyType & ~kStringType);
    if (is_string == "true" || type == "string") {
      if ((types & kStringType) != 0) types = kStringType;
    } else if (is_string == "false" || !type.empty()) {
      if (types == 0) types = kOthers;
      if ((types & kOthers) != 0) types &= kOthers;
    }
  }
  // Some models write all arguments as one that the schema does not know.
  const bool is_whole = key_ == "arguments" || key_ == "input" || key_ == "parameters" || key_ == "properties";
  may_unwrap_ = !start_.is_strict && keys_ == 0 && is_whole && schema_.schema != nullptr &&
                schemas_.member(schema_, key_).schema == nullptr;
  if (may_unwrap_) {
    is_streamed_ = false;
    ++keys_;
    return;
  }
  is_streamed_ = allowed_.is_string();
  add_arguments((keys_++ > 0 ? ", " : "{") + base::json_string(mended(key_)) + (is_streamed_ ? ": \"" : ": "));
}

// Says whether `held_` is the end of a value and what must follow it, or may become so.
Reader::Found Reader::find_value_end() const {
  const std::string_view end = form_.end_value;
  const std::string_view held = held_;
  if (held.size() < end.size()) return end.starts_with(held) ? Found::kPrefix : Found::kNone;
  if (!held.starts_with(end)) return Found::kNone;
  if (follow_at_ == 0) return Found::kPrefix;
  std::size_t index = 0;
  return match(held.substr(follow_at_), after_value(), index);
}

// Some models leave the end of a value out. Says whether `held_` shows that, or may come to show it: by the tag of another
// argument, or by the end of the call and what must follow that.
Reader::Found Reader::find_missing_end() {
  const Found key = find_next_key();
  if (key == Found::kWhole) return key;
  const Found end = find_call_end();
  return end == Found::kNone ? key : end;
}

// The tag of an argument that has not been given and that the schema, if there is one, lists. Others are text: values may
// be about tags.
Reader::Found Reader::find_next_key() {
  const std::string_view held = held_;
  const std::string_view before = form_.before_key;
  if (held.size() <= before.size()) return before.starts_with(held) ? Found::kPrefix : Found::kNone;
  if (!held.starts_with(before) || held.size() > kMaxName || held.back() == '\n') return Found::kNone;
  std::string_view key = held.substr(before.size());
  const std::string_view end = form_.key_tag.begin.empty() ? form_.after_key : form_.key_tag.end;
  const std::size_t angle = key.find('<');
  if (angle != std::string_view::npos && !end.starts_with(key.substr(angle))) return Found::kNone;  // another tag
  if (!key.ends_with(end)) return Found::kPrefix;
  key.remove_suffix(end.size());
  if (!form_.key_tag.begin.empty()) {
    if (std::ranges::count(key, '"') % 2 != 0) return Found::kPrefix;
    key = attribute_of(key, form_.key_tag.name_key);
  }
  const std::string name = key_of(key);
  const bool is_known = schema_.schema == nullptr || schemas_.lists(schema_, name);
  return is_known && !given_.contains(name) ? Found::kWhole : Found::kNone;
}

// The texts at the end of the call, then the section's end or another call. At the end of the reply they suffice.
Reader::Found Reader::find_call_end() {
  std::string_view rest = held_;
  const bool is_in_blanks = rest.size() > 1 && is_blank(rest.back()) && is_blank(rest[rest.size() - 2]);
  if (may_have_ended_ && is_in_blanks) return Found::kPrefix;  // as before
  may_have_ended_ = false;
  for (const std::string& text : form_.end) {
    if (std::string_view(text).starts_with(rest) && rest.size() < text.size()) return Found::kPrefix;
    if (!rest.starts_with(text)) continue;
    may_have_ended_ = true;
    rest.remove_prefix(text.size());
    while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
    if (rest.empty()) return Found::kPrefix;
  }
  if (!may_have_ended_) return Found::kNone;
  std::vector<std::string_view> ways{form_.section_end, form_.again};
  ways.insert(ways.end(), form_.sections.begin(), form_.sections.end());
  if (!form_.open.empty()) ways.emplace_back(form_.open.front());
  std::size_t index = 0;
  const Found found = match(rest, ways, index);
  may_have_ended_ = found != Found::kNone;
  return found;
}

// In a part of a value in which no tag ends it.
void Reader::raw_step(char c) {
  held_ += c;
  if (held_ == form_.raw_end) {
    in_raw_ = false;
    held_.clear();
  } else if (!form_.raw_end.starts_with(held_)) {
    const std::string rest = std::exchange(held_, {});
    again(std::string_view(rest).substr(1));
    value_text(std::string_view(rest).substr(0, 1));
  }
}

void Reader::value_step(char c) {
  if (in_raw_) return raw_step(c);
  if (held_.empty() && c != form_.end_value.front()) return value_text({&c, 1});
  held_ += c;
  const bool is_start = is_streamed_ ? at_value_start_ : value_.empty();
  if (is_start && form_.raw_begin.starts_with(held_)) {
    in_raw_ = held_.size() == form_.raw_begin.size();
    if (in_raw_) held_.clear();
    return;
  }
  if (held_.size() > form_.end_value.size() && follow_at_ == 0 && !is_blank(c)) follow_at_ = held_.size() - 1;
  const Found end = find_value_end();
  if (end == Found::kWhole) {
    const std::string rest = held_.substr(form_.end_value.size());
    held_.clear();
    again(rest);
    end_value();
    state_ = State::kArguments;
    return;
  }
  const Found missing = start_.is_strict ? Found::kNone : find_missing_end();
  if (missing == Found::kWhole) return end_value(false);
  if (end == Found::kPrefix || missing == Found::kPrefix) return;
  const std::string rest = std::exchange(held_, {});
  follow_at_ = 0;
  again(std::string_view(rest).substr(1));
  value_text(std::string_view(rest).substr(0, 1));
}

void Reader::value_text(std::string_view bytes) {
  if (!is_streamed_) {
    value_ += bytes;
    return;
  }
  std::string json;
  for (const char c : bytes) {
    const bool is_first = std::exchange(at_value_start_, false);
    if (c == '\n' && is_first && form_.on_lines) continue;
    if (std::exchange(line_held_, false)) append_escaped(json, '\n');
    line_held_ = c == '\n' && (form_.on_lines || !start_.is_strict);
    if (!line_held_) append_escaped(json, c);
  }
  if (value_.size() <= kMaxCheckedText) value_ += json;
  if (!json.empty()) add_arguments(json);
}

// Without an end, what is held is read again after the value, and the line end before it is no part of the value.
void Reader::end_value(bool has_end) {
  follow_at_ = 0;
  if (!has_end) {
    again(std::exchange(held_, {}));
    state_ = State::kArguments;
  } else if (std::exchange(line_held_, false) && !form_.on_lines) {
    add_arguments("\\n");
    value_ += "\\n";
  }
  if (is_streamed_) {
    rest_.take(key_, '"' + value_ + '"');
    return add_arguments("\"");
  }
  std::string_view text = value_;
  if (form_.on_lines && text.starts_with('\n')) text.remove_prefix(1);
  if ((form_.on_lines || !has_end) && text.ends_with('\n')) text.remove_suffix(1);
  if (may_unwrap_) {
    value_ = text;
    return;  // what follows decides
  }
  const std::string json = value_as_json(mended(text), allowed_);
  rest_.take(key_, json);
  add_arguments(json);
}

void Reader::python_step(char c) {
  std::string json;
  const PythonReader::Step step = python_.feed(c, json);
  if (step == PythonReader::Step::kBad) return fail(unit_.size() - 1, "the arguments are not of the form");
  if (!json.empty() && !is_announced_) announce();
  if (!json.empty()) add_arguments(json);
  if (step == PythonReader::Step::kDone) begin_end();
}

// Some models leave the end of a string in brackets out, or that of the brackets. Says whether `held_` shows that, or may
// come to show it: by brackets, the end of the call and the beginning of another one. At the end of the reply the end of
// the call suffices.
Reader::Found Reader::find_end_in_brackets() {
  std::string_view rest = held_;
  const char last = rest.back();
  if (follow_at_ + 1 == rest.size() && (is_close(last) || (is_blank(last) && follow_at_ > 0))) {
    ++follow_at_;  // the brackets
    return Found::kPrefix;
  }
  const bool is_in_blanks = rest.size() > 1 && is_blank(last) && is_blank(rest[rest.size() - 2]);
  if (may_have_ended_ && is_in_blanks) return Found::kPrefix;  // as before
  may_have_ended_ = false;
  rest.remove_prefix(follow_at_);
  const std::string_view end = form_.end.front();
  if (rest.size() < end.size()) return end.starts_with(rest) ? Found::kPrefix : Found::kNone;
  if (!rest.starts_with(end)) return Found::kNone;
  rest.remove_prefix(end.size());
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  const std::string_view ways[] = {form_.open.front(), form_.again};
  std::size_t index = 0;
  const Found found = rest.empty() ? Found::kPrefix : match(rest, ways, index);
  may_have_ended_ = found != Found::kNone;
  return found;
}

// Ends arguments in brackets with what is held: the end of the call, and perhaps brackets before it.
void Reader::end_brackets() {
  const std::string rest = std::exchange(held_, {});
  may_have_ended_ = false;
  again(std::string_view(rest).substr(std::exchange(follow_at_, 0)));
  std::string json;
  if (brackets_.end(json) == BracketReader::Step::kBad) return fail(unit_.size(), "the arguments are not of the form");
  add_arguments(json);
  begin_end();
}

void Reader::nested_step(char c) {
  if (form_.arguments == Form::Arguments::kPython) return python_step(c);
  if (form_.arguments == Form::Arguments::kBrackets) {
    if (!brackets_.has_begun() && !is_blank(c) && c != '{') {
      return fail(unit_.size() - 1, "the arguments do not begin with a bracket");
    }
    std::string json;
    if (c == '{' && !is_announced_) {
      again({&c, 1});
      return announce();
    }
    const bool has_end = !form_.end.empty();  // else the brackets are all of it
    const bool may_be_end =
        has_end && (!held_.empty() || c == form_.end.front().front() || (brackets_.is_in_string() && is_close(c)));
    if (may_be_end && !start_.is_strict) {
      if (held_.empty()) brackets_.expect(c, json);
      if (!json.empty()) add_arguments(std::exchange(json, {}));
      held_ += c;
      switch (find_end_in_brackets()) {
        case Found::kPrefix: return;
        case Found::kWhole: return end_brackets();
        case Found::kNone: break;
      }
      // What precedes the end of the call is text, whatever follows; else the first byte is.
      const std::string rest = std::exchange(held_, {});
      const std::size_t read = std::max<std::size_t>(1, std::exchange(follow_at_, 0));
      again(std::string_view(rest).substr(read));
      for (const char text : rest.substr(0, read - 1)) brackets_.feed(text, json);
      c = rest[read - 1];
    }
    const BracketReader::Step step = brackets_.feed(c, json);
    if (step == BracketReader::Step::kBad) return fail(unit_.size() - 1, "the arguments are not of the form");
    if (!json.empty()) add_arguments(json);
    if (step == BracketReader::Step::kDone) begin_end();
    return;
  }
  value_ += c;
  const std::string& end = form_.end.front();
  if (!value_.ends_with(end)) return;
  value_.resize(value_.size() - end.size());
  const std::string json = tags_as_json(form_.arguments, mended(value_), schemas_, schema_, rest_);
  if (json.empty()) return fail(unit_.size(), "the arguments are not of the form");
  add_arguments(json);
  part_ = 1;
  if (part_ == form_.end.size()) return end_call();
  held_.clear();
  word_.clear();
  state_ = State::kEnd;
}

}  // namespace weir::replies
