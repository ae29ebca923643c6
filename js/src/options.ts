// Options are plain objects in JavaScript; in the module they are structs that begin with `struct_size`.
//
// HOW    `readOptions` reads and checks what the caller gave, which may run a script of the caller. `writeOptions` writes
//        the result into the module's memory, and runs nothing.
import { ENUMS, STRUCTS } from "./abi.js";
import { checkedText, describe, isPlain, readList, tokenIds, waitHint, wholeNumber } from "./arguments.js";
import { invalid } from "./errors.js";
import type { Arena } from "./runtime.js";
import { toJSONText } from "./schemas.js";
import { nearest } from "./text.js";

export * from "./declared.js";

type StructName = keyof typeof STRUCTS;
type OptionsName = StructName & `${string}${"options" | "limits" | "spec"}`;
type Fields = Record<string, readonly [number, string]>;
type Value = string | number | boolean | Uint32Array | readonly string[] | Read | readonly Read[];

/** Options that were read and checked. */
export interface Read {
  readonly name: StructName;
  readonly profile: "exact" | "serving";
  readonly fields: readonly { readonly offset: number; readonly kind: string; readonly value: Value; readonly countOffset: number }[];
}

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
export const camel = (name: string) => name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

const optionNames = new Map<StructName, Map<string, readonly [number, string]>>();
/** Returns the options of a struct, by their names in JavaScript. */
function optionsOf(name: StructName): Map<string, readonly [number, string]> {
  let options = optionNames.get(name);
  if (!options) {
    const entries = Object.entries(STRUCTS[name].fields as Fields).filter(([field]) => field !== "struct_size" && (!field.endsWith("_count") || field === "repeat_count"));
    optionNames.set(name, (options = new Map(entries.map(([field, place]) => [camel(field), place]))));
  }
  return options;
}

export function enumNumber(name: keyof typeof ENUMS, value: unknown, option: string): number {
  const words = ENUMS[name] as readonly string[];
  const number = words.indexOf(value as string);
  if (number >= 0) return number;
  const near = typeof value === "string" ? nearest(value, words) : undefined;
  throw invalid(`\`${option}\` must be one of ${words.map((w) => `"${w}"`).join(", ")}, not ${describe(value)}`, near ? `did you mean "${near}"?` : "");
}

function readValue(kind: string, value: unknown, label: string): Value {
  if (kind === "text") return checkedText(value, label);
  if (kind === "bool") {
    if (typeof value !== "boolean") throw invalid(`\`${label}\` must be true or false, not ${describe(value)}`);
    return value;
  }
  if (kind === "u32") return wholeNumber(value, label, 0xffffffff);
  if (kind === "u64") return wholeNumber(value, label, Number.MAX_SAFE_INTEGER);
  if (kind.startsWith("enum ")) return enumNumber(kind.slice(5) as keyof typeof ENUMS, value, label);
  if (kind === "*json_schema_options") return readOptions("json_schema_options", value, label)!;
  if (kind === "*u32") return tokenIds(value, label);
  if (kind === "*text") return readList(value, label, "strings", checkedText);
  return readList(value, label, "objects", (item, at) => readOptions(kind.slice(1) as StructName, item, at)!);
}

/** Options that have an effect only with a word of `whitespace`. `undefined` is the profile's. */
const OF_WHITESPACE = { whitespacePattern: ["pattern"], whitespaceLimit: ["bounded", undefined], indent: ["indented"] } as const;

/** Options that have no effect on texts in YAML, which has its own blanks and spellings. */
const OF_JSON = [
  "whitespace", "whitespaceLimit", "leadingWhitespace", "trailingWhitespace", "escapes", "exponents", "scientificDecimals",
  "loneSurrogates",
] as const;

function checkEffects(given: ReadonlyMap<string, unknown>, label: (key: string) => string): void {
  const whitespace = given.get("whitespace") as string | undefined;
  for (const [key, words] of Object.entries(OF_WHITESPACE)) {
    if (!given.has(key) || (words as readonly unknown[]).includes(whitespace)) continue;
    throw invalid(`\`${label(key)}\` has no effect without \`${label("whitespace")}: "${words[0]}"\``);
  }
  if (given.get("notation") !== "yaml") return;
  for (const key of OF_JSON) {
    if (given.has(key)) throw invalid(`\`${label(key)}\` has no effect beside \`${label("notation")}: "yaml"\``);
  }
}

/**
 * Reads options of a caller. Returns undefined, which means defaults, for undefined.
 * @param besides names of other options, for messages
 */
export function readOptions(name: StructName, options: unknown, path = "options", besides: readonly string[] = []): Read | undefined {
  if (options === undefined) return undefined;
  if (!isPlain(options)) throw invalid(`\`${path}\` must be a plain object, not ${describe(options)}`, waitHint(options, "json"));
  const known = optionsOf(name);
  const label = (key: string) => (path === "options" ? key : `${path}.${key}`);
  const hasProfile = name === "json_schema_options";
  let profile: Read["profile"] = "exact";
  const fields: Read["fields"][number][] = [];
  const given = new Map<string, unknown>();
  for (const key of Object.keys(options)) {
    const value = options[key];
    const field = known.get(key);
    if (hasProfile && key === "profile") {
      if (value === undefined) continue;
      if (value !== "exact" && value !== "serving") throw invalid(`\`${label(key)}\` must be "exact" or "serving", not ${describe(value)}`);
      profile = value;
      continue;
    }
    if (!field) {
      const names = [...known.keys(), ...(hasProfile ? ["profile"] : []), ...besides];
      const near = nearest(key, names) ?? nearest(camel(key), names);
      throw invalid(`unknown option \`${path === "options" ? key : label(key)}\``, near ? `did you mean \`${near}\`?` : `the options are ${names.join(", ")}`);
    }
    if (value === undefined) continue;
    const [offset, kind] = field;
    const count = (STRUCTS[name].fields as Fields)[`${snake(key).replace(/_ids$/, "_id").replace(/s$/, "").replace(/_id$/, "")}_count`];
    fields.push({ offset, kind, value: key === "indenter" ? toJSONText(value, label(key)) : readValue(kind, value, label(key)), countOffset: count?.[0] ?? 0 });
    given.set(key, value);
  }
  if (hasProfile) checkEffects(given, label);
  const stops = name === "matcher_options" ? fields.find(({ offset }) => offset === STRUCTS.matcher_options.fields.stop_token_ids[0])?.value : undefined;
  if (stops instanceof Uint32Array && stops.length === 0) throw invalid(`\`${label("stopTokenIds")}\` is empty: no token could end the output`, "leave it out for those of the tokenizer");
  if (name === "named_grammar" && !given.has("syntax")) {  // a list's items have no defaults in the module
    const [offset, kind] = STRUCTS.named_grammar.fields.syntax;
    fields.push({ offset, kind, value: enumNumber("grammar_syntax", "lark", "syntax"), countOffset: 0 });
  }
  if (name === "named_grammar" || name === "schema_document") {
    for (const [key, [, kind]] of known) if (kind === "text" && !given.has(key)) throw invalid(`\`${label(key)}\` is missing`);
  }
  return { name, profile, fields };
}

function writeFields(arena: Arena, at: number, { fields }: Read): void {
  for (const { offset, kind, value, countOffset } of fields) {
    const to = at + offset;
    if (typeof value === "string") arena.storeText(to, value);
    else if (typeof value === "boolean") arena.runtime.view.setUint8(to, value ? 1 : 0);
    else if (typeof value === "number" && kind === "u64") arena.runtime.view.setBigUint64(to, BigInt(value), true);
    else if (typeof value === "number") arena.runtime.view.setUint32(to, value, true);
    else if ("name" in value) arena.runtime.view.setUint32(to, writeOptions(arena, value), true);
    else {
      const data = value instanceof Uint32Array ? arena.words(value) : kind === "*text" ? arena.texts(value as readonly string[]) : writeTable(arena, kind.slice(1) as StructName, value as readonly Read[]);
      arena.runtime.view.setUint32(to, data, true);
      arena.runtime.view.setUint32(at + countOffset, value.length, true);
    }
  }
}

function writeTable(arena: Arena, name: StructName, items: readonly Read[]): number {
  const { size } = STRUCTS[name];
  const table = arena.allocate(size * items.length);
  items.forEach((item, i) => writeFields(arena, table + i * size, item));
  return table;
}

/** Writes options into a struct that has the module's defaults. Returns 0, which means defaults, for undefined. */
export function writeOptions(arena: Arena, options: Read | undefined): number {
  if (options === undefined) return 0;
  const { size } = STRUCTS[options.name];
  const at = arena.allocate(size);
  const { exports } = arena.runtime;
  const isProfile = options.profile !== "exact";
  const status = isProfile ? exports.weir_schema_profile(arena.text(options.profile), at, size) : exports[`weir_${options.name as OptionsName}_init` as "weir_limits_init"](at, size);
  if (status !== 0) throw invalid(`weir_${options.name} cannot be initialized`);
  writeFields(arena, at, options);
  return at;
}

export const readLimits = (limits: unknown): Read | undefined => readOptions("limits", limits, "limits");

/** Reads a struct of numbers and booleans. */
export function readStruct<T>(arena: Arena, name: StructName, at: number): T {
  const out: Record<string, unknown> = {};
  const { view } = arena.runtime;
  for (const [field, [offset, kind]] of Object.entries(STRUCTS[name].fields as Fields)) {
    if (field === "struct_size") continue;
    out[camel(field)] = kind === "u64" ? Number(view.getBigUint64(at + offset, true)) : kind === "bool" ? view.getUint8(at + offset) !== 0
      : kind === "f32" ? view.getFloat32(at + offset, true) : view.getUint32(at + offset, true);
  }
  return out as T;
}

/** Returns memory for a struct into which a call writes. */
export function newStruct(arena: Arena, name: StructName): number {
  const at = arena.allocate(STRUCTS[name].size);
  arena.runtime.view.setUint32(at, STRUCTS[name].size, true);
  return at;
}
