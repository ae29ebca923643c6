// Converts schemas and documents of callers to JSON text.
//
// WHY    JSON.stringify writes what it does not know as `{}`, or leaves it out. In a schema that means "any value", so a
//        constraint would be lost without a word. Here whatever is no JSON value is converted or refused, at any depth.
//        A keyword that is undefined is not given, as `{ maxLength: options.maxLength }` means; but a name in `properties`
//        or another map of schemas has a schema, so undefined is refused there: it would be any value.
import { describe, isArray, isPlain, quoted, typedArrayName, waitHint } from "./arguments.js";
import { GrammarError, invalid } from "./errors.js";

/** JSON text, or a value that can be written as JSON. Schemas of zod in it are converted. */
export type JSONText = string | object | boolean;

/** A schema of zod 4, of a library with the same method, or of a library that follows Standard JSON Schema. */
interface HasJSONSchema {
  toJSONSchema(): unknown;
}
/** A JSON Schema: text, an object, `true` or `false`, or a schema of zod. */
export type SchemaLike = JSONText | HasJSONSchema;

type Convert = (schema: unknown) => unknown;
let convertSchema: Convert | undefined;

/**
 * Sets zod's own function, which then converts schemas of zod. Without it, schemas that have a method `toJSONSchema`
 * work, as those of zod 4 do; in Node, so do those of zod/mini with an installed zod 4.
 *
 *     import * as z from "zod/mini";
 *     useZod(z);
 *     compiler.compileJSONSchema(z.object({ name: z.string() }));
 * @throws GrammarError `z` has no function `toJSONSchema`
 */
export function useZod(z: { toJSONSchema: Convert }): void {
  const convert = (z as { toJSONSchema?: unknown } | null | undefined)?.toJSONSchema;
  if (typeof convert !== "function") throw invalid(`\`z\` must be zod 4, with its function \`toJSONSchema\`, not ${describe(z)}`);
  convertSchema = convert as Convert;
}

/** Returns the function of an installed zod, if modules can be loaded synchronously. */
function installedZod(): Convert | undefined {
  try {
    const modules = (globalThis as { process?: { getBuiltinModule?(name: string): { createRequire(from: string): (name: string) => unknown } } })
      .process?.getBuiltinModule?.("node:module");
    const zod = modules?.createRequire(`${(globalThis as { process?: { cwd(): string } }).process!.cwd()}/`)("zod") as { toJSONSchema?: Convert } | undefined;
    return zod?.toJSONSchema;
  } catch {
    return undefined;
  }
}

type Keys = readonly (string | number)[];

/** Returns a place as JavaScript writes it: `tools[1].function.parameters`. */
function nameOf(keys: Keys): string {
  return keys.map((key, i) => (i === 0 ? key : typeof key === "number" ? `[${key}]` : /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${quoted(key)}]`)).join("");
}
/** Returns a place as a JSON Pointer. */
function pointerOf(keys: Keys): string {
  return keys.slice(1).map((key) => `/${String(key).replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
}

const HINTS: Readonly<Record<string, string>> = {
  "a Map": "`Object.fromEntries(map)`",
  "a Set": "`[...set]`",
  "a RegExp": "its `source` is the text of the pattern",
  "an Arguments": "`arguments[0]` is the first one",
  "a Module": "its member `default` is what `import document from` names",
  "an ArrayBuffer": "`new TextDecoder().decode(buffer)` is its text",
};

/** Conversions of one value that lead to another value that needs one. */
const MOST_CONVERSIONS = 8;

/** Keywords of JSON Schema whose members are schemas by name. */
const MAPS_OF_SCHEMAS = new Set<string | number>(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** Returns true if the last key is the name of a schema in such a map, and not a keyword in a schema that has such a name. */
function isNameOfSchema(keys: Keys): boolean {
  let maps = 0;
  while (MAPS_OF_SCHEMAS.has(keys[keys.length - 2 - maps]!)) maps++;
  return maps % 2 === 1;
}

const messageOf = (error: unknown) => {
  const message = String((error as Error | undefined)?.message ?? error).replace(/\s+/g, " ");
  return message.length > 200 ? `${message.slice(0, 200)}…` : message;
};

/** Returns true if the stack is exhausted. A RangeError may also be the caller's own. */
function isStackError(error: unknown): boolean {
  const isOne = error instanceof RangeError || (error as Error | undefined)?.name === "InternalError";
  return isOne && /stack|recursion/i.test(messageOf(error));
}

/** Returns true if a schema refers to itself, by references that its own root is the base of. */
function hasLocalReference(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  return Object.entries(schema).some(([key, value]) => (key === "$ref" && typeof value === "string" && value.startsWith("#")) || hasLocalReference(value));
}

/** Writes a document as JSON text. */
class Writer {
  text = "";
  /** The name of the document, and the keys of the value that is being read. */
  readonly #keys: (string | number)[];
  readonly #ancestors = new Set<object>();
  #converted = 0;
  /** What an error that is not ours is about. */
  #doing = "cannot be read";

  constructor(name: string) {
    this.#keys = [name];
  }

  unusable(what: string, hint = "", cause?: unknown): GrammarError {
    const details = { hint, pointer: pointerOf(this.#keys) };
    return new GrammarError("invalid_argument", `\`${nameOf(this.#keys)}\` ${what}`, cause === undefined ? details : { ...details, cause });
  }
  /** Returns the error for what a script of the caller has thrown. */
  failure(error: unknown): unknown {
    return error instanceof GrammarError || isStackError(error) ? error : this.unusable(`${this.#doing}: ${messageOf(error)}`, "", error);
  }

  write(value: unknown, conversions = 0): void {
    if (value === null || typeof value === "string" || typeof value === "boolean") this.text += JSON.stringify(value);
    else if (typeof value === "number") {
      if (!Number.isFinite(value)) throw this.unusable(`is ${value}, which JSON does not have`);
      this.text += String(value === 0 ? 0 : value);
    } else if (typeof value !== "object" && typeof value !== "function") {
      throw this.unusable(value === undefined ? "is undefined" : `is a ${typeof value}, which JSON does not have`, typeof value === "bigint" ? "give the number as JSON text" : "");
    } else if (isArray(value)) this.#writeArray(value);
    else this.#writeObject(value, isPlain(value), conversions);
  }

  #enter(value: object): void {
    if (this.#ancestors.has(value)) throw this.unusable("contains itself", "`$ref` refers to a schema");
    this.#ancestors.add(value);
  }

  #writeArray(value: readonly unknown[]): void {
    this.#enter(value);
    this.text += "[";
    const length = Math.trunc(Number(value.length));
    for (let i = 0; i < length; i++) {
      if (i > 0) this.text += ",";
      this.#keys.push(i);
      this.write(value[i]);
      this.#keys.pop();
    }
    this.text += "]";
    this.#ancestors.delete(value);
  }

  #writeObject(value: object, plain: boolean, conversions: number): void {
    const convert = converterOf(value, plain, this);
    if (convert) return this.#writeConverted(convert, conversions);
    if (typeof value === "function") throw this.unusable("is a function, which JSON does not have", "call it, or leave it out");
    const isBytes = !plain && (typedArrayName(value) !== undefined || ArrayBuffer.isView(value));
    const toJSON = isBytes ? undefined : (value as { toJSON?: unknown }).toJSON;
    if (typeof toJSON === "function") {
      if (conversions === MOST_CONVERSIONS) throw this.unusable("is written as another value for ever");
      const written = this.#run("has no JSON text", () => (toJSON as (key: string) => unknown).call(value, String(this.#keys.at(-1))));
      if (written !== value) return this.write(written, conversions + 1);
    }
    if (!plain) {
      const what = describe(value);
      throw this.unusable(what === "an object" ? "is an object of a class, which has no JSON text" : `is ${what}, which has no JSON text`,
        HINTS[what] ?? (waitHint(value, "json") || (isBytes ? "`new TextDecoder().decode(bytes)` is its text" : "")));
    }
    this.#enter(value);
    let before = "{";
    for (const key of Object.keys(value)) {
      this.#keys.push(key);
      const member = (value as Record<string, unknown>)[key];
      if (member === undefined && isNameOfSchema(this.#keys)) throw this.unusable("is undefined", "`{}` is the schema of any value");
      if (member !== undefined) {
        this.text += `${before}${JSON.stringify(key)}:`;
        before = ",";
        this.write(member);
      }
      this.#keys.pop();
    }
    this.text += before === "{" ? "{}" : "}";
    this.#ancestors.delete(value);
  }

  /** Runs a script of a library. */
  #run<T>(doing: string, body: () => T): T {
    this.#doing = doing;
    const result = body();
    this.#doing = "cannot be read";
    return result;
  }

  #writeConverted(convert: () => unknown, conversions: number): void {
    if (conversions === MOST_CONVERSIONS) throw this.unusable("is converted to another schema for ever");
    const schema = this.#run("cannot be converted to a JSON Schema", convert);
    // Its references are about its own root. Within another schema `$id` makes them stay so.
    const needsName = conversions === 0 && this.#keys.length > 1 && isPlain(schema) && !Object.hasOwn(schema, "$id") && !isRootOfSchema(this.#keys) && hasLocalReference(schema);
    this.write(needsName ? { $id: `urn:weir:converted:${++this.#converted}`, ...schema } : schema, conversions + 1);
  }
}

/** Returns true for places that have a schema of their own: `json_schema` of a tag, `json_schema.schema` of a response format, `parameters` of a tool. */
function isRootOfSchema(keys: Keys): boolean {
  const first = keys.findIndex((key, i) => i > 0 && (key === "schema" || key === "parameters" || (key === "json_schema" && keys[i + 1] !== "schema")));
  return first === keys.length - 1;
}

/** Returns the function that converts a schema of a library to a JSON Schema; undefined if the value is no such schema. */
function converterOf(value: object, plain: boolean, writer: Writer): (() => unknown) | undefined {
  const of = value as { toJSONSchema?: unknown; toJsonSchema?: unknown; safeParse?: unknown; "~standard"?: unknown };
  if (typeof of.toJSONSchema === "function") return () => (value as HasJSONSchema).toJSONSchema();
  if (!plain && "_zod" in value) {
    const convert = (convertSchema ??= installedZod());
    if (!convert) throw writer.unusable("is a schema of zod, which cannot be loaded here", "call `useZod(z)` first; it needs zod 4");
    return () => convert(value);
  }
  if (!plain && "_def" in value && typeof of.safeParse === "function") {
    throw writer.unusable("is a schema of zod 3, which weir does not convert", 'make it with `z` of "zod/v4", or convert it with zod-to-json-schema');
  }
  if (typeof of.toJsonSchema === "function") return () => (of as { toJsonSchema(): unknown }).toJsonSchema();
  // What zod's own toJSONSchema returns has this member, too, hidden: it is a JSON Schema already.
  if (plain && !Object.prototype.propertyIsEnumerable.call(value, "~standard")) return undefined;
  const standard = of["~standard"] as { validate?: unknown; vendor?: unknown; jsonSchema?: { input?: unknown } } | null | undefined;
  if (typeof standard?.jsonSchema?.input === "function") {
    const { jsonSchema } = standard as { jsonSchema: { input(options: { target: string }): unknown } };
    return () => jsonSchema.input({ target: "draft-2020-12" });
  }
  if (typeof standard?.validate === "function") {
    throw writer.unusable(`is a schema of ${typeof standard.vendor === "string" ? standard.vendor : "a library"}, which has no JSON Schema in it`, "convert it to a JSON Schema first");
  }
  return undefined;
}

/** Returns the JSON text of a document or schema. Throws invalid_argument if there is none. */
export function toJSONText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return JSON.stringify(value);
  if ((typeof value !== "object" && typeof value !== "function") || value === null) {
    throw invalid(`\`${name}\` must be JSON text or an object, not ${describe(value)}`);
  }
  const writer = new Writer(name);
  try {
    writer.write(value);
    return writer.text;
  } catch (thrown) {
    const error = writer.failure(thrown);
    if (!isStackError(error)) throw error;
    throw new GrammarError("limit_exceeded", `\`${name}\` is nested too deeply to be written as JSON`, { limit: "nesting", cause: error });
  }
}
