/* Reading replies through the C interface. */
#include <stddef.h>

#include "check.h"

#define TOOLS                                                                                                  \
  "[{\"name\": \"f\", \"parameters\": {\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"string\"}}," \
  " \"required\": [\"a\"]}}]"

static weir_reply_parser* parser_of(const char* style, const weir_reply_options* options, const weir_limits* limits) {
  weir_reply_parser* parser = NULL;
  weir_error* error = NULL;
  CHECK(weir_reply_parser_create(weir_text_of(style), weir_text_of(TOOLS), options, limits, &parser, &error) ==
        WEIR_OK);
  CHECK(error == NULL);
  return parser;
}

static weir_reply_event event_at(const weir_reply_parser* parser, size_t index) {
  weir_reply_event event;
  event.struct_size = sizeof event;
  CHECK(weir_reply_parser_event(parser, index, &event) == WEIR_OK && event.struct_size == sizeof event);
  return event;
}

static size_t feed(weir_reply_parser* parser, const char* piece) {
  CHECK(weir_reply_parser_feed(parser, weir_text_of(piece), NULL) == WEIR_OK);
  return weir_reply_parser_event_count(parser);
}

static void test_events(void) {
  weir_reply_parser* parser = parser_of("qwen_coder", NULL, NULL);
  weir_owned_text text = {NULL, 0};
  weir_reply_event event;
  CHECK(feed(parser, "Hi <tool") == 1);
  event = event_at(parser, 0);
  CHECK(event.kind == WEIR_REPLY_TEXT && equals(event.text, "Hi ") && event.start == 0 && event.end == 3);
  CHECK(event.name.size == 0 && event.id.size == 0 && event.reason.size == 0);
  CHECK(feed(parser, "_call><function=f") == 0);
  CHECK(feed(parser, "><parameter=a>x") == 2);
  event = event_at(parser, 0);
  CHECK(event.kind == WEIR_REPLY_CALL_BEGINS && equals(event.name, "f") && event.call == 0 && event.start == 3);
  event = event_at(parser, 1);
  CHECK(event.kind == WEIR_REPLY_ARGUMENTS && equals(event.text, "{\"a\": \"x"));
  CHECK(weir_reply_parser_event_json(parser, 1, &text) == WEIR_OK);
  CHECK(take(&text,
             "{\"event\": \"arguments\", \"start\": 26, \"end\": 40, \"call\": 0, \"text\": \"{\\\"a\\\": \\\"x\"}"));
  CHECK(weir_reply_parser_snapshot(parser, &text) == WEIR_OK);
  CHECK(take(&text,
             "{\"reasoning\": null, \"content\": \"Hi \", \"tool_calls\": [{\"name\": \"f\", "
             "\"partial_arguments\": \"{\\\"a\\\": \\\"x\"}]}"));
  CHECK(feed(parser, "</parameter></function></tool_call>") == 2);
  CHECK(weir_reply_parser_finish(parser, NULL) == WEIR_OK);
  CHECK(weir_reply_parser_size(parser) == 75);
  CHECK(weir_reply_parser_snapshot(parser, &text) == WEIR_OK);
  CHECK(take(&text,
             "{\"reasoning\": null, \"content\": \"Hi \", \"tool_calls\": [{\"name\": \"f\", \"arguments\": "
             "{\"a\": \"x\"}}]}"));
  CHECK(weir_reply_parser_reset(parser) == WEIR_OK && weir_reply_parser_size(parser) == 0);
  CHECK(weir_reply_parser_event_count(parser) == 0);
  CHECK(feed(parser, "again") == 1);
  weir_reply_parser_free(parser);
}

static void test_values(void) {
  weir_reply_options options;
  weir_reply_parser* parser;
  weir_reply_event event;
  CHECK(weir_reply_options_init(&options, sizeof options) == WEIR_OK && !options.values);
  options.values = true;
  parser = parser_of("hermes", &options, NULL);
  feed(parser, "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x");
  event = event_at(parser, weir_reply_parser_event_count(parser) - 1);
  CHECK(event.kind == WEIR_REPLY_STRING && event.depth == 1 && event.start == event.end);
  CHECK(equals(event.key, "a") && equals(event.text, "x"));
  weir_reply_parser_free(parser);
}

static void test_a_reply_that_is_cut(void) {
  weir_reply_options options;
  weir_reply_parser* parser;
  CHECK(weir_reply_options_init(&options, sizeof options) == WEIR_OK);
  options.mode = WEIR_MODE_STRICT;
  parser = parser_of("hermes", &options, NULL);
  feed(parser, "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\"");
  CHECK(weir_reply_parser_finish(parser, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_reply_parser_cut(parser, NULL) == WEIR_OK && weir_reply_parser_event_count(parser) == 1);
  CHECK(event_at(parser, 0).kind == WEIR_REPLY_CALL_INVALID);
  CHECK(weir_reply_parser_cut(parser, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_reply_parser_cut(NULL, NULL) == WEIR_INVALID_ARGUMENT);
  weir_reply_parser_free(parser);
}

static void test_a_call_that_is_none(void) {
  weir_reply_parser* parser = parser_of("hermes", NULL, NULL);
  weir_reply_event event;
  feed(parser, "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\"");
  CHECK(weir_reply_parser_finish(parser, NULL) == WEIR_OK && weir_reply_parser_event_count(parser) > 0);
  event = event_at(parser, weir_reply_parser_event_count(parser) - 1);
  CHECK(event.kind == WEIR_REPLY_CALL_INVALID && event.reason.size > 0);
  CHECK(equals(event.text, "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\""));
  weir_reply_parser_free(parser);
}

/* A struct of an older program, and one of a newer program. */
static void test_struct_sizes(void) {
  weir_reply_parser* parser = parser_of("hermes", NULL, NULL);
  struct {
    weir_reply_event known;
    unsigned char more[8];
  } newer;
  weir_reply_event older;
  CHECK(feed(parser, "text") == 1);
  memset(&newer, 0x55, sizeof newer);
  newer.known.struct_size = sizeof newer;
  CHECK(weir_reply_parser_event(parser, 0, &newer.known) == WEIR_OK && equals(newer.known.text, "text"));
  CHECK(newer.more[0] == 0 && newer.more[7] == 0);
  memset(&older, 0x55, sizeof older);
  older.struct_size = offsetof(weir_reply_event, name);
  CHECK(weir_reply_parser_event(parser, 0, &older) == WEIR_OK && equals(older.text, "text"));
  CHECK(older.kind == 0x55555555);
  /* What the first programs knew of the struct ends with `kind`. */
  older.struct_size = offsetof(weir_reply_event, kind) + sizeof older.kind;
  CHECK(weir_reply_parser_event(parser, 0, &older) == WEIR_OK && older.kind == WEIR_REPLY_TEXT && older.end == 4);
  CHECK(older.key.size != 0 && older.depth == 0x55555555);
  CHECK(weir_reply_parser_event(parser, 1, &newer.known) == WEIR_INVALID_ARGUMENT && newer.known.text.size == 0);
  weir_reply_parser_free(parser);
}

static void test_strict(void) {
  weir_reply_options options;
  weir_tool_options tools;
  weir_error* error = NULL;
  weir_reply_parser* parser;
  weir_owned_text text = {NULL, 0};
  CHECK(weir_reply_options_init(&options, sizeof options) == WEIR_OK);
  CHECK(options.mode == WEIR_MODE_TOLERANT && options.tools == NULL);
  CHECK(weir_tool_options_init(&tools, sizeof tools) == WEIR_OK);
  tools.tool_choice = weir_text_of("\"required\"");
  options.tools = &tools;
  options.mode = WEIR_MODE_STRICT;
  parser = parser_of("hermes", &options, NULL);
  CHECK(feed(parser, "<tool_call>") == 0);
  CHECK(weir_reply_parser_feed(parser, weir_text_of("{\"no"), &error) == WEIR_INVALID_ARGUMENT);
  CHECK(contains(weir_error_message(error), "does not follow its tag"));
  CHECK(weir_error_start(error) == 14 && weir_error_end(error) == 15);
  weir_error_free(error);
  CHECK(weir_reply_parser_finish(parser, &error) == WEIR_INVALID_ARGUMENT &&
        weir_reply_parser_event_count(parser) == 0);
  CHECK(contains(weir_error_message(error), "is not complete"));
  weir_error_free(error);
  CHECK(feed(parser, "{\"name\": \"f\", \"arguments\": {\"a\": \"\"}}</tool_call>") > 0);
  CHECK(weir_reply_parser_finish(parser, NULL) == WEIR_OK);
  CHECK(weir_reply_parser_feed(parser, weir_text_of("x"), &error) == WEIR_INVALID_ARGUMENT);
  CHECK(contains(weir_error_message(error), "has ended"));
  weir_error_free(error);
  CHECK(weir_reply_parser_snapshot(parser, &text) == WEIR_OK);
  CHECK(take(&text,
             "{\"reasoning\": null, \"content\": null, \"tool_calls\": [{\"name\": \"f\", \"arguments\": "
             "{\"a\": \"\"}}]}"));
  weir_reply_parser_free(parser);
}

static void test_tokens(void) {
  const uint32_t tokens[] = {4, 6, 3, 5}; /* "ab", a special token, "d", a stop token */
  const uint32_t unknown[] = {0, 7};
  weir_tokenizer_info* tokenizer = letters();
  weir_reply_parser* parser = parser_of("hermes", NULL, NULL);
  weir_owned_text text = {NULL, 0};
  weir_error* error = NULL;
  CHECK(weir_reply_parser_feed_tokens(parser, tokens, 4, tokenizer, NULL) == WEIR_OK);
  CHECK(weir_reply_parser_feed_tokens(parser, unknown, 2, tokenizer, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(contains(weir_error_message(error), "there is no token 7"));
  weir_error_free(error);
  CHECK(weir_reply_parser_feed_tokens(parser, NULL, 1, tokenizer, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_reply_parser_feed_tokens(parser, tokens, 1, NULL, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_reply_parser_finish(parser, NULL) == WEIR_OK);
  CHECK(weir_reply_parser_snapshot(parser, &text) == WEIR_OK);
  CHECK(take(&text, "{\"reasoning\": null, \"content\": \"ab<|tool|>d\", \"tool_calls\": []}"));
  weir_reply_parser_free(parser);
  weir_tokenizer_info_free(tokenizer);
}

static void test_grammar(void) {
  const weir_text text = weir_text_of("root ::= @capture(x: \"a\"+) \"b\" | \"c\"");
  weir_tokenizer_info* tokenizer = letters();
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_matcher* matcher = NULL;
  weir_reply_parser* parser = NULL;
  weir_reply_event event;
  weir_error* error = NULL;
  event.struct_size = sizeof event;
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile_ebnf(compiler, text, NULL, &compiled, NULL) == WEIR_OK);
  CHECK(weir_matcher_create(compiled, NULL, &matcher) == WEIR_OK);
  CHECK(weir_reply_parser_for_grammar(compiled, &parser, NULL) == WEIR_OK);
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("aa")) == WEIR_OK);
  CHECK(weir_reply_parser_follow(parser, matcher, false, NULL) == WEIR_OK);
  CHECK(weir_reply_parser_event_count(parser) == 2);
  CHECK(weir_reply_parser_event(parser, 1, &event) == WEIR_OK && event.kind == WEIR_REPLY_CAPTURE && event.end == 2);
  CHECK(weir_matcher_rollback(matcher, 1) == WEIR_OK);
  CHECK(weir_reply_parser_follow(parser, matcher, false, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(contains(weir_error_message(error), "taken back to step 0"));
  weir_error_free(error);
  CHECK(weir_reply_parser_reset(parser) == WEIR_OK);
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("ab")) == WEIR_OK);
  CHECK(weir_reply_parser_follow(parser, matcher, true, NULL) == WEIR_OK);
  CHECK(weir_reply_parser_event_count(parser) == 4);
  CHECK(weir_reply_parser_event(parser, 2, &event) == WEIR_OK && event.kind == WEIR_REPLY_CAPTURE_ENDS);
  weir_reply_parser_free(parser);
  weir_matcher_free(matcher);
  weir_compiled_grammar_free(compiled);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

static void test_mistakes(void) {
  weir_reply_parser* parser = NULL;
  weir_error* error = NULL;
  weir_limits limits;
  CHECK(weir_reply_parser_create(weir_text_of("hermez"), weir_text_of(TOOLS), NULL, NULL, &parser, &error) ==
        WEIR_INVALID_ARGUMENT);
  CHECK(parser == NULL && contains(weir_error_message(error), "hermez"));
  weir_error_free(error);
  CHECK(weir_reply_parser_create(weir_text_of("hermes"), weir_text_of("[{"), NULL, NULL, &parser, &error) != WEIR_OK);
  CHECK(parser == NULL && error != NULL);
  weir_error_free(error);
  CHECK(weir_limits_init(&limits, sizeof limits) == WEIR_OK);
  limits.text_bytes = 200;
  parser = parser_of("hermes", NULL, &limits);
  while (weir_reply_parser_size(parser) < 200) feed(parser, "0123456789");
  CHECK(weir_reply_parser_feed(parser, weir_text_of("x"), &error) == WEIR_LIMIT_EXCEEDED);
  CHECK(equals(weir_error_limit(error), "text_bytes") && weir_reply_parser_size(parser) == 200);
  weir_error_free(error);
  weir_reply_parser_free(parser);
  CHECK(weir_reply_parser_size(NULL) == 0 && weir_reply_parser_event_count(NULL) == 0);
  CHECK(weir_reply_parser_reset(NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(strcmp(weir_reply_event_kind_name(WEIR_REPLY_CALL_INVALID), "call_invalid") == 0);
  weir_reply_parser_free(NULL);
}

int main(void) {
  test_events();
  test_values();
  test_a_call_that_is_none();
  test_a_reply_that_is_cut();
  test_struct_sizes();
  test_strict();
  test_tokens();
  test_grammar();
  test_mistakes();
  return 0;
}
