#include "weir/reply_parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json/json_text.h"
#include "base/json/json_value.h"
#include "base/utf8.h"
#include "replies/form.h"
#include "replies/reader.h"
#include "replies/tool_schemas.h"
#include "replies/value_reader.h"
#include "weir/compiler.h"
#include "weir/matcher.h"
#include "weir/tokenizer_info.h"

namespace weir {

namespace replies {

// What a parser owns.
class Session {
 public:
  Session(std::string_view style, base::JsonDocument tools, Reader::Start start, std::size_t most)
      : form_(form_of(style)), schemas_(std::move(tools)), start_(start), most_(most) {
    if (start.is_strict) set_triggers(style, schemas_.names(), form_);
    reset();
  }

  void reset() {
    reader_.emplace(form_, schemas_, start_);
    arguments_.emplace();
    answer_.emplace();
    size_ = 0;
    has_ended_ = false;
    if (matcher_) matcher_->reset();
  }

  // Inserts the events of values after those of the text that they are in.
  void add_values(std::vector<ReplyEvent>& events) {
    if (!with_values_) return;
    std::vector<ReplyEvent> all;
    for (ReplyEvent& event : events) {
      ReplyEvent pattern;
      pattern.start = pattern.end = event.end;
      pattern.call = event.call;
      const std::string text = event.text;
      const ReplyEventKind kind = event.kind;
      if (kind == ReplyEventKind::kCallBegins) arguments_.emplace();
      if (kind == ReplyEventKind::kCallEnds) arguments_->finish(pattern, all);
      all.push_back(std::move(event));
      if (kind == ReplyEventKind::kArguments) arguments_->feed(text, pattern, all);
      if (kind == ReplyEventKind::kText && is_answer_json_) answer_->feed(text, pattern, all);
    }
    if (has_ended_ && is_answer_json_) {
      ReplyEvent pattern;
      pattern.start = pattern.end = size_;
      answer_->finish(pattern, all);
    }
    events = std::move(all);
  }

  Form form_;
  ToolSchemas schemas_;
  Reader::Start start_;
  std::optional<Reader> reader_ = {};
  std::size_t most_;
  std::size_t size_ = 0;
  bool has_ended_ = false;
  std::optional<GrammarMatcher> matcher_ = {};  // with Mode::kStrict
  bool with_values_ = false;
  bool is_answer_json_ = false;
  std::optional<ValueReader> arguments_ = {};  // of the call in progress
  std::optional<ValueReader> answer_ = {};
};

namespace {

Error invalid(std::string message, std::size_t at, std::size_t end) {
  return {ErrorCode::kInvalidArgument, std::move(message), {at, end}};
}

Error limit_met(std::string message, std::string_view limit, std::size_t at) {
  return {ErrorCode::kLimitExceeded,
          std::move(message),
          {at, at},
          "raise Limits::" + std::string(limit),
          std::string(limit)};
}

// Says whether an answer under this response format is JSON.
bool is_json_format(std::string_view text, const Limits& limits) {
  const Result<base::JsonDocument> format = base::JsonDocument::parse(text, limits);
  if (!format || !format->root().is(base::JsonType::kObject)) return false;
  const base::JsonValue* const type = format->root().find("type");
  return type != nullptr && type->is(base::JsonType::kString) && type->string().starts_with("json");
}

// Says whether `tool_choice` allows calls. Precondition: structural_tag_for_tools has accepted it.
bool may_call(std::string_view choice, const Limits& limits) {
  const Result<base::JsonDocument> document = base::JsonDocument::parse(choice, limits);
  const base::JsonValue* mode = document ? &document->root() : nullptr;
  for (const char* member : {"allowed_tools", "mode"}) {
    const base::JsonValue* const inner =
        mode != nullptr && mode->is(base::JsonType::kObject) ? mode->find(member) : nullptr;
    if (inner != nullptr) mode = inner;
  }
  return mode == nullptr || !mode->is(base::JsonType::kString) || mode->string() != "none";
}

// A matcher over the tag, whose tokens are bytes.
Result<GrammarMatcher> make_matcher(const std::string& tag, const Limits& limits) {
  VocabSpec spec;
  for (int byte = 0; byte < 256; ++byte) spec.tokens.emplace_back(1, static_cast<char>(byte));
  spec.tokens.emplace_back("<end>");
  spec.special_token_ids = spec.stop_token_ids = {256};
  Result<TokenizerInfo> tokenizer = TokenizerInfo::from_vocab(std::move(spec));
  if (!tokenizer) return tl::unexpected(std::move(tokenizer.error()));
  GrammarCompiler compiler(*std::move(tokenizer), limits);
  Result<CompiledGrammar> compiled = compiler.compile_structural_tag(tag);
  if (!compiled) return tl::unexpected(std::move(compiled.error()));
  return GrammarMatcher::create(*std::move(compiled));
}

// Returns the error for bytes that the matcher does not accept.
Error refusal(const Session& session, GrammarMatcher matcher, std::string_view bytes) {
  std::size_t good = 0;
  while (good < bytes.size() && matcher.accept_bytes(bytes.substr(good, 1)) == Step::kOk) ++good;
  const std::size_t at = session.size_ + good;
  const auto byte = static_cast<unsigned char>(bytes[good]);
  return invalid("the reply does not follow its tag: " + matcher.explain(byte).reason, at,
                 session.size_ + bytes.size());
}

}  // namespace

}  // namespace replies

using replies::Session;

std::string_view to_string(ReplyEventKind kind) noexcept {
  switch (kind) {
    case ReplyEventKind::kReasoningBegins: return "reasoning_begins";
    case ReplyEventKind::kReasoning: return "reasoning";
    case ReplyEventKind::kReasoningEnds: return "reasoning_ends";
    case ReplyEventKind::kText: return "text";
    case ReplyEventKind::kCallBegins: return "call_begins";
    case ReplyEventKind::kArguments: return "arguments";
    case ReplyEventKind::kCallEnds: return "call_ends";
    case ReplyEventKind::kCallInvalid: return "call_invalid";
    case ReplyEventKind::kMarkup: return "markup";
    case ReplyEventKind::kObjectBegins: return "object_begins";
    case ReplyEventKind::kArrayBegins: return "array_begins";
    case ReplyEventKind::kString: return "string";
    case ReplyEventKind::kNumber: return "number";
    case ReplyEventKind::kBoolean: return "boolean";
    case ReplyEventKind::kNull: return "null";
    case ReplyEventKind::kStringEnds: return "string_ends";
    case ReplyEventKind::kObjectEnds: return "object_ends";
    case ReplyEventKind::kArrayEnds: return "array_ends";
  }
  return {};
}

std::string to_json(const ReplyEvent& event) {
  std::string out = "{\"event\": " + base::json_string(to_string(event.kind)) +
                    ", \"start\": " + std::to_string(event.start) + ", \"end\": " + std::to_string(event.end);
  const bool is_of_call = event.kind == ReplyEventKind::kCallBegins || event.kind == ReplyEventKind::kArguments ||
                          event.kind == ReplyEventKind::kCallEnds || event.kind == ReplyEventKind::kCallInvalid;
  if (is_of_call) out += ", \"call\": " + std::to_string(event.call);
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out += ", " + base::json_string(key) + ": " + base::json_string(value);
  };
  if (event.kind > ReplyEventKind::kMarkup) {
    out += ", \"depth\": " + std::to_string(event.depth) + ", \"key\": " + base::json_string(event.key);
  }
  add("id", event.id);
  add("name", event.name);
  add("text", event.text);
  add("reason", event.reason);
  return out + "}";
}

ReplyParser::ReplyParser(std::unique_ptr<Session> session) noexcept : session_(std::move(session)) {}
ReplyParser::ReplyParser(ReplyParser&&) noexcept = default;
ReplyParser& ReplyParser::operator=(ReplyParser&&) noexcept = default;
ReplyParser::~ReplyParser() = default;

Result<ReplyParser> ReplyParser::create(std::string_view style, std::string_view tools, const ReplyOptions& options,
                                        const Limits& limits) {
  // The tag finds what is wrong with the call. Reading does without reasoning that the style has no tags for.
  Result<std::string> tag = structural_tag_for_tools(style, tools, options.tools, limits);
  if (!tag) return tl::unexpected(std::move(tag.error()));
  Result<base::JsonDocument> document = base::JsonDocument::parse(tools, limits);
  if (!document) return tl::unexpected(std::move(document.error()));
  replies::Reader::Start start;
  start.in_reasoning = options.tools.reasoning == ToolOptions::Reasoning::kBegun;
  start.is_strict = options.mode == ReplyOptions::Mode::kStrict;
  start.may_think = !start.is_strict || options.tools.reasoning == ToolOptions::Reasoning::kWhole ||
                    options.tools.reasoning == ToolOptions::Reasoning::kAuto;
  const bool is_answer_json = replies::is_json_format(options.tools.response_format, limits);
  start.may_call = replies::may_call(options.tools.tool_choice, limits);
  start.has_json_answer = start.is_strict && is_answer_json;
  auto session = std::make_unique<Session>(style, *std::move(document), start, limits.text_bytes);
  session->with_values_ = options.values;
  session->is_answer_json_ = is_answer_json;
  if (options.mode == ReplyOptions::Mode::kStrict) {
    Result<GrammarMatcher> matcher = replies::make_matcher(*tag, limits);
    if (!matcher) return tl::unexpected(std::move(matcher.error()));
    session->matcher_.emplace(*std::move(matcher));
  }
  return ReplyParser(std::move(session));
}

Result<std::vector<ReplyEvent>> ReplyParser::feed(std::string_view bytes) {
  Session& session = *session_;
  if (session.has_ended_) return tl::unexpected(replies::invalid("the reply has ended", session.size_, session.size_));
  if (bytes.size() > session.most_ - session.size_) {
    return tl::unexpected(replies::limit_met("the reply is longer than the limit", "text_bytes", session.size_));
  }
  if (session.matcher_) {
    const Step step = session.matcher_->accept_bytes(bytes);
    if (step == Step::kLimitExceeded) {
      return tl::unexpected(replies::limit_met(session.matcher_->limit_message(), {}, session.size_));
    }
    if (step != Step::kOk) return tl::unexpected(replies::refusal(session, *session.matcher_, bytes));
  }
  session.size_ += bytes.size();
  std::vector<ReplyEvent> events;
  session.reader_->feed(bytes, events);
  session.add_values(events);
  return events;
}

Result<std::vector<ReplyEvent>> ReplyParser::feed_tokens(std::span<const std::uint32_t> tokens,
                                                         const TokenizerInfo& tokenizer) {
  std::string bytes;
  for (const std::uint32_t token : tokens) {
    if (token >= tokenizer.vocab_size()) {
      return tl::unexpected(
          replies::invalid("there is no token " + std::to_string(token), session_->size_, session_->size_));
    }
    if (std::ranges::find(tokenizer.stop_token_ids(), token) != tokenizer.stop_token_ids().end()) continue;
    const bool is_first = session_->size_ + bytes.size() == 0;
    const std::string_view text = is_first ? tokenizer.first_token_bytes(token) : tokenizer.token_bytes(token);
    bytes += tokenizer.token_kind(token) == TokenKind::kSpecial ? tokenizer.token_name(token) : text;
  }
  return feed(bytes);
}

Result<std::vector<ReplyEvent>> ReplyParser::finish() {
  Session& session = *session_;
  if (session.has_ended_) return tl::unexpected(replies::invalid("the reply has ended", session.size_, session.size_));
  if (session.matcher_ && !session.matcher_->is_completed()) {
    return tl::unexpected(replies::invalid("the reply is not complete", session.size_, session.size_));
  }
  session.has_ended_ = true;
  std::vector<ReplyEvent> events;
  session.reader_->finish(events);
  session.add_values(events);
  return events;
}

void ReplyParser::reset() noexcept { session_->reset(); }

std::string ReplyParser::snapshot() const { return session_->reader_->snapshot(); }

std::size_t ReplyParser::size() const noexcept { return session_->size_; }

}  // namespace weir
