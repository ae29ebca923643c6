import { invalid } from "./errors.js";

/** JSON text, or a value that can be written as JSON. */
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
 * work; in Node, so do those of an installed zod 4.
 *
 *     import { z } from "zod";
 *     useZod(z);
 *     compiler.compileJSONSchema(z.object({ name: z.string() }));
 */
export function useZod(z: { toJSONSchema: Convert }): void {
  convertSchema = z.toJSONSchema;
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

/** Returns the JSON text of a document or schema. Throws invalid_argument if there is none. */
export function toJSONText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) {
    throw invalid(`\`${name}\` must be JSON text or an object, not ${value === null ? "null" : typeof value}`);
  }
  let document: unknown = value;
  const isZod = "_zod" in value || "_def" in value && "safeParse" in value;
  if (typeof (value as { toJSONSchema?: unknown }).toJSONSchema === "function") document = (value as HasJSONSchema).toJSONSchema();
  else if (isZod) {
    const convert = (convertSchema ??= installedZod());
    if (!convert) throw invalid(`\`${name}\` is a schema of zod, which cannot be loaded here`, "call `useZod(z)` first; it needs zod 4");
    document = convert(value);
  }
  try {
    const text = JSON.stringify(document) as string | undefined;
    if (text !== undefined) return text;
  } catch (error) {
    throw invalid(`\`${name}\` has no JSON text: ${(error as Error).message}`);
  }
  throw invalid(`\`${name}\` has no JSON text`);
}
