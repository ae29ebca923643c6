import { ENUMS } from "./abi.js";
import { check } from "./diagnostics.js";
import { bytesOf, checkedText, describe, isPlain, readList, textOrBytes, tokenId, tokenIds, waitHint } from "./arguments.js";
import { GrammarError, invalid } from "./errors.js";
import { readOptions, writeOptions, type TokenKind, type TokenizerOptions, type VocabOptions } from "./options.js";
import { Handle, Owned, runtime as instance, withArena } from "./runtime.js";
import { toJSONText } from "./schemas.js";
import { textOf } from "./text.js";

/** The content of a tokenizer file. */
export type FileBytes = Uint8Array | ArrayBuffer | string;

export interface TokensOptions extends TokenizerOptions, VocabOptions {}

const encoder = new TextEncoder();

function toBytes(data: unknown, name: string): Uint8Array {
  const bytes = typeof data === "string" ? encoder.encode(data) : bytesOf(data, name);
  if (!bytes) throw invalid(`\`${name}\` must be a Uint8Array, an ArrayBuffer or a string, not ${describe(data)}`, waitHint(data, "arrayBuffer"));
  return bytes;
}

/** The members of TokensOptions that belong to the options of all tokenizers. */
const OF_TOKENIZERS: readonly string[] = ["paddedVocabSize"];

/**
 * A tokenizer: the bytes of each token, the stop tokens, and the rules that split texts into tokens.
 *
 *     const info = TokenizerInfo.fromJSON(await (await fetch("tokenizer.json")).arrayBuffer());
 */
export class TokenizerInfo extends Handle {
  readonly #vocabSize: number;

  private constructor(owned: Owned) {
    super(owned, "weir_tokenizer_info_free", "`TokenizerInfo.fromJSON` and the like make it");
    this.#vocabSize = owned.runtime.exports.weir_tokenizer_info_vocab_size(owned.pointer);
  }

  /**
   * Reads a tokenizer file, whose format is recognised by its content: Hugging Face's tokenizer.json, tiktoken's ranks,
   * SentencePiece, GGUF, tekken. Cost: about 0.1 s for 100,000 tokens.
   * @throws GrammarError a file that cannot be used
   */
  static fromFile(data: FileBytes, options?: TokenizerOptions, name = "<tokenizer>"): TokenizerInfo {
    const bytes = toBytes(data, "data");
    const label = checkedText(name, "name");
    const given = readOptions("tokenizer_options", options);
    const runtime = instance();
    return withArena(runtime, (arena) => {
      const status = runtime.exports.weir_tokenizer_info_from_bytes(arena.text(bytes), arena.text(label), writeOptions(arena, given), runtime.out, runtime.err);
      check(arena, status, "", label);
      return new TokenizerInfo(runtime.owned());
    });
  }

  static #expecting(data: FileBytes, options: TokenizerOptions | undefined, name: string, is: (bytes: Uint8Array) => boolean): TokenizerInfo {
    const bytes = toBytes(data, "data");
    if (!is(bytes)) throw invalid(`this is no ${name}`, "`TokenizerInfo.fromFile` finds out which kind of file it is");
    return TokenizerInfo.fromFile(bytes, options, name);
  }
  static #isJSON(bytes: Uint8Array): boolean {
    let at = bytes[0] === 0xef ? 3 : 0;
    while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++;
    return bytes[at] === 0x7b;
  }

  /** Reads Hugging Face's tokenizer.json: its bytes, its text, or the parsed object. */
  static fromJSON(data: FileBytes | object, options?: TokenizerOptions): TokenizerInfo {
    return TokenizerInfo.#expecting(isPlain(data) ? toJSONText(data, "data") : (data as FileBytes), options, "tokenizer.json", TokenizerInfo.#isJSON);
  }
  /** Reads tiktoken's file of ranks. */
  static fromTiktoken(data: FileBytes, options?: TokenizerOptions): TokenizerInfo {
    return TokenizerInfo.#expecting(data, options, "file of tiktoken ranks", (bytes) => !TokenizerInfo.#isJSON(bytes));
  }
  /** Reads SentencePiece's tokenizer.model. */
  static fromSentencePiece(data: FileBytes, options?: TokenizerOptions): TokenizerInfo {
    return TokenizerInfo.#expecting(data, options, "SentencePiece model", (bytes) => bytes[0] === 0x0a);
  }
  /** Reads a GGUF file. The part before the tensors is enough. */
  static fromGGUF(data: FileBytes, options?: TokenizerOptions): TokenizerInfo {
    return TokenizerInfo.#expecting(data, options, "GGUF file", (bytes) => textOf(bytes.subarray(0, 4)) === "GGUF");
  }
  /** Reads Mistral's tekken.json. */
  static fromTekken(data: FileBytes, options?: TokenizerOptions): TokenizerInfo {
    return TokenizerInfo.#expecting(data, options, "tekken.json", TokenizerInfo.#isJSON);
  }

  /**
   * Makes a tokenizer from the list of its tokens; a string stands for its UTF-8. Such a tokenizer splits texts by
   * longest match.
   * @throws GrammarError an id that is out of range
   */
  static fromTokens(tokens: readonly (string | Uint8Array)[], options: TokensOptions = {}): TokenizerInfo {
    if (!isPlain(options)) throw invalid(`\`options\` must be a plain object, not ${describe(options)}`);
    const entries = Object.entries(options);
    const ofTokens = Object.fromEntries(entries.filter(([key]) => !OF_TOKENIZERS.includes(key)));
    if ("tokens" in ofTokens) throw invalid("unknown option `tokens`", "the tokens are the first argument");
    const spec = readOptions("vocab_spec", ofTokens);
    const given = readOptions("tokenizer_options", Object.fromEntries(entries.filter(([key]) => OF_TOKENIZERS.includes(key))));
    const list = readList(tokens, "tokens", "strings or Uint8Arrays", textOrBytes);
    const runtime = instance();
    return withArena(runtime, (arena) => {
      const at = writeOptions(arena, spec);
      const table = arena.texts(list);  // before `view`, since the memory may grow
      runtime.view.setUint32(at + 4, table, true);
      runtime.view.setUint32(at + 8, list.length, true);
      check(arena, runtime.exports.weir_tokenizer_info_from_vocab(at, writeOptions(arena, given), runtime.out, runtime.err));
      return new TokenizerInfo(runtime.owned());
    });
  }

  /** Returns the small tokenizer that is embedded in the module, for examples and tests. */
  static builtin(): TokenizerInfo {
    const runtime = instance();
    return withArena(runtime, (arena) => {
      check(arena, runtime.exports.weir_tokenizer_info_builtin(runtime.out, runtime.err));
      return new TokenizerInfo(runtime.owned());
    });
  }

  /** Returns the tokenizer as bytes. `deserialize` makes the same tokenizer from them elsewhere. */
  serialize(): Uint8Array {
    return withArena(this.runtime, (arena) => {
      check(arena, this.runtime.exports.weir_tokenizer_info_serialize(this.pointer, this.runtime.out));
      return this.runtime.ownedBytes(this.runtime.out);
    });
  }
  static deserialize(data: Uint8Array): TokenizerInfo {
    const bytes = toBytes(data, "data");
    const runtime = instance();
    return withArena(runtime, (arena) => {
      check(arena, runtime.exports.weir_tokenizer_info_deserialize(arena.text(bytes), runtime.out, runtime.err));
      return new TokenizerInfo(runtime.owned());
    });
  }

  /** Returns another object for the same tokenizer. */
  clone(): TokenizerInfo {
    return withArena(this.runtime, (arena) => {
      check(arena, this.runtime.exports.weir_tokenizer_info_clone(this.pointer, this.runtime.out));
      return new TokenizerInfo(this.runtime.owned());
    });
  }

  /** The number of token ids, including padding: the width of a mask in bits. */
  get vocabSize(): number {
    return this.#vocabSize;
  }
  #textTokenEnd: number | undefined;
  /** One more than the largest id of a token that is neither special nor unused. @internal */
  get textTokenEnd(): number {
    if (this.#textTokenEnd === undefined) {
      let end = this.#vocabSize;
      while (end > 0 && ["special", "unused"].includes(this.tokenKind(end - 1))) end--;
      this.#textTokenEnd = end;
    }
    return this.#textTokenEnd;
  }
  /** `"byte-level BPE"`, `"SentencePiece BPE"`, `"Unigram"`, `"WordPiece"`, `"WordLevel"` or `"token list"`. */
  get kind(): string {
    return this.runtime.run(() => {
      this.runtime.exports.weir_tokenizer_info_kind(this.runtime.out, this.pointer);
      return this.runtime.text(this.runtime.out);
    });
  }
  get dropsLeadingSpace(): boolean {
    return this.runtime.exports.weir_tokenizer_info_drops_leading_space(this.pointer) !== 0;
  }
  get stopTokenIds(): Uint32Array {
    return this.runtime.run(() => {
      const count = this.runtime.exports.weir_tokenizer_info_stop_token_ids(this.pointer, this.runtime.out);
      return this.runtime.words(this.runtime.u32(this.runtime.out), count).slice();
    });
  }

  #text(call: "weir_tokenizer_info_token_bytes" | "weir_tokenizer_info_first_token_bytes" | "weir_tokenizer_info_token_name", id: number): Uint8Array {
    this.checkId(id);
    return this.runtime.run(() => {
      this.runtime.exports[call](this.pointer, id, this.runtime.out);
      return this.runtime.textBytes(this.runtime.out).slice();
    });
  }
  /** Throws unless `id` is the id of a token. @internal */
  checkId(id: unknown): void {
    tokenId(id, this.#vocabSize);
  }
  /** Returns the bytes of a token; empty for special tokens. */
  tokenBytes(id: number): Uint8Array {
    return this.#text("weir_tokenizer_info_token_bytes", id);
  }
  /** Returns the bytes of a token at the beginning of a text. */
  firstTokenBytes(id: number): Uint8Array {
    return this.#text("weir_tokenizer_info_first_token_bytes", id);
  }
  /** Returns the name of a special token; empty for others. */
  tokenName(id: number): string {
    return textOf(this.#text("weir_tokenizer_info_token_name", id));
  }
  tokenKind(id: number): TokenKind {
    this.checkId(id);
    return this.runtime.run(() => {
      this.runtime.exports.weir_tokenizer_info_token_kind(this.pointer, id, this.runtime.out);
      return ENUMS.token_kind[this.runtime.u32(this.runtime.out)]!;
    });
  }
  /** Returns the id of the special token with this name, or undefined. */
  findSpecialToken(name: string): number | undefined {
    checkedText(name, "name");
    return withArena(this.runtime, (arena) => {
      const status = this.runtime.exports.weir_tokenizer_info_find_special_token(this.pointer, arena.text(name), this.runtime.out);
      return status === 0 ? this.runtime.u32(this.runtime.out) : undefined;
    });
  }

  /** Returns the bytes of a sequence of tokens. */
  decodeBytes(ids: ArrayLike<number>): Uint8Array {
    const words = tokenIds(ids, "ids", this.#vocabSize);
    return withArena(this.runtime, (arena) => {
      check(arena, this.runtime.exports.weir_tokenizer_info_decode(this.pointer, arena.words(words), words.length, this.runtime.out));
      return this.runtime.ownedBytes(this.runtime.out);
    });
  }
  /** Returns the text of a sequence of tokens. Invalid UTF-8 becomes U+FFFD. */
  decode(ids: ArrayLike<number>): string {
    return textOf(this.decodeBytes(ids));
  }
  /** Returns the tokens that the tokenizer writes for a text. */
  tokenize(text: string | Uint8Array): Uint32Array {
    const given = textOrBytes(text, "text");
    return withArena(this.runtime, (arena) => {
      const { out, err, exports } = this.runtime;
      check(arena, exports.weir_tokenizer_info_tokenize(this.pointer, arena.text(given), out, err), "", "<text>");
      const ids = this.runtime.words(this.runtime.u32(out), this.runtime.u32(out + 4)).slice();
      exports.weir_token_ids_free(out);
      return ids;
    });
  }
  /**
   * Token healing. Returns the number of tokens at the end of `context` that further text could change, and their
   * bytes: whole characters. Remove these tokens from the prompt, and let the output begin with the bytes.
   * @throws GrammarError `unsupported`: as canonicalSupport; `invalid_argument`: the tokenizer does not write the
   *   context
   */
  heal(context: ArrayLike<number>): { tokens: number; bytes: Uint8Array } {
    const ids = tokenIds(context, "context", this.#vocabSize);
    return withArena(this.runtime, (arena) => {
      const { exports, out, err } = this.runtime;
      const count = arena.allocate(4);
      check(arena, exports.weir_tokenizer_info_heal(this.pointer, arena.words(ids), ids.length, count, out, err));
      return { tokens: this.runtime.u32(count), bytes: this.runtime.ownedBytes(out) };
    });
  }
  /** Returns undefined if canonical tokenization is supported for this tokenizer; otherwise the reason why not. */
  canonicalSupport(): GrammarError | undefined {
    const { pointer } = this;
    return withArena(this.runtime, (arena) => {
      try {
        check(arena, this.runtime.exports.weir_tokenizer_info_canonical_support(pointer, this.runtime.err));
        return undefined;
      } catch (error) {
        if (error instanceof GrammarError) return error;
        throw error;
      }
    });
  }
}
