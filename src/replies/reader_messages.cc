// Harmony's messages: a header, which names a channel and perhaps a function, then the message. And what precedes a call in
// other styles with messages.
#include <algorithm>
#include <utility>

#include "frontend/tools/harmony.h"
#include "replies/reader.h"
#include "replies/search_bounds.h"

namespace weir::replies {

namespace harmony = frontend::tools::harmony;

namespace {

std::string_view first_word(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text.substr(0, text.find_first_of(" \n<"));
}

}  // namespace

// A reply begins within a header. If it does not go on like one, it is text.
void Reader::header_step(char c) {
  header_ += c;
  if (header_.ends_with(harmony::kMessage)) {
    header_.resize(header_.size() - harmony::kMessage.size());
    return end_header(true);
  }
  const std::string_view header = header_;
  const auto may_be = [&](std::string_view first) { return header.starts_with(first) || first.starts_with(header); };
  const bool is_header = std::ranges::any_of(harmony::kHeaders, may_be) || may_be(harmony::kRecipient) ||
                         may_be(" " + std::string(harmony::kRecipient));
  const bool is_message =
      std::ranges::any_of(harmony::kEnds, [&](std::string_view end) { return header.ends_with(end); });
  if (!is_header || is_message || is_too_long(header_, kMaxHeader)) end_header(false);
}

// The reply ends within a header. One that has all its words but no message says nothing; what else there is may be text.
void Reader::reply_ends_in_header() {
  const std::size_t at_channel = header_.rfind(harmony::kChannel);
  if (at_channel == std::string::npos) return end_header(false);
  std::string_view rest = trimmed(std::string_view(header_).substr(at_channel + harmony::kChannel.size()));
  const auto skip_word = [&] { rest = trimmed(rest.substr(first_word(rest).size())); };
  skip_word();  // the channel
  if (rest.starts_with(harmony::kRecipient)) skip_word();
  if (rest.starts_with(harmony::kConstrain)) {
    rest.remove_prefix(harmony::kConstrain.size());
    rest = trimmed(rest);
    skip_word();
  }
  const auto may_begin = [&](std::string_view text) { return text.starts_with(rest); };
  if (!may_begin(harmony::kRecipient) && !may_begin(harmony::kConstrain) && !may_begin(harmony::kMessage))
    return end_header(false);
  header_.clear();
  leave_to_text();
}

// The header has ended. Without a message, what follows the channel's name is its text.
void Reader::end_header(bool has_message) {
  const std::string header = std::exchange(header_, {});
  const std::size_t at_channel = header.rfind(harmony::kChannel);
  const std::string_view after = at_channel == std::string::npos
                                     ? std::string_view()
                                     : std::string_view(header).substr(at_channel + harmony::kChannel.size());
  const std::string_view channel = first_word(after);
  const std::size_t at_recipient = header.find(harmony::kRecipient);
  const std::string_view recipient =
      at_recipient == std::string::npos
          ? std::string_view()
          : first_word(std::string_view(header).substr(at_recipient + harmony::kRecipient.size()));
  state_ = State::kText;
  after_text_ = false;
  if (has_message && !recipient.empty() && recipient != "assistant") {
    begin_unit(header + std::string(harmony::kMessage));
    is_foreign_ = !recipient.starts_with(form_.name_prefix) && !schemas_.has(recipient);
    state_ = set_name(recipient) ? State::kJson : State::kForeign;
    scanner_.reset();
    return;
  }
  std::string_view rest = has_message ? std::string_view() : std::string_view(header);
  if (!has_message && !channel.empty()) rest = after.substr(after.find(channel) + channel.size());
  const bool is_reasoning = channel == harmony::kReasoning;
  std::string_view text;
  if (channel.empty() && !has_message) {  // no header after all: text up to the tag at its end
    text = rest.substr(0, rest.ends_with(">") ? rest.rfind('<') : rest.size());
    rest.remove_prefix(text.size());
  }
  again(rest);
  if (is_reasoning != in_reasoning_ || had_markup_ || has_message) {
    had_markup_ = true;
    if (is_reasoning) {
      in_reasoning_ = true;
      is_empty_ = true;
      emit(ReplyEventKind::kReasoningBegins, at_);
    } else if (has_message && std::exchange(in_reasoning_, false)) {  // a message without a tag at its end
      emit(ReplyEventKind::kReasoningEnds, at_);
    } else {
      emit(ReplyEventKind::kMarkup, at_);
    }
  }
  const bool has_more = is_reasoning ? !reasoning_.empty() : has_content_;
  if (has_more) put(is_reasoning ? ReplyEventKind::kReasoning : ReplyEventKind::kText, "\n", at_);
  if (text.empty()) return;
  put(ReplyEventKind::kText, text, at_);
  after_text_ = true;
}

// In a message to a tool of the server, such as code for its interpreter: neither a call nor part of the answer.
void Reader::foreign_step(char c) {
  held_ += c;
  for (const std::string_view end : {harmony::kEnd, harmony::kCall, harmony::kReturn, harmony::kStart}) {
    if (!held_.ends_with(end)) continue;
    held_.clear();
    state_ = State::kText;
    emit(ReplyEventKind::kMarkup, at_ - end.size());
    return again(end);
  }
  if (c == '>') held_.clear();
}

// A word and then the beginning of a call's message are a part of the call. What else is there is read as text.
void Reader::sender_step(char c) {
  header_ += c;
  const std::size_t word_end = std::min(header_.find('<'), header_.size());
  const std::string_view word = std::string_view(header_).substr(0, word_end);
  const std::string_view after = std::string_view(header_).substr(word_end);
  const std::string_view call = form_.open.front();
  const bool is_word = trimmed(word).find_first_of(" \t\r\n") == std::string_view::npos;
  const bool may_be = is_word && !is_too_long(header_) && call.starts_with(after) && is_active(Mark::kOpen);
  if (may_be && after.size() < call.size()) return;
  const std::string text = std::exchange(header_, {});
  if (!may_be) {
    state_ = State::kText;
    return again(text);
  }
  begin_unit(text);
  sender_ = text.substr(0, word_end);
  begin_call(1);
}

}  // namespace weir::replies
