// The readers of compare.py that are JavaScript: node readers.mjs FOLDER SECONDS TOOLS < pieces.
// It prints {name: [[length, ms]]}.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [folder, seconds, tools] = process.argv.slice(2);
const require = createRequire(join(resolve(folder), "package.json"));
const work = JSON.parse(readFileSync(0, "utf8"));

const READERS = {
  "weir, events (WebAssembly)": ["call", () => {
    const { ReplyParser } = require("weir/full");
    return (pieces) => {
      const parser = new ReplyParser("hermes", JSON.parse(tools));
      for (const piece of pieces) parser.feed(piece);
      parser.finish();
      if (parser.snapshot().tool_calls.length !== 1) throw new Error("no call");
      parser.dispose();
    };
  }],
  "partial-json": ["json", () => {
    const { parse } = require("partial-json");
    return (pieces) => {
      let text = "";
      let value;
      for (const piece of pieces) value = parse((text += piece));
      if (!value.a) throw new Error("no value");
    };
  }],
  "@streamparser/json": ["json", () => {
    const { JSONParser } = require("@streamparser/json");
    return (pieces) => {
      const parser = new JSONParser({ emitPartialTokens: true, emitPartialValues: true });
      let last;
      parser.onValue = ({ value }) => (last = value);
      for (const piece of pieces) parser.write(piece);
      if (!last.a) throw new Error("no value");
    };
  }],
};

const out = {};
for (const [name, [kind, make]] of Object.entries(READERS)) {
  let run;
  try {
    run = make();
  } catch (error) {
    console.error(`left out: ${name}: ${error.message.split("\n")[0]}`);
    continue;
  }
  run(work[kind]["1000"]);
  out[name] = [];
  for (const [length, pieces] of Object.entries(work[kind])) {
    const begin = process.cpuUsage();
    run(pieces);
    const { user, system } = process.cpuUsage(begin);
    out[name].push([Number(length), (user + system) / 1e3]);
    if ((user + system) / 1e6 > Number(seconds)) break;
  }
}
console.log(JSON.stringify(out));
