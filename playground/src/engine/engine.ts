// All that the page asks of weir, as plain values. It runs in a Worker, so nothing here makes the page wait.
import {
  allocateTokenBitmask, checkGrammar, checkRegex, checkResponseFormat, checkSchema, checkStructuralTag, type CompiledGrammar, countBitmask, type Diagnostic,
  explainRefusal, type Expectation, Grammar, GrammarCompiler, GrammarError, GrammarMatcher, type GrammarOptions, type GrammarSyntax, isTokenInBitmask, memoryBytes,
  type ReplyEvent, ReplyParser, structuralTagForTools, TokenizerInfo, type ToolOptions, toolStyles,
} from "weir";
import { detectLanguage } from "./detect.js";
import { Llama, type LlamaConfig } from "./model.js";
import { changes, type JSONValue, writeLike } from "./near-misses.js";
import type { Analysis, Calls, Compiled, Expected, GroupName, Inspection, Language, NearMiss, SamplerName, Source, Stats, Step, Tokenizer, TokenSpan, TokenView, Verdict, Why } from "./protocol.js";
import { isNamed } from "./protocol.js";
import { drawByLogits, drawToken, randomNumbers, kindsOfTokens } from "./sampler.js";
import { decoder, encoder, indicesOfBytes, shownByteSet, shownBytes, textOf } from "./texts.js";

/** Masks along a text are computed for this many tokens at most. */
const MAX_TOKENS_ALONG = 2000;
/** The tokens that a list shows. */
const MAX_SHOWN = 240;
/** The lengths, in tokens, that are tried for a random text; 0 is without a maximum. */
const BUDGETS = [96, 400, 0];
/** A text without a maximum is completed after this many tokens, or after so many more if no completion is found. */
const COMPLETED_AFTER = 400;
/** Errors of a budget, after which a text is written without one. */
const BUDGET_CODES: readonly string[] = ["unsatisfiable", "unsupported", "limit_exceeded"];
/** The temperature of the model, as in examples/language_model. */
const TEMPERATURE = 0.6;
const MAX_NEAR_MISSES = 12;
/** Near misses are looked for during this time, in milliseconds. */
const NEAR_MISS_TIME = 2500;
const GROUPS: readonly GroupName[] = ["letters", "digits", "punctuation", "blanks", "other scripts", "bytes", "special"];

/** Returns how the text of a language with rules, or of a language by name, is read. */
function textOptions({ language, start }: Source): GrammarOptions {
  return { ...(isNamed(language) ? { language } : { syntax: language as GrammarSyntax }), start: start || undefined };
}

/** Appends the shortest completion; returns false if none is known. */
function complete(matcher: GrammarMatcher): boolean {
  const completion = matcher.isTerminated() ? undefined : matcher.shortestCompletion();
  return completion !== undefined && matcher.acceptString(completion);
}

const isInYAML = ({ schema }: Source) => schema?.notation === "yaml";

const lines = (text: string) => text.split("\n").filter((line) => line !== "");

function findingOf(error: unknown): Diagnostic {
  if (!(error instanceof GrammarError)) throw error;
  const { code, message, range, hint, limit, options, pointer, notes, fix, rendered } = error;
  return { severity: "error", code, message, range, hint, limit, options, pointer, text: undefined, notes, fix, rendered };
}

function readable(expectation: Expectation): Expected {
  return { terminals: [...expectation.terminals], bytes: shownByteSet(expectation.bytes), end: expectation.end };
}

function groupOf(info: TokenizerInfo, token: number): GroupName {
  if (info.tokenKind(token) === "special" || info.tokenBytes(token).length === 0) return "special";
  const text = textOf(info.tokenBytes(token));
  if (text === undefined) return "bytes";
  const first = text.trimStart()[0];
  if (first === undefined) return "blanks";
  if (/[A-Za-z]/.test(first)) return "letters";
  if (/[0-9]/.test(first)) return "digits";
  return first.charCodeAt(0) < 128 ? "punctuation" : "other scripts";
}

export class Engine implements Calls {
  #info = TokenizerInfo.builtin();
  #compiler = new GrammarCompiler(this.#info);
  #source: Source | undefined;
  #compiled: CompiledGrammar | undefined;
  #groups: Uint8Array | undefined;
  #kinds: Uint8Array | undefined;
  /** `tokens` are counted if the text has no maximum and a completion may be of any tokens. */
  #writing: { matcher: GrammarMatcher; draw: (bitmask: Int32Array) => number; onToken: (token: number) => void; tokens: number | undefined } | undefined;
  #model: Llama | undefined;

  tokenizer(file: ArrayBuffer | undefined, name: string): Tokenizer {
    const info = file ? TokenizerInfo.fromFile(file, undefined, name) : TokenizerInfo.builtin();
    this.#drop();
    this.#compiler.dispose();
    this.#info.dispose();
    this.#info = info;
    this.#compiler = new GrammarCompiler(info);
    this.#groups = this.#kinds = undefined;
    return { name: file ? name : "built-in", kind: info.kind, vocabSize: info.vocabSize, stopTokens: info.stopTokenIds.length, canonicalProblem: info.canonicalSupport()?.message ?? "" };
  }

  model(config: LlamaConfig, weights: Uint8Array): void {
    this.#model = new Llama(config, weights);
  }

  detect(text: string): Language {
    return detectLanguage(text);
  }

  #drop(): void {
    this.#writing?.matcher.dispose();
    this.#compiled?.dispose();
    this.#writing = this.#compiled = this.#source = undefined;
  }

  /** Lists all errors and warnings. Options that contradict each other are an error, too. */
  #findings(source: Source): Diagnostic[] {
    try {
      return this.#check(source);
    } catch (error) {
      return [findingOf(error)];
    }
  }

  #check(source: Source): Diagnostic[] {
    const { language, text, regex, schema } = source;
    switch (language) {
      case "regex": return checkRegex(text, regex);
      case "json_schema": return checkSchema(text, schema);
      case "structural_tag": return checkStructuralTag(text, { jsonSchema: schema });
      case "response_format": return checkResponseFormat(text, { jsonSchema: schema });
      case "choice": case "substring": return [];
      default: return checkGrammar(text, textOptions(source));
    }
  }

  #compile(source: Source): CompiledGrammar {
    const { language, text, regex, schema } = source;
    const compiler = this.#compiler;
    switch (language) {
      case "regex": return compiler.compileRegex(text, regex);
      case "json_schema": return compiler.compileJSONSchema(text, schema);
      case "structural_tag": return compiler.compileStructuralTag(text, { jsonSchema: schema });
      case "response_format": return compiler.compileResponseFormat(text, { jsonSchema: schema });
      case "choice": return compiler.compileChoice(lines(text));
      case "substring": return compiler.compileSubstring(text, "word");
      default: return compiler.compileGrammar(text, textOptions(source));
    }
  }

  compile(source: Source): Compiled {
    this.#drop();
    let findings: Diagnostic[] = [];
    const before = performance.now();
    try {
      this.#compiler.clearCache();
      this.#compiled = this.#compile(source);
      this.#source = source;
    } catch (error) {
      findings = [findingOf(error)];
    }
    const milliseconds = performance.now() - before;
    let all = this.#findings(source);
    // Warnings about the grammar of a language by name are not about what the visitor wrote.
    if (isNamed(source.language)) all = all.filter(({ severity, range }) => severity === "error" || range.end > range.start);
    // A check lists every error. It knows no tokenizer, so errors about tokens are found by compiling alone.
    if (all.some((finding) => finding.severity === "error") || findings.length === 0) findings = all;
    return { ok: this.#compiled !== undefined, findings, milliseconds, stats: this.#compiled && this.#stats() };
  }

  #stats(): Stats {
    const { states, masks, memoryBytes: bytes } = this.#grammar().stats();
    return { states, masks, memoryBytes: bytes, moduleBytes: memoryBytes() };
  }

  #grammar(): CompiledGrammar {
    if (!this.#compiled) throw new Error("there is no grammar");
    return this.#compiled;
  }

  #matcher(canonical: boolean, maxTokens = 0): GrammarMatcher {
    return new GrammarMatcher(this.#grammar(), { tokenization: canonical ? "canonical" : "any", maxTokens });
  }

  /** Returns the tokens of a text; undefined if the tokenizer's file does not say how to split texts. */
  #tokenize(text: string): Uint32Array | undefined {
    try {
      return this.#info.tokenize(text);
    } catch {
      return undefined;
    }
  }

  analyse(text: string, canonical: boolean): Analysis {
    const bytes = encoder.encode(text);
    const indices = indicesOfBytes(text);
    const matcher = this.#matcher(false);
    let viableBytes = matcher.longestViablePrefix(bytes);
    matcher.acceptString(bytes.subarray(0, viableBytes));
    let verdict: Verdict = viableBytes < bytes.length ? "refused" : matcher.isCompleted() ? "accepted" : "incomplete";
    const viable = indices[viableBytes]!;
    const allowedText = text.slice(0, viable);
    const ids = this.#tokenize(allowedText);
    const along = this.#along(ids ?? new Uint32Array(), indices, canonical);
    if (along.problem) verdict = "refused";
    const out: Analysis = {
      verdict, viable: along.problem ? along.spans.at(-1)?.end ?? 0 : viable,
      expected: readable(matcher.expected()), completion: matcher.shortestCompletion(),
      tokens: along.spans, tokenized: ids !== undefined, tokenProblem: along.problem,
      steps: along.steps, firstMicros: along.micros[0]!, laterMicros: along.micros[1]!, stats: this.#stats(),
    };
    matcher.dispose();
    return out;
  }

  /** Walks the tokens: their places, which of them are forced, and what masks and steps cost. */
  #along(ids: Uint32Array, indices: Uint32Array, canonical: boolean): { spans: TokenSpan[]; steps: number; micros: number[]; problem: string } {
    const matcher = this.#matcher(canonical);
    const bitmask = allocateTokenBitmask(1, this.#info.vocabSize);
    const count = Math.min(ids.length, MAX_TOKENS_ALONG);
    const out = { spans: [] as TokenSpan[], steps: Math.max(count, 1), micros: [] as number[], problem: "" };
    for (let walk = 0; walk < 2; walk++) {
      matcher.reset();
      const before = performance.now();
      matcher.fillNextTokenBitmask(bitmask);
      for (let i = 0; i < count && matcher.acceptToken(ids[i]!); i++) matcher.fillNextTokenBitmask(bitmask);
      out.micros.push((1000 * (performance.now() - before)) / out.steps);
    }
    matcher.reset();
    let byte = 0;
    let forced = 0;
    for (let i = 0; i < ids.length; i++) {
      const token = ids[i]!;
      if (forced === 0 && i < MAX_TOKENS_ALONG) {
        const next = matcher.forcedTokens();
        while (forced < next.length && next[forced] === ids[i + forced]) forced++;
      }
      const isForced = forced > 0;
      if (isForced) forced--;
      if (i < MAX_TOKENS_ALONG && !matcher.acceptToken(token)) {
        // Bytes of the language in other tokens than those that may come: only with canonical tokenization.
        if (canonical) out.problem = `token ${i + 1}, \`${shownBytes(this.#info.tokenBytes(token))}\`: ${matcher.explain(token).reason}`;
        break;
      }
      const start = byte;
      byte += this.#bytesAt(i, token).length;
      out.spans.push({ start: indices[Math.min(start, indices.length - 1)]!, end: indices[Math.min(byte, indices.length - 1)]!, forced: isForced });
    }
    matcher.dispose();
    return out;
  }

  /** Returns what a token writes as token `i` of an output. */
  #bytesAt(i: number, token: number): Uint8Array {
    return i === 0 && this.#info.dropsLeadingSpace ? this.#info.firstTokenBytes(token) : this.#info.tokenBytes(token);
  }

  refusedBy(text: string): Diagnostic[] {
    if (this.#source?.language !== "json_schema") return [];
    return explainRefusal(this.#source.text, text, this.#source.schema);
  }

  /** Returns a matcher after the allowed part of `text`, and where that ends. */
  #placed(text: string, canonical: boolean): { matcher: GrammarMatcher; at: number } {
    const matcher = this.#matcher(canonical);
    if (canonical) {
      const ids = this.#tokenize(text) ?? new Uint32Array();
      let bytes = 0;
      for (let i = 0; i < ids.length && matcher.acceptToken(ids[i]!); i++) bytes += this.#bytesAt(i, ids[i]!).length;
      return { matcher, at: indicesOfBytes(text)[Math.min(bytes, encoder.encode(text).length)]! };
    }
    const bytes = encoder.encode(text);
    const viable = matcher.longestViablePrefix(bytes);
    matcher.acceptString(bytes.subarray(0, viable));
    return { matcher, at: indicesOfBytes(text)[viable]! };
  }

  #view(token: number, allowed: boolean): TokenView {
    const bytes = this.#info.tokenBytes(token);
    const isSpecial = bytes.length === 0 || this.#info.tokenKind(token) === "special";
    return { id: token, shown: isSpecial ? this.#info.tokenName(token) || `#${token}` : shownBytes(bytes), text: isSpecial ? undefined : textOf(bytes), allowed };
  }

  inspect(text: string, at: number, search: string, group: GroupName | "", canonical: boolean): Inspection {
    const { vocabSize } = this.#info;
    this.#groups ??= Uint8Array.from({ length: vocabSize }, (_, token) => GROUPS.indexOf(groupOf(this.#info, token)));
    const { matcher, at: place } = this.#placed(text.slice(0, at), canonical);
    const bitmask = allocateTokenBitmask(1, vocabSize);
    const before = performance.now();
    matcher.fillNextTokenBitmask(bitmask);
    const micros = 1000 * (performance.now() - before);
    matcher.dispose();
    const counts = new Array<number>(GROUPS.length).fill(0);
    const out: Inspection = { at: place, allowed: countBitmask(bitmask), vocabSize, groups: [], tokens: [], matching: 0, notAllowed: [], micros };
    const wanted = search.toLowerCase();
    const matches = (token: number, view: () => TokenView) => wanted === "" || `#${token}` === search || view().shown.toLowerCase().includes(wanted)
      || decoder.decode(this.#info.tokenBytes(token)).toLowerCase().includes(wanted);
    for (let token = 0; token < vocabSize; token++) {
      const allowed = isTokenInBitmask(bitmask, token);
      const of = this.#groups[token]!;
      if (allowed) counts[of]!++;
      else if (wanted === "" || out.notAllowed.length >= MAX_SHOWN / 2) continue;
      if (group !== "" && GROUPS[of] !== group) continue;
      const isShown = allowed ? out.tokens.length < MAX_SHOWN : true;
      if (!isShown && wanted === "") {
        out.matching++;
        continue;
      }
      if (!matches(token, () => this.#view(token, allowed))) continue;
      if (allowed) out.matching++;
      if (isShown) (allowed ? out.tokens : out.notAllowed).push(this.#view(token, allowed));
    }
    out.groups = GROUPS.map((name, i) => ({ name, count: counts[i]! })).filter(({ count }) => count > 0);
    // What one types exactly comes first, then short tokens, which say most.
    const rank = (view: TokenView) => (view.shown.toLowerCase() === wanted ? 0 : view.shown.length);
    out.notAllowed.sort((a, b) => rank(a) - rank(b));
    if (wanted !== "") out.tokens.sort((a, b) => rank(a) - rank(b));
    return out;
  }

  why(text: string, at: number, token: number, canonical: boolean): Why {
    const { matcher } = this.#placed(text.slice(0, at), canonical);
    const { allowed, reason, bytesMatched, expected } = matcher.explain(token);
    matcher.dispose();
    return { id: token, shown: this.#view(token, allowed).shown, allowed, reason, bytesMatched, expected: readable(expected) };
  }

  /** Returns a function that draws tokens, and one that is told of each accepted token. */
  #sampler(name: SamplerName, text: string, seed: number): { draw: (bitmask: Int32Array) => number; onToken: (token: number) => void } {
    const random = randomNumbers(seed);
    const isModel = name === "model" && this.#model && this.#source?.language === "json_schema" && !isInYAML(this.#source);
    if (isModel) return this.#modelSampler(this.#model!, this.#source!.text, text, random);
    if (name === "uniform") return { draw: (bitmask) => drawToken(bitmask, undefined, random), onToken: () => undefined };
    const kinds = (this.#kinds ??= kindsOfTokens(this.#info));
    // An empty text shows nothing, even if it is in the language.
    let isEmpty = text === "";
    const draw = (bitmask: Int32Array) => {
      if (isEmpty) this.#clearStopTokens(bitmask);
      isEmpty = false;
      return drawToken(bitmask, kinds, random);
    };
    return { draw, onToken: () => undefined };
  }

  /** Takes the stop tokens out of a mask that has others. */
  #clearStopTokens(bitmask: Int32Array): void {
    const others = bitmask.slice();
    for (const token of this.#info.stopTokenIds) others[token >>> 5]! &= ~(1 << (token & 31));
    if (countBitmask(others) > 0) bitmask.set(others);
  }

  /** The prompt is that of data/model/README.md: the schema without blanks. */
  #modelSampler(model: Llama, schema: string, text: string, random: () => number) {
    const special = (name: string) => {
      const token = this.#info.findSpecialToken(name);
      if (token === undefined) throw new Error(`the tokenizer is not the model's: it has no ${name}`);
      return token;
    };
    const prompt = [special("<|schema|>"), ...this.#info.tokenize(JSON.stringify(JSON.parse(schema))), special("<|json|>"), ...this.#info.tokenize(text)];
    if (prompt.length + BUDGETS[0]! > model.longest) throw new Error(`schema and text have ${prompt.length} tokens, too many for the model, which reads ${model.longest}`);
    model.reset();
    let logits = new Float32Array();
    const onToken = (token: number) => void (logits = model.append(token) as typeof logits);
    prompt.forEach(onToken);
    return { draw: (bitmask: Int32Array) => drawByLogits(bitmask, logits, TEMPERATURE, random), onToken };
  }

  begin(text: string, sampler: SamplerName, seed: number, canonical: boolean): Step {
    this.#writing?.matcher.dispose();
    this.#writing = undefined;
    const tokens = this.#tokenize(text)?.length ?? 0;
    for (const budget of BUDGETS) {
      let matcher: GrammarMatcher | undefined;
      try {
        matcher = this.#matcher(canonical, budget && budget + tokens);
        const isAccepted = text === "" || (tokens > 0 && matcher.acceptText(text)) || (!canonical && matcher.acceptString(text));
        if (!isAccepted) {
          matcher.dispose();
          if (budget !== 0) continue;
          return { text, done: true, problem: "the text is refused; only an allowed text can be continued", tokens: 0 };
        }
        this.#writing = { matcher, ...this.#sampler(sampler, text, seed), tokens: budget === 0 && !canonical ? 0 : undefined };
        return { text, done: false, problem: "", tokens: 0 };
      } catch (error) {
        matcher?.dispose();
        // No text of the language is as short as the budget, or the tokens of this language's texts cannot be counted.
        if (!(error instanceof GrammarError) || !BUDGET_CODES.includes(error.code) || budget === 0) throw error;
      }
    }
    throw new Error("there is no budget without a maximum");
  }

  step(count: number): Step {
    const writing = this.#writing;
    if (!writing) throw new Error("begin first");
    const { matcher, draw, onToken } = writing;
    const bitmask = allocateTokenBitmask(1, this.#info.vocabSize);
    let tokens = 0;
    let problem = "";
    let isComplete = false;
    while (tokens < count && !matcher.isTerminated() && !problem && !isComplete) {
      matcher.fillNextTokenBitmask(bitmask);
      const token = draw(bitmask);
      if (token < 0) problem = "no token can follow";
      else if (!matcher.acceptToken(token)) problem = "the token was refused";
      else {
        tokens++;
        if (!matcher.isTerminated()) onToken(token);
        if (writing.tokens !== undefined && ++writing.tokens % COMPLETED_AFTER === 0) isComplete = complete(matcher);
      }
    }
    const text = decoder.decode(matcher.textBytes()).replace(/\uFFFD+$/, "");
    return { text, done: isComplete || matcher.isTerminated() || problem !== "", problem, tokens };
  }

  /** Writes random texts of the present grammar, or of another one; those that 2000 tokens do not end are left out. */
  samples(count: number, seed: number, source?: Source): string[] {
    const own = this.#compiled;
    const other = source && this.#compile(source);
    this.#compiled = other ?? own;
    const out: string[] = [];
    try {
      for (let i = 0; i < count; i++) {
        this.begin("", "readable", seed + i, false);
        const { text, done, problem } = this.step(2000);
        if (done && !problem && !out.includes(text)) out.push(text);
      }
    } finally {
      this.#writing?.matcher.dispose();
      this.#writing = undefined;
      this.#compiled = own;
      other?.dispose();
    }
    return out;
  }

  /** Returns valid texts of a JSON Schema with one change each that makes them invalid, and the keyword that refuses it. */
  nearMisses(seed: number): NearMiss[] {
    if (this.#source?.language !== "json_schema") return [];
    const { text: schema, schema: options } = this.#source;
    const until = performance.now() + NEAR_MISS_TIME;
    const out: NearMiss[] = [];
    const seen = new Set<string>();
    const matcher = this.#matcher(false);
    // The changes are of JSON values. JSON with blanks is YAML, in brackets.
    const inJSON: Source | undefined = isInYAML(this.#source) ? { ...this.#source, schema: { ...options, notation: "json" } } : undefined;
    try {
      for (const sample of this.samples(3, seed, inJSON)) {
        for (const { value, what } of changes(JSON.parse(sample) as JSONValue)) {
          if (out.length >= MAX_NEAR_MISSES || performance.now() > until) break;
          const text = writeLike(inJSON ? ", " : sample, value);
          const bytes = encoder.encode(text);
          const viable = matcher.longestViablePrefix(bytes);
          if (viable === bytes.length || seen.has(text)) continue;
          seen.add(text);
          const found = explainRefusal(schema, text, options);
          // One that several keywords refuse, or one like it before, teaches little.
          if (found.length !== 1 || seen.has(found[0]!.pointer)) continue;
          const { pointer, message } = found[0]!;
          // The whole schema refuses it: no keyword can be named.
          if (pointer === "") continue;
          seen.add(pointer);
          out.push({ text, change: what, viable: indicesOfBytes(text)[viable]!, keyword: pointer.slice(pointer.lastIndexOf("/") + 1), pointer, message });
        }
      }
    } finally {
      matcher.dispose();
    }
    return out;
  }

  #grammarOf(source: Source): Grammar {
    const { language, text, regex, schema } = source;
    switch (language) {
      case "regex": return Grammar.fromRegex(text, regex);
      case "json_schema": return Grammar.fromJSONSchema(text, schema);
      case "structural_tag": return Grammar.fromStructuralTag(text, { jsonSchema: schema });
      case "response_format": return Grammar.fromResponseFormat(text, { jsonSchema: schema });
      case "choice": return Grammar.fromChoice(lines(text));
      case "substring": return Grammar.fromSubstring(text, "word");
      default: return Grammar.fromText(text, textOptions(source));
    }
  }

  convert(source: Source, to: GrammarSyntax | "regex"): { text: string; findings: Diagnostic[] } {
    try {
      const grammar = this.#grammarOf(source);
      try {
        return { text: grammar.convert(to), findings: [] };
      } finally {
        grammar.dispose();
      }
    } catch (error) {
      return { text: "", findings: [findingOf(error)] };
    }
  }

  styles(): string[] {
    return toolStyles();
  }

  tag(style: string, tools: string, options: ToolOptions): { text: string; findings: Diagnostic[] } {
    try {
      return { text: JSON.stringify(structuralTagForTools(style, tools, options), null, 2), findings: [] };
    } catch (error) {
      return { text: "", findings: [findingOf(error)] };
    }
  }

  read(style: string, tools: string, options: ToolOptions, text: string): readonly ReplyEvent[] {
    const parser = new ReplyParser(style, tools, options);
    try {
      return parser.feed(text);
    } finally {
      parser.dispose();
    }
  }
}
