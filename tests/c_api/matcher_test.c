/* Matchers through the C interface. */
#include "check.h"

static void test_steps(void) {
  weir_matcher* matcher = match("root ::= \"ab\" (\"c\" | \"d\")*", NULL);
  weir_matcher* fork = NULL;
  uint32_t bitmask[1] = {0};
  float logits[7] = {0, 1, 2, 3, 4, 5, 6};
  bool allowed = false;
  CHECK(weir_matcher_fill_next_token_bitmask(matcher, bitmask, 1) == WEIR_OK);
  CHECK(bitmask[0] == (1U << 0 | 1U << 4) && weir_bitmask_count(bitmask, 1) == 2 && weir_bitmask_get(bitmask, 4));
  weir_bitmask_set(bitmask, 6);
  weir_bitmask_clear(bitmask, 4);
  CHECK(bitmask[0] == (1U << 0 | 1U << 6));
  weir_bitmask_set(bitmask, 4);
  weir_bitmask_clear(bitmask, 6);
  CHECK(weir_logit_size(WEIR_FLOAT32) == 4 && weir_logit_size(WEIR_BFLOAT16) == 2);
  CHECK(weir_apply_token_bitmask_inplace(logits, 7, WEIR_FLOAT32, bitmask, 1) == WEIR_OK);
  CHECK(logits[0] == 0 && logits[1] < -1e38F && logits[4] == 4 && logits[6] < -1e38F);
  CHECK(weir_apply_token_bitmask_inplace(logits, 7, 3, bitmask, 1) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_apply_token_bitmask_inplace(NULL, 7, WEIR_FLOAT16, bitmask, 1) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_is_token_allowed(matcher, 4, &allowed) == WEIR_OK && allowed);
  CHECK(weir_matcher_is_token_allowed(matcher, 5, &allowed) == WEIR_OK && !allowed);
  CHECK(weir_matcher_accept_token(matcher, 1) == WEIR_REFUSED && weir_matcher_step_count(matcher) == 0);
  CHECK(weir_matcher_accept_token(matcher, 4) == WEIR_OK && weir_matcher_is_completed(matcher));
  CHECK(weir_matcher_fork(matcher, &fork) == WEIR_OK);
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("cd")) == WEIR_OK && weir_matcher_step_count(matcher) == 2);
  CHECK(weir_matcher_state_id(matcher) == weir_matcher_state_id(matcher));
  CHECK(weir_matcher_accept_token(matcher, 5) == WEIR_OK && weir_matcher_is_terminated(matcher));
  CHECK(weir_matcher_accept_token(matcher, 2) == WEIR_TERMINATED);
  CHECK(weir_matcher_accept_token(matcher, 5) == WEIR_TERMINATED);
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("c")) == WEIR_TERMINATED);
  CHECK(weir_matcher_is_token_allowed(matcher, 2, &allowed) == WEIR_OK && !allowed);
  CHECK(weir_matcher_rollback(matcher, SIZE_MAX) == WEIR_INVALID_ARGUMENT && weir_matcher_step_count(matcher) == 3);
  bitmask[0] = 7;
  CHECK(weir_matcher_fill_next_token_bitmask(matcher, bitmask, 1) == WEIR_TERMINATED && bitmask[0] == 0);
  CHECK(weir_matcher_step_count(fork) == 1 && !weir_matcher_is_terminated(fork));
  CHECK(weir_matcher_rollback(matcher, 3) == WEIR_OK && weir_matcher_step_count(matcher) == 0);
  CHECK(weir_matcher_rollback(matcher, 1) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_reset(fork) == WEIR_OK && weir_matcher_step_count(fork) == 0);
  weir_matcher_free(matcher);
  CHECK(weir_matcher_accept_token(fork, 4) == WEIR_OK);
  weir_matcher_free(fork);
}

static void test_look_ahead(void) {
  weir_matcher* matcher = match("root ::= \"abc\" [abcd] \"d\" | \"dddd\"", NULL);
  weir_owned_text text = {NULL, 0};
  weir_token_ids ids = {NULL, 0};
  size_t viable = 9;
  CHECK(weir_matcher_find_jump_forward_string(matcher, &text) == WEIR_OK && take(&text, ""));
  CHECK(weir_matcher_forced_tokens(matcher, &ids) == WEIR_OK && ids.size == 0 && ids.data == NULL);
  CHECK(weir_matcher_accept_token(matcher, 3) == WEIR_OK);
  CHECK(weir_matcher_find_jump_forward_string(matcher, &text) == WEIR_OK && take(&text, "ddd"));
  CHECK(weir_matcher_forced_tokens(matcher, &ids) == WEIR_OK && ids.size == 3 && ids.data[2] == 3);
  weir_token_ids_free(&ids);
  CHECK(weir_matcher_shortest_completion(matcher, &text) == WEIR_OK && take(&text, "ddd"));
  CHECK(weir_matcher_longest_viable_prefix(matcher, weir_text_of("ddcc"), &viable) == WEIR_OK && viable == 2);
  CHECK(weir_matcher_longest_viable_prefix(matcher, weir_text_of(""), &viable) == WEIR_OK && viable == 0);
  weir_matcher_free(matcher);
}

static void test_completion_parts(void) {
  weir_matcher* matcher = match("root ::= \"a\" <|tool|> \"b\"", NULL);
  weir_completion* completion = NULL;
  weir_completion_part part;
  weir_owned_text text = {NULL, 0};
  CHECK(weir_matcher_shortest_completion(matcher, &text) == WEIR_NOT_FOUND && text.data == NULL);
  CHECK(weir_matcher_shortest_completion_parts(matcher, &completion) == WEIR_OK);
  CHECK(weir_completion_part_count(completion) == 3);
  CHECK(weir_completion_part_at(completion, 0, &part) == WEIR_OK && !part.is_token && equals(part.text, "a"));
  CHECK(weir_completion_part_at(completion, 1, &part) == WEIR_OK && part.is_token && part.token == 6);
  CHECK(weir_completion_part_at(completion, 2, &part) == WEIR_OK && equals(part.text, "b"));
  CHECK(weir_completion_part_at(completion, 3, &part) == WEIR_INVALID_ARGUMENT);
  weir_matcher_free(matcher);
  weir_completion_free(completion);
}

static void test_captures(void) {
  weir_matcher* matcher = match("root ::= @capture(x: \"a\"+) \"b\" @capture(y: \"c\" \"d\")", NULL);
  weir_captures* captures = NULL;
  weir_capture capture;
  weir_owned_text text = {NULL, 0};
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("aabc")) == WEIR_OK);
  CHECK(weir_matcher_text(matcher, &text) == WEIR_OK && take(&text, "aabc"));
  CHECK(weir_matcher_captures(matcher, &captures) == WEIR_OK && weir_captures_count(captures) == 2);
  weir_matcher_free(matcher);
  CHECK(weir_captures_at(captures, 0, &capture) == WEIR_OK && equals(capture.name, "x"));
  CHECK(capture.begin == 0 && capture.end == 2 && capture.complete);
  CHECK(weir_captures_at(captures, 1, &capture) == WEIR_OK && equals(capture.name, "y"));
  CHECK(capture.begin == 3 && capture.end == 4 && !capture.complete);
  CHECK(weir_captures_at(captures, 2, &capture) == WEIR_INVALID_ARGUMENT && capture.name.size == 0);
  weir_captures_free(captures);
  CHECK(weir_matcher_captures(NULL, &captures) == WEIR_INVALID_ARGUMENT && captures == NULL);
  CHECK(weir_captures_count(NULL) == 0);
  weir_captures_free(NULL);
}

static void test_temperature(void) {
  weir_matcher* matcher = match("root ::= \"a\" @temperature(0.5: \"b\")", NULL);
  float temperature = 1;
  CHECK(weir_matcher_temperature(matcher, &temperature) == WEIR_NOT_FOUND && temperature == 0);
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("a")) == WEIR_OK);
  CHECK(weir_matcher_temperature(matcher, &temperature) == WEIR_OK && temperature == 0.5F);
  CHECK(weir_matcher_temperature(matcher, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_temperature(NULL, &temperature) == WEIR_INVALID_ARGUMENT && temperature == 0);
  weir_matcher_free(matcher);
}

static void test_reasons(void) {
  weir_matcher* matcher = match("root ::= word \"d\"\nword ::= [ab]", NULL);
  weir_expectation* expectation = NULL;
  weir_explanation* explanation = NULL;
  weir_text text;
  weir_state_stats stats;
  CHECK(weir_matcher_expected(matcher, &expectation) == WEIR_OK);
  CHECK(equals(weir_expectation_bytes(expectation), "ab") && !weir_expectation_end(expectation));
  CHECK(weir_expectation_terminal_count(expectation) == 1);
  CHECK(weir_expectation_terminal(expectation, 0, &text) == WEIR_OK && text.size > 0);
  CHECK(weir_expectation_terminal(expectation, 1, &text) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_explain(matcher, 4, &explanation) == WEIR_OK);
  stats.struct_size = sizeof stats;
  CHECK(weir_matcher_state_stats(matcher, &stats) == WEIR_OK);
  CHECK(stats.state == weir_matcher_state_id(matcher) && stats.threads == 1 && !stats.mask_known);
  weir_matcher_free(matcher);
  CHECK(!weir_explanation_allowed(explanation) && weir_explanation_bytes_matched(explanation) == 1);
  CHECK(weir_explanation_reason(explanation).size > 0);
  CHECK(equals(weir_expectation_bytes(weir_explanation_expected(explanation)), "d"));
  weir_explanation_free(explanation);
  weir_expectation_free(expectation);
}

static void test_limits(void) {
  weir_limits limits;
  weir_matcher* matcher = NULL;
  weir_owned_text text = {NULL, 0};
  CHECK(weir_limits_init(&limits, sizeof limits) == WEIR_OK);
  limits.completion_bytes = 10;
  matcher = match("root ::= \"a\"{20}", &limits);
  CHECK(weir_matcher_find_jump_forward_string(matcher, &text) == WEIR_LIMIT_EXCEEDED && take(&text, "aaaaaaaaaa"));
  CHECK(weir_matcher_limit_message(matcher, &text) == WEIR_OK && strstr(text.data, "completion_bytes") != NULL);
  weir_owned_text_free(&text);
  CHECK(weir_matcher_shortest_completion(matcher, &text) == WEIR_LIMIT_EXCEEDED && text.data == NULL);
  CHECK(weir_matcher_accept_token(matcher, 0) == WEIR_OK);
  CHECK(weir_matcher_limit_message(matcher, &text) == WEIR_OK && take(&text, ""));
  weir_matcher_free(matcher);
}

/* The leading-space rule applies only at the start of a text. */
static void test_text_start(void) {
  const weir_text tokens[] = {weir_text_of(" a"), weir_text_of("<end>")};
  const uint32_t end[] = {1};
  weir_vocab_spec spec;
  weir_tokenizer_info* tokenizer = NULL;
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_matcher* matcher = NULL;
  weir_matcher_options options;
  CHECK(weir_vocab_spec_init(&spec, sizeof spec) == WEIR_OK);
  spec.tokens = tokens;
  spec.token_count = 2;
  spec.special_token_ids = end;
  spec.special_token_count = 1;
  spec.stop_token_ids = end;
  spec.stop_token_count = 1;
  spec.drops_leading_space = true;
  CHECK(weir_tokenizer_info_from_vocab(&spec, NULL, &tokenizer, NULL) == WEIR_OK);
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile_ebnf(compiler, weir_text_of("root ::= \"a\""), NULL, &compiled, NULL) == WEIR_OK);
  CHECK(weir_matcher_options_init(&options, sizeof options) == WEIR_OK && options.at_text_start);
  CHECK(weir_matcher_create(compiled, &options, &matcher) == WEIR_OK);
  CHECK(weir_matcher_accept_token(matcher, 0) == WEIR_OK);
  weir_matcher_free(matcher);
  options.at_text_start = false;
  CHECK(weir_matcher_create(compiled, &options, &matcher) == WEIR_OK);
  CHECK(weir_matcher_accept_token(matcher, 0) == WEIR_REFUSED);
  weir_matcher_free(matcher);
  weir_compiled_grammar_free(compiled);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

/* The tokens that the tokenizer writes; the caller frees them. */
static weir_token_ids written(const weir_tokenizer_info* tokenizer, const char* text) {
  weir_token_ids ids = {NULL, 0};
  CHECK(weir_tokenizer_info_tokenize(tokenizer, weir_text_of(text), &ids, NULL) == WEIR_OK);
  return ids;
}

/* The embedded tokenizer merges `t` and `h`, so a canonical output never begins with `t` if `h` must follow. */
static void test_canonical(void) {
  weir_tokenizer_info* tokenizer = NULL;
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_matcher* plain = NULL;
  weir_matcher* matcher = NULL;
  weir_matcher_options options;
  weir_explanation* explanation = NULL;
  weir_token_ids forced = {NULL, 0};
  CHECK(weir_tokenizer_info_builtin(&tokenizer, NULL) == WEIR_OK);
  CHECK(weir_tokenizer_info_canonical_support(tokenizer, NULL) == WEIR_OK);
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile_regex(compiler, weir_text_of("theories?"), NULL, &compiled, NULL) == WEIR_OK);
  weir_token_ids theorie = written(tokenizer, "theorie"), t = written(tokenizer, "t");
  CHECK(t.size == 1 && theorie.size < 7);

  CHECK(weir_matcher_options_init(&options, sizeof options) == WEIR_OK);
  CHECK(options.tokenization == WEIR_TOKENIZATION_ANY && options.context == NULL && options.context_count == 0);
  CHECK(weir_matcher_create(compiled, &options, &plain) == WEIR_OK);
  options.tokenization = WEIR_TOKENIZATION_CANONICAL;
  CHECK(weir_matcher_create(compiled, &options, &matcher) == WEIR_OK);
  CHECK(weir_matcher_accept_token(plain, t.data[0]) == WEIR_OK);
  CHECK(weir_matcher_accept_token(matcher, t.data[0]) == WEIR_REFUSED);
  CHECK(weir_matcher_explain(matcher, t.data[0], &explanation) == WEIR_OK);
  CHECK(!weir_explanation_allowed(explanation));
  CHECK(contains(weir_explanation_reason(explanation), "the tokenizer writes"));
  weir_explanation_free(explanation);

  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("t")) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_step_count(matcher) == 0);
  CHECK(weir_matcher_accept_text(matcher, weir_text_of("theories")) == WEIR_OK);
  CHECK(weir_matcher_is_completed(matcher) && weir_matcher_rollback(matcher, 1) == WEIR_OK);
  CHECK(weir_matcher_reset(matcher) == WEIR_OK);
  CHECK(weir_matcher_accept_text(matcher, weir_text_of("theorists")) == WEIR_REFUSED);
  CHECK(weir_matcher_step_count(matcher) == 0);
  for (size_t i = 0; i < theorie.size; ++i) CHECK(weir_matcher_accept_token(matcher, theorie.data[i]) == WEIR_OK);
  CHECK(weir_matcher_is_completed(matcher));
  weir_matcher_free(matcher);
  weir_matcher_free(plain);
  weir_compiled_grammar_free(compiled);

  CHECK(weir_compiler_compile_regex(compiler, weir_text_of("theorie"), NULL, &compiled, NULL) == WEIR_OK);
  CHECK(weir_matcher_create(compiled, &options, &matcher) == WEIR_OK);
  CHECK(weir_matcher_forced_tokens(matcher, &forced) == WEIR_OK && forced.size == theorie.size);
  CHECK(memcmp(forced.data, theorie.data, forced.size * sizeof *forced.data) == 0);
  weir_matcher_free(matcher);
  weir_compiled_grammar_free(compiled);
  weir_token_ids_free(&forced);
  weir_token_ids_free(&theorie);
  weir_token_ids_free(&t);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

/* `abcd` and `dd`, of which only the second fits into two tokens. */
static void test_max_tokens(void) {
  weir_matcher* plain = match("root ::= \"ab\" \"cd\" | \"dd\"", NULL);
  weir_matcher* matcher = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_error* error = NULL;
  weir_matcher_options options;
  uint32_t bitmask[1] = {0};
  CHECK(weir_matcher_compiled_grammar(plain, &compiled) == WEIR_OK);
  CHECK(weir_matcher_options_init(&options, sizeof options) == WEIR_OK && options.max_tokens == 0);
  options.max_tokens = 2;
  CHECK(weir_matcher_create(compiled, &options, &matcher) == WEIR_OK);
  CHECK(weir_matcher_fill_next_token_bitmask(matcher, bitmask, 1) == WEIR_OK && bitmask[0] == 1U << 3);
  CHECK(weir_matcher_accept_token(matcher, 4) == WEIR_REFUSED && weir_matcher_accept_token(matcher, 3) == WEIR_OK);
  CHECK(weir_matcher_accept_token(matcher, 3) == WEIR_OK);
  CHECK(weir_matcher_fill_next_token_bitmask(matcher, bitmask, 1) == WEIR_OK && bitmask[0] == 1U << 5);
  weir_matcher_free(matcher);
  options.max_tokens = 1;
  CHECK(weir_matcher_create_with_error(compiled, &options, &matcher, &error) == WEIR_UNSATISFIABLE && matcher == NULL);
  CHECK(contains(weir_error_message(error), "the shortest that was found has 2"));
  weir_error_free(error);
  weir_compiled_grammar_free(compiled);
  weir_matcher_free(plain);
}

/* A matcher that `c` ends and `<end>` does not, beside one with the tokenizer's stop token. */
static void test_stop_tokens(void) {
  weir_matcher* plain = match("root ::= \"ab\" \"c\"*", NULL);
  weir_matcher* matcher = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_error* error = NULL;
  weir_matcher_options options;
  const uint32_t stops[] = {6, 2, 6};
  const uint32_t* ids = NULL;
  uint32_t bitmask[1] = {0};
  CHECK(weir_matcher_stop_token_ids(plain, &ids) == 1 && ids[0] == 5);
  CHECK(weir_matcher_compiled_grammar(plain, &compiled) == WEIR_OK);
  CHECK(weir_matcher_options_init(&options, sizeof options) == WEIR_OK);
  CHECK(options.stop_token_ids == NULL && options.stop_token_count == 0);
  options.stop_token_ids = stops;
  options.stop_token_count = 2;
  CHECK(weir_matcher_create(compiled, &options, &matcher) == WEIR_OK);
  CHECK(weir_matcher_stop_token_ids(matcher, &ids) == 2 && ids[0] == 2 && ids[1] == 6);
  CHECK(weir_matcher_accept_token(matcher, 4) == WEIR_OK && weir_matcher_accept_token(plain, 4) == WEIR_OK);
  CHECK(weir_matcher_fill_next_token_bitmask(matcher, bitmask, 1) == WEIR_OK && bitmask[0] == (1U << 2 | 1U << 6));
  CHECK(weir_matcher_fill_next_token_bitmask(plain, bitmask, 1) == WEIR_OK && bitmask[0] == (1U << 2 | 1U << 5));
  CHECK(weir_matcher_accept_token(matcher, 2) == WEIR_OK && weir_matcher_is_terminated(matcher));
  CHECK(weir_matcher_accept_token(plain, 2) == WEIR_OK && !weir_matcher_is_terminated(plain));
  weir_matcher_free(matcher);
  options.stop_token_count = 3;
  CHECK(weir_matcher_create_with_error(compiled, &options, &matcher, &error) == WEIR_INVALID_ARGUMENT &&
        matcher == NULL);
  CHECK(weir_error_start(error) == 2 && contains(weir_error_message(error), "stop token 6 is listed twice"));
  weir_error_free(error);
  options.stop_token_ids = NULL;
  CHECK(weir_matcher_create(compiled, &options, &matcher) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_stop_token_ids(NULL, &ids) == 0 && ids == NULL);
  weir_compiled_grammar_free(compiled);
  weir_matcher_free(plain);
}

/* The tokenizer writes a blank together with the word after it. */
static void test_healing(void) {
  weir_tokenizer_info* tokenizer = NULL;
  weir_error* error = NULL;
  weir_owned_text bytes = {NULL, 0};
  size_t tokens = 7;
  uint32_t apart[2];
  CHECK(weir_tokenizer_info_builtin(&tokenizer, NULL) == WEIR_OK);
  weir_token_ids prompt = written(tokenizer, "The answer is "), t = written(tokenizer, "t"),
                 h = written(tokenizer, "h");
  CHECK(weir_tokenizer_info_heal(tokenizer, prompt.data, prompt.size, &tokens, &bytes, NULL) == WEIR_OK);
  CHECK(tokens == 1 && bytes.size == 1 && bytes.data[0] == ' ');
  weir_owned_text_free(&bytes);
  CHECK(weir_tokenizer_info_heal(tokenizer, NULL, 0, &tokens, &bytes, NULL) == WEIR_OK);
  CHECK(tokens == 0 && bytes.size == 0);
  weir_owned_text_free(&bytes);
  apart[0] = t.data[0];
  apart[1] = h.data[0];
  CHECK(weir_tokenizer_info_heal(tokenizer, apart, 2, &tokens, &bytes, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_error_start(error) == 1 && tokens == 0 && bytes.data == NULL);
  weir_error_free(error);
  CHECK(weir_tokenizer_info_heal(tokenizer, apart, 1, NULL, &bytes, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_tokenizer_info_heal(NULL, apart, 1, &tokens, &bytes, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_tokenizer_info_heal(tokenizer, NULL, 1, &tokens, &bytes, NULL) == WEIR_INVALID_ARGUMENT);
  weir_token_ids_free(&prompt);
  weir_token_ids_free(&t);
  weir_token_ids_free(&h);
  weir_tokenizer_info_free(tokenizer);
}

/* After the context `t` the tokenizer does not write `h` as a token: it writes `th`. */
static void test_context(void) {
  weir_tokenizer_info* tokenizer = NULL;
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_matcher* matcher = NULL;
  weir_error* error = NULL;
  weir_matcher_options options;
  uint32_t context[2];
  CHECK(weir_tokenizer_info_builtin(&tokenizer, NULL) == WEIR_OK);
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile_regex(compiler, weir_text_of("h|!"), NULL, &compiled, NULL) == WEIR_OK);
  weir_token_ids t = written(tokenizer, "t"), h = written(tokenizer, "h"), mark = written(tokenizer, "!");
  CHECK(t.size == 1 && h.size == 1 && mark.size == 1);
  context[0] = t.data[0];
  context[1] = h.data[0];

  CHECK(weir_matcher_options_init(&options, sizeof options) == WEIR_OK);
  options.tokenization = WEIR_TOKENIZATION_CANONICAL;
  options.context = context;
  options.context_count = 1;
  CHECK(weir_matcher_create_with_error(compiled, &options, &matcher, &error) == WEIR_OK && error == NULL);
  CHECK(weir_matcher_accept_token(matcher, h.data[0]) == WEIR_REFUSED);
  CHECK(weir_matcher_accept_token(matcher, mark.data[0]) == WEIR_OK);
  weir_matcher_free(matcher);

  weir_compiled_grammar_free(compiled);
  CHECK(weir_compiler_compile_regex(compiler, weir_text_of("h"), NULL, &compiled, NULL) == WEIR_OK);
  CHECK(weir_matcher_create_with_error(compiled, &options, &matcher, &error) == WEIR_UNSATISFIABLE && matcher == NULL);
  weir_error_free(error);

  options.context_count = 2;
  CHECK(weir_matcher_create(compiled, &options, &matcher) == WEIR_INVALID_ARGUMENT && matcher == NULL);
  CHECK(weir_matcher_create_with_error(compiled, &options, &matcher, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(matcher == NULL && weir_error_start(error) == 1 && weir_error_message(error).size > 0);
  weir_error_free(error);
  context[1] = weir_tokenizer_info_vocab_size(tokenizer);
  CHECK(weir_matcher_create(compiled, &options, &matcher) == WEIR_INVALID_ARGUMENT);
  options.context = NULL;
  CHECK(weir_matcher_create(compiled, &options, &matcher) == WEIR_INVALID_ARGUMENT);
  options.context_count = 0;
  options.tokenization = 2;
  CHECK(weir_matcher_create_with_error(compiled, &options, &matcher, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(contains(weir_error_message(error), "tokenization"));
  weir_error_free(error);
  weir_token_ids_free(&t);
  weir_token_ids_free(&h);
  weir_token_ids_free(&mark);
  weir_compiled_grammar_free(compiled);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

/* The list of letters lacks tokens for other bytes; a bound in tokens is refused, too. A struct of the first header has no tokenization.
 */
static void test_canonical_refused(void) {
  weir_tokenizer_info* tokenizer = letters();
  weir_tokenizer_info* builtin = NULL;
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = compile("root ::= \"a\"", NULL);
  weir_matcher* matcher = NULL;
  weir_error* error = NULL;
  weir_matcher_options options;
  CHECK(weir_tokenizer_info_canonical_support(tokenizer, &error) == WEIR_UNSUPPORTED);
  CHECK(weir_error_status(error) == WEIR_UNSUPPORTED && weir_error_message(error).size > 0);
  weir_error_free(error);
  CHECK(weir_tokenizer_info_canonical_support(NULL, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_options_init(&options, sizeof options) == WEIR_OK);
  options.tokenization = WEIR_TOKENIZATION_CANONICAL;
  CHECK(weir_matcher_create_with_error(compiled, &options, &matcher, &error) == WEIR_UNSUPPORTED && matcher == NULL);
  CHECK(weir_error_message(error).size > 0);
  weir_error_free(error);
  options.struct_size = offsetof(weir_matcher_options, context);
  CHECK(weir_matcher_create(compiled, &options, &matcher) == WEIR_OK);
  CHECK(weir_matcher_accept_text(matcher, weir_text_of("a")) == WEIR_OK && weir_matcher_is_completed(matcher));
  weir_matcher_free(matcher);
  weir_compiled_grammar_free(compiled);

  CHECK(weir_tokenizer_info_builtin(&builtin, NULL) == WEIR_OK);
  CHECK(weir_compiler_create(builtin, NULL, &compiler, NULL) == WEIR_OK);
  /* The tokens `ite` `pass` are two, but the tokenizer writes three. */
  CHECK(weir_compiler_compile_ebnf(compiler, weir_text_of("root ::= @max_tokens(2: \"itepass\")"), NULL, &compiled,
                                   NULL) == WEIR_OK);
  options.struct_size = sizeof options;
  CHECK(weir_matcher_create_with_error(compiled, &options, &matcher, &error) == WEIR_UNSATISFIABLE);
  CHECK(contains(weir_error_message(error), "bounds of rules on tokens"));
  weir_error_free(error);
  CHECK(weir_matcher_create_with_error(NULL, &options, &matcher, &error) == WEIR_INVALID_ARGUMENT && error != NULL);
  weir_error_free(error);
  weir_compiled_grammar_free(compiled);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(builtin);
  weir_tokenizer_info_free(tokenizer);
}

static void test_bad_arguments(void) {
  const weir_text nothing = {NULL, 3};
  weir_matcher* matcher = match("root ::= \"a\"", NULL);
  weir_matcher* none = matcher;
  uint32_t bitmask[2] = {1, 1};
  bool allowed = true;
  size_t viable = 1;
  CHECK(weir_matcher_fill_next_token_bitmask(matcher, bitmask, 2) == WEIR_INVALID_ARGUMENT);
  CHECK(bitmask[0] == 1 && bitmask[1] == 1);  // a mask of another length is not written
  CHECK(weir_matcher_fill_next_token_bitmask(matcher, NULL, 1) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_is_token_allowed(matcher, 7, &allowed) == WEIR_INVALID_ARGUMENT && !allowed);
  CHECK(weir_matcher_accept_token(matcher, 7) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_accept_bytes(matcher, nothing) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_accept_text(matcher, nothing) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_accept_text(NULL, weir_text_of("a")) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_longest_viable_prefix(matcher, nothing, &viable) == WEIR_INVALID_ARGUMENT && viable == 0);
  weir_matcher_free(matcher);

  bitmask[0] = 1;
  CHECK(weir_matcher_create(NULL, NULL, &none) == WEIR_INVALID_ARGUMENT && none == NULL);
  CHECK(weir_matcher_fork(NULL, &none) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_fill_next_token_bitmask(NULL, bitmask, 1) == WEIR_INVALID_ARGUMENT && bitmask[0] == 1);
  CHECK(weir_matcher_accept_token(NULL, 0) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_rollback(NULL, 0) == WEIR_INVALID_ARGUMENT);
  CHECK(!weir_matcher_is_terminated(NULL) && !weir_matcher_is_completed(NULL) && weir_matcher_step_count(NULL) == 0);
  weir_matcher_free(NULL);
  weir_completion_free(NULL);
  weir_expectation_free(NULL);
  weir_explanation_free(NULL);
}

int main(void) {
  test_steps();
  test_look_ahead();
  test_completion_parts();
  test_captures();
  test_temperature();
  test_reasons();
  test_limits();
  test_text_start();
  test_canonical();
  test_stop_tokens();
  test_healing();
  test_max_tokens();
  test_context();
  test_canonical_refused();
  test_bad_arguments();
  return EXIT_SUCCESS;
}
