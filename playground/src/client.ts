// The page's side of the Worker: one call at a time, in order; a newer call of a kind replaces one that still waits.
import EngineWorker from "./engine/worker?worker&inline";
import type { Answer, Calls } from "./engine/protocol.js";

type Result<K extends keyof Calls> = ReturnType<Calls[K]>;

interface Waiting {
  call: keyof Calls;
  args: unknown[];
  /** Calls with equal keys replace each other while they wait; "" is never replaced. */
  key: string;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** After this time, in milliseconds, a call is reported as long, so that the page can offer to stop it. */
const LONG = 600;

export class Client {
  #worker = this.#start();
  #queue: Waiting[] = [];
  #current: Waiting | undefined;
  #timer = 0;
  #lastId = 0;
  /** The calls that a new Worker needs first, with the last arguments that worked. */
  readonly #setUp = new Map<keyof Calls, unknown[]>();

  constructor(private readonly onLong: (isLong: boolean) => void) {}

  #start(): Worker {
    const worker = new EngineWorker();
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.#answer(data));
    worker.addEventListener("error", (event) => this.#finish((waiting) => waiting.reject(new Error(event.message || "the Worker cannot be started"))));
    return worker;
  }

  #answer({ id, result, error, isLost }: Answer): void {
    if (id !== this.#lastId) return;
    if (isLost) return this.#restart(new Error(error));
    this.#finish((waiting) => (error === undefined ? waiting.resolve(result) : waiting.reject(new Error(error))));
  }

  #finish(settle: (waiting: Waiting) => void): void {
    clearTimeout(this.#timer);
    this.onLong(false);
    const waiting = this.#current;
    this.#current = undefined;
    if (waiting) settle(waiting);
    this.#next();
  }

  #next(): void {
    if (this.#current || this.#queue.length === 0) return;
    const waiting = (this.#current = this.#queue.shift()!);
    this.#timer = setTimeout(() => this.onLong(true), LONG);
    this.#worker.postMessage({ id: ++this.#lastId, call: waiting.call, args: waiting.args });
  }

  /** Calls the engine. Errors of the engine reject the promise. */
  async ask<K extends keyof Calls>(call: K, ...args: Parameters<Calls[K]>): Promise<Result<K>> {
    const result = (await this.#send("", call, args)) as Result<K>;
    if (call === "tokenizer" || call === "model") this.#setUp.set(call, args);
    return result;
  }

  /** Calls the engine; the result is undefined if a newer call of the same name replaced this one while it waited. */
  askLatest<K extends keyof Calls>(call: K, ...args: Parameters<Calls[K]>): Promise<Result<K> | undefined> {
    const replaced = this.#queue.findIndex((waiting) => waiting.key === call);
    if (replaced >= 0) this.#queue.splice(replaced, 1)[0]!.resolve(undefined);
    return this.#send(call, call, args) as Promise<Result<K> | undefined>;
  }

  #send(key: string, call: keyof Calls, args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ call, args, key, resolve, reject });
      this.#next();
    });
  }

  /** Ends what is going on, and starts anew with the same tokenizer and model. */
  stop(): void {
    this.#restart(new Error("stopped"));
  }

  #restart(reason: Error): void {
    this.#worker.terminate();
    this.#lastId++;
    this.#worker = this.#start();
    for (const waiting of this.#queue.splice(0)) waiting.key === "" ? waiting.reject(reason) : waiting.resolve(undefined);
    this.#finish((waiting) => waiting.reject(reason));
    // If they are stopped, too, the next restart repeats them.
    for (const [call, args] of this.#setUp) this.#send("", call, args).catch(() => undefined);
  }
}
