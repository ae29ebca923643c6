// The package's own tests in Bun and Deno.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Returns the program of a package whose optional packages `scope` have one for each platform; undefined if none has been installed. */
function program(scope, file) {
  const [folder] = readdirSync(path(`node_modules/${scope}`));
  return folder && path(`node_modules/${scope}/${folder}/${file}`);
}

const ENGINES = [
  ["Bun", program("@oven", "bin/bun"), ["test", "--timeout", "120000"]],
  // Deno checks the types of JavaScript files too, and of files that are not in a package it does not find the types.
  ["Deno", program("@deno", "deno"), ["test", "--allow-all", "--no-check"]],
];

/** Not: the tests of the files' sizes, names and types, which do not depend on the engine, those in Chromium, and those of Node's own processes. */
const FILES = ["callbacks", "cases", "masks", "memory", "package", "readme", "schemas", "transformers", "web-xgrammar"];

for (const [name, engine, options] of ENGINES) {
  test(`${name} ${engine ? spawnSync(engine, ["--version"], { encoding: "utf8" }).stdout.split("\n")[0] : ""}`, { skip: !engine && "there is no package for this platform" }, async (t) => {
    for (const file of FILES) {
      // A process for each file, because memory.test.mjs loses the instance of its process.
      await t.test(file, () => {
        const { status, stdout, stderr } = spawnSync(engine, [...options, `test/${file}.test.mjs`], { cwd: path(".."), encoding: "utf8", timeout: 300_000 });
        assert.equal(status, 0, stdout + stderr);
      });
    }
  });
}
