// Runs the cases of tests/data, which contain every construct of every language, through the package: those in Lark and
// KBNF and those with blocks of lines with weir-full.wasm, the others with weir.wasm.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { createRequire } from "node:module";
import * as full from "weir/full";

const core = createRequire(import.meta.url)("weir");
await full.init();
await core.init();
const { bitmaskWords, isTokenInBitmask } = full;

const folder = fileURLToPath(new URL("../../tests/data", import.meta.url));
const READ = `
import json, pathlib, sys
try:
    import tomllib
except ImportError:
    import tomli as tomllib
print(json.dumps([[path.stem, tomllib.loads(path.read_text(encoding="utf-8"))["case"]] for path in sorted(pathlib.Path(sys.argv[1]).glob("*.toml"))]))
`;
const files = JSON.parse(execFileSync("python3", ["-c", READ, folder], { encoding: "utf8", maxBuffer: 1 << 26 }));

const bytes = (text, index) => Buffer.byteLength(text.slice(0, index));

function compile(compiler, c) {
  switch (c.syntax ?? "ebnf") {
    case "regex":
      return compiler.compileRegex(c.grammar, c.dialect ? { dialect: c.dialect } : {});
    case "structural_tag":
      return compiler.compileStructuralTag(c.grammar);
    case "response_format":
      return compiler.compileResponseFormat(c.grammar);
    default:
      return compiler.compileGrammar(c.grammar, {
        syntax: c.syntax ?? "ebnf",
        ...(c.start ? { start: c.start } : {}),
        keepEndless: c.keep_endless ?? false,
        exactSplits: c.exact_splits ?? false,
        grammars: Object.entries(c.grammars ?? {}).map(([name, text]) => ({ name, text })),
      });
  }
}

function run(c) {
  const needsFull = c.syntax === "lark" || c.syntax === "kbnf" || c.grammar.includes("@line_end");
  const { GrammarCompiler, GrammarError, GrammarMatcher, TokenizerInfo } = needsFull ? full : core;
  const single = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte));
  const more = c.tokens ?? [];
  const stop = 256 + more.length;
  const info = TokenizerInfo.fromTokens([...single, ...more, "<eos>"], { specialTokenIds: [stop], stopTokenIds: [stop] });
  const compiler = new GrammarCompiler(info);
  if (c.error) {
    assert.throws(() => compile(compiler, c), (error) => {
      assert.ok(error instanceof GrammarError, String(error));
      assert.equal(error.code, c.error.code);
      if (c.error.says) assert.ok(error.message.includes(c.error.says), error.message);
      if (c.error.at) assert.deepEqual([bytes(c.grammar, error.range.start), bytes(c.grammar, error.range.end)], c.error.at);
      assert.ok(error.rendered.includes(error.message));
      return true;
    });
    return;
  }
  const compiled = compile(compiler, c);
  const warnings = compiled.warnings;
  assert.equal(warnings.length, (c.warnings ?? []).length, warnings.map((w) => w.message).join("\n"));
  for (const says of c.warnings ?? []) assert.ok(warnings.some((w) => w.message.includes(says)), says);
  const mask = new Int32Array(bitmaskWords(info.vocabSize));
  const allows = (matcher, token) => {
    matcher.fillNextTokenBitmask(mask);
    return isTokenInBitmask(mask, token);
  };
  const after = (text) => {
    const matcher = new GrammarMatcher(compiled);
    assert.ok(matcher.acceptString(text), `after ${text}`);
    return matcher;
  };
  for (const text of c.accepts ?? []) {
    const matcher = new GrammarMatcher(compiled);
    for (const byte of Buffer.from(text)) {
      assert.ok(allows(matcher, byte), `masked in ${text}`);
      assert.ok(matcher.acceptToken(byte), text);
    }
    assert.ok(matcher.isCompleted() && matcher.acceptToken(stop) && matcher.isTerminated(), text);
  }
  for (const text of c.rejects ?? []) {
    const matcher = new GrammarMatcher(compiled);
    assert.ok(!(matcher.acceptString(text) && matcher.isCompleted()), `should be rejected: ${text}`);
  }
  for (const text of c.dead_prefixes ?? []) {
    assert.ok(new GrammarMatcher(compiled).longestViablePrefix(text) < Buffer.byteLength(text), `should be dead: ${text}`);
  }
  for (const expected of c.masks ?? []) {
    const matcher = after(expected.after);
    const allowed = more.filter((_, i) => allows(matcher, 256 + i));
    if (allows(matcher, stop)) allowed.push("<eos>");
    assert.deepEqual(allowed.sort(), [...expected.allowed].sort(), `after ${expected.after}`);
  }
  for (const expected of c.captures ?? []) {
    const found = after(expected.after).captures().map((capture) => `${capture.name}=${capture.text}${capture.complete ? "" : "..."}`);
    assert.deepEqual(found, expected.are, `after ${expected.after}`);
  }
  for (const expected of c.temperatures ?? []) {
    const found = after(expected.after).temperature;
    assert.equal(found, expected.is === undefined ? undefined : Math.fround(expected.is));
  }
}

for (const [file, cases] of files) {
  test(`${file}: ${cases.length} cases`, () => {
    for (const c of cases) {
      try {
        run(c);
      } catch (error) {
        error.message = `${file}, case "${c.name}": ${error.message}`;
        throw error;
      }
    }
  });
}
