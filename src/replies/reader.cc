#include "replies/reader.h"

#include <algorithm>
#include <utility>

#include "base/json/json_text.h"
#include "base/utf8.h"
#include "frontend/tools/harmony.h"
#include "frontend/tools/tools.h"
#include "replies/search_bounds.h"
#include "replies/value_reader.h"

namespace weir::replies {

namespace harmony = frontend::tools::harmony;

std::size_t open_tail(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) return 0;
    if (byte < 0xC0) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    if (length <= back) return 0;
    // The beginning of an overlong form or of a surrogate is none of a character.
    std::string whole(text.substr(text.size() - back));
    const auto second = back > 1 ? static_cast<unsigned char>(whole[1]) : 0;
    const bool may_be = byte <= 0xF4 && byte >= 0xC2 &&
                        (back == 1 || ((byte != 0xE0 || second >= 0xA0) && (byte != 0xED || second < 0xA0) &&
                                       (byte != 0xF0 || second >= 0x90) && (byte != 0xF4 || second < 0x90)));
    return may_be ? back : 0;
  }
  return 0;
}

std::string mended(std::string_view text) {
  std::size_t bad = base::find_invalid_utf8(text);
  if (bad == std::string_view::npos) return std::string(text);
  std::string out;
  while (bad != std::string_view::npos) {
    out += text.substr(0, bad);
    out += "\xEF\xBF\xBD";
    std::size_t length = 3;  // of the beginning of a character
    while (length > 1 && open_tail(text.substr(bad, length)) != length) --length;
    text.remove_prefix(bad + length);
    bad = base::find_invalid_utf8(text);
  }
  return out += text;
}

Reader::Reader(const Form& form, ToolSchemas& schemas, Start start)
    : form_(form), schemas_(schemas), start_(start), in_reasoning_(start.in_reasoning), brackets_(form.quote) {
  add_markers();
  if (start.in_reasoning) return;
  if (form.call == Form::Call::kMessage) state_ = State::kHeader;
  if (!form.message_begin.empty()) state_ = State::kSender;
}

void Reader::add_markers() {
  const auto add = [&](std::string_view text, Mark mark, std::size_t taken = std::string_view::npos) {
    const bool is_tolerated = mark == Mark::kStop || mark == Mark::kIgnored || mark == Mark::kBare ||
                              mark == Mark::kNoteBegin || mark == Mark::kNoteEnd;
    if (text.empty() || (is_tolerated && start_.is_strict)) return;
    markers_.push_back({std::string(text), mark, std::min(taken, text.size())});
    begins_marker_[static_cast<unsigned char>(text.front())] = true;
  };
  if (form_.call == Form::Call::kMessage) {
    for (const std::string_view text : harmony::kEnds) add(text, Mark::kMessageEnd);
    for (const std::string_view text : harmony::kHeaders) add(text, Mark::kHeader);
    return;
  }
  add(form_.think_begin, Mark::kThinkBegin);
  add(form_.think_label, Mark::kThinkLabel);
  if (!form_.think_label.empty()) {
    add(std::string(trimmed(form_.think_label)) + form_.think_end, Mark::kThinkLabelEnd);
  }
  add(form_.think_end, Mark::kThinkEnd);
  for (const std::string& text : form_.ignored) add(text, Mark::kIgnored);
  add(form_.note_begin, Mark::kNoteBegin);
  add(form_.note_end, Mark::kNoteEnd);
  for (const std::string& text : form_.answer_tags) add(text, Mark::kAnswerTag);
  for (const std::string& text : form_.stops) add(text, Mark::kStop);
  const bool is_exact = !form_.triggers.empty();  // in the strict mode only
  for (const std::string& text : form_.sections) {
    const bool is_bracket = form_.is_bare_list && text == "[";
    if (!is_bracket || !is_exact) add(text, is_bracket ? Mark::kList : Mark::kSection);
  }
  for (const std::string& text : form_.other_sections) {
    if (!start_.is_strict) add(text, Mark::kSection);
  }
  for (const std::string& text : form_.triggers) {
    add(text, form_.is_bare_list ? Mark::kList : Mark::kOpen, 1);  // the bracket
  }
  add(form_.message_begin, Mark::kMessageBegin);
  add(form_.other_open, Mark::kOpen);
  const bool needs_section = !form_.sections.empty() && !form_.needs_arguments;
  if (!needs_section && !is_exact && !form_.open.empty()) add(form_.open.front(), Mark::kOpen);
  if (!form_.bare.empty()) add(form_.bare, Mark::kBare);
  add(form_.glued, Mark::kBare);
}

// A marker counts only where it may mean something; elsewhere it is text.
bool Reader::is_active(Mark mark) const {
  if (start_.is_strict && mark == Mark::kThinkBegin) return start_.may_think && at_ <= form_.think_begin.size();
  const bool begins_call = mark == Mark::kOpen || mark == Mark::kBare || mark == Mark::kSection || mark == Mark::kList;
  if (begins_call && start_.is_strict && !start_.may_call) return false;
  if (begins_call && in_reasoning_ && (start_.is_strict || form_.has_calls_in_reasoning)) return false;
  const bool is_around = mark == Mark::kAnswerTag || mark == Mark::kMessageBegin;
  if (is_around && in_reasoning_ && start_.is_strict) return false;
  switch (mark) {
    case Mark::kThinkBegin:
      if (in_reasoning_) return is_empty_;
      return !has_content_ || !form_.think_label.empty() || !form_.message_begin.empty();
    case Mark::kThinkLabel: return in_reasoning_ && is_empty_ && blanks_.empty();
    case Mark::kThinkLabelEnd: return in_reasoning_ && is_empty_ && blanks_.empty();
    case Mark::kThinkEnd: return in_reasoning_;
    case Mark::kList: return start_.is_strict || (!in_reasoning_ && !after_text_ && !has_content_);
    case Mark::kOpen:
      return !form_.needs_arguments || start_.is_strict || (!in_reasoning_ && !after_text_ && !has_content_);
    default: return true;
  }
}

Reader::Found Reader::find_marker(std::size_t& index) const {
  Found found = Found::kNone;
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    if (!markers_[i].text.starts_with(held_) || !is_active(markers_[i].mark)) continue;
    if (markers_[i].text.size() == held_.size()) {
      index = i;
      return Found::kWhole;
    }
    found = Found::kPrefix;
  }
  return found;
}

void Reader::feed(std::string_view bytes, std::vector<ReplyEvent>& out) {
  out_ = &out;
  for (std::size_t i = 0; i < bytes.size();) {
    if (state_ == State::kText && held_.empty()) {
      std::size_t end = i;
      while (end < bytes.size() && !begins_marker_[static_cast<unsigned char>(bytes[end])] && !is_blank(bytes[end]))
        ++end;
      if (end > i) {
        at_ += end - i;
        plain(bytes.substr(i, end - i));
        i = end;
        continue;
      }
    }
    step(bytes[i++]);
    read_again();
  }
  flush(false);
}

void Reader::decide(bool has_calls, std::vector<ReplyEvent>& out) {
  out_ = &out;
  start_.waits = false;
  start_.may_call = has_calls;
  if (state_ != State::kWaiting) return;
  state_ = State::kText;
  again(std::exchange(held_, {}));
  read_again();
  flush(false);
}

void Reader::read_again() {
  while (again_at_ < again_.size()) step(again_[again_at_++]);
  again_.clear();
  again_at_ = 0;
}

void Reader::again(std::string_view bytes) {
  at_ -= bytes.size();
  if (in_unit_) unit_.resize(unit_.size() - bytes.size());
  again_ = std::string(bytes) + again_.substr(again_at_);
  again_at_ = 0;
}

void Reader::step(char c) {
  ++at_;
  if (in_unit_) unit_ += c;
  switch (state_) {
    case State::kText: return text_step(c);
    case State::kSection: return section_step(c);
    case State::kOpen: return open_step(c);
    case State::kNameTag: return name_tag_step(c);
    case State::kName: return name_step(c);
    case State::kAfterName: return after_name_step(c);
    case State::kObject: return object_step(c);
    case State::kJson: return json_step(c);
    case State::kArguments: return arguments_step(c);
    case State::kKeyTag: return key_tag_step(c);
    case State::kKey: return key_step(c);
    case State::kToValue: return to_value_step(c);
    case State::kValue: return value_step(c);
    case State::kNested: return nested_step(c);
    case State::kEnd: return end_step(c);
    case State::kHeader: return header_step(c);
    case State::kForeign: return foreign_step(c);
    case State::kSender: return sender_step(c);
    case State::kNote: return note_step(c);
    case State::kWaiting: held_ += c; return;
  }
}

void Reader::text_step(char c) {
  if (in_json_ || (held_.empty() && !begins_marker_[static_cast<unsigned char>(c)])) return plain({&c, 1});
  held_ += c;
  std::size_t index = 0;
  switch (find_marker(index)) {
    case Found::kPrefix: return;
    case Found::kWhole: return on_marker(markers_[index]);
    case Found::kNone: break;
  }
  const std::string rest = std::exchange(held_, {});
  again(std::string_view(rest).substr(1));
  plain(std::string_view(rest).substr(0, 1));
}

// Adds bytes of text; either all of them are blanks or none is.
void Reader::plain(std::string_view bytes) {
  // White space after text is text, but what follows a token that may end the reply waits with it.
  const bool is_kept = after_text_ && !in_reasoning_ && blanks_.empty();
  if (is_blank(bytes.front()) && !is_kept) {
    blanks_ += bytes;
    return;
  }
  flush_blanks();
  after_text_ = true;
  is_empty_ = false;
  put(in_reasoning_ ? ReplyEventKind::kReasoning : ReplyEventKind::kText, bytes, at_);
}

// White space before text is text, except between a tag and the first text.
void Reader::flush_blanks() {
  const std::string before = in_reasoning_ ? std::string() : std::exchange(between_, {});
  const std::string blanks = before + std::exchange(blanks_, {});
  if (blanks.empty()) return;
  const bool is_first = in_reasoning_ ? is_empty_ : !has_content_ && had_markup_;
  if (!is_first) put(in_reasoning_ ? ReplyEventKind::kReasoning : ReplyEventKind::kText, blanks, at_);
}

// White space between two tags is text only if it separates two texts.
void Reader::drop_blanks() {
  if (!in_reasoning_ && has_content_) between_ += blanks_;
  blanks_.clear();
}

void Reader::on_marker(const Marker& marker) {
  const bool was_in_reasoning = in_reasoning_;
  if (start_.waits && (marker.mark == Mark::kList || marker.mark == Mark::kOpen)) {
    state_ = State::kWaiting;
    return;
  }
  const std::string text = std::exchange(held_, {});
  switch (marker.mark) {
    case Mark::kStop: blanks_ += text; return;  // text only if text follows
    case Mark::kIgnored:
      if (text == form_.think_end || !std::exchange(is_broken_, false)) break;
      return plain(text);  // the end of the call
    case Mark::kNoteBegin: return emit(ReplyEventKind::kMarkup, at_);
    case Mark::kNoteEnd:
      begin_unit(text);
      state_ = State::kNote;
      return;
    case Mark::kSection:
    case Mark::kList:
      begin_unit(text);
      in_section_ = true;
      state_ = State::kSection;
      return again(std::string_view(text).substr(marker.taken));
    case Mark::kOpen:
    case Mark::kBare:
      begin_unit(text);
      is_bare_ = form_.needs_arguments;
      begin_call(marker.mark == Mark::kBare ? form_.open.size() : 1);
      return again(std::string_view(text).substr(marker.taken));
    case Mark::kHeader:
      leave_to_text();
      header_ = text;
      state_ = State::kHeader;
      return;
    default: break;
  }
  drop_blanks();
  had_markup_ = true;
  after_text_ = false;
  if (marker.mark == Mark::kThinkBegin && !was_in_reasoning) {
    in_reasoning_ = is_empty_ = true;
    return emit(ReplyEventKind::kReasoningBegins, at_);
  }
  const bool ends = marker.mark == Mark::kThinkEnd || marker.mark == Mark::kThinkLabelEnd ||
                    marker.mark == Mark::kAnswerTag || marker.mark == Mark::kMessageBegin ||
                    marker.mark == Mark::kMessageEnd;
  in_reasoning_ = was_in_reasoning && !ends;
  if (std::ranges::find(form_.message_borders, text) != form_.message_borders.end()) state_ = State::kSender;
  emit(was_in_reasoning && ends ? ReplyEventKind::kReasoningEnds : ReplyEventKind::kMarkup, at_);
}

// Goes on with text after a tag.
void Reader::leave_to_text() {
  state_ = form_.message_begin.empty() ? State::kText : State::kSender;
  in_section_ = in_list_ = false;
  held_.clear();
  had_markup_ = true;
  after_text_ = false;
}

// The end of a note in text has numbers. It says nothing, as does its beginning; white space around it is text.
void Reader::note_step(char c) {
  if (c == '\n' || c == '<' || unit_.size() > kMaxHeader) return fail(unit_.size() - 1);
  if (c != '>') return;
  in_unit_ = false;
  unit_.clear();
  state_ = State::kText;
  emit(ReplyEventKind::kMarkup, at_);
}

// Where a call may begin, or the section end.
void Reader::section_step(char c) {
  const bool is_list = form_.is_list || in_list_;
  const bool is_separator = is_list || form_.needs_arguments;
  if (held_.empty() && is_blank(c)) {
    if (form_.needs_arguments && !in_unit_) blanks_ += c;
    return;
  }
  if (held_.empty() && is_separator && (c == ',' || c == ';' || (c == '[' && form_.is_list && in_unit_))) return;
  if (held_.empty() && is_list && c == ']' && (!in_unit_ || !form_.section_end.empty())) {
    if (!form_.section_end.empty()) return;
    emit(ReplyEventKind::kMarkup, at_);
    drop_blanks();
    return leave_to_text();
  }
  const bool is_python = form_.arguments == Form::Arguments::kPython;
  const bool is_object = c == '{' && (in_list_ || (is_python && form_.is_list));
  const bool is_name = is_python && (is_python_name(c) || schemas_.has_beginning({&c, 1}));
  if (held_.empty() && (is_object || is_name)) {
    if (!in_unit_) begin_unit({&c, 1});
    if (is_object) return begin_object();  // some models write JSON there
    begin_call(0);
    return again({&c, 1});
  }
  held_ += c;
  const std::string_view open = form_.open.empty() ? std::string_view() : form_.open.front();
  const std::string_view ways[] = {open, form_.again, form_.section_end};
  std::size_t index = 0;
  switch (match(held_, ways, index)) {
    case Found::kPrefix: return;
    case Found::kWhole:
      if (index == 2) {
        unit_.clear();
        in_unit_ = false;
        drop_blanks();
        emit(ReplyEventKind::kMarkup, at_);
        return leave_to_text();
      }
      if (!in_unit_) begin_unit(held_);
      held_.clear();
      return begin_call(index == 0 ? 1 : form_.open.size());
    case Found::kNone: break;
  }
  if (in_unit_) return fail(unit_.size() - held_.size());  // no call has begun: the section's begin is text
  const std::string rest = std::exchange(held_, {});
  leave_to_text();
  again(rest);
}

// --- events ---

void Reader::put(ReplyEventKind kind, std::string_view bytes, std::size_t end) {
  if (delta_kind_ != kind) flush(true);
  delta_kind_ = kind;
  delta_ += bytes;
  delta_end_ = end;
  if (kind == ReplyEventKind::kText && start_.has_json_answer) {
    for (const char c : bytes) in_json_ = answer_.feed(c) == JsonScanner::Step::kMore && answer_.has_begun();
  }
  has_content_ = has_content_ || kind == ReplyEventKind::kText;
}

// Reports the delta, but for the beginning of a character with which it ends. If nothing follows, that becomes U+FFFD.
void Reader::flush(bool is_end) {
  if (delta_.empty()) return;
  const std::size_t open = is_end ? 0 : open_tail(delta_);
  std::string text = mended(std::string_view(delta_).substr(0, delta_.size() - open));
  delta_.erase(0, delta_.size() - open);
  if (text.empty()) return;
  const bool is_arguments = delta_kind_ == ReplyEventKind::kArguments;
  std::string& whole = is_arguments                                ? calls_.back().arguments
                       : delta_kind_ == ReplyEventKind::kReasoning ? reasoning_
                                                                   : content_;
  whole += text;
  ReplyEvent event;
  event.kind = delta_kind_;
  event.start = reported_;
  event.end = reported_ = std::max(reported_, delta_end_ - open);
  event.call = is_arguments ? static_cast<std::uint32_t>(calls_.size() - 1) : 0;
  event.text = std::move(text);
  out_->push_back(std::move(event));
}

void Reader::emit(ReplyEventKind kind, std::size_t end, ReplyEvent event) {
  flush(true);
  event.kind = kind;
  event.start = reported_;
  event.end = reported_ = std::max(reported_, end);
  out_->push_back(std::move(event));
}

void Reader::finish(std::vector<ReplyEvent>& out) {
  out_ = &out;
  flush(true);
  if (state_ == State::kSender) {
    state_ = State::kText;
    again(std::exchange(header_, {}));
  }
  if (state_ == State::kHeader) reply_ends_in_header();
  read_again();
  std::string begun = held_;  // between arguments, a tag
  if (in_unit_ && state_ == State::kValue && find_value_end() == Found::kPrefix &&
      held_.size() >= form_.end_value.size()) {
    begun.erase(0, follow_at_ == 0 ? held_.size() : follow_at_);
    end_value();
    state_ = State::kArguments;
  }
  if (in_unit_ && state_ == State::kValue && may_have_ended_) {
    end_value(false);
    read_again();
  }
  if (in_unit_ && state_ == State::kNested && may_have_ended_) {
    end_brackets();
    read_again();
  }
  const auto may_be = [&](std::string_view text) { return text.starts_with(begun); };
  const bool is_within_argument = !begun.empty() && may_be(form_.before_key) &&
                                  !std::ranges::any_of(form_.end, may_be) && !may_be(form_.section_end) &&
                                  !may_be(form_.again);
  if (in_unit_ && state_ == State::kArguments && !is_within_argument &&
      (may_unwrap_ ||
       (is_announced_ ? ToolSchemas::has_required(schema_, calls_.back().arguments + delta_ + (keys_ > 0 ? "}" : "{}"))
                      : schemas_.has(name_) && ToolSchemas::has_required(schema_, "{}")))) {
    if (!is_announced_) announce();
    held_.clear();
    end_arguments();
    state_ = State::kEnd;
  }
  if (in_unit_ && state_ == State::kObject && has_name_ && has_arguments_) {
    if (!is_announced_) announce();
    state_ = State::kEnd;
  }
  if (in_unit_ && state_ == State::kEnd) {
    held_.clear();
    end_call();
  }
  // Special tokens that begin a call are no text where the reply ends with them.
  const bool has_only_begun = in_unit_ && held_.empty() && unit_.compare(sender_.size(), 2, "<|") == 0 &&
                              std::string_view(form_.name_prefix).starts_with(word_) &&
                              (state_ == State::kSection || state_ == State::kOpen || state_ == State::kName);
  if (has_only_begun && !start_.is_strict) end_only_begun();
  if (in_unit_) fail(unit_.size(), "the reply ends within the call");
  // Several special tokens that are cut are still no text.
  const bool has_token = held_.size() > 4 && held_.starts_with("<|") && held_.find("|>") != std::string::npos;
  if (state_ == State::kText && has_token && !start_.is_strict) {
    held_.clear();
  }
  if (state_ == State::kText && !held_.empty()) {
    const std::string rest = std::exchange(held_, {});
    plain(rest);
  }
  if (state_ == State::kText && !had_markup_ && !in_reasoning_ && !has_content_ && !blanks_.empty()) {
    put(ReplyEventKind::kText, blanks_, at_);  // a reply of white space
  }
  flush(true);
  if (reported_ < at_) emit(ReplyEventKind::kMarkup, at_);
}

// What precedes the tokens and what follows them is text.
void Reader::end_only_begun() {
  const std::string unit = std::exchange(unit_, {});
  const std::size_t tokens_end = unit.rfind('>') + 1;
  const std::string_view after = std::string_view(unit).substr(tokens_end);
  in_unit_ = false;
  state_ = State::kText;
  if (!trimmed(sender_).empty()) put(ReplyEventKind::kText, sender_, at_ - unit.size() + sender_.size());
  emit(in_reasoning_ ? ReplyEventKind::kReasoningEnds : ReplyEventKind::kMarkup, at_ - after.size());
  in_reasoning_ = false;
  had_markup_ = true;
  after_text_ = false;
  drop_blanks();
  again(after);
  read_again();
}

std::string Reader::snapshot() const {
  const auto text = [](const std::string& one, bool is_given) {
    return is_given || !one.empty() ? base::json_string(one) : std::string("null");
  };
  std::string out =
      "{\"reasoning\": " + text(reasoning_, false) + ", \"content\": " + text(content_, false) + ", \"tool_calls\": [";
  bool is_first = true;
  for (const Call& call : calls_) {
    if (!call.is_valid) continue;
    if (!std::exchange(is_first, false)) out += ", ";
    out += "{";
    if (!call.id.empty()) out += "\"id\": " + base::json_string(call.id) + ", ";
    if (schemas_.is_custom(call.name)) {
      out += R"("type": "custom", "custom": {"name": )" + base::json_string(call.name);
      out += call.is_complete ? ", \"input\": " : ", \"partial_input\": ";
      const std::optional<std::string> input = string_member(call.arguments, frontend::tools::kInput);
      out += base::json_string(input || !call.is_complete ? input.value_or("") : call.arguments) + "}}";
      continue;
    }
    out += "\"name\": " + base::json_string(call.name) + ", ";
    out += call.is_complete ? "\"arguments\": " + call.arguments
                            : "\"partial_arguments\": " + base::json_string(call.arguments);
    out += "}";
  }
  return out + "]}";
}

}  // namespace weir::replies
