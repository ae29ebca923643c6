// The package in a browser: loaded by fetch under a content security policy, used in a Worker, and with masks on the
// GPU (WebGPU by SwiftShader), which are compared with the CPU. Skipped if there is no Chromium.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const chromium = ["chromium", "chromium-browser", "google-chrome"].find((name) => spawnSync(name, ["--version"]).status === 0);
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };

const PAGE = `<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>`;
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

run().catch((error) => ({ error: String(error.stack ?? error) })).then((result) => fetch("/result", { method: "POST", body: JSON.stringify(result) }));
`;

test("in Chromium", { skip: !chromium && "there is no chromium", timeout: 120_000 }, async () => {
  let done;
  const result = new Promise((resolve) => (done = resolve));
  const server = createServer((request, response) => {
    const path = request.url.split("?")[0];
    if (path === "/result") {
      let body = "";
      request.on("data", (data) => (body += data));
      request.on("end", () => (response.end(), done(JSON.parse(body))));
      return;
    }
    const send = (type, data) => {
      response.writeHead(200, { "content-type": type, "content-security-policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" });
      response.end(data);
    };
    if (path === "/") return send("text/html", PAGE);
    if (path === "/page.js") return send("text/javascript", SCRIPT);
    try {
      send(TYPES[extname(path)] ?? "text/plain", readFileSync(join(dist, path.replace(/^\/dist/, ""))));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const profile = mkdtempSync(join(tmpdir(), "weir-chromium-"));
  const browser = spawn(chromium, ["--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--no-first-run", "--disable-extensions", `--user-data-dir=${profile}`,
    "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan", `http://127.0.0.1:${server.address().port}/`], { stdio: "ignore" });
  try {
    const found = await result;
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
  } finally {
    browser.kill("SIGKILL");
    server.close();
    server.closeAllConnections();
    await new Promise((resolve) => setTimeout(resolve, 300));
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
