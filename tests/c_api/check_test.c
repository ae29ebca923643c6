/* Checks and diagnostics through the C interface. */
#include "check.h"

static weir_diagnostic at(const weir_diagnostics* diagnostics, size_t index) {
  weir_diagnostic found;
  memset(&found, 0xff, sizeof found);
  found.struct_size = sizeof found;
  CHECK(weir_diagnostics_at(diagnostics, index, &found) == WEIR_OK && found.struct_size == sizeof found);
  return found;
}

/* A warning about tools leads into their list, not into the tag that was made of it. */
static void test_places_in_tools(void) {
  const weir_text tools = weir_text_of("[{\"name\": \"f\", \"parameters\": {\"properties\": {\"a\": {\"items\": []}}}}]");
  weir_owned_text tag;
  weir_owned_text shown;
  weir_grammar* grammar = NULL;
  weir_diagnostics* diagnostics = NULL;
  weir_diagnostic found;
  const weir_text name = weir_text_of("<tag>");
  CHECK(weir_structural_tag_for_tools(weir_text_of("hermes"), tools, NULL, NULL, &tag, NULL) == WEIR_OK);
  const weir_text text = {tag.data, tag.size};
  CHECK(weir_grammar_from_structural_tag(text, NULL, NULL, &grammar, NULL) == WEIR_OK);
  CHECK(weir_grammar_diagnostics(grammar, &diagnostics) == WEIR_OK && weir_diagnostics_count(diagnostics) == 1);
  found = at(diagnostics, 0);
  CHECK(equals(found.text, tools.data) && equals(found.pointer, "/0/parameters/properties/a/items"));
  CHECK(found.end == found.start + 2 && tools.data[found.start] == '[' && tools.data[found.start + 1] == ']');
  CHECK(weir_diagnostics_render(diagnostics, 0, text, name, NULL, &shown) == WEIR_OK);
  const weir_text rendered = {shown.data, shown.size};
  CHECK(contains(rendered, "<tools>:1:"));
  weir_owned_text_free(&shown);
  weir_diagnostics_free(diagnostics);
  weir_grammar_free(grammar);
  weir_owned_text_free(&tag);
}

static void test_errors_of_a_grammar(void) {
  static const char kText[] = "root ::= exprs\nexpr ::= \"b\" thing\n";
  weir_diagnostics* diagnostics = NULL;
  weir_owned_text shown = {NULL, 0};
  weir_render_options how;
  weir_diagnostic found;
  size_t line = 0, column = 0;
  CHECK(weir_check_grammar(weir_text_of(kText), NULL, NULL, &diagnostics, NULL) == WEIR_OK);
  CHECK(weir_diagnostics_count(diagnostics) == 2);
  found = at(diagnostics, 0);
  CHECK(found.severity == WEIR_SEVERITY_ERROR && equals(found.code, "invalid_argument"));
  CHECK(equals(found.message, "rule `exprs` is not defined") && contains(found.hint, "did you mean `expr`?"));
  CHECK(found.start == 9 && found.end == 14 && found.note_count == 0);
  CHECK(found.has_fix && equals(found.replacement, "expr") && found.fix_start == 9 && found.fix_end == 14);
  CHECK(equals(found.limit, "") && equals(found.pointer, ""));
  found = at(diagnostics, 1);
  CHECK(contains(found.message, "`thing`") && found.start == 28 && !found.has_fix && equals(found.replacement, ""));
  CHECK(weir_line_column(weir_text_of(kText), found.start, &line, &column) == WEIR_OK && line == 2 && column == 14);

  CHECK(weir_diagnostics_render(diagnostics, 0, weir_text_of(kText), weir_text_of("g"), NULL, &shown) == WEIR_OK);
  CHECK(strstr(shown.data, "g:1:10: error: rule `exprs`") == shown.data && strstr(shown.data, "\033[") == NULL);
  weir_owned_text_free(&shown);
  CHECK(weir_render_options_init(&how, sizeof how) == WEIR_OK && !how.colors);
  how.colors = true;
  CHECK(weir_diagnostics_render(diagnostics, 0, weir_text_of(kText), weir_text_of("g"), &how, &shown) == WEIR_OK);
  CHECK(strstr(shown.data, "\033[") != NULL);
  weir_owned_text_free(&shown);
  weir_diagnostics_free(diagnostics);
}

static void test_warnings_of_a_grammar(void) {
  static const char kText[] = "root ::= [a-z]+ | \"abc\"\nspare ::= \"b\"\n";
  weir_text_options options;
  weir_diagnostics* diagnostics = NULL;
  weir_grammar* grammar = NULL;
  weir_diagnostic found;
  weir_warning warning;
  weir_note note;
  CHECK(weir_check_grammar(weir_text_of(kText), NULL, NULL, &diagnostics, NULL) == WEIR_OK);
  CHECK(weir_diagnostics_count(diagnostics) == 2);
  found = at(diagnostics, 0);
  CHECK(found.severity == WEIR_SEVERITY_WARNING && equals(found.code, "unreachable-alternative"));
  CHECK(found.start == 18 && found.note_count == 1);
  CHECK(weir_diagnostics_note(diagnostics, 0, 0, &note) == WEIR_OK && note.start == 9 && note.message.size > 0);
  CHECK(weir_diagnostics_note(diagnostics, 0, 1, &note) == WEIR_INVALID_ARGUMENT && note.message.size == 0);
  CHECK(equals(at(diagnostics, 1).code, "unused-rule"));
  weir_diagnostics_free(diagnostics);

  CHECK(weir_text_options_init(&options, sizeof options) == WEIR_OK);
  options.start = weir_text_of("other");
  CHECK(weir_check_grammar(weir_text_of(kText), &options, NULL, &diagnostics, NULL) == WEIR_OK);
  CHECK(weir_diagnostics_count(diagnostics) == 1 && contains(at(diagnostics, 0).message, "`other`"));
  weir_diagnostics_free(diagnostics);

  CHECK(weir_grammar_from_ebnf(weir_text_of(kText), NULL, NULL, &grammar, NULL) == WEIR_OK);
  CHECK(weir_grammar_warning(grammar, 0, &warning) == WEIR_OK && equals(warning.code, "unused-rule"));
  CHECK(weir_grammar_diagnostics(grammar, &diagnostics) == WEIR_OK && weir_diagnostics_count(diagnostics) == 1);
  weir_grammar_free(grammar);
  found = at(diagnostics, 0);
  CHECK(found.severity == WEIR_SEVERITY_WARNING && equals(found.code, "unused-rule") && found.start == 24);
  weir_diagnostics_free(diagnostics);
}

/* Checks the findings about one text: there are `count`, and the first has this code. */
static bool finds(weir_status status, weir_diagnostics* diagnostics, size_t count, const char* code) {
  const bool is_right = status == WEIR_OK && weir_diagnostics_count(diagnostics) == count &&
                        (count == 0 || equals(at(diagnostics, 0).code, code));
  weir_diagnostics_free(diagnostics);
  return is_right;
}

static void test_other_texts(void) {
  weir_regex_options regex;
  weir_json_schema_options schema;
  weir_diagnostics* out = NULL;
  weir_status status = weir_check_regex(weir_text_of("a(b"), NULL, NULL, &out, NULL);
  CHECK(finds(status, out, 1, "syntax"));
  CHECK(weir_regex_options_init(&regex, sizeof regex) == WEIR_OK);
  regex.dialect = WEIR_REGEX_PYTHON;
  status = weir_check_regex(weir_text_of("(?P<x>a)"), &regex, NULL, &out, NULL);
  CHECK(finds(status, out, 0, NULL));
  status = weir_check_schema(weir_text_of("{\"type\": \"strin\"}"), NULL, NULL, &out, NULL);
  CHECK(status == WEIR_OK && equals(at(out, 0).pointer, "/type"));
  CHECK(finds(status, out, 1, "invalid_argument"));
  CHECK(weir_json_schema_options_init(&schema, sizeof schema) == WEIR_OK);
  status = weir_check_schema(weir_text_of("{\"format\": \"x\"}"), &schema, NULL, &out, NULL);
  CHECK(status == WEIR_OK && at(out, 0).severity == WEIR_SEVERITY_WARNING);
  CHECK(finds(status, out, 1, "unknown-format"));
  schema.unknown_formats = WEIR_UNKNOWN_FORMATS_REFUSE;
  status = weir_check_schema(weir_text_of("{\"format\": \"x\"}"), &schema, NULL, &out, NULL);
  CHECK(finds(status, out, 1, "unsupported"));
  status = weir_check_structural_tag(weir_text_of("{\"format\": {\"type\": \"nope\"}}"), NULL, NULL, &out, NULL);
  CHECK(finds(status, out, 1, "invalid_argument"));
  status = weir_check_response_format(weir_text_of("{\"type\": \"text\"}"), NULL, NULL, &out, NULL);
  CHECK(finds(status, out, 0, NULL));
}

static void test_notes_of_an_error(void) {
  static const char kSchema[] = "{\"type\": \"integer\", \"minimum\": 3, \"maximum\": 1}";
  weir_tokenizer_info* tokenizer = letters();
  weir_compiler* compiler = NULL;
  weir_compiled_grammar* compiled = NULL;
  weir_error* error = NULL;
  weir_diagnostics* diagnostics = NULL;
  weir_note note;
  CHECK(weir_compiler_create(tokenizer, NULL, &compiler, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile_json_schema(compiler, weir_text_of(kSchema), NULL, &compiled, &error) ==
        WEIR_UNSATISFIABLE);
  CHECK(weir_error_diagnostics(error, &diagnostics) == WEIR_OK && weir_diagnostics_count(diagnostics) == 1);
  weir_error_free(error);
  CHECK(equals(at(diagnostics, 0).code, "unsatisfiable") && at(diagnostics, 0).note_count == 3);
  CHECK(weir_diagnostics_note(diagnostics, 0, 2, &note) == WEIR_OK && note.start == 45 &&
        equals(note.location, "#/maximum"));
  weir_diagnostics_free(diagnostics);
  CHECK(weir_compiler_compile_ebnf(compiler, weir_text_of("root ::= \"a\"\nspare ::= \"b\"\n"), NULL, &compiled,
                                   NULL) == WEIR_OK);
  CHECK(weir_compiled_grammar_diagnostics(compiled, &diagnostics) == WEIR_OK);
  CHECK(weir_diagnostics_count(diagnostics) == 1 && equals(at(diagnostics, 0).code, "unused-rule"));
  weir_diagnostics_free(diagnostics);
  weir_compiled_grammar_free(compiled);
  weir_compiler_free(compiler);
  weir_tokenizer_info_free(tokenizer);
}

static void test_misuse(void) {
  const weir_text nothing = {NULL, 3};
  const weir_text text = weir_text_of("root ::= exprs");
  weir_text_options options;
  weir_diagnostics* diagnostics = NULL;
  weir_error* error = NULL;
  weir_limits limits;
  weir_diagnostic found;
  weir_owned_text shown = {NULL, 0};
  size_t line = 9, column = 9;
  CHECK(weir_check_grammar(nothing, NULL, NULL, &diagnostics, &error) == WEIR_INVALID_ARGUMENT && error != NULL);
  weir_error_free(error);
  CHECK(weir_text_options_init(&options, sizeof options) == WEIR_OK);
  options.syntax = 99;
  CHECK(weir_check_grammar(text, &options, NULL, &diagnostics, &error) == WEIR_INVALID_ARGUMENT);
  CHECK(diagnostics == NULL && contains(weir_error_message(error), "weir_grammar_syntax"));
  weir_error_free(error);
  CHECK(weir_check_grammar(text, NULL, NULL, NULL, NULL) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_limits_init(&limits, sizeof limits) == WEIR_OK);
  limits.text_bytes = 3;
  CHECK(weir_check_grammar(text, NULL, &limits, &diagnostics, NULL) == WEIR_OK);
  CHECK(equals(at(diagnostics, 0).limit, "text_bytes"));
  found.struct_size = sizeof found;
  CHECK(weir_diagnostics_at(diagnostics, 1, &found) == WEIR_INVALID_ARGUMENT && found.message.size == 0);
  /* A caller with an older header, whose struct has only the code. */
  memset(&found, 0xff, sizeof found);
  found.struct_size = offsetof(weir_diagnostic, message);
  CHECK(weir_diagnostics_at(diagnostics, 0, &found) == WEIR_OK && equals(found.code, "limit_exceeded"));
  CHECK(found.message.size == SIZE_MAX);
  CHECK(weir_diagnostics_render(diagnostics, 1, text, text, NULL, &shown) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_diagnostics_render(diagnostics, 0, nothing, text, NULL, &shown) == WEIR_INVALID_ARGUMENT);
  weir_diagnostics_free(diagnostics);
  CHECK(weir_diagnostics_count(NULL) == 0 && weir_diagnostics_at(NULL, 0, &found) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_error_diagnostics(NULL, &diagnostics) == WEIR_INVALID_ARGUMENT && diagnostics == NULL);
  CHECK(weir_grammar_diagnostics(NULL, &diagnostics) == WEIR_INVALID_ARGUMENT);
  CHECK(weir_line_column(nothing, 0, &line, &column) == WEIR_INVALID_ARGUMENT && line == 0 && column == 0);
  CHECK(strcmp(weir_severity_name(WEIR_SEVERITY_WARNING), "warning") == 0);
  weir_diagnostics_free(NULL);
}

static void test_explained_refusals(void) {
  static const char kSchema[] = "{\"properties\": {\"age\": {\"type\": \"integer\", \"maximum\": 120}}}";
  const weir_text none = {NULL, 3};
  weir_json_schema_options options;
  weir_diagnostics* out = NULL;
  weir_diagnostic found;
  weir_note note;
  CHECK(weir_explain_refusal(weir_text_of(kSchema), weir_text_of("{\"age\": 121}"), NULL, NULL, &out, NULL) == WEIR_OK);
  CHECK(weir_diagnostics_count(out) == 1);
  found = at(out, 0);
  CHECK(equals(found.code, "refused") && equals(found.pointer, "/properties/age/maximum"));
  CHECK(equals(found.message, "`maximum` refuses `/age`") && found.end == found.start + 3);
  CHECK(strncmp(kSchema + found.start, "120", 3) == 0 && found.note_count == 1);
  CHECK(weir_diagnostics_note(out, 0, 0, &note) == WEIR_OK && equals(note.location, "#/properties/age"));
  weir_diagnostics_free(out);

  /* Members of the language and their prefixes are not refused. */
  CHECK(weir_explain_refusal(weir_text_of(kSchema), weir_text_of("{\"age\": 12"), NULL, NULL, &out, NULL) == WEIR_OK);
  CHECK(finds(WEIR_OK, out, 0, NULL));
  /* What is no JSON is refused without a keyword; so is a layout that the options do not have. */
  CHECK(weir_explain_refusal(weir_text_of(kSchema), weir_text_of("nothing"), NULL, NULL, &out, NULL) == WEIR_OK);
  CHECK(at(out, 0).start == at(out, 0).end && contains(at(out, 0).message, "no JSON") &&
        finds(WEIR_OK, out, 1, "refused"));
  CHECK(weir_json_schema_options_init(&options, sizeof options) == WEIR_OK);
  options.whitespace = WEIR_WHITESPACE_NONE;
  CHECK(weir_explain_refusal(weir_text_of("true"), weir_text_of("[ 1]"), &options, NULL, &out, NULL) == WEIR_OK);
  CHECK(contains(at(out, 0).message, "no JSON") && finds(WEIR_OK, out, 1, "refused"));
  /* A schema that cannot be read, and missing texts. */
  CHECK(weir_explain_refusal(weir_text_of("{"), weir_text_of("1"), NULL, NULL, &out, NULL) == WEIR_OK);
  CHECK(finds(WEIR_OK, out, 1, "syntax"));
  CHECK(weir_explain_refusal(none, weir_text_of("1"), NULL, NULL, &out, NULL) == WEIR_INVALID_ARGUMENT && out == NULL);
  CHECK(weir_explain_refusal(weir_text_of("true"), none, NULL, NULL, &out, NULL) == WEIR_INVALID_ARGUMENT &&
        out == NULL);
}

int main(void) {
  test_errors_of_a_grammar();
  test_warnings_of_a_grammar();
  test_other_texts();
  test_explained_refusals();
  test_notes_of_an_error();
  test_places_in_tools();
  test_misuse();
  return EXIT_SUCCESS;
}
