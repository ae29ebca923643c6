// Writes src/abi.ts: the structs, enumerators and functions of include/weir_c.h as a wasm32 module has them, and VERSION.
// Usage: node tools/make_abi.mjs [--check]. With --check it writes nothing; exit status 1 if the file is out of date.
//
// The layout follows the C rules for 32-bit WebAssembly: pointers and size_t have 4 bytes, every member is aligned to its
// size, a struct to its largest member. cmake/wasm/layout.c, which is written, too, has the compiler check them.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const header = readFileSync(path("../../include/weir_c.h"), "utf8");
const version = readFileSync(path("../../VERSION"), "utf8").trim();
const SCALARS = { size_t: ["u32", 4], uint32_t: ["u32", 4], int32_t: ["i32", 4], uint64_t: ["u64", 8], bool: ["bool", 1], float: ["f32", 4] };

const withoutPrefix = (name) => name.replace(/^weir_/, "");

function readEnums() {
  const enums = {};
  for (const [, body, name] of header.matchAll(/typedef enum weir_\w+ \{([^}]*)\} weir_(\w+);/g)) {
    const names = [...body.replace(/\/\*.*?\*\//gs, "").matchAll(/(WEIR_\w+) = (\d+)/g)].map((m) => [m[1], Number(m[2])]);
    // The enumerators' own words: what they have in common before them is the name of the enumeration.
    let common = names.length === 1 ? "" : names.reduce((a, [n]) => { while (!n.startsWith(a)) a = a.slice(0, -1); return a; }, names[0][0]);
    common = common.slice(0, common.lastIndexOf("_") + 1);
    enums[name] = [];
    for (const [n, value] of names) {
      const word = n.slice(common.length).toLowerCase();
      enums[name][value] = /^\d+_\d+$/.test(word) ? word.replace("_", "-") : word;
    }
  }
  return enums;
}

function readStructs(enums) {
  const structs = {};
  for (const [, body, name] of header.matchAll(/typedef struct weir_\w+ \{(.*?)\n\} weir_(\w+);/gs)) {
    const fields = {};
    let at = 0, widest = 1;
    for (const line of body.split("\n")) {
      const comment = /\/\* A (weir_\w+)/.exec(line);
      const member = /^ *(const )?(\w+)(\*)? ([\w, ]+);/.exec(line.replace(/\/\*.*$/, ""));
      if (!member) continue;
      const [, , type, pointer, names] = member;
      for (const field of names.split(", ")) {
        let kind, size, align;
        if (pointer) [kind, size, align] = [`*${withoutPrefix(type).replace("uint32_t", "u32").replace("char", "u8")}`, 4, 4];
        else if (SCALARS[type]) [kind, size, align] = [...SCALARS[type], SCALARS[type][1]];
        else if (structs[withoutPrefix(type)]) {
          const inner = structs[withoutPrefix(type)];
          [kind, size, align] = [withoutPrefix(type), inner.size, inner.align];
        } else throw new Error(`weir_${name}.${field}: unknown type ${type}`);
        if (comment && kind === "i32") kind = `enum ${withoutPrefix(comment[1])}`;
        if (kind.startsWith("enum ") && !enums[kind.slice(5)]) throw new Error(`weir_${name}.${field}: unknown ${kind}`);
        at = Math.ceil(at / align) * align;
        fields[field] = [at, kind];
        at += size;
        widest = Math.max(widest, align);
      }
    }
    structs[name] = { size: Math.ceil(at / widest) * widest, align: widest, fields };
  }
  return structs;
}

function readFunctions(structs) {
  const text = header.replace(/\/\*.*?\*\//gs, "");
  return [...text.matchAll(/WEIR_API\s([^;(]*?)\b(weir_\w+)\s*\(([^;]*)\);/g)].map(([, type, name, parameters]) => {
    const result = type.trim();
    const names = parameters.trim() === "void" ? [] : parameters.split(",").map((p) => /(\w+)\s*$/.exec(p.trim())[1]);
    // A struct that is returned is stored where the first argument points to.
    if (structs[withoutPrefix(result)]) return { name, names: ["result", ...names], result: "void" };
    return { name, names, result: result === "void" ? "void" : "number" };
  });
}

const camel = (name) => name.replace(/_(\w)/g, (_, c) => c.toUpperCase());
const enums = readEnums();
const structs = readStructs(enums);
const functions = readFunctions(structs);

let out = `// Written by tools/make_abi.mjs from include/weir_c.h and VERSION. Do not edit.

/** The words of each enumeration, by number. */
export const ENUMS = {
${Object.entries(enums).map(([name, words]) => `  ${name}: ${JSON.stringify(words).replaceAll(",", ", ")},`).join("\n")}
} as const;

/** Sizes of structs, and the offset and type of each member. */
export const STRUCTS = {
${Object.entries(structs).map(([name, s]) => `  ${name}: {\n    size: ${s.size},\n    fields: {\n${
  Object.entries(s.fields).map(([f, [offset, kind]]) => `      ${f}: [${offset}, ${JSON.stringify(kind)}],`).join("\n")}\n    },\n  },`).join("\n")}
} as const;

/** The module's functions. Pointers are numbers. */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  malloc(size: number): number;
  free(pointer: number): void;
${functions.map((f) => `  ${f.name}(${f.names.map((n) => `${camel(n)}: number`).join(", ")}): ${f.result};`).join("\n")}
}

/** The library's version, which the module must have. */
export const VERSION = ${JSON.stringify(version)};

export const FUNCTIONS = [
${functions.map((f) => `  "${f.name}",`).join("\n")}
] as const;
`;
let checks = `/* Written by js/tools/make_abi.mjs: has the compiler check the layouts in js/src/abi.ts. Do not edit. */
#include <stddef.h>

#include "weir_c.h"

#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#define OFFSET(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field)

`;
for (const [name, s] of Object.entries(structs)) {
  checks += `SIZE(weir_${name}, ${s.size});\n`;
  for (const [field, [offset]] of Object.entries(s.fields)) checks += `OFFSET(weir_${name}, ${field}, ${offset});\n`;
}

let stale = false;
for (const [file, text] of [["../src/abi.ts", out], ["../../cmake/wasm/layout.c", checks]]) {
  let old = "";
  try { old = readFileSync(path(file), "utf8"); } catch { /* not written yet */ }
  if (old === text) continue;
  if (process.argv.includes("--check")) { console.error(`${path(file)} is out of date: node js/tools/make_abi.mjs`); stale = true; }
  else writeFileSync(path(file), text);
}
process.exitCode = stale ? 1 : 0;
