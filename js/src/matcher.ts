import { ENUMS, STRUCTS } from "./abi.js";
import { bitmaskOf, describe, float32Of, hasWords, isA, isArray, itemsOf, readList, textOrBytes, tokenIds, typedArrayName, wholeNumber } from "./arguments.js";
import { check, inJavaScript } from "./diagnostics.js";
import { codeOf, GrammarError, invalid } from "./errors.js";
import { CompiledGrammar } from "./compiler.js";
import { camel, newStruct, readLimits, readOptions, readStruct, writeOptions, type KbnfOptions, type Limits, type MatcherOptions, type StateStats } from "./options.js";
import { Handle, handleOf, isHandle, Owned, withArena, type Arena, type Runtime } from "./runtime.js";
import { textOf, wholeCharacters } from "./text.js";
import { TokenizerInfo } from "./tokenizer-info.js";

const OK = 0;
const INVALID = 1;
const LIMIT = 5;
const REFUSED = 8;
const TERMINATED = 9;
const NOT_FOUND = 10;

/** A part of the output that the grammar names. `start` and `end` are byte positions in `textBytes()`. */
export interface Capture {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** False if the capture has begun but has not ended. */
  readonly complete: boolean;
}

/** What the grammar allows next, in a readable form. */
export interface Expectation {
  readonly terminals: readonly string[];
  /** The allowed next bytes, ascending. */
  readonly bytes: Uint8Array;
  /** True if the output may end here or has ended. */
  readonly end: boolean;
}

export interface TokenExplanation {
  readonly allowed: boolean;
  /** The number of the token's bytes that the grammar allows. */
  readonly bytesMatched: number;
  readonly reason: string;
  readonly expected: Expectation;
}

/** A part of a completion: text, or a special token. */
export type CompletionPart = { readonly text: string; readonly token?: undefined } | { readonly text?: undefined; readonly token: number };

/** The result of accepting a drafted token. */
export type DraftStep = "ok" | "refused" | "terminated" | "limit_exceeded" | "invalid_argument";

const CAPTURE = STRUCTS.capture.fields;
const PART = STRUCTS.completion_part.fields;

const MOST_TOKENS = 0xffffffff;

/** Returns the number of words of a mask: ceil(vocabSize / 32). */
export function bitmaskWords(vocabSize: number): number {
  return Math.ceil(wholeNumber(vocabSize, "vocabSize", MOST_TOKENS) / 32);
}

/** Returns masks that allow everything: `rows` rows of `bitmaskWords(vocabSize)` words, one after another. */
export function allocateTokenBitmask(rows: number, vocabSize: number): Int32Array {
  const words = bitmaskWords(wholeNumber(vocabSize, "vocabSize", MOST_TOKENS, 1));
  try {
    return new Int32Array(wholeNumber(rows, "rows", MOST_TOKENS) * words).fill(-1);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new GrammarError("out_of_memory", `there is no memory for ${rows} masks of ${words} words`);
  }
}

/** Returns true if the token's bit is set: bit `token % 32` of word `token / 32`. Tokens beyond the mask are not allowed. */
export function isTokenInBitmask(bitmask: Int32Array | Uint32Array, token: number): boolean {
  if (!(isA(bitmask, Int32Array) || isA(bitmask, Uint32Array)) || bitmask.length === 0) bitmask = bitmaskOf(bitmask, "bitmask");
  if (!(Number.isInteger(token) && token >= 0 && token <= MOST_TOKENS)) wholeNumber(token, "token", MOST_TOKENS);
  return ((bitmask[token >>> 5]! >>> (token & 31)) & 1) !== 0;
}

/** Returns the number of allowed tokens in a mask. */
export function countBitmask(bitmask: Int32Array | Uint32Array): number {
  let count = 0;
  for (let word of bitmaskOf(bitmask, "bitmask")) for (; word !== 0; word &= word - 1) count++;
  return count;
}

/**
 * Sets the logits of all tokens that the mask does not allow to minus infinity. Tokens beyond the mask are not allowed.
 * Cost: linear in the number of logits; words that allow everything or nothing are fast.
 * @param logits one row: a Float32Array, a Float64Array, a Float16Array or an array of numbers
 * @param bitmask the row's mask, which may have fewer tokens than there are logits, but no word beyond them
 * @throws GrammarError `invalid_argument`: arrays of other types or lengths
 */
export function applyTokenBitmaskInplace(logits: Float32Array | Float64Array | number[], bitmask: Int32Array | Uint32Array): void {
  const type = typedArrayName(logits);
  if (type !== "Float32Array" && type !== "Float64Array" && type !== "Float16Array" && !isArray(logits)) {
    throw invalid(`\`logits\` must be a Float32Array, a Float64Array, a Float16Array or an array of numbers, not ${describe(logits)}`);
  }
  const words = bitmaskOf(bitmask, "bitmask");
  const size = logits.length;
  if (words.length === 0 || words.length > Math.ceil(size / 32)) {
    throw invalid(`\`bitmask\` has ${words.length} words, and ${size} logits have ${Math.ceil(size / 32)}`, "give one row of the masks and one row of the logits");
  }
  if (isArray(logits) && (typeof logits[0] !== "number" || typeof logits[size - 1] !== "number")) throw invalid("`logits` must be an array of numbers");
  const end = Math.min(size, 32 * words.length);
  for (let base = 0, i = 0; base < end; base += 32, i++) {
    const word = words[i]! | 0;
    if (word === -1) continue;
    const stop = Math.min(base + 32, size);
    if (word === 0) logits.fill(-Infinity, base, stop);
    else for (let token = base; token < stop; token++) if (((word >>> (token - base)) & 1) === 0) logits[token] = -Infinity;
  }
  if (end < size) logits.fill(-Infinity, end);
}

/**
 * Masks the logits of a model for a tokenizer. Added special tokens of some tokenizers are beyond the model's logits, which
 * therefore may be fewer than the mask has bits; all other tokens must have one. A mask without a token of the model is an
 * error: minus infinity everywhere would have a sampler take any token.
 * @param label what the logits are of, for errors
 */
export function applyMask(logits: Float32Array, bitmask: Int32Array, info: TokenizerInfo, label = ""): void {
  const least = info.textTokenEnd;
  if (logits.length < least) throw invalid(`there are ${logits.length} logits, and the tokenizer has ${least} tokens`, "the grammar was compiled for another tokenizer");
  const words = bitmask.subarray(0, Math.ceil(logits.length / 32));
  const beyond = 32 * words.length - logits.length;  // bits of the last word that have no logit
  if (!words.some((word, i) => (i + 1 === words.length && beyond > 0 ? word << beyond : word) !== 0)) {
    throw new GrammarError("unsatisfiable", `${label}no token can come next: the vocabulary has none that the grammar allows here`,
      { hint: "if the output is complete, the tokenizer needs a stop token (`stopTokenIds`)" });
  }
  applyTokenBitmaskInplace(logits, words);
}

/** Returns the mask as an array of the same memory. Throws unless it has `words` words. */
function checkedBitmask(bitmask: unknown, words: number, name = "bitmask"): Int32Array | Uint32Array {
  const array = bitmaskOf(bitmask, name);
  if (array.length !== words) throw invalid(`\`${name}\` has ${array.length} words, not ${words}`, "ceil(vocabSize / 32) words a row: `allocateTokenBitmask`");
  return array;
}

/** Returns the limit that a matcher's message names, or "". */
const limitOf = (message: string) => /`(\w+)`/.exec(message)?.[1] ?? "";

/** Memory of the module for one mask, one block for each runtime. Each mask is copied from it at once. */
const scratch = new WeakMap<Runtime, { at: number; bytes: number }>();
function scratchMemory(runtime: Runtime, bytes: number): number {
  let memory = scratch.get(runtime);
  if (!memory || memory.bytes < bytes) {
    if (memory) runtime.exports.free(memory.at);
    scratch.delete(runtime);
    memory = { at: runtime.allocate(bytes), bytes };
    scratch.set(runtime, memory);
  }
  return memory.at;
}

/**
 * Matches one output, token by token.
 *
 *     const matcher = new GrammarMatcher(compiled, { maxTokens: 500 });
 *     const bitmask = allocateTokenBitmask(1, info.vocabSize);
 *     while (!matcher.isTerminated()) {
 *       matcher.fillNextTokenBitmask(bitmask);
 *       applyTokenBitmaskInplace(logits, bitmask);
 *       if (!matcher.acceptToken(sample(logits))) break;
 *     }
 *
 * If the tokenizer has no stop token, no token is allowed after the output, and the last line ends the loop.
 * Methods throw GrammarError with code `terminated` after a stop token, when only `rollback` and `reset` are possible,
 * and with code `limit_exceeded` if a field of `Limits` was exceeded. A call that throws has changed nothing.
 */
export class GrammarMatcher extends Handle {
  readonly compiledGrammar: CompiledGrammar;
  readonly #words: number;

  /** @throws GrammarError `unsupported`: the tokenizer or the grammar does not support canonical tokenization */
  constructor(compiled: CompiledGrammar, options?: MatcherOptions);
  /** @internal */
  constructor(compiled: CompiledGrammar, options: undefined, owned: Owned);
  constructor(compiled: CompiledGrammar, options?: MatcherOptions, owned?: Owned) {
    const grammar = handleOf(compiled, CompiledGrammar, "compiled", "a GrammarCompiler compiles grammars");
    const given = readOptions("matcher_options", options);
    const { runtime } = grammar;
    super(owned ?? withArena(runtime, (arena) => {
      const status = runtime.exports.weir_matcher_create_with_error(grammar.pointer, writeOptions(arena, given), runtime.out, runtime.err);
      check(arena, status, "", "<options>");
      return runtime.owned();
    }), "weir_matcher_free");
    this.compiledGrammar = grammar;
    this.#words = bitmaskWords(grammar.tokenizerInfo.vocabSize);
  }

  get vocabSize(): number {
    return this.compiledGrammar.tokenizerInfo.vocabSize;
  }

  #fail(status: number): GrammarError {
    if (status === LIMIT) {
      const { runtime } = this;
      runtime.exports.weir_matcher_limit_message(this.pointer, runtime.out);
      const message = runtime.ownedText(runtime.out);
      const limit = limitOf(message);
      return new GrammarError("limit_exceeded", inJavaScript(message, { limit }), { limit: camel(limit) });
    }
    if (status === TERMINATED) return new GrammarError("terminated", "the output has ended with a stop token", { hint: "`rollback` or `reset` first" });
    return new GrammarError(codeOf(status), "the call was refused");
  }

  /**
   * Writes the set of allowed next tokens: bit `t % 32` of word `t / 32` of row `index`.
   * @param bitmask rows of `bitmaskWords(vocabSize)` words
   * Cost: a copy if the state's mask is known; otherwise the mask is computed.
   */
  fillNextTokenBitmask(bitmask: Int32Array | Uint32Array, index = 0): void {
    const words = this.#words;
    if (index !== 0 || !hasWords(bitmask, words)) bitmask = this.#rowOf(bitmask, index);
    const { runtime, pointer } = this;
    const status = runtime.run(() => {
      const at = scratchMemory(runtime, 4 * words);
      const found = runtime.exports.weir_matcher_fill_next_token_bitmask(pointer, at, words);
      if (found === OK) bitmask.set(bitmask instanceof Int32Array ? new Int32Array(runtime.exports.memory.buffer, at, words) : runtime.words(at, words));
      return found;
    });
    if (status !== OK) throw this.#fail(status);
  }

  /** Returns row `index` of masks as an array of the same memory. */
  #rowOf(bitmask: unknown, index: unknown): Int32Array | Uint32Array {
    const words = this.#words;
    const rows = bitmaskOf(bitmask, "bitmask");
    const count = Math.max(1, Math.floor(rows.length / words));
    checkedBitmask(rows, count * words);
    const row = wholeNumber(index, "index", count - 1, 0, `\`bitmask\` has ${count === 1 ? "one row" : `${count} rows`} of ${words} words`);
    return rows.subarray(row * words, (row + 1) * words);
  }

  /** Returns the set of allowed next tokens as a new array of `bitmaskWords(vocabSize)` words. */
  nextTokenBitmask(): Int32Array {
    const { runtime, pointer } = this;
    const words = this.#words;
    let bitmask: Int32Array | undefined;
    const status = runtime.run(() => {
      const at = scratchMemory(runtime, 4 * words);
      const found = runtime.exports.weir_matcher_fill_next_token_bitmask(pointer, at, words);
      // A slice is not zeroed first, as a new array is.
      if (found === OK) bitmask = new Int32Array(runtime.exports.memory.buffer, at, words).slice();
      return found;
    });
    if (bitmask === undefined) throw this.#fail(status);
    return bitmask;
  }

  /** Returns the id of the next mask, equal for equal masks of one compiled grammar; undefined if it has none. */
  nextTokenMaskId(): bigint | undefined {
    const { runtime, pointer } = this;
    return runtime.run(() => {
      const status = runtime.exports.weir_matcher_next_token_mask_id(pointer, runtime.out);
      return status === OK ? runtime.view.getBigUint64(runtime.out, true) : undefined;
    });
  }

  /**
   * Writes the mask after each node of a tree of drafted tokens. Node `i` is `tokens[i]` after node `parents[i]`, which
   * is less than `i`, or -1 for the matcher's current position. The matcher does not change.
   * @param bitmasks one row for each node; all zero unless its step is `"ok"`
   * @returns the result of accepting each node's token
   */
  fillDraftTreeBitmasks(tokens: ArrayLike<number>, parents: ArrayLike<number>, bitmasks: Int32Array | Uint32Array): DraftStep[] {
    const ids = tokenIds(tokens, "tokens");
    let node = 0;
    const isNode = (parent: unknown, name: string) =>
      wholeNumber(typeof parent === "bigint" ? Number(parent) : parent, name, node++ - 1, -1, "a parent is a node before, or -1, the current position");
    const before = Int32Array.from(readList(typedArrayName(parents) ? itemsOf(parents, "parents") : parents, "parents", "numbers", isNode));
    if (before.length !== ids.length) throw invalid(`\`parents\` has ${before.length} entries, not ${ids.length}`);
    const masks = checkedBitmask(bitmasks, ids.length * this.#words, "bitmasks");
    return withArena(this.runtime, (arena) => {
      const { exports } = this.runtime;
      const rows = arena.allocate(4 * masks.length);
      const steps = arena.allocate(4 * ids.length);
      const status = exports.weir_matcher_fill_draft_tree_bitmasks(this.pointer, arena.words(ids), arena.words(before), ids.length, rows, masks.length, steps);
      if (status !== OK) throw this.#fail(status);
      masks.set(new Int32Array(exports.memory.buffer, rows, masks.length));
      return Array.from(this.runtime.words(steps, ids.length), (step) => ENUMS.status[step] as DraftStep);
    });
  }

  isTokenAllowed(token: number): boolean {
    this.compiledGrammar.tokenizerInfo.checkId(token);
    const { runtime, pointer } = this;
    return runtime.run(() => {
      const status = runtime.exports.weir_matcher_is_token_allowed(pointer, token, runtime.out);
      if (status !== OK) throw this.#fail(status);
      return runtime.view.getUint8(runtime.out) !== 0;
    });
  }

  /** Appends a token. Returns false, and changes nothing, if it is not allowed. */
  acceptToken(token: number): boolean {
    if (!(Number.isInteger(token) && token >= 0 && token < this.vocabSize)) this.compiledGrammar.tokenizerInfo.checkId(token);
    const { runtime, pointer } = this;
    const status = runtime.run(() => runtime.exports.weir_matcher_accept_token(pointer, token));
    if (status === OK) return true;
    if (status === REFUSED) return false;
    throw this.#fail(status);
  }

  #acceptText(call: "weir_matcher_accept_bytes" | "weir_matcher_accept_text", text: string | Uint8Array): boolean {
    const given = textOrBytes(text, "text");
    const status = withArena(this.runtime, (arena) => this.runtime.exports[call](this.pointer, arena.text(given)));
    if (status === OK) return true;
    if (status === REFUSED) return false;
    if (status === INVALID) throw invalid(call === "weir_matcher_accept_bytes" ? "with canonical tokenization bytes have no tokens" : "the tokenizer has no tokens for the text",
      call === "weir_matcher_accept_bytes" ? "`acceptText`" : "");
    throw this.#fail(status);
  }
  /** Appends a text or bytes as one step. Returns false, and changes nothing, if they are not allowed. */
  acceptString(text: string | Uint8Array): boolean {
    return this.#acceptText("weir_matcher_accept_bytes", text);
  }
  /** Appends the tokens of a text, one step each. Returns false, and changes nothing, if they are not allowed. */
  acceptText(text: string | Uint8Array): boolean {
    return this.#acceptText("weir_matcher_accept_text", text);
  }
  /** Returns the length in bytes of the longest prefix of `bytes` that is allowed. Changes nothing. */
  longestViablePrefix(bytes: string | Uint8Array): number {
    const given = textOrBytes(bytes, "bytes");
    return withArena(this.runtime, (arena) => {
      const status = this.runtime.exports.weir_matcher_longest_viable_prefix(this.pointer, arena.text(given), this.runtime.out);
      if (status !== OK) throw this.#fail(status);
      return this.runtime.u32(this.runtime.out);
    });
  }

  /** Removes the last `steps` steps, including stop tokens. */
  rollback(steps = 1): void {
    const { runtime, pointer } = this;
    wholeNumber(steps, "steps", Number.MAX_SAFE_INTEGER);
    const status = runtime.run(() => steps > 0xffffffff ? INVALID : runtime.exports.weir_matcher_rollback(pointer, steps));
    if (status === LIMIT) throw this.#fail(status);
    if (status !== OK) throw invalid(`${steps} steps cannot be taken back; there are ${this.stepCount}`);
  }
  /** Returns to the beginning of the output. */
  reset(): void {
    const { runtime, pointer } = this;
    runtime.run(() => runtime.exports.weir_matcher_reset(pointer));
  }
  /** Returns a second matcher in the same state. */
  fork(): GrammarMatcher {
    return withArena(this.runtime, (arena) => {
      check(arena, this.runtime.exports.weir_matcher_fork(this.pointer, this.runtime.out));
      return new GrammarMatcher(this.compiledGrammar, undefined, this.runtime.owned());
    });
  }
  /** The number of accepted steps, including the stop token. */
  get stepCount(): number {
    return this.runtime.exports.weir_matcher_step_count(this.pointer);
  }
  /** The tokens that end the output, ascending. */
  get stopTokenIds(): Uint32Array {
    const { runtime, pointer } = this;
    return runtime.run(() => {
      const count = runtime.exports.weir_matcher_stop_token_ids(pointer, runtime.out);
      return runtime.words(runtime.u32(runtime.out), count).slice();
    });
  }
  /** True if a stop token was accepted. */
  isTerminated(): boolean {
    return this.runtime.exports.weir_matcher_is_terminated(this.pointer) !== 0;
  }
  /** True if the output may end here. */
  isCompleted(): boolean {
    const { runtime, pointer } = this;
    return runtime.run(() => runtime.exports.weir_matcher_is_completed(pointer) !== 0);
  }

  #ownedBytes(call: "weir_matcher_find_jump_forward_string" | "weir_matcher_shortest_completion" | "weir_matcher_text"): Uint8Array | undefined {
    const { runtime, pointer } = this;
    return runtime.run(() => {
      const status = runtime.exports[call](pointer, runtime.out);
      if (status === NOT_FOUND) return undefined;
      const bytes = runtime.ownedBytes(runtime.out);
      if (status !== OK && status !== LIMIT) throw this.#fail(status);
      return bytes;
    });
  }
  /** Returns the bytes with which every continuation begins. They may end within a character. */
  findJumpForwardBytes(): Uint8Array {
    return this.#ownedBytes("weir_matcher_find_jump_forward_string")!;
  }
  /** Returns the text with which every continuation begins, as whole characters; "" if the output ends within a character. */
  findJumpForwardString(): string {
    return wholeCharacters(this.findJumpForwardBytes());
  }
  /** Returns those tokens of the forced bytes that the tokenizer writes whatever text follows. */
  forcedTokens(): Uint32Array {
    const { runtime, pointer } = this;
    return runtime.run(() => {
      runtime.exports.weir_matcher_forced_tokens(pointer, runtime.out);
      const ids = runtime.words(runtime.u32(runtime.out), runtime.u32(runtime.out + 4)).slice();
      runtime.exports.weir_token_ids_free(runtime.out);
      return ids;
    });
  }
  /** Returns a short text that completes the output, or undefined; then `shortestCompletionParts` may have a result. */
  shortestCompletion(): string | undefined {
    const bytes = this.#ownedBytes("weir_matcher_shortest_completion");
    return bytes && textOf(bytes);
  }
  /** Returns a short completion of texts and special tokens, or undefined if there is none. */
  shortestCompletionParts(): CompletionPart[] | undefined {
    return withArena(this.runtime, (arena) => {
      const { runtime } = this;
      const status = runtime.exports.weir_matcher_shortest_completion_parts(this.pointer, runtime.out);
      if (status === NOT_FOUND) return undefined;
      if (status !== OK) throw this.#fail(status);
      const completion = runtime.u32(runtime.out);
      const at = arena.allocate(STRUCTS.completion_part.size);
      const parts: CompletionPart[] = [];
      for (let i = 0; i < runtime.exports.weir_completion_part_count(completion); i++) {
        runtime.exports.weir_completion_part_at(completion, i, at);
        const isToken = runtime.view.getUint8(at + PART.is_token[0]) !== 0;
        parts.push(isToken ? { token: runtime.u32(at + PART.token[0]) } : { text: runtime.text(at + PART.text[0]) });
      }
      runtime.exports.weir_completion_free(completion);
      return parts;
    });
  }
  /** Returns the bytes of the output so far. Special tokens add no bytes. */
  textBytes(): Uint8Array {
    return this.#ownedBytes("weir_matcher_text")!;
  }
  text(): string {
    return textOf(this.textBytes());
  }
  /** Returns the parts of the output that the grammar names, outer ones before inner ones. */
  captures(): Capture[] {
    return withArena(this.runtime, (arena) => {
      const { runtime } = this;
      const status = runtime.exports.weir_matcher_captures(this.pointer, runtime.out);
      if (status !== OK) throw this.#fail(status);
      const captures = runtime.u32(runtime.out);
      const at = arena.allocate(STRUCTS.capture.size);
      const text = this.textBytes();
      const out: Capture[] = [];
      for (let i = 0; i < runtime.exports.weir_captures_count(captures); i++) {
        runtime.exports.weir_captures_at(captures, i, at);
        const start = runtime.u32(at + CAPTURE.begin[0]);
        const end = runtime.u32(at + CAPTURE.end[0]);
        out.push({
          name: runtime.text(at + CAPTURE.name[0]),
          start,
          end,
          // Decoded when it is asked for: the texts of nested captures together would be quadratic.
          get text() { return textOf(text.subarray(start, end)); },
          complete: runtime.view.getUint8(at + CAPTURE.complete[0]) !== 0,
        });
      }
      runtime.exports.weir_captures_free(captures);
      return out;
    });
  }
  /** The temperature that the grammar sets for the next token, or undefined. */
  get temperature(): number | undefined {
    const { runtime, pointer } = this;
    return runtime.run(() => {
      const status = runtime.exports.weir_matcher_temperature(pointer, runtime.out);
      return status === OK ? runtime.view.getFloat32(runtime.out, true) : undefined;
    });
  }

  #expectation(arena: Arena, expectation: number): Expectation {
    const { runtime } = this;
    const at = arena.allocate(8);
    const terminals: string[] = [];
    for (let i = 0; i < runtime.exports.weir_expectation_terminal_count(expectation); i++) {
      runtime.exports.weir_expectation_terminal(expectation, i, at);
      terminals.push(runtime.text(at));
    }
    runtime.exports.weir_expectation_bytes(at, expectation);
    return { terminals, bytes: runtime.textBytes(at).slice(), end: runtime.exports.weir_expectation_end(expectation) !== 0 };
  }
  /** Returns what the grammar allows next, in a readable form. */
  expected(): Expectation {
    return withArena(this.runtime, (arena) => {
      const { runtime } = this;
      const status = runtime.exports.weir_matcher_expected(this.pointer, runtime.out);
      if (status !== OK) throw this.#fail(status);
      const expectation = runtime.u32(runtime.out);
      const out = this.#expectation(arena, expectation);
      runtime.exports.weir_expectation_free(expectation);
      return out;
    });
  }
  /** Explains why a token is allowed or not. `token` may be outside the vocabulary. */
  explain(token: number): TokenExplanation {
    wholeNumber(token, "token", MOST_TOKENS);
    return withArena(this.runtime, (arena) => {
      const { runtime } = this;
      const { exports } = runtime;
      const status = exports.weir_matcher_explain(this.pointer, token, runtime.out);
      if (status !== OK) throw this.#fail(status);
      const explanation = runtime.u32(runtime.out);
      exports.weir_explanation_reason(runtime.out, explanation);
      const out = {
        allowed: exports.weir_explanation_allowed(explanation) !== 0,
        bytesMatched: exports.weir_explanation_bytes_matched(explanation),
        reason: inJavaScript(runtime.text(runtime.out), {}),
        expected: this.#expectation(arena, exports.weir_explanation_expected(explanation)),
      };
      exports.weir_explanation_free(explanation);
      return out;
    });
  }
  /** Returns counts about the state, for inspection. */
  stateStats(): StateStats {
    return withArena(this.runtime, (arena) => {
      const at = newStruct(arena, "state_stats");
      check(arena, this.runtime.exports.weir_matcher_state_stats(this.pointer, at));
      return readStruct<StateStats>(arena, "state_stats", at);
    });
  }
  /** The id of the state. Equal configurations have equal ids. */
  get stateId(): number {
    const { runtime, pointer } = this;
    return runtime.run(() => runtime.exports.weir_matcher_state_id(pointer) >>> 0);
  }
  /** Returns which limit the last call exceeded, and what to do; empty if it exceeded none. */
  limitMessage(): string {
    const { runtime, pointer } = this;
    return runtime.run(() => {
      runtime.exports.weir_matcher_limit_message(pointer, runtime.out);
      const message = runtime.ownedText(runtime.out);
      return inJavaScript(message, { limit: limitOf(message) });
    });
  }
}

/** Calls a method of each matcher of a batch. All belong to one instance of the module. `null` is a row without a grammar. */
export class BatchGrammarMatcher {
  readonly #batches = new WeakMap<Runtime, number>();

  #run(matchers: readonly (GrammarMatcher | null)[], runtime: Runtime | undefined, body: (arena: Arena, batch: number, pointers: number, steps: number) => number): DraftStep[] {
    if (!runtime) return matchers.map(() => "ok");
    return withArena(runtime, (arena) => {
      const pointers = arena.words(matchers.map((matcher) => matcher?.pointer ?? 0));
      let batch = this.#batches.get(runtime);
      if (batch === undefined) {
        check(arena, runtime.exports.weir_batch_create(1, runtime.out));
        this.#batches.set(runtime, (batch = runtime.u32(runtime.out)));
        batches?.register(this, { runtime, batch });
      }
      const steps = arena.allocate(4 * matchers.length);
      const status = body(arena, batch, pointers, steps);
      if (status !== OK) throw invalid("the batch does not fit: one row of equal length for each matcher");
      return Array.from(runtime.words(steps, matchers.length), (step) => ENUMS.status[step] as DraftStep);
    });
  }

  /** Writes one row of `bitmask` for each matcher. Rows of `null` do not change. */
  fillNextTokenBitmasks(matchers: readonly (GrammarMatcher | null)[], bitmask: Int32Array | Uint32Array): DraftStep[] {
    const { list, runtime, vocabSize } = readMatchers(matchers);
    const masks = runtime ? checkedBitmask(bitmask, list.length * bitmaskWords(vocabSize)) : bitmaskOf(bitmask, "bitmask");
    return this.#run(list, runtime, (arena, batch, pointers, steps) => {
      const { exports } = arena.runtime;
      const rows = arena.words(masks);
      const status = exports.weir_batch_fill_next_token_bitmasks(batch, pointers, list.length, rows, masks.length, steps);
      if (status === OK) masks.set(new Int32Array(exports.memory.buffer, rows, masks.length));
      return status;
    });
  }
  /** Accepts one token for each matcher. */
  acceptTokens(matchers: readonly (GrammarMatcher | null)[], tokens: ArrayLike<number>): DraftStep[] {
    const { list, runtime } = readMatchers(matchers);
    const ids = tokenIds(tokens, "tokens");
    if (ids.length !== list.length) throw invalid(`\`tokens\` has ${ids.length} entries, not ${list.length}`);
    return this.#run(list, runtime, (arena, batch, pointers, steps) =>
      arena.runtime.exports.weir_batch_accept_tokens(batch, pointers, arena.words(ids), list.length, steps));
  }
}

/** Reads the matchers of a batch. `runtime` is undefined if all are `null`. */
function readMatchers(matchers: unknown): { list: (GrammarMatcher | null)[]; runtime: Runtime | undefined; vocabSize: number } {
  const list = readList(matchers, "matchers", "GrammarMatchers", (matcher, name) => (matcher === null ? null : handleOf(matcher, GrammarMatcher, name)));
  const given = list.filter((matcher) => matcher !== null);
  if (new Set(given).size !== given.length) throw invalid("a matcher is in the batch twice");
  const runtime = given[0]?.runtime;
  const vocabSize = given[0]?.vocabSize ?? 0;
  if (given.some((matcher) => matcher.runtime !== runtime)) throw invalid("the matchers belong to different instances of the module");
  if (given.some((matcher) => matcher.vocabSize !== vocabSize)) throw invalid("the matchers of a batch have vocabularies of different sizes");
  return { list, runtime, vocabSize };
}

const batches = typeof FinalizationRegistry === "function"
  ? new FinalizationRegistry(({ runtime, batch }: { runtime: Runtime; batch: number }) => {
      if (!runtime.lost && !runtime.isEntered) runtime.exports.weir_batch_free(batch);
    })
  : undefined;

export type KbnfResult = (typeof ENUMS.kbnf_result)[number];

/** Throws unless `token` is a number that the module can take for a token id; the engine has results for unknown ids. */
function checkNumber(token: unknown): void {
  wholeNumber(token, "token", 0xffffffff);
}

/** An engine with kbnf's calls: docs/compat.md. */
export class KbnfEngine extends Handle {
  /** Creates an engine from a grammar's text or from a compiled grammar. */
  constructor(grammar: string | CompiledGrammar, tokenizerInfo?: TokenizerInfo, options?: KbnfOptions, limits?: Limits) {
    const text = typeof grammar === "string" ? grammar : undefined;
    const given: unknown = text === undefined ? grammar : tokenizerInfo;
    const owner = text === undefined ? (isHandle(given, CompiledGrammar) ? given : undefined) : isHandle(given, TokenizerInfo) ? given : undefined;
    if (!owner) throw invalid(`an engine needs a grammar's text and a TokenizerInfo, or a CompiledGrammar, not ${describe(given)}`);
    if (text === undefined && (options !== undefined || limits !== undefined)) throw invalid("a compiled grammar has its own options and limits", "leave out `options` and `limits`");
    const read = readOptions("kbnf_options", options);
    const under = readLimits(limits);
    const { runtime } = owner;
    super(withArena(runtime, (arena) => {
      const { exports, out, err } = runtime;
      if (text === undefined) check(arena, exports.weir_kbnf_engine_of(owner.pointer, out));
      else check(arena, exports.weir_kbnf_engine_create(owner.pointer, arena.text(text), writeOptions(arena, read), writeOptions(arena, under), out, err), text, "<grammar>");
      return runtime.owned();
    }), "weir_kbnf_engine_free");
  }
  #result(call: (out: number) => number): KbnfResult {
    const { runtime } = this;
    return runtime.run(() => {
      const status = call(runtime.out);
      if (status !== OK) throw new GrammarError(codeOf(status), "the call was refused");
      return ENUMS.kbnf_result[runtime.u32(runtime.out)]!;
    });
  }
  tryAcceptNewToken(token: number): KbnfResult {
    checkNumber(token);
    return this.#result((out) => this.runtime.exports.weir_kbnf_engine_try_accept_new_token(this.pointer, token, out));
  }
  tryAcceptNewBytes(bytes: string | Uint8Array): KbnfResult {
    const given = textOrBytes(bytes, "bytes");
    return withArena(this.runtime, (arena) => this.#result((out) => this.runtime.exports.weir_kbnf_engine_try_accept_new_bytes(this.pointer, arena.text(given), out)));
  }
  computeAllowedTokenIds(): KbnfResult {
    return this.#result((out) => this.runtime.exports.weir_kbnf_engine_compute_allowed_token_ids(this.pointer, out));
  }
  #ids(call: "weir_kbnf_engine_allowed_token_ids" | "weir_kbnf_engine_disallowed_token_ids"): Uint32Array {
    const { runtime } = this;
    return runtime.run(() => {
      runtime.exports[call](this.pointer, runtime.out);
      const ids = runtime.words(runtime.u32(runtime.out), runtime.u32(runtime.out + 4)).slice();
      runtime.exports.weir_token_ids_free(runtime.out);
      return ids;
    });
  }
  allowedTokenIds(): Uint32Array {
    return this.#ids("weir_kbnf_engine_allowed_token_ids");
  }
  disallowedTokenIds(): Uint32Array {
    return this.#ids("weir_kbnf_engine_disallowed_token_ids");
  }
  checkIfTokenIsAllowed(token: number): boolean {
    checkNumber(token);
    return this.runtime.exports.weir_kbnf_engine_check_if_token_is_allowed(this.pointer, token) !== 0;
  }
  /** Returns a copy of the last computed mask. */
  allowedTokenBitmask(): Int32Array {
    const { runtime } = this;
    return runtime.run(() => {
      const words = runtime.exports.weir_kbnf_engine_allowed_token_bitmask(this.pointer, runtime.out);
      return new Int32Array(runtime.exports.memory.buffer, runtime.u32(runtime.out), words).slice();
    });
  }
  #logits(logits: Float32Array, call: (at: number, length: number, out: number) => number): KbnfResult {
    const given = float32Of(logits, "logits");
    return withArena(this.runtime, (arena) => {
      const at = arena.copy(new Uint8Array(given.buffer, given.byteOffset, given.byteLength));
      const result = this.#result((out) => call(at, given.length, out));
      given.set(new Float32Array(this.runtime.exports.memory.buffer, at, given.length));
      return result;
    });
  }
  maskLogits(logits: Float32Array): KbnfResult {
    return this.#logits(logits, (at, length, out) => this.runtime.exports.weir_kbnf_engine_mask_logits(this.pointer, at, length, out));
  }
  updateLogits(token: number, logits: Float32Array): KbnfResult {
    checkNumber(token);
    return this.#logits(logits, (at, length, out) => this.runtime.exports.weir_kbnf_engine_update_logits(this.pointer, token, at, length, out));
  }
  isFinished(): boolean {
    return this.runtime.exports.weir_kbnf_engine_is_finished(this.pointer) !== 0;
  }
  reset(): void {
    this.runtime.run(() => this.runtime.exports.weir_kbnf_engine_reset(this.pointer));
  }
}
