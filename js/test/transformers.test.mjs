// Calls logits processors as transformers.js and web-llm do.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { init } from "weir";
import { GrammarCompiler, GrammarError, isTokenInBitmask, TokenizerInfo } from "weir";
import { GrammarLogitsProcessor, StructuredOutputProcessor, tokenizerInfoFrom } from "weir/transformers";
import { WebLLMLogitProcessor } from "weir/web-llm";

await init();

const json = JSON.parse(readFileSync(new URL("../../data/default_tokenizer/tokenizer.json", import.meta.url), "utf8"));
// Like a tokenizer of transformers.js, which contains its file.
const tokenizer = Object.assign(() => {}, { _tokenizerJSON: json });
const info = tokenizerInfoFrom(tokenizer);
const [stop] = info.stopTokenIds;

/** The relevant part of generate(): processors are taken from an iterable and called. */
function generate(processor, prompts, steps, prefers) {
  const processors = [...processor];
  const ids = prompts.map((prompt) => Array.from(info.tokenize(prompt), BigInt));
  const starts = ids.map((row) => row.length);
  for (let step = 0; step < steps; step++) {
    const data = new Float32Array(ids.length * info.vocabSize);
    ids.forEach((row, i) => prefers(step, i).forEach((token, rank) => (data[i * info.vocabSize + token] = 100 - rank)));
    let logits = { data, dims: [ids.length, info.vocabSize] };
    for (const one of processors) logits = one(ids, logits);
    ids.forEach((row, i) => {
      const scores = logits.data.subarray(i * info.vocabSize, (i + 1) * info.vocabSize);
      let best = 0;
      for (let token = 0; token < scores.length; token++) if (scores[token] > scores[best]) best = token;
      row.push(BigInt(best));
    });
  }
  return ids.map((row, i) => row.slice(starts[i]).map(Number));
}

test("a batch, one grammar for each row", () => {
  const compiler = new GrammarCompiler(info);
  const processor = new GrammarLogitsProcessor([compiler.compileChoice(["yes"]), compiler.compileRegex("[0-9]{3}")]);
  const rows = generate(processor, ["Hello", "A longer prompt"], 8, () => [stop]);
  const texts = rows.map((row) => info.decode(row.filter((token) => token !== stop)));
  assert.equal(texts[0], "yes");
  assert.match(texts[1], /^[0-9]{3}$/);
  for (const row of rows) assert.equal(row.at(-1), stop);
  assert.deepEqual(processor.matchers.map((matcher) => matcher.isTerminated()), [true, true]);
});

test("the interface of transformers-structured-output", () => {
  StructuredOutputProcessor.warmup(tokenizer);
  for (const [format, check] of [
    [{ type: "json_schema", json_schema: { type: "object", properties: { a: { type: "boolean" } }, required: ["a"], additionalProperties: false } }, (text) => typeof JSON.parse(text).a === "boolean"],
    [{ type: "regex", regex: "(ab){2}" }, (text) => text === "abab"],
    [{ type: "json_object" }, (text) => typeof JSON.parse(text) === "object"],
  ]) {
    const wish = [stop, ...info.tokenize("}"), ...info.tokenize('"'), ...info.tokenize("true")];
    const [row] = generate(new StructuredOutputProcessor(tokenizer, format), ["x"], 40, () => wish);
    const text = info.decode(row.filter((token) => token !== stop));
    assert.ok(check(text), text);
  }
  assert.throws(() => new StructuredOutputProcessor(tokenizer, { type: "xml" }), GrammarError);
  assert.throws(() => tokenizerInfoFrom({}), GrammarError);
});

test("a token that was not allowed, logits of another type", () => {
  const processor = new GrammarLogitsProcessor(new GrammarCompiler(info).compileRegex("a+"));
  const logits = () => ({ data: new Float32Array(info.vocabSize), dims: [1, info.vocabSize] });
  const prompt = Array.from(info.tokenize("p"), BigInt);
  processor([prompt], logits());
  assert.throws(() => processor([[...prompt, BigInt(info.tokenize("b")[0])]], logits()), /is not allowed/);
  assert.throws(() => processor([prompt], { data: new Uint16Array(info.vocabSize), dims: [1, info.vocabSize] }), /float32/);
});

test("logits of another shape are errors; of special tokens there may be none", () => {
  const compiled = new GrammarCompiler(info).compileRegex("a+");
  const processor = new GrammarLogitsProcessor(compiled);
  const prompt = Array.from(info.tokenize("p"), BigInt);
  const invalid = { name: "GrammarError", code: "invalid_argument" };
  for (const [size, dims] of [[5, [1, 5]], [0, [1, 0]], [info.vocabSize, [2, info.vocabSize]], [info.vocabSize, []], [info.vocabSize, undefined], [info.vocabSize, [1, NaN]], [info.vocabSize, "ab"]]) {
    assert.throws(() => processor([prompt], { data: new Float32Array(size), dims }), invalid, String(dims));
  }
  const whole = () => ({ data: new Float32Array(info.vocabSize), dims: [1, info.vocabSize] });
  for (const ids of [undefined, null, 5, "a", [5], [undefined], [{}], [prompt, prompt]]) assert.throws(() => processor(ids, whole()), invalid);
  processor([prompt], whole());
  for (const id of ["1", Symbol("s"), -1n, 0.5, undefined, BigInt(info.vocabSize)]) assert.throws(() => processor([[...prompt, id]], whole()), invalid, String(id));
  for (const wrong of [undefined, null, {}, [], [compiled, null], "a", Promise.resolve(compiled)]) assert.throws(() => new GrammarLogitsProcessor(wrong), invalid);
  assert.throws(() => new GrammarLogitsProcessor(compiled, { stopTokenIds: [info.vocabSize] }), invalid);
  for (const wrong of [undefined, null, 5, "a", Promise.resolve({})]) assert.throws(() => tokenizerInfoFrom(wrong), invalid);
  // The built-in vocabulary ends with special tokens.
  let least = info.vocabSize;
  while (info.tokenKind(least - 1) === "special") least--;
  const llm = new WebLLMLogitProcessor(compiled);
  const a = info.tokenize("a")[0];
  for (const size of [least, info.vocabSize, info.vocabSize + 100]) {
    const data = new Float32Array(size);
    new GrammarLogitsProcessor(compiled)([prompt], { data, dims: [1, size] });
    assert.deepEqual([data[a], data[a + 1], data[size - 1]], [0, -Infinity, -Infinity]);
    assert.deepEqual(llm.processLogits(new Float32Array(size)), data);
  }
  for (const wrong of [new Float32Array(least - 1), new Float64Array(info.vocabSize), [], undefined]) assert.throws(() => llm.processLogits(wrong), invalid);
});

test("a dead end is an error, not logits that are all minus infinity", () => {
  const few = TokenizerInfo.fromTokens(["a", "b", "</s>"], { specialTokenIds: [2], stopTokenIds: [2] });
  const compiled = new GrammarCompiler(few).compileRegex("aü|b");
  const dead = { name: "GrammarError", code: "unsatisfiable", message: /no token can come next/ };
  const processor = new GrammarLogitsProcessor(compiled);
  const logits = (rows) => ({ data: new Float32Array(3 * rows), dims: [rows, 3] });
  processor([[1], [1]], logits(2));
  assert.throws(() => processor([[1, 1], [1, 0]], logits(2)), { ...dead, message: /^row 1: no token can come next/ });
  const llm = new WebLLMLogitProcessor(compiled);
  llm.processSampledToken(0);
  assert.throws(() => llm.processLogits(new Float32Array(3)), dead);
  llm.resetState();
  llm.processSampledToken(1);
  assert.deepEqual([...llm.processLogits(new Float32Array(3))], [-Infinity, -Infinity, 0]);
  assert.throws(() => llm.processLogits(new Float32Array(2)), dead);  // the stop token has no logit
});

test("response formats have no members that would be lost", () => {
  const wrong = (format, says, hint) => assert.throws(() => new StructuredOutputProcessor(tokenizer, format), (error) => error instanceof GrammarError && error.message.includes(says) && error.hint.includes(hint));
  wrong({ type: "json_object", schema: { type: "object" } }, 'of the type "json_object" has no member "schema"', "the members are");
  wrong({ type: "json_schema", json_schema: {}, option: { order: "any" } }, 'has no member "option"', "`options`");
  wrong({ type: "regex", regex: "a", flags: "i" }, 'has no member "flags"', "");
  wrong({ type: "json_schema", json_schema: { name: "x", schema: { type: "object" } } }, "is not a keyword", "");
});

test("web-llm's LogitProcessor", () => {
  const processor = new WebLLMLogitProcessor(new GrammarCompiler(info).compileChoice(["no"]));
  const logits = processor.processLogits(new Float32Array(info.vocabSize));
  const n = info.tokenize("n")[0];
  assert.equal(logits[n], 0);
  assert.equal(logits[stop], -Infinity);
  processor.processSampledToken(n);
  assert.throws(() => processor.processSampledToken(n), GrammarError);
  processor.processSampledToken(info.tokenize("o")[0]);
  processor.processSampledToken(stop);
  const after = processor.processLogits(new Float32Array(info.vocabSize));
  assert.deepEqual([after[stop], after[n]], [0, -Infinity]);
  processor.resetState();
  assert.equal(processor.matcher.stepCount, 0);
  assert.equal(typeof isTokenInBitmask, "function");
});
