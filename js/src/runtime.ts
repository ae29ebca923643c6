// One instance of the WebAssembly module, its memory, and its failures.
//
// HOW     An instance that ran out of memory or trapped is lost: the module cannot unwind, so its objects may be half
//         changed. Every use of an object of a lost instance throws. The next object gets a new instance of the same
//         compiled module, so the package stays usable.
//         An error that a script throws, such as the getter of an option or an iterator, changes nothing in the module,
//         also if it is an exhausted stack. The two are told apart by a mark that is set while the module runs (Running).
import { FUNCTIONS, VERSION, type Exports } from "./abi.js";
import { bytesOf, describe, isA, waitHint } from "./arguments.js";
import { GrammarError, invalid } from "./errors.js";
import { endsInHalf, textOf } from "./text.js";

const encoder = new TextEncoder();

/** Thrown where the module asks for memory that there is not. */
class OutOfMemory extends Error {}

/** More cannot be asked of `malloc`, whose argument has 32 bits. */
const MOST_BYTES = 0xffff_0000;
/** The characters of strings that are encoded in one piece. */
const PIECE = 1 << 20;

/** The WASI functions that the module imports. Clocks and random numbers work; the others return an error. */
function imports(module: WebAssembly.Module, memory: () => WebAssembly.Memory): WebAssembly.Imports {
  const BAD_FILE = 8;
  const NOT_SUPPORTED = 52;
  const view = () => new DataView(memory().buffer);
  const calls: Record<string, (...args: never[]) => number | bigint | void> = {
    random_get: (at: number, length: number) => {
      const bytes = new Uint8Array(memory().buffer, at, length);
      // The module seeds its hash tables with these numbers. Node 18 has no global `crypto`, but any numbers will do.
      if (globalThis.crypto) crypto.getRandomValues(bytes);
      else bytes.forEach((_, i) => (bytes[i] = Math.random() * 256));
      return 0;
    },
    clock_time_get: (_id: number, _precision: bigint, out: number) => {
      view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_sizes_get: (count: number, bytes: number) => {
      view().setUint32(count, 0, true);
      view().setUint32(bytes, 0, true);
      return 0;
    },
    environ_get: () => 0,
    proc_exit: (code: number) => {
      throw new WebAssembly.RuntimeError(`the module exited with ${code}`);
    },
    out_of_memory: (bytes: number) => {
      throw new OutOfMemory(String(bytes));
    },
  };
  const out: WebAssembly.Imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (out[from] ??= {})[name] = (calls[name] ?? (() => (name.startsWith("fd_") ? BAD_FILE : NOT_SUPPORTED))) as WebAssembly.ImportValue;
  }
  return out;
}

/** The function that reads tokenizer files, and what the error of a module without it says. */
const READER = "weir_tokenizer_info_from_bytes";
const READER_NAME = "the readers of tokenizer files (`TokenizerInfo.fromJSON` and the like)";
const READER_HINT = "; for a list of tokens there is `TokenizerInfo.fromTokens`";

/** `value` is true while the module runs, and for ever after it was left by an exception. */
interface Running {
  value: boolean;
}

type Call = (...args: number[]) => unknown;

/**
 * Returns a function of the module that keeps `running` up to date. All parameters are numbers. They are converted before
 * the mark is set, because a conversion may run a script, which may throw. Rest parameters would cost more than the call.
 */
function marked(call: Call, running: Running): Call {
  const enter = () => {
    const before = running.value;
    running.value = true;
    return before;
  };
  const leave = <T>(before: boolean, result: T): T => ((running.value = before), result);
  switch (call.length) {
    case 0: return () => leave(enter(), call());
    case 1: return (a) => ((a = +a), leave(enter(), call(a)));
    case 2: return (a, b) => ((a = +a), (b = +b), leave(enter(), call(a, b)));
    case 3: return (a, b, c) => ((a = +a), (b = +b), (c = +c), leave(enter(), call(a, b, c)));
    case 4: return (a, b, c, d) => ((a = +a), (b = +b), (c = +c), (d = +d), leave(enter(), call(a, b, c, d)));
    default: return (...args) => ((args = args.map((value) => +value)), leave(enter(), call(...args)));
  }
}

/** Returns the functions of an instance. In place of a function that weir.wasm lacks there is one that throws. */
function exportsOf(instance: WebAssembly.Instance, running: Running): Exports {
  const absent = (name: string) => () => {
    const what = name === READER ? READER_NAME : `\`${name}\``;
    const hint = 'import from "weir/full", which loads weir-full.wasm';
    throw new GrammarError("unsupported", `the loaded module is weir.wasm, which does not have ${what}`, { hint: name === READER ? hint + READER_HINT : hint });
  };
  const lacking = FUNCTIONS.filter((name) => !(name in instance.exports)).map((name) => [name, absent(name)]);
  const calls = Object.entries(instance.exports).map(([name, value]) => [name, typeof value === "function" ? marked(value as Call, running) : value]);
  return Object.fromEntries([...calls, ...lacking]) as unknown as Exports;
}

export class Runtime {
  readonly exports: Exports;
  /** Set if the instance cannot be used again. */
  lost: GrammarError | undefined;
  /** The addresses at which calls store a handle and an error. */
  readonly out: number;
  readonly err: number;
  #bytes: Uint8Array = new Uint8Array();
  #view: DataView = new DataView(new ArrayBuffer(0));
  readonly #running: Running = { value: false };

  constructor(module: WebAssembly.Module) {
    const instance: WebAssembly.Instance = new WebAssembly.Instance(module, imports(module, () => this.exports.memory));
    this.exports = exportsOf(instance, this.#running);
    (instance.exports["_initialize"] as () => void)();
    this.out = this.exports.malloc(16);
    if (this.out === 0) throw new GrammarError("out_of_memory", "the WebAssembly memory is too small to begin");
    this.err = this.out + 8;
    this.bytes.fill(0, this.out, this.out + 16);  // a call without an error leaves `err` as it is
  }

  /** The memory as bytes. `bytes` and `view` are valid until the module runs again. */
  get bytes(): Uint8Array {
    if (this.#bytes.buffer !== this.exports.memory.buffer) this.#bytes = new Uint8Array(this.exports.memory.buffer);
    return this.#bytes;
  }
  get view(): DataView {
    if (this.#view.buffer !== this.exports.memory.buffer) this.#view = new DataView(this.exports.memory.buffer);
    return this.#view;
  }
  words(at: number, count: number): Uint32Array {
    return new Uint32Array(this.exports.memory.buffer, at, count);
  }
  u32(at: number): number {
    return this.view.getUint32(at, true);
  }
  /** Returns the object whose address the last call has stored in `out`. */
  owned(): Owned {
    return new Owned(this, this.u32(this.out));
  }
  /** Returns memory for arguments. If there is none, nothing is lost: the module was not in the middle of something. */
  allocate(bytes: number): number {
    const at = bytes > MOST_BYTES ? 0 : this.exports.malloc(Math.max(bytes, 1));
    if (at === 0) throw new GrammarError("out_of_memory", `the WebAssembly memory cannot grow by another ${bytes} bytes for an argument`);
    return at;
  }

  /** True if the module was left by an exception, or runs. */
  get isEntered(): boolean {
    return this.#running.value;
  }

  /** Runs `body`, which calls the module. If the module traps, this instance is lost. Other errors pass through. */
  run<T>(body: () => T): T {
    if (this.lost) throw this.lost;
    if (this.lost) throw this.lost;
    try {
      return body();
    } catch (error) {
      if (error instanceof OutOfMemory) {
        throw this.#lose("out_of_memory", `the WebAssembly memory cannot grow by another ${error.message} bytes`);
      }
      if (!this.isEntered) throw error;
      // V8 and others report an exhausted stack as a RangeError, SpiderMonkey as an InternalError.
      const isStack = error instanceof RangeError || (error as Error)?.name === "InternalError";
      throw this.#lose(isStack ? "limit_exceeded" : "internal", `the WebAssembly module stopped: ${(error as Error).message}`);
    }
  }

  #lose(code: "out_of_memory" | "internal" | "limit_exceeded", message: string): GrammarError {
    this.lost = new GrammarError(code, `${message}; the objects that were in it are gone`, {
      hint: "make the tokenizer and the compiler again; they get a new instance",
    });
    if (current === this) current = undefined;
    return this.lost;
  }

  /** Reads a weir_text. */
  text(at: number): string {
    return textOf(this.textBytes(at));
  }
  textBytes(at: number): Uint8Array {
    const data = this.u32(at);
    return this.bytes.subarray(data, data + this.u32(at + 4));
  }
  /** Reads a zero-terminated constant. */
  constant(at: number): string {
    return textOf(this.bytes.subarray(at, this.bytes.indexOf(0, at)));
  }
  /** Copies a weir_owned_text and frees it. */
  ownedBytes(at: number): Uint8Array {
    const copy = this.textBytes(at).slice();
    this.exports.weir_owned_text_free(at);
    return copy;
  }
  ownedText(at: number): string {
    return textOf(this.ownedBytes(at));
  }
}

/** Returns the number of bytes of a text, of a string in UTF-8. A lone surrogate has three. */
function sizeOf(text: string | Uint8Array): number {
  if (typeof text !== "string") return text.length;
  let size = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    const isSecondHalf = (unit & 0xfc00) === 0xdc00 && i > 0 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    size += unit < 0x800 ? 1 : isSecondHalf ? 0 : 2;
  }
  return size;
}

/** Memory for the arguments of one call. */
export class Arena {
  readonly #blocks: number[] = [];
  constructor(readonly runtime: Runtime) {}

  #block(bytes: number): number {
    const at = this.runtime.allocate(bytes);
    this.#blocks.push(at);
    return at;
  }
  /** Returns zeroed memory. */
  allocate(bytes: number): number {
    const at = this.#block(bytes);
    this.runtime.bytes.fill(0, at, at + bytes);
    return at;
  }
  copy(bytes: Uint8Array): number {
    const at = this.#block(bytes.length);
    this.runtime.bytes.set(bytes, at);
    return at;
  }
  /** Stores a weir_text at `at`. */
  storeText(at: number, text: string | Uint8Array): void {
    const bytes = typeof text === "string" ? encoder.encode(text) : text;
    const data = this.copy(bytes);
    this.runtime.view.setUint32(at, data, true);
    this.runtime.view.setUint32(at + 4, bytes.length, true);
  }
  /** Returns a weir_text. */
  text(text: string | Uint8Array): number {
    const at = this.allocate(8);
    this.storeText(at, text);
    return at;
  }
  /** Returns weir_texts. There is no object for each of them, and successive strings are encoded together: a vocabulary
   * has 100,000 and more. */
  texts(texts: readonly (string | Uint8Array)[]): number {
    const { runtime } = this;
    const count = texts.length;
    const table = this.allocate(8 * count);
    let entries = runtime.words(table, 2 * count);  // the address and the size of each
    let total = 0;
    for (let i = 0; i < count; i++) total += entries[2 * i + 1] = sizeOf(texts[i]!);
    let data = this.allocate(total);
    entries = runtime.words(table, 2 * count);  // the memory may have grown
    for (let i = 0; i < count; i++) {
      entries[2 * i] = data;
      data += entries[2 * i + 1]!;
    }
    for (let from = 0, to = 0; from < count; from = to) {
      const first = texts[from]!;
      const at = entries[2 * from]!;
      to = from + 1;
      if (typeof first !== "string") {
        runtime.bytes.set(first, at);
        continue;
      }
      // Two halves of a pair in different strings must not become one character.
      let size = first.length;
      for (let last = first; to < count && size < PIECE && typeof texts[to] === "string" && !endsInHalf(last); to++) size += (last = texts[to] as string).length;
      encoder.encodeInto(texts.slice(from, to).join(""), runtime.bytes.subarray(at, to < count ? entries[2 * to] : data));
    }
    return table;
  }
  words(words: ArrayLike<number>): number {
    const at = this.allocate(4 * words.length);
    this.runtime.words(at, words.length).set(words);
    return at;
  }
  free(): void {
    if (this.runtime.lost || this.runtime.isEntered) return;
    for (const at of this.#blocks) this.runtime.exports.free(at);
  }
}

/** Runs `body` with memory for arguments, and frees the memory afterwards. */
export function withArena<T>(runtime: Runtime, body: (arena: Arena) => T): T {
  return runtime.run(() => {
    const arena = new Arena(runtime);
    try {
      return body(arena);
    } finally {
      arena.free();
    }
  });
}

// ---- Loading --------------------------------------------------------------------------------------------------------

/** The module: its address, its bytes, a response or a promise of one, or the compiled module. */
export type ModuleSource = string | URL | Request | BufferSource | WebAssembly.Module | Response | Promise<Response>;

/** The source of the module if the caller names none. The entry point sets it. */
export interface DefaultSource {
  /** Returns the module at once, or undefined if that is not possible. */
  load?: () => WebAssembly.Module | undefined;
  url: () => URL;
  /** True if the module has all functions. Such a source takes precedence over others. */
  isFull: boolean;
}

let defaultSource: DefaultSource | undefined;
let compiled: WebAssembly.Module | undefined;
/** Settles when no earlier call of `init` is under way. */
let loading: Promise<void> | undefined;
let current: Runtime | undefined;

export function setDefaultSource(source: DefaultSource): void {
  if (!defaultSource || (source.isFull && !defaultSource.isFull)) defaultSource = source;
}

interface Process {
  getBuiltinModule?(name: string): unknown;
}

/** Returns the module in a file; undefined if `url` is no file: URL, or if the host cannot read files synchronously. */
export function readModule(url: URL): WebAssembly.Module | undefined {
  const files = (globalThis as { process?: Process }).process?.getBuiltinModule?.("node:fs") as { readFileSync(path: URL): Uint8Array<ArrayBuffer> } | undefined;
  if (!files || url.protocol !== "file:") return undefined;
  try {
    return new WebAssembly.Module(files.readFileSync(url));
  } catch (error) {
    throw notLoaded(error);
  }
}

function requireWebAssembly(): void {
  if (typeof WebAssembly !== "object") throw new GrammarError("unsupported", "this JavaScript engine has no WebAssembly");
}

type Loadable = string | URL | Request | Response | Promise<Response>;

/** Returns the bytes of a file, or a response. */
async function load(source: Loadable): Promise<Uint8Array | Response> {
  const url = typeof source === "string" || isA(source, URL) ? String(source) : "";
  if (url.startsWith("file:")) {
    const { readFile } = await import(/* webpackIgnore: true */ "node:fs/promises");
    return new Uint8Array(await readFile(new URL(url)));
  }
  const response: unknown = url || isA(source, globalThis.Request) ? await fetch(source as RequestInfo | URL) : await source;
  if (isA(response, globalThis.Response)) return response;
  throw invalid(`\`source\` must be an address, a Response, bytes or a WebAssembly.Module, not ${describe(response)}`);
}

const MISSING_HINT = "the file is weir.wasm or weir-full.wasm of this package; `init(source)` takes its address";

/** Returns the module in these bytes. Throws if they are something else, such as the page of a server that has no such file. */
async function compileBytes(bytes: Uint8Array, from: string): Promise<WebAssembly.Module> {
  const begin = new TextDecoder().decode(bytes.subarray(0, 200)).trimStart();
  if (/^<(!doctype|html|\?xml)/i.test(begin)) throw new GrammarError("not_found", `${from} is a page of HTML, not a WebAssembly module`, { hint: MISSING_HINT });
  try {
    return await WebAssembly.compile(bytes as BufferSource);
  } catch (error) {
    throw notWasm(from, error);
  }
}

function notWasm(from: string, error: unknown): GrammarError {
  return new GrammarError("invalid_argument", `${from} is no WebAssembly module: ${(error as Error).message}`, { hint: MISSING_HINT, cause: error });
}

function notLoaded(error: unknown): GrammarError {
  return error instanceof GrammarError ? error : new GrammarError("not_found", `the WebAssembly module cannot be loaded: ${(error as Error).message}`, { cause: error });
}

/** Returns the bytes of a BufferSource; undefined for other sources. */
function bytesOfSource(source: unknown): Uint8Array | undefined {
  if (!ArrayBuffer.isView(source)) return bytesOf(source, "source");
  try {
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  } catch {
    throw invalid("`source` is in a detached buffer");
  }
}

async function compileFrom(source: ModuleSource): Promise<WebAssembly.Module> {
  if (isA(source, WebAssembly.Module)) return source;
  const given = bytesOfSource(source);
  if (given) return compileBytes(given, "`source`");
  let bytes;
  let from = typeof source === "string" || isA(source, URL) ? String(source) : "the response";
  try {
    const loaded = await load(source as Loadable);
    if (loaded instanceof Uint8Array) bytes = loaded;
    else {
      from = loaded.url || from;
      if (!loaded.ok) throw new Error(`${loaded.status} ${loaded.url}`);
      // compileStreaming needs a response of this type, which some servers do not send.
      if (loaded.headers.get("content-type")?.startsWith("application/wasm")) return await WebAssembly.compileStreaming(loaded);
      bytes = new Uint8Array(await loaded.arrayBuffer());
    }
  } catch (error) {
    throw error instanceof WebAssembly.CompileError ? notWasm(from, error) : notLoaded(error);
  }
  return compileBytes(bytes, from);
}

/** Functions that every module of this package exports. */
const OF_WEIR = ["_initialize", "malloc", "free", "weir_version", "weir_compiler_create", "weir_matcher_fill_next_token_bitmask"];

/** Returns the module. Throws if it is not weir's, or of another version than this script. */
function checkedModule(module: WebAssembly.Module): WebAssembly.Module {
  const names = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
  if (!names.has("memory") || OF_WEIR.some((name) => !names.has(name))) throw invalid("this is a WebAssembly module, but not weir's", MISSING_HINT);
  let tried;
  try {
    tried = new Runtime(module);
  } catch (error) {
    throw error instanceof GrammarError ? error : notWasm("`source`", error);
  }
  const version = tried.constant(tried.exports.weir_version());
  if (version !== VERSION) throw invalid(`the WebAssembly module is of weir ${version}, and the script of weir ${VERSION}`, MISSING_HINT);
  current = tried;
  return module;
}

/**
 * Loads the WebAssembly module, which everything else in the package needs. Once a module is loaded, `init` does nothing.
 * After an error it can be called again, with another source. In Node, Bun and Deno, and with `weir/single`, the module is
 * loaded on first use, and `init` is optional.
 *
 *     await init();                                            // weir.wasm beside this script
 *     await init(new URL("/assets/weir.wasm", location.href));  // elsewhere
 *
 * @param source the module, if it is not beside this script
 * @throws GrammarError `unsupported`: no WebAssembly; `not_found`: there is no such file, or a page of HTML in its place;
 *   `invalid_argument`: `source` is something else, or is not weir's module of this version
 */
export async function init(source?: ModuleSource): Promise<void> {
  requireWebAssembly();
  const before = loading;
  const mine = (async () => {
    await before;
    if (compiled) return;
    const beside = source === undefined ? defaultSource?.load?.() : undefined;
    const from = source ?? defaultSource?.url();
    if (source === null || from === undefined) throw invalid(`\`source\` must be an address, a Response, bytes or a WebAssembly.Module, not ${describe(source)}`);
    compiled = checkedModule(beside ?? (await compileFrom(from)));
  })();
  loading = mine.catch(() => undefined);  // a later call has its own source
  await mine;
}

/** Returns the compiled module, which can be sent to a Worker. */
export function compiledModule(): WebAssembly.Module {
  runtime();
  return compiled!;
}

/** Returns the instance in which new objects are created. */
export function runtime(): Runtime {
  if (current) return current;
  requireWebAssembly();
  if (!compiled) {
    const beside = defaultSource?.load?.();
    if (!beside) throw invalid("the WebAssembly module is not loaded yet", "call `await init()` first");
    compiled = checkedModule(beside);
    return current!;
  }
  return (current = new Runtime(compiled));
}

// TypeScript's libraries before ESNext do not have this symbol. The declaration is the same as theirs.
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

// ---- Handles --------------------------------------------------------------------------------------------------------

type Free = { [K in keyof Exports]: K extends `weir_${string}_free` ? K : never }[keyof Exports];

interface Held {
  runtime: Runtime;
  pointer: number;
  free: Free;
}

function release(held: Held): void {
  if (held.pointer !== 0 && !held.runtime.lost && !held.runtime.isEntered) held.runtime.exports[held.free](held.pointer);
  held.pointer = 0;
}

const registry = typeof FinalizationRegistry === "function" ? new FinalizationRegistry(release) : undefined;

/** An object in the module that no Handle has yet. The package does not export this class, so only the package makes Handles. */
export class Owned {
  readonly #runtime: Runtime;
  readonly #pointer: number;
  constructor(runtime: Runtime, pointer: number) {
    this.#runtime = runtime;
    this.#pointer = pointer;
  }
  static is(value: unknown): value is Owned {
    return typeof value === "object" && value !== null && #pointer in value;
  }
  get runtime(): Runtime {
    return this.#runtime;
  }
  get pointer(): number {
    return this.#pointer;
  }
}

/**
 * An object of the module. `dispose()` and `using` free it at once. Otherwise it is freed after the garbage collector
 * has found it. Objects keep alive the objects that they need, so they may be disposed of in any order.
 */
export abstract class Handle {
  readonly #held: Held;
  /** @internal */
  protected constructor(owned: Owned, free: Free, hint = "") {
    if (!Owned.is(owned)) throw invalid(`\`${new.target.name}\` has no public constructor`, hint);
    this.#held = { runtime: owned.runtime, pointer: owned.pointer, free };
    registry?.register(this, this.#held, this);
  }
  /** Returns true for an object that a constructor made, which `instanceof` alone does not say. @internal */
  static isMade(value: unknown): boolean {
    return typeof value === "object" && value !== null && #held in value;
  }
  /** @internal */
  get runtime(): Runtime {
    return this.#held.runtime;
  }
  /** The address in the module's memory. Throws after `dispose()`. @internal */
  get pointer(): number {
    if (this.#held.pointer === 0) throw invalid(`this ${this.constructor.name} is disposed of`);
    if (this.#held.runtime.lost) throw this.#held.runtime.lost;
    return this.#held.pointer;
  }
  /** True after `dispose()`. */
  get isDisposed(): boolean {
    return this.#held.pointer === 0;
  }
  /** Frees the object. A second call does nothing. */
  dispose(): void {
    registry?.unregister(this);
    release(this.#held);
  }
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** A class, whose constructor may be private. */
interface Class<T> {
  readonly prototype: T;
  readonly name: string;
}

/** Returns true for an object of a class of this package. */
export function isHandle<T extends Handle>(value: unknown, type: Class<T>): value is T {
  return Handle.isMade(value) && Object.prototype.isPrototypeOf.call(type.prototype as object, value as object);
}

/** Returns the argument. Throws unless it is an object of this class. */
export function handleOf<T extends Handle>(value: unknown, type: Class<T>, name: string, hint = ""): T {
  if (!isHandle(value, type)) throw invalid(`\`${name}\` must be a ${type.name}, not ${describe(value)}`, waitHint(value, "json") || hint);
  return value;
}

/** Returns the size of the module's memory in bytes, for measurements. */
export function memoryBytes(): number {
  return current ? current.exports.memory.buffer.byteLength : 0;
}
