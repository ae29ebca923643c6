// Compiles and matches in a Worker, so that the page never waits. The objects are in the Worker; the classes here are
// proxies for them, and every call returns a promise.
import type { Diagnostic } from "./diagnostics.js";
import { GrammarError, type ErrorCode, type ErrorDetails } from "./errors.js";
import type { CompiledGrammar, GrammarCompiler, WarmUpReport } from "./compiler.js";
import type { GrammarMatcher } from "./matcher.js";
import type { Limits, MatcherOptions, WarmUpOptions } from "./options.js";
import { compiledModule, init } from "./runtime.js";
import type { TokenizerInfo } from "./tokenizer-info.js";
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

class Connection {
  readonly #worker: AnyWorker;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
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
      worker.addEventListener("error", (event) => connection.#end(event.message));
      return connection;
    }
    const { Worker: NodeWorker } = await import(/* webpackIgnore: true */ "node:worker_threads");
    const worker = new NodeWorker(new URL("./worker.js", import.meta.url));
    const connection = new Connection(worker);
    worker.on("message", (message: Answer) => connection.#answer(message));
    worker.on("error", (error: Error) => connection.#end(error.message));
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
  #end(message: string): void {
    this.#ended ||= `the Worker stopped: ${message}`;
    for (const { reject } of this.#waiting.values()) reject(new GrammarError("internal", this.#ended));
    this.#waiting.clear();
  }
  async call(request: Unsent): Promise<unknown> {
    if (this.#ended) throw new GrammarError("terminated", this.#ended);
    const id = ++this.#lastId;
    try {
      this.#worker.postMessage({ ...request, id });
    } catch (error) {  // a DataCloneError
      throw new GrammarError("invalid_argument", `an argument cannot be sent to a Worker: ${(error as Error).message}`);
    }
    this.#worker.ref?.();
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }
  close(): void {
    this.#end("it was disposed of");
    this.#worker.terminate();
  }
}

type Promised<T> = T extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;
type MatcherCalls = "acceptToken" | "acceptString" | "acceptText" | "rollback" | "reset" | "isTerminated" | "isCompleted" | "isTokenAllowed"
  | "findJumpForwardString" | "forcedTokens" | "shortestCompletion" | "shortestCompletionParts" | "text" | "captures" | "expected" | "explain";
type CompilerCalls = "compileGrammar" | "compileEBNF" | "compileRegex" | "compileJSONSchema" | "compileJSON" | "compileJSONObject"
  | "compileStructuralTag" | "compileResponseFormat" | "compileChoice" | "compileSubstring" | "compileSubstringChunks";

/** A GrammarMatcher in a Worker. Call `dispose`: nothing else frees it. */
export class WorkerMatcher {
  /** @internal */
  constructor(private readonly connection: Connection, private readonly id: number) {}
  #method<K extends MatcherCalls>(method: K): Promised<GrammarMatcher[K]> {
    return ((...args: unknown[]) => this.connection.call({ call: "method", target: this.id, method, args })) as Promised<GrammarMatcher[K]>;
  }
  /** Returns the next mask as a new array. */
  nextTokenBitmask(): Promise<Int32Array> {
    return this.connection.call({ call: "mask", target: this.id }) as Promise<Int32Array>;
  }
  async fork(): Promise<WorkerMatcher> {
    return new WorkerMatcher(this.connection, (await this.connection.call({ call: "fork", target: this.id })) as number);
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
  async dispose(): Promise<void> {
    await this.connection.call({ call: "dispose", target: this.id });
  }
}

/** A CompiledGrammar in a Worker. */
export class WorkerCompiledGrammar {
  /** @internal */
  constructor(private readonly connection: Connection, private readonly id: number, readonly warnings: readonly Diagnostic[]) {}
  async createMatcher(options?: MatcherOptions): Promise<WorkerMatcher> {
    return new WorkerMatcher(this.connection, (await this.connection.call({ call: "matcher", target: this.id, options })) as number);
  }
  /** Calls CompiledGrammar.warmUp in the Worker. Later calls to the Worker wait for it. */
  warmUp(options?: WarmUpOptions): Promise<WarmUpReport> {
    return this.connection.call({ call: "method", target: this.id, method: "warmUp", args: [options] }) as Promise<WarmUpReport>;
  }
  async dispose(): Promise<void> {
    await this.connection.call({ call: "dispose", target: this.id });
  }
}

type PromisedCompile<K extends CompilerCalls> = (...args: Parameters<GrammarCompiler[K]>) => Promise<WorkerCompiledGrammar>;

/**
 * A GrammarCompiler in its own Worker, which compiles a grammar while the model reads its prompt.
 *
 *     const compiler = await WorkerCompiler.create(info);
 *     const compiled = await compiler.compileJSONSchema(schema);
 *     const matcher = await compiled.createMatcher();
 *     const bitmask = await matcher.nextTokenBitmask();
 */
export class WorkerCompiler {
  private constructor(private readonly connection: Connection, private readonly id: number) {}
  static async create(tokenizerInfo: TokenizerInfo, limits?: Limits): Promise<WorkerCompiler> {
    await init();
    const connection = await Connection.open();
    try {
      const id = await connection.call({ call: "start", module: compiledModule(), tokenizer: tokenizerInfo.serialize(), limits });
      return new WorkerCompiler(connection, id as number);
    } catch (error) {
      connection.close();
      throw error;
    }
  }
  #method<K extends CompilerCalls>(method: K): PromisedCompile<K> {
    return async (...args) => {
      // Schemas of zod and similar libraries cannot be sent to a Worker, but their JSON text can.
      const isJSON = method === "compileJSONSchema" || method === "compileStructuralTag" || method === "compileResponseFormat";
      const sent = isJSON ? [toJSONText(args[0], method === "compileJSONSchema" ? "schema" : "tag"), ...args.slice(1)] : args;
      const { id, warnings } = (await this.connection.call({ call: "method", target: this.id, method, args: sent })) as { id: number; warnings: Diagnostic[] };
      return new WorkerCompiledGrammar(this.connection, id, warnings);
    };
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
  /** Terminates the Worker and frees everything in it. */
  dispose(): void {
    this.connection.close();
  }
}

export type { CompiledGrammar };
