// Compares weir's JavaScript package with @mlc-ai/web-xgrammar in one run. Usage:
//   node compare.mjs --cases FILE --ranks FILE.tiktoken --peer PATH_OF_web-xgrammar/lib/index.js [--count 40]
//     [--out FILE]
//
// Each line of FILE is a case: {"schema", "tests": [{"valid", "data"}]}. Each engine runs in a process of its own,
// through the same interface; weir uses weir/compat/web-xgrammar. It runs twice, the second time with a warm-up of each
// grammar, which a page does while the model reads its prompt. The first valid instance of each case is tokenized
// greedily. The masks along it are computed once cold and, after a reset, once warm. Times are CPU time of the whole
// process: also of V8's threads that compile functions and collect garbage. On Linux there are also sums for the main
// thread alone, for which a page waits; for masks, they include accepting the tokens. Reading the clock takes part of
// each time of a mask; how much, is measured with nothing in between. If an engine refuses a case or rejects its instance,
// the case counts for no engine's times. An engine has three minutes to compile a schema.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";

const { values: options } = parseArgs({ options: {
  cases: { type: "string" }, ranks: { type: "string" }, peer: { type: "string" }, out: { type: "string" },
  count: { type: "string", default: "40" }, engine: { type: "string" }, "warm-up": { type: "string", default: "0" },
} });

function readVocabulary() {
  const tokens = [];
  for (const line of readFileSync(options.ranks, "utf8").trim().split("\n")) {
    const [bytes, rank] = line.split(" ");
    tokens[Number(rank)] = Buffer.from(bytes, "base64");
  }
  const special = tokens.length;
  tokens.push(Buffer.from("<|endoftext|>"));
  return { tokens: Array.from(tokens, (token) => token ?? Buffer.alloc(0)), stop: special };
}

/** The units of work of a warm-up, as in the documentation of CompiledGrammar.warmUp. */
const WARM_UP = "30000";

/** The byte-level spelling, which both engines decode. */
const SPELL = (() => {
  let next = 256;
  return Array.from({ length: 256 }, (_, b) => String.fromCodePoint((b >= 0x21 && b <= 0x7e) || (b >= 0xa1 && b <= 0xac) || b >= 0xae ? b : next++));
})();

function greedy(byText, bytes) {
  const text = bytes.toString("latin1");
  const ids = [];
  for (let at = 0; at < text.length; ) {
    let length = Math.min(24, text.length - at);
    while (!byText.has(text.slice(at, at + length))) length--;
    ids.push(byText.get(text.slice(at, at + length)));
    at += length;
  }
  return ids;
}

/** Returns the CPU time of the process in milliseconds, including the engine's threads for compilation and garbage
 * collection. Other programs on the machine do not count. */
function now() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the CPU time of the main thread in milliseconds; NaN if the system does not tell. */
function mainNow() {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ")[0]) / 1e6;
  } catch {
    return NaN;
  }
}

/** Returns the mean time of nothing, in milliseconds. */
async function emptyTime() {
  let sum = 0;
  const COUNT = 4000;
  for (let i = 0; i < COUNT; i++) {
    const start = now();
    await undefined;
    sum += now() - start;
  }
  return sum / COUNT;
}

async function measure() {
  let library;
  if (options.engine === "weir") library = await import("../../js/dist/compat/web-xgrammar.js");
  else {
    // The peer's file is CommonJS, but its name says that it is a module.
    const folder = mkdtempSync(join(tmpdir(), "peer-"));
    copyFileSync(options.peer, join(folder, "peer.cjs"));
    library = createRequire(import.meta.url)(join(folder, "peer.cjs"));
    process.on("exit", () => rmSync(folder, { recursive: true }));
  }
  const { tokens, stop } = readVocabulary();
  const byText = new Map(tokens.map((token, id) => [token.toString("latin1"), id]));
  const table = tokens.map((token, id) => (id === stop ? "<|endoftext|>" : Array.from(token, (byte) => SPELL[byte]).join("")));
  const before = process.memoryUsage().rss;
  let mainStart = mainNow();
  let start = now();
  const info = await library.TokenizerInfo.createTokenizerInfo(table, "byte_level", false, table.length, [stop]);
  const compiler = await library.GrammarCompiler.createGrammarCompiler(info);
  process.stdout.write(`${JSON.stringify({ start: now() - start, startMain: mainNow() - mainStart })}\n`);
  const cases = readFileSync(options.cases, "utf8").trim().split("\n").map(JSON.parse).slice(0, Number(options.count));
  for (const [i, c] of cases.entries()) {
    process.stdout.write(`${JSON.stringify({ begin: i })}\n`);
    const out = { case: i, masks: [[], []], masksMain: [] };
    try {
      mainStart = mainNow();
      start = now();
      const compiled = await library.GrammarCompiler.prototype.compileJSONSchema.call(compiler, JSON.stringify(c.schema), true, 2, undefined, false);
      const matcher = await library.GrammarMatcher.createGrammarMatcher(compiled);
      out.compile = now() - start;
      out.compileMain = mainNow() - mainStart;
      if (Number(options["warm-up"]) > 0) {
        start = now();
        compiled.handle.warmUp({ work: Number(options["warm-up"]) });
        out.warmUp = now() - start;
      }
      const ids = [...greedy(byText, Buffer.from(JSON.stringify(c.tests.find((t) => t.valid).data))), stop];
      for (const round of [0, 1]) {
        mainStart = mainNow();
        for (const id of ids) {
          start = now();
          await matcher.getNextTokenBitmask();
          out.masks[round].push(now() - start);
          if (!matcher.acceptToken(id)) throw new Error("rejects the instance");
        }
        out.masksMain.push(mainNow() - mainStart);
        matcher.reset();
      }
      matcher.dispose();
      compiled.dispose();
    } catch (error) {
      out.error = String(error.message ?? error).slice(0, 200);
    }
    process.stdout.write(`${JSON.stringify(out)}\n`);
  }
  process.stdout.write(`${JSON.stringify({ rss: process.memoryUsage().rss - before, clock: await emptyTime() })}\n`);
}

async function run(engine, ...more) {
  const results = { cases: [], restarts: 0 };
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...process.argv.slice(2), "--engine", engine, ...more], { stdio: ["ignore", "pipe", "ignore"] });
  let timer, text = "", current = -1;
  const give = () => (timer = setTimeout(() => child.kill("SIGKILL"), 180_000));
  give();
  for await (const data of child.stdout) {
    text += data;
    const lines = text.split("\n");
    text = lines.pop();
    // The peer prints warnings, too.
    for (const line of lines.filter((one) => one.startsWith("{")).map(JSON.parse)) {
      clearTimeout(timer);
      give();
      if ("begin" in line) current = line.begin;
      else if ("case" in line) results.cases[line.case] = line;
      else Object.assign(results, line);
    }
  }
  clearTimeout(timer);
  if (!("rss" in results)) results.ended = `ended at case ${current}`;
  return results;
}

const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function main() {
  const size = (path) => {
    const data = readFileSync(path);
    return { bytes: data.length, brotli: brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length };
  };
  const wasm = fileURLToPath(new URL("../../js/dist/weir.wasm", import.meta.url));
  const engines = [await run("weir"), await run("weir", "--warm-up", WARM_UP), await run("peer")];
  const [weir, warmed, peer] = engines;
  const both = weir.cases.map((_, i) => i).filter((i) => engines.every(({ cases }) => cases[i] && !cases[i].error));
  const FIRST = 100;
  const masks = (results, round) => {
    const times = both.flatMap((i) => results.cases[i].masks[round]).map((ms) => 1000 * ms);
    return { mean: mean(times), p50: quantile(times, 0.5), p99: quantile(times, 0.99), [`mean of the first ${FIRST}`]: mean(times.slice(0, FIRST)), "mean of the others": mean(times.slice(FIRST)) };
  };
  const main = (results, round) => (1000 * both.reduce((sum, i) => sum + results.cases[i].masksMain[round], 0)) / both.reduce((sum, i) => sum + results.cases[i].masks[round].length, 0);
  const summary = (results) => ({
    "tokenizer and compiler, ms": results.start,
    "compile and matcher, ms": Object.fromEntries([["mean", mean(both.map((i) => results.cases[i].compile))], ...[0.5, 0.9, 0.99].map((q) => [`p${100 * q}`, quantile(both.map((i) => results.cases[i].compile), q)])]),
    ...(results === warmed ? { "warm-up, ms": mean(both.map((i) => results.cases[i].warmUp)) } : {}),
    "of each mask the clock, us": results.clock === undefined ? undefined : 1000 * results.clock,
    "masks cold, us": masks(results, 0),
    "masks warm, us": masks(results, 1),
    "main thread alone": {
      "tokenizer and compiler, ms": results.startMain,
      "compile and matcher, ms, mean": mean(both.map((i) => results.cases[i].compileMain)),
      "mask and accept cold, us, mean": main(results, 0),
      "mask and accept warm, us, mean": main(results, 1),
    },
    "memory, MB": results.rss === undefined ? results.ended : results.rss / 2 ** 20,
    refused: results.cases.filter((c) => c?.error).length,
  });
  const report = { node: process.version, processor: cpus()[0].model, cases: weir.cases.length, "cases that both take": both.length, tokens: both.reduce((sum, i) => sum + weir.cases[i].masks[0].length, 0),
    size: { weir: size(wasm), ...(existsSync(options.peer) ? { "web-xgrammar, its script": size(options.peer) } : {}) }, weir: summary(weir), "weir, with warm-up": summary(warmed), "web-xgrammar": summary(peer) };
  const text = `${JSON.stringify(report, (_, value) => (typeof value === "number" ? Number(value.toPrecision(3)) : value), 2)}\n`;
  if (options.out) writeFileSync(options.out, text);
  console.log(text);
}

await (options.engine ? measure() : main());
