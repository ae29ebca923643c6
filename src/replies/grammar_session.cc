// The session of a grammar: a schema, or a structural tag or another grammar with captures.
//
// HOW    A matcher reads the output, and the engine says which marks of captures are certain (engine/captures). The text
//        between two marks belongs to the innermost capture that is open, or to none. All texts of a schema are JSON, so
//        a ValueReader says what one consists of, and the grammar need not name its parts.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/json/json_text.h"
#include "engine/automaton/compiled.h"
#include "engine/matcher/cursor.h"
#include "input/source.h"
#include "replies/reader.h"
#include "replies/search_bounds.h"
#include "replies/session.h"
#include "replies/value_reader.h"
#include "weir/compiler.h"
#include "weir/matcher.h"

namespace weir::replies {

namespace {

class GrammarSession : public Session {
 public:
  GrammarSession(CompiledGrammar compiled, bool is_json)
      : Session(compiled.impl()->program().limits.text_bytes), matcher_(std::move(compiled)), is_json_(is_json) {
    GrammarSession::begin();
  }

  [[nodiscard]] std::string snapshot() const override {
    std::string out = "{\"content\": " + (has_content_ ? base::json_string(content_) : "null") + ", \"captures\": [";
    std::size_t room = kMaxCaptureTexts + kCaptureCopies * text_.size();
    for (const Part& part : parts_) {
      if (&part != &parts_.front()) out += ", ";
      const std::size_t length = (part.is_open() ? reported_ : part.end) - part.start;
      const bool fits = length <= room;
      if (fits) room -= length;
      out += "{\"name\": " + base::json_string(part.name) + ", \"start\": " + std::to_string(part.start) +
             ", \"end\": " + std::to_string(part.is_open() ? reported_ : part.end) +
             ", \"text\": " + (fits ? base::json_string(text_of(part)) : "null") +
             (part.is_open() ? ", \"complete\": false}" : "}");
    }
    return out + "]}";
  }

 protected:
  void begin() override {
    matcher_.reset();
    values_.emplace();
    text_.clear();
    reported_ = 0;
    marks_ = 0;
    parts_.clear();
    open_.clear();
    content_.clear();
    has_content_ = false;
  }

  Result<Events> read(std::string_view bytes) override {
    if (bytes.empty()) return Events();
    const std::size_t before = matcher_.step_count();
    const Step step = matcher_.accept_bytes(bytes);
    if (step != Step::kOk) return tl::unexpected(refusal(matcher_, step, bytes, "grammar", expected_at));
    return read_own(before, Follow::kGoesOn);
  }

  Result<Events> read_tokens(std::span<const std::uint32_t> tokens, const TokenizerInfo& tokenizer) override {
    if (tokenizer.vocab_size() != matcher_.compiled_grammar().tokenizer_info().vocab_size()) {
      return tl::unexpected(invalid("the tokenizer has another number of tokens than the grammar's"));
    }
    const std::size_t before = matcher_.step_count();
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Step step = matcher_.accept_token(tokens[i]);
      if (step == Step::kOk) continue;
      const std::string reason = step == Step::kLimitExceeded ? "" : matcher_.explain(tokens[i]).reason;
      Error error =
          step == Step::kLimitExceeded
              ? limit_met(matcher_.limit_message(), {})
              : invalid("the reply does not follow its grammar: token " + std::to_string(tokens[i]) + ": " + reason);
      std::string text = matcher_.cursor().history().text_from(before);
      const std::size_t start = text.size();
      text += tokenizer.token_kind(tokens[i]) == TokenKind::kSpecial ? tokenizer.token_name(tokens[i])
                                                                     : tokenizer.token_bytes(tokens[i]);
      set_place(error, std::move(text), start);
      take_back(before);
      return tl::unexpected(std::move(error));
    }
    return read_own(before, Follow::kGoesOn);
  }

  Result<Events> read_matcher(GrammarMatcher& matcher, std::size_t from, Follow how) override {
    if (matcher.compiled_grammar().impl() != matcher_.compiled_grammar().impl()) {
      return tl::unexpected(invalid("the matcher is of another compiled grammar than the parser"));
    }
    return read_steps(matcher, from, how);
  }

  Result<Events> read_end() override { return read_own(matcher_.step_count(), Follow::kEnds); }

  Events events_at_end() override {
    Events events;
    add_last(events);
    return events;
  }

 private:
  // A capture that has begun.
  struct Part {
    std::string_view name;  // in the compiled grammar
    std::size_t start = 0;
    std::size_t end = kOpen;
    [[nodiscard]] bool is_open() const { return end == kOpen; }
  };
  static constexpr std::size_t kOpen = SIZE_MAX;

  void take_back(std::size_t steps) {
    static_cast<void>(matcher_.rollback(matcher_.step_count() - steps));  // there are as many
  }

  Result<Events> read_own(std::size_t before, Follow how) {
    Result<Events> events = read_steps(matcher_, before, how);
    if (!events) take_back(before);
    if (events) matcher_.cursor().keep_last();
    return events;
  }

  // Reads the steps of a matcher from `from` on.
  Result<Events> read_steps(GrammarMatcher& matcher, std::size_t from, Follow how) {
    if (how == Follow::kEnds && !matcher.is_completed()) return tl::unexpected(incomplete());
    engine::Cursor& cursor = matcher.cursor();
    const std::string more = cursor.history().text_from(from);
    if (const Result<void> room = check_room(more.size()); !room) return tl::unexpected(room.error());
    std::vector<engine::Cursor::NamedMark> marks;
    std::size_t up_to = size_ + more.size();
    if (!is_json_) {
      const auto output =
          how == Follow::kEnds ? engine::CertainCaptures::Output::kEnds : engine::CertainCaptures::Output::kGoesOn;
      const auto certain = cursor.certain_captures(output, marks_, marks);
      if (!certain) return tl::unexpected(limit_met(cursor.limit_message(), {}));
      up_to = certain->up_to;
    }
    text_ += more;
    size_ += more.size();
    has_ended_ = how == Follow::kEnds;
    Events events;
    for (const engine::Cursor::NamedMark& mark : marks) {
      add_text(mark.at, true, events);
      mark.is_begin ? begin_part(mark, events) : end_part(events);
    }
    marks_ += static_cast<std::uint32_t>(marks.size());
    if (has_ended_) {
      add_last(events);
    } else {
      add_text(up_to, false, events);
    }
    return events;
  }

  void add_last(Events& events) {
    add_text(size_, true, events);
    if (!is_json_) return;
    ReplyEvent pattern;
    pattern.start = pattern.end = size_;
    values_->finish(pattern, events);
  }

  void begin_part(const engine::Cursor::NamedMark& mark, Events& events) {
    ReplyEvent event;
    event.kind = ReplyEventKind::kCaptureBegins;
    event.start = event.end = mark.at;
    event.name = mark.name;
    events.push_back(std::move(event));
    open_.push_back(parts_.size());
    parts_.push_back({mark.name, mark.at});
  }

  void end_part(Events& events) {
    Part& part = parts_[open_.back()];
    open_.pop_back();
    part.end = reported_;
    ReplyEvent event;
    event.kind = ReplyEventKind::kCaptureEnds;
    event.start = event.end = reported_;
    event.name = std::string(part.name);
    events.push_back(std::move(event));
  }

  // Reports the text up to `end`, without the beginning of a character that it may end with, unless a mark follows.
  void add_text(std::size_t end, bool is_cut, Events& events) {
    std::string_view bytes = std::string_view(text_).substr(reported_, end - std::min(end, reported_));
    if (!is_cut) bytes.remove_suffix(open_tail(bytes));
    if (bytes.empty()) return;
    ReplyEvent event;
    event.kind = open_.empty() ? ReplyEventKind::kText : ReplyEventKind::kCapture;
    event.start = reported_;
    event.end = reported_ + bytes.size();
    event.text = mended(bytes);
    reported_ = event.end;
    if (open_.empty()) {
      content_ += event.text;
      has_content_ = true;
    } else {
      event.name = std::string(parts_[open_.back()].name);
    }
    if (is_json_) {
      values_->feed_event(std::move(event), events);
    } else {
      events.push_back(std::move(event));
    }
  }

  [[nodiscard]] std::string text_of(const Part& part) const {
    const std::size_t end = part.is_open() ? reported_ : part.end;
    return mended(std::string_view(text_).substr(part.start, end - part.start));
  }

  static std::string expected_at(GrammarMatcher& matcher, unsigned char /*byte*/) {
    const std::vector<std::string> terminals = matcher.expected().terminals;
    std::string reason;
    for (std::size_t i = 0; i < std::min(terminals.size(), kShownTerminals); ++i) {
      reason += (i == 0 ? ", expected " : ", ") + terminals[i];
    }
    return terminals.size() > kShownTerminals ? reason + ", ..." : reason;
  }

  static constexpr std::size_t kShownTerminals = 5;

  GrammarMatcher matcher_;  // reads what is fed
  bool is_json_;
  std::optional<ValueReader> values_;
  std::string text_;
  std::size_t reported_ = 0;  // of its bytes
  std::uint32_t marks_ = 0;   // of captures, that were reported
  std::vector<Part> parts_;
  std::vector<std::size_t> open_;  // of these
  std::string content_;            // what is in no capture
  bool has_content_ = false;
};

}  // namespace

Result<std::unique_ptr<Session>> grammar_session(const CompiledGrammar& compiled) {
  const engine::Program& program = compiled.impl()->program();
  const bool is_json = input::is_json(*program.source, program.limits);
  if (!is_json && program.cfg.captures.empty()) {
    Error error{ErrorCode::kInvalidArgument, "the grammar does not say which parts of a reply to report"};
    error.hint =
        "give a rule or a format a name: `@capture(name: ...)` in EBNF, `name[capture]: ...` in Lark, "
        "`\"capture\": \"name\"` in a tag or a format of a structural tag";
    return tl::unexpected(std::move(error));
  }
  return std::unique_ptr<Session>(std::make_unique<GrammarSession>(compiled, is_json));
}

}  // namespace weir::replies
