// The model's logits are those that another program computed (data/model/reference_logits.txt).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { transformWithEsbuild } from "vite";

const data = (name) => readFileSync(new URL(`../../data/model/${name}`, import.meta.url));

test("the model's logits", async () => {
  const { code } = await transformWithEsbuild(readFileSync(new URL("../src/engine/model.ts", import.meta.url), "utf8"), "model.ts");
  const { Llama } = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);
  const model = new Llama(JSON.parse(data("config.json")), data("model.safetensors"));
  const lines = data("reference_logits.txt").toString().split("\n").filter((line) => line.includes(":"));
  assert.ok(lines.length >= 3);
  for (const line of lines) {
    const [tokens, expected] = line.split(":").map((part) => part.trim().split(/\s+/).map(Number));
    model.reset();
    let logits;
    for (const token of tokens) logits = model.append(token);
    expected.forEach((logit, i) => assert.ok(Math.abs(logit - logits[i]) < 0.02, `${logits[i]} instead of ${logit}`));
  }
});
