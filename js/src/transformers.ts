// Logits processors for transformers.js (@huggingface/transformers). This file does not import that package: a
// processor is a function that is also a list of itself, which is what `generate({ logits_processor })` requires.
import { describe, float32Of, isArray, isPlain, quoted, readList, typedArrayName, wholeNumber } from "./arguments.js";
import { CompiledGrammar, GrammarCompiler } from "./compiler.js";
import { GrammarError, invalid } from "./errors.js";
import { applyMask, bitmaskWords, GrammarMatcher } from "./matcher.js";
import type { JSONSchemaOptions, MatcherOptions, RegexOptions } from "./options.js";
import { handleOf } from "./runtime.js";
import type { SchemaLike } from "./schemas.js";
import "./source-full.js";  // reads tokenizer.json
import { nearest } from "./text.js";
import { TokenizerInfo } from "./tokenizer-info.js";

/** A tensor of transformers.js: one row of logits for each output. */
export interface LogitsTensor {
  readonly data: unknown;
  readonly dims: readonly number[];
}

/** A tokenizer of transformers.js, or the parsed tokenizer.json. */
export type TokenizerSource = object | ((...args: never[]) => unknown);

const infos = new WeakMap<object, TokenizerInfo>();

/** Returns the ids in a number, a bigint or an array of them; what is no id is left out. */
function idsOf(value: unknown): number[] {
  const ids = (isArray(value) ? value : [value]).map((id) => (typeof id === "bigint" ? Number(id) : id));
  return [...new Set(ids.filter((id): id is number => Number.isInteger(id) && (id as number) >= 0))];
}

/**
 * Returns the TokenizerInfo of a tokenizer of transformers.js. Later calls with the same tokenizer return the same one.
 * @throws GrammarError the object does not contain a tokenizer.json, or weir cannot read it
 */
export function tokenizerInfoFrom(tokenizer: TokenizerSource): TokenizerInfo {
  if ((typeof tokenizer !== "object" && typeof tokenizer !== "function") || tokenizer === null) {
    throw invalid(`\`tokenizer\` must be a tokenizer of transformers.js or the parsed tokenizer.json, not ${describe(tokenizer)}`);
  }
  const known = infos.get(tokenizer);
  if (known && !known.isDisposed && !known.runtime.lost) return known;
  const source = tokenizer as Record<string, unknown>;
  const json = source["_tokenizerJSON"] ?? source["tokenizerJSON"] ?? source["tokenizer_json"] ?? ("model" in source ? source : undefined);
  if (json === undefined || json === null) {
    throw invalid("the tokenizer has no tokenizer.json in it", describe(tokenizer) === "a Promise" ? "`await` it first" : "pass the parsed tokenizer.json");
  }
  let stops = idsOf(source["eos_token_id"] ?? []);
  if (stops.length === 0 && typeof source["eos_token"] === "string") {
    const added = (json as { added_tokens?: unknown }).added_tokens;
    stops = idsOf((isArray(added) ? (added as ({ id?: unknown; content?: unknown } | null)[]) : []).filter((token) => token?.content === source["eos_token"]).map((token) => token!.id));
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

/** Returns a row of `inputIds`. Its tokens are checked when they are accepted: those of the prompt are not read. */
function rowOf(row: unknown, name: string): ArrayLike<unknown> {
  if (!isArray(row) && typedArrayName(row) === undefined) throw invalid(`\`${name}\` must be an array of token ids, not ${describe(row)}`);
  return row as ArrayLike<unknown>;
}

function tensorOf(logits: LogitsTensor): { data: Float32Array; dims: readonly number[] } {
  const { data, dims } = (logits ?? {}) as LogitsTensor;
  if (typedArrayName(data) !== "Float32Array") throw invalid(`the logits must be float32, not ${describe(data ?? logits)}`, '`logits.to("float32")`');
  return { data: float32Of(data, "logits.data"), dims: readList(dims, "logits.dims", "whole numbers", (size, name) => wholeNumber(size, name, 0xffffffff)) };
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
  readonly #info: TokenizerInfo;
  readonly #options: MatcherOptions | undefined;
  #rows: { matcher: GrammarMatcher; read: number }[] = [];
  #bitmask: Int32Array;
  #stops: Int32Array;

  /** @param compiled one grammar for all rows, or one grammar for each row */
  constructor(compiled: CompiledGrammar | readonly CompiledGrammar[], options?: MatcherOptions) {
    super();
    this.#compiled = isArray(compiled) ? readList(compiled, "compiled", "CompiledGrammars", (one, name) => handleOf(one, CompiledGrammar, name)) : [handleOf(compiled, CompiledGrammar, "compiled")];
    const first = this.#compiled[0];
    if (!first) throw invalid("`compiled` is empty");
    this.#info = first.tokenizerInfo;
    if (this.#compiled.some((one) => one.tokenizerInfo.vocabSize !== this.#info.vocabSize)) throw invalid("the grammars of a batch are compiled for vocabularies of different sizes");
    const trial = new GrammarMatcher(first, options);  // checks the options before the first call
    this.#options = options === undefined ? undefined : { ...options };
    this.#bitmask = new Int32Array(bitmaskWords(this.#info.vocabSize));
    this.#stops = new Int32Array(this.#bitmask.length);
    for (const id of trial.stopTokenIds) this.#stops[id >>> 5]! |= 1 << (id & 31);
    trial.dispose();
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

  #begin(inputIds: readonly ArrayLike<unknown>[]): void {
    this.reset();
    if (this.#compiled.length !== 1 && this.#compiled.length !== inputIds.length) {
      throw invalid(`there are ${this.#compiled.length} grammars for ${inputIds.length} rows`);
    }
    this.#rows = inputIds.map((ids, i) => ({ matcher: new GrammarMatcher(this.#compiled[i] ?? this.#compiled[0]!, this.#options), read: ids.length }));
  }

  override _call(inputIds: ArrayLike<bigint | number>[], logits: LogitsTensor): LogitsTensor {
    const rows = readList(inputIds, "inputIds", "rows of token ids", rowOf);
    const { data, dims } = tensorOf(logits);
    const vocab = dims[dims.length - 1] ?? 0;
    if (vocab === 0 || data.length !== vocab * rows.length || data.length !== dims.reduce((a, b) => a * b, 1)) throw invalid(`logits of the shape [${dims.join(", ")}] are not one row for each of ${rows.length} outputs`);
    if (this.#rows.length !== rows.length || this.#rows.some((row, i) => rows[i]!.length < row.read)) this.#begin(rows);
    this.#rows.forEach((row, i) => {
      const ids = rows[i]!;
      const { matcher } = row;
      for (; row.read < ids.length; row.read++) {
        const id = ids[row.read];
        const token = (typeof id === "bigint" ? Number(id) : id) as number;
        if (!matcher.isTerminated() && !matcher.acceptToken(token)) {
          throw new GrammarError("invalid_argument", `row ${i}: token ${token} is not allowed: ${matcher.explain(token).reason}`);
        }
      }
      const hasEnded = matcher.isTerminated();
      if (!hasEnded) matcher.fillNextTokenBitmask(this.#bitmask);
      applyMask(data.subarray(i * vocab, (i + 1) * vocab), hasEnded ? this.#stops : this.#bitmask, this.#info, `row ${i}: `);
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

/** The members of each type of response format. */
const MEMBERS = new Map<unknown, readonly string[]>([
  ["json_object", ["type", "options"]],
  ["json_schema", ["type", "json_schema", "options"]],
  ["regex", ["type", "regex", "options"]],
]);

const compilers = new WeakMap<TokenizerInfo, GrammarCompiler>();

function compilerFor(tokenizer: TokenizerSource): GrammarCompiler {
  const info = tokenizerInfoFrom(tokenizer);
  let compiler = compilers.get(info);
  if (!compiler) compilers.set(info, (compiler = new GrammarCompiler(info)));
  return compiler;
}

function compileFormat(compiler: GrammarCompiler, format: ResponseFormat): CompiledGrammar {
  if (!isPlain(format)) throw invalid(`\`responseFormat\` must be an object, not ${describe(format)}`);
  const members: readonly string[] | undefined = MEMBERS.get(format.type);
  const unknown = members && Object.keys(format).find((key) => !members.includes(key));
  if (members && unknown !== undefined) {
    const near = nearest(unknown, members);
    throw invalid(`\`responseFormat\` of the type "${format.type}" has no member ${quoted(unknown)}`, near ? `did you mean \`${near}\`?` : `the members are ${members.join(", ")}`);
  }
  switch (format.type) {
    case "json_object":
      return compiler.compileJSONObject(format.options);
    case "json_schema":
      return compiler.compileJSONSchema(format.json_schema, format.options);
    case "regex":
      return compiler.compileRegex(format.regex, format.options);
    default:
      throw invalid(`\`responseFormat.type\` must be "json_object", "json_schema" or "regex", not ${describe((format as { type?: unknown }).type)}`);
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
