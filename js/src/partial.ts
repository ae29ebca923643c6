// Values that a model is still writing: JSON in pieces, as an object that grows. Needs no WebAssembly module.
//
// WHY    An answer under a schema comes in hundreds of pieces. Reading all of it again at each piece takes quadratic time,
//        and a value whose text is cut may change: `3` of `30`, `"An` of `"Anna`.
// COST   Linear in the text.
import { describe } from "./arguments.js";
import { invalid } from "./errors.js";

/** What a value may be while it is being written: members may be missing, strings short. */
export type Partially<T> = T extends readonly (infer Item)[] ? Partially<Item>[] : T extends object ? { [Key in keyof T]?: Partially<T[Key]> } : T;

interface Issue {
  readonly message: string;
}
type Validated<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
/** A schema that follows Standard Schema 1, as those of zod (3.24 or later), valibot and arktype do. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>;
    readonly types?: { readonly output: Output } | undefined;
  };
}

/** The whole value is not what the schema says. */
export class PartialValueError extends Error {
  override readonly name = "PartialValueError";
  constructor(readonly issues: readonly Issue[]) {
    super(issues.map((issue) => issue.message).join("; "));
  }
}

/** A text, or a chunk of OpenAI's clients: of chat completions, of completions, or an event of responses. */
export type Chunk = string | object | null | undefined;

function member(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? (of as Record<string, unknown>)[name] : undefined;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/**
 * Returns the text of the answer that a chunk of a stream adds; `""` if there is none.
 * @throws GrammarError it is no string and no chunk, so its text would be lost
 */
export function textOf(chunk: Chunk): string {
  if (chunk === null || chunk === undefined) return "";
  if (typeof chunk === "string") return chunk;
  const type = member(chunk, "type");
  if (type === "response.output_text.delta") return asText(member(chunk, "delta"));
  const choices = member(chunk, "choices");
  if (!Array.isArray(choices)) {
    if (typeof type === "string") return "";
    throw invalid(`a chunk must be a string or a chunk of OpenAI's clients, not ${describe(chunk)}`);
  }
  const choice: unknown = choices[0];
  if (choice === undefined || member(choice, "index")) return "";
  const message = member(choice, "delta") ?? member(choice, "message");
  return asText(message === undefined ? member(choice, "text") : member(message, "content"));
}

type State = "value" | "key" | "colon" | "after" | "string" | "escape" | "unicode" | "scalar";
type Container = unknown[] | Record<string, unknown>;
interface Open {
  readonly value: Container;
  key: string | number;
}

const PLAIN = /[^"\\\u0000-\u001f]+/y;
const SCALAR = /[-+.0-9A-Za-z]+/y;
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
const ESCAPES: Record<string, string> = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const WORDS: Record<string, unknown> = { true: true, false: false, null: null };

function isBlank(c: string): boolean {
  return c === " " || c === "\n" || c === "\t" || c === "\r";
}

/** Reads a JSON text in pieces. */
export class PartialReader {
  /**
   * The value so far: always the same object, if it is an object or an array. A string is as far as it is written; a number,
   * `true`, `false` and `null` come when they can no longer grow; a member comes with its value.
   */
  value: unknown = undefined;
  /** The value has ended. A number at the top needs `end()`. */
  isComplete = false;
  readonly #open: Open[] = [];
  #state: State = "value";
  #isFirst = false; // the place after a bracket: it may close
  #isKey = false;
  #word = "";
  #hex = "";
  #size = 0;
  #hasEnded = false;

  /**
   * Reads a piece. Returns true if there is a value and it may have changed.
   * @throws SyntaxError the text is not JSON, or has ended
   */
  feed(text: string): boolean {
    if (typeof text !== "string") throw invalid(`\`text\` must be a string, not ${describe(text)}`);
    if (this.#hasEnded) throw new SyntaxError("the text has ended");
    let at = 0;
    while (at < text.length) at = this.#read(text, at);
    this.#size += text.length;
    const isInString = this.#state === "string" || this.#state === "escape" || this.#state === "unicode";
    const isShown = isInString && !this.#isKey;
    if (isShown) this.#put(this.#word);
    return text !== "" && (this.isComplete || this.#open.length > 0 || isShown);
  }

  /** Says that the text has ended, which may have been in the middle of the value. */
  end(): void {
    this.#hasEnded = true;
    if (this.#state === "scalar" && this.#open.length === 0) this.#endScalar(0);
  }

  #fail(at: number, expected: string): never {
    throw new SyntaxError(`not JSON at character ${this.#size + at}: ${expected} expected`);
  }

  /** Reads at least one character, or changes the state. Returns the place after what it has read. */
  #read(text: string, at: number): number {
    const c = text[at]!;
    switch (this.#state) {
      case "value": return this.#readValue(c, at);
      case "key":
        if (isBlank(c)) return at + 1;
        if (c === "}" && this.#isFirst) return this.#close(at);
        if (c !== '"') this.#fail(at, "a key");
        return this.#beginString(true, at);
      case "colon":
        if (c === ":") this.#state = "value";
        else if (!isBlank(c)) this.#fail(at, "`:`");
        return at + 1;
      case "after": return this.#readAfter(c, at);
      case "string": return this.#readString(text, at);
      case "escape": {
        if (c === "u") {
          this.#state = "unicode";
          this.#hex = "";
          return at + 1;
        }
        const character = Object.hasOwn(ESCAPES, c) ? ESCAPES[c] : undefined;
        if (character === undefined) this.#fail(at, "an escape");
        this.#word += character;
        this.#state = "string";
        return at + 1;
      }
      case "unicode":
        if (!/[0-9a-fA-F]/.test(c)) this.#fail(at, "a hexadecimal digit");
        this.#hex += c;
        if (this.#hex.length === 4) {
          this.#word += String.fromCharCode(parseInt(this.#hex, 16));
          this.#state = "string";
        }
        return at + 1;
      case "scalar": {
        SCALAR.lastIndex = at;
        const found = SCALAR.exec(text);
        if (!found) {
          this.#endScalar(at);
          return at;
        }
        this.#word += found[0];
        return SCALAR.lastIndex;
      }
    }
  }

  #readValue(c: string, at: number): number {
    if (isBlank(c)) return at + 1;
    if (c === "]" && this.#isFirst) return this.#close(at);
    this.#isFirst = false;
    if (c === '"') return this.#beginString(false, at);
    if (c === "{" || c === "[") {
      const value: Container = c === "{" ? {} : [];
      this.#put(value);
      this.#open.push({ value, key: c === "{" ? "" : 0 });
      this.#state = c === "{" ? "key" : "value";
      this.#isFirst = true;
      return at + 1;
    }
    if (!/[-0-9A-Za-z]/.test(c)) this.#fail(at, "a value");
    this.#word = "";
    this.#state = "scalar";
    return at;
  }

  #readAfter(c: string, at: number): number {
    if (isBlank(c)) return at + 1;
    const open = this.#open.at(-1);
    if (open && c === (Array.isArray(open.value) ? "]" : "}")) return this.#close(at);
    if (!open || c !== ",") this.#fail(at, open ? "`,` or the end" : "nothing more");
    if (typeof open.key === "number") open.key += 1;
    this.#state = Array.isArray(open.value) ? "value" : "key";
    return at + 1;
  }

  #readString(text: string, at: number): number {
    PLAIN.lastIndex = at;
    const found = PLAIN.exec(text);
    if (found) {
      this.#word += found[0];
      return PLAIN.lastIndex;
    }
    if (text[at] === "\\") this.#state = "escape";
    else if (text[at] !== '"') this.#fail(at, "a character of a string");
    else if (this.#isKey) {
      this.#open.at(-1)!.key = this.#word;
      this.#state = "colon";
    } else this.#endValue(this.#word);
    return at + 1;
  }

  #beginString(isKey: boolean, at: number): number {
    this.#isFirst = false;
    this.#isKey = isKey;
    this.#word = "";
    this.#state = "string";
    return at + 1;
  }

  #endScalar(at: number): void {
    const word = this.#word;
    if (NUMBER.test(word)) this.#endValue(Number(word));
    else if (Object.hasOwn(WORDS, word)) this.#endValue(WORDS[word]);
    else this.#fail(at, `a value, not \`${word.slice(0, 40)}\`,`);
  }

  #endValue(value: unknown): void {
    this.#put(value);
    this.#state = "after";
    this.isComplete = this.#open.length === 0;
  }

  #close(at: number): number {
    this.#open.pop();
    this.#isFirst = false;
    this.#state = "after";
    this.isComplete = this.#open.length === 0;
    return at + 1;
  }

  #put(value: unknown): void {
    const open = this.#open.at(-1);
    if (!open) this.value = value;
    // An assignment would set the prototype.
    else if (open.key === "__proto__") Object.defineProperty(open.value, open.key, { value, writable: true, enumerable: true, configurable: true });
    else (open.value as Record<string | number, unknown>)[open.key] = value;
  }
}

/**
 * Gives the value of the JSON text in `stream` while it is being written: the same object, which grows. With a schema of
 * zod, or of another library that follows Standard Schema, it is typed, and the last one is what the schema makes of the
 * whole value, unless the stream ended before the value did.
 *
 *     const Profile = z.object({ name: z.string(), age: z.number() });
 *     for await (const profile of values(stream, Profile)) show(profile.name ?? "");
 *
 * @throws SyntaxError the text is not JSON; PartialValueError: the whole value is not what the schema says
 */
export function values<Output>(stream: AsyncIterable<Chunk> | Iterable<Chunk>, schema: StandardSchema<Output>): AsyncGenerator<Partially<Output>, void, undefined>;
export function values(stream: AsyncIterable<Chunk> | Iterable<Chunk>): AsyncGenerator<unknown, void, undefined>;
export async function* values(stream: AsyncIterable<Chunk> | Iterable<Chunk>, schema?: StandardSchema): AsyncGenerator<unknown, void, undefined> {
  const validate = schema === undefined ? undefined : validatorOf(schema);
  const reader = new PartialReader();
  for await (const chunk of stream) {
    if (reader.feed(textOf(chunk))) yield reader.value;
  }
  reader.end();
  if (!reader.isComplete) return;
  if (!validate) {
    yield reader.value;
    return;
  }
  const result = await validate(reader.value);
  if (result.issues) throw new PartialValueError(result.issues);
  yield result.value;
}

function validatorOf(schema: StandardSchema): StandardSchema["~standard"]["validate"] {
  const standard = (schema as Partial<StandardSchema> | null)?.["~standard"];
  if (typeof standard?.validate !== "function") {
    throw invalid(`\`schema\` must follow Standard Schema, as those of zod 3.24 and later do, not be ${describe(schema)}`);
  }
  return (value) => standard.validate(value);
}
