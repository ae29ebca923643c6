/* Helpers of the C interface's tests. Each test is compiled as C11 and as C++20. */
#ifndef WEIR_TESTS_C_API_CHECK_H_
#define WEIR_TESTS_C_API_CHECK_H_

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weir_c.h"

/* Ends the program if `condition` does not hold. */
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)

static inline void check(bool holds, const char* condition, const char* file, int line) {
  if (holds) return;
  fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
  exit(EXIT_FAILURE);
}

static inline bool equals(weir_text text, const char* expected) {
  return text.size == strlen(expected) && (text.size == 0 || memcmp(text.data, expected, text.size) == 0);
}

static inline bool contains(weir_text text, const char* part) {
  const size_t size = strlen(part);
  for (size_t i = 0; i + size <= text.size; ++i) {
    if (memcmp(text.data + i, part, size) == 0) return true;
  }
  return false;
}

/* Returns true if the text is the expected one; frees it. */
static inline bool take(weir_owned_text* text, const char* expected) {
  weir_text view;
  view.data = text->data;
  view.size = text->size;
  const bool is_equal = text->data != NULL && equals(view, expected) && text->data[text->size] == '\0';
  weir_owned_text_free(text);
  return is_equal && text->data == NULL && text->size == 0;
}

/* A vocabulary of the bytes 'a' to 'd' (tokens 0 to 3), "ab" (4), "<end>" (5, the stop token), "<|tool|>" (6, special).
 */
static inline weir_tokenizer_info* letters(void) {
  const weir_text tokens[] = {weir_text_of("a"),  weir_text_of("b"),     weir_text_of("c"),       weir_text_of("d"),
                              weir_text_of("ab"), weir_text_of("<end>"), weir_text_of("<|tool|>")};
  const uint32_t special[] = {5, 6};
  const uint32_t stop[] = {5};
  weir_vocab_spec spec;
  weir_tokenizer_info* tokenizer = NULL;
  CHECK(weir_vocab_spec_init(&spec, sizeof spec) == WEIR_OK);
  spec.tokens = tokens;
  spec.token_count = 7;
  spec.special_token_ids = special;
  spec.special_token_count = 2;
  spec.stop_token_ids = stop;
  spec.stop_token_count = 1;
  CHECK(weir_tokenizer_info_from_vocab(&spec, NULL, &tokenizer, NULL) == WEIR_OK);
  return tokenizer;
}

/* Returns the grammar, compiled for `letters` with `limits`, which may be NULL. Frees all other handles. */
static inline weir_compiled_grammar* compile(const char* ebnf, const weir_limits* limits) {
  weir_tokenizer_info* tokenizer = letters();
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  CHECK(weir_compiler_create(tokenizer, limits, &compiler, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile_ebnf(compiler, weir_text_of(ebnf), NULL, &compiled, NULL) == WEIR_OK);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
  return compiled;
}

/* Returns a matcher for the grammar and frees all other handles. */
static inline weir_matcher* match(const char* ebnf, const weir_limits* limits) {
  weir_compiled_grammar* compiled = compile(ebnf, limits);
  weir_matcher* matcher = NULL;
  CHECK(weir_matcher_create(compiled, NULL, &matcher) == WEIR_OK);
  weir_compiled_grammar_free(compiled);
  return matcher;
}

#endif /* WEIR_TESTS_C_API_CHECK_H_ */
