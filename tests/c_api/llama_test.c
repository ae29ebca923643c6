/* The sampler for llama.cpp, with the fake llama.h. */
#include "check.h"
#include "weir_llama.h"

static const char* const kTokens[] = {"a", "b", "c", "ab", " ", "<end>", "<tool>", "d"};
enum { kCount = 8, kEnd = 5 };

static weir_compiled_grammar* compile_for_llama(const char* text) {
  const struct llama_vocab vocab = {kTokens, kCount};
  weir_tokenizer_info* tokenizer = NULL;
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_error* error = NULL;
  CHECK(weir_llama_tokenizer_info(&vocab, &tokenizer, &error) == WEIR_OK && error == NULL);
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile_ebnf(compiler, weir_text_of(text), NULL, &compiled, NULL) == WEIR_OK);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
  return compiled;
}

/* Returns true if the sampler masks all tokens except these. The candidates are not in the order of their ids. */
static bool leaves(struct llama_sampler* sampler, const char* expected) {
  llama_token_data data[kCount + 1];
  llama_token_data_array candidates;
  bool is_right = true;
  for (int i = 0; i <= kCount; ++i) {
    data[i].id = kCount + 24 * (i == 0) - i; /* 32, which is beyond the bitmask, then 7 to 0 */
    data[i].logit = (float)i;
    data[i].p = 0;
  }
  candidates.data = data;
  candidates.size = kCount + 1;
  candidates.selected = -1;
  candidates.sorted = true;
  llama_sampler_apply(sampler, &candidates);
  for (int i = 0; i <= kCount; ++i) {
    char digit[2] = {(char)('0' + data[i].id % 32 % 10), '\0'};
    const bool is_left = data[i].id < kCount && strstr(expected, digit) != NULL;
    is_right = is_right && (is_left ? data[i].logit == (float)i : data[i].logit < -1e30F);
  }
  return is_right && !candidates.sorted;
}

static void test_vocabulary(void) {
  const struct llama_vocab vocab = {kTokens, kCount};
  weir_tokenizer_info* tokenizer = NULL;
  const uint32_t* stops = NULL;
  weir_text text;
  uint32_t id = 0;
  CHECK(weir_llama_tokenizer_info(&vocab, &tokenizer, NULL) == WEIR_OK);
  CHECK(weir_tokenizer_info_vocab_size(tokenizer) == kCount);
  CHECK(weir_tokenizer_info_token_bytes(tokenizer, 3, &text) == WEIR_OK && equals(text, "ab"));
  CHECK(weir_tokenizer_info_token_bytes(tokenizer, 7, &text) == WEIR_OK && equals(text, "d"));
  CHECK(weir_tokenizer_info_token_bytes(tokenizer, 6, &text) == WEIR_OK && equals(text, ""));
  CHECK(weir_tokenizer_info_find_special_token(tokenizer, weir_text_of("<tool>"), &id) == WEIR_OK && id == 6);
  CHECK(weir_tokenizer_info_stop_token_ids(tokenizer, &stops) == 1 && stops[0] == kEnd);
  weir_tokenizer_info_free(tokenizer);
}

static void test_sampler(void) {
  weir_compiled_grammar* compiled = compile_for_llama("root ::= \"a\" \"b\"+ <tool>?");
  struct llama_sampler* sampler = weir_llama_sampler_init(compiled, NULL);
  struct llama_sampler* other;
  weir_compiled_grammar_free(compiled);
  CHECK(strcmp(llama_sampler_name(sampler), "weir") == 0);
  CHECK(leaves(sampler, "03") && !weir_llama_sampler_is_completed(sampler));
  llama_sampler_accept(sampler, 3);
  CHECK(leaves(sampler, "156") && weir_llama_sampler_is_completed(sampler));

  other = llama_sampler_clone(sampler);
  llama_sampler_accept(sampler, kEnd);
  CHECK(leaves(sampler, "5") && !weir_llama_sampler_has_refused(sampler) && weir_llama_sampler_is_completed(sampler));
  llama_sampler_accept(sampler, 0);
  CHECK(leaves(sampler, "5") && !weir_llama_sampler_has_refused(sampler));
  llama_sampler_accept(other, 6);
  CHECK(leaves(other, "5") && !weir_llama_sampler_has_refused(other));
  llama_sampler_reset(sampler);
  CHECK(leaves(sampler, "03"));
  llama_sampler_accept(sampler, 1);
  CHECK(weir_llama_sampler_has_refused(sampler) && leaves(sampler, "5") && !weir_llama_sampler_is_completed(sampler));
  llama_sampler_free(other);
  other = llama_sampler_clone(sampler);
  CHECK(weir_llama_sampler_has_refused(other) && leaves(other, "5"));
  llama_sampler_accept(other, 0);
  CHECK(leaves(other, "5"));
  llama_sampler_reset(other);
  CHECK(leaves(other, "03"));
  llama_sampler_accept(other, -1);
  CHECK(weir_llama_sampler_has_refused(other));
  llama_sampler_free(sampler);
  llama_sampler_free(other);
}

/* The vocabulary has no token for the second character. */
static void test_dead_end(void) {
  weir_compiled_grammar* compiled = compile_for_llama("root ::= \"a\" \"x\"");
  struct llama_sampler* sampler = weir_llama_sampler_init(compiled, NULL);
  weir_compiled_grammar_free(compiled);
  CHECK(leaves(sampler, "0") && !weir_llama_sampler_has_refused(sampler));
  llama_sampler_accept(sampler, 0);
  CHECK(leaves(sampler, "5") && weir_llama_sampler_has_refused(sampler));
  llama_sampler_reset(sampler);
  CHECK(leaves(sampler, "0") && !weir_llama_sampler_has_refused(sampler));
  llama_sampler_free(sampler);
}

static void test_misuse(void) {
  const struct llama_vocab none = {kTokens, 0};
  weir_tokenizer_info* tokenizer = NULL;
  weir_error* error = NULL;
  CHECK(weir_llama_sampler_init(NULL, NULL) == NULL);
  CHECK(weir_llama_tokenizer_info(&none, &tokenizer, &error) == WEIR_INVALID_ARGUMENT && tokenizer == NULL);
  CHECK(error != NULL);
  weir_error_free(error);
}

/* The stop tokens of the options take the place of the vocabulary's, also after the end. */
static void test_stop_tokens_of_the_options(void) {
  weir_compiled_grammar* compiled = compile_for_llama("root ::= \"a\"");
  static const uint32_t kStop[] = {7};
  weir_matcher_options options;
  struct llama_sampler* sampler;
  CHECK(weir_matcher_options_init(&options, sizeof options) == WEIR_OK);
  options.stop_token_ids = kStop;
  options.stop_token_count = 1;
  sampler = weir_llama_sampler_init(compiled, &options);
  llama_sampler_accept(sampler, 0);
  CHECK(leaves(sampler, "7"));
  llama_sampler_accept(sampler, 7);
  CHECK(leaves(sampler, "7") && !weir_llama_sampler_has_refused(sampler));
  llama_sampler_free(sampler);
  weir_compiled_grammar_free(compiled);
}

int main(void) {
  test_stop_tokens_of_the_options();
  test_vocabulary();
  test_sampler();
  test_dead_end();
  test_misuse();
  return 0;
}
