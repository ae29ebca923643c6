// A logit processor for web-llm's public interface:
// `engine.setLogitProcessorRegistry(new Map([[modelId, processor]]))`. An application that bundles weir in place of
// web-xgrammar (weir/plugin) does not need it.
import { float32Of } from "./arguments.js";
import { GrammarError } from "./errors.js";
import type { CompiledGrammar } from "./compiler.js";
import { applyMask, bitmaskWords, GrammarMatcher } from "./matcher.js";
import type { MatcherOptions } from "./options.js";

/** Implements the interface `LogitProcessor` of @mlc-ai/web-llm. */
export class WebLLMLogitProcessor {
  readonly matcher: GrammarMatcher;
  readonly #bitmask: Int32Array;
  constructor(compiled: CompiledGrammar, options?: MatcherOptions) {
    this.matcher = new GrammarMatcher(compiled, options);
    this.#bitmask = new Int32Array(bitmaskWords(this.matcher.vocabSize));
  }
  /**
   * Masks the logits in place and returns them. After the end of the output only stop tokens are allowed.
   * @throws GrammarError the logits have not one number for each token of the vocabulary
   */
  processLogits = (logits: Float32Array): Float32Array => {
    if (this.matcher.isTerminated()) {
      const stops = this.matcher.stopTokenIds;
      this.#bitmask.fill(0);
      for (const id of stops) this.#bitmask[id >>> 5]! |= 1 << (id & 31);
    } else {
      this.matcher.fillNextTokenBitmask(this.#bitmask);
    }
    applyMask(float32Of(logits, "logits"), this.#bitmask, this.matcher.compiledGrammar.tokenizerInfo);
    return logits;
  };
  /** @throws GrammarError the token is not allowed: it was not sampled from the masked logits */
  processSampledToken = (token: number): void => {
    if (this.matcher.isTerminated()) return;
    if (!this.matcher.acceptToken(token)) throw new GrammarError("invalid_argument", `token ${token} is not allowed: ${this.matcher.explain(token).reason}`);
  };
  resetState = (): void => {
    this.matcher.reset();
  };
}
