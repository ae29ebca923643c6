// The small language model in data/model, read from its files.
import { readFileSync } from "node:fs";
import { Llama, readWeights } from "./model.mjs";

export const folder = new URL("../../data/model/", import.meta.url);
export const json = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
export const config = json("config.json");
export const weights = readWeights(new Uint8Array(readFileSync(new URL("model.safetensors", folder))).buffer);
export const llama = new Llama(config, weights);

/** The prompt for which the model writes a document: see data/model/README.md. */
export const promptFor = (schema) => `<|schema|>${JSON.stringify(schema)}<|json|>`;

/** Returns the prompts' token ids and the logits after them, from reference_logits.txt. */
export const reference = () => readFileSync(new URL("reference_logits.txt", folder), "utf8").trim().split("\n")
  .map((line) => line.split(" : ").map((numbers) => numbers.trim().split(" ").map(Number)));
