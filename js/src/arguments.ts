// Checks what callers pass.
//
// WHY    A getter, a Proxy or an iterator of a caller may run any script, also one that disposes of the objects of the
//        call; and a subclass of an array may lie about its length. So each call reads its arguments here, into plain
//        values, before it takes an address in the module's memory. After that nothing of the caller runs.
import { invalid } from "./errors.js";

/** The longest text of a caller that an error repeats. */
const LONGEST_QUOTE = 40;

/** Returns a text as an error shows it: in one line, and short. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}

/** Returns what a value is, for "must be …, not …": `null`, `5`, `"text"`, `an array`, `a Map`. */
export function describe(value: unknown): string {
  if (value === null || value === undefined || typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  try {
    if (isArray(value)) return "an array";
    const own = typedArrayName(value) ?? (Object.getPrototypeOf(value) as { constructor?: { name?: unknown } } | null)?.constructor?.name;
    const name = own === undefined || own === "Object" ? tagOf(value) : own;
    if (typeof name !== "string" || name === "" || name === "Object" || name.length > LONGEST_QUOTE) return "an object";
    return `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
  } catch {
    return "an object";  // a Proxy that throws
  }
}

/** Checks a number from a caller. `hint` says why it has these bounds. */
export function wholeNumber(value: unknown, name: string, most: number, least = 0, hint = ""): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    throw invalid(`\`${name}\` must be ${least === most ? least : `a whole number from ${least} to ${most}`}, not ${describe(value)}`, hint);
  }
  return value;
}

export function checkedText(value: unknown, name: string): string {
  if (typeof value !== "string") throw invalid(`\`${name}\` must be a string, not ${describe(value)}`, waitHint(value, "text"));
  return value;
}

/** Returns the hint for values that have still to be awaited, or "". */
export function waitHint(value: unknown, method: "text" | "json" | "arrayBuffer"): string {
  const what = describe(value);
  return what === "a Promise" ? "`await` it first" : what === "a Response" ? `\`await response.${method}()\`` : "";
}

/** `instanceof`, which throws for a Proxy that was revoked. `type` is undefined where the host does not have it. */
export function isA<T>(value: unknown, type: { readonly prototype: T } | undefined): value is T {
  try {
    return type !== undefined && value instanceof (type as unknown as new () => T);
  } catch {
    return false;
  }
}

/** Array.isArray, which throws for a Proxy that was revoked. */
export function isArray(value: unknown): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Returns the name that an object has for its kind: "Object", "Map", "Arguments". */
function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/** Returns true for objects of braces, which have no class, also for those of another frame. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || isArray(value)) return false;
  try {
    if (tagOf(value) !== "Object") return false;  // `arguments`, a module, Math: their members are no members of a document
    const parent = Object.getPrototypeOf(value) as object | null;
    return parent === null || parent === Object.prototype || (Object.getPrototypeOf(parent) === null && Object.hasOwn(parent, "isPrototypeOf"));
  } catch {
    return false;
  }
}

// ---- Arrays of numbers ------------------------------------------------------------------------------------------------

type TypedArray = Uint8Array | Int32Array | Uint32Array | Float32Array;
const prototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const getter = <T>(of: object, name: string | symbol) => Object.getOwnPropertyDescriptor(of, name)!.get! as (this: unknown) => T;
// What the engine knows of an array, whatever properties a subclass or a script gave it.
const nameOfArray = getter<string | undefined>(prototype, Symbol.toStringTag);
const lengthOfArray = getter<number>(prototype, "length");
const offsetOfArray = getter<number>(prototype, "byteOffset");
const bufferOfArray = getter<ArrayBuffer>(prototype, "buffer");
const sizeOfBuffer = getter<number>(ArrayBuffer.prototype, "byteLength");

/** Returns the class of a typed array, also of one of another frame; undefined for everything else. */
export function typedArrayName(value: unknown): string | undefined {
  return nameOfArray.call(value);
}

/** Returns true for an Int32Array or a Uint32Array with this length, as the engine knows it. */
export function hasWords(bitmask: unknown, words: number): bitmask is Int32Array | Uint32Array {
  const name = nameOfArray.call(bitmask);
  return (name === "Int32Array" || name === "Uint32Array") && lengthOfArray.call(bitmask) === words;
}

/** Returns the array itself, or one of the same memory if its class is derived. Throws if its buffer is detached. */
function plainArray<T extends TypedArray>(array: T, type: new (buffer: ArrayBuffer, offset: number, length: number) => T, name: string): T {
  try {
    return new type(bufferOfArray.call(array), offsetOfArray.call(array), lengthOfArray.call(array));
  } catch {
    throw invalid(`\`${name}\` is in a detached buffer`);
  }
}

/** Returns the mask as an array of the same memory. */
export function bitmaskOf(bitmask: unknown, name: string): Int32Array | Uint32Array {
  const type = typedArrayName(bitmask);
  if (type === "Int32Array") return plainArray(bitmask as Int32Array, Int32Array, name);
  if (type === "Uint32Array") return plainArray(bitmask as Uint32Array, Uint32Array, name);
  throw invalid(`\`${name}\` must be an Int32Array or a Uint32Array, not ${describe(bitmask)}`);
}

/** Returns the logits as an array of the same memory. */
export function float32Of(logits: unknown, name: string): Float32Array {
  if (typedArrayName(logits) !== "Float32Array") throw invalid(`\`${name}\` must be a Float32Array, not ${describe(logits)}`);
  return plainArray(logits as Float32Array, Float32Array, name);
}

/** Returns the bytes of a Uint8Array or of an ArrayBuffer as an array of the same memory; undefined for everything else. */
export function bytesOf(value: unknown, name: string): Uint8Array | undefined {
  if (typedArrayName(value) === "Uint8Array") return plainArray(value as Uint8Array, Uint8Array, name);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return undefined;
  try {
    sizeOfBuffer.call(value);
  } catch {
    return undefined;
  }
  try {
    return new Uint8Array(value as ArrayBuffer);
  } catch {
    throw invalid(`\`${name}\` is a detached buffer`);
  }
}

/** Returns a string, or the bytes of a Uint8Array. */
export function textOrBytes(value: unknown, name: string): string | Uint8Array {
  if (typeof value === "string") return value;
  if (typedArrayName(value) === "Uint8Array") return plainArray(value as Uint8Array, Uint8Array, name);
  const isBuffer = describe(value) === "an ArrayBuffer";
  throw invalid(`\`${name}\` must be a string or a Uint8Array, not ${describe(value)}`, isBuffer ? "`new Uint8Array(buffer)`" : waitHint(value, "text"));
}

/**
 * Reads an array, item by item; a hole is undefined.
 * @param of what the array consists of
 */
export function readList<T>(value: unknown, name: string, of: string, read: (item: unknown, name: string) => T): T[] {
  if (!isArray(value)) throw invalid(`\`${name}\` must be an array of ${of}, not ${describe(value)}`, waitHint(value, "json"));
  const length = wholeNumber(value.length as unknown, `${name}.length`, 0xffffffff);
  const out: T[] = [];
  for (let i = 0; i < length; i++) out.push(read(value[i], `${name}[${i}]`));
  return out;
}

export function stringList(strings: unknown, name: string): (string | Uint8Array)[] {
  return readList(strings, name, "strings", textOrBytes);
}

/** Returns the items of a typed array. Throws if its buffer is detached. */
export function itemsOf(array: unknown, name: string): unknown[] {
  const length = lengthOfArray.call(array);
  if (length === 0) bytesOf(bufferOfArray.call(array), name);
  return Array.from({ length }, (_, i) => (array as ArrayLike<unknown>)[i]);
}

/** Returns token ids as an array that is not the caller's class. `vocabSize` bounds them if it is given. */
export function tokenIds(ids: unknown, name: string, vocabSize = 0x1_0000_0000): Uint32Array {
  const idOf = (id: unknown, label: string) => tokenId(typeof id === "bigint" ? Number(id) : id, vocabSize, label);
  const type = typedArrayName(ids);
  if (type === undefined) return Uint32Array.from(readList(ids, name, "token ids", idOf));
  const isWords = type === "Uint32Array";
  if (isWords && vocabSize === 0x1_0000_0000) return plainArray(ids as Uint32Array, Uint32Array, name);
  const length = lengthOfArray.call(ids);
  if (length === 0) bytesOf(bufferOfArray.call(ids), name);  // throws for a detached buffer
  const out = new Uint32Array(length);
  for (let i = 0; i < length; i++) {
    const id = (ids as ArrayLike<unknown>)[i];
    out[i] = typeof id === "number" && id >= 0 && id < vocabSize && Number.isInteger(id) ? id : idOf(id, `${name}[${i}]`);
  }
  return out;
}

/** Checks one token id. */
export function tokenId(id: unknown, vocabSize: number, name = "token"): number {
  if (typeof id !== "number" || !Number.isInteger(id) || id < 0 || id >= vocabSize) {
    throw invalid(`\`${name}\` is ${describe(id)}, which is no token id`, `ids go from 0 to ${vocabSize - 1}`);
  }
  return id;
}
