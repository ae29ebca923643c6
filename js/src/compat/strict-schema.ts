// xgrammar's strict mode: objects have only the members that the schema lists, and arrays only the items.
//
// HOW    As in python/weir/compat/xgrammar/_strict.py. A schema is closed if it alone describes a value: at the root,
//        and as the schema of a member or an item. If it has only `anyOf` or `oneOf`, each alternative is closed. If it
//        has only `$ref`, it refers to a closed copy of the target, because the target may also be part of another
//        schema.
//        If several parts describe the value, closing them needs `unevaluatedProperties`, which drafts before 2019-09
//        lack; in these drafts such schemas stay open.

type Schema = Record<string, unknown>;

const isObject = (value: unknown): value is Schema => typeof value === "object" && value !== null && !Array.isArray(value);

const PARTS = ["allOf", "anyOf", "oneOf", "if", "then", "else", "$ref", "$dynamicRef", "$recursiveRef", "dependentSchemas", "dependencies", "not"];
const ANNOTATIONS = new Set(["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment", "$schema", "$id",
  "id", "$anchor", "$defs", "definitions", "$vocabulary", "discriminator"]);

class Closer {
  readonly #root: Schema;
  readonly #isOld: boolean;
  readonly #container: string;
  /** The name of the closed copy of each reference's target. */
  readonly #names = new Map<string, string>();
  /** The closed copies, by name. */
  readonly #copies: Schema = {};

  constructor(root: Schema) {
    this.#root = root;
    this.#isOld = /draft-0?[3-7]/.test(String(root["$schema"] ?? ""));
    this.#container = this.#isOld ? "definitions" : "$defs";
  }

  root(): Schema {
    const made = this.#close(this.#root) as Schema;
    if (Object.keys(this.#copies).length > 0) {
      made[this.#container] = { ...(made[this.#container] as Schema | undefined), ...this.#copies };
    }
    return made;
  }

  /** Returns a closed copy of a schema that alone describes a value. */
  #close(schema: unknown): unknown {
    if (!isObject(schema)) return schema;
    const out = this.#inside(schema);
    const others = Object.keys(schema).filter((key) => !ANNOTATIONS.has(key));
    const only = others.length === 1 ? others[0]! : "";
    if (only === "$ref" && typeof schema["$ref"] === "string") out["$ref"] = this.#copy(schema["$ref"]);
    else if (only === "anyOf" || only === "oneOf") {
      if (Array.isArray(schema[only])) out[only] = (schema[only] as unknown[]).map((part) => this.#close(part));
    } else if (!PARTS.some((key) => key in schema)) {
      this.#closeMembers(schema, out, "additionalProperties");
      if (Array.isArray(schema["items"])) out["additionalItems"] ??= false;
      else if ("prefixItems" in schema && !("unevaluatedItems" in schema)) out["items"] ??= false;
    } else if (!this.#isOld) this.#closeMembers(schema, out, "unevaluatedProperties");
    return out;
  }

  #closeMembers(schema: Schema, out: Schema, keyword: string): void {
    if ("additionalProperties" in schema || "unevaluatedProperties" in schema) return;
    if (this.#namesMembers(schema, [])) out[keyword] = false;
  }

  #namesMembers(schema: unknown, seen: readonly string[]): boolean {
    if (!isObject(schema)) return false;
    if ("properties" in schema || "patternProperties" in schema) return true;
    const reference = schema["$ref"];
    if (typeof reference === "string" && !seen.includes(reference) && this.#namesMembers(this.#find(reference), [...seen, reference])) return true;
    const parts = [schema["if"], schema["then"], schema["else"]];
    for (const key of ["allOf", "anyOf", "oneOf"]) if (Array.isArray(schema[key])) parts.push(...(schema[key] as unknown[]));
    return parts.some((part) => this.#namesMembers(part, seen));
  }

  /** Returns a reference to the closed copy of a target; the same reference if the target is not in this document. */
  #copy(reference: string): string {
    if (reference === "#") return reference;  // the root is closed in place
    const target = this.#find(reference);
    if (!isObject(target)) return reference;
    let name = this.#names.get(reference);
    if (name === undefined) {
      name = `strict-${this.#names.size}`;
      while (isObject(this.#root[this.#container]) && name in (this.#root[this.#container] as Schema)) name += "-";
      this.#names.set(reference, name);  // before the recursion, which may reach this reference again
      this.#copies[name] = this.#close(target);
    }
    return `#/${this.#container}/${name}`;
  }

  /** Returns the target of a reference that is a JSON Pointer in this document. */
  #find(reference: string): unknown {
    if (!reference.startsWith("#/") || reference.includes("%")) return undefined;
    let at: unknown = this.#root;
    for (const encoded of reference.slice(2).split("/")) {
      const token = encoded.replaceAll("~1", "/").replaceAll("~0", "~");
      if (isObject(at) && Object.hasOwn(at, token)) at = at[token];
      else if (Array.isArray(at) && /^\d+$/.test(token)) at = at[Number(token)];
      else return undefined;
    }
    return at;
  }

  /** Returns a copy in which the schemas of members and items are closed, including those in its parts. */
  #inside(schema: Schema): Schema {
    const out: Schema = { ...schema };
    const closeEach = (map: unknown) => Object.fromEntries(Object.entries(map as Schema).map(([name, part]) => [name, this.#close(part)]));
    for (const key of ["properties", "patternProperties"]) if (isObject(schema[key])) out[key] = closeEach(schema[key]);
    for (const key of ["additionalProperties", "unevaluatedProperties", "additionalItems", "unevaluatedItems", "contains"]) {
      if (key in schema) out[key] = this.#close(schema[key]);
    }
    for (const key of ["items", "prefixItems"]) {
      if (Array.isArray(schema[key])) out[key] = (schema[key] as unknown[]).map((part) => this.#close(part));
      else if (key in schema) out[key] = this.#close(schema[key]);
    }
    for (const key of ["allOf", "anyOf", "oneOf"]) {
      if (Array.isArray(schema[key])) out[key] = (schema[key] as unknown[]).map((part) => (isObject(part) ? this.#inside(part) : part));
    }
    for (const key of ["if", "then", "else"]) if (isObject(schema[key])) out[key] = this.#inside(schema[key] as Schema);
    return out;
  }
}

/** Returns the text of the schema in strict mode. */
export function strictSchema(schema: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(schema);
  } catch {
    return schema;  // the reader reports the error and its position
  }
  return isObject(parsed) ? JSON.stringify(new Closer(parsed).root()) : schema;
}
