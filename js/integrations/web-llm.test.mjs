// web-llm's own loop on weir: see web-llm-loop.mjs. In Node, and in Chromium with the masks applied by WebGPU.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import * as tokenizers from "@huggingface/tokenizers";
import { applyTokenBitmaskInplace } from "weir";
import { folder } from "./files.mjs";
import { chromium, runInChromium } from "../test/chromium.mjs";
import { bundle } from "./web-llm-bundle.mjs";

const out = mkdtempSync(join(tmpdir(), "weir-web-llm-"));
after(() => rmSync(out, { recursive: true }));
const bytes = (name) => new Uint8Array(readFileSync(new URL(name, folder))).buffer;
const module = new URL("../dist/weir.wasm", import.meta.url);

/** The interface of web-llm's tokenizers for one of @huggingface/tokenizers. */
function readTokenizer(data) {
  const tokenizer = new tokenizers.Tokenizer(JSON.parse(new TextDecoder().decode(data)), {});
  return {
    encode: (text) => Int32Array.from(tokenizer.encode(text, { add_special_tokens: false }).ids),
    decode: (ids) => tokenizer.decode(Array.from(ids), { skip_special_tokens: true }),
    getVocabSize: () => tokenizer.get_vocab(true).size,
    idToToken: (id) => tokenizer.id_to_token(id),
    dispose() {},
  };
}

test("in Node", async () => {
  const file = join(out, "node.mjs");
  const { inputs, outputs } = await bundle(file, "node");
  copyFileSync(module, join(out, "weir.wasm"));
  assert.ok(Object.keys(inputs).some((path) => path.endsWith("dist/compat/web-xgrammar.js")));
  assert.ok(Object.values(outputs)[0].bytes > 1e6);
  const { run } = await import(pathToFileURL(file));
  const files = { config: bytes("config.json"), weights: bytes("model.safetensors"), tokenizer: bytes("tokenizer.json") };
  const { results, masks, decodes } = await run(files, (logits, bitmask) => applyTokenBitmaskInplace(logits, bitmask), readTokenizer);
  console.table(results);
  assert.ok(masks > 50 && decodes > 50);
});

const PAGE = `
import { run } from "/loop.mjs";
import { applyBitmask } from "/dist/webgpu.js";

async function main() {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) return { skipped: "WebGPU has no adapter here" };
  const device = await adapter.requestDevice();
  async function applyMask(logits, bitmask) {
    const buffer = device.createBuffer({ size: logits.byteLength, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST });
    device.queue.writeBuffer(buffer, 0, logits);
    applyBitmask(device, buffer, bitmask, logits.length);
    const copy = device.createBuffer({ size: logits.byteLength, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, copy, 0, logits.byteLength);
    device.queue.submit([encoder.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    logits.set(new Float32Array(copy.getMappedRange()));
    copy.destroy();
    buffer.destroy();
  }
  const file = async (name) => (await fetch("/model/" + name)).arrayBuffer();
  return run({ config: await file("config.json"), weights: await file("model.safetensors"), tokenizer: await file("tokenizer.json") }, applyMask);
}
`;

test("in Chromium, with masks applied by WebGPU and web-llm's own tokenizer", { skip: !chromium && "there is no chromium", timeout: 300_000 }, async () => {
  await bundle(join(out, "loop.mjs"), "browser");
  const found = await runInChromium(PAGE, "main()", (path) => readFileSync(
    path === "/loop.mjs" ? join(out, "loop.mjs")
    : path === "/weir.wasm" ? module
    : path.startsWith("/model/") ? new URL(path.slice("/model/".length), folder)
    : new URL(`..${path}`, import.meta.url)), 280);
  if (found.skipped) return console.log(`skipped: web-llm in Chromium: ${found.skipped}`);
  assert.equal(found.error, undefined);
  console.table(found.results);
  assert.ok(found.masks > 50);
});
