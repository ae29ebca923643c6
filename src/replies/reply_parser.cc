#include "weir/reply_parser.h"

#include <utility>

#include "base/json/json_text.h"
#include "replies/session.h"

namespace weir {

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
    case ReplyEventKind::kInput: return "input";
    case ReplyEventKind::kCaptureBegins: return "capture_begins";
    case ReplyEventKind::kCapture: return "capture";
    case ReplyEventKind::kCaptureEnds: return "capture_ends";
  }
  return {};
}

std::string to_json(const ReplyEvent& event) {
  std::string out = "{\"event\": " + base::json_string(to_string(event.kind)) +
                    ", \"start\": " + std::to_string(event.start) + ", \"end\": " + std::to_string(event.end);
  const bool is_of_call = event.kind == ReplyEventKind::kCallBegins || event.kind == ReplyEventKind::kArguments ||
                          event.kind == ReplyEventKind::kCallEnds || event.kind == ReplyEventKind::kCallInvalid ||
                          event.kind == ReplyEventKind::kInput;
  if (is_of_call) out += ", \"call\": " + std::to_string(event.call);
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out += ", " + base::json_string(key) + ": " + base::json_string(value);
  };
  if (event.kind >= ReplyEventKind::kObjectBegins && event.kind <= ReplyEventKind::kArrayEnds) {
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
  return replies::style_session(style, tools, options, limits).map([](auto session) {
    return ReplyParser(std::move(session));
  });
}

Result<ReplyParser> ReplyParser::for_grammar(const CompiledGrammar& compiled) {
  return replies::grammar_session(compiled).map([](auto session) { return ReplyParser(std::move(session)); });
}

Result<std::vector<ReplyEvent>> ReplyParser::feed(std::string_view bytes) { return session_->feed(bytes); }

Result<std::vector<ReplyEvent>> ReplyParser::feed_tokens(std::span<const std::uint32_t> tokens,
                                                         const TokenizerInfo& tokenizer) {
  return session_->feed_tokens(tokens, tokenizer);
}

Result<std::vector<ReplyEvent>> ReplyParser::follow(GrammarMatcher& matcher, Follow how) {
  return session_->follow(matcher, how);
}

Result<std::vector<ReplyEvent>> ReplyParser::finish() { return session_->finish(); }

Result<std::vector<ReplyEvent>> ReplyParser::cut() { return session_->cut(); }

void ReplyParser::reset() noexcept { session_->reset(); }

std::string ReplyParser::snapshot() const { return session_->snapshot(); }

std::size_t ReplyParser::size() const noexcept { return session_->size(); }

}  // namespace weir
