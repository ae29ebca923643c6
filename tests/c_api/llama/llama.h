/* A fake llama.h with a vocabulary of letters and only the functions that integrations/llama_cpp/weir_llama.h uses. Its
 * test is compiled with this file if llama.cpp is not installed. */
#ifndef WEIR_TESTS_C_API_LLAMA_LLAMA_H_
#define WEIR_TESTS_C_API_LLAMA_LLAMA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t llama_token;
typedef void* llama_sampler_context_t;

enum llama_token_attr {
  LLAMA_TOKEN_ATTR_UNDEFINED = 0,
  LLAMA_TOKEN_ATTR_UNKNOWN = 1 << 0,
  LLAMA_TOKEN_ATTR_NORMAL = 1 << 2,
  LLAMA_TOKEN_ATTR_CONTROL = 1 << 3
};

typedef struct llama_token_data {
  llama_token id;
  float logit;
  float p;
} llama_token_data;

typedef struct llama_token_data_array {
  llama_token_data* data;
  size_t size;
  int64_t selected;
  bool sorted;
} llama_token_data_array;

struct llama_sampler;

struct llama_sampler_i {
  const char* (*name)(const struct llama_sampler* sampler);
  void (*accept)(struct llama_sampler* sampler, llama_token token);
  void (*apply)(struct llama_sampler* sampler, llama_token_data_array* candidates);
  void (*reset)(struct llama_sampler* sampler);
  struct llama_sampler* (*clone)(const struct llama_sampler* sampler);
  void (*free)(struct llama_sampler* sampler);
  void (*a_later_version)(void);
};

struct llama_sampler {
  struct llama_sampler_i* iface;
  llama_sampler_context_t ctx;
};

/* The texts of the tokens; those in angle brackets are control tokens, and "<end>" ends a generation. */
struct llama_vocab {
  const char* const* tokens;
  int32_t count;
};

static inline int32_t llama_vocab_n_tokens(const struct llama_vocab* vocab) { return vocab->count; }

static inline const char* llama_vocab_get_text(const struct llama_vocab* vocab, llama_token token) {
  return vocab->tokens[token];
}

static inline enum llama_token_attr llama_vocab_get_attr(const struct llama_vocab* vocab, llama_token token) {
  return vocab->tokens[token][0] == '<' ? LLAMA_TOKEN_ATTR_CONTROL : LLAMA_TOKEN_ATTR_NORMAL;
}

static inline bool llama_vocab_is_eog(const struct llama_vocab* vocab, llama_token token) {
  return strcmp(vocab->tokens[token], "<end>") == 0;
}

static inline int32_t llama_token_to_piece(const struct llama_vocab* vocab, llama_token token, char* buffer,
                                           int32_t length, int32_t lstrip, bool special) {
  const int32_t size = (int32_t)strlen(vocab->tokens[token]);
  (void)lstrip;
  if (!special && vocab->tokens[token][0] == '<') return 0;
  if (size > length) return -size;
  if (buffer != NULL) memcpy(buffer, vocab->tokens[token], (size_t)size);
  return size;
}

static inline struct llama_sampler* llama_sampler_init(struct llama_sampler_i* iface, llama_sampler_context_t ctx) {
  struct llama_sampler* sampler = (struct llama_sampler*)malloc(sizeof(struct llama_sampler));
  if (sampler == NULL) abort();
  sampler->iface = iface;
  sampler->ctx = ctx;
  return sampler;
}

static inline void llama_sampler_accept(struct llama_sampler* sampler, llama_token token) {
  sampler->iface->accept(sampler, token);
}
static inline void llama_sampler_apply(struct llama_sampler* sampler, llama_token_data_array* candidates) {
  sampler->iface->apply(sampler, candidates);
}
static inline void llama_sampler_reset(struct llama_sampler* sampler) { sampler->iface->reset(sampler); }
static inline struct llama_sampler* llama_sampler_clone(const struct llama_sampler* sampler) {
  return sampler->iface->clone(sampler);
}
static inline const char* llama_sampler_name(const struct llama_sampler* sampler) {
  return sampler->iface->name(sampler);
}
static inline void llama_sampler_free(struct llama_sampler* sampler) {
  sampler->iface->free(sampler);
  free(sampler);
}

#endif /* WEIR_TESTS_C_API_LLAMA_LLAMA_H_ */
