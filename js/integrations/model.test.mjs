// The model that the other tests generate with, in JavaScript and as an ONNX file, computes what its training did.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as ort from "onnxruntime-node";
import { config, llama, reference, weights } from "./files.mjs";
import { makeOnnx } from "./onnx.mjs";

function assertClose(found, expected) {
  for (const [i, logit] of expected.entries()) assert.ok(Math.abs(found[i] - logit) < 1e-3, `logit ${i}: ${found[i]}, not ${logit}`);
}

test("in JavaScript", () => {
  for (const [ids, logits] of reference()) {
    const cache = llama.newCache();
    let state;
    for (const id of ids) state = llama.step(llama.embed(id), cache);
    assertClose(llama.logits(state), logits);
  }
});

test("as an ONNX file: all prompts in one padded batch, in two steps", async () => {
  const session = await ort.InferenceSession.create(makeOnnx(config, weights));
  const prompts = reference();
  const longest = Math.max(...prompts.map(([ids]) => ids.length));
  const rows = prompts.map(([ids]) => ({ padding: longest - ids.length, ids }));
  const integers = (values, width) => new ort.Tensor("int64", BigInt64Array.from(values.flat(), BigInt), [rows.length, width]);
  const heads = config.num_attention_heads, size = config.head_dim;
  let past = Object.fromEntries(Array.from({ length: config.num_hidden_layers }, (_, i) => ["key", "value"].map((kind) => `past_key_values.${i}.${kind}`)).flat()
    .map((name) => [name, new ort.Tensor("float32", new Float32Array(0), [rows.length, heads, 0, size])]));
  let logits;
  for (const [begin, end] of [[0, longest - 7], [longest - 7, longest]]) {
    const at = (f) => rows.map((row) => Array.from({ length: end - begin }, (_, i) => f(row, begin + i)));
    const out = await session.run({
      input_ids: integers(at(({ padding, ids }, i) => (i < padding ? config.pad_token_id : ids[i - padding])), end - begin),
      attention_mask: integers(rows.map(({ padding }) => Array.from({ length: end }, (_, i) => (i < padding ? 0 : 1))), end),
      position_ids: integers(at(({ padding }, i) => Math.max(0, i - padding)), end - begin),
      ...past,
    });
    logits = out.logits;
    past = Object.fromEntries(Object.keys(past).map((name) => [name, out[name.replace("past_key_values", "present")]]));
  }
  const vocab = config.vocab_size;
  prompts.forEach(([, expected], row) => assertClose(logits.data.subarray(((row + 1) * 7 - 1) * vocab, (row + 1) * 7 * vocab), expected));
});
