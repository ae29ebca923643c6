// Loads the script with the small model, which vite.config.ts writes beside the page.
import type { LlamaConfig } from "./engine/model.js";
import { make } from "./dom.js";

export interface ModelFiles {
  config: LlamaConfig;
  /** The content of tokenizer.json. */
  tokenizer: string;
  /** The content of model.safetensors, as base64. */
  weights: string;
}

let loading: Promise<ModelFiles> | undefined;

/** Returns the model's files; they are loaded by the first call. */
export function loadModel(): Promise<ModelFiles> {
  loading ??= new Promise((resolve, reject) => {
    document.head.append(make("script", {
      src: "./model.js",
      load: () => resolve((globalThis as unknown as { weirModel: ModelFiles }).weirModel),
      error: () => {
        loading = undefined;
        reject(new Error("model.js is not beside the page"));
      },
    }));
  });
  return loading;
}
