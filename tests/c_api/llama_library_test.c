/* The sampler for llama.cpp with llama.cpp itself: a model in a GGUF file writes documents of JSON Schemas.
 * Usage: llama_library_test MODEL.gguf SCHEMA.json SCHEMA.json...    Prints a document for each schema.
 * tests/python/test_llama_cpp.py builds and runs it.
 *
 * The sampler works on the vocabulary as llama.cpp tells it. What it masks is compared at every step with a matcher
 * over the tokenizer that weir reads from the file itself. */
#include "check.h"
#include "weir_llama.h"

enum { kMaxTokens = 250, kContext = 1024, kRoom = 4096 };

typedef struct world {
  struct llama_model* model;
  const struct llama_vocab* vocab;
  size_t count;              /* Tokens. */
  weir_compiler* told;       /* For the tokenizer of weir_llama_tokenizer_info. */
  weir_compiler* read;       /* For the tokenizer that weir reads from the file. */
  llama_token_data* choices; /* `count` of them. */
} world;

/* One output: the sampler chain that draws it, the matcher that checks it, and its row in the batch. */
typedef struct output {
  struct llama_sampler* chain;
  struct llama_sampler* masks; /* weir's sampler, the first of the chain. */
  weir_matcher* matcher;
  int32_t row; /* Of the logits. */
  llama_pos next;
  bool is_over;
} output;

static void read_file(const char* path, char* text) {
  FILE* file = fopen(path, "rb");
  CHECK(file != NULL);
  const size_t size = fread(text, 1, kRoom - 1, file);
  fclose(file);
  CHECK(size > 0 && size < kRoom - 1);
  text[size] = '\0';
}

static weir_compiler* compiler_of(weir_tokenizer_info* tokenizer) {
  weir_compiler* compiler = NULL;
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  weir_tokenizer_info_free(tokenizer);
  return compiler;
}

static world open_world(const char* path) {
  world all;
  weir_tokenizer_info* tokenizer = NULL;
  struct llama_model_params params = llama_model_default_params();
  params.n_gpu_layers = 0;
  all.model = llama_model_load_from_file(path, params);
  CHECK(all.model != NULL);
  all.vocab = llama_model_get_vocab(all.model);
  all.count = (size_t)llama_vocab_n_tokens(all.vocab);
  all.choices = (llama_token_data*)malloc(all.count * sizeof(llama_token_data));
  CHECK(all.choices != NULL);
  CHECK(weir_llama_tokenizer_info(all.vocab, &tokenizer, NULL) == WEIR_OK);
  all.told = compiler_of(tokenizer);
  CHECK(weir_tokenizer_info_from_file(weir_text_of(path), NULL, &tokenizer, NULL) == WEIR_OK);
  all.read = compiler_of(tokenizer);
  return all;
}

static weir_compiled_grammar* compile_schema(const weir_compiler* compiler, const char* schema) {
  weir_json_schema_options options;
  weir_compiled_grammar* compiled = NULL;
  CHECK(weir_json_schema_options_init(&options, sizeof options) == WEIR_OK);
  options.whitespace = WEIR_WHITESPACE_COMPACT;
  CHECK(weir_compiler_compile_json_schema(compiler, weir_text_of(schema), &options, &compiled, NULL) == WEIR_OK);
  return compiled;
}

static output open_output(const world* all, const char* schema, uint32_t seed) {
  output out;
  weir_matcher_options options;
  weir_compiled_grammar* told = compile_schema(all->told, schema);
  weir_compiled_grammar* read = compile_schema(all->read, schema);
  memset(&out, 0, sizeof out);
  CHECK(weir_matcher_options_init(&options, sizeof options) == WEIR_OK);
  options.at_text_start = false;
  CHECK(weir_matcher_create(read, &options, &out.matcher) == WEIR_OK);
  out.chain = llama_sampler_chain_init(llama_sampler_chain_default_params());
  out.masks = weir_llama_sampler_init(told, NULL);
  CHECK(out.masks != NULL);
  llama_sampler_chain_add(out.chain, out.masks);
  llama_sampler_chain_add(out.chain, llama_sampler_init_temp(0.8F));
  llama_sampler_chain_add(out.chain, llama_sampler_init_dist(seed));
  weir_compiled_grammar_free(told);
  weir_compiled_grammar_free(read);
  return out;
}

static void close_output(output* out) {
  llama_sampler_free(out->chain);
  weir_matcher_free(out->matcher);
}

static llama_token_data_array choices_of(const world* all, const float* logits) {
  llama_token_data_array choices;
  for (size_t i = 0; i < all->count; ++i) {
    all->choices[i].id = (llama_token)i;
    all->choices[i].logit = logits[i];
    all->choices[i].p = 0;
  }
  choices.data = all->choices;
  choices.size = all->count;
  choices.selected = -1;
  choices.sorted = false;
  return choices;
}

/* Checks that the sampler leaves exactly the logits of the tokens that the matcher allows. */
static void check_masks(const world* all, const output* out, const float* logits) {
  const size_t words = weir_bitmask_words(all->count);
  uint32_t* bitmask = (uint32_t*)malloc(words * sizeof(uint32_t));
  llama_token_data_array choices = choices_of(all, logits);
  size_t wrong = 0;
  CHECK(bitmask != NULL && weir_matcher_fill_next_token_bitmask(out->matcher, bitmask, words) == WEIR_OK);
  llama_sampler_apply(out->masks, &choices);
  for (size_t i = 0; i < all->count; ++i) {
    const bool is_left = choices.data[i].logit == logits[i];
    wrong += is_left != weir_bitmask_get(bitmask, (uint32_t)i) || (!is_left && choices.data[i].logit != -INFINITY);
  }
  CHECK(wrong == 0);
  free(bitmask);
}

/* Draws a token with the chain and checks that the matcher accepts it. */
static void follow(const world* all, output* out, llama_token token) {
  CHECK(weir_matcher_accept_token(out->matcher, (uint32_t)token) == WEIR_OK);
  out->is_over = llama_vocab_is_eog(all->vocab, token);
  CHECK(out->is_over == weir_matcher_is_terminated(out->matcher));
  CHECK(!weir_llama_sampler_has_refused(out->masks));
  CHECK(weir_llama_sampler_is_completed(out->masks) == weir_matcher_is_completed(out->matcher));
}

static void test_vocabulary(const world* all) {
  weir_tokenizer_info* told = NULL;
  weir_tokenizer_info* read = NULL;
  const uint32_t *stops_told = NULL, *stops_read = NULL;
  CHECK(weir_compiler_tokenizer_info(all->told, &told) == WEIR_OK);
  CHECK(weir_compiler_tokenizer_info(all->read, &read) == WEIR_OK);
  CHECK(weir_tokenizer_info_vocab_size(told) == all->count && weir_tokenizer_info_vocab_size(read) == all->count);
  for (uint32_t i = 0; i < all->count; ++i) {
    weir_text one, other;
    CHECK(weir_tokenizer_info_token_bytes(told, i, &one) == WEIR_OK);
    CHECK(weir_tokenizer_info_token_bytes(read, i, &other) == WEIR_OK);
    CHECK(one.size == other.size && (one.size == 0 || memcmp(one.data, other.data, one.size) == 0));
  }
  CHECK(weir_tokenizer_info_stop_token_ids(told, &stops_told) == 1);
  CHECK(weir_tokenizer_info_stop_token_ids(read, &stops_read) == 1 && stops_told[0] == stops_read[0]);
  weir_tokenizer_info_free(told);
  weir_tokenizer_info_free(read);
}

/* Adds the prompt for a schema to the batch as sequence `sequence`, and requests the logits of its last token. */
static void put_prompt(const world* all, const char* schema, llama_seq_id sequence, struct llama_batch* batch,
                       output* out) {
  char prompt[kRoom + 64];
  llama_token tokens[kContext];
  const int length = snprintf(prompt, sizeof prompt, "<|schema|>%s<|json|>", schema);
  const int32_t count = llama_tokenize(all->vocab, prompt, length, tokens, kContext, false, true);
  CHECK(count > 0);
  for (int32_t i = 0; i < count; ++i) {
    batch->token[batch->n_tokens] = tokens[i];
    batch->pos[batch->n_tokens] = i;
    batch->n_seq_id[batch->n_tokens] = 1;
    batch->seq_id[batch->n_tokens][0] = sequence;
    batch->logits[batch->n_tokens] = i + 1 == count;
    ++batch->n_tokens;
  }
  out->row = batch->n_tokens - 1;
  out->next = count;
}

/* Draws a token for an output, and puts it into the batch for the next step. */
static void step(const world* all, struct llama_context* context, llama_seq_id sequence, struct llama_batch* batch,
                 output* out) {
  check_masks(all, out, llama_get_logits_ith(context, out->row));
  const llama_token token = llama_sampler_sample(out->chain, context, out->row);
  follow(all, out, token);
  if (out->is_over) return;
  out->row = batch->n_tokens;
  batch->token[out->row] = token;
  batch->pos[out->row] = out->next++;
  batch->n_seq_id[out->row] = 1;
  batch->seq_id[out->row][0] = sequence;
  batch->logits[out->row] = true;
  ++batch->n_tokens;
}

/* Documents of two schemas in one batch, as two sequences of one context; then both again after a reset. */
static void test_documents(const world* all, const char* first, const char* second) {
  const char* const schemas[2] = {first, second};
  struct llama_context_params params = llama_context_default_params();
  params.n_ctx = 2 * kContext;
  params.n_batch = 2 * kContext;
  params.n_seq_max = 2;
  params.n_threads = params.n_threads_batch = 1;
  struct llama_context* context = llama_init_from_model(all->model, params);
  CHECK(context != NULL);
  output outputs[2] = {open_output(all, first, 7), open_output(all, second, 8)};
  weir_owned_text texts[2][2];
  for (int round = 0; round < 2; ++round) {
    struct llama_batch batch = llama_batch_init(2 * kContext, 0, 1);
    llama_memory_clear(llama_get_memory(context), true);
    for (int i = 0; i < 2; ++i) put_prompt(all, schemas[i], i, &batch, &outputs[i]);
    for (int steps = 0; !outputs[0].is_over || !outputs[1].is_over; ++steps) {
      CHECK(steps < kMaxTokens && llama_decode(context, batch) == 0);
      batch.n_tokens = 0;
      for (int i = 0; i < 2; ++i) {
        if (!outputs[i].is_over) step(all, context, i, &batch, &outputs[i]);
      }
    }
    llama_batch_free(batch);
    for (int i = 0; i < 2; ++i) {
      CHECK(weir_matcher_text(outputs[i].matcher, &texts[round][i]) == WEIR_OK);
      if (round == 0) printf("%s\n", texts[round][i].data);
      llama_sampler_reset(outputs[i].chain);
      CHECK(weir_matcher_reset(outputs[i].matcher) == WEIR_OK);
      outputs[i].is_over = false;
    }
  }
  for (int i = 0; i < 2; ++i) {
    CHECK(strcmp(texts[0][i].data, texts[1][i].data) == 0); /* A reset also resets the seed. */
    weir_owned_text_free(&texts[0][i]);
    weir_owned_text_free(&texts[1][i]);
    close_output(&outputs[i]);
  }
  llama_free(context);
}

/* Returns a number that depends on both. */
static float logit_of(size_t token, int at) {
  return (float)((token * 2654435761U + (size_t)at * 40503U) >> 7 & 1023U) / 128;
}

static llama_token draw(const world* all, struct llama_sampler* chain, int at) {
  float* logits = (float*)malloc(all->count * sizeof(float));
  llama_token_data_array choices;
  CHECK(logits != NULL);
  for (size_t i = 0; i < all->count; ++i) logits[i] = logit_of(i, at);
  choices = choices_of(all, logits);
  free(logits);
  llama_sampler_apply(chain, &choices);
  CHECK(choices.selected >= 0 && (size_t)choices.selected < choices.size);
  const llama_token token = choices.data[choices.selected].id;
  llama_sampler_accept(chain, token);
  return token;
}

/* A chain and its copy, each with its own state, draw the same token from equal logits. */
static void test_clones(const world* all, const char* schema) {
  enum { kBefore = 12, kBehind = 30 };
  output out = open_output(all, schema, 5);
  llama_token drawn[kBehind];
  for (int i = 0; i < kBefore; ++i) follow(all, &out, draw(all, out.chain, i));
  struct llama_sampler* clone = llama_sampler_clone(out.chain);
  CHECK(clone != NULL);
  for (int i = 0; i < kBehind; ++i) drawn[i] = draw(all, out.chain, i);
  for (int i = 0; i < kBehind; ++i) {
    const llama_token token = draw(all, clone, i);
    CHECK(token == drawn[i]);
    CHECK(weir_matcher_is_terminated(out.matcher) ||
          weir_matcher_accept_token(out.matcher, (uint32_t)token) == WEIR_OK);
  }
  llama_sampler_reset(clone); /* The original chain does not change. */
  CHECK(weir_llama_sampler_is_completed(out.masks) == weir_matcher_is_completed(out.matcher));
  llama_sampler_free(clone);
  close_output(&out);
}

static void quiet(enum ggml_log_level level, const char* text, void* data) {
  (void)data;
  if (level == GGML_LOG_LEVEL_ERROR) fputs(text, stderr);
}

int main(int argc, char** argv) {
  char first[kRoom], second[kRoom];
  CHECK(argc > 3);
  llama_log_set(quiet, NULL);
  llama_backend_init();
  world all = open_world(argv[1]);
  test_vocabulary(&all);
  for (int i = 2; i + 1 < argc; i += 2) {
    read_file(argv[i], first);
    read_file(argv[i + 1], second);
    test_documents(&all, first, second);
    test_clones(&all, second);
  }
  weir_compiler_free(all.told);
  weir_compiler_free(all.read);
  free(all.choices);
  llama_model_free(all.model);
  llama_backend_free();
  return EXIT_SUCCESS;
}
