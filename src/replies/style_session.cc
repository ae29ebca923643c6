// The session of a style of tools.
#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/json/json_value.h"
#include "engine/matcher/cursor.h"
#include "frontend/structural_tag/response_format.h"
#include "frontend/tools/response_template.h"
#include "frontend/tools/tools.h"
#include "input/tool_tag.h"
#include "replies/call_or_answer.h"
#include "replies/form.h"
#include "replies/reader.h"
#include "replies/session.h"
#include "replies/tool_schemas.h"
#include "replies/value_reader.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace weir::replies {

namespace {

// Appends what a token of the tokenizer stands for in a reply: special tokens their names, stop tokens nothing.
void append_token(std::uint32_t token, bool is_first, const TokenizerInfo& tokenizer,
                  std::span<const std::uint32_t> stop_tokens, std::string& bytes) {
  if (std::ranges::find(stop_tokens, token) != stop_tokens.end()) return;
  const std::string_view text = is_first ? tokenizer.first_token_bytes(token) : tokenizer.token_bytes(token);
  bytes += tokenizer.token_kind(token) == TokenKind::kSpecial ? tokenizer.token_name(token) : text;
}

// The arguments of a custom tool, from which its input is read.
struct CustomInput {
  ValueReader reader = {};
  std::string arguments = {};
  bool has_begun = false;
};

// How replies are read, and what reads along.
struct Setup {
  ToolSchemas schemas;
  Form form = {};
  Reader::Start start = {};
  std::optional<GrammarMatcher> matcher = {};  // over the tag, with Mode::kStrict
  std::optional<CallOrAnswer> kinds = {};      // if an answer may look like calls
  bool with_values = false;
  bool is_answer_json = false;
};

class StyleSession : public Session {
 public:
  StyleSession(Setup setup, std::size_t most) : Session(most), setup_(std::move(setup)) { StyleSession::begin(); }

  [[nodiscard]] std::string snapshot() const override { return reader_->snapshot(); }

 protected:
  void begin() override {
    reader_.emplace(setup_.form, setup_.schemas, setup_.start);
    input_.reset();
    arguments_.emplace();
    answer_.emplace();
    if (setup_.matcher) setup_.matcher->reset();
    if (setup_.kinds) setup_.kinds->reset();
  }

  Result<Events> read(std::string_view bytes) override {
    if (setup_.matcher) {
      const Step step = setup_.matcher->accept_bytes(bytes);
      if (step != Step::kOk) return tl::unexpected(refusal(*setup_.matcher, step, bytes, "tag", why_not));
    }
    Result<Events> events = read_accepted(bytes);
    if (!events && setup_.matcher) static_cast<void>(setup_.matcher->rollback(1));  // the step of this piece
    if (events && setup_.matcher) setup_.matcher->cursor().keep_last();
    return events;
  }

  Result<Events> read_tokens(std::span<const std::uint32_t> tokens, const TokenizerInfo& tokenizer) override {
    std::string bytes;
    for (const std::uint32_t token : tokens) {
      append_token(token, size_ + bytes.size() == 0, tokenizer, tokenizer.stop_token_ids(), bytes);
    }
    return check_room(bytes.size()).and_then([&] { return read(bytes); }).map_error([&](Error error) {
      set_place(error, std::move(bytes), error.where.start - size_);
      return error;
    });
  }

  // What the matcher has accepted is not compared with the tag: its grammar is what the tag says.
  Result<Events> read_matcher(GrammarMatcher& matcher, std::size_t from, Follow how) override {
    if (setup_.start.is_strict && how == Follow::kEnds && !matcher.is_completed()) return tl::unexpected(incomplete());
    const engine::History& history = matcher.cursor().history();
    const TokenizerInfo& tokenizer = matcher.compiled_grammar().tokenizer_info();
    std::string bytes;
    for (std::size_t step = from; step < history.size(); ++step) {
      if (!history.is_bytes(step) && tokenizer.token_kind(history.token(step)) == TokenKind::kSpecial) {
        append_token(history.token(step), false, tokenizer, matcher.stop_token_ids(), bytes);
      } else {
        bytes += history.text_of(step);
      }
    }
    return check_room(bytes.size()).and_then([&] { return read_accepted(bytes); }).map([&](Events events) {
      if (how == Follow::kEnds) {
        has_ended_ = true;
        Events last = events_at_end();
        std::ranges::move(last, std::back_inserter(events));
      }
      return events;
    });
  }

  Result<Events> read_end() override {
    if (setup_.matcher && !setup_.matcher->is_completed()) return tl::unexpected(incomplete());
    has_ended_ = true;
    return events_at_end();
  }

  Events events_at_end() override {
    Events events;
    using Kind = CallOrAnswer::Kind;
    if (setup_.kinds && setup_.kinds->kind() == Kind::kEither)
      reader_->decide(setup_.kinds->kind_at_end() == Kind::kCalls, events);
    reader_->finish(events);
    add_values(events);
    return events;
  }

 private:
  Result<Events> read_accepted(std::string_view bytes) {
    using Kind = CallOrAnswer::Kind;
    const bool was_open = setup_.kinds && setup_.kinds->kind() == Kind::kEither;
    if (was_open && setup_.kinds->read(bytes) == Step::kLimitExceeded) {
      return tl::unexpected(limit_met("whether the reply has calls takes more than a limit allows", {}));
    }
    size_ += bytes.size();
    Events events;
    if (was_open && setup_.kinds->kind() != Kind::kEither) {
      reader_->feed(bytes.substr(0, setup_.kinds->decided_at()), events);
      reader_->decide(setup_.kinds->kind() == Kind::kCalls, events);
      bytes.remove_prefix(setup_.kinds->decided_at());
    }
    reader_->feed(bytes, events);
    add_values(events);
    return events;
  }

  // The tokens of the matcher of a tag are bytes.
  static std::string why_not(GrammarMatcher& matcher, unsigned char byte) {
    return ": " + matcher.explain(byte).reason;
  }

  // Replaces the arguments of custom tools by their input. Arguments without an input are the input.
  void read_input(Events& events) {
    if (!setup_.schemas.has_custom()) return;
    Events all;
    all.reserve(events.size());
    for (ReplyEvent& event : events) {
      if (event.kind == ReplyEventKind::kCallBegins) {
        input_.reset();
        if (setup_.schemas.is_custom(event.name)) input_.emplace();
      } else if (input_ && event.kind == ReplyEventKind::kArguments) {
        read_input_of(event);
      } else if (input_ && event.kind == ReplyEventKind::kCallEnds) {
        if (!input_->has_begun) {
          ReplyEvent input;
          input.kind = ReplyEventKind::kInput;
          input.start = input.end = event.start;
          input.call = event.call;
          input.text = std::move(input_->arguments);
          all.push_back(std::move(input));
        }
        input_.reset();
      }
      all.push_back(std::move(event));
    }
    events = std::move(all);
  }

  void read_input_of(ReplyEvent& event) {
    Events values;
    input_->reader.feed(event.text, {}, values);
    std::string text;
    for (const ReplyEvent& value : values) {
      const bool is_input =
          value.kind == ReplyEventKind::kString && value.depth == 1 && value.key == frontend::tools::kInput;
      input_->has_begun |= is_input;
      if (is_input) text += value.text;
    }
    if (!input_->has_begun) input_->arguments += event.text;
    event.text = std::move(text);  // it may be empty: what is around the input has no event of its own
    event.kind = ReplyEventKind::kInput;
  }

  // Inserts the events of values after those of the text that they are in.
  void add_values(Events& events) {
    read_input(events);
    if (!setup_.with_values) return;
    Events all;
    all.reserve(events.size());
    for (ReplyEvent& event : events) {
      if (event.kind == ReplyEventKind::kCallBegins) arguments_.emplace();
      if (event.kind == ReplyEventKind::kCallEnds) {
        ReplyEvent pattern;
        pattern.start = pattern.end = event.end;
        pattern.call = event.call;
        arguments_->finish(pattern, all);
      }
      if (event.kind == ReplyEventKind::kArguments) {
        arguments_->feed_event(std::move(event), all);
      } else if (event.kind == ReplyEventKind::kText && setup_.is_answer_json) {
        answer_->feed_event(std::move(event), all);
      } else {
        all.push_back(std::move(event));
      }
    }
    if (has_ended_ && setup_.is_answer_json) {
      ReplyEvent pattern;
      pattern.start = pattern.end = size_;
      answer_->finish(pattern, all);
    }
    events = std::move(all);
  }

  Setup setup_;  // the reader refers to it
  std::optional<Reader> reader_ = {};
  std::optional<CustomInput> input_ = {};      // of the call in progress
  std::optional<ValueReader> arguments_ = {};  // of the call in progress
  std::optional<ValueReader> answer_ = {};
};

using frontend::tools::CallMode;

// A matcher over the tag, whose tokens are bytes.
Result<GrammarMatcher> make_matcher(const std::string& tag, const Limits& limits) {
  VocabSpec spec;
  for (int byte = 0; byte < 256; ++byte) spec.tokens.emplace_back(1, static_cast<char>(byte));
  spec.tokens.emplace_back("\xFF\xFF");  // no text of a tag spells it
  spec.special_token_ids = spec.stop_token_ids = {256};
  Result<TokenizerInfo> tokenizer = TokenizerInfo::from_vocab(std::move(spec));
  if (!tokenizer) return tl::unexpected(std::move(tokenizer.error()));
  GrammarCompiler compiler(*std::move(tokenizer), limits);
  Result<CompiledGrammar> compiled = compiler.compile_structural_tag(tag);
  if (!compiled) return tl::unexpected(std::move(compiled.error()));
  return GrammarMatcher::create(*std::move(compiled));
}

// Makes what tells calls of these tools from answers.
Result<CallOrAnswer> make_kinds(std::string_view style, std::string_view tools, std::span<const std::string_view> names,
                                ToolOptions options, const Limits& limits) {
  const auto matcher_of = [&](std::string choice) {
    options.tool_choice = std::move(choice);
    return structural_tag_for_tools(style, tools, options, limits).and_then([&](const std::string& tag) {
      return make_matcher(tag, limits);
    });
  };
  return matcher_of(frontend::tools::choice_of(names)).and_then([&](GrammarMatcher calls) {
    return matcher_of("\"none\"").map([&](GrammarMatcher answer) {
      return CallOrAnswer(std::move(calls), std::move(answer));
    });
  });
}

}  // namespace

Result<std::unique_ptr<Session>> style_session(std::string_view style, std::string_view tools,
                                               const ReplyOptions& options, const Limits& limits) {
  // The tag finds what is wrong with the call. Reading does without reasoning that the style has no tags for.
  const Result<input::ToolTag> tag = input::tool_tag(style, tools, options.tools, limits);
  if (!tag) return tl::unexpected(tag.error());
  const Result<frontend::tools::FoundStyle> found = frontend::tools::find_style(style, limits);
  if (!found) return tl::unexpected(found.error());
  Result<base::JsonDocument> document = base::JsonDocument::parse(tools, limits);
  if (!document) return tl::unexpected(std::move(document.error()));
  Setup setup{ToolSchemas(*std::move(document))};
  setup.with_values = options.values;
  setup.is_answer_json = frontend::is_json_format(options.tools.response_format, limits);
  Reader::Start& start = setup.start;
  start.in_reasoning = options.tools.reasoning == ToolOptions::Reasoning::kBegun;
  start.is_strict = options.mode == ReplyOptions::Mode::kStrict;
  start.may_think = !start.is_strict || options.tools.reasoning == ToolOptions::Reasoning::kWhole ||
                    options.tools.reasoning == ToolOptions::Reasoning::kAuto;
  start.has_json_answer = start.is_strict && setup.is_answer_json;
  if (start.is_strict) {
    Result<GrammarMatcher> matcher = make_matcher(tag->text, limits);
    if (!matcher) return tl::unexpected(std::move(matcher.error()));
    setup.matcher.emplace(*std::move(matcher));
    setup.schemas.keep(tag->called);
    start.may_call = !tag->called.empty();
  }
  const std::vector<std::string_view> names = setup.schemas.names();
  setup.form = form_of(found->style, start.is_strict, names);
  start.waits = start.has_json_answer && start.may_call && !setup.form.triggers.empty() &&
                frontend::tools::call_mode(options.tools.tool_choice, limits) == CallMode::kAuto;
  if (start.waits) {
    Result<CallOrAnswer> kinds = make_kinds(style, tools, names, options.tools, limits);
    if (!kinds) return tl::unexpected(std::move(kinds.error()));
    setup.kinds.emplace(*std::move(kinds));
  }
  return std::make_unique<StyleSession>(std::move(setup), limits.text_bytes);
}

}  // namespace weir::replies
