// Starts browsers for the tests: Debian's Chromium by its own protocol, Debian's Firefox by WebDriver BiDi.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const find = (names) => names.map((name) => spawnSync("which", [name]).stdout?.toString().trim()).find(Boolean);
const PATHS = { chrome: find(["chromium", "chromium-browser", "google-chrome"]), firefox: find(["firefox-esr", "firefox"]) };
const CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Returns the browsers that are installed: "chrome", "firefox". */
export const installed = Object.keys(PATHS).filter((name) => PATHS[name]);

/** Starts a browser with an empty profile, and returns it with a function that ends it. */
export async function start(name) {
  const profile = mkdtempSync(join(tmpdir(), "weir-playground-"));
  const browser = await puppeteer.launch({
    browser: name, executablePath: PATHS[name], headless: true, userDataDir: profile, protocolTimeout: 120_000, timeout: 120_000,
    args: name === "chrome" ? CHROMIUM_FLAGS : [],
  });
  return {
    browser,
    end: async () => {
      await browser.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
