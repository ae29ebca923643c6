#!/usr/bin/env python3
"""Writes a C program that calls every function of weir_c.h with wrong arguments: make_misuse_test.py HEADER OUTPUT

The functions, their parameters and the fields of structs are read from the header. For each parameter there is a list of
values by its type and name, right ones and wrong ones; each function is called with right arguments, with one argument
wrong at a time, and with all of them wrong. A call must return a status that there is, never WEIR_INTERNAL or
WEIR_OUT_OF_MEMORY, an error if and only if there is one to tell, and a failure for arguments that are always wrong. Blocks
of memory have exactly the size that a call may use, so that a sanitizer sees one byte too many.
A parameter of a type that is not known here is an error: a new function cannot be left out.
"""

import pathlib
import re
import sys

VOCABULARY = 7  # of letters() in check.h
FIXTURES = ["weir_tokenizer_info", "weir_compiler", "weir_grammar", "weir_compiled_grammar", "weir_matcher", "weir_error",
            "weir_diagnostics", "weir_batch", "weir_completion", "weir_captures", "weir_expectation", "weir_explanation",
            "weir_kbnf_engine", "weir_reply_parser"]
RIGHT, WRONG, EITHER = "right", "wrong", "either"  # EITHER: what the call makes of it is not said here
SIZES = ["SIZE_MAX", "(size_t)PTRDIFF_MAX + 1", "SIZE_MAX / 4 + 2"]
STRUCT_SIZES = ["0", "1", "sizeof(size_t) - 1", "4097", "SIZE_MAX"]
ENUMERATORS = ["-1", "99", "INT32_MIN", "INT32_MAX"]
TEXTS = [("text(GRAMMAR, strlen(GRAMMAR))", RIGHT), ("text(NULL, 0)", EITHER), ("text(\"\\xFF\\xC0\\0a\", 4)", EITHER),
         ("text(NULL, 1)", WRONG), ("text(NULL, SIZE_MAX)", WRONG)] + [(f"text(GRAMMAR, {size})", WRONG) for size in SIZES[:2]]
TAKES_NULL = {("weir_compiled_grammar_warm_up", "out"), ("weir_tokenizer_info_stop_token_ids", "ids"),
              ("weir_matcher_stop_token_ids", "ids"), ("weir_kbnf_engine_allowed_token_bitmask", "words")}


def parse(header):
    text = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    enums = set(re.findall(r"typedef enum (\w+)", text))
    structs = {}
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\n\}", text, re.DOTALL):
        fields = []
        for kind, names in re.findall(r"^\s*([\w ]+?(?:\s*\*)?)\s*((?:\w+,\s*)*\w+);", body, re.MULTILINE):
            fields += [(kind.strip(), field.strip()) for field in names.split(",")]
        structs[name] = fields
    functions = []
    for result, name, parameters in re.findall(r"WEIR_API ([\w ]+?[\s*]+)(weir_\w+)\(([^;]*?)\);", text):
        listed = [] if parameters.strip() in ("", "void") else [p.strip() for p in parameters.split(",")]
        pairs = [re.fullmatch(r"(.*?)(\w+)", " ".join(p.split())).groups() for p in listed]
        functions.append((result.strip(), name, [(kind.replace(" *", "*").strip(), n) for kind, n in pairs]))
    return enums, structs, functions


class Writer:
    def __init__(self, header):
        self.enums, self.structs, self.functions = parse(header)
        self.setters = []  # code of functions that make a struct with one wrong field

    def wrong_structs(self, name):
        """Returns [(expression of a pointer, verdict)] of structs of options: sizes, then each field in turn."""
        initialized = f"options_{name}"
        out = [("NULL", EITHER), (f"&{initialized}()->value", RIGHT)]
        values = []
        fields = dict((field, kind) for kind, field in self.structs[name])
        for kind, field in self.structs[name]:
            if field == "struct_size":
                values += [(field, size, WRONG) for size in STRUCT_SIZES]
            elif kind == "weir_text":
                values += [(field, value, verdict) for value, verdict in TEXTS if verdict == WRONG]
            elif kind == "size_t":
                values += [(field, size, WRONG) for size in ["1"] + SIZES]  # the pointer beside it is NULL
            elif kind == "int32_t":
                values += [(field, value, WRONG) for value in ENUMERATORS]
            elif kind in ("uint32_t", "uint64_t"):
                values += [(field, value, EITHER) for value in ("0", f"{kind[:-2].upper()}_MAX")]
            elif kind.endswith("*"):
                assert any(other.endswith("_count") for other in fields) or field in ("json_schema", "tools"), (name, field)
            else:
                assert kind == "bool", (name, kind, field)
                values += [(field, "true", EITHER)]
        function = f"{name}_with"
        cases = "\n".join(f"    case {i}: options->value.{field} = {value}; break;" for i, (field, value, _) in enumerate(values))
        self.setters.append(f"""
typedef struct {{ {name} value; }} boxed_{name};
static boxed_{name}* options_{name}(void) {{
  boxed_{name}* options = (boxed_{name}*)block(sizeof *options);
  CHECK({name}_init(&options->value, sizeof options->value) == WEIR_OK);
  return options;
}}
static const {name}* {function}(int wrong) {{
  boxed_{name}* options = options_{name}();
  switch (wrong) {{
{cases}
  }}
  return &options->value;
}}""")
        return out + [(f"{function}({i})", verdict) for i, (_, _, verdict) in enumerate(values)]

    def outputs(self, name, null):
        """Returns values of a pointer to a struct that a call fills in according to its struct_size."""
        self.setters.append(f"""
static {name}* sized_{name}(size_t size) {{
  {name}* out = ({name}*)block(sizeof *out);
  out->struct_size = size;
  return out;
}}""")
        return ([(f"sized_{name}(sizeof({name}))", RIGHT), ("NULL", null)] +
                [(f"sized_{name}({size})", WRONG) for size in STRUCT_SIZES])

    def values(self, function, kind, name):
        """Returns [(C expression, verdict)]; the first one is right."""
        const = kind.startswith("const ")
        base = kind.removeprefix("const ").rstrip("*").strip()
        stars = len(kind) - len(kind.rstrip("*"))
        strict = function.startswith(("weir_matcher_", "weir_batch_"))
        if kind == "weir_text":
            return TEXTS
        if kind == "size_t" and name == "struct_size":
            owner = re.fullmatch(r"(weir_\w+)_init", function)
            owner = owner[1] if owner else "weir_json_schema_options"
            return [(f"sizeof({owner})", RIGHT)] + [(size, WRONG) for size in STRUCT_SIZES]
        if kind == "size_t" and name == "words" and strict:
            rows = 1 if function == "weir_matcher_fill_next_token_bitmask" else 2
            return [(str(rows), RIGHT)] + [(size, WRONG) for size in ["0", str(rows + 1), str(4 * rows), "4096"] + SIZES]
        if kind == "size_t" and name in ("count", "words"):
            return [("2", RIGHT), ("0", EITHER)] + [(size, WRONG) for size in SIZES]
        if kind == "bool":
            return [("false", RIGHT), ("true", EITHER)]
        if kind == "size_t":
            return [("0", RIGHT), ("1", EITHER), ("SIZE_MAX", EITHER)]
        if kind == "uint32_t":
            return [("0", RIGHT), (str(VOCABULARY), EITHER), ("UINT32_MAX", EITHER)]
        if kind == "int32_t":
            return [("0", RIGHT)] + [(value, WRONG) for value in ENUMERATORS]
        if kind in self.enums:
            return [(f"({kind})0", RIGHT)] + [(f"({kind})({value})", EITHER) for value in ENUMERATORS]
        if stars == 2 and kind == "weir_error**":
            return [("&error", RIGHT), ("NULL", EITHER)]
        null = EITHER if (function, name) in TAKES_NULL else WRONG
        if stars == 2 and kind == "const uint32_t**":
            return [("(const uint32_t**)block(sizeof(void*))", RIGHT), ("NULL", null)]
        if kind == "weir_matcher* const*":
            return [("matchers(true)", RIGHT), ("matchers(false)", EITHER), ("NULL", WRONG)]
        if kind == "const weir_grammar* const*":
            return [("parts(true)", RIGHT), ("parts(false)", WRONG), ("NULL", WRONG)]
        if stars == 2 and base in FIXTURES:
            return [(f"&made_{base}", RIGHT), ("NULL", null)]
        if kind == "const weir_text*":
            return [("strings(RIGHT_TEXT)", RIGHT), ("strings(NO_DATA)", WRONG), ("strings(NO_SIZE)", WRONG), ("NULL", WRONG)]
        if base in FIXTURES and stars == 1:
            return [(f"fixture.{base}", RIGHT), ("NULL", null)]
        if base in self.structs and any(field == "struct_size" for _, field in self.structs[base]):
            if const:
                return self.wrong_structs(base) if function != "weir_tokenizer_info_from_vocab" or base != "weir_vocab_spec" \
                    else [("spec()", RIGHT), ("NULL", WRONG)] + self.wrong_structs(base)[2:]
            if function.endswith("_init") or function == "weir_schema_profile":
                return [(f"({base}*)block(sizeof({base}))", RIGHT), ("NULL", WRONG)]
            return self.outputs(base, null)
        if kind == "const uint32_t*" and name in ("ids", "tokens", "context", "bitmask"):
            return [("numbers(0)", RIGHT), ("numbers(UINT32_MAX)", EITHER), ("NULL", WRONG)]
        if kind == "const int32_t*":
            return [("(const int32_t*)numbers(UINT32_MAX)", RIGHT), ("(const int32_t*)numbers(77)", WRONG),
                    ("(const int32_t*)numbers(0x80000000)", WRONG), ("NULL", WRONG)]
        if kind in ("uint32_t*", "void*", "float*") and name in ("bitmask", "bitmasks", "logits"):
            size = 4 if function == "weir_matcher_fill_next_token_bitmask" else 8
            return [(f"({kind})block({size})", RIGHT), ("NULL", WRONG)]
        if kind == "weir_status*":
            return [("(weir_status*)block(2 * sizeof(weir_status))", RIGHT), ("NULL", WRONG)]
        if stars == 1 and not const and (base in self.structs or base in self.enums or
                                         base in ("size_t", "bool", "float", "uint32_t", "uint64_t")):
            if base in ("weir_owned_text", "weir_token_ids") and not function.endswith("_free"):
                return [(f"&made_{base}", RIGHT), ("NULL", null)]
            return [(f"({base}*)block(sizeof({base}))", RIGHT), ("NULL", null)]
        raise SystemExit(f"{function}: no values are known for the parameter `{kind} {name}`")

    def calls(self, result, function, parameters):
        values = []
        for kind, name in parameters:
            own = self.values(function, kind, name)
            if function.endswith("_free") and kind.rstrip("*") in FIXTURES:
                own = [("NULL", RIGHT)]
            values.append(own)
        rows = [[own[0] for own in values]]
        rows += [[v if j == i else values[j][0] for j in range(len(values))] for i, own in enumerate(values) for v in own[1:]]
        rows.append([own[-1] for own in values])
        has_error = ("weir_error**", "error") in parameters
        lines = []
        for row in rows:
            call = f"{function}({', '.join(expression for expression, _ in row)})"
            if result == "weir_status" and function != "weir_error_status":
                is_wrong = any(verdict == WRONG for _, verdict in row)
                tells = "true" if has_error and any(e == "&error" for e, _ in row) else "false"
                lines.append(f"  begin(); ended({call}, {'true' if is_wrong else 'false'}, {tells}, __LINE__);")
            else:
                lines.append(f"  begin(); {'' if result == 'void' else '(void)'}{call}; end();")
        return lines

    def program(self):
        bodies, names = [], []
        for result, name, parameters in self.functions:
            lines = "\n".join(self.calls(result, name, parameters))
            bodies.append(f"static void misuse_{name}(void) {{\n{lines}\n}}")
            names.append(f"  misuse_{name}();")
        setters = "".join(dict.fromkeys(self.setters))
        return (SUPPORT + "\n/* Structs. */\n" + setters + "\n\n" + "\n".join(bodies) +
                "\n\nint main(void) {\n  make_fixture();\n" + "\n".join(names) +
                "\n  free_fixture();\n  return EXIT_SUCCESS;\n}\n")


SUPPORT = r"""/* Written by make_misuse_test.py. */
#include "check.h"

static const char GRAMMAR[] = "root ::= @capture(x: \"a\") \"b\"? \"c\" | \"d\"\nunused ::= \"a\"\n";

/* Blocks that live until the call has returned. */
static void* blocks[64];
static size_t block_count;

static void* block(size_t size) {
  CHECK(block_count < sizeof blocks / sizeof *blocks);
  void* made = malloc(size);
  CHECK(made != NULL);
  memset(made, 0, size);
  blocks[block_count++] = made;
  return made;
}

/* A copy of at most as many bytes as GRAMMAR has, whatever size the text says. */
static weir_text text(const char* data, size_t size) {
  weir_text out = {NULL, size};
  if (data == NULL) return out;
  const size_t known = size < sizeof GRAMMAR ? size : 1;
  char* copy = (char*)block(known);
  memcpy(copy, data, known);
  out.data = copy;
  return out;
}

static struct {
  weir_tokenizer_info* weir_tokenizer_info;
  weir_compiler* weir_compiler;
  weir_grammar* weir_grammar;
  weir_compiled_grammar* weir_compiled_grammar;
  weir_matcher* weir_matcher;
  weir_error* weir_error;
  weir_diagnostics* weir_diagnostics;
  weir_batch* weir_batch;
  weir_completion* weir_completion;
  weir_captures* weir_captures;
  weir_expectation* weir_expectation;
  weir_explanation* weir_explanation;
  weir_kbnf_engine* weir_kbnf_engine;
  weir_reply_parser* weir_reply_parser;
  weir_matcher* other;
} fixture;

static void make_fixture(void) {
  const weir_text grammar = weir_text_of(GRAMMAR);
  weir_grammar* none = NULL;
  fixture.weir_tokenizer_info = letters();
  CHECK(weir_compiler_create(fixture.weir_tokenizer_info, NULL, &fixture.weir_compiler, NULL) == WEIR_OK);
  CHECK(weir_grammar_from_ebnf(grammar, NULL, NULL, &fixture.weir_grammar, NULL) == WEIR_OK);
  CHECK(weir_compiler_compile(fixture.weir_compiler, fixture.weir_grammar, &fixture.weir_compiled_grammar, NULL) == WEIR_OK);
  CHECK(weir_matcher_create(fixture.weir_compiled_grammar, NULL, &fixture.weir_matcher) == WEIR_OK);
  CHECK(weir_matcher_create(fixture.weir_compiled_grammar, NULL, &fixture.other) == WEIR_OK);
  CHECK(weir_grammar_from_json_schema(weir_text_of("{\"type\": 5}"), NULL, NULL, &none, &fixture.weir_error) != WEIR_OK);
  CHECK(weir_grammar_diagnostics(fixture.weir_grammar, &fixture.weir_diagnostics) == WEIR_OK);
  CHECK(weir_batch_create(1, &fixture.weir_batch) == WEIR_OK);
  CHECK(weir_matcher_shortest_completion_parts(fixture.weir_matcher, &fixture.weir_completion) == WEIR_OK);
  CHECK(weir_matcher_expected(fixture.weir_matcher, &fixture.weir_expectation) == WEIR_OK);
  CHECK(weir_matcher_explain(fixture.weir_matcher, 1, &fixture.weir_explanation) == WEIR_OK);
  CHECK(weir_matcher_accept_token(fixture.weir_matcher, 0) == WEIR_OK);
  CHECK(weir_matcher_captures(fixture.weir_matcher, &fixture.weir_captures) == WEIR_OK);
  CHECK(weir_kbnf_engine_of(fixture.weir_compiled_grammar, &fixture.weir_kbnf_engine) == WEIR_OK);
  CHECK(weir_reply_parser_create(weir_text_of("hermes"), weir_text_of("[]"), NULL, NULL, &fixture.weir_reply_parser, NULL) ==
        WEIR_OK);
}

static void free_fixture(void) {
  weir_reply_parser_free(fixture.weir_reply_parser);
  weir_kbnf_engine_free(fixture.weir_kbnf_engine);
  weir_explanation_free(fixture.weir_explanation);
  weir_expectation_free(fixture.weir_expectation);
  weir_captures_free(fixture.weir_captures);
  weir_completion_free(fixture.weir_completion);
  weir_batch_free(fixture.weir_batch);
  weir_diagnostics_free(fixture.weir_diagnostics);
  weir_error_free(fixture.weir_error);
  weir_matcher_free(fixture.other);
  weir_matcher_free(fixture.weir_matcher);
  weir_compiled_grammar_free(fixture.weir_compiled_grammar);
  weir_grammar_free(fixture.weir_grammar);
  weir_compiler_free(fixture.weir_compiler);
  weir_tokenizer_info_free(fixture.weir_tokenizer_info);
}

/* What calls make. */
static weir_error* error;
static weir_tokenizer_info* made_weir_tokenizer_info;
static weir_compiler* made_weir_compiler;
static weir_grammar* made_weir_grammar;
static weir_compiled_grammar* made_weir_compiled_grammar;
static weir_matcher* made_weir_matcher;
static weir_diagnostics* made_weir_diagnostics;
static weir_batch* made_weir_batch;
static weir_completion* made_weir_completion;
static weir_captures* made_weir_captures;
static weir_expectation* made_weir_expectation;
static weir_explanation* made_weir_explanation;
static weir_kbnf_engine* made_weir_kbnf_engine;
static weir_reply_parser* made_weir_reply_parser;
static weir_owned_text made_weir_owned_text;
static weir_token_ids made_weir_token_ids;

static void begin(void) {
  CHECK(weir_matcher_reset(fixture.weir_matcher) == WEIR_OK);
  CHECK(weir_matcher_reset(fixture.other) == WEIR_OK);
  CHECK(weir_kbnf_engine_reset(fixture.weir_kbnf_engine) == WEIR_OK);
  CHECK(weir_reply_parser_reset(fixture.weir_reply_parser) == WEIR_OK);
  CHECK(weir_reply_parser_feed(fixture.weir_reply_parser, weir_text_of("text"), NULL) == WEIR_OK);
  error = NULL;
}

static bool made_nothing(void) {
  return made_weir_tokenizer_info == NULL && made_weir_compiler == NULL && made_weir_grammar == NULL &&
         made_weir_compiled_grammar == NULL && made_weir_matcher == NULL && made_weir_diagnostics == NULL &&
         made_weir_batch == NULL && made_weir_completion == NULL && made_weir_captures == NULL &&
         made_weir_expectation == NULL && made_weir_explanation == NULL && made_weir_kbnf_engine == NULL &&
         made_weir_reply_parser == NULL &&
         made_weir_owned_text.data == NULL && made_weir_token_ids.data == NULL;
}

static void end(void) {
  weir_error_free(error);
  error = NULL;
  weir_reply_parser_free(made_weir_reply_parser), made_weir_reply_parser = NULL;
  weir_kbnf_engine_free(made_weir_kbnf_engine), made_weir_kbnf_engine = NULL;
  weir_explanation_free(made_weir_explanation), made_weir_explanation = NULL;
  weir_expectation_free(made_weir_expectation), made_weir_expectation = NULL;
  weir_captures_free(made_weir_captures), made_weir_captures = NULL;
  weir_completion_free(made_weir_completion), made_weir_completion = NULL;
  weir_batch_free(made_weir_batch), made_weir_batch = NULL;
  weir_diagnostics_free(made_weir_diagnostics), made_weir_diagnostics = NULL;
  weir_matcher_free(made_weir_matcher), made_weir_matcher = NULL;
  weir_compiled_grammar_free(made_weir_compiled_grammar), made_weir_compiled_grammar = NULL;
  weir_grammar_free(made_weir_grammar), made_weir_grammar = NULL;
  weir_compiler_free(made_weir_compiler), made_weir_compiler = NULL;
  weir_tokenizer_info_free(made_weir_tokenizer_info), made_weir_tokenizer_info = NULL;
  weir_owned_text_free(&made_weir_owned_text);
  weir_token_ids_free(&made_weir_token_ids);
  while (block_count > 0) free(blocks[--block_count]);
}

static void ended(weir_status status, bool is_wrong, bool tells, int line) {
  bool holds = status >= WEIR_OK && status <= WEIR_NOT_FOUND && status != WEIR_INTERNAL && status != WEIR_OUT_OF_MEMORY;
  if (is_wrong) holds = holds && status != WEIR_OK && made_nothing();
  if (tells) holds = holds && (error != NULL) == (status != WEIR_OK);
  if (error != NULL) holds = holds && weir_error_message(error).size > 0;
  if (!holds) fprintf(stderr, "status %s\n", weir_status_name(status));
  check(holds, "the call of this line", __FILE__, line);
  end();
}

/* Arrays of two. */
static const uint32_t* numbers(uint32_t second) {
  uint32_t* made = (uint32_t*)block(2 * sizeof *made);
  made[0] = second == UINT32_MAX || second == 77 || second == 0x80000000U ? UINT32_MAX : 0;
  made[1] = second == UINT32_MAX ? 0 : second;
  return made;
}

static weir_matcher* const* matchers(bool both) {
  weir_matcher** made = (weir_matcher**)block(2 * sizeof *made);
  made[0] = fixture.weir_matcher;
  made[1] = both ? fixture.other : NULL;
  return made;
}

static const weir_grammar* const* parts(bool both) {
  const weir_grammar** made = (const weir_grammar**)block(2 * sizeof *made);
  made[0] = fixture.weir_grammar;
  made[1] = both ? fixture.weir_grammar : NULL;
  return made;
}

enum wrong_text { RIGHT_TEXT, NO_DATA, NO_SIZE };

static const weir_text* strings(enum wrong_text wrong) {
  weir_text* made = (weir_text*)block(2 * sizeof *made);
  made[0] = text("ab", 2);
  made[1] = wrong == NO_DATA ? text(NULL, 1) : wrong == NO_SIZE ? text("a", SIZE_MAX) : text("a", 1);
  return made;
}

static const weir_vocab_spec* spec(void) {
  weir_vocab_spec* made = (weir_vocab_spec*)block(sizeof *made);
  CHECK(weir_vocab_spec_init(made, sizeof *made) == WEIR_OK);
  made->tokens = strings(RIGHT_TEXT);
  made->token_count = 2;
  return made;
}
"""


def main():
    header = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    program = Writer(header).program()
    output = pathlib.Path(sys.argv[2])
    if not output.exists() or output.read_text(encoding="utf-8") != program:
        output.write_text(program, encoding="utf-8")


if __name__ == "__main__":
    main()
