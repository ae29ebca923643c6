/* A complete decoding loop in C, with a random generator in place of a model: compiles a grammar, then computes a mask,
 * draws a token and accepts it until the text is complete. Usage: weir_c_example [SEED] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "weir_c.h"

static const char kGrammar[] =
    "root ::= greeting \", \" name \"!\"\n"
    "greeting ::= \"hello\" | \"good \" (\"morning\" | \"evening\")\n"
    "name ::= [A-Z] [a-z]{2,7}\n";

/* In place of a model and its sampler: returns one of the `count` tokens whose bits are set, all equally likely. */
static uint32_t draw(const uint32_t* bitmask, size_t count, uint32_t vocab_size) {
  size_t left = (size_t)rand() % count;
  uint32_t token = 0;
  for (; token < vocab_size; ++token) {
    if (weir_bitmask_get(bitmask, token) && left-- == 0) break;
  }
  return token;
}

/* Prints why something could not be built. */
static int fail(weir_error* error) {
  weir_owned_text message = {NULL, 0};
  if (weir_error_render(error, weir_text_of(kGrammar), weir_text_of("<grammar>"), &message) == WEIR_OK) {
    fputs(message.data, stderr);
  }
  weir_owned_text_free(&message);
  weir_error_free(error);
  return EXIT_FAILURE;
}

/* Writes one text of the grammar. */
static int write_text(weir_matcher* matcher, uint32_t vocab_size) {
  const size_t words = weir_bitmask_words(vocab_size);
  uint32_t* bitmask = calloc(words, sizeof *bitmask);
  weir_tokenizer_info* tokenizer = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_owned_text text = {NULL, 0};
  uint32_t output[64];
  size_t length = 0;
  int done = EXIT_FAILURE;
  if (bitmask == NULL) return EXIT_FAILURE;
  while (!weir_matcher_is_terminated(matcher) && length < sizeof output / sizeof *output) {
    if (weir_matcher_fill_next_token_bitmask(matcher, bitmask, words) != WEIR_OK) break;
    output[length] = draw(bitmask, weir_bitmask_count(bitmask, words), vocab_size);
    if (weir_matcher_accept_token(matcher, output[length]) != WEIR_OK) break;
    ++length;
  }
  if (weir_matcher_is_terminated(matcher) && weir_matcher_compiled_grammar(matcher, &compiled) == WEIR_OK &&
      weir_compiled_grammar_tokenizer_info(compiled, &tokenizer) == WEIR_OK &&
      weir_tokenizer_info_decode(tokenizer, output, length, &text) == WEIR_OK) {
    puts(text.data);
    done = EXIT_SUCCESS;
  }
  weir_owned_text_free(&text);
  weir_tokenizer_info_free(tokenizer);
  weir_compiled_grammar_free(compiled);
  free(bitmask);
  return done;
}

int main(int argc, char** argv) {
  weir_tokenizer_info* tokenizer = NULL;
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_matcher* matcher = NULL;
  weir_error* error = NULL;
  int done = EXIT_FAILURE;
  srand(argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1U);
  if (weir_tokenizer_info_builtin(&tokenizer, &error) != WEIR_OK ||
      weir_compiler_create(tokenizer, NULL, &compiler, &error) != WEIR_OK ||
      weir_compiler_compile_ebnf(compiler, weir_text_of(kGrammar), NULL, &compiled, &error) != WEIR_OK) {
    done = fail(error);
  } else if (weir_matcher_create(compiled, NULL, &matcher) == WEIR_OK) {
    done = write_text(matcher, weir_tokenizer_info_vocab_size(tokenizer));
  }
  weir_matcher_free(matcher);
  weir_compiled_grammar_free(compiled);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
  return done;
}
