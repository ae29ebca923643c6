// The parts of a call: what precedes its name, the name, arguments as JSON, its end.
#include <algorithm>
#include <utility>

#include "base/json/json_text.h"
#include "frontend/tools/tools.h"
#include "replies/reader.h"
#include "replies/search_bounds.h"
#include "replies/value_reader.h"

namespace weir::replies {

namespace {

// Some models write names with blanks or quotes around them. Returns what is meant: `written` if it is known, or what is
// in the quotes if that is known, or else `written` without blanks.
template <typename IsKnown>
std::string_view meant(std::string_view written, const IsKnown& is_known) {
  if (is_known(written)) return written;
  written = trimmed(written);
  const bool is_quoted = written.size() > 2 && is_quote(written.front()) && written.front() == written.back();
  if (!is_quoted || is_known(written)) return written;
  const std::string_view inside = trimmed(written.substr(1, written.size() - 2));
  return is_known(inside) ? inside : written;
}

// Returns what a JSON string with its quotes denotes.
std::string decoded(std::string_view quoted) {
  std::string out;
  base::append_json_string(quoted.substr(1, quoted.size() - 2), out);
  return out;
}

}  // namespace

void Reader::begin_unit(std::string_view first) {
  in_unit_ = true;
  is_broken_ = false;
  unit_ = first;
  sender_.clear();
  held_.clear();
  word_.clear();
  early_.clear();
  name_.clear();
  id_.clear();
  is_announced_ = is_bare_ = has_name_ = has_arguments_ = false;
  named_at_ = 0;
}

// Begins a call after the first `opened` texts of Form::open.
void Reader::begin_call(std::size_t opened) {
  held_.clear();
  word_.clear();
  quote_ = 0;
  part_ = opened;
  if (part_ < form_.open.size()) {
    state_ = State::kOpen;
  } else if (form_.call == Form::Call::kObject) {
    begin_object();
  } else {
    state_ = form_.name_tag.begin.empty() ? State::kName : State::kNameTag;
  }
}

// Returns true if a JSON object with name and arguments may stand here, where the form has a name only. Some models write
// calls so.
bool Reader::takes_object() const {
  return !start_.is_strict && held_.empty() && word_.empty() && form_.call == Form::Call::kNamed &&
         form_.name_tag.begin.empty();
}

// Returns true if a list of such objects may stand here, because calls of the form have no end of their own.
bool Reader::takes_list() const { return takes_object() && form_.end.empty(); }

void Reader::begin_object() {
  is_bare_ = is_bare_ || form_.is_bare_list;
  held_.clear();
  word_.clear();
  quote_ = 0;
  state_ = State::kObject;
  member_ = Member::kFirstKey;
}

// Returns true if the held bytes are those of the tag that ends a call, which has no name yet. Where they are all of it, the
// pair of tags says nothing.
bool Reader::may_end_empty_call() {
  const std::string_view last = form_.end.empty() || start_.is_strict ? std::string_view() : form_.end.back();
  if (!last.starts_with(held_)) return false;
  if (held_.size() < last.size()) return true;
  in_unit_ = false;
  unit_.clear();
  emit(ReplyEventKind::kMarkup, at_);
  leave_to_text();
  return true;
}

void Reader::open_step(char c) {
  if (held_.empty() && is_blank(c)) return;
  if (c == '{' && takes_object()) return begin_object();
  held_ += c;
  const std::string_view wanted = form_.open[part_];
  if (!wanted.starts_with(held_)) {
    if (!may_end_empty_call()) fail(unit_.size() - held_.size());
    return;
  }
  if (held_.size() == wanted.size()) begin_call(part_ + 1);
}

// Returns the value of an attribute in the text of a tag.
std::string_view Reader::attribute_of(std::string_view text, std::string_view key) const {
  // Skips a tokenizer's mark for a blank that was not decoded.
  while (!form_.glued.empty() && !text.empty() && static_cast<unsigned char>(text.front()) >= 0x80)
    text.remove_prefix(1);
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    if (at > 0 && !is_blank(text[at - 1])) continue;
    std::string_view value = text.substr(at + key.size());
    if (!start_.is_strict) value = trimmed(value);
    if (!value.starts_with('=')) continue;
    value.remove_prefix(1);
    if (!start_.is_strict) value = trimmed(value);
    if (value.starts_with('"') || (!start_.is_strict && !value.empty() && is_quote(value.front()))) {
      return value.substr(1, value.find(value.front(), 1) - 1);
    }
    if (start_.is_strict) continue;
    if (value.ends_with('/')) value.remove_suffix(1);  // of the tag
    return value.substr(0, value.find_first_of(" \t"));
  }
  return {};
}

void Reader::name_tag_step(char c) {
  word_ += c;
  if (c == '"') quote_ = quote_ == 0 ? '"' : 0;
  if (is_too_long(word_) || c == '\n') return fail(unit_.size());
  const std::string& end = form_.name_tag.end;
  if (quote_ != 0 || !word_.ends_with(end)) return;
  word_.resize(word_.size() - end.size());
  id_ = attribute("id");
  const bool has_no_arguments = end == ">" && word_.ends_with('/');
  if (!set_name(attribute(form_.name_tag.name_key))) return fail(unit_.size());
  if (has_no_arguments || !may_be_prose()) announce();
  named_at_ = at_;
  if (!has_no_arguments) return begin_arguments();
  add_arguments("{}");
  part_ = form_.end.size();
  end_call();
}

// Sets name_ and, if the form writes it with the name, id_. Returns false if there is no name, if the form cannot write it,
// or if the form has triggers and no tool has this name.
bool Reader::set_name(std::string_view written) {
  // As the tag writes it, first.
  const bool has_prefix = written.starts_with(form_.name_prefix);
  const std::string_view exact = has_prefix ? written.substr(form_.name_prefix.size()) : written;
  name_ = form_.decodes_keys ? decoded_attribute(exact) : std::string(exact);
  if (schemas_.has(name_)) return has_name_ = true;
  written = trimmed(written);
  // Some models write the two characters `\n` instead of a line end.
  if (!start_.is_strict && written.ends_with("\\n")) written.remove_suffix(2);
  if (const std::size_t mark = written.find(form_.id_mark); !form_.id_mark.empty() && mark != std::string_view::npos) {
    id_ = written.substr(mark + form_.id_mark.size());
    written = written.substr(0, mark);
  }
  const std::size_t colon = written.rfind(':');
  if (form_.name_ends.find(':') != std::string::npos && colon != std::string_view::npos) {
    const std::string_view number = written.substr(colon + 1);
    if (!number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos) {
      id_ = written;
      written = written.substr(0, colon);
    }
  }
  if (!form_.name_prefix.empty() && written.starts_with(form_.name_prefix)) {
    written.remove_prefix(form_.name_prefix.size());
  } else if (form_.name_prefix.ends_with(':') && written.starts_with(':')) {
    written.remove_prefix(1);
  }
  name_ = form_.decodes_keys ? decoded_attribute(written) : std::string(written);
  if (!start_.is_strict) name_ = std::string(meant(name_, [&](std::string_view name) { return schemas_.has(name); }));
  const bool is_writable =
      start_.is_strict || form_.name_ends.empty() || std::ranges::none_of(name_, [&](char c) {
        return static_cast<unsigned char>(c) < 0x20 || form_.name_ends.find(c) != std::string::npos;
      });
  has_name_ = !name_.empty() && is_writable && (!start_.is_strict || form_.triggers.empty() || schemas_.has(name_));
  return has_name_;
}

// Returns the key of an argument that is between tags.
std::string Reader::key_of(std::string_view written) {
  std::string key = form_.decodes_keys ? decoded_attribute(written) : std::string(written);
  if (start_.is_strict) return key;
  return std::string(meant(key, [&](std::string_view one) { return schemas_.lists(schema_, one); }));
}

// Returns what has been read of a name, without what may precede it.
std::string_view Reader::name_so_far() const {
  const std::string_view word = word_;
  return word.starts_with(form_.name_prefix) ? word.substr(form_.name_prefix.size()) : word;
}

// Adds the byte to the name if a tool has a name that begins so. Such a name may have what otherwise ends one.
bool Reader::add_to_known_name(char c) {
  word_ += c;
  if (const std::string_view name = name_so_far(); !name.empty() && schemas_.has_beginning(name)) return true;
  word_.pop_back();
  return false;
}

void Reader::name_step(char c) {
  if (held_.empty() && add_to_known_name(c)) return;
  const bool is_prefix =
      !form_.name_prefix.empty() && (word_ == form_.name_prefix || (word_ == ":" && form_.name_prefix.ends_with(':')));
  if ((word_.empty() || is_prefix) && held_.empty() && is_blank(c)) return;
  if (c == '{' && takes_object()) return begin_object();
  if (c == '[' && takes_list()) {
    in_section_ = in_list_ = true;
    state_ = State::kSection;
    return;
  }
  const bool is_last = form_.after_name.empty();
  const bool is_python = form_.arguments == Form::Arguments::kPython;
  if (word_.empty() && !is_python) {
    held_ += c;
    if (may_end_empty_call()) return;
    if (held_.size() > 1) return fail(unit_.size() - held_.size());
    held_.clear();
  }
  if (is_python && c != '(' && c != '.' && c != '-' && !is_python_name(c)) return fail(unit_.size() - 1);
  if (!form_.id_mark.empty()) {  // the id is between the name and what follows it
    word_ += c;
    const std::string& after = form_.after_name.front();
    if (c == '{' && word_.size() > 1) {  // nothing follows the name
      word_.pop_back();
      if (!set_name(word_)) return fail(unit_.size() - 1);
      again({&c, 1});
      announce();
      return begin_arguments();
    }
    const std::size_t line_end = word_.find('\n');  // only blanks and the arguments may follow
    const bool is_text = line_end != std::string::npos && !is_blank(c);
    if (is_too_long(word_) || is_text || c == '{') return fail(unit_.size() - 1);
    if (!word_.ends_with(after)) return;
    word_.resize(word_.size() - after.size());
    if (!set_name(word_)) return fail(unit_.size());
    announce();
    return begin_arguments();
  }
  // "The tag `<tool_call>` begins a call."
  constexpr std::string_view kEndsWordsOfProse = "`).,;:!?";
  const bool is_of_prefix = c == ':' && form_.name_prefix.ends_with(c);
  if (word_.empty() && may_be_prose() && !is_of_prefix && kEndsWordsOfProse.find(c) != std::string_view::npos) {
    return fail(unit_.size() - 1);
  }
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t blank = is_last ? word_.find_first_of(kBlanks) : std::string::npos;
  const bool ends = is_last ? blank != std::string::npos || is_blank(c) || form_.name_ends.find(c) != std::string::npos
                            : c == '\n' || c == form_.after_name.front().front() || (c == '<' && may_end_after_name());
  if (!ends) {
    word_ += c;
    if (is_too_long(word_) || std::string_view("<{").find(c) != std::string_view::npos) {
      fail(unit_.size() - 1);
    }
    return;
  }
  // What only began like a name with blanks is a name up to the first one.
  std::string rest;
  if (blank != std::string::npos && !schemas_.has(trimmed(name_so_far()))) {
    rest = word_.substr(blank);
    word_.resize(blank);
  }
  if (!set_name(word_)) return fail(unit_.size() - 1);
  // A quote ends that of the tag.
  if (may_be_prose() && is_quote(name_.front()) && !schemas_.has(name_)) return fail(unit_.size() - 1);
  again(rest + c);
  part_ = 0;
  if (!is_last) {
    state_ = State::kAfterName;
    return;
  }
  if (!may_be_prose()) announce();
  named_at_ = at_;
  begin_arguments();
}

// Returns true if a tag and a name do not prove a call: they may be prose about the tag. The call is then announced when
// its first argument or its end begins.
bool Reader::may_be_prose() const {
  const bool is_one_tag = !form_.name_tag.begin.empty() && form_.sections.empty() && form_.bare.empty();
  const bool is_seen = form_.arguments == Form::Arguments::kTags || form_.arguments == Form::Arguments::kBrackets;
  return !start_.is_strict && is_seen && (form_.after_name.empty() || is_one_tag);
}

// Returns true if the end of a call may follow its name, as some models write calls without arguments.
bool Reader::may_end_after_name() const {
  return !start_.is_strict && form_.arguments == Form::Arguments::kTags && !form_.end.empty();
}

void Reader::after_name_step(char c) {
  if (held_.empty() && is_blank(c)) return;
  held_ += c;
  const std::string_view wanted = form_.after_name[part_];
  if (part_ == 0 && may_end_after_name() && !wanted.starts_with(held_) && form_.end.front().starts_with(held_)) {
    if (held_.size() < form_.end.front().size()) return;  // a name alone
    const std::string end = std::exchange(held_, {});
    again(end);
  } else if (!wanted.starts_with(held_)) {
    if (part_ == 0) return fail(unit_.size() - held_.size());
    const std::string rest = std::exchange(held_, {});
    again(rest);
  } else if (held_.size() < wanted.size()) {
    return;
  } else {
    held_.clear();
    if (++part_ < form_.after_name.size()) return;
  }
  if (form_.arguments != Form::Arguments::kPython)
    announce();  // in Python's form this may still turn out not to be a call
  begin_arguments();
}

void Reader::announce() {
  if (in_reasoning_) {
    emit(ReplyEventKind::kReasoningEnds, at_ - unit_.size());
    blanks_.clear();
    in_reasoning_ = false;
  }
  if (trimmed(sender_) != name_ && !trimmed(sender_).empty()) {  // it is not the name that the call has, so it is text
    put(ReplyEventKind::kText, sender_, at_ - unit_.size() + sender_.size());
    unit_.erase(0, sender_.size());
    sender_.clear();
  }
  drop_blanks();
  had_markup_ = true;
  after_text_ = false;
  is_announced_ = true;
  flush(true);
  calls_.push_back({mended(name_), mended(id_), {}});
  ReplyEvent event;
  event.call = static_cast<std::uint32_t>(calls_.size() - 1);
  event.name = calls_.back().name;
  event.id = calls_.back().id;
  emit(ReplyEventKind::kCallBegins, named_at_ == 0 ? at_ : named_at_, std::move(event));
  if (!early_.empty()) add_arguments(early_);
}

void Reader::begin_arguments() {
  schema_ = schemas_.arguments(name_);
  rest_ = schemas_.values(name_);
  keys_ = 0;
  given_.clear();
  may_unwrap_ = false;
  held_.clear();
  value_.clear();
  follow_at_ = 0;
  may_have_ended_ = false;
  scanner_.reset();
  brackets_.reset();
  python_.reset(start_.is_strict ? std::string::npos : kMaxName);
  switch (form_.arguments) {
    case Form::Arguments::kJson: state_ = State::kJson; break;
    case Form::Arguments::kTags: state_ = State::kArguments; break;
    default: state_ = State::kNested; break;
  }
}

void Reader::add_arguments(std::string_view json) {
  if (is_announced_) {
    put(ReplyEventKind::kArguments, json, at_ - held_.size());
  } else {
    early_ += json;
  }
}

// --- an object with a name and arguments ---

void Reader::object_step(char c) {
  switch (member_) {
    case Member::kFirstKey:
      if (c == '}') return end_object();
      [[fallthrough]];
    case Member::kKey:
      if (is_blank(c)) return;
      if (c != '"') return fail(unit_.size() - 1, "a key is missing");
      word_ = c;
      quote_ = 0;
      member_ = Member::kInKey;
      return;
    case Member::kInKey: return object_key(c);
    case Member::kColon:
      if (is_blank(c)) return;
      if (c != ':') return fail(unit_.size() - 1, "a colon is missing");
      member_ = Member::kValue;
      scanner_.reset();
      value_.clear();
      return;
    case Member::kValue: return object_value(c);
    case Member::kAfter:
      if (is_blank(c)) return;
      if (c == '}') return end_object();
      if (c != ',') return fail(unit_.size() - 1, "a comma or the end of the object is missing");
      member_ = Member::kKey;
      return;
  }
}

void Reader::object_key(char c) {
  word_ += c;
  if (std::exchange(quote_, 0) != 0) return;
  if (c == '\\') quote_ = c;
  if (is_too_long(word_)) return fail(unit_.size(), "the key of a member has no end");
  if (c != '"') return;
  const std::string key = decoded(word_);
  role_ = Role::kOther;
  if (key == "id" || key == "tool_call_id") role_ = Role::kId;
  if (key == "name" || key == "tool_name" || (key == form_.name_key && !key.empty())) {
    role_ = Role::kName;
  }
  if (key == "arguments" || key == "parameters" || (key == "args" && !is_bare_) ||
      (key == form_.arguments_key && !key.empty())) {
    role_ = Role::kArguments;
  }
  if (role_ == Role::kOther && is_bare_ && key != "type") {
    return fail(unit_.size(), "the object has a member that a call does not have");
  }
  if (role_ == Role::kArguments && has_arguments_) role_ = Role::kOther;
  if (role_ == Role::kName && has_name_) role_ = Role::kOther;
  member_ = Member::kColon;
}

void Reader::object_value(char c) {
  const bool is_first = !scanner_.has_begun() && !is_blank(c);
  const JsonScanner::Step step = scanner_.feed(c);
  if (step == JsonScanner::Step::kBad) return fail(unit_.size() - 1, "a value is not JSON");
  if (role_ == Role::kArguments) {
    if (is_first) {
      is_streamed_ = c == '{';
      if (!is_streamed_ && c != '"' && c != 'n') return fail(unit_.size() - 1, "the arguments are no object");
      if (has_name_ && !is_announced_) announce();
    }
    if (is_streamed_) {
      if (scanner_.has_begun()) add_arguments({&c, 1});
    } else {
      value_ += c;
    }
  } else if (role_ != Role::kOther && step != JsonScanner::Step::kAfter) {
    value_ += c;
  }
  if (step == JsonScanner::Step::kMore) return;
  member_ = Member::kAfter;
  end_member();
  if (step == JsonScanner::Step::kAfter && state_ == State::kObject) object_step(c);
}

// Ends the value of a member.
void Reader::end_member() {
  const std::string_view value = trimmed(value_);
  switch (role_) {
    case Role::kOther: return;
    case Role::kId: id_ = value.starts_with('"') ? decoded(value) : std::string(value); return;
    case Role::kName:
      if (!value.starts_with('"')) return;
      has_name_ = set_name(decoded(value));
      if (has_name_ && !is_announced_ && (!is_bare_ || has_arguments_)) announce();
      return;
    case Role::kArguments: break;
  }
  has_arguments_ = true;
  if (is_streamed_) return;
  if (value == "null") return add_arguments("{}");
  const std::string inside = decoded(value);
  const std::string_view object = trimmed(inside);
  if (!object.starts_with('{') || !is_json(object)) return fail(unit_.size(), "the arguments are no object");
  add_arguments(object);
}

void Reader::end_object() {
  if (!has_name_) return fail(unit_.size(), "the call has no name");
  if (!has_arguments_ && is_bare_) return fail(unit_.size(), "the call has no arguments");
  if (!is_announced_) announce();
  if (!has_arguments_) add_arguments("{}");
  begin_end();
}

// --- arguments as JSON, and the end ---

void Reader::json_step(char c) {
  if (!scanner_.has_begun()) {
    if (is_blank(c)) return;
    if (!form_.end.empty() && c == form_.end.front().front()) {
      add_arguments("{}");
      again({&c, 1});
      return begin_end();
    }
    if (c != '{' && !is_announced_) {  // no call: text, or a message that is none of the request's business
      in_unit_ = false;
      unit_.clear();
      state_ = is_foreign_ ? State::kForeign : State::kText;
      emit(ReplyEventKind::kMarkup, at_ - 1);
      return again({&c, 1});
    }
    if (c != '{') return fail(unit_.size() - 1, "the arguments are no object");
    if (!is_announced_) announce();
  }
  const JsonScanner::Step step = scanner_.feed(c);
  if (step == JsonScanner::Step::kBad) return fail(unit_.size() - 1, "the arguments are not JSON");
  add_arguments({&c, 1});
  if (step == JsonScanner::Step::kDone) begin_end();
}

void Reader::begin_end() {
  held_.clear();
  word_.clear();
  part_ = 0;
  state_ = State::kEnd;
  if (form_.end.empty() && form_.again.empty()) end_call();
}

void Reader::end_step(char c) {
  if (held_.empty() && is_blank(c)) {
    word_ += c;
    return;
  }
  held_ += c;
  std::vector<std::string_view> ways(form_.end.begin() + static_cast<std::ptrdiff_t>(part_), form_.end.end());
  if (!form_.again.empty()) ways.emplace_back(form_.again);
  std::size_t index = 0;
  switch (match(held_, ways, index)) {
    case Found::kPrefix: return;
    case Found::kNone: {
      const std::string rest = std::exchange(word_, {}) + std::exchange(held_, {});
      again(rest);
      return end_call();
    }
    case Found::kWhole: break;
  }
  const std::string found = std::exchange(held_, {});
  word_.clear();
  if (part_ + index < form_.end.size()) {
    part_ += index + 1;
    if (part_ == form_.end.size()) end_call();
    return;
  }
  end_call();
  begin_unit(found);
  begin_call(form_.open.size());
}

void Reader::end_call() {
  flush(true);
  // Which of the two is meant cannot be said, and the first has been given.
  if (schemas_.is_custom(calls_.back().name) && has_twice(calls_.back().arguments, frontend::tools::kInput)) {
    return fail(unit_.size(), "the input is given twice");
  }
  calls_.back().is_complete = true;
  ReplyEvent event;
  event.call = static_cast<std::uint32_t>(calls_.size() - 1);
  emit(ReplyEventKind::kCallEnds, at_, std::move(event));
  in_unit_ = false;
  unit_.clear();
  if (!in_section_ && !form_.needs_arguments) return leave_to_text();
  state_ = State::kSection;
  held_.clear();
}

// Gives the call up. Its first `keep` bytes become text; the others are read again in State::kText. `reason` is given
// if the call may have been announced, or is an object: then it may be an event.
void Reader::fail(std::size_t keep, std::string_view reason) {
  const bool was_announced = std::exchange(is_announced_, false);
  const std::string before = was_announced ? std::exchange(between_, {}) : std::string();  // no longer between tags
  const std::string text = before + unit_.substr(0, keep);
  const std::string rest = unit_.substr(keep);
  // An object after a tag was to be a call, even if its name has not been read. In reasoning it may be prose.
  const bool is_nameless =
      !was_announced && state_ == State::kObject && !is_bare_ && !in_reasoning_ && !start_.is_strict;
  in_unit_ = false;
  is_broken_ = true;
  unit_.clear();
  held_.clear();
  in_section_ = in_list_ = false;
  state_ = State::kText;
  again(rest);
  if (was_announced || is_nameless) {
    if (is_nameless) flush_blanks();
    flush(true);
    if (was_announced) calls_.back().is_valid = false;
    content_ += mended(text);
    has_content_ = true;
    ReplyEvent event;
    event.call = static_cast<std::uint32_t>(calls_.size() - (was_announced ? 1 : 0));
    event.text = mended(text);
    event.reason = reason;
    emit(ReplyEventKind::kCallInvalid, at_, std::move(event));
  } else {
    // A special token ends reasoning, whatever follows.
    if (in_reasoning_ && !start_.is_strict && text.starts_with("<|")) {
      blanks_.clear();
      in_reasoning_ = false;
      emit(ReplyEventKind::kReasoningEnds, at_ - text.size());
    }
    flush_blanks();
    put(in_reasoning_ ? ReplyEventKind::kReasoning : ReplyEventKind::kText, text, at_);
    is_empty_ = false;
  }
  after_text_ = true;
}

}  // namespace weir::replies
