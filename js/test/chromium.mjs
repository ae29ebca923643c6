// Runs a script in headless Chromium, with WebGPU by SwiftShader.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";

/** The program's name, or undefined if there is none. */
export const chromium = ["chromium", "chromium-browser", "google-chrome"].find((name) => spawnSync(name, ["--version"]).status === 0);

const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json" };
const PAGE = `<!doctype html><meta charset="utf-8"><script type="module" src="/boot.js"></script>`;

const OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--no-first-run", "--disable-extensions",
  "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"];

/** Loads /page.js and sends what its call results in, or why there is no result. */
const BOOT = `
const failed = (error) => ({ error: String(error?.stack ?? error) });
const result = await import("/page.js").then((page) => page.default, failed).catch(failed);
await fetch("/result", { method: "POST", body: JSON.stringify(result) });
`;

/** The most that the browser wrote last on standard error, in characters. */
const MESSAGES = 4000;

/**
 * Opens a page with a module and returns what its call results in, or `{ error }`.
 * The page has a content security policy that permits WebAssembly and nothing from elsewhere.
 * @param script the module's text
 * @param call the call of an async function at its end
 * @param read returns the bytes of a path below "/", or throws
 * @param seconds the time after which there is an error that says how far the page came
 */
export async function runInChromium(script, call, read, seconds) {
  const requests = [];
  let messages = "";
  let done;
  let failed;
  const result = new Promise((resolve, reject) => {
    done = resolve;
    failed = (why) => reject(new Error(`${why}; the page asked for ${requests.join(" ") || "nothing"}; the browser's messages: ${messages || "none"}`));
  });
  const server = createServer((request, response) => {
    const path = request.url.split("?")[0];
    requests.push(path);
    if (path === "/result") {
      const body = [];
      request.on("data", (data) => body.push(data));
      request.on("end", () => (response.end(), done(JSON.parse(Buffer.concat(body)))));
      return;
    }
    const send = (type, data) => {
      response.writeHead(200, { "content-type": type, "content-security-policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'" });
      response.end(data);
    };
    if (path === "/") return send("text/html", PAGE);
    if (path === "/boot.js") return send("text/javascript", BOOT);
    if (path === "/page.js") return send("text/javascript", `${script}\nexport default ${call};\n`);
    try {
      send(TYPES[extname(path)] ?? "text/plain", read(path));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const profile = mkdtempSync(join(tmpdir(), "weir-chromium-"));
  const browser = spawn(chromium, [...OPTIONS, `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`], { stdio: ["ignore", "ignore", "pipe"] });
  browser.stderr.on("data", (data) => (messages = (messages + data).slice(-MESSAGES)));
  const ended = new Promise((resolve) => browser.on("close", (code, signal) => (resolve(), failed(`the browser ended with ${signal ?? code}`))));
  const timer = setTimeout(() => failed(`no result after ${seconds} s`), 1000 * seconds);
  try {
    return await result;
  } finally {
    clearTimeout(timer);
    // Asked to end, the browser ends its processes, which write to the profile until then.
    browser.kill("SIGTERM");
    const killer = setTimeout(() => browser.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(killer);
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
  }
}
