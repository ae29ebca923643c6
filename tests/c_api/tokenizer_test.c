/* Tokenizers through the C interface. */
#include "check.h"

static void test_vocab(void) {
  weir_tokenizer_info* tokenizer = letters();
  weir_tokenizer_info* same = NULL;
  weir_text text;
  weir_token_kind kind;
  uint32_t id = 9;
  const uint32_t* stop = NULL;
  CHECK(weir_tokenizer_info_clone(tokenizer, &same) == WEIR_OK);
  weir_tokenizer_info_free(tokenizer);

  CHECK(weir_tokenizer_info_vocab_size(same) == 7);
  CHECK(weir_tokenizer_info_token_bytes(same, 4, &text) == WEIR_OK && equals(text, "ab"));
  CHECK(weir_tokenizer_info_first_token_bytes(same, 4, &text) == WEIR_OK && equals(text, "ab"));
  CHECK(weir_tokenizer_info_token_name(same, 6, &text) == WEIR_OK && equals(text, "<|tool|>"));
  CHECK(weir_tokenizer_info_token_kind(same, 4, &kind) == WEIR_OK && kind == WEIR_TOKEN_NORMAL);
  CHECK(weir_tokenizer_info_token_kind(same, 6, &kind) == WEIR_OK && kind == WEIR_TOKEN_SPECIAL);
  CHECK(weir_tokenizer_info_token_bytes(same, 7, &text) == WEIR_INVALID_ARGUMENT && equals(text, ""));
  CHECK(weir_tokenizer_info_find_special_token(same, weir_text_of("<|tool|>"), &id) == WEIR_OK && id == 6);
  CHECK(weir_tokenizer_info_find_special_token(same, weir_text_of("a"), &id) == WEIR_NOT_FOUND && id == 0);
  CHECK(weir_tokenizer_info_stop_token_ids(same, &stop) == 1 && stop[0] == 5);
  CHECK(weir_tokenizer_info_stop_token_ids(same, NULL) == 1);
  CHECK(!weir_tokenizer_info_drops_leading_space(same));
  CHECK(equals(weir_tokenizer_info_kind(same), "token list"));
  weir_tokenizer_info_free(same);
}

static void test_serialization(void) {
  weir_tokenizer_info* tokenizer = letters();
  weir_tokenizer_info* same = NULL;
  weir_owned_text data = {NULL, 0};
  weir_text text;
  weir_error* error = NULL;
  const uint32_t* stop = NULL;
  CHECK(weir_tokenizer_info_serialize(tokenizer, &data) == WEIR_OK && data.size > 0);
  text.data = data.data;
  text.size = data.size;
  CHECK(weir_tokenizer_info_deserialize(text, &same, &error) == WEIR_OK && error == NULL);
  CHECK(weir_tokenizer_info_vocab_size(same) == 7);
  CHECK(weir_tokenizer_info_stop_token_ids(same, &stop) == 1 && stop[0] == 5);
  weir_tokenizer_info_free(same);
  text.size -= 1;
  CHECK(weir_tokenizer_info_deserialize(text, &same, &error) == WEIR_INVALID_ARGUMENT && same == NULL);
  CHECK(error != NULL);
  weir_error_free(error);
  weir_owned_text_free(&data);
  CHECK(weir_tokenizer_info_serialize(NULL, &data) == WEIR_INVALID_ARGUMENT && data.data == NULL);
  CHECK(weir_tokenizer_info_serialize(tokenizer, NULL) == WEIR_INVALID_ARGUMENT);
  weir_tokenizer_info_free(tokenizer);
}

static void test_text_and_tokens(void) {
  weir_tokenizer_info* tokenizer = letters();
  const uint32_t ids[] = {4, 2, 5};
  const uint32_t bad[] = {4, 7};
  weir_owned_text text = {NULL, 0};
  weir_token_ids tokens = {NULL, 0};
  weir_error* error = NULL;
  CHECK(weir_tokenizer_info_decode(tokenizer, ids, 3, &text) == WEIR_OK && take(&text, "abc"));
  CHECK(weir_tokenizer_info_decode(tokenizer, NULL, 0, &text) == WEIR_OK && take(&text, ""));
  CHECK(weir_tokenizer_info_decode(tokenizer, bad, 2, &text) == WEIR_INVALID_ARGUMENT && text.data == NULL);
  CHECK(weir_tokenizer_info_decode(tokenizer, NULL, 2, &text) == WEIR_INVALID_ARGUMENT);

  CHECK(weir_tokenizer_info_tokenize(tokenizer, weir_text_of("abd"), &tokens, &error) == WEIR_OK);
  CHECK(error == NULL && tokens.size == 2 && tokens.data[0] == 4 && tokens.data[1] == 3);
  weir_token_ids_free(&tokens);
  CHECK(tokens.data == NULL && tokens.size == 0);
  CHECK(weir_tokenizer_info_tokenize(tokenizer, weir_text_of("abx"), &tokens, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(tokens.data == NULL && weir_error_start(error) == 2);
  weir_error_free(error);
  weir_tokenizer_info_free(tokenizer);
}

static void test_files_and_options(void) {
  static const char kRanks[] = "YQ== 0\nYg== 1\n"; /* tiktoken: "a", "b" */
  const uint32_t stop[] = {1};
  const uint32_t out_of_range[] = {2};
  weir_tokenizer_options options;
  weir_tokenizer_info* tokenizer = NULL;
  weir_error* error = NULL;
  weir_token_kind kind;
  CHECK(weir_tokenizer_options_init(&options, sizeof options) == WEIR_OK);
  options.stop_token_ids = stop;
  options.stop_token_count = 1;
  options.padded_vocab_size = 40;
  CHECK(weir_tokenizer_info_from_bytes(weir_text_of(kRanks), weir_text_of("x.tiktoken"), &options, &tokenizer,
                                       &error) == WEIR_OK);
  CHECK(error == NULL && weir_tokenizer_info_vocab_size(tokenizer) == 40);
  CHECK(weir_tokenizer_info_token_kind(tokenizer, 39, &kind) == WEIR_OK && kind == WEIR_TOKEN_UNUSED);
  CHECK(weir_tokenizer_info_stop_token_ids(tokenizer, NULL) == 1);
  weir_tokenizer_info_free(tokenizer);

  options.padded_vocab_size = 0;
  options.stop_token_ids = out_of_range;
  CHECK(weir_tokenizer_info_from_bytes(weir_text_of(kRanks), weir_text_of("x.tiktoken"), &options, &tokenizer,
                                       &error) == WEIR_INVALID_ARGUMENT);
  CHECK(tokenizer == NULL && error != NULL && weir_error_status(error) == WEIR_INVALID_ARGUMENT);
  weir_error_free(error);

  CHECK(weir_tokenizer_info_from_file(weir_text_of("/no/such/file"), NULL, &tokenizer, &error) ==
        WEIR_INVALID_ARGUMENT);
  CHECK(tokenizer == NULL && contains(weir_error_message(error), "cannot open the file"));
  weir_error_free(error);
  CHECK(weir_tokenizer_info_from_file(weir_text_of("data/default_tokenizer/tokenizer.json"), NULL,
                                      &tokenizer, &error) == WEIR_OK);
  CHECK(contains(weir_tokenizer_info_kind(tokenizer), "BPE"));
  weir_tokenizer_info_free(tokenizer);
}

static void test_null(void) {
  weir_text nothing = {NULL, 3};
  weir_tokenizer_info* tokenizer = NULL;
  weir_error* error = NULL;
  weir_text text;
  weir_token_ids tokens;
  CHECK(weir_tokenizer_info_builtin(NULL, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(contains(weir_error_message(error), "out"));
  weir_error_free(error);
  CHECK(weir_tokenizer_info_builtin(NULL, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_tokenizer_info_from_file(nothing, NULL, &tokenizer, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_tokenizer_info_from_bytes(weir_text_of("x"), nothing, NULL, &tokenizer, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_tokenizer_info_from_vocab(NULL, NULL, &tokenizer, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_tokenizer_info_clone(NULL, &tokenizer) == WEIR_INVALID_ARGUMENT && tokenizer == NULL);
  CHECK(weir_tokenizer_info_vocab_size(NULL) == 0);
  CHECK(weir_tokenizer_info_stop_token_ids(NULL, NULL) == 0);
  CHECK(weir_tokenizer_info_token_bytes(NULL, 0, &text) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_tokenizer_info_token_bytes(NULL, 0, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_tokenizer_info_tokenize(NULL, text, &tokens, NULL) == WEIR_INVALID_ARGUMENT);
  weir_tokenizer_info_free(NULL);
  weir_owned_text_free(NULL);
  weir_token_ids_free(NULL);
}

int main(void) {
  test_vocab();
  test_serialization();
  test_text_and_tokens();
  test_files_and_options();
  test_null();
  return EXIT_SUCCESS;
}
