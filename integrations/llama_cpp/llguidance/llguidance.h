/* The matchers of llguidance's C interface, on weir. Header-only, C11 or C++, GCC or Clang.
 *
 * WHAT     A program that includes llguidance's `llguidance.h` for tokenizers and matchers includes this file instead,
 *          and links weir. llama.cpp is one (-DLLAMA_LLGUIDANCE=ON): llguidance.cmake beside this file has it build
 *          with weir, without a change of its sources.
 * NAMES    Names, parameters, fields and their order, and results are llguidance's. What a function does is said at the
 *          function where it differs.
 * MISSING  LlgConstraint, LlgStopController, llg_tokenize_bytes and llg_decode_tokens: programs that use them do not
 *          compile. The constraint type `llguidance` (lists of grammars) is refused.
 * LIMITS   weir has its own limits (weir_limits). LlgParserLimits must be zero.
 * THREADS  As weir_c.h: a tokenizer may be shared by threads, a matcher belongs to one at a time.
 *
 * Example, with a tokenizer as llg_new_tokenizer makes it:
 *     LlgConstraintInit init;
 *     llg_constraint_init_set_defaults(&init, tokenizer);
 *     LlgMatcher* matcher = llg_new_matcher(&init, "lark", "start: /[0-9]+/");
 *     if (llg_matcher_get_error(matcher) != NULL) return fail(llg_matcher_get_error(matcher));
 *     while (!llg_matcher_is_stopped(matcher)) {
 *       if (llg_matcher_compute_mask(matcher) != 0) break;
 *       if (llg_matcher_consume_token(matcher, sample(llg_matcher_get_mask(matcher))) != 0) break;
 *     }
 *     llg_free_matcher(matcher);
 */
#ifndef LLGUIDANCE_H
#define LLGUIDANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "weir_c.h"

typedef uint32_t LlgToken;

/* Writes at most `output_tokens_len` tokens and returns the number of all tokens. Must be thread-safe. */
typedef size_t (*LlgTokenizeFn)(const void* user_data, const uint8_t* bytes, size_t bytes_len, uint32_t* output_tokens,
                                size_t output_tokens_len);

/* What a tokenizer is made from. The bytes of special tokens begin with 0xFF, their names follow. If tokenizer_json is
 * set, it is the content of a tokenizer.json, and token_lens and token_bytes are not read; the vocabulary then has
 * vocab_size tokens at least. weir does not call tokenize_fn, and has no use for slices. */
typedef struct LlgTokenizerInit {
  uint32_t vocab_size;
  LlgToken tok_eos;
  const uint32_t* token_lens;
  const uint8_t* token_bytes;
  const char* tokenizer_json;
  bool tokenize_assumes_string;
  LlgTokenizeFn tokenize_fn;
  bool use_approximate_greedy_tokenize_fn;
  const void* tokenize_user_data;
  const char* const* slices;
} LlgTokenizerInit;

/* The same, with further stop tokens. struct_size is sizeof(LlgTokenizerInitV2). */
typedef struct LlgTokenizerInitV2 {
  size_t struct_size;
  uint32_t vocab_size;
  LlgToken tok_eos;
  const uint32_t* token_lens;
  const uint8_t* token_bytes;
  const char* tokenizer_json;
  bool tokenize_assumes_string;
  LlgTokenizeFn tokenize_fn;
  bool use_approximate_greedy_tokenize_fn;
  const void* tokenize_user_data;
  const char* const* slices;
  const LlgToken* tok_eos_extra;
  uint32_t tok_eos_extra_count;
} LlgTokenizerInitV2;

/* A tokenizer and its compiler, which all copies of a handle share. */
typedef struct LlgTokenizer {
  weir_tokenizer_info* info;
  weir_compiler* compiler;
  long references;
} LlgTokenizer;

typedef struct LlgParserLimits {
  size_t max_items_in_row;
  uint64_t initial_lexer_fuel;
  uint64_t step_lexer_fuel;
  size_t step_max_items;
  size_t max_lexer_states;
  size_t max_grammar_size;
  bool precompute_large_lexemes;
  bool verbose_errors;
} LlgParserLimits;

/* What a matcher is made with. weir writes no logs, and matchers ignore ff_tokens_ok and backtrack_ok. */
typedef struct LlgConstraintInit {
  const LlgTokenizer* tokenizer;
  uint32_t log_buffer_level;
  uint32_t log_stderr_level;
  bool ff_tokens_ok;
  bool backtrack_ok;
  LlgParserLimits limits;
} LlgConstraintInit;

/* error: NULL, or the message; then the matcher takes nothing any more. mask: `words` words. */
typedef struct LlgMatcher {
  LlgTokenizer* tokenizer;
  weir_matcher* matcher;
  char* error;
  uint32_t* mask;
  size_t words;
  bool has_mask;
} LlgMatcher;

static inline const char* llg_get_version(void) { return weir_version(); }

/* ---- Texts of errors ---- */

/* Returns a copy of a text with a zero byte after it; NULL if there is no memory. */
static inline char* weir_llg_copy(weir_text text) {
  char* copy = (char*)malloc(text.size + 1);
  if (copy == NULL) return NULL;
  if (text.size > 0) memcpy(copy, text.data, text.size);
  copy[text.size] = '\0';
  return copy;
}

/* Returns the text of an error in `text`, and frees the error. `status` is what the call returned. */
static inline char* weir_llg_message(weir_error* error, weir_status status, weir_text text) {
  weir_owned_text rendered = {NULL, 0};
  weir_text view = weir_text_of(weir_status_name(status));
  char* message;
  if (error != NULL && weir_error_render(error, text, weir_text_of("grammar"), &rendered) == WEIR_OK) {
    view.data = rendered.data;
    view.size = rendered.size;
  }
  message = weir_llg_copy(view);
  weir_owned_text_free(&rendered);
  weir_error_free(error);
  return message;
}

/* Writes as much of a message as fits, and a zero byte. */
static inline void weir_llg_write(const char* message, char* out, size_t size) {
  size_t length;
  if (out == NULL || size == 0) return;
  length = message == NULL ? 0 : strlen(message);
  if (length >= size) length = size - 1;
  if (length > 0) memcpy(out, message, length);
  out[length] = '\0';
}

/* ---- Tokenizers ---- */

static inline weir_status weir_llg_info_of_file(const LlgTokenizerInitV2* init, const uint32_t* stops,
                                                size_t stop_count, weir_tokenizer_info** out, weir_error** error) {
  weir_tokenizer_options options;
  weir_status status = weir_tokenizer_options_init(&options, sizeof options);
  if (status != WEIR_OK) return status;
  options.stop_token_ids = stops;
  options.stop_token_count = stop_count;
  options.padded_vocab_size = init->vocab_size;
  return weir_tokenizer_info_from_bytes(weir_text_of(init->tokenizer_json), weir_text_of("tokenizer.json"), &options,
                                        out, error);
}

static inline weir_status weir_llg_info_of_tokens(const LlgTokenizerInitV2* init, const uint32_t* stops,
                                                  size_t stop_count, weir_tokenizer_info** out, weir_error** error) {
  const char* bytes = (const char*)init->token_bytes;
  weir_text* tokens = (weir_text*)malloc(((size_t)init->vocab_size + 1) * sizeof(weir_text));
  uint32_t* special = (uint32_t*)malloc(((size_t)init->vocab_size + 1) * sizeof(uint32_t));
  weir_vocab_spec spec;
  weir_status status = WEIR_OUT_OF_MEMORY;
  if (tokens != NULL && special != NULL) status = weir_vocab_spec_init(&spec, sizeof spec);
  if (status == WEIR_OK) {
    for (uint32_t i = 0; i < init->vocab_size; ++i) {
      const size_t size = init->token_lens[i];
      const bool is_special = size > 0 && (unsigned char)*bytes == 0xFF;
      tokens[i].data = bytes + (is_special ? 1 : 0);
      tokens[i].size = size - (is_special ? 1 : 0);
      if (is_special) special[spec.special_token_count++] = i;
      bytes += size;
    }
    spec.tokens = tokens;
    spec.token_count = init->vocab_size;
    spec.special_token_ids = special;
    spec.stop_token_ids = stops;
    spec.stop_token_count = stop_count;
    status = weir_tokenizer_info_from_vocab(&spec, NULL, out, error);
  }
  free(special);
  free(tokens);
  return status;
}

/* Returns what is missing in `init`; NULL if nothing is. */
static inline const char* weir_llg_wrong_init(const LlgTokenizerInitV2* init) {
  if (init == NULL) return "`init` is NULL";
  if (init->struct_size < sizeof *init) return "`struct_size` must be sizeof(LlgTokenizerInitV2)";
  if (init->tok_eos_extra == NULL && init->tok_eos_extra_count > 0) return "`tok_eos_extra` is NULL";
  if (init->tokenizer_json != NULL || init->vocab_size == 0) return NULL;
  return init->token_lens == NULL ? "`token_lens` is NULL" : init->token_bytes == NULL ? "`token_bytes` is NULL" : NULL;
}

/* Makes a tokenizer; NULL, and a message in error_string, if weir refuses it. Free it with llg_free_tokenizer. */
static inline LlgTokenizer* llg_new_tokenizer_v2(const LlgTokenizerInitV2* init, char* error_string,
                                                 size_t error_string_len) {
  const char* wrong = weir_llg_wrong_init(init);
  const size_t most = wrong == NULL ? (size_t)init->tok_eos_extra_count + 1 : 1;
  LlgTokenizer* made = (LlgTokenizer*)calloc(1, sizeof(LlgTokenizer));
  uint32_t* stops = (uint32_t*)malloc(most * sizeof(uint32_t));
  weir_error* error = NULL;
  weir_status status = made != NULL && stops != NULL ? WEIR_OK : WEIR_OUT_OF_MEMORY;
  char* message = NULL;
  if (status == WEIR_OK && wrong != NULL) status = WEIR_INVALID_ARGUMENT;
  if (status == WEIR_OK) {
    stops[0] = init->tok_eos;
    for (size_t i = 1; i < most; ++i) stops[i] = init->tok_eos_extra[i - 1];
    status = init->tokenizer_json != NULL ? weir_llg_info_of_file(init, stops, most, &made->info, &error)
                                          : weir_llg_info_of_tokens(init, stops, most, &made->info, &error);
  }
  if (status == WEIR_OK) status = weir_compiler_create(made->info, NULL, &made->compiler, &error);
  free(stops);
  if (status == WEIR_OK) {
    made->references = 1;
    return made;
  }
  message = wrong != NULL ? weir_llg_copy(weir_text_of(wrong)) : weir_llg_message(error, status, weir_text_of(""));
  weir_llg_write(message, error_string, error_string_len);
  free(message);
  if (made != NULL) weir_tokenizer_info_free(made->info);
  free(made);
  return NULL;
}

/* The same with one stop token. */
static inline LlgTokenizer* llg_new_tokenizer(const LlgTokenizerInit* init, char* error_string,
                                              size_t error_string_len) {
  LlgTokenizerInitV2 more;
  memset(&more, 0, sizeof more);
  more.struct_size = sizeof more;
  more.vocab_size = init->vocab_size;
  more.tok_eos = init->tok_eos;
  more.token_lens = init->token_lens;
  more.token_bytes = init->token_bytes;
  more.tokenizer_json = init->tokenizer_json;
  return llg_new_tokenizer_v2(&more, error_string, error_string_len);
}

/* Returns another handle on the tokenizer, which must be freed, too. Unlike llguidance's, a tokenizer may be freed
 * before its matchers. */
static inline LlgTokenizer* llg_clone_tokenizer(const LlgTokenizer* tokenizer) {
  LlgTokenizer* shared = (LlgTokenizer*)tokenizer;
  __atomic_add_fetch(&shared->references, 1, __ATOMIC_RELAXED);
  return shared;
}

static inline void llg_free_tokenizer(LlgTokenizer* tokenizer) {
  if (tokenizer == NULL || __atomic_sub_fetch(&tokenizer->references, 1, __ATOMIC_ACQ_REL) != 0) return;
  weir_compiler_free(tokenizer->compiler);
  weir_tokenizer_info_free(tokenizer->info);
  free(tokenizer);
}

/* ---- Matchers ---- */

static inline void llg_constraint_init_set_defaults(LlgConstraintInit* init, const LlgTokenizer* tokenizer) {
  memset(init, 0, sizeof *init);
  init->tokenizer = tokenizer;
}

static inline bool weir_llg_has_limits(const LlgParserLimits* limits) {
  return limits->max_items_in_row != 0 || limits->initial_lexer_fuel != 0 || limits->step_lexer_fuel != 0 ||
         limits->step_max_items != 0 || limits->max_lexer_states != 0 || limits->max_grammar_size != 0;
}

/* Compiles a grammar: "regex" in Rust's dialect; "json" or "json_schema"; "json_object"; "lark". Schemas, also those
 * after `%json` in Lark: members in the order of the schema, integers with digits alone, any white space. On all but
 * WEIR_OK `*message` receives why, if there is memory. */
static inline weir_status weir_llg_compile(const LlgConstraintInit* init, const char* type, const char* data,
                                           weir_compiled_grammar** out, char** message) {
  weir_json_schema_options schema_options;
  weir_regex_options regex_options;
  weir_text_options text_options;
  weir_error* error = NULL;
  weir_status status = WEIR_UNSUPPORTED;
  weir_text text = weir_text_of(data != NULL ? data : "");
  const bool is_object = type != NULL && strcmp(type, "json_object") == 0;
  if (type == NULL || (data == NULL && !is_object)) {
    *message = weir_llg_copy(weir_text_of(type == NULL ? "the constraint type is NULL" : "the grammar is NULL"));
    return WEIR_INVALID_ARGUMENT;
  }
  if (init->tokenizer == NULL || weir_llg_has_limits(&init->limits)) {
    *message = weir_llg_copy(weir_text_of(init->tokenizer == NULL ? "there is no tokenizer"
                                                                  : "weir has its own limits: `limits` must be zero"));
    return WEIR_INVALID_ARGUMENT;
  }
  weir_json_schema_options_init(&schema_options, sizeof schema_options);
  schema_options.order = WEIR_ORDER_DECLARED;
  schema_options.whitespace = WEIR_WHITESPACE_UNBOUNDED;
  schema_options.integers = WEIR_INTEGERS_PLAIN;
  if (strcmp(type, "regex") == 0) {
    weir_regex_options_init(&regex_options, sizeof regex_options);
    regex_options.dialect = WEIR_REGEX_RUST;
    status = weir_compiler_compile_regex(init->tokenizer->compiler, text, &regex_options, out, &error);
  } else if (is_object || strcmp(type, "json") == 0 || strcmp(type, "json_schema") == 0) {
    if (is_object) text = weir_text_of("{\"type\": \"object\"}");
    status = weir_compiler_compile_json_schema(init->tokenizer->compiler, text, &schema_options, out, &error);
  } else if (strcmp(type, "lark") == 0) {
    weir_text_options_init(&text_options, sizeof text_options);
    text_options.syntax = WEIR_SYNTAX_LARK;
    text_options.json_schema = &schema_options;
    status = weir_compiler_compile_text(init->tokenizer->compiler, text, &text_options, out, &error);
  } else {
    *message =
        weir_llg_copy(weir_text_of("weir takes the constraint types regex, json, json_schema, json_object and lark"));
    return status;
  }
  if (status != WEIR_OK) *message = weir_llg_message(error, status, text);
  return status;
}

/* Returns a matcher, NULL only if there is no memory. llg_matcher_get_error says why a grammar is refused. */
static inline LlgMatcher* llg_new_matcher(const LlgConstraintInit* init, const char* constraint_type,
                                          const char* data) {
  LlgMatcher* made = (LlgMatcher*)calloc(1, sizeof(LlgMatcher));
  weir_compiled_grammar* compiled = NULL;
  weir_matcher_options options;
  weir_status status;
  if (made == NULL) return NULL;
  status = weir_llg_compile(init, constraint_type, data, &compiled, &made->error);
  if (init->tokenizer != NULL) {
    made->tokenizer = llg_clone_tokenizer(init->tokenizer);
    made->words = weir_bitmask_words(weir_tokenizer_info_vocab_size(init->tokenizer->info));
  }
  if (status == WEIR_OK) status = weir_matcher_options_init(&options, sizeof options);
  if (status == WEIR_OK) {
    options.at_text_start = false;
    status = weir_matcher_create(compiled, &options, &made->matcher);
  }
  weir_compiled_grammar_free(compiled);
  made->mask = (uint32_t*)calloc(made->words + 1, sizeof(uint32_t));
  if (status == WEIR_OK && made->mask == NULL) status = WEIR_OUT_OF_MEMORY;
  if (status != WEIR_OK && made->error == NULL) made->error = weir_llg_copy(weir_text_of(weir_status_name(status)));
  return made;
}

static inline void llg_free_matcher(LlgMatcher* matcher) {
  if (matcher == NULL) return;
  weir_matcher_free(matcher->matcher);
  llg_free_tokenizer(matcher->tokenizer);
  free(matcher->mask);
  free(matcher->error);
  free(matcher);
}

/* Returns a matcher in the same state, its error included; NULL if there is no memory. */
static inline LlgMatcher* llg_clone_matcher(const LlgMatcher* matcher) {
  LlgMatcher* made = (LlgMatcher*)calloc(1, sizeof(LlgMatcher));
  if (made == NULL) return NULL;
  made->words = matcher->words;
  made->has_mask = matcher->has_mask;
  made->mask = (uint32_t*)malloc((matcher->words + 1) * sizeof(uint32_t));
  if (matcher->tokenizer != NULL) made->tokenizer = llg_clone_tokenizer(matcher->tokenizer);
  if (matcher->error != NULL) made->error = weir_llg_copy(weir_text_of(matcher->error));
  if (made->mask == NULL || (matcher->error != NULL && made->error == NULL) ||
      (matcher->matcher != NULL && weir_matcher_fork(matcher->matcher, &made->matcher) != WEIR_OK)) {
    llg_free_matcher(made);
    return NULL;
  }
  memcpy(made->mask, matcher->mask, (matcher->words + 1) * sizeof(uint32_t));
  return made;
}

/* Returns 0 for a valid grammar and -1 for one that is refused; `message` then says why. Never 1: weir's warnings are
 * those of weir_check_grammar. */
static inline int32_t llg_validate_grammar(const LlgConstraintInit* init, const char* constraint_type, const char* data,
                                           char* message, size_t message_len) {
  weir_compiled_grammar* compiled = NULL;
  char* why = NULL;
  const weir_status status = weir_llg_compile(init, constraint_type, data, &compiled, &why);
  weir_llg_write(why, message, message_len);
  free(why);
  weir_compiled_grammar_free(compiled);
  return status == WEIR_OK ? 0 : -1;
}

/* Returns the message, which lives as long as the matcher; NULL if there is no error. */
static inline const char* llg_matcher_get_error(LlgMatcher* matcher) { return matcher->error; }
static inline bool llg_matcher_is_error(const LlgMatcher* matcher) { return matcher->error != NULL; }

/* Puts the matcher into the error state, unless the status is WEIR_OK. Returns what llguidance's functions return. */
static inline int32_t weir_llg_outcome(LlgMatcher* matcher, weir_status status) {
  weir_owned_text limit = {NULL, 0};
  weir_text text;
  if (status == WEIR_OK) return 0;
  text = weir_text_of(status == WEIR_REFUSED      ? "the token is not allowed here"
                      : status == WEIR_TERMINATED ? "the output has ended"
                                                  : weir_status_name(status));
  if (status == WEIR_LIMIT_EXCEEDED && weir_matcher_limit_message(matcher->matcher, &limit) == WEIR_OK) {
    text.data = limit.data;
    text.size = limit.size;
  }
  if (matcher->error == NULL) matcher->error = weir_llg_copy(text);
  weir_owned_text_free(&limit);
  return -1;
}

static inline size_t llg_matcher_get_mask_byte_size(const LlgMatcher* matcher) {
  return matcher->words * sizeof(uint32_t);
}

/* After the end of the output only stop tokens are allowed. At a dead end, where the vocabulary cannot spell what must
 * come, the matcher gets into the error state. */
static inline int32_t llg_matcher_compute_mask_into(LlgMatcher* matcher, uint32_t* mask_dest, size_t mask_byte_len) {
  const uint32_t* stops = NULL;
  size_t empty = 0;
  if (matcher->error != NULL) return -1;
  if (mask_byte_len != llg_matcher_get_mask_byte_size(matcher)) return weir_llg_outcome(matcher, WEIR_INVALID_ARGUMENT);
  if (!weir_matcher_is_terminated(matcher->matcher)) {
    if (weir_llg_outcome(matcher, weir_matcher_fill_next_token_bitmask(matcher->matcher, mask_dest, matcher->words)) !=
        0)
      return -1;
    while (empty < matcher->words && mask_dest[empty] == 0) ++empty;
    if (empty < matcher->words || weir_matcher_is_completed(matcher->matcher)) return 0;
    matcher->error =
        weir_llg_copy(weir_text_of("no token can come next: the tokenizer has none for a character that the "
                                   "grammar needs here"));
    return -1;
  }
  memset(mask_dest, 0, mask_byte_len);
  for (size_t i = weir_matcher_stop_token_ids(matcher->matcher, &stops); i > 0; --i) {
    mask_dest[stops[i - 1] / 32] |= (uint32_t)1 << stops[i - 1] % 32;
  }
  return 0;
}

static inline int32_t llg_matcher_compute_mask(LlgMatcher* matcher) {
  const int32_t outcome =
      llg_matcher_compute_mask_into(matcher, matcher->mask, llg_matcher_get_mask_byte_size(matcher));
  matcher->has_mask = outcome == 0;
  return outcome;
}

/* Returns the mask of the last llg_matcher_compute_mask; NULL if the matcher has moved since. */
static inline const uint32_t* llg_matcher_get_mask(LlgMatcher* matcher) {
  return matcher->has_mask ? matcher->mask : NULL;
}

static inline int32_t llg_matcher_consume_token(LlgMatcher* matcher, uint32_t token) {
  if (matcher->error != NULL) return -1;
  matcher->has_mask = false;
  return weir_llg_outcome(matcher, weir_matcher_accept_token(matcher->matcher, token));
}

static inline int32_t llg_matcher_consume_tokens(LlgMatcher* matcher, const uint32_t* tokens, size_t n_tokens) {
  for (size_t i = 0; i < n_tokens; ++i) {
    if (llg_matcher_consume_token(matcher, tokens[i]) != 0) return -1;
  }
  return matcher->error == NULL ? 0 : -1;
}

static inline int32_t llg_matcher_rollback(LlgMatcher* matcher, size_t num_tokens) {
  if (matcher->error != NULL) return -1;
  matcher->has_mask = false;
  return weir_llg_outcome(matcher, weir_matcher_rollback(matcher->matcher, num_tokens));
}

static inline int32_t llg_matcher_reset(LlgMatcher* matcher) {
  if (matcher->error != NULL) return -1;
  matcher->has_mask = false;
  return weir_llg_outcome(matcher, weir_matcher_reset(matcher->matcher));
}

static inline bool llg_matcher_is_accepting(LlgMatcher* matcher) {
  return matcher->error == NULL && weir_matcher_is_completed(matcher->matcher);
}

/* Returns true after a stop token, in the error state, and where the output is complete and nothing can follow. */
static inline bool llg_matcher_is_stopped(const LlgMatcher* matcher) {
  weir_expectation* next = NULL;
  bool is_stopped;
  if (matcher->error != NULL || weir_matcher_is_terminated(matcher->matcher)) return true;
  if (!weir_matcher_is_completed(matcher->matcher)) return false;
  if (weir_matcher_expected(matcher->matcher, &next) != WEIR_OK) return false;
  is_stopped = weir_expectation_bytes(next).size == 0 && weir_expectation_terminal_count(next) == 0;
  weir_expectation_free(next);
  return is_stopped;
}

/* Returns the number of first tokens that could be consumed; -1 in the error state. Changes nothing. */
static inline int32_t llg_matcher_validate_tokens(LlgMatcher* matcher, const uint32_t* tokens, size_t n_tokens) {
  size_t taken = 0;
  if (matcher->error != NULL) return -1;
  while (taken < n_tokens && weir_matcher_accept_token(matcher->matcher, tokens[taken]) == WEIR_OK) ++taken;
  if (taken > 0 && weir_llg_outcome(matcher, weir_matcher_rollback(matcher->matcher, taken)) != 0) return -1;
  return (int32_t)taken;
}

/* Writes the tokens that must come next and that no later text changes, as weir_matcher_forced_tokens finds them: none
 * for a tokenizer that was made from tokens alone. */
static inline int32_t llg_matcher_compute_ff_tokens(LlgMatcher* matcher, uint32_t* output, size_t output_len) {
  weir_token_ids forced = {NULL, 0};
  weir_status status;
  int32_t count;
  if (matcher->error != NULL) return -1;
  if (weir_matcher_is_terminated(matcher->matcher)) return 0;
  status = weir_matcher_forced_tokens(matcher->matcher, &forced);
  if (status == WEIR_LIMIT_EXCEEDED) status = WEIR_OK; /* the tokens found before the limit are forced */
  count = weir_llg_outcome(matcher, status);
  if (count == 0) {
    count = (int32_t)(forced.size < output_len ? forced.size : output_len);
    if (count > 0) memcpy(output, forced.data, (size_t)count * sizeof(uint32_t));
  }
  weir_token_ids_free(&forced);
  return count;
}

#endif /* LLGUIDANCE_H */
