// The interface of @mlc-ai/web-xgrammar 0.1.27, implemented by weir: the same names, parameters and defaults.
// docs/javascript.md lists the differences.
import { CompiledGrammar as Compiled, GrammarCompiler as Compiler } from "../compiler.js";
import { bitmaskOf, checkedText, describe, isA, isArray, isPlain, readList, wholeNumber } from "../arguments.js";
import { textOf } from "../text.js";
import { GrammarError, invalid } from "../errors.js";
import { Grammar as WeirGrammar, strictJSONSchema } from "../grammar.js";
import { bitmaskWords, GrammarMatcher as Matcher, isTokenInBitmask } from "../matcher.js";
import type { JSONSchemaOptions, StructuralTagOptions } from "../options.js";
import { handleOf, init } from "../runtime.js";
import { toJSONText } from "../schemas.js";
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
    return toJSONText(this.schema, "schema");
  }
  /** @throws GrammarError `syntax`: the schema is no JSON text */
  getSchemaAsJSON(): JSONSchemaValue {
    return parsed(this.getSchemaAsString(), "schema") as JSONSchemaValue;
  }
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new GrammarError("syntax", `\`${name}\` is no JSON text: ${(error as Error).message}`);
  }
}

/** Returns a tag with the schemas in it in strict mode, as web-xgrammar reads them. */
function closed(tag: unknown): unknown {
  if (Array.isArray(tag)) return tag.map(closed);
  if (typeof tag !== "object" || tag === null) return tag;
  return Object.fromEntries(Object.entries(tag).map(([key, value]) =>
    [key, key === "json_schema" ? JSON.parse(strictJSONSchema(typeof value === "string" ? value : JSON.stringify(value))) as unknown : closed(value)]));
}

/** Returns the tag of the older form: tags with triggers. */
function tagOfItems(items: readonly unknown[], triggers: unknown): StructuralTag {
  const tags = readList(items, "tags", "StructuralTagItems", (given, name): TagFormat => {
    if (typeof given !== "object" || given === null) throw invalid(`\`${name}\` must be a StructuralTagItem, not ${describe(given)}`);
    const item = given as Partial<StructuralTagItem>;
    const schema = parsed(toJSONText(item.schema, `${name}.schema`), `${name}.schema`) as JSONSchemaValue;
    return { type: "tag", begin: checkedText(item.begin, `${name}.begin`), content: { type: "json_schema", json_schema: schema }, end: checkedText(item.end, `${name}.end`) };
  });
  return { type: "structural_tag", format: { type: "triggered_tags", triggers: triggers === undefined ? [] : readList(triggers, "triggers", "strings", checkedText), tags } };
}

function tagText(tag: StructuralTagLike | StructuralTagItem[], triggers?: string[]): string {
  const text = toJSONText(isArray(tag) ? tagOfItems(tag, triggers) : tag, "structuralTag");
  let document: unknown;
  try {
    document = JSON.parse(text) as unknown;
  } catch {
    return text;  // the reader reports the position
  }
  if (!isPlain(document)) return text;
  // A format alone means the tag that consists of it.
  try {
    return JSON.stringify(closed("format" in document ? { type: "structural_tag", ...document } : { type: "structural_tag", format: document }));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new GrammarError("limit_exceeded", "`structuralTag` is nested too deeply", { limit: "nesting" });
  }
}

// ---- Schemas --------------------------------------------------------------------------------------------------------

type Separators = [string, string];

function schemaOptions(anyWhitespace: boolean, indent: number, separators: Separators | undefined, maxWhitespaceCnt: number | undefined): JSONSchemaOptions {
  const common: JSONSchemaOptions = { order: "declared" };
  if (anyWhitespace) {
    return maxWhitespaceCnt === undefined ? { ...common, whitespace: "unbounded" } : { ...common, whitespace: "bounded", whitespaceLimit: maxWhitespaceCnt };
  }
  if (typeof indent !== "number") throw invalid(`\`indent\` must be a whole number, not ${describe(indent)}`);
  const given = separators === undefined || separators === null ? undefined : readList(separators, "separators", "two strings", checkedText);
  const [comma, colon] = given ?? (indent < 0 ? [", ", ": "] : [",", ": "]);
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
  checkedText(schema, "schema");
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
    handleOf(handle, WeirGrammar, "handle", "`Grammar.fromEBNF` and the like make it");
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
  /** @internal */
  readonly known: number;
  /** @param handle weir's TokenizerInfo */
  constructor(public handle: Info, known?: number) {
    const info = handleOf(handle, Info, "handle", "`TokenizerInfo.createTokenizerInfo` makes it");
    this.known = known ?? info.vocabSize;
  }
  dispose(): void {
    this.handle.dispose();
  }
  getVocabSize(): number {
    return this.handle.vocabSize;
  }
  /** Returns the decoded tokens: `get(i)` and `size()`. */
  getDecodedVocabHandle(): { get(index: number): string | undefined; size(): number; delete(): void } {
    const { handle, known } = this;
    return { get: (i) => (i >= 0 && i < known ? textOf(handle.tokenBytes(i)) : undefined), size: () => known, delete: () => {} };
  }
  static async createTokenizerInfo(encodedVocab: string[], vocabType = "raw", prependSpaceInTokenization = false, vocabSize?: number, stopTokenIds?: number[] | number): Promise<TokenizerInfo> {
    await init();
    void prependSpaceInTokenization;  // masks do not depend on it, neither here nor in web-xgrammar
    const spelling = SPELLINGS.get(vocabType);
    if (spelling === undefined) {
      throw invalid(`\`vocabType\` must be "raw", "byte_fallback" or "byte_level", not ${describe(vocabType)}`);
    }
    if (!isArray(encodedVocab)) throw invalid(`\`encodedVocab\` must be an array of strings, not ${describe(encodedVocab)}`);
    if (vocabSize !== undefined) wholeNumber(vocabSize, "vocabSize", 0xffffffff);
    // As in web-xgrammar, a vocabulary that is larger than the logits is cut.
    const known = vocabSize !== undefined && vocabSize < encodedVocab.length ? encodedVocab.slice(0, vocabSize) : encodedVocab;
    const options = stopTokenIds === undefined ? { stopTokensByName: true } : { stopTokenIds: typeof stopTokenIds === "number" ? [stopTokenIds] : stopTokenIds };
    return new TokenizerInfo(Info.fromTokens(known, { ...options, spelling, paddedVocabSize: vocabSize }), known.length);
  }
}

export class CompiledGrammar {
  /** @param handle weir's CompiledGrammar */
  constructor(public handle: Compiled, private readonly made?: () => Grammar, private readonly info?: TokenizerInfo) {
    handleOf(handle, Compiled, "handle", "a GrammarCompiler makes it");
  }
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
  private constructor(public handle: Compiler, private readonly info: TokenizerInfo) {
    handleOf(handle, Compiler, "handle", "`GrammarCompiler.createGrammarCompiler` makes it");
  }
  dispose(): void {
    this.handle.dispose();
  }
  static async createGrammarCompiler(tokenizerInfo: TokenizerInfo, cacheEnabled = true): Promise<GrammarCompiler> {
    await init();
    if (!isA(tokenizerInfo, TokenizerInfo)) throw invalid(`\`tokenizerInfo\` must be a TokenizerInfo, not ${describe(tokenizerInfo)}`);
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
    if (isA(grammar, Grammar)) return this.#compiled(grammar.source, () => new Grammar(grammar.handle.clone(), grammar.source, grammar.text));
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
  private constructor(private handle: Matcher, private readonly endsAlone: boolean, private readonly maxRollback: number) {
    handleOf(handle, Matcher, "handle", "`GrammarMatcher.createGrammarMatcher` makes it");
  }
  dispose(): void {
    this.isWaiting = false;
    this.handle.dispose();
  }
  static async createGrammarMatcher(compiledGrammar: CompiledGrammar, overrideStopTokens?: number[] | number, terminateWithoutStopToken = false, maxRollbackTokens = -1): Promise<GrammarMatcher> {
    await init();
    if (!isA(compiledGrammar, CompiledGrammar)) throw invalid(`\`compiledGrammar\` must be a CompiledGrammar, not ${describe(compiledGrammar)}`);
    const compiled = compiledGrammar.handle;
    const stopTokenIds = typeof overrideStopTokens === "number" ? [overrideStopTokens] : overrideStopTokens;
    // An empty list stands for the tokenizer's.
    const matcher = new Matcher(compiled, stopTokenIds === undefined || (isArray(stopTokenIds) && stopTokenIds.length === 0) ? undefined : { stopTokenIds });
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
      const grammar = await Grammar.fromStructuralTag({ type: "qwen_xml_parameter", json_schema: parsed(checkedText(schema, "schema"), "schema") as JSONSchemaValue });
      return grammar.handle.convert("xgrammar");
    }
    const grammar = await Grammar.fromJSONSchema(schema, anyWhitespace, indent, separators, strictMode, maxWhitespaceCnt);
    return grammar.handle.convert("xgrammar");
  }
  /** Returns the ids of the tokens that the mask does not allow. */
  static async debugGetMaskedTokensFromBitmask(bitmask: Int32Array, vocabSize: number, index = 0): Promise<Int32Array> {
    const words = bitmaskWords(vocabSize);
    const rows = bitmaskOf(bitmask, "bitmask");
    wholeNumber(index, "index", Math.max(0, Math.floor(rows.length / Math.max(words, 1)) - 1));
    const row = rows.subarray(index * words, (index + 1) * words);
    return Int32Array.from(Array.from({ length: vocabSize }, (_, id) => id).filter((id) => !isTokenInBitmask(row, id)));
  }
  static ebnfToGrammarNoNormalization(ebnfString: string, rootRule = "root"): Promise<Grammar> {
    return Grammar.fromEBNF(ebnfString, rootRule);
  }
  static async isGrammarAcceptString(grammar: Grammar, inputString: string, debugPrint = false): Promise<boolean> {
    await init();
    if (!isA(grammar, Grammar)) throw invalid(`\`grammar\` must be a Grammar, not ${describe(grammar)}`);
    checkedText(inputString, "inputString");
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
