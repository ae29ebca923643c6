// The package uses every function of the C header. Functions that it does not need are listed with the reason. ctest
// runs this file; it does not need a build of the package.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const FUNCTIONS = [...readFileSync(path("../src/abi.ts"), "utf8").matchAll(/^  "(weir_\w+)",$/gm)].map((found) => found[1]);

const UNUSED = {
  weir_tokenizer_info_from_file: "a module has no files",
  weir_grammar_warning: "Grammar.warnings reads the diagnostics, which have more",
  weir_compiled_grammar_warning: "CompiledGrammar.warnings reads the diagnostics, which have more",
  weir_matcher_create: "weir_matcher_create_with_error",
  weir_matcher_compiled_grammar: "GrammarMatcher.compiledGrammar is kept in JavaScript",
  weir_compiled_grammar_tokenizer_info: "CompiledGrammar.tokenizerInfo is kept in JavaScript",
  weir_compiler_tokenizer_info: "GrammarCompiler.tokenizerInfo is kept in JavaScript",
  weir_compiled_grammar_stop_warm_up: "a module has no threads",
  weir_batch_create_with_options: "the same",
  weir_batch_options_init: "the same",
  weir_batch_next_token_bitmasks: "what it saves is a copy, and the module's memory would have to be copied for it",
  weir_kbnf_engine_matcher: "a GrammarMatcher is made from the CompiledGrammar",
  weir_reply_parser_event_json: "events are objects",
  weir_bitmask_count: "countBitmask works on arrays of JavaScript",
  weir_apply_token_bitmask_inplace: "applyTokenBitmaskInplace works on arrays of JavaScript",
  weir_error_status: "the call's status says the same",
  weir_error_message: "weir_error_diagnostics has all of these",
  weir_error_hint: "weir_error_diagnostics",
  weir_error_limit: "weir_error_diagnostics",
  weir_error_options: "weir_error_diagnostics",
  weir_error_pointer: "weir_error_diagnostics",
  weir_error_text: "weir_error_diagnostics",
  weir_error_start: "weir_error_diagnostics",
  weir_error_end: "weir_error_diagnostics",
  weir_error_render: "weir_error_diagnostics and weir_diagnostics_render",
  weir_severity_name: "ENUMS in abi.ts",
  weir_reply_event_kind_name: "ENUMS in abi.ts",
  weir_kbnf_result_name: "ENUMS in abi.ts",
  weir_grammar_syntax_name: "ENUMS in abi.ts",
  weir_grammar_syntax_named: "ENUMS in abi.ts",
};

test("every function of weir_c.h is used, or is listed with a reason", () => {
  const folder = new URL("../src/", import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith(".ts") && name !== "abi.ts").map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
  const isUsed = (name) => sources.includes(name) || (name.endsWith("_init") && sources.includes("_init` as"));
  assert.deepEqual(FUNCTIONS.filter((name) => !isUsed(name) && !(name in UNUSED)), []);
  assert.deepEqual(Object.keys(UNUSED).filter((name) => !FUNCTIONS.includes(name)), []);
  assert.ok(FUNCTIONS.length > 150);
});
