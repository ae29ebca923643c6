// The Worker's side of WorkerCompiler: answers messages, whose format worker-compiler.ts describes.
import { CompiledGrammar, GrammarCompiler } from "./compiler.js";
import { GrammarError, invalid } from "./errors.js";
import { bitmaskWords, GrammarMatcher } from "./matcher.js";
import { init } from "./runtime.js";
import { TokenizerInfo } from "./tokenizer-info.js";
import type { Answer, Request } from "./worker-compiler.js";

interface Port {
  postMessage(message: unknown, transfer?: readonly ArrayBufferLike[]): void;
  onMessage(listener: (request: Request) => void): void;
}

async function openPort(): Promise<Port> {
  if (typeof postMessage === "function" && typeof addEventListener === "function") {
    return {
      postMessage: (message, transfer = []) => (postMessage as (m: unknown, t: unknown) => void)(message, transfer),
      onMessage: (listener) => addEventListener("message", (event) => listener((event as MessageEvent<Request>).data)),
    };
  }
  const { parentPort } = await import(/* webpackIgnore: true */ "node:worker_threads");
  return {
    postMessage: (message, transfer = []) => parentPort!.postMessage(message, transfer as never),
    onMessage: (listener) => parentPort!.on("message", listener),
  };
}

const objects = new Map<number, GrammarCompiler | CompiledGrammar | GrammarMatcher>();
let lastId = 0;
function store(object: GrammarCompiler | CompiledGrammar | GrammarMatcher): number {
  objects.set(++lastId, object);
  return lastId;
}

async function answer(request: Request): Promise<unknown> {
  if (request.call === "start") {
    await init(request.module);
    const info = TokenizerInfo.deserialize(request.tokenizer);
    const compiler = new GrammarCompiler(info, request.limits);
    info.dispose();
    return store(compiler);
  }
  const object = objects.get(request.target);
  if (!object) throw invalid("the object is disposed of");
  if (request.call === "dispose") {
    objects.delete(request.target);
    return object.dispose();
  }
  if (request.call === "matcher") return store(new GrammarMatcher(object as CompiledGrammar, request.options));
  if (request.call === "fork") return store((object as GrammarMatcher).fork());
  if (request.call === "mask") {
    const bitmask = new Int32Array(bitmaskWords((object as GrammarMatcher).vocabSize));
    (object as GrammarMatcher).fillNextTokenBitmask(bitmask);
    return bitmask;
  }
  const method = (object as unknown as Record<string, (...args: unknown[]) => unknown>)[request.method]!;
  const result = method.apply(object, request.args);
  return result instanceof CompiledGrammar ? { id: store(result), warnings: result.warnings } : result;
}

// Bundlers write Workers as classic scripts, which have no `await` at the top.
void openPort().then((port) => port.onMessage(async (request) => {
  let message: Answer;
  try {
    message = { id: request.id, result: await answer(request) };
  } catch (error) {
    const { code, message: text, range, hint, limit, options, pointer, rendered, notes, fix } = error as GrammarError;
    message = error instanceof GrammarError ? { id: request.id, error: { code, message: text, details: { range, hint, limit, options, pointer, rendered, notes, fix } } }
      : { id: request.id, error: { code: "internal", message: String(error), details: {} } };
  }
  port.postMessage(message, message.result instanceof Int32Array ? [message.result.buffer] : []);
}));
