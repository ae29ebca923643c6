// Functions of the C interface that read replies.
#include "weir/reply_parser.h"

#include <algorithm>
#include <cstring>

#include "c_api/options.h"

namespace weir::c_api {

namespace {

// The body of the functions that read: `read(parser)` returns a Result of the events.
template <typename Read>
weir_status read_reply(weir_reply_parser* parser, weir_error** error, const Read& read) noexcept {
  if (error != nullptr) *error = nullptr;
  if (parser != nullptr) parser->events.clear();
  return guarded([&] {
    if (parser == nullptr) return fail_argument("`parser` is NULL", error);
    Result<std::vector<ReplyEvent>> events = read(parser->value);
    if (!events) return fail(std::move(events.error()), error);
    parser->events = *std::move(events);
    return WEIR_OK;
  });
}

weir_reply_event described(const ReplyEvent& from) noexcept {
  weir_reply_event out{};
  out.text = to_c(from.text);
  out.name = to_c(from.name);
  out.id = to_c(from.id);
  out.reason = to_c(from.reason);
  out.key = to_c(from.key);
  out.depth = from.depth;
  out.start = from.start;
  out.end = from.end;
  out.call = from.call;
  out.kind = static_cast<std::int32_t>(from.kind);
  return out;
}

}  // namespace

}  // namespace weir::c_api

using namespace weir::c_api;  // NOLINT(google-build-using-namespace): it implements that namespace's C functions

const char* weir_reply_event_kind_name(weir_reply_event_kind kind) {
  if (kind < WEIR_REPLY_REASONING_BEGINS || kind > WEIR_REPLY_CAPTURE_ENDS) return "unknown";
  return weir::to_string(static_cast<weir::ReplyEventKind>(kind)).data();
}

weir_status weir_reply_parser_create(weir_text style, weir_text tools, const weir_reply_options* options,
                                     const weir_limits* limits, weir_reply_parser** out, weir_error** error) {
  return build(out, error, [&]() -> weir::Result<weir::ReplyParser> {
    if (!is_valid(style) || !is_valid(tools)) return is_no_array("a text");
    return to_cpp(limits).and_then([&](const weir::Limits& under) {
      return to_cpp(options).and_then([&](const weir::ReplyOptions& given) {
        return weir::ReplyParser::create(to_view(style), to_view(tools), given, under);
      });
    });
  });
}

weir_status weir_reply_parser_for_grammar(const weir_compiled_grammar* grammar, weir_reply_parser** out,
                                          weir_error** error) {
  return build(out, error, [&]() -> weir::Result<weir::ReplyParser> {
    if (grammar == nullptr) return is_null("`grammar`");
    return weir::ReplyParser::for_grammar(grammar->value);
  });
}

void weir_reply_parser_free(weir_reply_parser* parser) { delete parser; }

weir_status weir_reply_parser_feed(weir_reply_parser* parser, weir_text bytes, weir_error** error) {
  return read_reply(parser, error, [&](weir::ReplyParser& value) -> weir::Result<std::vector<weir::ReplyEvent>> {
    if (!is_valid(bytes)) return is_no_array("`bytes`");
    return value.feed(to_view(bytes));
  });
}

weir_status weir_reply_parser_feed_tokens(weir_reply_parser* parser, const uint32_t* tokens, size_t count,
                                          const weir_tokenizer_info* tokenizer, weir_error** error) {
  return read_reply(parser, error, [&](weir::ReplyParser& value) -> weir::Result<std::vector<weir::ReplyEvent>> {
    if (tokenizer == nullptr) return is_null("`tokenizer`");
    if (!is_valid(tokens, count)) return is_no_array("`tokens`");
    return value.feed_tokens({tokens, count}, tokenizer->value);
  });
}

weir_status weir_reply_parser_follow(weir_reply_parser* parser, weir_matcher* matcher, bool ends, weir_error** error) {
  return read_reply(parser, error, [&](weir::ReplyParser& value) -> weir::Result<std::vector<weir::ReplyEvent>> {
    if (matcher == nullptr) return is_null("`matcher`");
    using Follow = weir::ReplyParser::Follow;
    return value.follow(matcher->value, ends ? Follow::kEnds : Follow::kGoesOn);
  });
}

weir_status weir_reply_parser_finish(weir_reply_parser* parser, weir_error** error) {
  return read_reply(parser, error, [](weir::ReplyParser& value) { return value.finish(); });
}

weir_status weir_reply_parser_cut(weir_reply_parser* parser, weir_error** error) {
  return read_reply(parser, error, [](weir::ReplyParser& value) { return value.cut(); });
}

size_t weir_reply_parser_event_count(const weir_reply_parser* parser) {
  return parser != nullptr ? parser->events.size() : 0;
}

weir_status weir_reply_parser_event(const weir_reply_parser* parser, size_t index, weir_reply_event* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  const std::size_t size = out->struct_size;
  if (!is_struct_size(size)) return WEIR_INVALID_ARGUMENT;
  const bool is_there = index < weir_reply_parser_event_count(parser);
  weir_reply_event written = is_there ? described(parser->events[index]) : weir_reply_event{};
  written.struct_size = size;
  std::memset(out, 0, size);
  std::memcpy(out, &written, std::min(size, sizeof written));
  return is_there ? WEIR_OK : WEIR_INVALID_ARGUMENT;
}

weir_status weir_reply_parser_event_json(const weir_reply_parser* parser, size_t index, weir_owned_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (index >= weir_reply_parser_event_count(parser)) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    give(weir::to_json(parser->events[index]), out);
    return WEIR_OK;
  });
}

weir_status weir_reply_parser_snapshot(const weir_reply_parser* parser, weir_owned_text* out) {
  if (out == nullptr) return WEIR_INVALID_ARGUMENT;
  *out = {};
  if (parser == nullptr) return WEIR_INVALID_ARGUMENT;
  return guarded([&] {
    give(parser->value.snapshot(), out);
    return WEIR_OK;
  });
}

size_t weir_reply_parser_size(const weir_reply_parser* parser) { return parser != nullptr ? parser->value.size() : 0; }

weir_status weir_reply_parser_reset(weir_reply_parser* parser) {
  if (parser == nullptr) return WEIR_INVALID_ARGUMENT;
  parser->events.clear();
  parser->value.reset();
  return WEIR_OK;
}
