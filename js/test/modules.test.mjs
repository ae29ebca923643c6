// The two modules: weir-full.wasm has everything, and weir.wasm what cmake/wasm/core_lacks.txt does not list. cases.test.mjs
// and masks.test.mjs show that what both have is the same.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { build } from "esbuild";
import * as core from "weir";
import { FUNCTIONS } from "../dist/abi.js";

const require = createRequire(import.meta.url);
const full = require("weir/full");
await core.init();
await full.init();

const bytesOf = (name) => readFileSync(new URL(`../dist/${name}`, import.meta.url));
const exportsOf = (name) => WebAssembly.Module.exports(new WebAssembly.Module(bytesOf(name))).map((e) => e.name);
const LACKS = readFileSync(new URL("../../cmake/wasm/core_lacks.txt", import.meta.url), "utf8").split("\n").filter((line) => line && !line.startsWith("#"));

test("the modules export the functions of weir_c.h, and memory", () => {
  for (const [name, lacks] of [["weir-full.wasm", []], ["weir.wasm", LACKS]]) {
    const names = exportsOf(name);
    assert.deepEqual(names.filter((one) => one.startsWith("weir_")).sort(), FUNCTIONS.filter((one) => !lacks.includes(one)).sort());
    for (const one of ["memory", "malloc", "free"]) assert.ok(names.includes(one));
  }
  assert.deepEqual(LACKS.filter((name) => !FUNCTIONS.includes(name)), []);
});

test("weir.wasm has at most 499,500 bytes with Brotli", () => {
  const small = brotliCompressSync(bytesOf("weir.wasm"), { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } });
  assert.ok(small.length <= 499_500, `${small.length} bytes`);
});

/** Asserts that `body` throws the error that says what weir.wasm does not have. */
function lacking(body, what) {
  assert.throws(body, (error) => {
    assert.ok(error instanceof core.GrammarError, String(error));
    assert.equal(error.code, "unsupported");
    assert.ok(error.message.includes("weir.wasm") && error.message.includes(what), error.message);
    assert.match(error.hint, /weir\/full/);
    return true;
  });
}

test("what weir.wasm lacks is an error that names the other module, and nothing breaks", () => {
  const info = core.TokenizerInfo.fromTokens(["a", "b", "<end>"], { specialTokenIds: [2], stopTokenIds: [2] });
  const compiler = new core.GrammarCompiler(info);
  lacking(() => core.TokenizerInfo.builtin(), "weir_tokenizer_info_builtin");
  lacking(() => core.TokenizerInfo.fromJSON({ model: {} }), "TokenizerInfo.fromJSON");
  assert.throws(() => core.TokenizerInfo.fromTiktoken("YQ== 0"), { code: "unsupported", hint: /weir\/full.*TokenizerInfo\.fromTokens/ });
  lacking(() => core.TokenizerInfo.deserialize(full.TokenizerInfo.builtin().serialize()), "tokenizer files");
  lacking(() => compiler.compileGrammar("start: \"a\"", { syntax: "lark" }), "Lark");
  lacking(() => compiler.compileGrammar("start ::= 'a';", { syntax: "kbnf" }), "KBNF");
  lacking(() => new core.KbnfEngine("start ::= 'a';", info), "weir_kbnf_");
  lacking(() => core.checkGrammar("root ::= x"), "weir_check_grammar");
  lacking(() => new core.ReplyParser("hermes"), "weir_reply_");
  lacking(() => core.Grammar.fromEBNF('root ::= "a"').convert("gbnf"), "weir_convert_grammar");
  const compiled = compiler.compileEBNF('root ::= "ab"');
  lacking(() => new core.GrammarMatcher(compiled, { tokenization: "canonical" }), "canonical tokenization");
  assert.match(info.canonicalSupport().message, /weir\.wasm/);
  lacking(() => info.heal([0]), "weir_tokenizer_info_heal");
  assert.deepEqual([...info.tokenize("ab")], [0, 1]);
  const again = core.TokenizerInfo.deserialize(info.serialize());
  const matcher = new core.GrammarMatcher(new core.GrammarCompiler(again).compileEBNF('root ::= "ab"'));
  assert.ok(matcher.acceptToken(0) && matcher.acceptToken(1) && matcher.acceptToken(2) && matcher.isTerminated());
});

test("bundlers keep the script that names the module, and only the one that is needed", async () => {
  for (const [entry, name, other] of [["weir", "weir.wasm", "weir-full.wasm"], ["weir/full", "weir-full.wasm", "weir.wasm"], ["weir/compat/web-xgrammar", "weir.wasm", "weir-full.wasm"]]) {
    const contents = `import * as weir from "${entry}"; globalThis.weir = weir;`;
    const { outputFiles } = await build({ stdin: { contents, resolveDir: fileURLToPath(new URL(".", import.meta.url)) }, bundle: true, format: "esm", external: ["node:*"], write: false });
    assert.ok(outputFiles[0].text.includes(`"./${name}"`) && !outputFiles[0].text.includes(`"./${other}"`), entry);
  }
});

test("weir/full takes precedence, whichever is imported first", async () => {
  // The package is loaded anew: a copy of its CommonJS modules with no module of WebAssembly yet.
  for (const order of [["weir", "weir/full"], ["weir/full", "weir"], ["weir/compat/web-xgrammar", "weir/transformers", "weir"]]) {
    for (const path of Object.keys(require.cache)) if (path.includes("/js/dist/")) delete require.cache[path];
    const last = order.map((name) => require(name)).at(-1);
    assert.ok(last.TokenizerInfo.builtin().vocabSize > 1000, order.join(", "));
  }
});
