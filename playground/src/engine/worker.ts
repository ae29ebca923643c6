// The Worker: answers each request of protocol.ts with what the engine returns.
import { GrammarError, init } from "weir";
import { Engine } from "./engine.js";
import type { Answer, Request } from "./protocol.js";

const engine = init().then(() => new Engine());

addEventListener("message", async ({ data: { id, call, args } }: MessageEvent<Request>) => {
  let answer: Answer;
  try {
    const method = (await engine)[call] as (...args: unknown[]) => unknown;
    answer = { id, result: method.apply(await engine, args) };
  } catch (error) {
    const message = String((error as Error).message ?? error);
    const hint = error instanceof GrammarError && error.hint !== "" ? `; ${error.hint}` : "";
    answer = { id, error: message + hint, isLost: message.endsWith("the objects that were in it are gone") };
  }
  postMessage(answer);
});
