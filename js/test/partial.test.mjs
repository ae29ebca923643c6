// weir/partial: values that grow, compared with JSON.parse of the whole text, however it is cut.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PartialReader, PartialValueError, textOf, values } from "weir/partial";
import * as z from "zod";

const TEXTS = ['{"a": [1, "x\\ny\\u00e9\\ud83d\\ude00", {}, -1.5e+3], "b": {"c": true, "": null}, "d": ""}', "[]", " {} ", '"text"', "12", "true", "[[[null]]]", '{"__proto__": {"x": 1}, "toString": 2}'];

function cut(text, size) {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}
async function all(generator) {
  const seen = [];
  for await (const value of generator) seen.push(structuredClone(value));
  return seen;
}

test("nothing is read after the end", () => {
  const reader = new PartialReader();
  reader.feed('{"a": 1');
  reader.end();
  assert.throws(() => reader.feed("}"), SyntaxError);
  assert.equal(reader.isComplete, false);
});

test("the last value is that of JSON.parse, however the text is cut", async () => {
  for (const text of TEXTS) {
    for (const size of [1, 2, 3, 5, 1000]) {
      const seen = await all(values(cut(text, size)));
      assert.deepEqual(seen.at(-1), JSON.parse(text), text);
    }
  }
  assert.equal({}.x, undefined);
});

test("each value is what is certain of the text", async () => {
  const seen = await all(values(['{"name": "An', 'na", "age": 3', '0, "tags": ["a', '"]}']));
  assert.deepEqual(seen.slice(0, 4), [{ name: "An" }, { name: "Anna" }, { name: "Anna", age: 30, tags: ["a"] }, { name: "Anna", age: 30, tags: ["a"] }]);
});

test("with a schema of zod the whole value is the schema's", async () => {
  const Profile = z.object({ name: z.string(), age: z.coerce.string() });
  const chunks = [{ choices: [{ index: 0, delta: { role: "assistant" } }] }, { choices: [{ index: 0, delta: { content: '{"name": "An' } }] }, { choices: [{ index: 0, delta: { content: 'na", "age": 3}' } }] }, { choices: [] }];
  const seen = await all(values(chunks, Profile));
  assert.deepEqual(seen, [{ name: "An" }, { name: "Anna", age: 3 }, { name: "Anna", age: "3" }]);
  await assert.rejects(all(values(['{"name": 1, "age": 2}'], Profile)), PartialValueError);
  assert.deepEqual(await all(values(['{"name": "A'], Profile)), [{ name: "A" }]);  // cut off
});

test("what is wrong is said", async () => {
  for (const text of ["{,", "[1 2", "nul ", '{"a" 1}', '"\\x"', "[01]", "1 2", '{"a": 1,}', "\u0001"]) {
    await assert.rejects(all(values([text, " "])), SyntaxError, text);
  }
  assert.throws(() => textOf(5), /a chunk of OpenAI's clients/);
  assert.throws(() => textOf({ text: "x" }), /a chunk of OpenAI's clients/);
  assert.throws(() => new PartialReader().feed(1), /must be a string/);
  await assert.rejects(all(values(["1"], { parse() {} })), /Standard Schema/);
});

test("chunks of OpenAI's clients", () => {
  assert.equal(textOf({ type: "response.output_text.delta", delta: "a" }), "a");
  assert.equal(textOf({ type: "response.completed" }), "");
  assert.equal(textOf({ choices: [{ text: "b" }] }), "b");
  assert.equal(textOf({ choices: [{ message: { content: "c" } }] }), "c");
  assert.equal(textOf({ choices: [{ index: 1, delta: { content: "d" } }] }), "");
  assert.equal(textOf({ choices: [{ index: 0, delta: { content: null } }] }), "");
});

test("the time is linear in the text", () => {
  const reader = new PartialReader();
  const start = performance.now();
  reader.feed('{"a": "');
  for (let i = 0; i < 200_000; i++) reader.feed("x");
  reader.feed('"}');
  assert.equal(reader.value.a.length, 200_000);
  assert.ok(performance.now() - start < 5_000);
});

test("the example of docs/javascript.md prints what it shows", async () => {
  const page = readFileSync(new URL("../../docs/javascript.md", import.meta.url), "utf8");
  const [, code, output] = /```js\n(import \{ values \}[^]*?)```\n\n```output\n([^]*?)```/.exec(page);
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
  const printed = [];
  await new AsyncFunction("values", "z", "console", code.replace(/^import .*$/gm, ""))(values, z, { log: (line) => printed.push(line) });
  assert.deepEqual(printed, output.trimEnd().split("\n"));
});
