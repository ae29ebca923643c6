// Compiles and matches in a Worker, so that the page never waits. The objects are in the Worker; the classes here are
// proxies for them, and every call returns a promise.
//
// HOW    Options and documents are read and checked here, since a message does not keep the class of an object. A promise
//        that nobody listens to ends Node if it is rejected. So the promises that `dispose` rejects, and those of calls
//        after it, are marked as listened to.
import { isA } from "./arguments.js";
import type { Diagnostic } from "./diagnostics.js";
import { GrammarError, invalid, type ErrorCode, type ErrorDetails } from "./errors.js";
import type { CompiledGrammar, GrammarCompiler } from "./compiler.js";
import type { GrammarMatcher } from "./matcher.js";
import { readLimits, readOptions, type Limits, type MatcherOptions, type WarmUpOptions, type WarmUpReport } from "./options.js";
import { compiledModule, handleOf, init } from "./runtime.js";
import { TokenizerInfo } from "./tokenizer-info.js";
import { toJSONText } from "./schemas.js";

/** @internal */
export type Request = { id: number } & (
  | { call: "start"; module: WebAssembly.Module; tokenizer: Uint8Array; limits: Limits | undefined }
  | { call: "matcher"; target: number; options: MatcherOptions | undefined }
  | { call: "dispose"; target: number }
  | { call: "fork"; target: number }
  | { call: "mask"; target: number }
  | { call: "method"; target: number; method: string; args: unknown[] }
);
/** @internal */
export interface Answer {
  id: number;
  result?: unknown;
  error?: { code: ErrorCode; message: string; details: ErrorDetails };
}
type Unsent = Request extends infer R ? (R extends { id: number } ? Omit<R, "id"> : never) : never;

interface AnyWorker {
  postMessage(message: unknown): void;
  terminate(): unknown;
  /** In Node, `ref` and `unref` decide whether the Worker keeps the process alive. It does while a call has no answer yet. */
  ref?(): void;
  unref?(): void;
}

interface Waiting {
  /** What the caller has. */
  readonly promise: Promise<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

const ignore = () => undefined;

/** Returns a rejected promise that does not end the process if nobody listens to it. */
function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(ignore);
  return promise;
}

class Connection {
  readonly #worker: AnyWorker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #ended = "";  // why the Worker answers no more

  private constructor(worker: AnyWorker) {
    this.#worker = worker;
  }
  static async open(): Promise<Connection> {
    if (typeof Worker === "function") {
      const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      const connection = new Connection(worker);
      worker.addEventListener("message", (event) => connection.#answer(event.data as Answer));
      worker.addEventListener("error", (event) => connection.#fail(event.message));
      return connection;
    }
    const { Worker: NodeWorker } = await import(/* webpackIgnore: true */ "node:worker_threads");
    const worker = new NodeWorker(new URL("./worker.js", import.meta.url));
    const connection = new Connection(worker);
    worker.on("message", (message: Answer) => connection.#answer(message));
    worker.on("error", (error: Error) => connection.#fail(error.message));
    worker.unref();
    return connection;
  }
  #answer({ id, result, error }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker.unref?.();
    if (error) waiting?.reject(new GrammarError(error.code, error.message, error.details));
    else waiting?.resolve(result);
  }
  #settle(error: GrammarError): void {
    this.#ended ||= error.message;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
  #fail(message: string): void {
    this.#settle(new GrammarError("internal", `the Worker stopped: ${message}`));
  }
  /**
   * Calls the Worker.
   * @param read returns the request, or throws
   * @param then is called with the answer; the promise has its result
   */
  call<T>(read: () => Unsent, then: (answer: unknown) => T): Promise<T> {
    if (this.#ended) return rejected(new GrammarError("terminated", this.#ended));
    const id = ++this.#lastId;
    try {
      this.#worker.postMessage({ ...read(), id });
    } catch (error) {
      if (error instanceof GrammarError) return Promise.reject(error);
      return Promise.reject(invalid(`an argument cannot be sent to a Worker: ${String((error as Error | undefined)?.message ?? error)}`));
    }
    // Reading the arguments may have run a script that called `close`.
    if (this.#ended) return rejected(new GrammarError("terminated", this.#ended));
    this.#worker.ref?.();
    let settle: Omit<Waiting, "promise">;
    const promise = new Promise<T>((resolve, reject) => (settle = { resolve: (answer) => resolve(then(answer)), reject }));
    this.#waiting.set(id, { promise, ...settle! });
    return promise;
  }
  close(): void {
    for (const { promise } of this.#waiting.values()) promise.catch(ignore);
    this.#settle(new GrammarError("terminated", "this WorkerCompiler is disposed of, and its Worker is ended"));
    this.#worker.terminate();
  }
}

/** An object in a Worker. */
abstract class Proxied {
  readonly #connection: Connection;
  readonly #id: number;
  #isDisposed = false;
  protected constructor(connection: Connection, id: number, hint: string) {
    if (!isA(connection, Connection)) throw invalid(`\`${new.target.name}\` has no public constructor`, hint);
    this.#connection = connection;
    this.#id = id;
  }
  /** True after `dispose()`. */
  get isDisposed(): boolean {
    return this.#isDisposed;
  }
  /** Calls a method of the object. `args` are read when the object is known to be there. @internal */
  protected call<T>(request: Request["call"], more: () => { method?: string; args?: unknown[]; options?: unknown }, then: (answer: never) => T): Promise<T> {
    if (this.#isDisposed) return rejected(invalid(`this ${this.constructor.name} is disposed of`));
    return this.#connection.call(() => ({ call: request, target: this.#id, ...more() }) as Unsent, then as (answer: unknown) => T);
  }
  /** @internal */
  protected get connection(): Connection {
    return this.#connection;
  }
  /** @internal */
  protected async release(): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    // If the Worker has ended, the object is gone.
    await this.#connection.call(() => ({ call: "dispose", target: this.#id }), ignore).catch(ignore);
  }
}

type Promised<T> = T extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;
type MatcherCalls = "acceptToken" | "acceptString" | "acceptText" | "rollback" | "reset" | "isTerminated" | "isCompleted" | "isTokenAllowed"
  | "findJumpForwardString" | "forcedTokens" | "shortestCompletion" | "shortestCompletionParts" | "text" | "captures" | "expected" | "explain";
type CompilerCalls = "compileGrammar" | "compileEBNF" | "compileRegex" | "compileJSONSchema" | "compileJSON" | "compileJSONObject"
  | "compileStructuralTag" | "compileResponseFormat" | "compileChoice" | "compileSubstring" | "compileSubstringChunks";

/** A GrammarMatcher in a Worker. Call `dispose`: nothing else frees it. */
export class WorkerMatcher extends Proxied {
  private constructor(connection: Connection, id: number) {
    super(connection, id, "`WorkerCompiledGrammar.createMatcher` makes it");
  }
  /** @internal */
  static of(connection: Connection, id: number): WorkerMatcher {
    return new WorkerMatcher(connection, id);
  }
  #method<K extends MatcherCalls>(method: K): Promised<GrammarMatcher[K]> {
    return ((...args: unknown[]) => this.call("method", () => ({ method, args }), (answer) => answer)) as unknown as Promised<GrammarMatcher[K]>;
  }
  /** Returns the next mask as a new array. */
  nextTokenBitmask(): Promise<Int32Array> {
    return this.call("mask", () => ({}), (mask: Int32Array) => mask);
  }
  fork(): Promise<WorkerMatcher> {
    return this.call("fork", () => ({}), (id: number) => new WorkerMatcher(this.connection, id));
  }
  readonly acceptToken = this.#method("acceptToken");
  readonly acceptString = this.#method("acceptString");
  readonly acceptText = this.#method("acceptText");
  readonly rollback = this.#method("rollback");
  readonly reset = this.#method("reset");
  readonly isTerminated = this.#method("isTerminated");
  readonly isCompleted = this.#method("isCompleted");
  readonly isTokenAllowed = this.#method("isTokenAllowed");
  readonly findJumpForwardString = this.#method("findJumpForwardString");
  readonly forcedTokens = this.#method("forcedTokens");
  readonly shortestCompletion = this.#method("shortestCompletion");
  readonly shortestCompletionParts = this.#method("shortestCompletionParts");
  readonly text = this.#method("text");
  readonly captures = this.#method("captures");
  readonly expected = this.#method("expected");
  readonly explain = this.#method("explain");
  /** Frees the object in the Worker. A second call does nothing. */
  dispose(): Promise<void> {
    return this.release();
  }
}

/** A CompiledGrammar in a Worker. */
export class WorkerCompiledGrammar extends Proxied {
  private constructor(connection: Connection, id: number, readonly warnings: readonly Diagnostic[]) {
    super(connection, id, "the methods of a WorkerCompiler make it");
  }
  /** @internal */
  static of(connection: Connection, id: number, warnings: readonly Diagnostic[]): WorkerCompiledGrammar {
    return new WorkerCompiledGrammar(connection, id, warnings);
  }
  createMatcher(options?: MatcherOptions): Promise<WorkerMatcher> {
    return this.call("matcher", () => ({ options: checked("matcher_options", options) }), (id: number) => WorkerMatcher.of(this.connection, id));
  }
  /** Calls CompiledGrammar.warmUp in the Worker. Later calls to the Worker wait for it. */
  warmUp(options?: WarmUpOptions): Promise<WarmUpReport> {
    return this.call("method", () => ({ method: "warmUp", args: [checked("warm_up_options", options)] }), (report: WarmUpReport) => report);
  }
  /** Frees the object in the Worker. A second call does nothing. */
  dispose(): Promise<void> {
    return this.release();
  }
}

/** Returns the options. Throws if `readOptions` does. */
function checked<T>(name: Parameters<typeof readOptions>[0], options: T): T {
  readOptions(name, options);
  return options;
}

/**
 * For each method that compiles: the options, their place among the arguments, and the name of a first argument that is a
 * document.
 */
const ARGUMENTS: Readonly<Partial<Record<CompilerCalls, readonly [Parameters<typeof readOptions>[0], number, string?]>>> = {
  compileGrammar: ["text_options", 1],
  compileEBNF: ["ebnf_options", 1],
  compileRegex: ["regex_options", 1],
  compileJSONSchema: ["json_schema_options", 1, "schema"],
  compileJSON: ["json_schema_options", 0],
  compileJSONObject: ["json_schema_options", 0],
  compileStructuralTag: ["structural_tag_options", 1, "tag"],
  compileResponseFormat: ["structural_tag_options", 1, "format"],
};

type PromisedCompile<K extends CompilerCalls> = (...args: Parameters<GrammarCompiler[K]>) => Promise<WorkerCompiledGrammar>;

/**
 * A GrammarCompiler in its own Worker, which compiles a grammar while the model reads its prompt.
 *
 *     const compiler = await WorkerCompiler.create(info);
 *     const compiled = await compiler.compileJSONSchema(schema);
 *     const matcher = await compiled.createMatcher();
 *     const bitmask = await matcher.nextTokenBitmask();
 */
export class WorkerCompiler extends Proxied {
  private constructor(connection: Connection, id: number) {
    super(connection, id, "`WorkerCompiler.create` makes it");
  }
  static async create(tokenizerInfo: TokenizerInfo, limits?: Limits): Promise<WorkerCompiler> {
    const info = handleOf(tokenizerInfo, TokenizerInfo, "tokenizerInfo");
    readLimits(limits);
    await init();
    const connection = await Connection.open();
    try {
      return await connection.call(() => ({ call: "start", module: compiledModule(), tokenizer: info.serialize(), limits }), (id) => new WorkerCompiler(connection, id as number));
    } catch (error) {
      connection.close();
      throw error;
    }
  }
  #method<K extends CompilerCalls>(method: K): PromisedCompile<K> {
    return (...args) => this.call("method", () => {
      const [options, at, document] = ARGUMENTS[method] ?? [];
      // Schemas of zod and similar libraries cannot be sent to a Worker, but their JSON text can.
      const sent: unknown[] = document ? [toJSONText(args[0], document), ...args.slice(1)] : args;
      if (options) readOptions(options, args[at!]);
      return { method, args: sent };
    }, ({ id, warnings }: { id: number; warnings: Diagnostic[] }) => WorkerCompiledGrammar.of(this.connection, id, warnings));
  }
  readonly compileGrammar = this.#method("compileGrammar");
  readonly compileEBNF = this.#method("compileEBNF");
  readonly compileRegex = this.#method("compileRegex");
  readonly compileJSONSchema = this.#method("compileJSONSchema");
  readonly compileJSON = this.#method("compileJSON");
  readonly compileJSONObject = this.#method("compileJSONObject");
  readonly compileStructuralTag = this.#method("compileStructuralTag");
  readonly compileResponseFormat = this.#method("compileResponseFormat");
  readonly compileChoice = this.#method("compileChoice");
  readonly compileSubstring = this.#method("compileSubstring");
  readonly compileSubstringChunks = this.#method("compileSubstringChunks");
  /** Terminates the Worker and frees everything in it. Calls without an answer are rejected with the code `terminated`. */
  dispose(): void {
    void this.release();
    this.connection.close();
  }
}

export type { CompiledGrammar };
