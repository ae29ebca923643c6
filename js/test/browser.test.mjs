// The package in a browser: loaded by fetch under a content security policy, used in a Worker, and with masks on the
// GPU (WebGPU by SwiftShader), which are compared with the CPU. Skipped if there is no Chromium.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chromium, runInChromium } from "./chromium.mjs";

const SCRIPT = `
import { allocateTokenBitmask, applyTokenBitmaskInplace, bitmaskWords, GrammarCompiler, GrammarMatcher, init, TokenizerInfo, WorkerCompiler } from "/dist/index.js";
import { applyBitmask } from "/dist/webgpu.js";

async function run() {
  const out = {};
  let before = "";
  try { TokenizerInfo.fromTokens(["a"]); } catch (error) { before = error.hint; }
  out.before = before;
  await init();
  const tokens = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  const info = TokenizerInfo.fromTokens([...tokens, '{"', '": ', "12", "<end>"], { specialTokenIds: [259], stopTokenIds: [259] });
  const compiled = new GrammarCompiler(info).compileJSONSchema({ type: "object", properties: { a: { type: "integer" } } });
  const matcher = new GrammarMatcher(compiled);
  const words = bitmaskWords(info.vocabSize);
  const rows = allocateTokenBitmask(2, info.vocabSize);
  matcher.fillNextTokenBitmask(rows, 0);
  matcher.acceptString('{"a": 1');
  matcher.fillNextTokenBitmask(rows, 1);
  out.allowed = rows.reduce((sum, word) => { for (; word; word &= word - 1) sum++; return sum; }, 0);

  const worker = await WorkerCompiler.create(info);
  const there = await (await worker.compileJSONSchema({ type: "object", properties: { a: { type: "integer" } } })).createMatcher();
  out.sameInWorker = (await there.nextTokenBitmask()).every((word, i) => word === rows[i]);
  worker.dispose();

  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) return { ...out, gpu: "no adapter" };
  const device = await adapter.requestDevice();
  out.gpu = "compared";
  out.different = 0;
  for (const [vocab, count] of [[info.vocabSize, 2], [100277, 3], [33, 1]]) {
    const width = bitmaskWords(vocab);
    const masks = vocab === info.vocabSize ? rows : Int32Array.from({ length: count * width }, (_, i) => Math.imul(i + 1, 0x9e3779b1) ^ (i << 7));
    const logits = Float32Array.from({ length: count * vocab }, (_, i) => Math.sin(i));
    const buffer = device.createBuffer({ size: logits.byteLength, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(buffer, 0, logits);
    applyBitmask(device, buffer, masks, vocab);
    const copy = device.createBuffer({ size: logits.byteLength, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, copy, 0, logits.byteLength);
    device.queue.submit([encoder.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    const found = new Float32Array(copy.getMappedRange());
    for (let row = 0; row < count; row++) applyTokenBitmaskInplace(logits.subarray(row * vocab, (row + 1) * vocab), masks.subarray(row * width, (row + 1) * width));
    logits.forEach((logit, i) => { if (!Object.is(logit, found[i])) out.different++; });
  }
  try { applyBitmask(device, device.createBuffer({ size: 64, usage: GPUBufferUsage.STORAGE }), new Int32Array(5), 16); } catch (error) { out.refused = error.message; }
  return out;
}
`;

// It takes 5 s, and 3 minutes where other programs leave the browser a small share of a processor.
test("in Chromium", { skip: !chromium && "there is no chromium", timeout: 300_000 }, async () => {
  const found = await runInChromium(SCRIPT, "run()", (path) => readFileSync(new URL(`..${path}`, import.meta.url)), 280);
  assert.equal(found.error, undefined);
  assert.match(found.before, /await init/);
  assert.ok(found.allowed > 0);
  assert.equal(found.sameInWorker, true);
  assert.match(found.gpu, /compared|no adapter/);
  if (found.gpu === "compared") {
    assert.equal(found.different, 0);
    assert.match(found.refused, /words/);
  } else {
    console.log("skipped: masks on the GPU: WebGPU has no adapter here");
  }
});
