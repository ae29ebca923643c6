// Plugins for bundlers that replace web-xgrammar by weir in an application.
//
// HOW    web-llm contains web-xgrammar in its own bundle: `var libExports$1 = requireLib$1();`. The plugin changes this
//        line, so that the variable is weir's module with the same interface. Bundlers then drop the unused function of
//        the original line. Imports of "@mlc-ai/web-xgrammar" are resolved to the same module.

import { checkedText } from "./arguments.js";
import { GrammarError } from "./errors.js";

const TARGET = "weir/compat/web-xgrammar";
const WEB_LLM = /[\\/]@mlc-ai[\\/]web-llm[\\/]lib[\\/]index\.js$/;

/**
 * Returns web-llm's bundle with weir in place of web-xgrammar.
 * @throws GrammarError `unsupported`: the bundle does not have the line to change
 */
export function rewriteWebLLM(code: string, target = TARGET): string {
  checkedText(code, "code");
  checkedText(target, "target");
  const variable = /([\w$]+)\.GrammarMatcher\.createGrammarMatcher\(/.exec(code)?.[1];
  const line = variable && new RegExp(`var ${variable.replace(/\$/g, "\\$")} = require\\w*\\$?\\w*\\(\\);`).exec(code);
  if (!line) throw new GrammarError("unsupported", "web-llm's bundle does not have the line that takes web-xgrammar; the plugin knows 0.2.86");
  return `import * as weirGrammars from ${JSON.stringify(target)};\n${code.replace(line[0], () => `var ${variable} = weirGrammars;`)}`;
}

interface RollupPlugin {
  name: string;
  enforce: "pre";
  config(): object;
  resolveId(this: { resolve(id: string, importer?: string): unknown }, id: string, importer?: string): unknown;
  transform(code: string, id: string): { code: string; map: null } | null;
}

/**
 * For vite and rollup:
 *
 *     import { weir } from "weir/plugin";
 *     export default { plugins: [weir()] };
 */
export function weir(): RollupPlugin {
  return {
    name: "weir",
    enforce: "pre",
    // vite must not pre-bundle web-llm before the plugin changes it.
    config: () => ({ optimizeDeps: { exclude: ["@mlc-ai/web-llm", "weir"] } }),
    resolveId(id, importer) {
      return id === "@mlc-ai/web-xgrammar" ? this.resolve(TARGET, importer) : null;
    },
    transform(code, id) {
      return WEB_LLM.test(id.split("?")[0]!) ? { code: rewriteWebLLM(code), map: null } : null;
    },
  };
}

interface EsbuildBuild {
  onResolve(filter: { filter: RegExp }, callback: (args: { path: string; resolveDir: string; kind: string }) => unknown): void;
  onLoad(filter: { filter: RegExp }, callback: (args: { path: string }) => Promise<{ contents: string; loader: "js" }>): void;
  resolve(path: string, options: { resolveDir: string; kind: string }): Promise<unknown>;
}

/** For esbuild: `build({ plugins: [weirEsbuild()] })`. */
export function weirEsbuild(): { name: string; setup(build: EsbuildBuild): void } {
  return {
    name: "weir",
    setup(build) {
      build.onResolve({ filter: /^@mlc-ai\/web-xgrammar$/ }, ({ resolveDir, kind }) => build.resolve(TARGET, { resolveDir, kind }));
      build.onLoad({ filter: WEB_LLM }, async ({ path }) => {
        const { readFile } = await import("node:fs/promises");
        return { contents: rewriteWebLLM(await readFile(path, "utf8")), loader: "js" };
      });
    },
  };
}
