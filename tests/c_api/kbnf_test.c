/* The engine with kbnf's calls through the C interface. */
#include "check.h"

static weir_kbnf_engine* engine_of(const char* grammar) {
  weir_tokenizer_info* tokenizer = letters();
  weir_kbnf_engine* engine = NULL;
  CHECK(weir_kbnf_engine_create(tokenizer, weir_text_of(grammar), NULL, NULL, &engine, NULL) == WEIR_OK);
  weir_tokenizer_info_free(tokenizer);
  return engine;
}

static weir_kbnf_result accept(weir_kbnf_engine* engine, uint32_t token) {
  weir_kbnf_result result = WEIR_KBNF_LIMIT_EXCEEDED;
  CHECK(weir_kbnf_engine_try_accept_new_token(engine, token, &result) == WEIR_OK);
  return result;
}

static void test_steps(void) {
  weir_kbnf_engine* engine = engine_of("start ::= 'a'* 'b' | 'cd';");
  weir_kbnf_result result = WEIR_KBNF_LIMIT_EXCEEDED;
  weir_token_ids ids = {NULL, 9};
  weir_matcher* matcher = NULL;
  weir_owned_text text = {NULL, 0};
  const uint32_t* mask = NULL;
  CHECK(weir_kbnf_engine_allowed_token_ids(engine, &ids) == WEIR_OK && ids.size == 0);
  CHECK(weir_kbnf_engine_compute_allowed_token_ids(engine, &result) == WEIR_OK && result == WEIR_KBNF_ONGOING);
  CHECK(weir_kbnf_engine_allowed_token_ids(engine, &ids) == WEIR_OK && ids.size == 4);
  CHECK(ids.data[0] == 0 && ids.data[1] == 1 && ids.data[2] == 2 && ids.data[3] == 4);
  weir_token_ids_free(&ids);
  CHECK(weir_kbnf_engine_disallowed_token_ids(engine, &ids) == WEIR_OK && ids.size == 3 && ids.data[0] == 3);
  weir_token_ids_free(&ids);
  CHECK(weir_kbnf_engine_check_if_token_is_allowed(engine, 4) &&
        !weir_kbnf_engine_check_if_token_is_allowed(engine, 3));
  CHECK(weir_kbnf_engine_allowed_token_bitmask(engine, &mask) == 1 && mask[0] == 0x17U);
  CHECK(accept(engine, 3) == WEIR_KBNF_REJECTED && accept(engine, 99) == WEIR_KBNF_UNKNOWN_TOKEN);
  CHECK(accept(engine, 0) == WEIR_KBNF_ONGOING && !weir_kbnf_engine_is_finished(engine));
  CHECK(accept(engine, 4) == WEIR_KBNF_FINISHED && weir_kbnf_engine_is_finished(engine));
  CHECK(accept(engine, 0) == WEIR_KBNF_AFTER_END);
  CHECK(weir_kbnf_engine_matcher(engine, &matcher) == WEIR_OK);
  CHECK(weir_matcher_text(matcher, &text) == WEIR_OK && take(&text, "aab"));
  weir_matcher_free(matcher);
  CHECK(weir_kbnf_engine_reset(engine) == WEIR_OK && !weir_kbnf_engine_is_finished(engine));
  CHECK(weir_kbnf_engine_try_accept_new_bytes(engine, weir_text_of("cd"), &result) == WEIR_OK);
  CHECK(result == WEIR_KBNF_FINISHED);
  weir_kbnf_engine_free(engine);
}

static void test_logits(void) {
  weir_kbnf_engine* engine = engine_of("start ::= 'a' start | 'b';");
  weir_kbnf_result result = WEIR_KBNF_LIMIT_EXCEEDED;
  float logits[7] = {0, 1, 2, 3, 4, 5, 6};
  CHECK(weir_kbnf_engine_update_logits(engine, 0, logits, 6, &result) == WEIR_OK);
  CHECK(result == WEIR_KBNF_INVALID_LENGTH && logits[2] == 2);
  CHECK(weir_kbnf_engine_update_logits(engine, 0, logits, 7, &result) == WEIR_OK && result == WEIR_KBNF_ONGOING);
  CHECK(logits[0] == 0 && logits[1] == 1 && logits[2] < -1e38F && logits[4] == 4 && logits[5] < -1e38F);
  logits[2] = 2;
  CHECK(weir_kbnf_engine_mask_logits(engine, logits, 7, &result) == WEIR_OK && logits[2] < -1e38F);
  logits[2] = 2;
  CHECK(weir_kbnf_engine_update_logits(engine, 1, logits, 7, &result) == WEIR_OK && result == WEIR_KBNF_FINISHED);
  CHECK(logits[2] == 2);
  weir_kbnf_engine_free(engine);
}

static void test_mistakes(void) {
  weir_tokenizer_info* tokenizer = letters();
  weir_kbnf_engine* engine = NULL;
  weir_error* error = NULL;
  weir_kbnf_result result = WEIR_KBNF_ONGOING;
  weir_kbnf_options options;
  weir_limits limits;
  CHECK(weir_kbnf_engine_create(tokenizer, weir_text_of("start ::= x;"), NULL, NULL, &engine, &error) ==
        WEIR_INVALID_ARGUMENT);
  CHECK(engine == NULL && contains(weir_error_message(error), "`x` is not defined"));
  weir_error_free(error);
  CHECK(weir_kbnf_options_init(&options, sizeof options) == WEIR_OK);
  CHECK(equals(options.start, "start") && options.keep_endless);
  options.start = weir_text_of("x");
  CHECK(weir_kbnf_engine_create(tokenizer, weir_text_of("x ::= 'a' x;"), &options, NULL, &engine, NULL) == WEIR_OK);
  weir_kbnf_engine_free(engine);
  options.keep_endless = false;
  CHECK(weir_kbnf_engine_create(tokenizer, weir_text_of("x ::= 'a' x;"), &options, NULL, &engine, NULL) ==
        WEIR_UNSATISFIABLE);
  CHECK(weir_limits_init(&limits, sizeof limits) == WEIR_OK);
  limits.text_bytes = 3;
  CHECK(weir_kbnf_engine_create(tokenizer, weir_text_of("start ::= 'a';"), NULL, &limits, &engine, NULL) ==
        WEIR_LIMIT_EXCEEDED);
  CHECK(weir_kbnf_engine_create(NULL, weir_text_of("start ::= 'a';"), NULL, NULL, &engine, NULL) ==
        WEIR_INVALID_ARGUMENT);
  CHECK(weir_kbnf_engine_try_accept_new_token(NULL, 0, &result) == WEIR_INVALID_ARGUMENT);
  CHECK(!weir_kbnf_engine_is_finished(NULL) && weir_kbnf_engine_reset(NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(!weir_kbnf_engine_check_if_token_is_allowed(NULL, 0) &&
        weir_kbnf_engine_allowed_token_bitmask(NULL, NULL) == 0);
  CHECK(strcmp(weir_kbnf_result_name(WEIR_KBNF_FINISHED), "finished") == 0);
  weir_kbnf_engine_free(NULL);
  weir_tokenizer_info_free(tokenizer);
}

int main(void) {
  test_steps();
  test_logits();
  test_mistakes();
  return 0;
}
