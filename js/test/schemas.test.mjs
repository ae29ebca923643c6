// Schemas of zod and other libraries, and values that JSON does not have: converted or refused with their place, wherever
// they are in a document. None is left out silently.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod/v3";
import * as weir from "weir/full";
import { failing } from "./failing.mjs";
import * as namespace from "./failing.mjs";

await weir.init();
const info = weir.TokenizerInfo.builtin();
const compiler = new weir.GrammarCompiler(info);
const accepts = (compiled, text) => {
  const matcher = new weir.GrammarMatcher(compiled);
  return matcher.acceptString(text) && matcher.isCompleted();
};

const A = { zod: z.object({ a: z.string() }), mini: mini.object({ a: mini.string() }), standard: { "~standard": { validate() {}, jsonSchema: { input: () => ({ type: "object", properties: { a: { type: "string" } }, required: ["a"] }) } } } };
const tool = (parameters) => [{ type: "function", function: { name: "f", parameters } }];
/** The places of a schema in documents; what comes before and after its value. */
const PLACES = {
  schema: (schema) => [compiler.compileJSONSchema(schema), "", ""],
  "a schema within a schema": (schema) => [compiler.compileJSONSchema({ type: "object", properties: { x: schema }, required: ["x"] }), '{"x": ', "}"],
  "a response format": (schema) => [compiler.compileResponseFormat({ type: "json_schema", json_schema: { name: "n", schema } }), "", ""],
  "a tag": (schema) => [compiler.compileStructuralTag({ type: "structural_tag", format: { type: "tag", begin: "<x>", content: { type: "json_schema", json_schema: schema }, end: "</x>" } }), "<x>", "</x>"],
  "a grammar": (schema) => [compiler.compile(weir.Grammar.fromResponseFormat({ type: "json_schema", json_schema: { name: "n", schema } })), "", ""],
  tools: (schema) => [compiler.compileStructuralTag(weir.structuralTagForTools("hermes", tool(schema), { toolChoice: "required" })), '<tool_call>\n{"name": "f", "arguments": ', "}\n</tool_call>"],
};

for (const [where, compile] of Object.entries(PLACES)) {
  test(`schemas of libraries in ${where}`, () => {
    for (const [library, schema] of Object.entries(A)) {
      const [compiled, before, after] = compile(schema);
      assert.ok(accepts(compiled, `${before}{"a": "x"}${after}`), library);
      assert.equal(accepts(compiled, `${before}{"a": 1}${after}`), false, library);
    }
  });

  test(`a schema that refers to itself in ${where}`, () => {
    const Node = z.object({ v: z.number(), get next() { return z.optional(Node); } });
    const [compiled, before, after] = compile(Node);
    assert.ok(accepts(compiled, `${before}{"v": 1, "next": {"v": 2}}${after}`));
    assert.equal(accepts(compiled, `${before}{"v": 1, "next": {"v": "2"}}${after}`), false);
  });

  test(`what JSON does not have in ${where}`, () => {
    const bad = {
      "an Arguments": (function () { return arguments; })({ type: "integer" }), "a Module": namespace, "a Math": Math, "a Promise": Promise.resolve({}), "a Map": new Map(), "a Set": new Set(), "a RegExp": /a/, "a Uint8Array": new Uint8Array(2), "an ArrayBuffer": new ArrayBuffer(2), "a function": z.string,
      "zod 3": z3.z.object({ a: z3.z.string() }), "a Response": new Response("{}"), NaN: { minimum: NaN }, undefined: { enum: ["a", undefined] }, "a bigint": { maximum: 5n }, "a hole": undefined,
      "an object of a class": new (class { x = 1; })(), "no JSON Schema": { "~standard": { validate() {}, vendor: "other" } }, "a symbol": { const: Symbol("s") }, "contains itself": undefined,
      "Date cannot be represented": z.object({ a: z.date() }),
    };
    bad["a hole"] = { enum: ["a", , "b"] };
    bad["contains itself"] = { properties: { a: {} } };
    bad["contains itself"].properties.a = bad["contains itself"];
    for (const [label, schema] of Object.entries(bad)) {
      const error = failing(() => compile(schema), "invalid_argument", label === "a hole" ? "undefined" : label.replace(/^an? object of a class$/, "an object of a class"));
      assert.match(error.message, /^`(schema|format|tag|tools)[\w.[\]]*` /, label);
      assert.ok(!error.message.includes("\n"), label);
    }
  });
}

test("errors of libraries have their place and their cause", () => {
  const dates = failing(() => weir.structuralTagForTools("hermes", tool(z.object({ a: z.date() }))), "invalid_argument", "`tools[0].function.parameters` cannot be converted");
  assert.ok(dates.cause instanceof Error && dates.pointer === "/0/function/parameters");
  for (const mine of [new TypeError("mine"), new RangeError("mine")]) {
    const throwing = failing(() => compiler.compileJSONSchema({ properties: { "a/b": { toJSONSchema() { throw mine; } } } }), "invalid_argument", '`schema.properties["a/b"]`');
    assert.ok(throwing.cause === mine && throwing.pointer === "/properties/a~1b");
  }
  assert.match(failing(() => compiler.compileJSONSchema(z3.z.string()), "invalid_argument", "zod 3").hint, /zod\/v4/);
  assert.match(failing(() => compiler.compileJSONSchema(Promise.resolve({})), "invalid_argument", "a Promise").hint, /await/);
  assert.match(failing(() => compiler.compileJSONSchema(new Response("{}")), "invalid_argument", "a Response").hint, /response\.json\(\)/);
  assert.match(failing(() => weir.TokenizerInfo.fromJSON(new Response("{}")), "invalid_argument", "a Response").hint, /response\.arrayBuffer\(\)/);
});

test("what JSON has is taken as JSON.stringify writes it", () => {
  const at = new Date(0);
  for (const [value, text] of [[{ const: at }, JSON.stringify(at)], [{ const: { toJSON: () => [1, { a: undefined }] } }, "[1, {}]"], [Object.assign(Object.create(null), { const: 1 }), "1"],
    [JSON.parse('{"properties": {"__proto__": {"const": 1}}, "required": ["__proto__"], "type": "object"}'), '{"__proto__": 1}'], [{ type: "string", title: undefined, const: "a" }, '"a"']]) {
    assert.ok(accepts(compiler.compileJSONSchema(value), text), text);
    assert.equal(accepts(compiler.compileJSONSchema(value), "7"), false, text);
  }
  // Names of members are not taken for signs of a library.
  const named = { type: "object", properties: { _zod: { type: "string" }, _def: { type: "string" }, safeParse: {}, "~standard": { type: "object" }, toJSON: {}, toJSONSchema: {} }, required: ["_zod"] };
  assert.ok(accepts(compiler.compileJSONSchema(named), '{"_zod": "a"}'));
  assert.equal(accepts(compiler.compileJSONSchema(named), '{"_zod": 1}'), false);
});

test("undefined is a keyword that is not given, and no schema", () => {
  const named = (map) => ({ type: "object", [map]: { ok: {}, a: undefined } });
  for (const map of ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]) {
    for (const [compile, place] of [[(s) => compiler.compileJSONSchema(s), `schema.${map}.a`], [(s) => compiler.compileJSONSchema({ items: { properties: { properties: s } } }), `schema.items.properties.properties.${map}.a`],
      [(s) => compiler.compileResponseFormat({ type: "json_schema", json_schema: { name: "n", schema: s } }), `format.json_schema.schema.${map}.a`],
      [(s) => weir.structuralTagForTools("hermes", tool(s)), `tools[0].function.parameters.${map}.a`], [(s) => weir.checkSchema(s), `schema.${map}.a`]]) {
      const error = failing(() => compile(named(map)), "invalid_argument", `\`${place}\` is undefined`);
      assert.match(error.hint, /`\{\}` is the schema of any value/);
    }
  }
  const kept = { type: "object", required: ["properties"], properties: { properties: { type: "integer", title: undefined, properties: undefined, maximum: undefined } } };
  assert.ok(accepts(compiler.compileJSONSchema(kept), '{"properties": 1}'));
  assert.equal(accepts(compiler.compileJSONSchema(kept), '{"properties": "1"}'), false);
});

test("a document too deep is a typed error, whatever the stack has", () => {
  let deep = {};
  for (let i = 0; i < 200_000; i++) deep = { items: deep };
  failing(() => compiler.compileJSONSchema(deep), "limit_exceeded", "nested too deeply");
  assert.ok(accepts(compiler.compileJSONSchema({ const: 1 }), "1"));
});

test("useZod", () => {
  for (const wrong of [undefined, null, 5, {}, "zod", z3.z]) failing(() => weir.useZod(wrong), "invalid_argument", "zod 4");
  weir.useZod({ toJSONSchema: () => ({ type: "boolean" }) });
  assert.ok(accepts(compiler.compileJSONSchema(mini.string()), "true"));
  weir.useZod(z);
  assert.ok(accepts(compiler.compileJSONSchema(mini.string()), '"a"'));
});
