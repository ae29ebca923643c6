// weir's logits processors in transformers.js itself: @huggingface/transformers generates with the small language model
// in data/model, which runs as an ONNX file.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { AutoModelForCausalLM, AutoTokenizer, env, pipeline } from "@huggingface/transformers";
import { GrammarCompiler } from "weir/full";
import { GrammarLogitsProcessor, StructuredOutputProcessor, tokenizerInfoFrom } from "weir/transformers";
import { config, folder, llama, promptFor, weights } from "./files.mjs";
import { makeOnnx } from "./onnx.mjs";

const root = mkdtempSync(join(tmpdir(), "weir-onnx-"));
after(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, "model/onnx"), { recursive: true });
for (const name of ["config.json", "generation_config.json", "tokenizer.json"]) copyFileSync(new URL(name, folder), join(root, "model", name));
const TOKENIZER = { tokenizer_class: "PreTrainedTokenizerFast", eos_token: "<|end|>", pad_token: "<|end|>", clean_up_tokenization_spaces: false };
writeFileSync(join(root, "model/tokenizer_config.json"), JSON.stringify(TOKENIZER));
writeFileSync(join(root, "model/onnx/model.onnx"), makeOnnx(config, weights));
env.allowRemoteModels = false;
env.localModelPath = root;

const tokenizer = await AutoTokenizer.from_pretrained("model");
const model = await AutoModelForCausalLM.from_pretrained("model", { dtype: "fp32" });
const info = tokenizerInfoFrom(tokenizer);
const compiler = new GrammarCompiler(info);

/** Generates for a batch of prompts and returns the outputs without the tokens after the first stop token. */
async function generate(prompts, logits_processor, options = {}) {
  tokenizer.padding_side = "left";
  const inputs = tokenizer(prompts, { padding: true, add_special_tokens: false });
  const { dims: [, length] } = inputs.input_ids;
  const outputs = await model.generate({ ...inputs, max_new_tokens: 120, do_sample: false, ...options, logits_processor });
  return outputs.tolist().map((row) => {
    const ids = row.slice(length).map(Number);
    const end = ids.indexOf(config.eos_token_id);
    return { text: tokenizer.decode(end < 0 ? ids : ids.slice(0, end)), ended: end >= 0 };
  });
}

test("the tokenizer that transformers.js read is the one that weir reads", () => {
  assert.equal(info.vocabSize, config.vocab_size);
  assert.deepEqual([...info.stopTokenIds], [config.eos_token_id]);
  for (const text of ['{"name": "Ada", "n": [1, 2.5, null]}', "Zoë: 东京 \u{1f600}\n\t"]) {
    assert.deepEqual(Array.from(info.tokenize(text)), tokenizer.encode(text, { add_special_tokens: false }), text);
  }
});

test("greedy: at each step the best of the tokens that continue a choice", async () => {
  const choices = ["[7, 8]", "[7]", '{"a": 1}', '{"a": 10, "b": "x y"}', "nul", '"[7"'];
  const prompt = promptFor({ enum: choices });
  // The same by definition: the model in JavaScript, and a test of each token's text.
  const texts = Array.from({ length: config.vocab_size }, (_, id) => (id < config.eos_token_id ? tokenizer.decode([id]) : ""));
  const cache = llama.newCache();
  let state;
  for (const id of tokenizer.encode(prompt, { add_special_tokens: false })) state = llama.step(llama.embed(id), cache);
  let expected = "";
  while (true) {
    const logits = llama.logits(state);
    const allowed = (id) => (id === config.eos_token_id ? choices.includes(expected) : texts[id] !== "" && choices.some((choice) => choice.startsWith(expected + texts[id])));
    let best = -1;
    logits.forEach((logit, id) => { if (allowed(id) && (best < 0 || logit > logits[best])) best = id; });
    if (best === config.eos_token_id) break;
    expected += texts[best];
    state = llama.step(llama.embed(best), cache);
  }
  const [output] = await generate([prompt], new GrammarLogitsProcessor(compiler.compileChoice(choices)));
  assert.deepEqual(output, { text: expected, ended: true });
});

const PERSON = {
  type: "object",
  properties: { name: { type: "string", maxLength: 20 }, age: { type: "integer", minimum: 0, maximum: 130 }, tags: { type: "array", items: { enum: ["a", "b"] }, minItems: 2, maxItems: 3 } },
  required: ["name", "age", "tags"], additionalProperties: false,
};
function assertPerson(text) {
  const { name, age, tags, ...others } = JSON.parse(text);
  assert.ok(typeof name === "string" && [...name].length <= 20, text);
  assert.ok(Number.isInteger(age) && age >= 0 && age <= 130, text);
  assert.ok(tags.length >= 2 && tags.length <= 3 && tags.every((tag) => tag === "a" || tag === "b"), text);
  assert.deepEqual(others, {});
}

test("a batch of prompts of different lengths, with a grammar for each row, greedy and sampled", async () => {
  const processor = new GrammarLogitsProcessor([compiler.compileJSONSchema(PERSON), compiler.compileRegex("[A-Z]{3}-[0-9]{4}"), compiler.compileChoice(["no", "never"])]);
  const prompts = [promptFor(PERSON), promptFor({ type: "string" }), "x"];
  for (const options of [{}, { do_sample: true, temperature: 1.5 }]) {
    const outputs = await generate(prompts, processor, options);
    processor.reset();
    assertPerson(outputs[0].text);
    assert.match(outputs[1].text, /^[A-Z]{3}-[0-9]{4}$/);
    assert.match(outputs[2].text, /^(no|never)$/);
    for (const { ended } of outputs) assert.ok(ended);
  }
});

test("beside transformers.js's own processors", async () => {
  const processor = new GrammarLogitsProcessor(compiler.compileRegex("[ab]{12}"));
  const [output] = await generate([promptFor({ type: "string" })], processor, { repetition_penalty: 1.3, min_new_tokens: 3 });
  assert.match(output.text, /^[ab]{12}$/);
});

test("the interface of transformers-structured-output", async () => {
  StructuredOutputProcessor.warmup(tokenizer);
  const [person] = await generate([promptFor(PERSON)], new StructuredOutputProcessor(tokenizer, { type: "json_schema", json_schema: PERSON }));
  assertPerson(person.text);
  const [date] = await generate(["x"], new StructuredOutputProcessor(tokenizer, { type: "regex", regex: "20[0-9]{2}-(0[1-9]|1[0-2])" }));
  assert.match(date.text, /^20[0-9]{2}-(0[1-9]|1[0-2])$/);
});

test("the pipeline for text generation", async () => {
  const write = await pipeline("text-generation", "model", { dtype: "fp32" });
  const processor = new GrammarLogitsProcessor(new GrammarCompiler(tokenizerInfoFrom(write.tokenizer)).compileJSONSchema(PERSON));
  const [{ generated_text: text }] = await write(promptFor(PERSON), { max_new_tokens: 120, logits_processor: processor, return_full_text: false });
  assertPerson(text);
});

test("a generation that goes wrong rejects with weir's error, and the processor can be used again", async () => {
  const processor = new GrammarLogitsProcessor([compiler.compileChoice(["a"]), compiler.compileChoice(["b"])]);
  await assert.rejects(generate(["x"], processor), { name: "GrammarError", message: /2 grammars for 1 rows/ });
  assert.deepEqual((await generate(["x", "longer prompt"], processor)).map(({ text }) => text), ["a", "b"]);
});
