// Compares the masks of both modules bit for bit with those of the native build. tests/e2e/mask_walk_test.cc makes the
// same walks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createRequire } from "node:module";
import * as full from "weir/full";

// Modules of CommonJS are other objects than those of `import`, so both modules of WebAssembly are in this process.
const core = createRequire(import.meta.url)("weir");
await full.init();
await core.init();
const { bitmaskWords, structuralTagForTools } = full;

const MASKS = 400;
const LONGEST = 80;
const read = (path) => readFileSync(new URL(`../../tests/${path}`, import.meta.url), "utf8");

function popcount(word) {
  let count = 0;
  for (; word !== 0; word &= word - 1) count++;
  return count;
}

function tokenAt(bitmask, rank) {
  for (let i = 0; i < bitmask.length; i++) {
    const here = popcount(bitmask[i]);
    if (rank >= here) {
      rank -= here;
      continue;
    }
    let word = bitmask[i];
    for (; rank > 0; rank--) word &= word - 1;
    return 32 * i + 31 - Math.clz32(word & -word);
  }
  return -1;
}

function compile(compiler, c) {
  if (c.schema) return compiler.compileJSONSchema(c.schema);
  if (c.response_format) return compiler.compileResponseFormat(c.response_format);
  if (c.choice) return compiler.compileChoice(c.choice);
  if (c.substring) return compiler.compileSubstring(c.substring, "word");
  if (c.tools) return compiler.compileStructuralTag(structuralTagForTools(c.style, c.tools));
  if (c.regex) return compiler.compileRegex(c.regex, c.dialect ? { dialect: c.dialect } : {});
  for (const [name, syntax] of [["grammar", "ebnf"], ["gbnf", "gbnf"], ["xgrammar", "xgrammar"], ["kbnf", "kbnf"], ["lark", "lark"]]) {
    if (c[name]) return compiler.compileGrammar(c[name], { syntax });
  }
  throw new Error(`a case of an unknown kind: ${c.id}`);
}

function walk(weir, compiled, id, vocabSize) {
  let first = 1, second = 2, seed = 12345, tokens = 0;
  const add = (word) => {
    first = Math.imul(first ^ word, 0x85ebca6b);
    first ^= first >>> 13;
    second = Math.imul(second + word, 0xc2b2ae35);
    second ^= second >>> 16;
  };
  const matcher = new weir.GrammarMatcher(compiled);
  const bitmask = new Int32Array(bitmaskWords(vocabSize));
  for (let i = 0; i < MASKS; i++) {
    matcher.fillNextTokenBitmask(bitmask);
    let count = 0;
    for (const word of bitmask) {
      add(word);
      count += popcount(word);
    }
    add(count);
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    assert.ok(matcher.acceptToken(tokenAt(bitmask, (seed >>> 8) % count)), id);
    if (++tokens === LONGEST || matcher.isTerminated()) {
      matcher.reset();
      tokens = 0;
    }
  }
  matcher.dispose();
  const hex = (word) => (word >>> 0).toString(16).padStart(8, "0");
  return `${MASKS} ${hex(first)}${hex(second)} ${id}`;
}

const builtin = full.TokenizerInfo.builtin();
const expected = read("e2e/mask_walks.txt").trim().split("\n");
const cases = read("bench/cases.jsonl").trim().split("\n").map(JSON.parse);

test("masks of weir-full.wasm are those of the native build", () => {
  const compiler = new full.GrammarCompiler(builtin);
  const found = cases.map((c) => walk(full, compile(compiler, c), c.id, builtin.vocabSize));
  assert.deepEqual(found, expected);
  assert.ok(found.length * MASKS >= 10_000);
});

test("masks of weir.wasm are those of the native build", () => {
  const ids = Array.from({ length: builtin.vocabSize }, (_, id) => id);
  const tokens = ids.map((id) => builtin.tokenBytes(id));
  const specialTokenIds = ids.filter((id) => builtin.tokenKind(id) === "special");
  const compiler = new core.GrammarCompiler(core.TokenizerInfo.fromTokens(tokens, { specialTokenIds, stopTokenIds: [...builtin.stopTokenIds] }));
  for (const [i, c] of cases.entries()) {
    if (c.kbnf || c.lark) assert.throws(() => compile(compiler, c), (error) => error.code === "unsupported" && error.message.includes("weir.wasm"));
    else assert.equal(walk(core, compile(compiler, c), c.id, builtin.vocabSize), expected[i]);
  }
});
