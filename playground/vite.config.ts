// Builds the page as classic scripts with the WebAssembly module inside: `dist` works from any folder, over http or as a
// file. A page that was opened as a file may neither fetch nor import modules, and may start a Worker only from a Blob.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const classicScripts: Plugin = {
  name: "classic-scripts",
  transformIndexHtml: { order: "post", handler: (html) => html.replace(/<script type="module" crossorigin/g, "<script defer").replace(/<link rel="stylesheet" crossorigin/g, '<link rel="stylesheet"') },
};

/** The page has a Worker of its own. Without this, the script of the package's WorkerCompiler would be bundled, too. */
const withoutWorkerCompiler: Plugin = {
  name: "without-worker-compiler",
  enforce: "pre",
  load: (id) => (id.endsWith("/js/dist/worker-compiler.js") ? "export class WorkerCompiler {}\nexport class WorkerCompiledGrammar {}\nexport class WorkerMatcher {}\n" : undefined),
};

/** The small model, in a script that the page loads when it is asked for: a page that is a file can load nothing else. */
const smallModel: Plugin = {
  name: "small-model",
  apply: "build",
  generateBundle() {
    const read = (name: string) => readFileSync(new URL(`../data/model/${name}`, import.meta.url));
    const model = { config: JSON.parse(read("config.json").toString()), tokenizer: read("tokenizer.json").toString(), weights: read("model.safetensors").toString("base64") };
    this.emitFile({ type: "asset", fileName: "model.js", source: `globalThis.weirModel = ${JSON.stringify(model)};\n` });
  },
};

export default defineConfig({
  base: "./",
  resolve: { alias: { weir: fileURLToPath(new URL("../js/dist/single.js", import.meta.url)) } },
  plugins: [classicScripts, withoutWorkerCompiler, smallModel],
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 8192,
    rollupOptions: { output: { format: "iife", entryFileNames: "playground.js", assetFileNames: "playground[extname]" } },
  },
  worker: { format: "iife", plugins: () => [withoutWorkerCompiler] },
});
