/* llguidance's interface on weir: each function does what the header says. Masks are compared with lists by hand. */
#include "llguidance.h"
#include "check.h"

enum { kCount = 7, kEnd = 5, kTool = 6 };

/* Makes the vocabulary a, b, c, d, ab, <end>, <|tool|>; the last two are special. */
static LlgTokenizer* make_tokenizer(void) {
  static const uint32_t lengths[] = {1, 1, 1, 1, 2, 6, 9};
  static const uint8_t bytes[] = "abcdab\xFF<end>\xFF<|tool|>";
  LlgTokenizerInit init;
  LlgTokenizer* tokenizer;
  char why[100] = "untouched";
  memset(&init, 0, sizeof init);
  init.vocab_size = kCount;
  init.tok_eos = kEnd;
  init.token_lens = lengths;
  init.token_bytes = bytes;
  tokenizer = llg_new_tokenizer(&init, why, sizeof why);
  CHECK(tokenizer != NULL && strcmp(why, "untouched") == 0);
  return tokenizer;
}

static LlgMatcher* matcher_of(const char* type, const char* data) {
  LlgTokenizer* tokenizer = make_tokenizer();
  LlgConstraintInit init;
  LlgMatcher* matcher;
  llg_constraint_init_set_defaults(&init, tokenizer);
  CHECK(init.tokenizer == tokenizer);
  matcher = llg_new_matcher(&init, type, data);
  llg_free_tokenizer(tokenizer); /* the matcher keeps its tokenizer */
  CHECK(matcher != NULL);
  return matcher;
}

/* Returns true if the mask allows exactly the tokens whose digits are listed. */
static bool allows(LlgMatcher* matcher, const char* expected) {
  uint32_t other = 0;
  bool is_right = llg_matcher_compute_mask(matcher) == 0 && llg_matcher_get_mask(matcher) != NULL &&
                  llg_matcher_get_mask_byte_size(matcher) == sizeof other &&
                  llg_matcher_compute_mask_into(matcher, &other, sizeof other) == 0 &&
                  other == *llg_matcher_get_mask(matcher);
  for (uint32_t token = 0; token < 32; ++token) {
    char digit[2] = {(char)('0' + token % 10), '\0'};
    const bool is_expected = token < kCount && strstr(expected, digit) != NULL;
    is_right = is_right && ((other >> token & 1) != 0) == is_expected;
  }
  return is_right;
}

static void test_a_matcher(void) {
  LlgMatcher* matcher = matcher_of("lark", "start: (\"ab\" | <|tool|>) /c+/");
  LlgMatcher* copy;
  const uint32_t tokens[] = {0, 1, 2, 0};
  CHECK(llg_matcher_get_error(matcher) == NULL && !llg_matcher_is_error(matcher));
  CHECK(llg_matcher_get_mask(matcher) == NULL); /* none has been computed */
  CHECK(allows(matcher, "046"));
  CHECK(llg_matcher_validate_tokens(matcher, tokens, 4) == 3 && allows(matcher, "046"));
  CHECK(llg_matcher_consume_token(matcher, kTool) == 0 && llg_matcher_get_mask(matcher) == NULL);
  CHECK(allows(matcher, "2") && !llg_matcher_is_accepting(matcher));
  CHECK(llg_matcher_rollback(matcher, 1) == 0 && allows(matcher, "046"));
  CHECK(llg_matcher_consume_tokens(matcher, tokens, 3) == 0 && allows(matcher, "25"));
  CHECK(llg_matcher_is_accepting(matcher) && !llg_matcher_is_stopped(matcher));
  copy = llg_clone_matcher(matcher);
  CHECK(llg_matcher_get_mask(copy) != NULL && llg_matcher_consume_token(copy, kEnd) == 0);
  CHECK(llg_matcher_is_stopped(copy) && allows(copy, "5") && !llg_matcher_is_stopped(matcher));
  CHECK(llg_matcher_reset(matcher) == 0 && allows(matcher, "046"));
  llg_free_matcher(matcher);
  CHECK(llg_matcher_rollback(copy, 1) == 0 && allows(copy, "25"));
  llg_free_matcher(copy);
  llg_free_matcher(NULL);
  llg_free_tokenizer(NULL);
}

/* Returns true if the grammar accepts the whole text, whose characters are tokens. */
static bool takes(const char* lark, const char* text) {
  static const char kCharacters[] = "{}\":,ab01-. ";
  uint32_t lengths[sizeof kCharacters];
  LlgTokenizerInit init;
  LlgConstraintInit with;
  LlgTokenizer* tokenizer;
  LlgMatcher* matcher;
  bool is_taken = true;
  memset(&init, 0, sizeof init);
  for (size_t i = 0; i + 1 < sizeof kCharacters; ++i) lengths[i] = 1;
  init.vocab_size = sizeof kCharacters - 1;
  init.tok_eos = init.vocab_size - 1; /* the space */
  init.token_lens = lengths;
  init.token_bytes = (const uint8_t*)kCharacters;
  tokenizer = llg_new_tokenizer(&init, NULL, 0);
  CHECK(tokenizer != NULL);
  llg_constraint_init_set_defaults(&with, tokenizer);
  matcher = llg_new_matcher(&with, "lark", lark);
  llg_free_tokenizer(tokenizer);
  CHECK(matcher != NULL && !llg_matcher_is_error(matcher));
  for (; *text != '\0' && is_taken; ++text) {
    const uint32_t token = (uint32_t)(strchr(kCharacters, *text) - kCharacters);
    is_taken = llg_matcher_validate_tokens(matcher, &token, 1) == 1 && llg_matcher_consume_token(matcher, token) == 0;
  }
  is_taken = is_taken && llg_matcher_is_accepting(matcher);
  llg_free_matcher(matcher);
  return is_taken;
}

static void test_a_schema_in_lark(void) {
#define SCHEMA "{\"properties\": {\"b\": {\"const\": 1}, \"a\": {\"const\": 1}}, \"additionalProperties\": false}"
  static const char kOnly[] = "%llguidance {}\n start: %json " SCHEMA "\n";
  static const char kInteger[] = "%llguidance {}\nstart: %json {\"type\": \"integer\", \"minimum\": 0}";
  static const char kTwo[] = "start: %json {\"type\": \"integer\"} %json " SCHEMA;
  static const char kPart[] = "%llguidance {}\nstart: %json " SCHEMA " \",\"";
  CHECK(takes(kOnly, "{\"b\":1,\"a\":1}") && takes(kOnly, "{\"a\":1}"));
  CHECK(!takes(kOnly, "{\"a\":1,\"b\":1}")); /* llguidance writes members in the order of the schema */
  CHECK(takes(kInteger, "0") && takes(kInteger, "10") && !takes(kInteger, "-0") && !takes(kInteger, "1.0"));
  CHECK(takes(kPart, "{\"b\":1,\"a\":1},") && !takes(kPart, "{\"b\":1,\"a\":1}"));
  CHECK(!takes(kPart, "{\"a\":1,\"b\":1},") && takes(kTwo, "1{\"b\":1,\"a\":1}") && !takes(kTwo, "1.0{}"));
#undef SCHEMA
}

static void test_where_nothing_can_follow(void) {
  LlgMatcher* matcher = matcher_of("regex", "(?:ab)?d");
  uint32_t forced[4];
  CHECK(llg_matcher_compute_ff_tokens(matcher, forced, 4) == 0 && allows(matcher, "034"));
  CHECK(!llg_matcher_is_stopped(matcher) && llg_matcher_consume_token(matcher, 3) == 0);
  CHECK(llg_matcher_is_stopped(matcher) && llg_matcher_is_accepting(matcher) && allows(matcher, "5"));
  llg_free_matcher(matcher);
}

/* The vocabulary has no token for the second character. */
static void test_dead_end(void) {
  LlgMatcher* matcher = matcher_of("regex", "ax");
  CHECK(allows(matcher, "0") && llg_matcher_consume_token(matcher, 0) == 0 && !llg_matcher_is_error(matcher));
  CHECK(llg_matcher_compute_mask(matcher) == -1 && llg_matcher_get_mask(matcher) == NULL);
  CHECK(llg_matcher_is_stopped(matcher) && strstr(llg_matcher_get_error(matcher), "no token can come next") != NULL);
  llg_free_matcher(matcher);
}

static void test_errors(void) {
  static const char* const kWrong[][3] = {{"lark", "start: a", "a"},
                                          {"regex", "a(", "a("},
                                          {"json", "{\"type\": \"foo\"}", "type"},
                                          {"lark", "%llguidance {}\nstart: %json {\"type\": \"foo\"}", "grammar:2"},
                                          {"llguidance", "{}", "lark"}};
  LlgMatcher* matcher = matcher_of("regex", "a+");
  LlgMatcher* copy;
  const char* error;
  uint32_t mask;
  CHECK(llg_matcher_consume_token(matcher, 2) == -1);
  error = llg_matcher_get_error(matcher);
  CHECK(error != NULL && strstr(error, "not allowed") != NULL && llg_matcher_is_error(matcher));
  CHECK(llg_matcher_reset(matcher) == -1 && llg_matcher_rollback(matcher, 0) == -1);
  CHECK(llg_matcher_compute_mask(matcher) == -1 && llg_matcher_compute_mask_into(matcher, &mask, 4) == -1);
  CHECK(llg_matcher_consume_token(matcher, 0) == -1 && llg_matcher_validate_tokens(matcher, &mask, 0) == -1);
  CHECK(llg_matcher_consume_tokens(matcher, NULL, 0) == -1 && llg_matcher_compute_ff_tokens(matcher, NULL, 0) == -1);
  CHECK(llg_matcher_is_stopped(matcher) && !llg_matcher_is_accepting(matcher));
  CHECK(llg_matcher_get_error(matcher) == error);
  copy = llg_clone_matcher(matcher);
  CHECK(llg_matcher_get_error(copy) != error && strcmp(llg_matcher_get_error(copy), error) == 0);
  llg_free_matcher(copy);
  llg_free_matcher(matcher);
  for (size_t i = 0; i < sizeof kWrong / sizeof kWrong[0]; ++i) {
    matcher = matcher_of(kWrong[i][0], kWrong[i][1]);
    CHECK(llg_matcher_is_error(matcher) && strstr(llg_matcher_get_error(matcher), kWrong[i][2]) != NULL);
    CHECK(llg_matcher_get_mask(matcher) == NULL && llg_matcher_compute_mask(matcher) == -1);
    llg_free_matcher(matcher);
  }
}

static void test_validate(void) {
  LlgTokenizer* tokenizer = make_tokenizer();
  LlgTokenizer* second = llg_clone_tokenizer(tokenizer);
  LlgConstraintInit init;
  char message[20] = "untouched";
  char why[200];
  llg_free_tokenizer(tokenizer);
  llg_constraint_init_set_defaults(&init, second);
  CHECK(llg_validate_grammar(&init, "lark", "start: \"a\"", message, sizeof message) == 0 && message[0] == '\0');
  CHECK(llg_validate_grammar(&init, "json_object", "", message, sizeof message) == 0);
  CHECK(llg_validate_grammar(&init, "regex", "a(", message, sizeof message) == -1 && strlen(message) == 19);
  CHECK(llg_validate_grammar(&init, NULL, "a", why, sizeof why) == -1 && strstr(why, "type is NULL") != NULL);
  CHECK(llg_validate_grammar(&init, "regex", NULL, why, sizeof why) == -1 && strstr(why, "grammar is NULL") != NULL);
  CHECK(llg_validate_grammar(&init, "json_object", NULL, why, sizeof why) == 0);
  init.limits.step_max_items = 5;
  CHECK(llg_validate_grammar(&init, "lark", "start: \"a\"", NULL, 0) == -1); /* a limit that weir does not have */
  llg_free_tokenizer(second);
}

static void test_a_tokenizer_file(void) {
  static const char kFile[] =
      "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0, \"b\": 1, \"ab\": 2}, \"merges\": [\"a b\"]},"
      " \"added_tokens\": [{\"id\": 3, \"content\": \"<end>\", \"special\": true}],"
      " \"decoder\": {\"type\": \"ByteLevel\"}, \"pre_tokenizer\": {\"type\": \"ByteLevel\", \"add_prefix_space\": "
      "false}}";
  const uint32_t extra[] = {1};
  LlgTokenizerInitV2 init;
  LlgConstraintInit with;
  LlgTokenizer* tokenizer;
  LlgMatcher* matcher;
  char why[200];
  memset(&init, 0, sizeof init);
  init.struct_size = sizeof init;
  init.vocab_size = 6; /* the model's logits are wider than the file */
  init.tok_eos = 3;
  init.tokenizer_json = kFile;
  init.tok_eos_extra = extra;
  init.tok_eos_extra_count = 1;
  tokenizer = llg_new_tokenizer_v2(&init, why, sizeof why);
  CHECK(tokenizer != NULL);
  llg_constraint_init_set_defaults(&with, tokenizer);
  matcher = llg_new_matcher(&with, "regex", "a*");
  CHECK(allows(matcher, "013"));
  llg_free_matcher(matcher);
  llg_free_tokenizer(tokenizer);
  init.tok_eos_extra = NULL;
  CHECK(llg_new_tokenizer_v2(&init, why, sizeof why) == NULL && strstr(why, "`tok_eos_extra` is NULL") != NULL);
  init.tok_eos_extra = extra;
  init.struct_size = 8;
  CHECK(llg_new_tokenizer_v2(&init, why, sizeof why) == NULL && strstr(why, "`struct_size` must be") != NULL);
  init.struct_size = sizeof init;
  init.tokenizer_json = NULL;
  CHECK(llg_new_tokenizer_v2(&init, why, sizeof why) == NULL && strstr(why, "`token_lens` is NULL") != NULL);
  init.tokenizer_json = "{\"model\": ";
  CHECK(llg_new_tokenizer_v2(&init, why, sizeof why) == NULL && strlen(why) > 10);
}

int main(void) {
  test_a_matcher();
  test_a_schema_in_lark();
  test_where_nothing_can_follow();
  test_dead_end();
  test_errors();
  test_validate();
  test_a_tokenizer_file();
  CHECK(strcmp(llg_get_version(), weir_version()) == 0);
  return EXIT_SUCCESS;
}
