// Options are plain objects in JavaScript; in the module they are structs that begin with `struct_size`.
import { ENUMS, STRUCTS } from "./abi.js";
import { invalid } from "./errors.js";
import type { Arena } from "./runtime.js";
import { nearest } from "./text.js";

/** Limits of the work: docs/decisions/limits.md. Unit and default of each are in include/weir/limits.h. */
export interface Limits {
  textBytes?: number;
  schemaSteps?: number;
  callWork?: number;
  stateMemory?: number;
  cacheMemory?: number;
  tokenDfaTransitions?: number;
  nesting?: number;
  grammarSymbols?: number;
  repeatCount?: number;
  numberDigits?: number;
  regexNodes?: number;
  regexFuel?: number;
  lexerStates?: number;
  rowItems?: number;
  configurationThreads?: number;
  lookaheadThreads?: number;
  completionBytes?: number;
  captureItems?: number;
  tokenDfaStates?: number;
}

export interface TokenizerOptions {
  /** Default: the stop tokens that the file declares. */
  stopTokenIds?: readonly number[];
  /** The width of the model's logits, if it is larger than the vocabulary. */
  paddedVocabSize?: number;
}

export type GrammarSyntax = (typeof ENUMS.grammar_syntax)[number];

export interface GrammarOptions {
  /** The language of the text. Default: `"ebnf"`. */
  syntax?: GrammarSyntax;
  /** The start rule. Default: `start` in KBNF and Lark, else `root`. */
  start?: string;
  /** Grammars to which this one may refer, in Lark as `@name`. */
  grammars?: readonly { name: string; text: string; syntax?: GrammarSyntax }[];
  /** Lark: terminals end wherever they match. */
  exactSplits?: boolean;
  /** Keeps rules that can continue forever but have no finite text. */
  keepEndless?: boolean;
  /** Lark: options of the schemas after `%json`. */
  jsonSchema?: JSONSchemaOptions;
}

export interface RegexOptions {
  dialect?: (typeof ENUMS.regex_dialect)[number];
  /** `"full"`: the whole output matches. `"search"`: some part of it does. */
  match?: (typeof ENUMS.regex_match)[number];
  ignoreCase?: boolean;
  multiLine?: boolean;
  dotAll?: boolean;
  extended?: boolean;
  operators?: boolean;
}

/** See docs/json_schema.md. */
export interface JSONSchemaOptions {
  /** The defaults of the other options: `"exact"`, the default, or `"serving"`. */
  profile?: "exact" | "serving";
  integers?: (typeof ENUMS.schema_integers)[number];
  numbers?: (typeof ENUMS.schema_numbers)[number];
  numberDigits?: number;
  defaultDraft?: (typeof ENUMS.schema_draft)[number];
  formats?: (typeof ENUMS.schema_formats)[number];
  unknownFormats?: (typeof ENUMS.schema_unknown_formats)[number];
  whitespace?: (typeof ENUMS.schema_whitespace)[number];
  whitespacePattern?: string;
  whitespaceLimit?: number;
  indent?: number;
  order?: (typeof ENUMS.schema_order)[number];
  escapes?: (typeof ENUMS.schema_escapes)[number];
  scientificDecimals?: number;
  leadingWhitespace?: boolean;
  trailingWhitespace?: boolean;
  loneSurrogates?: boolean;
  exponents?: boolean;
  baseUri?: string;
  /** Documents to which `$ref` may refer. */
  documents?: readonly { uri: string; text: string }[];
}

export interface StructuralTagOptions {
  jsonSchema?: JSONSchemaOptions;
  /** Names of special tokens. Default: those of the compiler's tokenizer. */
  specialTokens?: readonly string[];
  /** The language of grammars within the tag. Default: `"xgrammar"`. */
  grammarSyntax?: GrammarSyntax;
}

export interface ToolOptions {
  toolChoice?: string | object;
  reasoning?: (typeof ENUMS.tool_reasoning)[number];
  parallelToolCalls?: boolean;
}

export interface MatcherOptions {
  /** False if the output continues a text. Then the tokenizer's rule for a leading space does not apply. */
  atTextStart?: boolean;
  /** `"canonical"`: only the tokens that the tokenizer itself writes. Default: `"any"`. */
  tokenization?: (typeof ENUMS.tokenization)[number];
  /** With `"canonical"`: the tokens before the output. */
  context?: readonly number[];
  /** The tokens that end this output, in place of the tokenizer's. */
  stopTokenIds?: readonly number[];
  /** The maximum number of tokens; the output is complete within it. 0, the default: no maximum. */
  maxTokens?: number;
}

export interface WarmUpOptions {
  /** Steps, as `Limits.callWork` counts them; those of earlier calls for the same grammar count too. Default: 60,000. */
  work?: number;
}

export interface KbnfOptions {
  start?: string;
  keepEndless?: boolean;
}

type StructName = keyof typeof STRUCTS;
type Fields = Record<string, readonly [number, string]>;

const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`);
const camel = (name: string) => name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());
const kindOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`);

/** Checks a number from a caller. */
export function wholeNumber(value: unknown, name: string, most: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > most) {
    const given = typeof value === "number" ? String(value) : kindOf(value);
    throw invalid(`\`${name}\` must be a whole number from 0 to ${most}, not ${given}`);
  }
  return value;
}

/** Converts `ids` to an array of numbers and checks them. */
export function tokenIds(ids: unknown, name: string): Uint32Array {
  if (ids instanceof Uint32Array) return ids;
  if (!Array.isArray(ids) && !ArrayBuffer.isView(ids)) throw invalid(`\`${name}\` must be an array of token ids, not ${kindOf(ids)}`);
  return Uint32Array.from(ids as ArrayLike<number>, (id, i) => wholeNumber(Number(id), `${name}[${i}]`, 0xffffffff));
}

export function enumNumber(name: keyof typeof ENUMS, value: unknown, option: string): number {
  const words = ENUMS[name] as readonly string[];
  const number = words.indexOf(value as string);
  if (number >= 0) return number;
  const near = typeof value === "string" ? nearest(value, words) : undefined;
  throw invalid(`\`${option}\` must be one of ${words.map((w) => `"${w}"`).join(", ")}, not ${typeof value === "string" ? `"${value}"` : kindOf(value)}`,
    near ? `did you mean "${near}"?` : "");
}

function writeList(arena: Arena, kind: string, list: readonly unknown[], name: string): number {
  if (kind === "u32") return arena.words(tokenIds(list, name));
  if (kind === "text") {
    return arena.texts(list.map((text, i) => checkedText(text, `${name}[${i}]`)));
  }
  const struct = STRUCTS[kind as StructName];
  const table = arena.allocate(struct.size * list.length);
  list.forEach((item, i) => writeFields(arena, kind as StructName, table + i * struct.size, item, `${name}[${i}]`));
  return table;
}

export function checkedText(value: unknown, name: string): string {
  if (typeof value !== "string") throw invalid(`\`${name}\` must be a string, not ${kindOf(value)}`);
  return value;
}

function writeFields(arena: Arena, name: StructName, at: number, options: unknown, path: string): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw invalid(`\`${path}\` must be an object, not ${kindOf(options)}`);
  }
  const fields = STRUCTS[name].fields as Fields;
  for (const [key, value] of Object.entries(options)) {
    const field = fields[snake(key)];
    if (!field || key === "structSize" || key.endsWith("Count") && fields[snake(key).replace(/_count$/, "s")]) {
      const known = Object.keys(fields).filter((f) => f !== "struct_size" && !f.endsWith("_count") || f === "repeat_count").map(camel);
      const near = nearest(key, known);
      throw invalid(`unknown option \`${key}\``, near ? `did you mean \`${near}\`?` : `the options are ${known.join(", ")}`);
    }
    if (value === undefined) continue;
    const [offset, kind] = field;
    const to = at + offset;
    const label = path === "options" ? key : `${path}.${key}`;
    if (kind === "text") arena.storeText(to, checkedText(value, label));
    else if (kind === "bool") {
      if (typeof value !== "boolean") throw invalid(`\`${label}\` must be true or false, not ${kindOf(value)}`);
      arena.runtime.view.setUint8(to, value ? 1 : 0);
    } else if (kind === "u32") arena.runtime.view.setUint32(to, wholeNumber(value, label, 0xffffffff), true);
    else if (kind === "u64") arena.runtime.view.setBigUint64(to, BigInt(wholeNumber(value, label, Number.MAX_SAFE_INTEGER)), true);
    else if (kind.startsWith("enum ")) {
      arena.runtime.view.setInt32(to, enumNumber(kind.slice(5) as keyof typeof ENUMS, value, label), true);
    } else if (kind === "*json_schema_options") {
      arena.runtime.view.setUint32(to, writeOptions(arena, "json_schema_options", value, label), true);
    } else {
      const list = ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<number>) : value;
      if (!Array.isArray(list)) throw invalid(`\`${label}\` must be an array, not ${kindOf(value)}`);
      const count = fields[`${snake(key).replace(/_ids$/, "_id").replace(/s$/, "").replace(/_id$/, "")}_count`]!;
      const data = writeList(arena, kind.slice(1), list, label);
      arena.runtime.view.setUint32(to, data, true);
      arena.runtime.view.setUint32(at + count[0], list.length, true);
    }
  }
}

/** Writes the options into a struct that has the module's defaults. Returns 0, which means defaults, for undefined. */
export function writeOptions(arena: Arena, name: StructName & `${string}${"options" | "limits" | "spec"}`, options: unknown, path = "options"): number {
  if (options === undefined) return 0;
  const { size } = STRUCTS[name];
  const at = arena.allocate(size);
  const initialize = arena.runtime.exports[`weir_${name}_init` as "weir_limits_init"];
  let status: number;
  if (name === "json_schema_options" && typeof options === "object" && options !== null && "profile" in options) {
    const { profile = "exact", ...rest } = options as JSONSchemaOptions;
    status = arena.runtime.exports.weir_schema_profile(arena.text(checkedText(profile, "profile")), at, size);
    if (status !== 0) throw invalid(`\`profile\` must be "exact" or "serving", not "${profile}"`);
    options = rest;
  } else {
    status = initialize(at, size);
  }
  if (status !== 0) throw invalid(`weir_${name} cannot be initialized`);
  writeFields(arena, name, at, options, path);
  return at;
}

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
