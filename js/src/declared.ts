// Written by tools/generate from the structs in include/weir. Do not edit.
import type { ENUMS } from "./abi.js";

/** What a token stands for. */
export type TokenKind = (typeof ENUMS.token_kind)[number];

/** How the tokens of a list are written. */
export type TokenSpelling = (typeof ENUMS.token_spelling)[number];

/** The languages in which grammars are written as rules. docs/ has a page for each. */
export type GrammarSyntax = (typeof ENUMS.grammar_syntax)[number];

/** Which part of an output a pattern has to match. */
export type RegexMatch = (typeof ENUMS.regex_match)[number];

/** The dialects of regular expressions: the same pattern may mean different things in them (docs/regex.md). */
export type RegexDialect = (typeof ENUMS.regex_dialect)[number];

/** The units into which a text is cut for quotations. */
export type SubstringUnit = (typeof ENUMS.substring_unit)[number];

/** Which token sequences an output may consist of. */
export type Tokenization = (typeof ENUMS.tokenization)[number];

/** What a part of a reply is. */
export type ReplyEventKind = (typeof ENUMS.reply_event_kind)[number];

/** Limits of the work. */
export interface Limits {
  /** Bytes of the text of a grammar, a schema or a pattern. Default: `67,108,864`. */
  textBytes?: number;
  /** Levels of nesting in a grammar, a schema or a pattern. Default: `1,000`. */
  nesting?: number;
  /** Symbols in the productions of a grammar, plus one for each production's end. Default: `4,000,000`. */
  grammarSymbols?: number;
  /** The largest bound of a counted repeat, `{m,n}`, in a grammar or a pattern. Default: `1,000,000,000`. */
  repeatCount?: number;
  /** Digits of one number in a JSON schema. Default: `10,000`. */
  numberDigits?: number;
  /**
   * Steps in finding out what a schema allows at one place: keywords, combinations of alternatives, candidates for
   * values. Default: `2,000,000`.
   */
  schemaSteps?: number;
  /**
   * States of an automaton over tokens, and of the automaton over bytes that it is made of (token_dfa.h). Default:
   * `1,000,000`.
   */
  tokenDfaStates?: number;
  /**
   * Transitions of an automaton over tokens, and entries of a tokenizer's states; 8 bytes each; up to 40 while the
   * automaton is built. Default: `40,000,000`.
   */
  tokenDfaTransitions?: number;
  /** Steps of work that one call may take: one mask, one accepted token, one completion. Default: `2,000,000`. */
  callWork?: number;
  /**
   * Hash-consed regular expressions that one grammar may create, residuals included; about 40 bytes each. Default:
   * `8,000,000`.
   */
  regexNodes?: number;
  /** Expressions that one search for "does this match anything?" may visit. Default: `100,000`. */
  regexFuel?: number;
  /** Interned lexer states of one grammar; about 100 bytes and a table row each. Default: `1,000,000`. */
  lexerStates?: number;
  /** Items (dotted rules with their continuations) of one Earley row, predictions included. Default: `1,000,000`. */
  rowItems?: number;
  /**
   * Threads (row and lexer state) of one configuration, that is, readings of the text that are followed at once.
   * Default: `10,000`.
   */
  configurationThreads?: number;
  /**
   * Threads that one search for a completion under conditions may visit (greedy terminals and look-ahead only).
   * Default: `20,000`.
   */
  lookaheadThreads?: number;
  /**
   * Items for reading the captures of one output (GrammarMatcher.captures); about 60 bytes each, held from the first
   * call to captures on. Default: `10,000,000`.
   */
  captureItems?: number;
  /** Bytes of a shortest completion, or of a jump-forward string. Default: `16,777,216`. */
  completionBytes?: number;
  /** Bytes of explored states, rows and masks that a compiled grammar keeps. Default: `268,435,456`. */
  stateMemory?: number;
  /** Bytes of compiled grammars that a GrammarCompiler remembers. Default: `134,217,728`. */
  cacheMemory?: number;
}

/** Options for reading a tokenizer. */
export interface TokenizerOptions {
  /**
   * Tokens that end the output; if there are none, the tokens that the file declares, and eos and end-of-turn tokens
   * that are recognised by their usual names.
   */
  stopTokenIds?: readonly number[];
  /**
   * Size of the model's output layer if it is larger than the vocabulary; the tokens added are "unused". 0: as in the
   * file. Default: `0`.
   */
  paddedVocabSize?: number;
}

/** A plain vocabulary, for callers that have the tokens and no file. */
export interface VocabOptions {
  /** Their strings in `tokens` are names, not text. */
  specialTokenIds?: readonly number[];
  /** True if decoding drops a leading space of the first token (SentencePiece). Default: `false`. */
  dropsLeadingSpace?: boolean;
  /**
   * True if tokens with usual names of eos and end-of-turn tokens (`</s>`, `<|im_end|>`) are stop tokens, too.
   * Default: `false`.
   */
  stopTokensByName?: boolean;
  /** How `tokens` are written. Default: `"bytes"`. */
  spelling?: TokenSpelling;
}

/** A grammar that another grammar may refer to: as `@name` in Lark. */
export interface NamedGrammar {
  /** Without the `@`. */
  name: string;
  /** The grammar. */
  text: string;
  /** Its language. Default: `"lark"`. */
  syntax?: GrammarSyntax;
}

/** How a regular expression is read. */
export interface RegexOptions {
  /** How the pattern is read. Default: `"weir"`. */
  dialect?: RegexDialect;
  /** Which part of the output it has to match. Default: `"full"`. */
  match?: RegexMatch;
  /** Flag i. Default: `false`. */
  ignoreCase?: boolean;
  /** Flag m: ^ and $ also match at line ends. Default: `false`. */
  multiLine?: boolean;
  /** Flag s: . also matches line ends. Default: `false`. */
  dotAll?: boolean;
  /** Flag x: blanks and # comments are ignored. Default: `false`. */
  extended?: boolean;
  /** `&` is intersection, `~` complement (only in weir's own dialect). Default: `false`. */
  operators?: boolean;
}

/** A document that `$ref` may refer to. */
export interface SchemaDocument {
  /** Absolute, without a fragment; or relative, for schemas without a base. */
  uri: string;
  /** JSON. */
  text: string;
}

/** How a schema is read, and which texts of a value are in the language. */
export interface JSONSchemaOptions {
  /** The defaults of the other options. Default: `"exact"`. */
  profile?: "exact" | "serving";
  /** The draft that applies to a schema without `$schema`. Default: `"2020-12"`. */
  defaultDraft?: (typeof ENUMS.schema_draft)[number];
  /** What counts of keywords that a schema's draft says nothing about. Default: `"specification"`. */
  reading?: (typeof ENUMS.schema_reading)[number];
  /** The URI of the schema itself. */
  baseUri?: string;
  /** Documents that references may refer to. */
  documents?: readonly SchemaDocument[];
  /** Whether `format` constrains strings. Default: `"assert"`. */
  formats?: (typeof ENUMS.schema_formats)[number];
  /** What happens to a `format` that weir does not know. Default: `"warn"`. */
  unknownFormats?: (typeof ENUMS.schema_unknown_formats)[number];
  /** What happens to a member of a schema that is a keyword of no draft, such as `minLenght`. Default: `"ignore"`. */
  unknownKeywords?: (typeof ENUMS.schema_unknown_keywords)[number];
  /** The language in which values are written. Default: `"json"`. */
  notation?: (typeof ENUMS.schema_notation)[number];
  /** Which blanks (space, tab, line ends) a text may have between its parts. Default: `"bounded"`. */
  whitespace?: (typeof ENUMS.schema_whitespace)[number];
  /** With "bounded": the most blanks in one place. Default: `40`. */
  whitespaceLimit?: number;
  /** With "indented": the spaces of each level. Default: `2`. */
  indent?: number;
  /** With "pattern": a regular expression that matches nothing but blanks, in any number. */
  whitespacePattern?: string;
  /** True if blanks are also allowed before the value. Default: `false`. */
  leadingWhitespace?: boolean;
  /** True if blanks are also allowed after the value. Default: `false`. */
  trailingWhitespace?: boolean;
  /** The order of an object's members. Default: `"any"`. */
  order?: (typeof ENUMS.schema_order)[number];
  /** The spellings of a character that are allowed in a string. Default: `"all"`. */
  escapes?: (typeof ENUMS.schema_escapes)[number];
  /** True if a surrogate escape without its other half is allowed: `"\ud800"`. Default: `false`. */
  loneSurrogates?: boolean;
  /**
   * The characters of strings: `ascii`, or a regular expression that matches one of them, such as `[ -~\n]`; empty:
   * any.
   */
  characters?: string;
  /** True if numbers may be written with an exponent. Default: `true`. */
  exponents?: boolean;
  /**
   * The most digits after the point in scientific notation, for numbers that the schema restricts: `1.25e3` has two.
   * Default: `16`.
   */
  scientificDecimals?: number;
  /** How a value is written where the schema allows only integers. Default: `"any"`. */
  integers?: (typeof ENUMS.schema_integers)[number];
  /** Which numbers are allowed. Default: `"any"`. */
  numbers?: (typeof ENUMS.schema_numbers)[number];
  /** The most digits that a number is written with, all counted; 0: any number. Default: `0`. */
  numberDigits?: number;
}

/** How a grammar with rules is read. */
export interface GrammarOptions {
  /** The language of the text. Default: `"ebnf"`. */
  syntax?: GrammarSyntax;
  /** The start rule; empty: `start` in KBNF and Lark, else `root`. */
  start?: string;
  /** Lark: terminals may end wherever they match, not only at their longest match. Default: `false`. */
  exactSplits?: boolean;
  /** KBNF: keeps rules that derive no finite string, for streams without an end. Default: `false`. */
  keepEndless?: boolean;
  /** Lark: the grammars that `@name` may refer to. */
  grammars?: readonly NamedGrammar[];
  /** Lark: options of the schemas after `%json`. */
  jsonSchema?: JSONSchemaOptions;
  /** Lark: a JSON object, which is read in place of the one after `%indent`. */
  indenter?: string | object;
  /** A language by its name, such as `sqlite`, in place of a grammar: docs/languages.md. */
  language?: string;
}

/** How a structural tag or a response_format is read. */
export interface StructuralTagOptions {
  /** Options for the schemas in it, unless the tag itself sets them. */
  jsonSchema?: JSONSchemaOptions;
  /** The syntax of grammars in it that name none. Default: `"xgrammar"`. */
  grammarSyntax?: GrammarSyntax;
  /** Names of special tokens. */
  specialTokens?: readonly string[];
}

/** How a model may call tools. */
export interface ToolOptions {
  /**
   * JSON as in OpenAI's API: "none", "auto", "required", an object that names one function, or an `allowed_tools`
   * object.
   */
  toolChoice?: string | object | null;
  /** True if several calls are allowed, where the style has a way to write them. Default: `true`. */
  parallelToolCalls?: boolean | null;
  /** Whether the output begins with reasoning. Default: `"none"`. */
  reasoning?: (typeof ENUMS.tool_reasoning)[number] | null;
  /** The most tokens of reasoning; 0: any number. Default: `0`. */
  maxReasoningTokens?: number | null;
  /** A text that may stand between reasoning and the tag that ends it, beyond the bound on tokens. */
  reasoningClosing?: string | null;
  /** JSON as in OpenAI's API: what an answer without calls is. */
  responseFormat?: string | object | null;
  /** What becomes of a tool with a schema that is refused. Default: `"refuse"`. */
  onBadTool?: (typeof ENUMS.tool_on_bad_tool)[number] | null;
}

/** How a reply is read. */
export interface ReplyOptions extends ToolOptions {
  /** Which replies are read. Default: `"tolerant"`. */
  mode?: (typeof ENUMS.reply_mode)[number] | null;
  /** True if events also say which values arguments, and answers in JSON, consist of. Default: `false`. */
  values?: boolean | null;
}

/** The contents of a compiler's cache of grammars, and counts of its use. */
export interface CacheStats {
  /** Calls that found their grammar. */
  readonly hits: number;
  /** Calls that compiled. */
  readonly misses: number;
  /** Grammars dropped to stay within Limits.cacheMemory. */
  readonly evictions: number;
  /** Grammars held now. */
  readonly entries: number;
  /** Bytes of their texts and of everything explored for them. */
  readonly memoryBytes: number;
}

/** Counts of what exploring has cost so far. */
export interface EngineStats {
  /** Configurations interned. */
  readonly states: number;
  /** Byte transitions computed (not looked up). */
  readonly transitions: number;
  /** Earley rows interned. */
  readonly rows: number;
  /** Items in them. */
  readonly rowItems: number;
  /** Continuations interned. */
  readonly continuations: number;
  /** Lexer states interned. */
  readonly lexerStates: number;
  /** Hash-consed expressions. */
  readonly regexNodes: number;
  /** Masks computed. */
  readonly masks: number;
  /** Trie nodes visited for them. */
  readonly trieNodes: number;
  /** Residuals whose facts were computed; those known from another grammar do not count. */
  readonly facts: number;
  /** Times that state_memory was reached and everything explored was dropped. */
  readonly cacheFlushes: number;
  /** Bytes that everything explored takes now. */
  readonly memoryBytes: number;
}

/** How much CompiledGrammar.warmUp explores. */
export interface WarmUpOptions {
  /** Steps of work, as Limits.callWork counts them: 0.03 to 0.1 µs each. Default: `60,000`. */
  work?: number;
}

/** What CompiledGrammar.warmUp has done. */
export interface WarmUpReport {
  /** Steps that this call took. */
  readonly work: number;
  /** Masks that were computed. */
  readonly masks: number;
  /** True if everything that warm-up explores is explored. */
  readonly isComplete: boolean;
}

/** How a matcher begins. */
export interface MatcherOptions {
  /**
   * True if the output is at the beginning of a text, so that the tokenizer's leading-space rule (if it has one)
   * applies to the first token. Default: `true`.
   */
  atTextStart?: boolean;
  /** Which token sequences the output may consist of. Default: `"any"`. */
  tokenization?: Tokenization;
  /**
   * With "canonical": the tokens before the output, at least since the beginning of the text or the last special
   * token.
   */
  context?: readonly number[];
  /** Tokens that end this output, in place of TokenizerInfo.stopTokenIds; without a value, those. */
  stopTokenIds?: readonly number[];
  /** The most tokens that the output may have, a stop token at its end not counted. */
  maxTokens?: number;
}

/** Counts about the state that a matcher is in, for inspection. */
export interface StateStats {
  /** GrammarMatcher.stateId. */
  readonly state: number;
  /** Readings of the text that are followed at once. */
  readonly threads: number;
  /** Terminals begun or expected, with their residuals, over all threads. */
  readonly terminalsInProgress: number;
  /** Classes of bytes that the grammar distinguishes. */
  readonly byteClasses: number;
  /** Byte classes whose transition from this state has been explored. */
  readonly knownTransitions: number;
  /** True if the next mask is only a copy. */
  readonly maskKnown: boolean;
}

/** Options of a KbnfEngine. */
export interface KbnfOptions {
  /** The start rule. Default: `"start"`. */
  start?: string;
  /** True if rules that derive no finite string are kept, as kbnf does. Default: `true`. */
  keepEndless?: boolean;
}
