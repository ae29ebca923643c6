// `init` with everything that is no module of weir's: typed errors, and a later call with the right source works. Each
// attempt has its own process, because a module that is loaded stays.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = mkdtempSync(join(tmpdir(), "weir-init-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const file = (name, content) => (writeFileSync(join(folder, name), content), String(pathToFileURL(join(folder, name))));
const own = fileURLToPath(new URL("../dist/weir.wasm", import.meta.url));
/** A valid module that exports nothing. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** Runs a script in a process of its own, which imports `weir`; returns what it prints. */
function run(script) {
  const text = `import { GrammarCompiler, init, TokenizerInfo } from "weir"; import { readFileSync } from "node:fs";
    const show = (error) => console.log(error.name, error.code, error.message.split("\\n").length, error.hint !== "");
    const tried = async (source) => { try { await init(await source()); console.log("loaded"); } catch (error) { show(error); } };
    ${script}
    await tried(() => readFileSync(${JSON.stringify(own)}));
    const info = TokenizerInfo.fromTokens(["a", "b"]);
    console.log(new GrammarCompiler(info).compileRegex("a").tokenizerInfo.vocabSize);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", text], { encoding: "utf8", cwd: fileURLToPath(new URL(".", import.meta.url)) });
  assert.equal(stderr, "");
  return stdout.trim().split("\n");
}

test("a source that is no module of weir's, and then the right one", () => {
  const html = file("page.html", "<!DOCTYPE html><title>404</title>");
  const text = file("text.wasm", "not found");
  const empty = file("empty.wasm", EMPTY);
  const sources = [
    [`() => ${JSON.stringify(html)}`, "not_found"], [`() => ${JSON.stringify(text)}`, "invalid_argument"], [`() => ${JSON.stringify(empty)}`, "invalid_argument"],
    ["() => new Uint8Array(3)", "invalid_argument"], ["() => new ArrayBuffer(0)", "invalid_argument"], [`() => new WebAssembly.Module(Uint8Array.of(${EMPTY}))`, "invalid_argument"],
    ["() => new Response('<html></html>')", "not_found"], ["() => new Response(Uint8Array.of(1), { headers: { 'content-type': 'application/wasm' } })", "invalid_argument"],
    ["() => new Response('', { status: 404 })", "not_found"], ["() => Promise.reject(new Error('no network'))", undefined], ["() => 5", "invalid_argument"], ["() => null", "invalid_argument"],
    ["() => ({})", "invalid_argument"], ["() => Symbol('s')", "invalid_argument"], ["() => (() => 1)", "invalid_argument"], ["() => 'file:///nope.wasm'", "not_found"],
    ["() => { const bytes = new Uint8Array(9); structuredClone(bytes.buffer, { transfer: [bytes.buffer] }); return bytes; }", "invalid_argument"],
  ];
  const lines = run(sources.map(([source]) => `await tried(${source});`).join("\n"));
  assert.equal(lines.length, sources.length + 2, lines.join("\n"));
  sources.forEach(([source, code], i) => code && assert.ok(lines[i].startsWith(`GrammarError ${code} 1 `), `${source}: ${lines[i]}`));
  assert.deepEqual(lines.slice(-2), ["loaded", "2"]);
});

test("calls at once: each has its own source, and the first that works is taken", () => {
  const lines = run(`const both = await Promise.allSettled([init(new Uint8Array(3)), init(readFileSync(${JSON.stringify(own)})), init(5)]); console.log(both.map(({ status }) => status).join(" "));`);
  assert.deepEqual(lines, ["rejected fulfilled fulfilled", "loaded", "2"]);
});

test("a call after the module is loaded does nothing", () => {
  assert.deepEqual(run(`await init(readFileSync(${JSON.stringify(own)})); await tried(() => 5);`), ["loaded", "loaded", "2"]);
});

test("a module of another version is refused", () => {
  const weir = `readFileSync(${JSON.stringify(own)}, "latin1")`;
  const lines = run(`await tried(() => Buffer.from(${weir}.replace(/\\d+\\.\\d+\\.\\d+\\0/, (version) => version.replace(/\\d/g, "9")), "latin1"));`);
  assert.ok(lines[0].startsWith("GrammarError invalid_argument"), lines[0]);
});
