// The interface of @mlc-ai/web-xgrammar 0.1.27, implemented by weir: the same names, parameters and defaults.
// docs/javascript.md lists the differences.
import { CompiledGrammar as Compiled, GrammarCompiler as Compiler } from "../compiler.js";
import { GrammarError, invalid } from "../errors.js";
import { Grammar as WeirGrammar, strictJSONSchema } from "../grammar.js";
import { bitmaskWords, GrammarMatcher as Matcher, isTokenInBitmask } from "../matcher.js";
import type { JSONSchemaOptions, StructuralTagOptions } from "../options.js";
import { init } from "../runtime.js";
import "../source.js";
import { TokenizerInfo as Info, type TokensOptions } from "../tokenizer-info.js";

// ---- Structural tags ------------------------------------------------------------------------------------------------

export type JSONSchemaValue = boolean | Record<string, unknown>;
export interface ConstStringFormat { type: "const_string"; value: string }
export interface JSONSchemaFormat { type: "json_schema"; json_schema: JSONSchemaValue }
export interface QwenXMLParameterFormat { type: "qwen_xml_parameter"; json_schema: JSONSchemaValue }
export interface AnyTextFormat { type: "any_text" }
export interface GrammarFormat { type: "grammar"; grammar: string }
export interface RegexFormat { type: "regex"; pattern: string }
export interface SequenceFormat { type: "sequence"; elements: StructuralTagFormat[] }
export interface OrFormat { type: "or"; elements: StructuralTagFormat[] }
export interface TagFormat { type: "tag"; begin: string; content: StructuralTagFormat; end: string }
export interface TriggeredTagsFormat {
  type: "triggered_tags";
  triggers: string[];
  tags: TagFormat[];
  at_least_one?: boolean;
  stop_after_first?: boolean;
}
export interface TagsWithSeparatorFormat {
  type: "tags_with_separator";
  tags: TagFormat[];
  separator: string;
  at_least_one?: boolean;
  stop_after_first?: boolean;
}
export type StructuralTagFormat =
  | AnyTextFormat
  | ConstStringFormat
  | JSONSchemaFormat
  | GrammarFormat
  | RegexFormat
  | QwenXMLParameterFormat
  | OrFormat
  | SequenceFormat
  | TagFormat
  | TriggeredTagsFormat
  | TagsWithSeparatorFormat;
export interface StructuralTag {
  type?: "structural_tag";
  format: StructuralTagFormat;
}
export type StructuralTagLike = StructuralTag | StructuralTagFormat | Record<string, unknown> | string;

/** A tag of the older format. */
export class StructuralTagItem {
  constructor(public begin: string, public schema: string | JSONSchemaValue, public end: string) {}
  getSchemaAsString(): string {
    return typeof this.schema === "string" ? this.schema : JSON.stringify(this.schema);
  }
  getSchemaAsJSON(): JSONSchemaValue {
    return typeof this.schema === "string" ? (JSON.parse(this.schema) as JSONSchemaValue) : this.schema;
  }
}

/** Returns a tag with the schemas in it in strict mode, as web-xgrammar reads them. */
function closed(tag: unknown): unknown {
  if (Array.isArray(tag)) return tag.map(closed);
  if (typeof tag !== "object" || tag === null) return tag;
  return Object.fromEntries(Object.entries(tag).map(([key, value]) =>
    [key, key === "json_schema" ? JSON.parse(strictJSONSchema(JSON.stringify(value))) as unknown : closed(value)]));
}

function tagText(tag: StructuralTagLike | StructuralTagItem[], triggers?: string[]): string {
  if (Array.isArray(tag)) {
    const tags = tag.map((item) => ({ type: "tag", begin: item.begin, content: { type: "json_schema", json_schema: item.getSchemaAsJSON() }, end: item.end }));
    return tagText({ type: "structural_tag", format: { type: "triggered_tags", triggers: triggers ?? [], tags } } as StructuralTag);
  }
  if (typeof tag === "string") {
    try {
      return tagText(JSON.parse(tag) as object as StructuralTagLike);
    } catch (error) {
      if (error instanceof SyntaxError) return tag;  // the reader reports the position
      throw error;
    }
  }
  // A format alone means the tag that consists of it.
  return JSON.stringify(closed("format" in tag ? { type: "structural_tag", ...tag } : { type: "structural_tag", format: tag }));
}

// ---- Schemas --------------------------------------------------------------------------------------------------------

type Separators = [string, string];

function schemaOptions(anyWhitespace: boolean, indent: number, separators: Separators | undefined, maxWhitespaceCnt: number | undefined): JSONSchemaOptions {
  const common: JSONSchemaOptions = { order: "declared" };
  if (anyWhitespace) {
    return maxWhitespaceCnt === undefined ? { ...common, whitespace: "unbounded" } : { ...common, whitespace: "bounded", whitespaceLimit: maxWhitespaceCnt };
  }
  const [comma, colon] = separators ?? (indent < 0 ? [", ", ": "] : [",", ": "]);
  if (indent < 0) {
    if (comma === "," && colon === ":") return { ...common, whitespace: "none" };
    if (comma === ", " && colon === ": ") return { ...common, whitespace: "compact" };
  } else if (comma === "," && colon === ": ") {
    return { ...common, whitespace: "indented", indent };
  }
  throw new GrammarError("unsupported", `the separators ${JSON.stringify([comma, colon])} are not supported${indent < 0 ? "" : " with an indent"}`,
    { hint: indent < 0 ? 'they may be [",", ":"] or [", ", ": "]' : 'with an indent they are [",", ": "]' });
}

const TAG_OPTIONS: StructuralTagOptions = { jsonSchema: { order: "declared", whitespace: "unbounded" } };

/** web-xgrammar's own JSON grammar: an object or an array, with any white space. */
const BUILTIN_JSON = '{"type": ["object", "array"]}';

/**
 * Returns the text to compile for a schema. web-llm passes undefined for `{ type: "json_object" }` alone, with which
 * web-xgrammar fails; here it is any object.
 */
function schemaText(schema: string | undefined | null, strictMode: boolean): string {
  if (schema === undefined || schema === null) return '{"type": "object"}';
  return strictMode ? strictJSONSchema(schema) : schema;
}

// ---- Objects --------------------------------------------------------------------------------------------------------

/** Compiles the same grammar again, for the compiler of another tokenizer. */
type Source = (compiler: Compiler) => Compiled;

export class Grammar {
  /** @internal */
  readonly source: Source;
  /** @param handle weir's Grammar */
  constructor(public handle: WeirGrammar, source?: Source, /** @internal */ readonly text?: string) {
    this.source = source ?? ((compiler) => compiler.compile(handle));
  }
  dispose(): void {
    this.handle.dispose();
  }
  static async fromEBNF(ebnfString: string, rootRule = "root"): Promise<Grammar> {
    await init();
    return new Grammar(WeirGrammar.fromText(ebnfString, { syntax: "xgrammar", start: rootRule }), undefined, ebnfString);
  }
  static async builtinJSONGrammar(): Promise<Grammar> {
    await init();
    return new Grammar(WeirGrammar.fromJSONSchema(BUILTIN_JSON, schemaOptions(true, 2, undefined, undefined)));
  }
  static async fromJSONSchema(schema?: string | null, anyWhitespace = true, indent = 2, separators?: [string, string], strictMode = true, maxWhitespaceCnt?: number): Promise<Grammar> {
    await init();
    return new Grammar(WeirGrammar.fromJSONSchema(schemaText(schema, strictMode), schemaOptions(anyWhitespace, indent, separators, maxWhitespaceCnt)));
  }
  static fromStructuralTag(structuralTag: StructuralTagLike): Promise<Grammar>;
  static fromStructuralTag(tags: StructuralTagItem[], triggers: string[]): Promise<Grammar>;
  static async fromStructuralTag(tag: StructuralTagLike | StructuralTagItem[], triggers?: string[]): Promise<Grammar> {
    await init();
    const text = tagText(tag, triggers);
    return new Grammar(WeirGrammar.fromStructuralTag(text, TAG_OPTIONS), (compiler) => compiler.compileStructuralTag(text, TAG_OPTIONS));
  }
  /** Returns the grammar's text: the original, or web-xgrammar's EBNF if that can express it, else a comment. */
  toString(): string {
    if (this.text !== undefined) return this.text;
    try {
      return this.handle.convert("xgrammar");
    } catch (error) {
      return `# ${(error as Error).message}\n`;
    }
  }
}

const SPELLINGS = new Map<string, TokensOptions["spelling"]>([["raw", "bytes"], ["byte_fallback", "byte_fallback"], ["byte_level", "byte_level"]]);

export class TokenizerInfo {
  /** @param handle weir's TokenizerInfo */
  constructor(public handle: Info, /** @internal */ readonly known = handle.vocabSize) {}
  dispose(): void {
    this.handle.dispose();
  }
  getVocabSize(): number {
    return this.handle.vocabSize;
  }
  /** Returns the decoded tokens: `get(i)` and `size()`. */
  getDecodedVocabHandle(): { get(index: number): string | undefined; size(): number; delete(): void } {
    const { handle, known } = this;
    const decoder = new TextDecoder();
    return { get: (i) => (i >= 0 && i < known ? decoder.decode(handle.tokenBytes(i)) : undefined), size: () => known, delete: () => {} };
  }
  static async createTokenizerInfo(encodedVocab: string[], vocabType = "raw", prependSpaceInTokenization = false, vocabSize?: number, stopTokenIds?: number[] | number): Promise<TokenizerInfo> {
    await init();
    void prependSpaceInTokenization;  // masks do not depend on it, neither here nor in web-xgrammar
    const spelling = SPELLINGS.get(vocabType);
    if (spelling === undefined) {
      throw invalid(`\`vocabType\` must be "raw", "byte_fallback" or "byte_level", not ${JSON.stringify(vocabType)}`);
    }
    if (!Array.isArray(encodedVocab)) throw invalid("`encodedVocab` must be an array of strings");
    // As in web-xgrammar, a vocabulary that is larger than the logits is cut.
    const known = vocabSize !== undefined && vocabSize < encodedVocab.length ? encodedVocab.slice(0, vocabSize) : encodedVocab;
    const options = stopTokenIds === undefined ? { stopTokensByName: true } : { stopTokenIds: typeof stopTokenIds === "number" ? [stopTokenIds] : stopTokenIds };
    return new TokenizerInfo(Info.fromTokens(known, { ...options, spelling, paddedVocabSize: vocabSize }), known.length);
  }
}

export class CompiledGrammar {
  /** @param handle weir's CompiledGrammar */
  constructor(public handle: Compiled, private readonly made?: () => Grammar, private readonly info?: TokenizerInfo) {}
  dispose(): void {
    this.handle.dispose();
  }
  grammar(): Grammar {
    if (!this.made) throw invalid("this CompiledGrammar has no source");
    return this.made();
  }
  tokenizerInfo(): TokenizerInfo {
    return new TokenizerInfo(this.handle.tokenizerInfo.clone(), this.info?.known);
  }
}

export class GrammarCompiler {
  private constructor(public handle: Compiler, private readonly info: TokenizerInfo) {}
  dispose(): void {
    this.handle.dispose();
  }
  static async createGrammarCompiler(tokenizerInfo: TokenizerInfo, cacheEnabled = true): Promise<GrammarCompiler> {
    await init();
    return new GrammarCompiler(new Compiler(tokenizerInfo.handle, cacheEnabled ? undefined : { cacheMemory: 0 }), tokenizerInfo);
  }
  #compiled(source: Source, made: () => Grammar): CompiledGrammar {
    return new CompiledGrammar(source(this.handle), made, this.info);
  }
  async compileJSONSchema(schema?: string | null, anyWhitespace = true, indent = 2, separators?: [string, string], strictMode = true, maxWhitespaceCnt?: number): Promise<CompiledGrammar> {
    const text = schemaText(schema, strictMode);
    const options = schemaOptions(anyWhitespace, indent, separators, maxWhitespaceCnt);
    return this.#compiled((compiler) => compiler.compileJSONSchema(text, options), () => new Grammar(WeirGrammar.fromJSONSchema(text, options)));
  }
  async compileBuiltinJSONGrammar(): Promise<CompiledGrammar> {
    return this.compileJSONSchema(BUILTIN_JSON, true, 2, undefined, false);
  }
  compileGrammar(grammar: Grammar): Promise<CompiledGrammar>;
  compileGrammar(grammar: string, rootRule?: string): Promise<CompiledGrammar>;
  async compileGrammar(grammar: Grammar | string, rootRule = "root"): Promise<CompiledGrammar> {
    if (grammar instanceof Grammar) return this.#compiled(grammar.source, () => new Grammar(grammar.handle.clone(), grammar.source, grammar.text));
    const options = { syntax: "xgrammar", start: rootRule } as const;
    return this.#compiled((compiler) => compiler.compileGrammar(grammar, options), () => new Grammar(WeirGrammar.fromText(grammar, options), undefined, grammar));
  }
  compileStructuralTag(structuralTag: StructuralTagLike): Promise<CompiledGrammar>;
  compileStructuralTag(tags: StructuralTagItem[], triggers: string[]): Promise<CompiledGrammar>;
  async compileStructuralTag(tag: StructuralTagLike | StructuralTagItem[], triggers?: string[]): Promise<CompiledGrammar> {
    const text = tagText(tag, triggers);
    const source: Source = (compiler) => compiler.compileStructuralTag(text, TAG_OPTIONS);
    return this.#compiled(source, () => new Grammar(WeirGrammar.fromStructuralTag(text, TAG_OPTIONS), source));
  }
}

/** Work of one piece of a warm-up, which takes a millisecond at most, and of all pieces: CompiledGrammar.warmUp of `weir`. */
const PIECE = 2_000;
const WARM_UP = 60_000;

/**
 * Explores likely states while the caller waits for something else, as web-llm does for the prompt, in pieces. Ends when
 * `isWanted` returns false. Results do not change by it, so errors are those of later calls.
 */
function warmUpMeanwhile(compiled: Compiled, isWanted: () => boolean): void {
  if (typeof setTimeout !== "function") return;
  const own = compiled.clone();  // web-llm disposes of its own
  const next = (work: number): void => {
    const timer: unknown = setTimeout(() => {
      try {
        if (isWanted() && !own.warmUp({ work }).isComplete && work < WARM_UP) return next(work + PIECE);
      } catch {
        // The instance is lost, or memory is exhausted.
      }
      own.dispose();
    });
    (timer as { unref?: () => void }).unref?.();  // Node does not wait for it
  };
  next(PIECE);
}

export class GrammarMatcher {
  /** True until the first call that the warm-up is for. */
  private isWaiting = true;
  private constructor(private handle: Matcher, private readonly endsAlone: boolean, private readonly maxRollback: number) {}
  dispose(): void {
    this.isWaiting = false;
    this.handle.dispose();
  }
  static async createGrammarMatcher(compiledGrammar: CompiledGrammar, overrideStopTokens?: number[] | number, terminateWithoutStopToken = false, maxRollbackTokens = -1): Promise<GrammarMatcher> {
    await init();
    const compiled = compiledGrammar.handle;
    const stopTokenIds = typeof overrideStopTokens === "number" ? [overrideStopTokens] : overrideStopTokens;
    const matcher = new Matcher(compiled, stopTokenIds === undefined ? undefined : { stopTokenIds });
    const made = new GrammarMatcher(matcher, terminateWithoutStopToken, maxRollbackTokens);
    warmUpMeanwhile(compiled, () => made.isWaiting);
    return made;
  }
  getMaxRollbackTokens(): number {
    return this.maxRollback;
  }
  acceptToken(tokenID: number, verbose = false): boolean {
    const isAccepted = !this.handle.isTerminated() && this.handle.acceptToken(tokenID);
    if (verbose) console.log(`token ${tokenID}: ${isAccepted ? "accepted" : this.handle.explain(tokenID).reason}`);
    return isAccepted;
  }
  _acceptString(inputStr: string, verbose = false): boolean {
    const isAccepted = !this.handle.isTerminated() && this.handle.acceptString(inputStr);
    if (verbose) console.log(`${JSON.stringify(inputStr)}: ${isAccepted ? "accepted" : "refused"}`);
    return isAccepted;
  }
  async getNextTokenBitmask(): Promise<Int32Array> {
    this.isWaiting = false;
    return this.handle.nextTokenBitmask();
  }
  isTerminated(): boolean {
    return this.handle.isTerminated() || (this.endsAlone && this.handle.isCompleted());
  }
  reset(): void {
    this.handle.reset();
  }
  findJumpForwardString(): string {
    return this.handle.findJumpForwardString();
  }
  rollBack(numTokens: number): void {
    this.handle.rollback(numTokens);
  }
}

export class Testings {
  /** Returns web-xgrammar's EBNF for a schema, with weir's rules. */
  static async _jsonSchemaToEBNF(schema: string, anyWhitespace = true, indent = 2, separators?: [string, string], strictMode = true, maxWhitespaceCnt?: number, jsonFormat: "json" | "xml" = "json"): Promise<string> {
    if (jsonFormat !== "json") {
      const grammar = await Grammar.fromStructuralTag({ type: "qwen_xml_parameter", json_schema: JSON.parse(schema) as JSONSchemaValue });
      return grammar.handle.convert("xgrammar");
    }
    const grammar = await Grammar.fromJSONSchema(schema, anyWhitespace, indent, separators, strictMode, maxWhitespaceCnt);
    return grammar.handle.convert("xgrammar");
  }
  /** Returns the ids of the tokens that the mask does not allow. */
  static async debugGetMaskedTokensFromBitmask(bitmask: Int32Array, vocabSize: number, index = 0): Promise<Int32Array> {
    const words = bitmaskWords(vocabSize);
    const row = bitmask.subarray(index * words, (index + 1) * words);
    return Int32Array.from(Array.from({ length: vocabSize }, (_, id) => id).filter((id) => !isTokenInBitmask(row, id)));
  }
  static ebnfToGrammarNoNormalization(ebnfString: string, rootRule = "root"): Promise<Grammar> {
    return Grammar.fromEBNF(ebnfString, rootRule);
  }
  static async isGrammarAcceptString(grammar: Grammar, inputString: string, debugPrint = false): Promise<boolean> {
    await init();
    const info = Info.fromTokens(["</s>"], { specialTokenIds: [0], stopTokenIds: [0] });
    const compiler = new Compiler(info);
    const matcher = new Matcher(grammar.source(compiler));
    const isAccepted = matcher.acceptString(inputString) && matcher.isCompleted();
    if (debugPrint) console.log(`${JSON.stringify(inputString)}: ${isAccepted ? "accepted" : "refused"}`);
    for (const object of [matcher, compiler, info]) object.dispose();
    return isAccepted;
  }
}

export default { Grammar, GrammarCompiler, CompiledGrammar, GrammarMatcher, TokenizerInfo, Testings, StructuralTagItem };
