// Runs a script in headless Chromium, with WebGPU by SwiftShader.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";

/** The program's name, or undefined if there is none. */
export const chromium = ["chromium", "chromium-browser", "google-chrome"].find((name) => spawnSync(name, ["--version"]).status === 0);

const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const PAGE = `<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>`;

/** Sends the result of a call to the server. */
const reporting = (body) => `
${body}.catch((error) => ({ error: String(error.stack ?? error) })).then((result) => fetch("/result", { method: "POST", body: JSON.stringify(result) }));
`;

/**
 * Opens a page with a module and returns what its call results in, or `{ error }`.
 * The page has a content security policy that permits WebAssembly and nothing from elsewhere.
 * @param script the module's text
 * @param call the call of an async function at its end
 * @param read returns the bytes of a path below "/", or throws
 */
export async function runInChromium(script, call, read) {
  let done;
  let failed;
  const result = new Promise((resolve, reject) => ([done, failed] = [resolve, reject]));
  const server = createServer((request, response) => {
    const path = request.url.split("?")[0];
    if (path === "/result") {
      let body = "";
      request.on("data", (data) => (body += data));
      request.on("end", () => (response.end(), done(JSON.parse(body))));
      return;
    }
    const send = (type, data) => {
      response.writeHead(200, { "content-type": type, "content-security-policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" });
      response.end(data);
    };
    if (path === "/") return send("text/html", PAGE);
    if (path === "/page.js") return send("text/javascript", script + reporting(call));
    try {
      send(TYPES[extname(path)] ?? "text/plain", read(path));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const profile = mkdtempSync(join(tmpdir(), "weir-chromium-"));
  const browser = spawn(chromium, ["--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--no-first-run", "--disable-extensions", `--user-data-dir=${profile}`,
    "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan", `http://127.0.0.1:${server.address().port}/`],
    { stdio: ["ignore", "ignore", "pipe"] });
  let messages = "";
  browser.stderr.on("data", (data) => (messages = (messages + data).slice(-4000)));
  browser.on("exit", (code, signal) => failed(new Error(`the browser ended with ${signal ?? code}: ${messages}`)));
  try {
    return await result;
  } finally {
    browser.kill("SIGKILL");
    server.close();
    server.closeAllConnections();
    await new Promise((resolve) => setTimeout(resolve, 300));
    rmSync(profile, { recursive: true, force: true, maxRetries: 20 });  // the browser's own processes may end later
  }
}
