/* Grammars, compilers, options and errors through the C interface. */
#include "check.h"

/* Compiles a schema for `letters` and returns the status; the caller owns `*error`. */
static weir_status compile_schema(const char* schema, const weir_json_schema_options* options, weir_error** error) {
  weir_tokenizer_info* tokenizer = letters();
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  const weir_status status =
      weir_compiler_compile_json_schema(compiler, weir_text_of(schema), options, &compiled, error);
  CHECK((status == WEIR_OK) == (compiled != NULL));
  weir_compiled_grammar_free(compiled);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
  return status;
}

/* Returns true if the grammar, compiled for `letters`, has this text; frees the grammar. */
static bool has_text(weir_grammar* grammar, const char* text) {
  weir_tokenizer_info* tokenizer = letters();
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_matcher* matcher = NULL;
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile(compiler, grammar, &compiled, NULL) == WEIR_OK);
  CHECK(weir_matcher_create(compiled, NULL, &matcher) == WEIR_OK);
  const bool has =
      weir_matcher_accept_bytes(matcher, weir_text_of(text)) == WEIR_OK && weir_matcher_is_completed(matcher);
  weir_matcher_free(matcher);
  weir_compiled_grammar_free(compiled);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
  weir_grammar_free(grammar);
  return has;
}

static void test_errors(void) {
  static const char kText[] = "root ::= \"a\" exprs\nexpr ::= \"b\"\n";
  weir_grammar* grammar = NULL;
  weir_error* error = NULL;
  weir_owned_text shown = {NULL, 0};
  CHECK(weir_grammar_from_ebnf(weir_text_of(kText), NULL, NULL, &grammar, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(grammar == NULL && weir_error_status(error) == WEIR_INVALID_ARGUMENT);
  CHECK(contains(weir_error_message(error), "exprs") && contains(weir_error_hint(error), "expr"));
  CHECK(equals(weir_error_limit(error), "") && equals(weir_error_pointer(error), ""));
  CHECK(equals(weir_error_options(error), "") && equals(weir_error_options(NULL), ""));
  CHECK(weir_error_start(error) == 13 && weir_error_end(error) == 18);
  CHECK(weir_error_render(error, weir_text_of(kText), weir_text_of("g.ebnf"), &shown) == WEIR_OK);
  CHECK(strstr(shown.data, "g.ebnf:1:14: error: ") != NULL && strstr(shown.data, "^~~~~") != NULL);
  weir_owned_text_free(&shown);
  weir_error_free(error);
  CHECK(weir_grammar_from_ebnf(weir_text_of("root ::= ("), NULL, NULL, &grammar, NULL) == WEIR_SYNTAX);
  CHECK(weir_grammar_from_regex(weir_text_of("(a)\\1"), NULL, NULL, &grammar, NULL) == WEIR_UNSUPPORTED);
  CHECK(weir_error_status(NULL) == WEIR_OK && equals(weir_error_message(NULL), ""));
  CHECK(strcmp(weir_status_name(WEIR_NOT_FOUND), "not_found") == 0);
  CHECK(strlen(weir_version()) >= 5);
}

static void test_warnings(void) {
  weir_grammar* grammar = NULL;
  weir_grammar* same = NULL;
  weir_warning warning;
  CHECK(weir_grammar_from_ebnf(weir_text_of("root ::= \"a\"\nspare ::= \"b\"\n"), NULL, NULL, &grammar, NULL) ==
        WEIR_OK);
  CHECK(weir_grammar_clone(grammar, &same) == WEIR_OK);
  weir_grammar_free(grammar);
  CHECK(weir_grammar_warning_count(same) == 1);
  CHECK(weir_grammar_warning(same, 0, &warning) == WEIR_OK && contains(warning.message, "spare"));
  CHECK(warning.start == 13 && warning.end >= 18);
  CHECK(weir_grammar_warning(same, 1, &warning) == WEIR_INVALID_ARGUMENT && warning.message.size == 0);
  weir_grammar_free(same);
  CHECK(weir_grammar_warning(NULL, 0, &warning) == WEIR_INVALID_ARGUMENT && weir_grammar_warning_count(NULL) == 0);
}

static void test_compiled(void) {
  weir_compiled_grammar* compiled = compile("root ::= \"a\"\nspare ::= \"b\"\n", NULL);
  weir_compiled_grammar* same = NULL;
  weir_tokenizer_info* tokenizer = NULL;
  weir_warning warning;
  weir_engine_stats stats;
  CHECK(weir_compiled_grammar_clone(compiled, &same) == WEIR_OK);
  weir_compiled_grammar_free(compiled);
  CHECK(weir_compiled_grammar_warning_count(same) == 1);
  CHECK(weir_compiled_grammar_warning(same, 0, &warning) == WEIR_OK && contains(warning.message, "spare"));
  CHECK(weir_compiled_grammar_tokenizer_info(same, &tokenizer) == WEIR_OK);
  CHECK(weir_tokenizer_info_vocab_size(tokenizer) == 7);
  weir_tokenizer_info_free(tokenizer);
  memset(&stats, 0xff, sizeof stats);
  stats.struct_size = sizeof stats;
  CHECK(weir_compiled_grammar_stats(same, &stats) == WEIR_OK);
  CHECK(stats.struct_size == sizeof stats && stats.states > 0 && stats.memory_bytes > 0 && stats.cache_flushes == 0);
  /* A caller with an older header, whose struct has only the first two counts. */
  memset(&stats, 0xff, sizeof stats);
  stats.struct_size = offsetof(weir_engine_stats, rows);
  CHECK(weir_compiled_grammar_stats(same, &stats) == WEIR_OK);
  CHECK(stats.states > 0 && stats.states != UINT64_MAX && stats.rows == UINT64_MAX);
  weir_compiled_grammar_free(same);
}

/* Returns how many masks warm-up with this much work has computed. */
static uint64_t warmed_up(const weir_compiled_grammar* compiled, uint64_t work, bool* is_complete) {
  weir_warm_up_options options;
  weir_warm_up_report report = {sizeof report, 0, 0, false};
  CHECK(weir_warm_up_options_init(&options, sizeof options) == WEIR_OK && options.work == 60000);
  options.work = work;
  CHECK(weir_compiled_grammar_warm_up(compiled, &options, &report) == WEIR_OK);
  CHECK(report.struct_size == sizeof report && report.work <= work);
  *is_complete = report.is_complete;
  return report.masks;
}

static void test_warm_up(void) {
  static const char kGrammar[] = "root ::= \"a\" (\"b\" | \"c\") \"ab\"\n";
  weir_compiled_grammar* warm = compile(kGrammar, NULL);
  weir_compiled_grammar* cold = compile(kGrammar, NULL);
  weir_matcher* matchers[2] = {NULL, NULL};
  weir_warm_up_options options;
  weir_warm_up_report report = {sizeof report, 0, 0, false};
  weir_engine_stats stats;
  bool is_complete = true;
  stats.struct_size = sizeof stats;
  CHECK(warmed_up(warm, 0, &is_complete) == 0 && !is_complete);
  const uint64_t masks = warmed_up(warm, 100000, &is_complete);
  CHECK(masks > 0 && is_complete);
  CHECK(weir_compiled_grammar_stats(warm, &stats) == WEIR_OK && stats.masks == masks);
  CHECK(warmed_up(warm, 100000, &is_complete) == 0 && is_complete);
  CHECK(weir_compiled_grammar_warm_up(warm, NULL, NULL) == WEIR_OK);
  CHECK(weir_compiled_grammar_stop_warm_up(warm) == WEIR_OK);
  CHECK(weir_compiled_grammar_stop_warm_up(NULL) == WEIR_INVALID_ARGUMENT);

  CHECK(weir_matcher_create(warm, NULL, &matchers[0]) == WEIR_OK);
  CHECK(weir_matcher_create(cold, NULL, &matchers[1]) == WEIR_OK);
  for (const char* byte = "acab"; *byte != '\0'; ++byte) {
    uint32_t masks_of[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
      CHECK(weir_matcher_fill_next_token_bitmask(matchers[i], &masks_of[i], 1) == WEIR_OK);
      const weir_text text = {byte, 1};
      CHECK(weir_matcher_accept_bytes(matchers[i], text) == WEIR_OK);
    }
    CHECK(masks_of[0] == masks_of[1] && masks_of[0] != 0);
  }
  weir_matcher_free(matchers[0]);
  weir_matcher_free(matchers[1]);

  CHECK(weir_warm_up_options_init(&options, sizeof options) == WEIR_OK);
  CHECK(weir_compiled_grammar_warm_up(NULL, &options, &report) == WEIR_INVALID_ARGUMENT);
  options.struct_size = 1;
  CHECK(weir_compiled_grammar_warm_up(cold, &options, &report) == WEIR_INVALID_ARGUMENT);
  options.struct_size = sizeof options;
  report.struct_size = 0;
  CHECK(weir_compiled_grammar_warm_up(cold, &options, &report) == WEIR_INVALID_ARGUMENT);
  weir_compiled_grammar_free(warm);
  weir_compiled_grammar_free(cold);
}

static void test_ebnf_and_regex_options(void) {
  weir_tokenizer_info* tokenizer = letters();
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_grammar* grammar = NULL;
  weir_ebnf_options ebnf;
  weir_regex_options regex;
  weir_matcher* matcher = NULL;
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_ebnf_options_init(&ebnf, sizeof ebnf) == WEIR_OK && equals(ebnf.start, "root"));
  ebnf.start = weir_text_of("other");
  CHECK(weir_grammar_from_ebnf(weir_text_of("other ::= \"b\""), &ebnf, NULL, &grammar, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile(compiler, grammar, &compiled, NULL) == WEIR_OK);
  weir_compiled_grammar_free(compiled);
  weir_grammar_free(grammar);

  CHECK(weir_regex_options_init(&regex, sizeof regex) == WEIR_OK);
  regex.ignore_case = true;
  regex.match = WEIR_REGEX_SEARCH;
  CHECK(weir_compiler_compile_regex(compiler, weir_text_of("AB"), &regex, &compiled, NULL) == WEIR_OK);
  CHECK(weir_matcher_create(compiled, NULL, &matcher) == WEIR_OK);
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("ddab")) == WEIR_OK && weir_matcher_is_completed(matcher));
  weir_matcher_free(matcher);
  weir_compiled_grammar_free(compiled);
  regex.dialect = 99;
  CHECK(weir_compiler_compile_regex(compiler, weir_text_of("ab"), &regex, &compiled, NULL) == WEIR_INVALID_ARGUMENT);
  regex.dialect = -1;
  CHECK(weir_grammar_from_regex(weir_text_of("ab"), &regex, NULL, &grammar, NULL) == WEIR_INVALID_ARGUMENT);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

static void test_text_options(void) {
  weir_tokenizer_info* tokenizer = letters();
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_grammar* grammar = NULL;
  weir_text_options options;
  weir_named_grammar named;
  weir_json_schema_options schema;
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_text_options_init(&options, sizeof options) == WEIR_OK && options.syntax == WEIR_SYNTAX_EBNF);
  options.start = weir_text_of("other");
  CHECK(weir_compiler_compile_text(compiler, weir_text_of("other ::= \"b\""), &options, &compiled, NULL) == WEIR_OK);
  weir_compiled_grammar_free(compiled);
  CHECK(weir_grammar_from_text(weir_text_of("other ::= \"b\""), &options, NULL, &grammar, NULL) == WEIR_OK);
  weir_grammar_free(grammar);
  options.grammar_count = 1;
  CHECK(weir_grammar_from_text(weir_text_of("x"), &options, NULL, &grammar, NULL) == WEIR_INVALID_ARGUMENT);
  named.name = named.text = weir_text_of("a");
  named.syntax = 99;
  options.grammars = &named;
  CHECK(weir_grammar_from_text(weir_text_of("x"), &options, NULL, &grammar, NULL) == WEIR_INVALID_ARGUMENT);
  options.grammar_count = 0;
  CHECK(weir_json_schema_options_init(&schema, sizeof schema) == WEIR_OK);
  schema.order = 99;
  options.json_schema = &schema;
  CHECK(weir_grammar_from_text(weir_text_of("x"), &options, NULL, &grammar, NULL) == WEIR_INVALID_ARGUMENT);
  options.json_schema = NULL;
  options.syntax = -1;
  CHECK(weir_grammar_from_text(weir_text_of("x"), &options, NULL, &grammar, NULL) == WEIR_INVALID_ARGUMENT);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

static void test_choice_and_substring(void) {
  const weir_text strings[] = {weir_text_of("a"), weir_text_of("bb")};
  const weir_text broken = {NULL, 1};
  weir_tokenizer_info* tokenizer = letters();
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_grammar* grammar = NULL;
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile_choice(compiler, strings, 2, &compiled, NULL) == WEIR_OK);
  weir_compiled_grammar_free(compiled);
  CHECK(weir_compiler_compile_choice(compiler, NULL, 0, &compiled, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_compiler_compile_choice(compiler, &broken, 1, &compiled, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_compiler_compile_substring(compiler, weir_text_of("a b"), WEIR_UNIT_WORD, &compiled, NULL) == WEIR_OK);
  weir_compiled_grammar_free(compiled);
  const weir_text chunks[] = {weir_text_of("one "), weir_text_of("two ")};
  CHECK(weir_compiler_compile_substring_chunks(compiler, chunks, 2, &compiled, NULL) == WEIR_OK);
  weir_compiled_grammar_free(compiled);
  CHECK(weir_compiler_compile_substring_chunks(compiler, NULL, 2, &compiled, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_compiler_compile_substring(compiler, weir_text_of("a"), 2, &compiled, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_grammar_from_choice(strings, 2, NULL, &grammar, NULL) == WEIR_OK);
  weir_grammar_free(grammar);
  CHECK(weir_grammar_from_substring_chunks(chunks, 2, NULL, &grammar, NULL) == WEIR_OK);
  weir_grammar_free(grammar);
  CHECK(weir_grammar_from_substring(weir_text_of("ab"), WEIR_UNIT_CHARACTER, NULL, &grammar, NULL) == WEIR_OK);
  weir_grammar_free(grammar);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

static void test_json_schema(void) {
  const weir_schema_document documents[] = {{weir_text_of("https://example.com/a"), weir_text_of("{\"const\": 1}")}};
  weir_json_schema_options options;
  weir_error* error = NULL;
  CHECK(weir_json_schema_options_init(&options, sizeof options) == WEIR_OK);
  CHECK(options.default_draft == WEIR_DRAFT_2020_12 && options.whitespace_limit == 40 && options.exponents);
  CHECK(options.integers == WEIR_INTEGERS_ANY && options.numbers == WEIR_NUMBERS_ANY && options.number_digits == 0);
  options.integers = 2;
  CHECK(compile_schema("true", &options, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_schema_profile(weir_text_of("fast"), &options, sizeof options) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_schema_profile(weir_text_of("serving"), &options, sizeof options) == WEIR_OK);
  CHECK(options.whitespace_limit == 8 && options.order == WEIR_ORDER_DECLARED && !options.exponents);
  CHECK(options.integers == WEIR_INTEGERS_PLAIN && options.numbers == WEIR_NUMBERS_DOUBLE &&
        options.number_digits == 20);
  CHECK(compile_schema("{\"type\": \"integer\"}", &options, NULL) == WEIR_OK);
  CHECK(weir_schema_profile(weir_text_of("exact"), &options, sizeof options) == WEIR_OK && options.exponents);
  weir_owned_text strict = {NULL, 0};
  CHECK(weir_strict_json_schema(weir_text_of("{\"properties\": {}}"), NULL, &strict, NULL) == WEIR_OK);
  CHECK(take(&strict, "{\"properties\":{},\"additionalProperties\":false}"));
  CHECK(weir_strict_json_schema(weir_text_of("{"), NULL, &strict, &error) == WEIR_SYNTAX && strict.data == NULL);
  weir_error_free(error);
  error = NULL;
  CHECK(compile_schema("{\"$ref\": \"https://example.com/a\"}", &options, NULL) == WEIR_INVALID_ARGUMENT);
  options.documents = documents;
  options.document_count = 1;
  CHECK(compile_schema("{\"$ref\": \"https://example.com/a\"}", &options, NULL) == WEIR_OK);
  options.unknown_formats = WEIR_UNKNOWN_FORMATS_REFUSE;
  CHECK(compile_schema("{\"properties\": {\"a/b\": {\"format\": \"nope\"}}}", &options, &error) != WEIR_OK);
  CHECK(contains(weir_error_pointer(error), "/properties/a~1b"));
  weir_error_free(error);
  options.order = 7;
  CHECK(compile_schema("{}", &options, &error) == WEIR_INVALID_ARGUMENT &&
        contains(weir_error_message(error), "order"));
  weir_error_free(error);
  CHECK(compile_schema("false", NULL, NULL) == WEIR_UNSATISFIABLE);
}

static void test_any_json(void) {
  weir_tokenizer_info* tokenizer = letters();
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_grammar* grammar = NULL;
  weir_matcher* matcher = NULL;
  weir_json_schema_options options;
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_grammar_json(NULL, NULL, &grammar, NULL) == WEIR_OK && has_text(grammar, "[1, 2]"));
  CHECK(weir_grammar_json_object(NULL, NULL, &grammar, NULL) == WEIR_OK && !has_text(grammar, "[1, 2]"));
  CHECK(weir_json_schema_options_init(&options, sizeof options) == WEIR_OK);
  options.whitespace = WEIR_WHITESPACE_NONE;
  CHECK(weir_compiler_compile_json(compiler, &options, &compiled, NULL) == WEIR_OK);
  CHECK(weir_matcher_create(compiled, NULL, &matcher) == WEIR_OK);
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("[1, 2]")) == WEIR_REFUSED);
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("[1,2]")) == WEIR_OK && weir_matcher_is_completed(matcher));
  weir_matcher_free(matcher);
  weir_compiled_grammar_free(compiled);
  CHECK(weir_compiler_compile_json_object(compiler, NULL, &compiled, NULL) == WEIR_OK);
  CHECK(weir_matcher_create(compiled, NULL, &matcher) == WEIR_OK);
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("[")) == WEIR_REFUSED);
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("{}")) == WEIR_OK && weir_matcher_is_completed(matcher));
  weir_matcher_free(matcher);
  weir_compiled_grammar_free(compiled);
  options.order = 7;
  CHECK(weir_compiler_compile_json(compiler, &options, &compiled, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_compiler_compile_json_object(NULL, NULL, &compiled, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_grammar_json(&options, NULL, &grammar, NULL) == WEIR_INVALID_ARGUMENT && grammar == NULL);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

static void test_syntax_names(void) {
  weir_grammar_syntax syntax = WEIR_SYNTAX_EBNF;
  CHECK(strcmp(weir_grammar_syntax_name(WEIR_SYNTAX_KBNF), "kbnf") == 0);
  CHECK(strcmp(weir_grammar_syntax_name((weir_grammar_syntax)(WEIR_SYNTAX_LARK + 1)), "unknown") == 0);
  CHECK(weir_grammar_syntax_named(weir_text_of("lark"), &syntax) == WEIR_OK && syntax == WEIR_SYNTAX_LARK);
  CHECK(weir_grammar_syntax_named(weir_text_of("latin"), &syntax) == WEIR_NOT_FOUND && syntax == WEIR_SYNTAX_EBNF);
}

static void test_structural_tags(void) {
  static const char* const kTag =
      "{\"format\": {\"type\": \"sequence\", \"elements\": [{\"type\": \"const_string\", \"value\": \"a\"},"
      " {\"type\": \"grammar\", \"grammar\": \"root ::= \\\"b\\\"\"}]}}";
  weir_tokenizer_info* tokenizer = letters();
  weir_structural_tag_options options;
  weir_text names[1];
  weir_compiler* compiler = NULL;
  weir_grammar* grammar = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_matcher* matcher = NULL;
  CHECK(weir_structural_tag_options_init(&options, sizeof options) == WEIR_OK);
  CHECK(options.json_schema == NULL && options.grammar_syntax == WEIR_SYNTAX_XGRAMMAR);
  CHECK(weir_grammar_from_structural_tag(weir_text_of(kTag), &options, NULL, &grammar, NULL) == WEIR_OK);
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile(compiler, grammar, &compiled, NULL) == WEIR_OK);
  weir_grammar_free(grammar);
  grammar = NULL;
  weir_compiled_grammar_free(compiled);
  compiled = NULL;
  CHECK(weir_compiler_compile_structural_tag(compiler, weir_text_of(kTag), NULL, &compiled, NULL) == WEIR_OK);
  CHECK(weir_matcher_create(compiled, NULL, &matcher) == WEIR_OK);
  CHECK(weir_matcher_accept_bytes(matcher, weir_text_of("ab")) == WEIR_OK);
  weir_matcher_free(matcher);
  weir_compiled_grammar_free(compiled);
  compiled = NULL;
  CHECK(weir_compiler_compile_response_format(compiler, weir_text_of("{\"type\": \"text\"}"), NULL, &compiled, NULL) ==
        WEIR_OK);
  weir_compiled_grammar_free(compiled);
  compiled = NULL;
  CHECK(weir_grammar_from_response_format(weir_text_of("{}"), NULL, NULL, &grammar, NULL) == WEIR_INVALID_ARGUMENT);
  names[0] = weir_text_of("a");
  options.special_tokens = names;
  options.special_token_count = 1;
  CHECK(weir_compiler_compile_structural_tag(compiler, weir_text_of(kTag), &options, &compiled, NULL) ==
        WEIR_INVALID_ARGUMENT);
  options.special_tokens = NULL;
  CHECK(weir_grammar_from_structural_tag(weir_text_of(kTag), &options, NULL, &grammar, NULL) == WEIR_INVALID_ARGUMENT);
  options.special_token_count = 0;
  options.grammar_syntax = 9;
  CHECK(weir_grammar_from_structural_tag(weir_text_of(kTag), &options, NULL, &grammar, NULL) == WEIR_INVALID_ARGUMENT);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

static void test_limits(void) {
  weir_limits limits;
  weir_grammar* grammar = NULL;
  weir_error* error = NULL;
  CHECK(weir_limits_init(&limits, sizeof limits) == WEIR_OK && limits.nesting == 1000);
  limits.text_bytes = 5;
  CHECK(weir_grammar_from_ebnf(weir_text_of("root ::= \"a\""), NULL, &limits, &grammar, &error) == WEIR_LIMIT_EXCEEDED);
  CHECK(equals(weir_error_limit(error), "text_bytes"));
  weir_error_free(error);

  weir_text_options options;
  weir_diagnostics* findings = NULL;
  weir_diagnostic finding;
  CHECK(weir_text_options_init(&options, sizeof options) == WEIR_OK);
  options.exact_splits = true;
  CHECK(weir_grammar_from_text(weir_text_of("root ::= \"a\""), &options, NULL, &grammar, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(equals(weir_error_options(error), "exact_splits syntax") && contains(weir_error_message(error), "`exact_splits`"));
  finding.struct_size = sizeof finding;
  CHECK(weir_error_diagnostics(error, &findings) == WEIR_OK && weir_diagnostics_at(findings, 0, &finding) == WEIR_OK);
  CHECK(equals(finding.options, "exact_splits syntax"));
  weir_diagnostics_free(findings);
  weir_error_free(error);

  weir_tokenizer_info* tokenizer = letters();
  weir_compiler* compiler = NULL;
  weir_limits seen;
  CHECK(weir_compiler_create(tokenizer, &limits, &compiler, NULL) == WEIR_OK);
  memset(&seen, 0xff, sizeof seen);
  seen.struct_size = sizeof seen;
  /* Up to the last member: what the struct is padded with has no value. */
  const size_t members = offsetof(weir_limits, token_dfa_states) + sizeof seen.token_dfa_states;
  CHECK(weir_compiler_limits(compiler, &seen) == WEIR_OK && memcmp(&seen, &limits, members) == 0);
  CHECK(seen.call_work == limits.call_work && seen.call_work > 0);
  CHECK(weir_compiler_limits(NULL, &seen) == WEIR_INVALID_ARGUMENT);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

/* Structs of older and newer headers. */
static void test_struct_size(void) {
  struct {
    weir_limits limits;
    uint64_t later;
  } newer;
  weir_grammar* grammar = NULL;
  const weir_text text = weir_text_of("root ::= \"a\"");
  memset(&newer, 0xff, sizeof newer);
  CHECK(weir_limits_init(&newer.limits, sizeof newer) == WEIR_OK && newer.later == 0);
  CHECK(weir_grammar_from_ebnf(text, NULL, &newer.limits, &grammar, NULL) == WEIR_OK);
  weir_grammar_free(grammar);
  newer.later = 1;
  CHECK(weir_grammar_from_ebnf(text, NULL, &newer.limits, &grammar, NULL) == WEIR_INVALID_ARGUMENT);
  /* The limits of an older header end after text_bytes: bytes after it are not read. */
  memset(&newer, 0, sizeof newer);
  CHECK(weir_limits_init(&newer.limits, offsetof(weir_limits, schema_steps)) == WEIR_OK);
  CHECK(newer.limits.text_bytes > 0 && newer.limits.nesting == 0);
  CHECK(weir_grammar_from_ebnf(text, NULL, &newer.limits, &grammar, NULL) == WEIR_OK);
  weir_grammar_free(grammar);
  newer.limits.struct_size = 0;
  CHECK(weir_grammar_from_ebnf(text, NULL, &newer.limits, &grammar, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_limits_init(&newer.limits, 4) == WEIR_INVALID_ARGUMENT && weir_limits_init(NULL, 99) != WEIR_OK);
}

static void test_null(void) {
  const weir_text nothing = {NULL, 3};
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_grammar* grammar = NULL;
  CHECK(weir_grammar_from_ebnf(nothing, NULL, NULL, &grammar, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_compiler_create(NULL, NULL, &compiler, NULL) == WEIR_INVALID_ARGUMENT && compiler == NULL);
  CHECK(weir_compiler_compile(NULL, NULL, &compiled, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_compiler_compile_ebnf(NULL, nothing, NULL, &compiled, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_compiled_grammar_stats(NULL, NULL) == WEIR_INVALID_ARGUMENT);
  weir_compiler_free(NULL);
  weir_compiled_grammar_free(NULL);
  weir_grammar_free(NULL);
  weir_error_free(NULL);
}

static void test_joined(void) {
  weir_grammar* parts[2] = {NULL, NULL};
  weir_grammar* joined = NULL;
  weir_error* error = NULL;
  CHECK(weir_grammar_from_ebnf(weir_text_of("root ::= \"ab\""), NULL, NULL, &parts[0], NULL) == WEIR_OK);
  CHECK(weir_grammar_concat((const weir_grammar* const*)parts, 2, NULL, &joined, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(joined == NULL && contains(weir_error_message(error), "`parts` is NULL"));
  weir_error_free(error);
  CHECK(weir_grammar_any_of(NULL, 1, NULL, &joined, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_grammar_any_of(NULL, 0, NULL, &joined, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(contains(weir_error_message(error), "no grammars"));
  weir_error_free(error);
  CHECK(weir_grammar_from_regex(weir_text_of("c?"), NULL, NULL, &parts[1], NULL) == WEIR_OK);
  CHECK(weir_grammar_concat((const weir_grammar* const*)parts, 2, NULL, &joined, NULL) == WEIR_OK);
  CHECK(has_text(joined, "abc"));
  CHECK(weir_grammar_any_of((const weir_grammar* const*)parts, 2, NULL, &joined, NULL) == WEIR_OK);
  CHECK(!has_text(joined, "abc"));
  CHECK(weir_grammar_any_of((const weir_grammar* const*)parts, 2, NULL, &joined, NULL) == WEIR_OK);
  weir_grammar_free(parts[0]);
  weir_grammar_free(parts[1]); /* The joined grammar does not need its parts. */
  CHECK(has_text(joined, "c"));
}

static void test_converted(void) {
  weir_grammar* grammar = NULL;
  weir_owned_text text = {NULL, 0};
  CHECK(weir_grammar_from_ebnf(weir_text_of("root ::= \"ab\""), NULL, NULL, &grammar, NULL) == WEIR_OK);
  CHECK(weir_convert_grammar(grammar, WEIR_SYNTAX_GBNF, &text, NULL) == WEIR_OK);
  CHECK(take(&text, "root ::= \"ab\"\n"));
  CHECK(weir_convert_grammar(grammar, WEIR_SYNTAX_KBNF, &text, NULL) == WEIR_OK);
  CHECK(take(&text, "start ::= \"ab\";\n"));
  CHECK(weir_convert_to_regex(grammar, &text, NULL) == WEIR_OK);
  CHECK(take(&text, "ab"));
  CHECK(weir_convert_to_regex(NULL, &text, NULL) == WEIR_INVALID_ARGUMENT && text.data == NULL);
  CHECK(weir_convert_grammar(grammar, 99, &text, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_convert_grammar(NULL, WEIR_SYNTAX_GBNF, &text, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_convert_grammar(grammar, WEIR_SYNTAX_GBNF, NULL, NULL) == WEIR_INVALID_ARGUMENT);
  weir_grammar_free(grammar);
}

static void test_tools(void) {
  static const char kTools[] = "[{\"type\": \"function\", \"function\": {\"name\": \"add\", \"parameters\": {}}}]";
  weir_tool_options options;
  weir_owned_text tag = {NULL, 0};
  weir_grammar* grammar = NULL;
  weir_error* error = NULL;
  weir_text style;
  CHECK(weir_tool_style_count() >= 10);
  CHECK(weir_tool_style(0, &style) == WEIR_OK && style.size > 0);
  CHECK(weir_tool_style(weir_tool_style_count() - 1, &style) == WEIR_OK && style.size > 0);
  CHECK(weir_tool_style(weir_tool_style_count(), &style) == WEIR_INVALID_ARGUMENT && style.size == 0);
  CHECK(weir_tool_options_init(&options, sizeof options) == WEIR_OK);
  CHECK(equals(options.tool_choice, "\"auto\"") && options.parallel_tool_calls && options.reasoning == 0);
  options.tool_choice = weir_text_of("\"required\"");
  CHECK(weir_structural_tag_for_tools(weir_text_of("hermes"), weir_text_of(kTools), &options, NULL, &tag, NULL) ==
        WEIR_OK);
  CHECK(strstr(tag.data, "\"add\"") != NULL);
  CHECK(weir_grammar_from_structural_tag(weir_text_of(tag.data), NULL, NULL, &grammar, NULL) == WEIR_OK);
  weir_grammar_free(grammar);
  weir_owned_text_free(&tag);
  CHECK(weir_structural_tag_for_tools(weir_text_of("latin"), weir_text_of(kTools), NULL, NULL, &tag, &error) ==
        WEIR_INVALID_ARGUMENT);
  CHECK(tag.data == NULL && contains(weir_error_message(error), "latin"));
  weir_error_free(error);
  const char* elsewhere = "[{\"name\": \"f\", \"parameters\": {\"properties\": {\"a\": {\"$ref\": \"https://a.b/c\"}}}}]";
  CHECK(weir_structural_tag_for_tools(weir_text_of("hermes"), weir_text_of(elsewhere), NULL, NULL, &tag, NULL) ==
        WEIR_OK);
  CHECK(weir_grammar_from_structural_tag(weir_text_of(tag.data), NULL, NULL, &grammar, &error) ==
        WEIR_INVALID_ARGUMENT);
  CHECK(equals(weir_error_text(error), elsewhere) && equals(weir_error_pointer(error), "/0/parameters/properties/a/$ref"));
  CHECK(strncmp(elsewhere + weir_error_start(error), "\"https://a.b/c\"", 15) == 0);
  weir_error_free(error);
  weir_owned_text_free(&tag);
  CHECK(weir_error_text(NULL).size == 0);
  options.reasoning = WEIR_REASONING_AUTO + 1;
  CHECK(weir_structural_tag_for_tools(weir_text_of("hermes"), weir_text_of(kTools), &options, NULL, &tag, NULL) ==
        WEIR_INVALID_ARGUMENT);
}

int main(void) {
  test_errors();
  test_warnings();
  test_compiled();
  test_warm_up();
  test_ebnf_and_regex_options();
  test_text_options();
  test_choice_and_substring();
  test_json_schema();
  test_any_json();
  test_syntax_names();
  test_structural_tags();
  test_limits();
  test_struct_size();
  test_null();
  test_joined();
  test_converted();
  test_tools();
  return EXIT_SUCCESS;
}
