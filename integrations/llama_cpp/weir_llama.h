/* A grammar as a llama.cpp sampler. Header-only, C11 or C++; works with the llama.h that the program includes.
 *
 * WHAT     weir_llama_tokenizer_info makes a tokenizer from a model's vocabulary. weir_llama_sampler_init makes a
 *          sampler from a compiled grammar; it sets the logits of candidates that the grammar does not allow to minus
 *          infinity. Put it first in a chain:
 *              llama_sampler_chain_add(chain, weir_llama_sampler_init(compiled, NULL));
 *          Call llama_sampler_accept with the tokens of the output only, not with those of the prompt.
 * END      Where the output may end, the vocabulary's end-of-generation tokens are allowed. After one of them, after a
 *          token that the grammar refuses, and at a dead end, where the vocabulary cannot spell what must come, only they
 *          are allowed; weir_llama_sampler_has_refused distinguishes the first case from the others. A vocabulary
 *          without such tokens leaves no candidate then: look at weir_llama_sampler_has_refused before sampling goes on.
 * TEXT     The bytes of a token are those of llama_token_to_piece, so the first token of an output keeps its leading
 *          space.
 * COPIES   llama_sampler_clone makes a sampler with the same state; llama_sampler_reset returns to the initial state.
 * LINK     weir and llama.
 */
#ifndef WEIR_LLAMA_H_
#define WEIR_LLAMA_H_

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "llama.h"
#include "weir_c.h"

/* The state of a sampler. `mask` and `stops` are bitmasks of `words` words each, in one block of memory. */
typedef struct weir_llama_state {
  weir_matcher* matcher;
  uint32_t* mask;
  uint32_t* stops;
  size_t words;
  bool has_refused;
} weir_llama_state;

/* ---- Tokenizers ---- */

/* Writes the bytes of a token to `buffer`, which has `size` bytes. Returns the number of the token's bytes. */
static inline size_t weir_llama_piece(const struct llama_vocab* vocab, llama_token token, char* buffer, size_t size) {
  const int32_t room = size > INT32_MAX ? INT32_MAX : (int32_t)size;
  const int32_t length = llama_token_to_piece(vocab, token, buffer, room, 0, false);
  return (size_t)(length < 0 ? -length : length);
}

/* Returns true for control tokens and the unknown token. A grammar matches them by name, never as text. */
static inline bool weir_llama_is_special(const struct llama_vocab* vocab, llama_token token) {
  const int attributes = (int)llama_vocab_get_attr(vocab, token);
  return (attributes & ((int)LLAMA_TOKEN_ATTR_CONTROL | (int)LLAMA_TOKEN_ATTR_UNKNOWN)) != 0;
}

/* Fills `spec` and the arrays, which have spec->token_count elements. The tokens' bytes are written to `block`, which
 * has `size` bytes. */
static inline void weir_llama_read(const struct llama_vocab* vocab, weir_vocab_spec* spec, weir_text* tokens,
                                   uint32_t* special, uint32_t* stops, char* block, size_t size) {
  for (size_t i = 0; i < spec->token_count; ++i) {
    const llama_token token = (llama_token)i;
    if (llama_vocab_is_eog(vocab, token)) stops[spec->stop_token_count++] = (uint32_t)i;
    if (weir_llama_is_special(vocab, token)) {
      special[spec->special_token_count++] = (uint32_t)i;
      tokens[i] = weir_text_of(llama_vocab_get_text(vocab, token));
    } else {
      tokens[i].data = block;
      tokens[i].size = weir_llama_piece(vocab, token, block, size);
      block += tokens[i].size;
      size -= tokens[i].size;
    }
  }
}

/* Makes the tokenizer of a model's vocabulary. Errors: as weir_tokenizer_info_from_vocab. Cost: two passes over the
 * tokens. */
static inline weir_status weir_llama_tokenizer_info(const struct llama_vocab* vocab, weir_tokenizer_info** out,
                                                    weir_error** error) {
  const size_t count = (size_t)llama_vocab_n_tokens(vocab);
  size_t bytes = 1;
  weir_vocab_spec spec;
  weir_text* tokens;
  uint32_t* special;
  uint32_t* stops;
  char* block;
  weir_status status = WEIR_OUT_OF_MEMORY;
  if (out != NULL) *out = NULL;
  if (error != NULL) *error = NULL;
  for (size_t i = 0; i < count; ++i) bytes += weir_llama_piece(vocab, (llama_token)i, NULL, 0);
  tokens = (weir_text*)malloc((count + 1) * sizeof(weir_text));
  special = (uint32_t*)malloc((count + 1) * sizeof(uint32_t));
  stops = (uint32_t*)malloc((count + 1) * sizeof(uint32_t));
  block = (char*)malloc(bytes);
  if (tokens != NULL && special != NULL && stops != NULL && block != NULL) {
    status = weir_vocab_spec_init(&spec, sizeof spec);
    spec.tokens = tokens;
    spec.token_count = count;
    spec.special_token_ids = special;
    spec.stop_token_ids = stops;
    weir_llama_read(vocab, &spec, tokens, special, stops, block, bytes);
    if (status == WEIR_OK) status = weir_tokenizer_info_from_vocab(&spec, NULL, out, error);
  }
  free(block);
  free(stops);
  free(special);
  free(tokens);
  return status;
}

/* ---- The sampler ---- */

static inline weir_llama_state* weir_llama_state_of(const struct llama_sampler* sampler) {
  return (weir_llama_state*)sampler->ctx;
}

static inline const char* weir_llama_name(const struct llama_sampler* sampler) {
  (void)sampler;
  return "weir";
}

static inline void weir_llama_accept(struct llama_sampler* sampler, llama_token token) {
  weir_llama_state* state = weir_llama_state_of(sampler);
  if (state->has_refused || weir_matcher_is_terminated(state->matcher)) return;
  state->has_refused = token < 0 || weir_matcher_accept_token(state->matcher, (uint32_t)token) != WEIR_OK;
}

static inline bool weir_llama_is_empty(const uint32_t* mask, size_t words) {
  for (size_t i = 0; i < words; ++i) {
    if (mask[i] != 0) return false;
  }
  return true;
}

static inline void weir_llama_apply(struct llama_sampler* sampler, llama_token_data_array* candidates) {
  weir_llama_state* state = weir_llama_state_of(sampler);
  const uint32_t* mask = state->stops;
  if (!state->has_refused && !weir_matcher_is_terminated(state->matcher)) {
    mask = state->mask;
    if (weir_matcher_fill_next_token_bitmask(state->matcher, state->mask, state->words) != WEIR_OK) {
      state->has_refused = true; /* A limit: an early end is better than a text outside the grammar. */
      mask = state->stops;
    } else if (weir_llama_is_empty(mask, state->words) && !weir_matcher_is_completed(state->matcher)) {
      state->has_refused = true; /* A dead end. */
      mask = state->stops;
    }
  }
  for (size_t i = 0; i < candidates->size; ++i) {
    const llama_token token = candidates->data[i].id;
    const bool has_bit = token >= 0 && (size_t)token < state->words * 32;
    if (has_bit && weir_bitmask_get(mask, (uint32_t)token)) continue;
    candidates->data[i].logit = -INFINITY;
    candidates->sorted = false;
  }
}

static inline void weir_llama_reset(struct llama_sampler* sampler) {
  weir_llama_state* state = weir_llama_state_of(sampler);
  (void)weir_matcher_reset(state->matcher);
  state->has_refused = false;
}

static inline void weir_llama_state_free(weir_llama_state* state) {
  if (state == NULL) return;
  weir_matcher_free(state->matcher);
  free(state->mask);
  free(state);
}

static inline void weir_llama_free(struct llama_sampler* sampler) {
  weir_llama_state_free(weir_llama_state_of(sampler));
}

static inline struct llama_sampler* weir_llama_clone(const struct llama_sampler* sampler);

/* In newer versions of llama.h the struct has more members after these six; they are NULL. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
static inline struct llama_sampler* weir_llama_sampler_of(weir_llama_state* state) {
  static struct llama_sampler_i calls = {weir_llama_name,  weir_llama_accept, weir_llama_apply,
                                         weir_llama_reset, weir_llama_clone,  weir_llama_free};
  return state != NULL ? llama_sampler_init(&calls, state) : NULL;
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* Makes a state that takes ownership of `matcher`. Returns NULL, and frees `matcher`, if there is no memory. */
static inline weir_llama_state* weir_llama_state_create(weir_matcher* matcher, size_t words) {
  weir_llama_state* state = (weir_llama_state*)calloc(1, sizeof(weir_llama_state));
  uint32_t* block = (uint32_t*)calloc(2 * words + 1, sizeof(uint32_t));
  if (state == NULL || block == NULL) {
    free(state);
    free(block);
    weir_matcher_free(matcher);
    return NULL;
  }
  state->matcher = matcher;
  state->mask = block;
  state->stops = block + words;
  state->words = words;
  return state;
}

static inline struct llama_sampler* weir_llama_clone(const struct llama_sampler* sampler) {
  const weir_llama_state* from = weir_llama_state_of(sampler);
  weir_matcher* matcher = NULL;
  weir_llama_state* state;
  if (weir_matcher_fork(from->matcher, &matcher) != WEIR_OK) return NULL;
  state = weir_llama_state_create(matcher, from->words);
  if (state == NULL) return NULL;
  memcpy(state->stops, from->stops, from->words * sizeof(uint32_t));
  state->has_refused = from->has_refused;
  return weir_llama_sampler_of(state);
}

/* Makes a sampler at the start of an output. The caller passes it to llama_sampler_chain_add or llama_sampler_free. If
 * `options` is NULL, the output continues a text (at_text_start is false). Returns NULL if `compiled` is NULL or there
 * is no memory. */
static inline struct llama_sampler* weir_llama_sampler_init(const weir_compiled_grammar* compiled,
                                                            const weir_matcher_options* options) {
  weir_tokenizer_info* tokenizer = NULL;
  weir_matcher* matcher = NULL;
  weir_llama_state* state;
  weir_matcher_options continues;
  const uint32_t* stops = NULL;
  size_t stop_count;
  if (weir_matcher_options_init(&continues, sizeof continues) != WEIR_OK) return NULL;
  continues.at_text_start = false;
  if (weir_matcher_create(compiled, options != NULL ? options : &continues, &matcher) != WEIR_OK) return NULL;
  if (weir_compiled_grammar_tokenizer_info(compiled, &tokenizer) != WEIR_OK) {
    weir_matcher_free(matcher);
    return NULL;
  }
  state = weir_llama_state_create(matcher, weir_bitmask_words(weir_tokenizer_info_vocab_size(tokenizer)));
  /* The matcher's, which `options` may name; not the tokenizer's. */
  stop_count = state != NULL ? weir_matcher_stop_token_ids(state->matcher, &stops) : 0;
  for (size_t i = 0; state != NULL && i < stop_count; ++i) state->stops[stops[i] / 32] |= 1U << stops[i] % 32;
  weir_tokenizer_info_free(tokenizer);
  return weir_llama_sampler_of(state);
}

/* Returns true if the sampler accepted a token that the grammar refuses, exceeded a limit, or came to a dead end. */
static inline bool weir_llama_sampler_has_refused(const struct llama_sampler* sampler) {
  return weir_llama_state_of(sampler)->has_refused;
}

/* Returns true if the output so far is a complete text of the grammar. */
static inline bool weir_llama_sampler_is_completed(const struct llama_sampler* sampler) {
  return !weir_llama_state_of(sampler)->has_refused && weir_matcher_is_completed(weir_llama_state_of(sampler)->matcher);
}

#endif /* WEIR_LLAMA_H_ */
