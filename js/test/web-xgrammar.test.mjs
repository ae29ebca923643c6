// weir/compat/web-xgrammar has the interface of @mlc-ai/web-xgrammar 0.1.27, and works as web-llm 0.2.86 uses it.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { GrammarError } from "weir";
import * as xgr from "weir/compat/web-xgrammar";
import { rewriteWebLLM, weir, weirEsbuild } from "weir/plugin";

const { Grammar, GrammarCompiler, GrammarMatcher, StructuralTagItem, Testings, TokenizerInfo } = xgr;

// Static functions and methods of 0.1.27, from its types.
const SURFACE = {
  Grammar: [["fromEBNF", "builtinJSONGrammar", "fromJSONSchema", "fromStructuralTag"], ["dispose", "toString"]],
  TokenizerInfo: [["createTokenizerInfo"], ["dispose", "getVocabSize", "getDecodedVocabHandle"]],
  CompiledGrammar: [[], ["dispose", "grammar", "tokenizerInfo"]],
  GrammarCompiler: [["createGrammarCompiler"], ["dispose", "compileJSONSchema", "compileBuiltinJSONGrammar", "compileGrammar", "compileStructuralTag"]],
  GrammarMatcher: [["createGrammarMatcher"], ["dispose", "getMaxRollbackTokens", "acceptToken", "_acceptString", "getNextTokenBitmask", "isTerminated", "reset", "findJumpForwardString", "rollBack"]],
  StructuralTagItem: [[], ["getSchemaAsString", "getSchemaAsJSON"]],
  Testings: [["_jsonSchemaToEBNF", "debugGetMaskedTokensFromBitmask", "ebnfToGrammarNoNormalization", "isGrammarAcceptString"], []],
};

const VOCAB = ["<s>", "</s>", "a", "abc", 'b"', '"', ':"', "{", "}", ", ", "6", ":", "\n", " ", '"a":true', "true", "[", "]", ","];

test("names are those of 0.1.27", () => {
  assert.deepEqual(Object.keys(xgr).sort(), [...Object.keys(SURFACE), "default"].sort());
  for (const [name, [statics, methods]] of Object.entries(SURFACE)) {
    assert.equal(xgr.default[name], xgr[name]);
    for (const method of statics) assert.equal(typeof xgr[name][method], "function", `${name}.${method}`);
    for (const method of methods) assert.equal(typeof xgr[name].prototype[method], "function", `${name}.prototype.${method}`);
  }
});

async function accepts(grammar, text) {
  return Testings.isGrammarAcceptString(grammar, text);
}

test("schemas: white space, separators, strict mode", async () => {
  const schema = JSON.stringify({ type: "object", properties: { a: { type: "integer" }, b: { type: "array", prefixItems: [{ type: "boolean" }] } }, required: ["a"] });
  const any = await Grammar.fromJSONSchema(schema);
  assert.ok(await accepts(any, '{"a": 1}') && await accepts(any, '{\n\n  "a"  :1, "b": [true] }'));
  assert.equal(await accepts(any, '{"a": 1, "c": 2}'), false);
  assert.equal(await accepts(any, '{"a": 1, "b": [true, 2]}'), false);
  const loose = await Grammar.fromJSONSchema(schema, true, 2, undefined, false);
  assert.ok(await accepts(loose, '{"a": 1, "c": 2}') && await accepts(loose, '{"a": 1, "b": [true, 2]}'));
  const line = await Grammar.fromJSONSchema(schema, false, -1);
  assert.ok(await accepts(line, '{"a": 1, "b": [true]}'));
  assert.equal(await accepts(line, '{"a":1}'), false);
  const tight = await Grammar.fromJSONSchema(schema, false, -1, [",", ":"]);
  assert.ok(await accepts(tight, '{"a":1}'));
  const indented = await Grammar.fromJSONSchema(schema, false, 2);
  assert.ok(await accepts(indented, JSON.stringify({ a: 1, b: [true] }, null, 2)));
  assert.equal(await accepts(indented, '{"a": 1}'), false);
  await assert.rejects(Grammar.fromJSONSchema(schema, false, 2, [";", ":"]), (error) => error instanceof GrammarError && error.code === "unsupported");
  await assert.rejects(Grammar.fromJSONSchema('{"type": "strin"}'), GrammarError);
  const nested = await Grammar.fromJSONSchema(JSON.stringify({ $defs: { n: { type: "object", properties: { x: { $ref: "#/$defs/n" } } } }, allOf: [{ $ref: "#/$defs/n" }] }));
  assert.ok(await accepts(nested, '{"x": {"x": {}}}'));
  assert.equal(await accepts(nested, '{"y": 1}'), false);
  const exact = await Grammar.fromJSONSchema('{"properties": {"n": {"const": 12345678901234567891}}}');
  assert.ok(await accepts(exact, '{"n": 12345678901234567891}'));
  assert.equal(await accepts(exact, '{"m": 1}'), false);
  await assert.rejects(Grammar.fromJSONSchema('{"a": tru}'), (error) => error.code === "syntax" && error.range.start === 6);
  await assert.rejects(Testings._jsonSchemaToEBNF('{"type": "boolean"}'), (error) => error.code === "unsupported" && error.hint.includes("weir/full"));
  assert.match(any.toString(), /^# .*weir\.wasm/);
});

test("with weir-full.wasm, schemas are shown as EBNF", async () => {
  const require = createRequire(import.meta.url);
  require("weir/full");
  const full = require("weir/compat/web-xgrammar");
  assert.ok((await full.Testings._jsonSchemaToEBNF('{"type": "boolean"}')).includes("::="));
  assert.ok((await full.Grammar.fromJSONSchema('{"type": "boolean"}')).toString().includes("::="));
});

test("a vocabulary for which the memory grows", async () => {
  const table = Array.from({ length: 100_000 }, (_, i) => `${i}${"\u0120".repeat(i % 90)}`);
  const info = await TokenizerInfo.createTokenizerInfo(table, "byte_level", false, 90_000, [7]);
  assert.equal(info.getVocabSize(), 90_000);
  for (const i of [0, 12_345, 89_999]) {
    assert.equal(Buffer.from(info.handle.tokenBytes(i)).toString(), `${i}${" ".repeat(i % 90)}`);
    assert.equal(info.getDecodedVocabHandle().get(i), `${i}${" ".repeat(i % 90)}`);
  }
  assert.equal(info.getDecodedVocabHandle().get(100_000), undefined);
});

test("the loop of web-llm", async () => {
  const info = await TokenizerInfo.createTokenizerInfo(VOCAB, "byte_level", false, 20, [1]);
  assert.equal(info.getVocabSize(), 20);
  assert.equal(info.getDecodedVocabHandle().get(3), "abc");
  assert.equal(info.getDecodedVocabHandle().size(), VOCAB.length);
  const compiler = await GrammarCompiler.createGrammarCompiler(info);
  for (const compiled of [
    await compiler.compileBuiltinJSONGrammar(),
    await compiler.compileJSONSchema(undefined),  // web-llm's json_object without a schema
    await compiler.compileJSONSchema('{"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}'),
    await compiler.compileGrammar('root ::= "{" "\\"a\\":true" "}"'),
    await compiler.compileGrammar(await Grammar.fromEBNF('root ::= "{" "\\"a\\":true" "}"')),
    await compiler.compileStructuralTag({ type: "const_string", value: '{"a":true}' }),
  ]) {
    const matcher = await GrammarMatcher.createGrammarMatcher(compiled);
    compiled.dispose();
    for (let round = 0; round < 2; round++) {
      for (const token of ["{", '"a":true', "}", "</s>"]) {
        const id = VOCAB.indexOf(token);
        const bitmask = await matcher.getNextTokenBitmask();
        assert.equal(bitmask.length, 1);
        const refused = await Testings.debugGetMaskedTokensFromBitmask(bitmask, info.getVocabSize());
        assert.ok(!refused.includes(id) && refused.includes(19), token);
        assert.ok(matcher.acceptToken(id), token);
      }
      assert.ok(matcher.isTerminated());
      assert.equal(matcher.acceptToken(2), false);
      matcher.reset();
    }
    matcher.dispose();
  }
  compiler.dispose();
  info.dispose();
});

test("while the caller waits, likely masks are computed, until the first is asked for", async () => {
  const info = await TokenizerInfo.createTokenizerInfo(VOCAB, "byte_level", false, 20, [1]);
  const compiler = await GrammarCompiler.createGrammarCompiler(info, false);
  const waited = async (use) => {
    const compiled = await compiler.compileJSONSchema('{"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}');
    const matcher = await GrammarMatcher.createGrammarMatcher(compiled);
    await use(matcher);
    const { masks } = compiled.handle.stats();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return compiled.handle.stats().masks - masks;
  };
  assert.ok((await waited(() => {})) > 3);
  assert.equal(await waited((matcher) => matcher.getNextTokenBitmask()), 0);
  assert.equal(await waited((matcher) => matcher.dispose()), 0);
  compiler.dispose();
  info.dispose();
});

test("tags: both forms", async () => {
  const items = [new StructuralTagItem("<f>", '{"type": "integer"}', "</f>"), new StructuralTagItem("<g>", { type: "boolean" }, "</g>")];
  const old = await Grammar.fromStructuralTag(items, ["<f", "<g"]);
  assert.ok(await accepts(old, "text <f>12</f> more <g>true</g>"));
  assert.equal(await accepts(old, "text <f>x</f>"), false);
  const tag = await Grammar.fromStructuralTag({ type: "structural_tag", format: { type: "sequence", elements: [{ type: "const_string", value: "a" }, { type: "regex", pattern: "[0-9]+" }] } });
  assert.ok(await accepts(tag, "a12"));
  // Schemas in tags are in strict mode, as in web-xgrammar.
  const schema = { type: "object", properties: { a: { type: "integer" } } };
  for (const [grammar, before, after] of [
    [await Grammar.fromStructuralTag({ type: "json_schema", json_schema: schema }), "", ""],
    [await Grammar.fromStructuralTag({ type: "json_schema", json_schema: JSON.stringify(schema) }), "", ""],
    [await Grammar.fromStructuralTag([new StructuralTagItem("<f>", schema, "</f>")], ["<f"]), "<f>", "</f>"],
    [await Grammar.fromStructuralTag(JSON.stringify({ format: { type: "sequence", elements: [{ type: "const_string", value: "x" }, { type: "json_schema", json_schema: schema }] } })), "x", ""],
  ]) {
    assert.ok(await accepts(grammar, `${before}{"a": 1}${after}`));
    assert.equal(await accepts(grammar, `${before}{"a": 1, "b": 2}${after}`), false);
  }
});

test("stop tokens, termination, rollback", async () => {
  const info = await TokenizerInfo.createTokenizerInfo(VOCAB);
  const compiler = await GrammarCompiler.createGrammarCompiler(info, false);
  const compiled = await compiler.compileGrammar('root ::= "a" "abc"?');
  const plain = await GrammarMatcher.createGrammarMatcher(compiled);
  assert.equal(plain.getMaxRollbackTokens(), -1);
  assert.ok(plain.acceptToken(2) && !plain.isTerminated() && plain.acceptToken(1) && plain.isTerminated());
  plain.rollBack(2);
  assert.ok(plain._acceptString("aabc"));
  const other = await GrammarMatcher.createGrammarMatcher(compiled, 0);
  assert.ok(other.acceptToken(2));
  assert.equal(other.acceptToken(1), false);
  assert.ok(other.acceptToken(0) && other.isTerminated());
  const alone = await GrammarMatcher.createGrammarMatcher(compiled, undefined, true);
  assert.ok(alone.acceptToken(2) && alone.isTerminated());
  assert.ok((await compiler.compileGrammar(compiled.grammar())).grammar().toString().includes("root"));
  assert.equal(compiled.tokenizerInfo().getVocabSize(), VOCAB.length);
  await assert.rejects(TokenizerInfo.createTokenizerInfo(VOCAB, "bytes"), GrammarError);
});

test("the plugins change the one line of web-llm's bundle", () => {
  const bundle = "function requireLib$1 () { return {}; }\nvar libExports$1 = requireLib$1();\nfoo(yield libExports$1.GrammarMatcher.createGrammarMatcher(grammar));\n";
  const changed = rewriteWebLLM(bundle);
  assert.ok(changed.startsWith('import * as weirGrammars from "weir/compat/web-xgrammar";\n'));
  assert.ok(changed.includes("var libExports$1 = weirGrammars;"));
  assert.throws(() => rewriteWebLLM("export {};"), /0\.2\.86/);
  assert.equal(weir().transform(bundle, "/app/node_modules/@mlc-ai/web-llm/lib/index.js").code, changed);
  assert.equal(weir().transform(bundle, "/app/src/index.js"), null);
  const loads = [];
  weirEsbuild().setup({ onResolve: (filter) => loads.push(filter.filter), onLoad: (filter) => loads.push(filter.filter), resolve: () => {} });
  assert.ok(loads[0].test("@mlc-ai/web-xgrammar") && loads[1].test("/x/node_modules/@mlc-ai/web-llm/lib/index.js"));
});
