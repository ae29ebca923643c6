// Logits processors for transformers.js (@huggingface/transformers). This file does not import that package: a
// processor is a function that is also a list of itself, which is what `generate({ logits_processor })` requires.
import { CompiledGrammar, GrammarCompiler } from "./compiler.js";
import { GrammarError, invalid } from "./errors.js";
import { applyTokenBitmaskInplace, bitmaskWords, GrammarMatcher } from "./matcher.js";
import type { JSONSchemaOptions, MatcherOptions, RegexOptions } from "./options.js";
import type { SchemaLike } from "./schemas.js";
import "./source-full.js";  // reads tokenizer.json
import { TokenizerInfo } from "./tokenizer-info.js";

/** A tensor of transformers.js: one row of logits for each output. */
export interface LogitsTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** A tokenizer of transformers.js, or the parsed tokenizer.json. */
export type TokenizerSource = object | ((...args: never[]) => unknown);

const infos = new WeakMap<object, TokenizerInfo>();

function idsOf(...values: unknown[]): number[] {
  return [...new Set(values.flat().map(Number).filter((id) => Number.isInteger(id) && id >= 0))];
}

/**
 * Returns the TokenizerInfo of a tokenizer of transformers.js. Later calls with the same tokenizer return the same one.
 * @throws GrammarError the object does not contain a tokenizer.json, or weir cannot read it
 */
export function tokenizerInfoFrom(tokenizer: TokenizerSource): TokenizerInfo {
  const known = infos.get(tokenizer);
  if (known && !known.isDisposed && !known.runtime.lost) return known;
  const source = tokenizer as Record<string, unknown>;
  const json = source["_tokenizerJSON"] ?? source["tokenizerJSON"] ?? source["tokenizer_json"] ?? ("model" in source ? source : undefined);
  if (json === undefined || json === null) throw invalid("the tokenizer has no tokenizer.json in it", "pass the parsed tokenizer.json");
  let stops = idsOf(source["eos_token_id"] ?? []);
  if (stops.length === 0 && typeof source["eos_token"] === "string") {
    const added = (json as { added_tokens?: { id: number; content: string }[] }).added_tokens ?? [];
    stops = added.filter((token) => token.content === source["eos_token"]).map((token) => token.id);
  }
  const info = TokenizerInfo.fromJSON(json as object | string, stops.length > 0 ? { stopTokenIds: stops } : {});
  infos.set(tokenizer, info);
  return info;
}

/** Makes the objects of a class callable: a call of an object calls its `_call`. */
abstract class Callable {
  constructor() {
    const call = (...args: Parameters<Callable["_call"]>): LogitsTensor => (call as unknown as Callable)._call(...args);
    return Object.setPrototypeOf(call, new.target.prototype) as this;
  }
  abstract _call(inputIds: ArrayLike<bigint | number>[], logits: LogitsTensor): LogitsTensor;
}

export interface GrammarLogitsProcessor {
  (inputIds: ArrayLike<bigint | number>[], logits: LogitsTensor): LogitsTensor;
}

/**
 * A logits processor for one call of `generate`, with any number of rows.
 *
 *     const compiled = new GrammarCompiler(tokenizerInfoFrom(tokenizer)).compileJSONSchema(schema);
 *     await model.generate({ ...inputs, logits_processor: new GrammarLogitsProcessor(compiled) });
 *
 * The tokens of the first call are the prompt; all later tokens are the output. A row that has ended may only repeat a
 * stop token.
 */
export class GrammarLogitsProcessor extends Callable {
  readonly #compiled: readonly CompiledGrammar[];
  readonly #options: MatcherOptions | undefined;
  #rows: { matcher: GrammarMatcher; read: number }[] = [];
  #bitmask: Int32Array;
  #stops: Int32Array;

  /** @param compiled one grammar for all rows, or one grammar for each row */
  constructor(compiled: CompiledGrammar | readonly CompiledGrammar[], options?: MatcherOptions) {
    super();
    this.#compiled = Array.isArray(compiled) ? compiled : [compiled as CompiledGrammar];
    const first = this.#compiled[0];
    if (!this.#compiled.every((grammar) => grammar instanceof CompiledGrammar) || !first) throw invalid("`compiled` must be a CompiledGrammar or a list of them");
    this.#options = options;
    const info = first.tokenizerInfo;
    this.#bitmask = new Int32Array(bitmaskWords(info.vocabSize));
    this.#stops = new Int32Array(this.#bitmask.length);
    for (const id of options?.stopTokenIds ?? info.stopTokenIds) this.#stops[id >>> 5]! |= 1 << (id & 31);
  }

  /** The matchers of the current or last generation, one for each row. */
  get matchers(): readonly GrammarMatcher[] {
    return this.#rows.map((row) => row.matcher);
  }

  /** Resets the processor, so that it can be used in another call of `generate`. */
  reset(): void {
    for (const { matcher } of this.#rows) matcher.dispose();
    this.#rows = [];
  }

  #begin(inputIds: ArrayLike<bigint | number>[]): void {
    this.reset();
    if (this.#compiled.length !== 1 && this.#compiled.length !== inputIds.length) {
      throw invalid(`there are ${this.#compiled.length} grammars for ${inputIds.length} rows`);
    }
    this.#rows = inputIds.map((ids, i) => ({ matcher: new GrammarMatcher(this.#compiled[i] ?? this.#compiled[0]!, this.#options), read: ids.length }));
  }

  override _call(inputIds: ArrayLike<bigint | number>[], logits: LogitsTensor): LogitsTensor {
    const { data, dims } = logits;
    const vocab = dims[dims.length - 1] ?? 0;
    if (!(data instanceof Float32Array)) throw invalid("the logits must be float32", '`logits.to("float32")`');
    if (data.length !== vocab * inputIds.length) throw invalid(`logits of the shape [${dims.join(", ")}] are not one row for each of ${inputIds.length} outputs`);
    if (this.#rows.length !== inputIds.length || this.#rows.some((row, i) => inputIds[i]!.length < row.read)) this.#begin(inputIds);
    this.#rows.forEach((row, i) => {
      const ids = inputIds[i]!;
      const { matcher } = row;
      for (; row.read < ids.length; row.read++) {
        const token = Number(ids[row.read]);
        if (!matcher.isTerminated() && !matcher.acceptToken(token)) {
          throw new GrammarError("invalid_argument", `row ${i}: token ${token} is not allowed: ${matcher.explain(token).reason}`);
        }
      }
      const hasEnded = matcher.isTerminated();
      if (!hasEnded) matcher.fillNextTokenBitmask(this.#bitmask);
      applyTokenBitmaskInplace(data.subarray(i * vocab, (i + 1) * vocab), hasEnded ? this.#stops : this.#bitmask);
    });
    return logits;
  }

  *[Symbol.iterator](): Iterator<GrammarLogitsProcessor> {
    yield this;
  }
}

/** The formats of @huggingface/transformers-structured-output, with weir's options. */
export type ResponseFormat =
  | { type: "json_object"; options?: JSONSchemaOptions }
  | { type: "json_schema"; json_schema: SchemaLike; options?: JSONSchemaOptions }
  | { type: "regex"; regex: string; options?: RegexOptions };

const compilers = new WeakMap<TokenizerInfo, GrammarCompiler>();

function compilerFor(tokenizer: TokenizerSource): GrammarCompiler {
  const info = tokenizerInfoFrom(tokenizer);
  let compiler = compilers.get(info);
  if (!compiler) compilers.set(info, (compiler = new GrammarCompiler(info)));
  return compiler;
}

function compileFormat(compiler: GrammarCompiler, format: ResponseFormat): CompiledGrammar {
  switch (format?.type) {
    case "json_object":
      return compiler.compileJSONObject(format.options);
    case "json_schema":
      return compiler.compileJSONSchema(format.json_schema, format.options);
    case "regex":
      return compiler.compileRegex(format.regex, format.options);
    default:
      throw invalid(`\`responseFormat.type\` must be "json_object", "json_schema" or "regex"`);
  }
}

/**
 * The interface of @huggingface/transformers-structured-output 4.3.0: `new StructuredOutputProcessor(tokenizer,
 * format)` and `StructuredOutputProcessor.warmup(tokenizer)`.
 */
export class StructuredOutputProcessor extends GrammarLogitsProcessor {
  /** Reads the tokenizer ahead of time. */
  static warmup(tokenizer: TokenizerSource): void {
    compilerFor(tokenizer);
  }
  constructor(tokenizer: TokenizerSource, responseFormat: ResponseFormat) {
    super(compileFormat(compilerFor(tokenizer), responseFormat));
  }
}
