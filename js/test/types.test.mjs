// The types compile with the oldest TypeScript that docs/javascript.md names and with the one of the build, in each way to
// find a package, with the libraries "es2022" and "dom" alone, and with the declaration files checked.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const ENTRIES = Object.entries(exports).filter(([, target]) => target.import?.types).map(([name]) => name.replace(/^\./, "weir"));

const SOURCE = `
${ENTRIES.map((entry, i) => `import * as entry${i} from "${entry}";`).join("\n")}
import { allocateTokenBitmask, CompiledGrammar, Grammar, GrammarCompiler, GrammarError, GrammarMatcher, ReplyParser, TokenizerInfo, WorkerMatcher, type Limits, type ReplyEvent } from "weir/full";
export const entries: object[] = [${ENTRIES.map((_, i) => `entry${i}`).join(", ")}];
export function use(bytes: Uint8Array, limits: Limits): Int32Array {
  const info: TokenizerInfo = TokenizerInfo.fromTokens(["a", bytes], { stopTokenIds: [1] });
  const compiled: CompiledGrammar = new GrammarCompiler(info, limits).compileJSONSchema({ type: "string" }, { whitespace: "none", profile: "serving" });
  const bitmask: Int32Array = allocateTokenBitmask(1, info.vocabSize);
  const matcher = new GrammarMatcher(compiled, { maxTokens: 5 });
  matcher.fillNextTokenBitmask(bitmask);
  const text: Uint8Array = matcher.textBytes();
  const [capture] = matcher.captures();
  const name: string | undefined = capture?.name;
  try {
    info.tokenize(text);
  } catch (error) {
    if (error instanceof GrammarError && error.code === "limit_exceeded") throw new Error(error.limit + name);
  }
  matcher.dispose();
  return bitmask;
}
export function said(event: ReplyEvent): string {
  switch (event.kind) {
    case "text": case "reasoning": return event.text;
    case "call_begins": return event.name + (event.id ?? "") + event.call;
    case "call_invalid": return event.reason;
    default: return event.kind;
  }
}
export const replies = new ReplyParser("hermes", null, { mode: "strict", toolChoice: "auto", reasoning: "whole" }).feed("x").map(said);
// @ts-expect-error only some events have a text
export const textOf = (event: ReplyEvent): string => event.text;
// @ts-expect-error its constructor is private
new Grammar();
// @ts-expect-error its constructor is private
new TokenizerInfo();
// @ts-expect-error its constructor is private
new CompiledGrammar();
// @ts-expect-error its constructor is private
new WorkerMatcher();
// @ts-expect-error no such option
new GrammarCompiler(TokenizerInfo.builtin(), { much: 1 });
`;

const folder = mkdtempSync(join(tmpdir(), "weir-types-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, "node_modules"));
symlinkSync(root, join(folder, "node_modules/weir"));
for (const name of ["use.ts", "use.mts", "use.cts"]) writeFileSync(join(folder, name), SOURCE);

/** The script of each compiler, and how it finds packages: `module`, `moduleResolution`, the file. */
const COMPILERS = {
  "typescript-oldest/bin/tsc": [["commonjs", "node", "use.ts"], ["node16", "node16", "use.mts"], ["node16", "node16", "use.cts"]],
  "typescript/bin/tsc": [["esnext", "bundler", "use.ts"], ["nodenext", "nodenext", "use.mts"], ["nodenext", "nodenext", "use.cts"]],
};

test("the oldest compiler is the one that the page names", () => {
  const { version } = JSON.parse(readFileSync(join(root, "node_modules/typescript-oldest/package.json"), "utf8"));
  assert.ok(readFileSync(join(root, "../docs/javascript.md"), "utf8").includes(`TypeScript from ${version.replace(/\.\d+$/, "")} `));
});

for (const [compiler, ways] of Object.entries(COMPILERS)) {
  for (const [module, resolution, file] of ways) {
    test(`${compiler.split("/")[0]}, ${resolution}, ${file}`, () => {
      const compilerOptions = { noEmit: true, strict: true, target: "es2022", lib: ["es2022", "dom"], types: [], module, moduleResolution: resolution };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }));
      const { stdout, status } = spawnSync(process.execPath, [join(root, "node_modules", compiler), "-p", folder], { encoding: "utf8" });
      assert.equal(status, 0, stdout);
    });
  }
}
