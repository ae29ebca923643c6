// The loop of README.md ends: with a stop token, without one, and with a grammar whose outputs have no end.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as weir from "weir/full";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const [, code] = /```js\n([^]*?)```/.exec(readme);
const body = code.replace(/^import .*$/m, "").replace(/^const info = .*$/m, "").replace(/compiler\.compileJSONSchema\(.*\);/, "compile(compiler);");
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
const run = new AsyncFunction(...Object.keys(weir), "info", "compile", "model", "sample", `${body}\nreturn matcher;`);

const BYTES = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
const list = (stop) => weir.TokenizerInfo.fromTokens(stop ? [...BYTES, "<end>"] : BYTES, stop ? { specialTokenIds: [256], stopTokenIds: [256] } : {});

/** Runs the loop with a model that prefers tokens with small ids. Throws if it does not end soon. */
function output(info, compile) {
  let calls = 0;
  const model = () => {
    assert.ok(++calls <= 501, "the loop does not end");
    return Float32Array.from({ length: info.vocabSize }, (_, token) => -token);
  };
  return run(...Object.values(weir), info, compile, model, (logits) => logits.indexOf(Math.max(...logits)));
}

test("the example was found", () => assert.match(body, /compile\(compiler\);[^]*acceptToken/));

for (const stop of [true, false]) {
  test(`the loop ends ${stop ? "with a stop token" : "without one"}`, async () => {
    const info = list(stop);
    assert.equal((await output(info, (compiler) => compiler.compileRegex("a{3}"))).text(), "aaa");
    const endless = await output(info, (compiler) => compiler.compileRegex("(ab)+"));
    assert.match(endless.text(), /^(ab)+$/);
    assert.ok(endless.stepCount <= 501, String(endless.stepCount));  // with the stop token
  });
}
