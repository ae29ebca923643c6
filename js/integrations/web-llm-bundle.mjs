// Bundles web-llm-loop.mjs as an application would be, with weir's plugin for esbuild.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { weirEsbuild } from "weir/plugin";

/** Adds to web-llm's exports the classes that a pipeline without a downloaded model is made of. */
const EXPORTS = (tokenizers) => `
export const Tokenizer = ${tokenizers}.Tokenizer;
export function createPipeline(engine, id, config, runtime, tokenizer) {
  const pipeline = new LLMChatPipeline(runtime, tokenizer, config);
  engine.loadedModelIdToPipeline.set(id, pipeline);
  engine.loadedModelIdToChatConfig.set(id, config);
  engine.loadedModelIdToModelType.set(id, ModelType.LLM);
  engine.loadedModelIdToLock.set(id, new CustomLock());
  return pipeline;
}`;

/** weir's plugin, with the exports added to what it returns. */
const plugin = {
  name: "weir and exports",
  setup(build) {
    weirEsbuild().setup({
      onResolve: build.onResolve,
      resolve: build.resolve,
      onLoad: (filter, load) => build.onLoad(filter, async (args) => {
        const loaded = await load(args);
        const tokenizers = /([\w$]+)\.Tokenizer\.fromJSON\(/.exec(loaded.contents)[1];
        return { ...loaded, contents: loaded.contents + EXPORTS(tokenizers) };
      }),
    });
  },
};

/** Writes the bundle to a file. */
export async function bundle(outfile, platform) {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL("web-llm-loop.mjs", import.meta.url))], outfile, bundle: true, platform, format: "esm", plugins: [plugin],
    metafile: true, logLevel: "error", ...(platform === "browser" ? { external: ["node:*"] } : {}),
  });
  return metafile;
}
