// Builds dist/: ESM and CommonJS, types, weir.wasm and weir-full.wasm, and the script with the latter inside.
// Usage: node tools/build.mjs [FOLDER OF THE MODULES]
import { transform } from "esbuild";
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const build = process.argv[2] ?? join(root, "../build-wasm");
const modules = ["weir.wasm", "weir-full.wasm"];
for (const name of modules) {
  if (existsSync(join(build, name))) continue;
  console.error(`build: ${join(build, name)} does not exist; \`make wasm\` builds it`);
  process.exit(1);
}
const src = join(root, "src");
const dist = join(root, "dist");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", root], { stdio: "inherit" });

const files = readdirSync(src, { recursive: true }).map(String).filter((f) => f.endsWith(".ts") && !f.endsWith(".d.ts"));
const sources = files.map((file) => [file, readFileSync(join(src, file), "utf8")]);
sources.push(["weir-wasm.ts", `export const base64 = ${JSON.stringify(readFileSync(join(build, "weir-full.wasm")).toString("base64"))};\n`]);

/** In CommonJS there is no import.meta; the address of the script is that of its file. */
const CJS_URL = 'const import_meta_url = require("node:url").pathToFileURL(__filename).href;\n';

for (const [file, source] of sources) {
  const to = join(dist, file.replace(/\.ts$/, ""));
  mkdirSync(dirname(to), { recursive: true });
  const shared = { loader: "ts", target: "es2022" };
  writeFileSync(`${to}.js`, (await transform(source, { ...shared, format: "esm" })).code);
  if (file === "worker.ts") continue;  // a Worker is always a module
  const usesUrl = source.includes("import.meta.url");
  const { code } = await transform(source, { ...shared, format: "cjs", define: usesUrl ? { "import.meta.url": "import_meta_url" } : {} });
  writeFileSync(`${to}.cjs`, (usesUrl ? CJS_URL : "") + code.replace(/(["'])(\.{1,2}\/[\w./-]+)\.js\1/g, "$1$2.cjs$1"));
}
cpSync(join(src, "weir-wasm.d.ts"), join(dist, "weir-wasm.d.ts"));
for (const file of readdirSync(dist, { recursive: true }).map(String).filter((f) => f.endsWith(".d.ts"))) {
  // Before TypeScript 5.7 typed arrays have no parameter; later it has this default.
  const types = readFileSync(join(dist, file), "utf8").replace(/\b(\w+Array)<ArrayBuffer(Like)?>/g, "$1");
  writeFileSync(join(dist, file), types);
  writeFileSync(join(dist, file.replace(/\.d\.ts$/, ".d.cts")), types.replace(/(["'])(\.{1,2}\/[\w./-]+)\.js\1/g, "$1$2.cjs$1"));
}
for (const name of modules) copyFileSync(join(build, name), join(dist, name));
const sizes = modules.map((name) => `${name} ${readFileSync(join(dist, name)).length} bytes`).join(", ");
console.log(`${relative(process.cwd(), dist)}: ${files.length} scripts, ${sizes}`);
