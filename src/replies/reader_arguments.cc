// Arguments that stand between tags, and those in notations of their own.
#include <utility>

#include "base/json/json_text.h"
#include "replies/reader.h"
#include "replies/search_bounds.h"
#include "replies/tag_values.h"

namespace weir::replies {

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
      add_arguments("{" + base::json_string(key_) + ": " + value_as_json(mended(value_), types_));
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
  const std::string inside = value_as_json(mended(value_), type_bit(base::JsonType::kObject));
  if (inside.starts_with('{')) return add_arguments(inside);
  add_arguments("{" + base::json_string(key_) + ": " + value_as_json(mended(value_), types_) + "}");
}

void Reader::key_tag_step(char c) {
  word_ += c;
  if (c == '"') quote_ = quote_ == 0 ? '"' : 0;
  if (word_.size() > kMaxName || c == '\n') return fail(unit_.size(), "the tag of an argument has no end");
  const std::string& end = form_.key_tag.end;
  if (quote_ != 0 || !word_.ends_with(end)) return;
  word_.resize(word_.size() - end.size());
  const std::string_view key = attribute(form_.key_tag.name_key);
  key_ = form_.decodes_keys ? decoded_attribute(key) : std::string(key);
  begin_value();
}

void Reader::key_step(char c) {
  word_ += c;
  if (word_.size() > kMaxName || c == '\n') return fail(unit_.size(), "the key of an argument has no end");
  if (!word_.ends_with(form_.after_key)) return;
  key_ = word_.substr(0, word_.size() - form_.after_key.size());
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
  line_held_ = in_raw_ = false;
  at_value_start_ = true;
  state_ = State::kValue;
  types_ = schemas_.member_types(schema_, key_);
  if (!form_.key_tag.begin.empty()) {  // the tag may say what it is; the schema decides
    const std::string_view is_string = attribute("string");
    const std::string_view type = attribute("type");
    constexpr auto kOthers = static_cast<Types>(kAnyType & ~kStringType);
    if (is_string == "true" || type == "string") {
      if ((types_ & kStringType) != 0) types_ = kStringType;
    } else if (is_string == "false" || !type.empty()) {
      if (types_ == 0) types_ = kOthers;
      if ((types_ & kOthers) != 0) types_ &= kOthers;
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
  is_streamed_ = types_ == 0 || types_ == kStringType;
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
  switch (find_value_end()) {
    case Found::kPrefix: return;
    case Found::kWhole: {
      const std::string rest = held_.substr(form_.end_value.size());
      held_.clear();
      again(rest);
      end_value();
      state_ = State::kArguments;
      return;
    }
    case Found::kNone: break;
  }
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
    line_held_ = c == '\n' && form_.on_lines;
    if (!line_held_) append_escaped(json, c);
  }
  if (!json.empty()) add_arguments(json);
}

void Reader::end_value() {
  follow_at_ = 0;
  if (is_streamed_) return add_arguments("\"");
  std::string_view text = value_;
  if (form_.on_lines && text.starts_with('\n')) text.remove_prefix(1);
  if (form_.on_lines && text.ends_with('\n')) text.remove_suffix(1);
  if (may_unwrap_) {
    value_ = text;
    return;  // what follows decides
  }
  add_arguments(value_as_json(mended(text), types_));
}

void Reader::python_step(char c) {
  std::string json;
  const PythonReader::Step step = python_.feed(c, json);
  if (step == PythonReader::Step::kBad) return fail(unit_.size() - 1, "the arguments are not of the form");
  if (!json.empty() && !is_announced_) announce();
  if (!json.empty()) add_arguments(json);
  if (step == PythonReader::Step::kDone) begin_end();
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
  const std::string json = tags_as_json(form_.arguments, mended(value_), schemas_, schema_);
  if (json.empty()) return fail(unit_.size(), "the arguments are not of the form");
  add_arguments(json);
  part_ = 1;
  if (part_ == form_.end.size()) return end_call();
  held_.clear();
  word_.clear();
  state_ = State::kEnd;
}

}  // namespace weir::replies
