// Runs the lists of tests/data/token_lists through the package, and through weir/compat/web-xgrammar.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { GrammarError, init, TokenizerInfo } from "weir";
import * as xgr from "weir/compat/web-xgrammar";

await init();
const READ = `
import json, sys
try:
    import tomllib
except ImportError:
    import tomli as tomllib
print(json.dumps(tomllib.load(open(sys.argv[1], "rb"))["list"]))
`;
const lists = JSON.parse(execFileSync("python3", ["-c", READ, fileURLToPath(new URL("../../tests/data/token_lists/token_lists.toml", import.meta.url))], { encoding: "utf8" }));
const VOCAB_TYPES = { bytes: "raw", byte_fallback: "byte_fallback", byte_level: "byte_level" };

function check(list, info) {
  const ids = Array.from({ length: info.vocabSize }, (_, id) => id);
  assert.deepEqual([...info.stopTokenIds], list.stops ?? []);
  if (list.bytes) assert.deepEqual(ids.map((id) => Buffer.from(info.tokenBytes(id)).toString("hex")), list.bytes);
  if (list.names) assert.deepEqual(ids.map((id) => (info.tokenKind(id) === "special" ? info.tokenName(id) : "")), list.names);
}

for (const list of lists) {
  test(list.name, async () => {
    const options = { spelling: list.spelling, specialTokenIds: list.special_token_ids, stopTokenIds: list.stop_token_ids, stopTokensByName: list.stop_tokens_by_name };
    const bytes = list.tokens.map((token) => Buffer.from(token));
    for (const tokens of [list.tokens, bytes, list.tokens.map((token, i) => (i % 2 ? token : bytes[i]))]) {
      check(list, TokenizerInfo.fromTokens(tokens, options));
    }
    if (list.special_token_ids || (list.stop_tokens_by_name && list.stop_token_ids)) return;  // web-xgrammar has no such arguments
    const stops = list.stop_tokens_by_name ? undefined : list.stop_token_ids ?? [];
    const info = await xgr.TokenizerInfo.createTokenizerInfo(list.tokens, VOCAB_TYPES[list.spelling ?? "bytes"], false, undefined, stops);
    check(list, info.handle);
    const decoded = info.getDecodedVocabHandle();
    assert.equal(decoded.size(), list.tokens.length);
    assert.deepEqual(list.tokens.map((_, i) => decoded.get(i)), list.tokens.map((_, i) => Buffer.from(info.handle.tokenBytes(i)).toString()));
  });
}

test("characters of all sizes, and halves of characters", () => {
  const tokens = ["a", "é", "日", "😀", "\ud83d", "\ude00", "x\ude00\ud83d", "", "b"];
  const info = TokenizerInfo.fromTokens(tokens);
  tokens.forEach((token, i) => assert.deepEqual([...info.tokenBytes(i)], [...new TextEncoder().encode(token)], token));
});

test("what is no list of tokens", () => {
  assert.throws(() => TokenizerInfo.fromTokens(["a", , "b"]), (error) => error instanceof GrammarError && error.message.includes("tokens[1]"));
  assert.throws(() => TokenizerInfo.fromTokens(["a"], { spelling: "byteLevel" }), (error) => error instanceof GrammarError && error.hint.includes("byte_level"));
});
