// The messages between the page and its Worker. Positions are indices of JavaScript strings.
import type { Diagnostic, GrammarSyntax, JSONSchemaOptions, RegexOptions, ReplyEvent, ToolOptions } from "weir";
import type { LlamaConfig } from "./model.js";

/** The languages by name that take a list of tables, and all languages by name: docs/languages.md. */
export const SQL_DIALECTS = ["sqlite", "postgresql"] as const;
export const NAMED_LANGUAGES = ["python", ...SQL_DIALECTS] as const;
export type NamedLanguage = (typeof NAMED_LANGUAGES)[number];

/** The languages that weir reads, and those that it has. Those of GrammarSyntax are read by Grammar.fromText. */
export type Language = GrammarSyntax | "regex" | "json_schema" | "structural_tag" | "response_format" | "choice" | "substring" | NamedLanguage;

export const isNamed = (language: Language): language is NamedLanguage => (NAMED_LANGUAGES as readonly string[]).includes(language);
export const hasTables = (language: Language) => (SQL_DIALECTS as readonly string[]).includes(language);

/** What may come next: terminals as the grammar has them, bytes as characters and ranges. */
export interface Expected {
  terminals: string[];
  bytes: string[];
  /** True if the text may end. */
  end: boolean;
}

/** A text that defines what is allowed. */
export interface Source {
  language: Language;
  /** For a language by name the tables, or nothing. */
  text: string;
  /** The start rule; "": the language's default. */
  start?: string;
  regex?: RegexOptions;
  schema?: JSONSchemaOptions;
}

export interface Tokenizer {
  name: string;
  kind: string;
  vocabSize: number;
  stopTokens: number;
  /** Why canonical tokenization is not possible with it; "" if it is. */
  canonicalProblem: string;
}

export interface Stats {
  states: number;
  masks: number;
  memoryBytes: number;
  moduleBytes: number;
}

export interface Compiled {
  /** True if texts can be matched. */
  ok: boolean;
  findings: Diagnostic[];
  milliseconds: number;
  stats: Stats | undefined;
}

export interface TokenSpan {
  start: number;
  end: number;
  /** True if no other token could stand here. */
  forced: boolean;
}

export type Verdict = "accepted" | "incomplete" | "refused";

export interface Analysis {
  verdict: Verdict;
  /** The end of the part that the grammar allows. */
  viable: number;
  /** What may come next there. */
  expected: Expected;
  /** A short text that completes the allowed part; undefined if there is none. */
  completion: string | undefined;
  tokens: TokenSpan[];
  /** True if the tokenizer split the text; not all tokenizers can. */
  tokenized: boolean;
  /** With canonical tokenization: why its tokens are refused, or "". */
  tokenProblem: string;
  /** What a mask and a step cost along the text: the number of tokens, microseconds a token in a first and in a second walk. */
  steps: number;
  firstMicros: number;
  laterMicros: number;
  stats: Stats;
}

export interface TokenView {
  id: number;
  /** Printable: blanks and control characters are shown as signs, bytes that are no text as <0xHH>. */
  shown: string;
  /** The token's text; undefined if its bytes are no text, or it is special. */
  text: string | undefined;
  allowed: boolean;
}

export type GroupName = "letters" | "digits" | "punctuation" | "blanks" | "other scripts" | "bytes" | "special";

export interface Inspection {
  /** The position that the mask belongs to: that of the question, or the end of the allowed part before it. */
  at: number;
  allowed: number;
  vocabSize: number;
  groups: { name: GroupName; count: number }[];
  /** The first tokens that match the search and the group. */
  tokens: TokenView[];
  /** How many match. */
  matching: number;
  /** With a search: tokens that match it but are not allowed. */
  notAllowed: TokenView[];
  micros: number;
}

export interface Why {
  id: number;
  shown: string;
  allowed: boolean;
  reason: string;
  bytesMatched: number;
  expected: Expected;
}

/** `"model"` is the small model of the project, which writes JSON for schemas; elsewhere it is as `"readable"`. */
export type SamplerName = "readable" | "uniform" | "model";

export interface Step {
  text: string;
  done: boolean;
  /** The output met a limit, or nothing can follow. */
  problem: string;
  tokens: number;
}

export interface NearMiss {
  text: string;
  /** What was changed: "without `name`". */
  change: string;
  /** The end of the part that is allowed. */
  viable: number;
  /** The keyword that refuses it: "maximum". */
  keyword: string;
  pointer: string;
  message: string;
}

/** The calls: the Worker has a method for each. */
export interface Calls {
  tokenizer(file: ArrayBuffer | undefined, name: string): Tokenizer;
  /** Loads the model; its tokenizer is loaded by `tokenizer`. */
  model(config: LlamaConfig, weights: Uint8Array): void;
  detect(text: string): Language;
  compile(source: Source): Compiled;
  analyse(text: string, canonical: boolean): Analysis;
  /** With a JSON Schema and a refused text: the keywords that refuse it. */
  refusedBy(text: string): Diagnostic[];
  inspect(text: string, at: number, search: string, group: GroupName | "", canonical: boolean): Inspection;
  why(text: string, at: number, token: number, canonical: boolean): Why;
  begin(text: string, sampler: SamplerName, seed: number, canonical: boolean): Step;
  step(count: number): Step;
  samples(count: number, seed: number, source?: Source): string[];
  nearMisses(seed: number): NearMiss[];
  convert(source: Source, to: GrammarSyntax | "regex"): { text: string; findings: Diagnostic[] };
  styles(): string[];
  tag(style: string, tools: string, options: ToolOptions): { text: string; findings: Diagnostic[] };
  /** What a client would know of the reply `text` so far, whether or not the tag allows it. */
  read(style: string, tools: string, options: ToolOptions, text: string): readonly ReplyEvent[];
}

export type Request = { id: number; call: keyof Calls; args: unknown[] };
export interface Answer {
  id: number;
  result?: unknown;
  error?: string;
  /** True if the engine cannot be used any more: the module ran out of memory or stopped. */
  isLost?: boolean;
}
