// The module's memory is exhausted. The test has its own file, because the instance of the whole process is lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { failing } from "./failing.mjs";
import { init } from "weir/full";
import { GrammarCompiler, GrammarMatcher, memoryBytes, TokenizerInfo } from "weir/full";

await init();

test("memory that cannot grow: an error, and a new instance", () => {
  const other = TokenizerInfo.builtin();
  const { runtime } = other;
  const grow = runtime.exports.memory.buffer.byteLength;
  // Grows the memory by as many pages as possible, so that the rest is soon used up.
  for (let pages = 16384; pages > 0; pages >>= 1) {
    try {
      while (true) runtime.exports.memory.grow(pages);
    } catch { /* fewer then */ }
  }
  const hoard = [];
  const error = failing(() => {
    for (let size = 1 << 28; ; ) {
      const at = runtime.exports.malloc(size);
      if (at === 0 && size === 1024) break;
      if (at === 0) size >>= 1;
      else hoard.push(at);
    }
    for (let i = 0; i < 1000; i++) new GrammarCompiler(other).compileJSONSchema({ properties: { [`p${i}`]: { type: "string", maxLength: 1000 } } });
  }, "out_of_memory", "cannot grow");
  assert.ok(error.hint.includes("again") && grow > 0);
  failing(() => other.tokenize("a"), "out_of_memory", "gone");
  failing(() => new GrammarCompiler(other), "out_of_memory", "gone");
  const fresh = new GrammarCompiler(TokenizerInfo.builtin());
  assert.ok(new GrammarMatcher(fresh.compileRegex("a")).acceptString("a"));
  assert.ok(memoryBytes() < 1 << 28);
});
