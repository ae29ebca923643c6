/* Batches, draft trees, mask ids and a compiler's cache through the C interface. */
#include "check.h"

static void test_batch(void) {
  weir_matcher* rows[] = {match("root ::= \"a\"", NULL), NULL, match("root ::= \"d\"", NULL)};
  const uint32_t tokens[] = {0, 99, 2};
  uint32_t bitmasks[] = {7, 7, 7};
  weir_status steps[] = {WEIR_INTERNAL, WEIR_INTERNAL, WEIR_INTERNAL};
  weir_batch* batch = NULL;
  CHECK(weir_batch_create(2, &batch) == WEIR_OK);
  CHECK(weir_batch_fill_next_token_bitmasks(batch, rows, 3, bitmasks, 2, steps) == WEIR_INVALID_ARGUMENT);
  CHECK(steps[0] == WEIR_INTERNAL && bitmasks[0] == 7);
  CHECK(weir_batch_fill_next_token_bitmasks(batch, rows, 3, bitmasks, 3, steps) == WEIR_OK);
  CHECK(steps[0] == WEIR_OK && steps[1] == WEIR_OK && bitmasks[0] == 1 && bitmasks[1] == 7 && bitmasks[2] == 8);
  CHECK(weir_batch_accept_tokens(batch, rows, tokens, 3, steps) == WEIR_OK);
  CHECK(steps[0] == WEIR_OK && steps[1] == WEIR_OK && steps[2] == WEIR_REFUSED);
  CHECK(weir_matcher_step_count(rows[0]) == 1 && weir_matcher_step_count(rows[2]) == 0);
  const uint32_t* own = bitmasks;
  size_t words = 7;
  CHECK(weir_batch_next_token_bitmasks(batch, rows, 3, steps, &own, &words) == WEIR_OK && words == 3);
  CHECK(own[1] == 0xFFFFFFFF && own[2] == 8 && steps[0] == WEIR_OK && steps[2] == WEIR_OK);
  CHECK(weir_batch_next_token_bitmasks(batch, rows + 1, 1, steps, &own, &words) == WEIR_OK && own == NULL && words == 0);
  CHECK(weir_batch_next_token_bitmasks(batch, rows, 3, NULL, &own, &words) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_batch_next_token_bitmasks(batch, rows, 3, steps, NULL, &words) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_batch_accept_tokens(NULL, rows, tokens, 3, steps) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_batch_accept_tokens(batch, NULL, tokens, 3, steps) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_batch_create(1, NULL) == WEIR_INVALID_ARGUMENT);
  weir_matcher_free(rows[0]);
  weir_matcher_free(rows[2]);
  weir_batch_free(batch);
  weir_batch_free(NULL);
}

static void test_prefetch(void) {
  weir_matcher* rows[] = {match("root ::= \"a\" \"d\"", NULL)};
  const uint32_t tokens[] = {0};
  uint32_t bitmask = 0;
  weir_status step = WEIR_INTERNAL;
  weir_batch_options options;
  weir_batch* batch = NULL;
  CHECK(weir_batch_options_init(&options, sizeof options) == WEIR_OK && options.threads == 1 && !options.prefetch);
  options.prefetch = true;
  CHECK(weir_batch_create_with_options(&options, &batch) == WEIR_OK);
  CHECK(weir_batch_accept_tokens(batch, rows, tokens, 1, &step) == WEIR_OK && step == WEIR_OK);
  CHECK(weir_batch_fill_next_token_bitmasks(batch, rows, 1, &bitmask, 1, &step) == WEIR_OK && bitmask == 8);
  weir_matcher_free(rows[0]);
  weir_batch_free(batch);
  CHECK(weir_batch_create_with_options(NULL, &batch) == WEIR_OK);
  weir_batch_free(batch);
  CHECK(weir_batch_create_with_options(&options, NULL) == WEIR_INVALID_ARGUMENT);
  options.struct_size = 1;
  CHECK(weir_batch_create_with_options(&options, &batch) == WEIR_INVALID_ARGUMENT && batch == NULL);
}

/* A row of the wrong length for its vocabulary does not affect the other rows. */
static void test_two_vocabularies(void) {
  weir_tokenizer_info* tokenizer = NULL;
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_matcher* rows[] = {match("root ::= \"a\"", NULL), NULL};
  const uint32_t tokens[] = {0, 9000};
  uint32_t bitmasks[] = {7, 7};
  weir_status steps[] = {WEIR_INTERNAL, WEIR_INTERNAL};
  weir_batch* batch = NULL;
  CHECK(weir_tokenizer_info_builtin(&tokenizer, NULL) == WEIR_OK);
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile_regex(compiler, weir_text_of("a"), NULL, &compiled, NULL) == WEIR_OK);
  CHECK(weir_matcher_create(compiled, NULL, &rows[1]) == WEIR_OK);
  weir_compiled_grammar_free(compiled);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
  CHECK(weir_batch_create(2, &batch) == WEIR_OK);
  CHECK(weir_batch_fill_next_token_bitmasks(batch, rows, 2, bitmasks, 2, steps) == WEIR_OK);
  CHECK(steps[0] == WEIR_OK && bitmasks[0] == 1 && steps[1] == WEIR_INVALID_ARGUMENT && bitmasks[1] == 0);
  CHECK(weir_batch_accept_tokens(batch, rows, tokens, 2, steps) == WEIR_OK);
  CHECK(steps[0] == WEIR_OK && steps[1] == WEIR_INVALID_ARGUMENT && weir_matcher_step_count(rows[1]) == 0);
  weir_batch_free(batch);
  weir_matcher_free(rows[0]);
  weir_matcher_free(rows[1]);
}

static void test_draft_tree(void) {
  weir_matcher* matcher = match("root ::= \"a\" (\"b\" \"c\" | \"d\")", NULL);
  const uint32_t tokens[] = {0, 1, 2};
  const int32_t parents[] = {-1, 0, 0};
  const int32_t bad[] = {-1, 1, 0};
  uint32_t bitmasks[3];
  weir_status steps[3];
  CHECK(weir_matcher_fill_draft_tree_bitmasks(matcher, tokens, parents, 3, bitmasks, 3, steps) == WEIR_OK);
  CHECK(steps[0] == WEIR_OK && steps[1] == WEIR_OK && steps[2] == WEIR_REFUSED);
  CHECK(bitmasks[0] == (1U << 1 | 1U << 3) && bitmasks[1] == 1U << 2 && bitmasks[2] == 0);
  CHECK(weir_matcher_step_count(matcher) == 0);
  CHECK(weir_matcher_fill_draft_tree_bitmasks(matcher, tokens, bad, 3, bitmasks, 3, steps) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_fill_draft_tree_bitmasks(matcher, tokens, parents, 3, bitmasks, 2, steps) ==
        WEIR_INVALID_ARGUMENT);
  CHECK(weir_matcher_fill_draft_tree_bitmasks(NULL, tokens, parents, 3, bitmasks, 3, steps) == WEIR_INVALID_ARGUMENT);
  weir_matcher_free(matcher);
}

static void test_mask_ids(void) {
  weir_matcher* matcher = match("root ::= \"a\"?", NULL);
  uint64_t first = 0;
  uint64_t again = 1;
  CHECK(weir_matcher_next_token_mask_id(matcher, &first) == WEIR_OK);
  CHECK(weir_matcher_accept_token(matcher, 5) == WEIR_OK);
  CHECK(weir_matcher_next_token_mask_id(matcher, &again) == WEIR_NOT_FOUND && again == 0);
  CHECK(weir_matcher_reset(matcher) == WEIR_OK);
  CHECK(weir_matcher_next_token_mask_id(matcher, &again) == WEIR_OK && again == first);
  CHECK(weir_matcher_next_token_mask_id(NULL, &again) == WEIR_INVALID_ARGUMENT);
  weir_matcher_free(matcher);
}

static void test_cache(void) {
  weir_tokenizer_info* tokenizer = letters();
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_cache_stats stats;
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  for (int i = 0; i < 2; ++i) {
    CHECK(weir_compiler_compile_regex(compiler, weir_text_of("a+"), NULL, &compiled, NULL) == WEIR_OK);
    weir_compiled_grammar_free(compiled);
  }
  stats.struct_size = sizeof stats;
  CHECK(weir_compiler_cache_stats(compiler, &stats) == WEIR_OK);
  CHECK(stats.hits == 1 && stats.misses == 1 && stats.entries == 1 && stats.memory_bytes > 0);
  CHECK(weir_compiler_clear_cache(compiler) == WEIR_OK);
  CHECK(weir_compiler_cache_stats(compiler, &stats) == WEIR_OK && stats.entries == 0);
  CHECK(weir_compiler_clear_cache(NULL) == WEIR_INVALID_ARGUMENT);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

int main(void) {
  test_batch();
  test_prefetch();
  test_two_vocabularies();
  test_draft_tree();
  test_mask_ids();
  test_cache();
  return EXIT_SUCCESS;
}
